"""What a client may send: every refusal names the parameter and what is valid."""

from typing import Any

import msgspec
import pytest

from gasoline_bridge.front import arguments, tools
from gasoline_bridge.front.tools import GetPageInfo, Observe, QueryDom
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

    assert "Required parameter `what` is missing." == failure.text
    assert failure.recovery.startswith("Valid: actions, analyze_result, effects, errors, logs, network_bodies, ")


@pytest.mark.parametrize(("wrong", "meant"), [("stauts", "status"), ("tab", "tabs")])
def test_a_wrong_value_gets_the_nearest_one_named(wrong: str, meant: str) -> None:
    assert refusal("observe", {"what": wrong}).recovery.endswith(f"Did you mean {meant}?")


@pytest.mark.parametrize("value", [None, 3, ["page"], {"page": 1}, True])
def test_a_key_of_another_type_is_refused(value: object) -> None:
    assert {"parameter": "what"} == refusal("observe", {"what": value}).details


def test_an_unknown_parameter_is_named_and_so_is_the_nearest() -> None:
    failure = refusal("query_dom", {"selector": "a", "include_style": True})

    assert "`query_dom` has no parameter 'include_style'." == failure.text
    assert {"parameter": "include_style"} == failure.details
    assert failure.recovery.endswith("Did you mean include_styles?")


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("selector", 3),
        ("selector", ""),
        ("selector", None),
        ("include_styles", "yes"),
        ("selector", "   "),
        ("max_depth", 0),
        ("max_depth", -1),
        ("max_depth", 1.5),
        ("max_depth", "3"),
        ("offset", -1),
        ("offset", 1.5),
        ("properties", "color"),
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


OPTIONAL = {
    "query_dom": ("include_styles", "include_children", "max_depth", "properties", "offset", "tab_id", "budget"),
    "interact": ("nth", "frame", "trusted", "a11y", "analyze", "tab_id", "budget"),
    "highlight_element": ("duration_ms", "tab_id", "budget"),
}


@pytest.mark.parametrize("name", OPTIONAL)
def test_an_optional_argument_that_is_null_counts_as_absent(name: str) -> None:
    needed = {"selector": "a"} | ({"action": "click"} if name == "interact" else {})

    assert arguments.read(name, needed) == arguments.read(name, needed | dict.fromkeys(OPTIONAL[name]))


def test_a_wrong_item_of_a_list_is_named_by_its_place() -> None:
    failure = refusal("query_dom", {"selector": "a", "properties": ["color", 3]})

    assert "`properties[1]` is 3: expected `str`, got `int`." == failure.text
    assert {"parameter": "properties[1]"} == failure.details


@pytest.mark.parametrize(
    ("name", "request_", "text"),
    [
        ("highlight_element", {"duration_ms": 0}, "`duration_ms` is 0: expected a whole number from 1 to 2147483647."),
        ("query_dom", {"offset": "1"}, '`offset` is "1": expected a whole number from 0 to 2147483647.'),
    ],
)
def test_a_number_out_of_its_range_gets_the_whole_range(name: str, request_: dict[str, Any], text: str) -> None:
    assert text == refusal(name, {"selector": "a"} | request_).text


def test_a_long_wrong_value_is_not_repeated_whole() -> None:
    assert len(refusal("query_dom", {"selector": ["x" * 10_000]}).text) < 300


def test_a_missing_selector_is_asked_for() -> None:
    failure = refusal("query_dom", {})

    assert "Required parameter `selector` is missing." == failure.text
    assert {"parameter": "selector"} == failure.details


def test_a_tool_that_is_none_gets_the_nearest_one_named() -> None:
    failure = refusal("querydom", {})

    assert "not_found" == failure.code
    assert failure.recovery.endswith("Did you mean query_dom?")


@pytest.mark.requirement("capture-046")
@pytest.mark.parametrize(
    ("what", "parameter", "value", "modes"),
    [
        ("page", "since_seq", 3, "`logs`, "),
        ("vitals", "levels", ["error"], "`logs`."),
        ("logs", "body_path", "$", "`network_bodies`."),
        ("page", "text", "x", "`logs` and `errors`."),
    ],
)
def test_a_parameter_of_another_mode_is_refused_and_its_modes_are_named(
    what: str, parameter: str, value: object, modes: str
) -> None:
    failure = refusal("observe", {"what": what, parameter: value})

    assert "invalid_params" == failure.code
    assert {"parameter": parameter} == failure.details
    assert f"`{parameter}` applies only to " in failure.text
    assert modes in failure.text


