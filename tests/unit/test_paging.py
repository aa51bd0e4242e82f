"""A reply of the journal fits its budget, and its cursor continues just after it."""

import base64
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline_bridge.front import paging
from gasoline_bridge.front.tools import BUDGET_MAX, BUDGET_MIN
from gasoline_broker.errors import Failed, Failure
from gasoline_workers.journal.messages import EventsRead, Item, Read, ReadBodies, ReadLogs, ReadWebSockets

TEXTS = st.lists(st.text(max_size=400), max_size=40)
STATE = {"front": 1, "tracked": None, "websockets": True, "bodies": True, "allTabs": True}


def journal(items: list[Item], query: Any) -> EventsRead:
    """Answer as the journal would, of items newest first."""
    upto = query.upto or len(items)
    rest = [item for item in items if item["seq"] <= upto and (not query.before or item["seq"] < query.before)]
    return EventsRead(rest[: query.limit], len(items), upto, len(rest), query.since_seq, tab=query.tab_id, state=STATE)


KEPT: dict[str, Any] = {}


def keep(query: Any) -> str:
    number = f"{len(KEPT):016}"
    KEPT[number] = query
    return number


def read(items: list[Item], query: Any, budget: int) -> dict[str, Any]:
    text = paging.reply(query, "logs", journal(items, query), budget, keep)
    assert len(text) <= budget
    reply: dict[str, Any] = msgspec.json.decode(text)
    return reply


def items_of(texts: list[str]) -> list[Item]:
    return [{"seq": len(texts) - at, "level": "log", "text": text} for at, text in enumerate(texts)]


@given(TEXTS, st.integers(BUDGET_MIN, 3_000), st.integers(1, 50), st.sampled_from(["a filter", "x" * 500]))
def test_the_pages_of_a_window_give_every_item_once_and_never_exceed_the_budget(
    texts: list[str], budget: int, limit: int, wanted: str
) -> None:
    items = items_of(texts)
    query: Read = ReadLogs(limit=limit, text=wanted)
    seen: list[int] = []
    while True:
        page = read(items, query, budget)
        seen += [item.get("seq", 0) for item in page["logs"]]
        if "omitted" not in page:
            break
        assert page["logs"]
        assert len(items) - len(seen) == page["omitted"]["count"]
        cursor = page["omitted"]["cursor"]
        again = KEPT.get(cursor) or paging.query_of(cursor)
        assert (wanted, limit) == (getattr(again, "text", ""), again.limit)
        query = again

    assert [item["seq"] for item in items] == seen


@given(st.integers(BUDGET_MIN, 2_000), st.integers(1, 40))
def test_positions_that_grow_longer_make_no_reply_exceed_its_budget(budget: int, old: int) -> None:
    seqs = [*range(70_018, 70_000, -1), *range(old, 0, -1)]
    items = [{"seq": seq, "level": "log", "text": "a line of some length"} for seq in seqs]
    answer = EventsRead(items, 70_018, 70_018, len(items), state=STATE)

    assert len(paging.reply(ReadLogs(limit=1_000), "logs", answer, budget, keep)) <= budget


LINES = [{"seq": seq, "level": "log", "text": f"a line of some length, {seq}"} for seq in range(1_999, 1_699, -1)]
LINES_READ = EventsRead(LINES, 1_999, 1_999, len(LINES), state=STATE)


@pytest.mark.requirement("mutate-005")
def test_a_reply_of_exactly_its_budget_is_whole_and_one_byte_less_cuts_it() -> None:
    whole = paging.reply(ReadLogs(limit=1_000), "logs", LINES_READ, BUDGET_MAX, keep)

    replies = [paging.reply(ReadLogs(limit=1_000), "logs", LINES_READ, len(whole) - less, keep) for less in (0, 1)]

    assert [False, True] == ["omitted" in msgspec.json.decode(text) for text in replies]


@pytest.mark.requirement("mutate-005")
@pytest.mark.parametrize("start", [1_000, 5_000])
def test_what_a_cut_reply_leaves_of_its_budget_is_less_than_its_next_item(start: int) -> None:
    item = len(msgspec.json.encode(LINES[0])) + 1

    sizes = [
        len(paging.reply(ReadLogs(limit=1_000), "logs", LINES_READ, budget, keep))
        for budget in range(start, start + item)
    ]

    assert {*range(item)} == {budget - size for budget, size in enumerate(sizes, start)}


def test_what_fits_is_returned_as_it_is_without_a_cursor() -> None:
    items = items_of(["new", "old"])

    assert {"logs": items, "seq": 2} == read(items, ReadLogs(), 4_096)


def test_a_body_that_is_larger_than_the_budget_is_cut_and_marked() -> None:
    body = {"seq": 1, "url": "/api", "requestBody": None, "responseBody": "x" * 16_384}

    (item,) = read([body], ReadBodies(), 4_096)["logs"]

    assert ("/api", 1, True, ["responseBody"]) == (item["url"], item["seq"], item["truncated"], item["cut"])
    assert 3_500 < len(item["responseBody"]) < 4_096


