"""An event as a row: it is kept with any values that redaction or a page made of it."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline_workers.journal import events, fingerprints
from gasoline_workers.journal.events import Place, line, row, seconds
from gasoline_workers.journal.limits import RINGS
from gasoline_workers.journal.messages import ReadLogs, ReadWebSockets
from unit.journal.diary import NOW, PAGE, TAB, Diary, ms, socket
from unit.journal.diary import line as said

PLACE = Place(TAB, 0, "5f3a9c01", PAGE)
SAMPLES = json.loads((Path(__file__).parents[2] / "wire" / "link-up-events.json").read_text())["chunks"]
EVENTS = [event for chunk in SAMPLES for event in chunk["events"]]
NAMES = [
    "ts",
    "url",
    "level",
    "args",
    "status",
    "method",
    "id",
    "key",
    "direction",
    "name",
    "of",
    "message",
    "stack",
    "entry",
]
NONSENSE: list[Any] = [
    "9999-12-31T23:59:59-12:00",
    "1969-01-01",
    None,
    True,
    "soon",
    "",
    -1,
    0,
    1e300,
    float("nan"),
    float("inf"),
    {},
    [],
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 63), (1 << 64) - 1) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@pytest.mark.parametrize("event", [event for event in EVENTS if event["type"] != "state"], ids=lambda one: one["type"])
def test_each_sample_of_the_wire_is_kept_whole(event: dict[str, Any]) -> None:
    kept = row(event, PLACE, NOW)

    assert kept is not None
    data = {name: value for name, value in event.items() if name != "args"}  # they are its text
    assert (data, event["ts"] / 1_000) == (json.loads(kept.data), kept.at)


@pytest.mark.parametrize("event", EVENTS, ids=lambda one: one["type"])
def test_no_marker_of_redaction_loses_an_event(diary: Diary, event: dict[str, Any]) -> None:
    hidden = dict.fromkeys(event, "[REDACTED]") | {"type": event["type"]}

    stored = diary.store(("0" * 32, TAB, 0, "5f3a9c01", "[REDACTED]", [hidden]))

    assert (
        event["type"] not in {"state", "audit", "drawing", "effect", "opened"}
    ) == stored.stored  # which no page sends


@given(st.sampled_from(sorted(RINGS.keys() - {"mark"})), st.dictionaries(st.sampled_from(NAMES), JSON))
def test_no_value_loses_an_event(kind: str, values: dict[str, Any]) -> None:
    kept = row(values | {"type": kind}, PLACE, NOW)

    assert kept is not None
    assert 0 <= kept.at < events.LATEST_MS / 1_000


@pytest.mark.parametrize("event", [None, "console", 1, [], {}, {"type": "else"}, {"type": 1}, {"type": "mark"}])
def test_what_is_no_event_is_left_out_and_its_neighbours_are_kept(diary: Diary, event: Any) -> None:
    stored = diary.store(("0" * 32, TAB, 0, "5f3a9c01", PAGE, [said("a"), event, said("b")]))

    assert 2 == stored.stored


@pytest.mark.parametrize("told", [None, "x", {"a": 1}, 7])
def test_a_body_without_a_list_of_events_holds_none(diary: Diary, told: Any) -> None:
    assert 0 == diary.store(("0" * 32, TAB, 0, "5f3a9c01", PAGE, told)).stored


@pytest.mark.parametrize(
    ("ts", "expected"),
    [
        (ms(1.5), NOW + 1.5),
        ("2024-01-15T10:30:00.000Z", 1_705_314_600.0),
        ("2024-01-15T11:30:00+01:00", 1_705_314_600.0),
        ("2024-01-15T10:30:00", 1_705_314_600.0),
        *((nonsense, NOW) for nonsense in NONSENSE),
    ],
)
def test_a_time_is_milliseconds_or_iso_8601_and_nonsense_is_now(ts: object, expected: float) -> None:
    assert expected == seconds(ts, NOW)


def fastest_s(event: dict[str, Any]) -> float:
    def once() -> float:
        begun = time.thread_time()
        row(event, PLACE, NOW)
        return time.thread_time() - begun

    return min(once() for _ in range(10))


HOSTILE = ["\n", " ", "@", "1", "at ", "?", ":1", "a@b", "\n@", "x", "/?", "-", "0a-"]


@pytest.mark.parametrize("kind", ["console", "error", "network", "websocket"])
@pytest.mark.parametrize("filling", HOSTILE)
def test_no_text_of_a_page_keeps_the_journal_busy(kind: str, filling: str) -> None:
    def event(chars: int) -> dict[str, Any]:
        text = filling * (chars // len(filling))
        return dict.fromkeys(NAMES, text) | {"args": [text], "truncated": True, "type": kind}

    assert fastest_s(event(64_000)) < 10 * max(fastest_s(event(16_000)), 0.001)


@pytest.mark.parametrize(
    ("stack", "expected"),
    [
        ("TypeError: x\n    at f (a.js?v=1:2:3)\n    at g", "at f (a.js:2:3)"),
        ("f@http://a/b.js#c:1:2\ng@http://a/b.js:3:4", "f@http://a/b.js:1:2"),
        ("Error: at once\n\n  @a:1:2", "@a:1:2"),
        ("\n" * 60_000, ""),
        ("a@b", ""),
    ],
)
def test_the_top_frame_is_the_first_line_that_is_one(stack: str, expected: str) -> None:
    assert expected == fingerprints.top_frame(stack)


def test_a_line_has_strings_as_they_are_and_the_rest_as_compact_json() -> None:
    assert 'ready 3 {"items":[1,2]} null' == line(["ready", 3, {"items": [1, 2]}, None])
    assert "[REDACTED]" == line("[REDACTED]")


def test_positions_are_returned_in_the_order_of_arrival(diary: Diary) -> None:
    diary.tell(said("late", ts=ms(60)), said("early", ts=ms()))

    assert [(2, "early"), (1, "late")] == [(item["seq"], item["text"]) for item in diary.items(ReadLogs())]


@pytest.mark.parametrize(
    ("event", "kept"),
    [
        (socket("message", "c", data="x " * 2_040 + "AKIAFAKE", truncated=True), "x " * 2_040),
        (socket("message", "c", data="x " * 2_040 + "[REDACTED]", truncated=True), "x " * 2_040 + "[REDACTED]"),
        (socket("message", "c", data="x " * 2_040 + "whole"), "x " * 2_040 + "whole"),
        (socket("message", "c", data="short AKIAFAKE", truncated=True), "short AKIAFAKE"),
    ],
)
def test_the_word_at_which_a_text_was_cut_is_not_kept(diary: Diary, event: dict[str, Any], kept: str) -> None:
    diary.tell(event)

    (item,) = diary.items(ReadWebSockets())

    assert kept == item["data"]
