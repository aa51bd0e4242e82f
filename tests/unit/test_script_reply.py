"""What a script gave fits the budget: lists at their items, all else as its begin."""

from typing import Any

import msgspec
import pytest

from gasoline_bridge.front import script_reply
from gasoline_bridge.front.replies import Replies


def fitted(result: Any, budget: int = 1_000) -> dict[str, Any]:
    reply = {"success": True, "result": result}
    text = Replies().fit(script_reply.bounded(reply, budget), budget, script_reply.lists(reply, ("result",)))
    assert len(text) <= budget
    read: dict[str, Any] = msgspec.json.decode(text)
    return read


@pytest.mark.parametrize("result", [None, 2, "text", {"a": [1, {"b": 2}]}, [1, 2], [], {}, False])
def test_what_fits_is_returned_as_it_is(result: Any) -> None:
    assert {"success": True, "result": result} == fitted(result)


@pytest.mark.parametrize("letter", ["a", "é", "😀", '"', "\n"])
def test_a_long_text_is_cut_to_its_beginning_and_marked(letter: str) -> None:
    reply = fitted(letter * 5_000)

    assert reply["truncated"]
    assert letter * len(reply["result"]) == reply["result"]
    assert f"The first {len(reply['result'])} of 5000 characters of the text" in reply["note"]
    assert len(msgspec.json.encode(reply["result"])) > 600


def test_a_large_object_is_cut_to_the_beginning_of_its_json_and_marked() -> None:
    reply = fitted({f"key {number}": "x" * 50 for number in range(100)})

    assert reply["result"].startswith('{"key 0":"xxx')
    assert "of the result as JSON" in reply["note"]


def test_a_long_list_is_cut_at_its_items_and_continues() -> None:
    reply = fitted([{"id": number} for number in range(1_000)])

    assert [{"id": number} for number in range(len(reply["result"]))] == reply["result"]
    assert 1_000 == len(reply["result"]) + reply["omitted"]["count"]


def test_a_result_is_not_cut_for_the_dialogs_that_its_script_opened() -> None:
    reply = {"success": True, "result": "x" * 2_000, "dialogs": [{"type": "alert", "message": "m" * 500}] * 9}

    text = Replies().fit(script_reply.bounded(reply, 1_000), 1_000, script_reply.lists(reply, ("dialogs", "result")))

    assert len(text) <= 1_000
    assert len(msgspec.json.decode(text)["result"]) > 600


def test_an_error_is_no_result() -> None:
    reply = {"success": False, "error": "Error: x", "stack": "at script:1:1"}

    assert reply == script_reply.bounded(reply, 256)