def test_a_cursor_keeps_the_tab_and_the_beginning_that_its_list_had() -> None:
    answer = EventsRead(items_of(["b", "a"]), 9, 7, 4, 3, tab=12, state=STATE)

    reply = msgspec.json.decode(paging.reply(ReadLogs(limit=2), "logs", answer, 4_096, keep))
    query = paging.query_of(reply["omitted"]["cursor"])

    assert (12, 3, 7, 1, True) == (query.tab_id, query.since_seq, query.upto, query.before, query.resumed)
    assert 7 == reply["seq"]


@pytest.mark.parametrize("text", ["x", "xx", "xxx", "x" * 500])
@pytest.mark.parametrize("tab", [0, 12])
def test_a_query_is_continued_in_its_window_from_a_cursor_and_from_one_that_is_kept(text: str, tab: int) -> None:
    answer = EventsRead(items_of(["b", "a"]), 9, 7, 4, 3, tab=tab, state=STATE)
    asked = ReadLogs(limit=2, text=text)

    cursor = msgspec.json.decode(paging.reply(asked, "logs", answer, 1_024, keep))["omitted"]["cursor"]

    expected = {"before": 1, "upto": 7, "since_seq": 3, "tab_id": tab, "all_tabs": not tab, "resumed": True}
    assert msgspec.structs.replace(asked, **expected) == (KEPT.get(cursor) or paging.query_of(cursor))
    assert (len(text) == 500, False) == (cursor in KEPT, cursor.endswith("="))


def test_a_cursor_holds_only_what_a_query_does_not_have_by_itself() -> None:
    answer = EventsRead(items_of(["b", "a"]), 9, 7, 4, 0, tab=12, state=STATE)

    cursor = msgspec.json.decode(paging.reply(ReadLogs(limit=2), "logs", answer, 4_096, keep))["omitted"]["cursor"]

    packed = base64.urlsafe_b64decode(cursor.removeprefix(paging.PREFIX) + "==")
    assert {"type": "ReadLogs", "limit": 2, "before": 1, "upto": 7, "tab_id": 12} == msgspec.msgpack.decode(packed)


@pytest.mark.parametrize(
    ("query", "evicted", "noted"),
    [(ReadLogs(since_seq=30), 31, True), (ReadLogs(since_seq=30), 30, False), (ReadLogs(), 31, False)],
)
def test_what_was_evicted_is_named_to_a_poll_that_misses_it(query: Any, evicted: int, *, noted: bool) -> None:
    answer = EventsRead([], 90, 90, 0, 30, evicted_seq=evicted, state=STATE)

    assert noted is ("evicted_through" in msgspec.json.decode(paging.reply(query, "logs", answer, 4_096, keep)))


def test_a_page_names_what_was_evicted_since_the_one_before() -> None:
    answer = EventsRead([], 90, 80, 0, 10, evicted_seq=40, state=STATE)

    reply = msgspec.json.decode(paging.reply(ReadLogs(before=50, upto=80), "logs", answer, 4_096, keep))

    assert 40 == reply["evicted_through"]


def hint(query: Any, answer: EventsRead, absent: str = "") -> str:
    reply = msgspec.json.decode(paging.reply(query, "x", answer, 4_096, keep, absent))
    return str(reply.get("hint", ""))


@pytest.mark.requirement("applications-031")
@pytest.mark.parametrize("query", [ReadBodies(url_filter="/x"), ReadBodies(since_seq=4), ReadBodies(status_min=400)])
def test_a_switch_that_is_off_explains_an_empty_list_whatever_its_filters(query: Any) -> None:
    assert "Capture Network Bodies" in hint(query, EventsRead([], 0, 0, 0, state=STATE | {"bodies": False}))
    assert "" == hint(query, EventsRead([], 0, 0, 0, state=STATE))


@pytest.mark.requirement("applications-031")
def test_what_the_browser_lacks_explains_more_than_a_switch_and_a_switch_more_than_the_journal() -> None:
    off = EventsRead([], 0, 0, 0, more={"hint": "of the journal"}, state=STATE | {"bodies": False})
    on = EventsRead([], 0, 0, 0, more={"hint": "of the journal"}, state=STATE)

    assert "no such tab" == hint(ReadBodies(), off, "no such tab")
    assert "Capture Network Bodies" in hint(ReadBodies(), off)
    assert "of the journal" == hint(ReadBodies(), on)
    assert "" == hint(ReadLogs(), EventsRead(items_of(["a"]), 1, 1, 1, state=STATE), "no such tab")


@pytest.mark.requirement("applications-031")
def test_where_no_page_is_captured_an_empty_list_states_it() -> None:
    off = STATE | {"allTabs": False}

    assert paging.NOTHING == hint(ReadLogs(), EventsRead([], 0, 0, 0, state=off))
    assert "" == hint(ReadLogs(), EventsRead([], 0, 0, 0, state=off | {"tracked": 3}))


