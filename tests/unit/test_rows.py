"""Lists of captured events are rows that say the same as the objects, in fewer bytes."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expanded_rows import expanded
from gasoline_bridge.front.rows import table
from gasoline_workers.journal.messages import (
    Item,
    ReadActions,
    ReadErrors,
    ReadLogs,
    ReadVitals,
    ReadWaterfall,
    ReadWebSockets,
)

ADDRESS = st.sampled_from(["http://a.test/", "http://a.test/x?y=1", "https://b.test:8443/z", "/beside", "data:,", ""])
TS = st.datetimes().map(lambda at: f"{at.isoformat(timespec='milliseconds')}Z")
VALUES: dict[str, Any] = {
    "text": st.text(max_size=20),
    "level": st.sampled_from(["log", "warn", "error"]),
    "count": st.integers(2, 9),
    "page": ADDRESS,
    "source": ADDRESS,
    "stack": st.text(max_size=20),
}


def lines() -> st.SearchStrategy[list[Item]]:
    line = st.fixed_dictionaries(
        {"level": VALUES["level"], "text": VALUES["text"], "ts": TS},
        optional={name: VALUES[name] for name in ("count", "page", "source", "stack")},
    )
    numbered = st.lists(line, min_size=1, max_size=12)
    return numbered.map(lambda all_: [one | {"seq": len(all_) - at} for at, one in enumerate(all_)])


@pytest.mark.requirement("fast-026")
@given(lines())
def test_rows_say_what_the_objects_say(items: list[Item]) -> None:
    shown = table(ReadLogs, items)
    assert shown

    wanted = []
    for item in items:
        of_no_error = () if item["level"] == "error" else ("source", "stack")
        wanted.append({name: value for name, value in item.items() if name not in {"ts", *of_no_error}})
    given_back = expanded(ReadLogs, *shown)
    assert wanted == [{name: value for name, value in one.items() if name != "ms"} for one in given_back]


@pytest.mark.requirement("fast-026")
def test_times_are_since_the_first_row_and_what_is_common_is_told_once() -> None:
    events: list[Item] = [
        {"seq": 2, "ts": "2026-01-31T10:00:01.500Z", "type": "websocket", "event": "message", "id": "c1",
         "direction": "incoming", "data": "b", "size": 1},
        {"seq": 1, "ts": "2026-01-31T10:00:01.000Z", "type": "websocket", "event": "message", "id": "c1",
         "direction": "incoming", "data": "a", "size": 1},
    ]  # fmt: skip

    rows, head = table(ReadWebSockets, events) or ([], {})

    assert [[2, 0, "b"], [1, -500, "a"]] == rows
    assert {
        "columns": ["seq", "ms", "data"],
        "first_ts": "2026-01-31T10:00:01.500Z",
        "same": {"direction": "incoming", "id": "c1"},
    } == head


@pytest.mark.requirement("fast-026")
def test_an_empty_list_and_one_of_another_kind_have_no_rows() -> None:
    assert table(ReadLogs, []) is None
    assert table(ReadVitals, [{"seq": 1}]) is None


def size(kind: type[Any], items: list[Item]) -> int:
    rows, head = table(kind, items) or ([], {})
    return len(msgspec.json.encode(head | {"rows": rows}))


@pytest.mark.requirement("fast-027")
def test_a_hundred_lines_twenty_requests_and_forty_frames_cost_what_they_tell() -> None:
    def ts(at: int) -> str:
        return f"2026-01-31T10:00:{59 - at // 2:02}.123Z"

    logs = [
        {"seq": 1_200 - at, "ts": ts(at), "level": "log", "text": f'line number {at} of the page {{"n":{at}}}',
         "source": "http://127.0.0.1:8080/shop.js:10:4"}
        for at in range(100)
    ]  # fmt: skip
    requests = [
        {"seq": 1_200 - at, "ts": ts(at), "method": "GET", "url": f"http://127.0.0.1:8080/api/products?page={at}",
         "status": 200, "type": "fetch", "start": 148.6, "duration": 2.5, "ttfb": 1.5, "kb": 0.6, "protocol": "h2"}
        for at in range(20)
    ]  # fmt: skip
    frames = [
        {"seq": 1_200 - at, "ts": ts(at), "type": "websocket", "event": "message", "direction": "incoming",
         "id": "0b1c6c1e-6a5b-4c7d-8e9f-0a1b2c3d4e5f", "data": f'{{"type":"tick","symbol":"ACME","price":{at}.25}}',
         "size": 45, "format": "json"}
        for at in range(40)
    ]  # fmt: skip

    assert size(ReadLogs, logs) <= 5_500
    assert size(ReadWaterfall, requests) <= 1_500
    assert size(ReadWebSockets, frames) <= 3_500


@pytest.mark.requirement("fast-039")
def test_errors_are_rows_with_what_was_around_them() -> None:
    before = {"seq": 8, "ts": "2026-01-31T10:00:01.900Z", "type": "console", "text": "before"}
    error: Item = {"seq": 9, "ts": "2026-01-31T10:00:02.000Z", "kind": "error", "name": "TypeError",
                   "message": "a is null",
                   "source": "http://a.test/x.js:1:2", "page": "http://a.test/",
                   "around": [before]}  # fmt: skip
    missing: Item = {"seq": 7, "ts": "2026-01-31T10:00:00.000Z", "kind": "resource", "message": "img failed",
                     "target": "http://a.test/b.png", "page": "http://a.test/"}  # fmt: skip

    rows, head = table(ReadErrors, [error, missing]) or ([], {})

    assert {
        "columns": ["seq", "ms", "message", "kind", "name", "source", "target", "around"],
        "first_ts": "2026-01-31T10:00:02.000Z",
        "origin": "http://a.test",
        "same": {"page": "/"},
    } == head
    assert [
        [9, 0, "a is null", None, "TypeError", "/x.js:1:2", None, [[8, -100, "console", "before"]]],
        [7, -2000, "img failed", "resource", None, None, "/b.png"],
    ] == rows
    assert "ts" in before


@pytest.mark.requirement("fast-039")
def test_what_a_user_did_is_rows_of_half_the_bytes() -> None:
    done: list[Item] = [
        {"seq": 50 - at, "ts": f"2026-01-31T10:00:{59 - at}.123Z", "action": "click", "selector": f"#row{at} > button",
         "tag": "button", "text": "Add to cart", "x": 100 + at, "y": 200}
        for at in range(40)
    ]  # fmt: skip

    assert size(ReadActions, done) < len(msgspec.json.encode(done)) / 2
