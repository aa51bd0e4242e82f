"""A batch: checked whole, done in order, one reply."""

from typing import Any

import pytest

from gasoline_bridge.front import arguments, batches
from gasoline_bridge.front.progress import Progress
from gasoline_bridge.front.replies import Reply
from gasoline_bridge.front.tools import Interact
from gasoline_broker.errors import Failed, Failure

UNREAD = Progress("interact")


def batch(*steps: dict[str, Any], **more: Any) -> Interact:
    checked: Interact = arguments.read("interact", {"action": "batch", "steps": list(steps)} | more)
    return checked


CLICK = {"action": "click", "selector": "#a"}
WRONG = [
    ({"action": "click"}, "steps[1].selector"),
    ({"selector": "#a"}, "steps[1].action"),
    ({"action": "type", "text": "x"}, "steps[1].selector"),
    ({"action": "drag", "to": "#b"}, "steps[1].selector"),
    ({"action": "upload", "files": ["/a"]}, "steps[1].selector"),
    ({"action": "select", "value": "x"}, "steps[1].selector"),
    ({"action": "clik", "selector": "#a"}, "steps[1].action"),
    ({"action": "click", "selector": 7}, "steps[1].selector"),
    ({"action": "click", "selector": "#a", "speed": 1}, "steps[1].speed"),
    ({"action": "click", "selector": "#a", "text": "x"}, "steps[1].text"),
    ({"action": "batch", "steps": [CLICK]}, "steps[1].action"),
    ({"what": "batch"}, "steps[1].action"),
    (CLICK | {"steps": []}, "steps[1].steps"),
    (CLICK | {"budget": 300}, "steps[1].budget"),
    ({"action": "list_interactive", "cursor": "x"}, "steps[1].cursor"),
]


@pytest.mark.parametrize(("step", "parameter"), WRONG)
def test_a_wrong_step_is_named_before_any_is_done(step: dict[str, Any], parameter: str) -> None:
    with pytest.raises(Failed) as caught:
        batches.read(batch(CLICK, step))
    failure = caught.value.failure

    assert ("invalid_params", parameter) == (failure.code, failure.details["parameter"])
    assert failure.text.startswith("steps[1]")
    assert failure.recovery


def test_a_step_is_done_in_the_batch_s_tab_unless_it_names_its_own() -> None:
    steps = batches.read(batch(CLICK, CLICK | {"tab_id": 9}, tab_id=7))

    assert [7, 9] == [step.tab_id for step in steps]


@pytest.mark.requirement("faults-011")
async def test_where_its_last_step_is_not_in_the_journal_the_batch_has_the_reason_and_no_position() -> None:
    async def do(step: Interact, _left_s: float) -> Reply:
        place: Reply = {"seq": 5} if step.action == "click" else {"journal_unavailable": "The disk is full."}
        return {"success": True, "action": step.action} | place

    reply = await batches.run(batches.read(batch(CLICK, {"action": "focus", "selector": "#a"})), do, UNREAD)

    assert {
        "success": True,
        "action": "batch",
        "steps": [{"action": "click"}, {"action": "focus"}],
        "journal_unavailable": "The disk is full.",
    } == reply


async def test_the_replies_are_in_order_without_what_repeats() -> None:
    async def do(step: Interact, _left_s: float) -> Reply:
        return {"success": True, "action": step.action, "seq": 5 if step.action == "click" else 6, "dom_summary": "x"}

    reply = await batches.run(batches.read(batch(CLICK, {"action": "get_text", "selector": "p"})), do, UNREAD)

    expected = [{"action": "click", "dom_summary": "x"}, {"action": "get_text", "dom_summary": "x"}]
    assert {"success": True, "action": "batch", "steps": expected, "seq": 6} == reply


async def test_it_stops_at_the_first_failure_and_names_it() -> None:
    done = []

    async def do(step: Interact, _left_s: float) -> Reply:
        done.append(step.selector)
        if step.selector == "#b":
            raise Failed(Failure("element_not_found", "Nothing.", "Look.", {"match_count": 0}))
        return {"success": True, "action": step.action, "seq": 3}

    steps = [CLICK | {"selector": selector} for selector in ("#a", "#b", "#c")]
    reply = await batches.run(batches.read(batch(*steps)), do, UNREAD)

    assert ["#a", "#b"] == done
    assert (False, 1, 3) == (reply["success"], reply["failed_at"], reply["seq"])
    assert [{"action": "click"}] == reply["steps"]
    assert "element_not_found" == reply["error"]["code"]
    assert {"match_count": 0} == reply["error"]["details"]


OPENED = Failed(Failure("dialog_open", "It asks.", "Answer.", {"type": "confirm", "message": "Sure?", "opened": True}))
BEFORE = Failed(Failure("dialog_open", "Nothing was done.", "Answer.", {"type": "confirm", "message": "Sure?"}))
USERS = Failed(Failure("dialog_open", "It asks.", "Ask.", dict(OPENED.failure.details, answerable=False)))
YES = {"action": "dialog", "accept": True}


async def outcome(fault: Failed, *following: dict[str, Any]) -> Reply:
    async def do(step: Interact, _left_s: float) -> Reply:
        if step.selector == "#asks":
            raise fault
        return {"success": True, "action": step.action}

    return await batches.run(batches.read(batch(CLICK | {"selector": "#asks"}, *following)), do, UNREAD)


async def test_a_step_that_opens_a_dialog_is_done_if_the_next_one_answers_it() -> None:
    reply = await outcome(OPENED, YES, CLICK)

    clicked = {"action": "click", "opened": {"type": "confirm", "message": "Sure?"}}
    assert {"success": True, "action": "batch", "steps": [clicked, {"action": "dialog"}, {"action": "click"}]} == reply


@pytest.mark.parametrize(
    ("fault", "following"), [(OPENED, CLICK), (OPENED, YES | {"tab_id": 9}), (BEFORE, YES), (USERS, YES)]
)
async def test_any_other_dialog_ends_the_batch(fault: Failed, following: dict[str, Any]) -> None:
    reply = await outcome(fault, following)

    assert (False, 0, "dialog_open", []) == (
        reply["success"],
        reply["failed_at"],
        reply["error"]["code"],
        reply["steps"],
    )


async def test_a_parameter_that_is_null_is_absent() -> None:
    (step,) = batches.read(batch(CLICK | {"steps": None, "budget": None, "cursor": None, "nth": None}))

    assert "#a" == step.selector


async def test_it_ends_when_its_time_is_over_and_no_step_outlives_it() -> None:
    clock, given = [0.0], []

    async def do(step: Interact, left_s: float) -> Reply:
        given.append(left_s)
        clock[0] += 30.0
        return {"success": True, "action": step.action}

    reply = await batches.run(batches.read(batch(CLICK, CLICK, CLICK)), do, UNREAD, lambda: clock[0])

    assert [50.0, 20.0] == given
    assert (2, "deadline_exceeded") == (reply["failed_at"], reply["error"]["code"])
    assert "from 2 on" in reply["error"]["recovery"]