def test_what_a_mode_has_beside_its_items_gives_way_to_a_small_budget() -> None:
    answer = EventsRead(items_of(["a"]), 1, 1, 1, more={"page": "http://localhost/" + "x" * 480}, state=STATE)

    reply = msgspec.json.decode(paging.reply(ReadLogs(), "logs", answer, BUDGET_MIN, keep))

    assert ([1], False) == ([item["seq"] for item in reply["logs"]], "page" in reply)


def test_a_cursor_continues_after_an_item_of_which_only_the_beginning_has_room() -> None:
    body = {"url": "u" * 300, "ts": "t" * 24, "status": 200, "duration": 1.25}
    parts = ("requestBody", "responseBody", "contentType", "requestHeaders", "responseHeaders", "method", "type")
    items = [body | dict.fromkeys(parts, "x" * 900) | {"seq": seq} for seq in (9, 8, 7)]
    answer = EventsRead(items, 9, 9, 3, tab=12, state=STATE)

    reply = msgspec.json.decode(paging.reply(ReadBodies(), "bodies", answer, BUDGET_MIN, keep))
    cursor = reply["omitted"]["cursor"]

    assert ([str], 2) == ([type(item) for item in reply["bodies"]], reply["omitted"]["count"])
    assert 9 == (KEPT.get(cursor) or paging.query_of(cursor)).before


def test_a_poll_names_what_it_has_missed() -> None:
    answer = EventsRead([], 90, 90, 0, 30, evicted_seq=40, dropped={"console": 12}, tab=3, state=STATE)

    text = paging.reply(ReadLogs(since_seq=30), "logs", answer, 4_096, keep)

    assert {"logs": [], "seq": 90, "tab": 3, "dropped": {"console": 12}, "evicted_through": 40} == msgspec.json.decode(
        text
    )


@pytest.mark.parametrize(
    ("query", "state", "words"),
    [
        (ReadBodies(), STATE | {"bodies": False}, "Capture Network Bodies"),
        (ReadWebSockets(), STATE | {"websockets": False}, "Capture WebSockets off"),
        (ReadLogs(), None, "No Chrome"),
    ],
)
def test_an_empty_reply_names_the_switch_that_the_human_has_off(query: Any, state: Item | None, words: str) -> None:
    reply = msgspec.json.decode(paging.reply(query, "x", EventsRead([], 0, 0, 0, state=state), 4_096, keep))

    assert words in reply["hint"]


def test_what_a_reply_has_beside_its_items_takes_half_of_the_budget_at_most() -> None:
    marks = [{"name": f"mark {at}", "time": at} for at in range(200)]
    answer = EventsRead([{"seq": 1}], 1, 1, 1, more={"user_timing": {"marks": marks, "measures": []}}, state=STATE)

    text = paging.reply(ReadLogs(), "snapshots", answer, 2_000, keep)
    reply = msgspec.json.decode(text)

    assert len(text) <= 2_000
    assert [{"seq": 1}] == reply["snapshots"]
    assert 200 == reply["user_timing"]["omitted"] + len(reply["user_timing"]["marks"])
    assert "mark 199" == reply["user_timing"]["marks"][-1]["name"]


@pytest.mark.parametrize("cursor", ["j.", "j.!!!", "j.AAAA", "j." + "A" * 5_000, "j.é"])
def test_what_is_no_cursor_is_not_found(cursor: str) -> None:
    with pytest.raises(Failed) as caught:
        paging.query_of(cursor)

    text = "This is no cursor of ours, or one that was kept and is forgotten."
    assert Failure("not_found", text, "Call without a cursor.") == caught.value.failure


def cursor(query: Read) -> str:
    return paging.PREFIX + base64.urlsafe_b64encode(msgspec.msgpack.encode(query)).decode().rstrip("=")


@pytest.mark.parametrize("field", ["since_seq", "before", "upto", "tab_id"])
@pytest.mark.parametrize("number", [-1, 2**53 + 1])
def test_a_cursor_whose_positions_no_journal_has_is_not_found(field: str, number: int) -> None:
    with pytest.raises(Failed) as caught:
        paging.query_of(cursor(msgspec.structs.replace(ReadLogs(), **{field: number})))

    assert Failure("not_found", "This is no cursor of ours.", "Call without a cursor.") == caught.value.failure


@pytest.mark.parametrize("number", [0, 2**53])
@pytest.mark.parametrize(("limit", "taken"), [(0, 1), (1, 1), (1_000, 1_000), (1_001, 1_000)])
def test_a_cursor_with_the_least_and_the_greatest_positions_is_read(number: int, limit: int, taken: int) -> None:
    query = ReadLogs(since_seq=number, before=number, upto=number, tab_id=number, limit=limit)

    assert msgspec.structs.replace(query, limit=taken, resumed=True) == paging.query_of(cursor(query))


def test_the_largest_budget_takes_the_largest_page() -> None:
    assert 200 == len(read(items_of(["x" * 100] * 200), ReadLogs(limit=200), BUDGET_MAX)["logs"])