def test_a_range_of_statuses_that_is_upside_down_is_refused() -> None:
    failure = refusal("get_network_bodies", {"status_min": 500, "status_max": 400})

    assert "`status_max` is 400, less than `status_min`, 500." == failure.text


@pytest.mark.parametrize(
    ("tool", "given", "missing"),
    [
        ("configure", {"action": "highlight"}, "selector"),
        ("configure", {"action": "execute"}, "script"),
        ("configure", {"action": "save_state"}, "snapshot_name"),
        ("configure", {"action": "load_state"}, "snapshot_name"),
        ("configure", {"action": "delete_state"}, "snapshot_name"),
        ("manage_state", {"action": "save"}, "snapshot_name"),
        ("manage_state", {"action": "load"}, "snapshot_name"),
        ("manage_state", {"action": "delete"}, "snapshot_name"),
        ("highlight_element", {}, "selector"),
        ("execute_javascript", {}, "script"),
    ],
    ids=lambda one: one.get("action", "") if isinstance(one, dict) else one,
)
def test_what_a_mode_cannot_do_without_is_asked_for(tool: str, given: dict[str, Any], missing: str) -> None:
    with pytest.raises(Failed) as caught:
        arguments.read(tool, given)

    assert ("invalid_params", missing) == (caught.value.failure.code, caught.value.failure.details["parameter"])


@pytest.mark.requirement("pilot-031")
@pytest.mark.parametrize(
    "name",
    [
        *(
            "",
            " a",
            ".",
            "-a",
            "__proto__",
            "a" * 101,
            "日" * 101,
            "a" * 300,
            "../a",
            "a/b",
            "a\\b",
            ".a",
            "a\nb",
            "a\n",
        ),
        *("a\x00", "a\x7f", "a\x85", "a\u202eb", "a\u200bb", "a\u2028b", "a\ufeff", 7, ["a"]),
    ],
)
@pytest.mark.parametrize(("tool", "action"), [("configure", "save_state"), ("manage_state", "load")])
def test_a_name_of_a_state_is_no_path_and_not_long(tool: str, action: str, name: object) -> None:
    with pytest.raises(Failed) as caught:
        arguments.read(tool, {"action": action, "snapshot_name": name})

    assert ("invalid_params", "snapshot_name") == (caught.value.failure.code, caught.value.failure.details["parameter"])


@pytest.mark.requirement("tries-015")
@pytest.mark.parametrize(
    "name",
    [
        *("a", "cart_full", "Logged in 2", "v1.2-final", "a" * 100, "__proto__"[2:], "a, b (c) & d: 50 %"),
        *(
            "Grüße",
            "é",
            "e\u0301te\u0301",
            "カートが満杯",
            "購物車",
            "корзина",
            "سلة التسوق",
            "हिन्दी",
            "نیم\u200cفصل",
            "日" * 100,
            "cart 🛒",
        ),
    ],
)
def test_a_name_of_a_state_may_be_of_any_script(name: str) -> None:
    assert name == arguments.read("manage_state", {"action": "save", "snapshot_name": name}).snapshot_name


@pytest.mark.parametrize(
    ("action", "parameter", "value"),
    [
        *(("highlight", "duration_ms", wrong) for wrong in (0, -1, 1 << 31, 150.5, "300", True)),
        ("execute", "timeout_ms", 0),
        ("execute", "timeout_ms", 30_001),
        ("lease", "ttl_s", 0),
        ("lease", "ttl_s", 301),
        *(("highlight", "selector", wrong) for wrong in (7, "", " ")),
    ],
)
def test_a_value_of_configure_out_of_its_range_is_refused_by_name(action: str, parameter: str, value: object) -> None:
    needed = {"highlight": {"selector": "a"}, "execute": {"script": "1"}, "lease": {}}[action]
    failure = refusal("configure", {"action": action} | needed | {parameter: value})

    assert ("invalid_params", {"parameter": parameter}) == (failure.code, failure.details)
    assert parameter in failure.text


