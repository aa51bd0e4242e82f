"""A reply never exceeds its budget, and nothing of it is lost."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline_bridge.front.replies import Replies, encode, error, shrunk
from gasoline_bridge.front.tools import BUDGET_MAX, BUDGET_MIN
from gasoline_broker.errors import FAILURE_TEXT_BYTES, Failed, Failure

ITEMS = st.lists(st.fixed_dictionaries({"selector": st.text(max_size=30), "text": st.text(max_size=200)}), max_size=60)


def decode(text: bytes) -> dict[str, Any]:
    reply: dict[str, Any] = msgspec.json.decode(text)
    return reply


def dom(items: list[dict[str, Any]]) -> dict[str, Any]:
    return {"url": "http://x/", "title": "X", "matches": items, "matchCount": 99, "returnedCount": len(items)}


def test_a_reply_that_fits_is_left_as_it_is() -> None:
    reply = dom([{"selector": "a", "text": "A"}])

    assert reply == decode(Replies().fit(reply, 4_096, ("matches",)))


@pytest.mark.requirement("mutate-005")
@pytest.mark.parametrize(
    "reply", [dom([{"text": "x" * 20}] * 30), {"success": True, "text": "ä" * 900}], ids=["list", "text"]
)
def test_a_reply_of_exactly_its_budget_is_whole_and_one_byte_less_cuts_it(reply: dict[str, Any]) -> None:
    size = len(msgspec.json.encode(reply))

    cut = [decode(Replies().fit(dict(reply), size - less, ("matches", "text"))) for less in (0, 1)]

    assert [False, True] == ["omitted" in page for page in cut]


@pytest.mark.requirement("mutate-005")
def test_what_a_cut_list_leaves_of_its_budget_is_less_than_an_item_and_its_note() -> None:
    reply = dom([{"text": "x" * 20}] * 60)
    item = len(msgspec.json.encode({"text": "x" * 20})) + 1

    left = [budget - len(Replies().fit(dict(reply), budget, ("matches",))) for budget in range(1_000, 1_000 + item)]

    assert item == len(set(left))
    assert max(left) - min(left) == item - 1
    assert 0 <= min(left) < 10


def test_what_does_not_fit_is_counted_and_fetched_with_the_cursor() -> None:
    replies = Replies()
    items = [{"selector": f"li:nth-child({number})", "text": "x" * 80} for number in range(30)]

    first = decode(replies.fit(dom(list(items)), 1_000, ("matches",)))
    second = decode(replies.more(first["omitted"]["cursor"], BUDGET_MAX))

    assert len(first["matches"]) == first["returnedCount"] == 30 - first["omitted"]["count"]
    assert items == first["matches"] + second["matches"]
    assert "omitted" not in second


@pytest.mark.requirement("applications-036")
@given(ITEMS, ITEMS, st.integers(1, 20), st.integers(BUDGET_MIN, 3_000))
def test_a_limit_holds_for_each_list_of_every_page_and_loses_nothing(
    requests: list[Any], console: list[Any], limit: int, budget: int
) -> None:
    replies = Replies()
    page = decode(replies.fit({"console": console[:], "requests": requests[:]}, budget, ("console", "requests"), limit))
    seen = [page]
    while "omitted" in page:
        page = decode(replies.more(page["omitted"]["cursor"], budget))
        seen.append(page)

    assert all(len(page.get(name, [])) <= limit for page in seen for name in ("console", "requests"))
    assert (len(console), len(requests)) == tuple(
        sum(len(page.get(name, [])) for page in seen) for name in ("console", "requests")
    )


def test_a_cursor_serves_again_for_a_call_that_is_repeated() -> None:
    replies = Replies()
    first = decode(replies.fit(dom([{"text": "x" * 200}] * 20), 1_000, ("matches",)))

    again = [decode(replies.more(first["omitted"]["cursor"], BUDGET_MAX)) for _ in range(2)]

    assert again[0] == again[1]


@pytest.mark.requirement("applications-008")
@given(st.text(min_size=1, max_size=6_000), st.integers(BUDGET_MIN, 1_500))
def test_a_text_fills_its_budget_and_goes_on_by_cursor(text: str, budget: int) -> None:
    replies = Replies()
    page = decode(replies.fit({"success": True, "action": "get_text", "text": text}, budget, ("elements", "text")))
    read = page["text"]
    while "omitted" in page:
        raw = replies.more(page["omitted"]["cursor"], budget)
        page = decode(raw)
        assert budget - 70 < len(raw) <= budget or "omitted" not in page
        assert page["text"]
        read += page["text"]

    assert text == read


def test_the_list_named_first_is_cut_first() -> None:
    reply = {"headings": ["h" * 100] * 5, "forms": [{"id": "login", "fields": ["email"]}]}

    cut = decode(Replies().fit(reply, 400, ("headings", "forms")))

    assert [{"id": "login", "fields": ["email"]}] == cut["forms"]
    assert len(cut["headings"]) < 5


def test_an_item_that_is_too_large_alone_is_returned_without_its_largest_parts() -> None:
    huge = {
        "selector": "#a",
        "tag": "p",
        "children": [{"text": "x" * 900}] * 9,
        "styles": {"color": "red"},
        "text": "y",
    }

    cut = decode(Replies().fit(dom([huge]), 600, ("matches",)))

    left = {"selector": "#a", "tag": "p", "styles": {"color": "red"}, "text": "y"}
    assert [left | {"truncated": True, "cut": ["children"]}] == cut["matches"]


@given(st.integers(30, 120))
def test_an_item_that_is_cut_states_that_before_anything_else(room: int) -> None:
    small = shrunk({"seq": 1, "status": 2, "kb": 3, "text": "x" * 400}, room)

    assert isinstance(small, str) or small["truncated"] is True


def test_an_unknown_cursor_is_not_found() -> None:
    with pytest.raises(Failed) as caught:
        Replies().more("0" * 16, 4_096)

    assert "not_found" == caught.value.failure.code


def test_a_cursor_of_another_session_is_not_found() -> None:
    cursor = decode(Replies().fit(dom([{"text": "x" * 200}] * 20), 1_000, ("matches",)))["omitted"]["cursor"]

    with pytest.raises(Failed):
        Replies().more(cursor, 4_096)


@given(ITEMS, st.integers(BUDGET_MIN, 5_000), st.text(max_size=3_000))
def test_no_reply_exceeds_its_budget_and_every_item_is_returned_once(
    items: list[dict[str, Any]], budget: int, title: str
) -> None:
    replies = Replies()
    text = replies.fit(dom(list(items)) | {"title": title}, budget, ("matches",))
    page = decode(text)
    seen = len(page["matches"])
    while "omitted" in page:
        text = replies.more(page["omitted"]["cursor"], budget)
        page = decode(text)
        assert len(text) <= budget
        assert len(page["matches"]) == page["returnedCount"] > 0
        seen += len(page["matches"])

    assert seen == len(items)


@pytest.mark.parametrize("lists", [(), ("dialogs", "result")])
def test_a_long_text_without_any_list_is_cut(lists: tuple[str, ...]) -> None:
    text = Replies().fit({"success": True, "selector": "#a" * 3_000, "error": "x" * 9_000}, 4_096, lists)

    assert len(text) <= 4_096
    assert decode(text)["success"]


def test_where_the_rest_leaves_no_room_for_an_item_the_cursor_leads_to_it() -> None:
    replies = Replies()
    restored = {"localStorage": 12_345, "sessionStorage": 12_345, "cookies": 1_234}
    items = [{"kind": "cookie", "name": "n" * 90, "reason": "r" * 90}]

    text = replies.fit({"success": True, "name": "n" * 60, "restored": restored, "refused": items}, 256, ("refused",))

    assert len(text) <= 256
    assert (True, restored, []) == tuple(decode(text)[name] for name in ("success", "restored", "refused"))
    assert items == decode(replies.more(decode(text)["omitted"]["cursor"], 4_096))["refused"]


def test_an_item_with_names_that_are_too_long_is_cut_to_its_beginning() -> None:
    text = Replies().fit({"success": True, "result": [{f"name{at}": at for at in range(2_000)}]}, 4_096, ("result",))

    assert len(text) <= 4_096
    assert decode(text)["result"][0].startswith('{"name0":0,')


def test_an_error_has_the_one_shape() -> None:
    text = error(Failure("tab_not_found", "There is no tab 7.", "List them.", {"tab_id": 7}))

    expected = {
        "status": "error",
        "error": {
            "code": "tab_not_found",
            "message": "There is no tab 7.",
            "details": {"tab_id": 7},
            "recovery": "List them.",
        },
    }
    assert expected == decode(text)


def test_an_error_is_never_longer_than_every_client_passes_on() -> None:
    text = error(Failure("invalid_params", "x" * 50_000, "y" * 50_000, {"value": "z" * 50_000}))

    assert len(text) <= FAILURE_TEXT_BYTES
    assert "invalid_params" == decode(text)["error"]["code"]


@pytest.mark.requirement("clients-017")
def test_what_steers_a_terminal_is_escaped_and_comes_back_as_it_was() -> None:
    steering = "a\x7f\x9b\u2028\u202e\u2066é\u2014日本\U0001f600"

    text = encode({"text": steering})

    assert {"text": steering} == decode(text)
    assert b"\\u202e" in text
    assert "é\u2014日本\U0001f600" in text.decode()
    assert not {"\x7f", "\x9b", "\u2028", "\u202e", "\u2066"} & {*text.decode()}
