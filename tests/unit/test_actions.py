"""The table of actions: what derives from it, and the sample that both languages compare with theirs."""

from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from gasoline_bridge.front import arguments, tools
from gasoline_bridge.front.actions import ACTIONS, Action, Group, Mode, limited, named
from gasoline_bridge.front.analyses import DRAWN
from gasoline_bridge.front.dispatch import BATCH, JOURNAL_QUERIES, PAGE_COMMANDS, PAGE_QUERIES
from gasoline_broker.errors import Failed, Failure

SAMPLE = Path(__file__).parents[1] / "wire" / "actions.json"
FITTING: dict[str, Any] = {
    "selector": "#a",
    "nth": 0,
    "frame": "iframe",
    "text": "x",
    "clear": False,
    "keys": True,
    "value": "x",
    "values": ["x"],
    "checked": False,
    "key": "Enter",
    "attribute": "title",
    "to": "#b",
    "dx": 10,
    "dy": -10,
    "x": 3,
    "y": 4.5,
    "button": "right",
    "count": 2,
    "modifiers": "Control+Shift",
    "hold_ms": 500,
    "files": ["/a"],
    "correlation_id": "ann_detail_a",
    "fields": [{"selector": "#a", "value": "x"}],
    "submit": True,
    "steps": [{"action": "refresh"}],
    "accept": True,
    "trusted": True,
    "a11y": True,
    "url": "http://localhost/",
    "state": "hidden",
    "timeout_ms": 1,
    "analyze": True,
    "tab_id": 7,
    "cursor": "x",
}


def refusal(request: dict[str, Any]) -> Failure:
    with pytest.raises(Failed) as caught:
        arguments.read("interact", request)
    return caught.value.failure


def needed(action: Action) -> dict[str, Any]:
    return {name: FITTING[name] for name in (*action.needs, *action.one_of[:1], *action.any_of[:1])}


@pytest.mark.requirement("structure-010")
def test_the_sample_holds_each_action_with_its_group_and_what_the_extension_is_sent() -> None:
    sample = msgspec.json.decode(SAMPLE.read_bytes())

    assert sample == {
        name: {"group": action.group, "arguments": sorted(action.sent)}
        for name, action in ACTIONS.items()
        if action.group != "batch"
    }


def test_every_group_has_an_action() -> None:
    assert {*get_args(Group)} == {action.group for action in ACTIONS.values()}
    assert sorted(ACTIONS) == sorted(named(*get_args(Group)))


def test_every_argument_of_a_mode_is_a_parameter_of_its_tool() -> None:
    for name, tool in tools.TOOLS.items():
        fields = {field.encode_name for field in msgspec.structs.fields(tool.arguments)}
        for key, mode in tool.modes.items():
            assert {*mode.arguments} <= fields, (name, key)


def test_every_parameter_of_interact_is_taken_by_an_action() -> None:
    fields = {field.encode_name for field in msgspec.structs.fields(tools.Interact)}

    assert fields - {"action", "budget", "cursor"} == {name for action in ACTIONS.values() for name in action.arguments}


def test_every_mode_of_every_tool_leads_to_one_message() -> None:
    special = {
        BATCH,
        ("observe", "status"),
        ("observe", "effects"),
        ("observe", "analyze_result"),
        ("observe", "screenshot"),
        ("observe", "screenshots"),
        ("generate", "har"),
        ("generate", "report"),
        ("generate", "reproduction"),
        ("generate", "sarif"),
        ("generate", "test"),
        *(("analyze", name) for name in DRAWN),
    }
    rows = [*PAGE_QUERIES, *JOURNAL_QUERIES, *PAGE_COMMANDS, *special]
    modes = [(name, mode) for name, tool in tools.TOOLS.items() for mode in tools.modes(tool) or [""]]

    assert sorted(modes) == sorted(rows)


@pytest.mark.parametrize("name", ACTIONS)
def test_an_action_takes_exactly_the_arguments_of_its_row(name: str) -> None:
    action = ACTIONS[name]
    request = {"action": name} | needed(action)

    assert name == arguments.read("interact", request).action
    for argument in set(action.arguments) - {*action.one_of, *action.any_of}:
        arguments.read("interact", request | {argument: FITTING[argument]})
    for argument in FITTING.keys() - {*action.arguments, "tab_id", "analyze", "cursor"}:
        failure = refusal(request | {argument: FITTING[argument]})
        assert ("invalid_params", {"parameter": argument}) == (failure.code, failure.details)


@pytest.mark.requirement("applications-009")
@pytest.mark.parametrize("name", ACTIONS)
def test_the_rest_of_a_reply_is_asked_for_by_its_cursor_alone(name: str) -> None:
    assert "0123456789abcdef" == arguments.read("interact", {"action": name, "cursor": "0123456789abcdef"}).cursor


@pytest.mark.requirement("structure-013")
@pytest.mark.parametrize(("name", "missing"), [(name, one) for name, action in ACTIONS.items() for one in action.needs])
def test_an_action_without_what_it_needs_is_refused(name: str, missing: str) -> None:
    request = {"action": name} | needed(ACTIONS[name])
    failure = refusal({key: value for key, value in request.items() if key != missing})

    assert (f"Required parameter `{missing}` is missing.", f"`{name}` needs it.") == (failure.text, failure.recovery)


@pytest.mark.requirement("applications-025")
@pytest.mark.parametrize(
    ("more", "parameter"), [({}, "to"), ({"to": "#b", "dx": 1}, "dx"), ({"to": "#b", "dy": 1}, "dy")]
)
def test_a_drag_has_one_end(more: dict[str, Any], parameter: str) -> None:
    failure = refusal({"action": "drag", "selector": "#a", **more})

    assert ("invalid_params", {"parameter": parameter}) == (failure.code, failure.details)


@pytest.mark.requirement("applications-024")
def test_a_wheel_turns_in_one_direction_at_least() -> None:
    assert "`wheel` needs one of `dx` and `dy`." == refusal({"action": "wheel", "selector": "#a"}).text


@pytest.mark.requirement("applications-022")
def test_keys_that_are_held_have_names() -> None:
    failure = refusal({"action": "click", "selector": "#a", "modifiers": "Ctrl"})

    assert '`modifiers` is "Ctrl": expected Control, Shift, Alt or Meta, several joined by +.' == failure.text


def test_a_limited_argument_names_the_modes_that_take_it() -> None:
    modes = {"a": Mode(needs=("x",)), "b": Mode(takes=("x", "y")), "c": Mode(one_of=("z",), takes=("tab_id",))}

    assert {"x": ("a", "b"), "y": ("b",), "z": ("c",)} == limited(modes)