@pytest.mark.requirement("tries-014")
@pytest.mark.parametrize("duration_ms", [1, 99, 60_001, 600_000, (1 << 31) - 1])
def test_a_highlight_lasts_as_long_as_is_asked_for(duration_ms: int) -> None:
    request = {"selector": "a", "duration_ms": duration_ms}

    assert duration_ms == arguments.read("highlight_element", request).duration_ms
    assert duration_ms == arguments.read("configure", request | {"action": "highlight"}).duration_ms


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        *(("duration_ms", wrong) for wrong in (0, -1, 1 << 31, 150.5, "300", True)),
        *(("selector", wrong) for wrong in (7, "", " ")),
    ],
)
def test_highlight_element_refuses_the_same_values(parameter: str, value: object) -> None:
    failure = refusal("highlight_element", {"selector": "a"} | {parameter: value})

    assert ("invalid_params", {"parameter": parameter}) == (failure.code, failure.details)


@pytest.mark.requirement("003-028", "003-029", "003-037", "003-038", "003-039", "003-053", "003-054")
def test_the_tools_of_ai_web_pilot_have_the_seed_s_parameters_and_defaults() -> None:
    highlight = arguments.read("highlight_element", {"selector": "#a"})
    execute = arguments.read("execute_javascript", {"script": "1 + 1"})
    load = arguments.read("manage_state", {"action": "load", "snapshot_name": "a"})

    assert ("#a", 5_000) == (highlight.selector, highlight.duration_ms)
    assert ("1 + 1", 5_000) == (execute.script, execute.timeout_ms)
    assert ("load", "a", True) == (load.action, load.snapshot_name, load.include_url)
    assert ["delete", "list", "load", "save"] == tools.modes(tools.TOOLS["manage_state"])


@pytest.mark.parametrize(
    ("request_", "parameter", "text"),
    [
        ({"action": "click", "selector": " "}, "selector", '`selector` is " ": expected text that is not empty.'),
        ({"action": "click", "selector": "a", "frame": "\n"}, "frame", "expected text that is not empty"),
        ({"action": "drag", "selector": "a", "to": ""}, "to", "expected text that is not empty"),
        *(({"action": "click", "selector": "a", "nth": wrong}, "nth", "`nth` is ") for wrong in (-1, 1.5, "1", True)),
        ({"action": "click", "selector": 7}, "selector", "`selector` is 7"),
        ({"action": "type", "selector": "a", "text": 7}, "text", "`text` is 7"),
        ({"action": "type", "selector": "a", "text": None}, "text", "Required parameter `text` is missing."),
        ({"action": "drag", "selector": "a", "to": 7}, "to", "`to` is 7"),
        ({"action": "drag", "selector": "a", "to": " "}, "to", "expected text that is not empty"),
        ({"action": "select", "selector": "a", "value": 7}, "value", "`value` is 7"),
        ({"action": "select", "selector": "a", "values": "x"}, "values", '`values` is "x"'),
        ({"action": "select", "selector": "a", "values": ["x", 7]}, "values[1]", "`values[1]` is 7"),
        ({"action": "set_attribute", "selector": "a", "attribute": "a", "value": 7}, "value", "`value` is 7"),
        *(
            ({"action": action, "selector": "a", "attribute": wrong}, "attribute", "the name of an attribute")
            for action in ("set_attribute", "get_attribute")
            for wrong in ("", "a b", 'a"', "a'", "a<", "a>", "a/", "a=", "a\0")
        ),
        ({"action": "get_attribute", "selector": "a", "attribute": 7}, "attribute", "`attribute` is 7"),
        ({"action": "key_press", "key": 7}, "key", "`key` is 7"),
        ({"action": "key_press", "key": ""}, "key", "expected text that is not empty"),
        (
            {"action": "click", "selector": "a", "text": "x"},
            "text",
            "`text` applies only to `annotation_reply`, `dialog`, `type` and `wait_for`.",
        ),
        ({"action": "select", "selector": "a"}, "value", "`select` needs one of `value` and `values`."),
        ({"action": "select", "selector": "a", "value": "x", "values": ["x"]}, "values", "not `value` and `values`"),
        (
            {"action": "wait_for", "selector": "a", "state": "there"},
            "state",
            "expected one of attached, detached, finished, hidden, quiet, visible",
        ),
        (
            {"action": "wait_for", "selector": "a", "state": 7},
            "state",
            "expected one of attached, detached, finished, hidden, quiet, visible",
        ),
        ({"action": "wait_for"}, "selector", "`wait_for` needs one of `selector`, `text` and `url`."),
        ({"action": "wait_for", "selector": "a", "text": "x"}, "text", "`wait_for` needs one of"),
        ({"action": "wait_for", "selector": "a", "state": "quiet"}, "selector", "`selector` does not go with `state`."),
        ({"action": "wait_for", "state": "finished"}, "url", "Required parameter `url` is missing."),
        ({"action": "wait_for", "url": " "}, "url", "`url` is "),
        ({"action": "navigate", "url": "/orders"}, "url", "expected a whole address that begins with http://"),
        ({"action": "wait_for", "selector": "a", "timeout_ms": 0}, "timeout_ms", "`timeout_ms` is 0"),
        ({"action": "check", "selector": "a", "checked": "yes"}, "checked", '`checked` is "yes"'),
        ({"action": "fill_form", "fields": [{"selector": "a", "checked": "yes"}]}, "fields[0].checked", '"yes"'),
        ({"action": "fill_form", "fields": [{"selector": "a", "value": 7}]}, "fields[0].value", "is 7"),
        ({"action": "fill_form", "fields": [{"selector": " ", "value": "x"}]}, "fields[0].selector", "not empty"),
        ({"action": "fill_form", "fields": [{"selector": "a", "nth": -1, "value": "x"}]}, "fields[0].nth", "is -1"),
        ({"action": "dialog"}, "accept", "Required parameter `accept` is missing."),
        ({"action": "dialog", "accept": 1}, "accept", "`accept` is 1"),
        ({"action": "fill_form", "fields": []}, "fields", "`fields` is []"),
        ({"action": "fill_form", "fields": [{"value": "x"}]}, "fields[0].selector", "`fields[0].selector` is missing"),
        (
            {"action": "fill_form", "fields": [{"selector": "a"}]},
            "fields[0]",
            "one of `value`, `values` and `checked`.",
        ),
        (
            {"action": "fill_form", "fields": [{"selector": "a", "value": "x", "checked": True}]},
            "fields[0]",
            "not `value` and `checked`",
        ),
        *(
            ({"action": "navigate", "url": url}, "url", "whole address that begins with http:// or https://")
            for url in (
                "",
                "localhost:3000",
                "/cart",
                "small.html",
                "javascript:alert(1)",
                "chrome://settings",
                "chrome-extension://x/popup.html",
                "data:text/html,x",
            )
        ),
    ],
)
def test_what_can_be_known_without_a_page_is_checked_here(request_: dict[str, Any], parameter: str, text: str) -> None:
    failure = refusal("interact", request_)

    assert ("invalid_params", {"parameter": parameter}) == (failure.code, failure.details)
    assert text in failure.text


