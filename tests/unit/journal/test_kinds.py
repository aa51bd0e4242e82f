"""The journal's table of event kinds: the sample of the wire has one of each, and an unknown kind costs that event."""

from pathlib import Path

import msgspec
import pytest
import structlog

from gasoline_bridge.chrome import link
from gasoline_workers.journal.limits import KINDS, OWN, RINGS, STATE
from unit.journal.diary import TAB, Diary, ms

SAMPLE = Path(__file__).parents[2] / "wire" / "link-up-events.json"
EVENTS = [event for chunk in msgspec.json.decode(SAMPLE.read_bytes())["chunks"] for event in chunk["events"]]
HOLOGRAM = {"type": "hologram", "ts": ms(), "text": "page text"}
UNKNOWN = [HOLOGRAM, {"type": "mark", "ts": ms()}, {"ts": ms()}, "text", None]


def stored(diary: Diary) -> list[str]:
    return [kind for (kind,) in diary.file.rows.execute("SELECT kind FROM events ORDER BY seq")]


def chunk(events: object, tab: int = TAB) -> tuple[str, int, int, str, str, object]:
    return f"{'ab' * 15}{tab:02x}", tab, 0, "5f3a9c01", "http://localhost:3000/", events


def test_the_sample_has_one_of_each_kind_and_no_other() -> None:
    assert KINDS.keys() | {STATE} == {event["type"] for event in EVENTS}


def test_every_kind_has_one_ring() -> None:
    assert len(KINDS) == sum(len(ring.kinds) for ring in RINGS.values())


def test_each_event_of_the_sample_is_stored(diary: Diary) -> None:
    own = [event for event in EVENTS if event["type"] in (STATE, *OWN)]
    pages = [event for event in EVENTS if event not in own]

    diary.store(chunk(pages), chunk(own, tab=0))

    assert sorted(event["type"] for event in EVENTS if event["type"] != STATE) == sorted(stored(diary))
    assert diary.file.state is not None


@pytest.mark.requirement("structure-014")
@pytest.mark.parametrize("unknown", UNKNOWN, ids=repr)
def test_an_unknown_kind_costs_that_event_and_not_its_chunk(diary: Diary, unknown: object) -> None:
    line = {"type": "console", "ts": ms(), "level": "log", "args": ["before"]}

    with structlog.testing.capture_logs() as logged:
        answer = diary.store(chunk([line, unknown, {**line, "args": ["after"]}, unknown]))

    assert (2, ["console", "console"]) == (answer.stored, stored(diary))
    assert [{"event": "events_unknown", "count": 2, "log_level": "warning"}] == logged


def test_the_bridge_passes_an_unknown_kind_on_with_its_chunk() -> None:
    sent = msgspec.json.decode(SAMPLE.read_bytes())
    sent["chunks"][0]["events"].insert(1, HOLOGRAM)

    message = link.read_up(msgspec.json.encode(sent))

    assert isinstance(message, link.Events)
    passed_on = link.read_chunk(message.chunks[0])
    assert isinstance(passed_on, link.Chunk)
    assert sent["chunks"][0]["events"] == passed_on.events
