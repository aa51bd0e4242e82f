"""What a client may send: every refusal names the parameter and what is valid."""

from typing import Any

import msgspec
import pytest

from gasoline_bridge.mcp import arguments
from gasoline_bridge.mcp.tools import GetPageInfo, Observe, QueryDom
from gasoline_broker.errors import Failed, Failure


def refusal(name: str, given: dict[str, Any]) -> Failure:
    with pytest.raises(Failed) as caught:
        arguments.read(name, given)
    return caught.value.failure


@pytest.mark.requirement("002-095", "002-096", "002-097", "002-098", "002-099")
def test_query_dom_has_the_parameters_and_defaults_of_the_seed() -> None:
    expected = QueryDom("a", include_styles=False, include_children=False, max_depth=3, properties=msgspec.UNSET)

    assert expected == arguments.read("query_dom", {"selector": "a"})


@pytest.mark.requirement("002-114")
def test_get_page_info_needs_no_parameters() -> None:
    assert GetPageInfo() == arguments.read("get_page_info", {})


def test_a_depth_above_the_limit_is_taken_for_the_page_to_lower() -> None:
    assert 9 == arguments.read("query_dom", {"selector": "a", "max_depth": 9}).max_depth


def test_action_is_another_word_for_what() -> None:
    assert Observe(what="tabs") == arguments.read("observe", {"action": "tabs"})


def test_what_and_action_may_agree() -> None:
    assert Observe(what="tabs") == arguments.read("observe", {"action": "tabs", "what": "tabs"})


def test_what_and_action_must_not_differ() -> None:
    failure = refusal("observe", {"what": "page", "action": "tabs"})

    assert "invalid_params" == failure.code
    assert "differ" in failure.text


def test_a_missing_key_lists_its_values() -> None:
    failure = refusal("observe", {})

    assert "what is missing." == failure.text
    assert failure.recovery.startswith("Valid: actions, errors, logs, network_bodies, ")


@pytest.mark.parametrize(("wrong", "meant"), [("stauts", "status"), ("tab", "tabs"), ("PAGE", "page")])
def test_a_wrong_value_gets_the_nearest_one_named(wrong: str, meant: str) -> None:
    assert refusal("observe", {"what": wrong}).recovery.endswith(f"Did you mean {meant}?")


@pytest.mark.parametrize("value", [None, 3, ["page"], {"page": 1}, True])
def test_a_key_of_another_type_is_refused(value: object) -> None:
    assert {"parameter": "what"} == refusal("observe", {"what": value}).details


def test_an_unknown_parameter_is_named_and_so_is_the_nearest() -> None:
    failure = refusal("query_dom", {"selector": "a", "include_style": True})

    assert "query_dom has no parameter 'include_style'." == failure.text
    assert {"parameter": "include_style"} == failure.details
    assert failure.recovery.endswith("Did you mean include_styles?")


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("selector", 3),
        ("selector", ""),
        ("selector", None),
        ("include_styles", "yes"),
        ("max_depth", 0),
        ("max_depth", 1.5),
        ("properties", "color"),
        ("properties", ["color", 3]),
        ("tab_id", -1),
        ("tab_id", "7"),
        ("budget", 255),
        ("budget", 40_001),
        ("cursor", 7),
    ],
)
def test_a_wrong_type_or_range_names_its_parameter(parameter: str, value: object) -> None:
    failure = refusal("query_dom", {"selector": "a"} | {parameter: value})

    assert ("invalid_params", {"parameter": parameter}) == (failure.code, failure.details)
    assert parameter in failure.text


def test_a_long_wrong_value_is_not_repeated_whole() -> None:
    assert len(refusal("query_dom", {"selector": ["x" * 10_000]}).text) < 300


def test_a_missing_selector_is_asked_for() -> None:
    failure = refusal("query_dom", {})

    assert "query_dom needs selector." == failure.text
    assert {"parameter": "selector"} == failure.details


def test_a_tool_that_is_none_gets_the_nearest_one_named() -> None:
    failure = refusal("querydom", {})

    assert "not_found" == failure.code
    assert failure.recovery.endswith("Did you mean query_dom?")


@pytest.mark.requirement("capture-046")
@pytest.mark.parametrize(
    ("what", "parameter", "value"),
    [("page", "since_seq", 3), ("vitals", "levels", ["error"]), ("logs", "body_path", "$"), ("tabs", "limit", 5)],
)
def test_a_parameter_of_another_mode_is_refused_and_its_modes_are_named(
    what: str, parameter: str, value: object
) -> None:
    failure = refusal("observe", {"what": what, parameter: value})

    assert "invalid_params" == failure.code
    assert {"parameter": parameter} == failure.details
    assert failure.recovery.startswith("Valid: ")


def test_a_range_of_statuses_that_is_upside_down_is_refused() -> None:
    failure = refusal("get_network_bodies", {"status_min": 500, "status_max": 400})

    assert "status_max is 400, less than status_min, 500." == failure.text