@pytest.mark.parametrize("url", ["http://localhost:3000/", " HTTPS://example.com", "file:///tmp/a.html"])
def test_an_address_may_be_of_the_web_or_a_file(url: str) -> None:
    assert url == arguments.read("interact", {"action": "navigate", "url": url}).url


def test_a_script_that_is_too_long_is_refused_with_its_length() -> None:
    failure = refusal("execute_javascript", {"script": "1" * 100_001})

    assert "payload_too_large" == failure.code
    assert {"parameter": "script", "characters": 100_001, "limit_characters": 100_000} == failure.details


@pytest.mark.parametrize("script", ["", " \n"])
def test_a_script_that_is_empty_is_refused(script: str) -> None:
    assert "document.title" in refusal("execute_javascript", {"script": script}).text


@pytest.mark.parametrize(
    ("request_", "parameter"),
    [
        *(({"action": "execute", "script": script}, "script") for script in (None, 7, "", " \n")),
        *(
            ({"action": "execute", "script": "1", "timeout_ms": bad}, "timeout_ms")
            for bad in (0, -1, 30_001, 1.5, "5", True)
        ),
        ({"action": "load_state", "snapshot_name": "one", "include_url": "yes"}, "include_url"),
    ],
)
def test_a_wrong_argument_of_configure_is_named(request_: dict[str, Any], parameter: str) -> None:
    failure = refusal("configure", request_)

    assert ("invalid_params", {"parameter": parameter}) == (failure.code, failure.details)
    assert parameter in failure.text


CURSORED = {name: tool for name, tool in tools.TOOLS.items() if "cursor" in tool.arguments.__struct_fields__}


@pytest.mark.requirement("applications-035")
@pytest.mark.parametrize(
    ("name", "mode"), [(name, mode) for name, tool in CURSORED.items() for mode in [*tool.modes] or [""]]
)
def test_a_cursor_needs_the_tool_and_its_mode_and_nothing_else(name: str, mode: str) -> None:
    key = CURSORED[name].key

    assert "c" == arguments.read(name, ({key: mode} if key else {}) | {"cursor": "c"}).cursor
