"""What a model tries first, in the words of the browser tools that it knows, and the call that it is led to."""

# ruff: noqa: E501 - a first try is one line, unformatted, with its answer

import contextlib
import json
import re
from typing import Any

import pytest
from hypothesis import given, strategies

from gasoline_bridge.front import arguments, batches
from gasoline_bridge.front.first_tries import COMPOSITE, SHOWN, translated
from gasoline_bridge.front.other_words import MEANINGS
from gasoline_bridge.front.tools import TOOLS
from gasoline_broker.errors import Failed, Failure

LIST = 'interact(action:"list_interactive")'
# fmt: off
TRIES: list[tuple[str, dict[str, Any], str]] = [
    # Playwright
    ("browser_navigate", {"url": "http://a.b/"}, 'interact(action:"navigate", url:"http://a.b/")'),
    ("browser_navigate_back", {}, 'interact(action:"back")'),
    ("browser_click", {"element": "Save button", "ref": "e5"}, LIST),
    ("browser_click", {"element": "Save", "ref": "3f2a-7"}, 'interact(action:"click", selector:"ref=3f2a-7")'),
    ("browser_type", {"element": "Search", "ref": "3f2a-7", "text": "figs", "submit": True}, 'interact(action:"batch", steps:[{"action":"type","text":"figs","selector":"ref=3f2a-7"},{"action":"key_press","selector":"ref=3f2a-7","key":"Enter"}])'),
    ("browser_fill_form", {"fields": [{"name": "Your email", "type": "textbox", "ref": "e3", "value": "a@b.c"}]}, 'interact(action:"fill_form", fields:[{"selector":"label=Your email","value":"a@b.c"}])'),
    ("browser_fill_form", {"fields": [{"name": "I agree", "type": "checkbox", "ref": "3f2a-9", "value": "true"}]}, 'interact(action:"fill_form", fields:[{"selector":"ref=3f2a-9","checked":true}])'),
    ("browser_snapshot", {}, 'observe(what:"outline")'),
    ("browser_take_screenshot", {"fullPage": True}, 'observe(what:"screenshot", full_page:true)'),
    ("browser_press_key", {"key": "Enter"}, 'interact(action:"key_press", key:"Enter")'),
    ("browser_hover", {"element": "M", "ref": "3f2a-2"}, 'interact(action:"hover", selector:"ref=3f2a-2")'),
    ("browser_select_option", {"element": "Size", "ref": "3f2a-2", "values": ["L"]}, 'interact(action:"select", values:["L"], selector:"ref=3f2a-2")'),
    ("browser_console_messages", {"level": "error"}, 'observe(what:"logs", levels:["error"])'),
    ("browser_network_requests", {"includeStatic": False}, 'observe(what:"network_waterfall")'),
    ("browser_evaluate", {"function": "() => 1"}, 'execute_javascript(script:"() => 1")'),
    ("browser_wait_for", {"text": "Saved"}, 'interact(action:"wait_for", text:"Saved")'),
    ("browser_wait_for", {"textGone": "Loading"}, 'interact(action:"wait_for", text:"Loading", state:"hidden")'),
    ("browser_wait_for", {"time": 3}, 'interact(action:"wait_for", state:"quiet")'),
    ("browser_tabs", {"action": "new", "url": "http://a.b/"}, 'interact(action:"new_tab", url:"http://a.b/")'),
    ("browser_tabs", {"action": "select", "index": 1}, 'observe(what:"tabs")'),
    ("browser_handle_dialog", {"accept": True}, 'interact(action:"dialog", accept:true)'),
    ("browser_drag", {"startElement": "a", "startRef": "3f2a-2", "endElement": "b", "endRef": "3f2a-3"}, 'interact(action:"drag", selector:"ref=3f2a-2", to:"ref=3f2a-3")'),
    ("browser_resize", {"width": 800, "height": 600}, ""),
    # Chrome DevTools
    ("click", {"uid": "1_5"}, LIST),
    ("fill", {"uid": "3f2a-7", "value": "x"}, 'interact(action:"type", text:"x", selector:"ref=3f2a-7")'),
    ("fill_form", {"elements": [{"uid": "1_5", "value": "x"}]}, LIST),
    ("navigate_page", {"type": "url", "url": "http://a.b/"}, 'interact(action:"navigate", url:"http://a.b/")'),
    ("navigate_page", {"type": "reload"}, 'interact(action:"refresh")'),
    ("new_page", {"url": "http://a.b/"}, 'interact(action:"new_tab", url:"http://a.b/")'),
    ("list_pages", {}, 'observe(what:"tabs")'),
    ("take_snapshot", {}, 'observe(what:"outline")'),
    ("close_page", {"pageId": 2}, 'observe(what:"tabs")'),
    ("evaluate_script", {"function": "() => 1", "args": []}, 'execute_javascript(script:"() => 1")'),
    ("list_console_messages", {"types": ["error", "warning"]}, 'observe(what:"logs", levels:["error", "warn"])'),
    ("list_network_requests", {"resourceTypes": ["xhr"]}, 'observe(what:"network_waterfall")'),
    ("get_network_request", {"reqid": 3}, 'observe(what:"network_bodies")'),
    ("handle_dialog", {"action": "dismiss"}, 'interact(action:"dialog", accept:false)'),
    ("upload_file", {"uid": "3f2a-2", "filePath": "/a"}, 'interact(action:"upload", files:["/a"], selector:"ref=3f2a-2")'),
    ("performance_start_trace", {"reload": True}, 'observe(what:"performance")'),
    ("emulate", {"cpuThrottlingRate": 4}, ""),
    # Puppeteer
    ("puppeteer_navigate", {"url": "localhost:3000"}, 'interact(action:"navigate", url:"http://localhost:3000")'),
    ("puppeteer_click", {"selector": "#save"}, 'interact(action:"click", selector:"#save")'),
    ("puppeteer_fill", {"selector": "#q", "value": "x"}, 'interact(action:"type", selector:"#q", text:"x")'),
    ("puppeteer_select", {"selector": "#s", "value": "L"}, 'interact(action:"select", selector:"#s", value:"L")'),
    ("puppeteer_evaluate", {"script": "document.title"}, 'execute_javascript(script:"document.title")'),
    ("puppeteer_screenshot", {"name": "home"}, 'observe(what:"screenshot")'),
    # Selenium
    ("click_element", {"by": "id", "value": "save"}, 'interact(action:"click", selector:"#save")'),
    ("send_keys", {"by": "css", "value": "#q", "text": "x"}, 'interact(action:"type", text:"x", selector:"#q")'),
    ("get_element_text", {"by": "name", "value": "sum"}, 'interact(action:"get_text", selector:"[name=\\"sum\\"]")'),
    ("find_element", {"by": "class name", "value": "row"}, 'query_dom(selector:".row")'),
    ("get_page_source", {}, 'query_dom(selector:"body", include_children:true)'),
    ("start_browser", {"browser": "chrome"}, ""),
    # the right tool, in the words of others
    ("interact", {"action": "type", "selector": "#q", "value": "x"}, 'interact(action:"type", selector:"#q", text:"x")'),
    ("interact", {"action": "type", "selector": "#q", "text": "x", "submit": True}, 'interact(action:"batch", steps:[{"action":"type","selector":"#q","text":"x"},{"action":"key_press","selector":"#q","key":"Enter"}])'),
    ("interact", {"action": "fill", "selector": "#q", "value": "x"}, 'interact(action:"type", selector:"#q", text:"x")'),
    ("interact", {"action": "click", "text": "Save"}, 'interact(action:"click", selector:"text=Save")'),
    ("interact", {"action": "click", "selector": "button", "text": "Save"}, 'interact(action:"click", selector:"role=button[name=\\"Save\\"]")'),
    ("interact", {"action": "click", "role": "button", "name": "Save"}, 'interact(action:"click", selector:"role=button[name=\\"Save\\"]")'),
    ("interact", {"action": "click", "ref": "3f2a-7"}, 'interact(action:"click", selector:"ref=3f2a-7")'),
    ("interact", {"action": "click", "x": 100, "y": 200}, LIST),
    ("interact", {"action": "double_click", "selector": "#a"}, 'interact(action:"click", count:2, selector:"#a")'),
    ("interact", {"action": "click", "selector": "#a", "doubleClick": True}, 'interact(action:"click", selector:"#a", count:2)'),
    ("interact", {"action": "click", "selector": "#a", "modifiers": ["Control", "Shift"]}, 'interact(action:"click", selector:"#a", modifiers:"Control+Shift")'),
    ("interact", {"action": "click", "selector": "#a", "force": True}, 'interact(action:"click", selector:"#a")'),
    ("interact", {"action": "click", "selector": "#a", "tabId": 7}, 'interact(action:"click", selector:"#a", tab_id:7)'),
    ("interact", {"action": "click", "uid": "1_5", "tab_id": 7}, 'interact(action:"list_interactive", tab_id:7)'),
    ("interact", {"action": "check", "selector": "#a", "checked": "false"}, 'interact(action:"check", selector:"#a", checked:false)'),
    ("interact", {"action": "fill_form", "fields": '[{"selector":"#a","value":"x"}]'}, 'interact(action:"fill_form", fields:[{"selector":"#a","value":"x"}])'),
    ("interact", {"action": "navigate", "url": "small.html"}, ""),
    ("observe", {"what": "logs", "limit": "50"}, 'observe(what:"logs", limit:50)'),
    ("interact", {"action": "press", "key": "Enter"}, 'interact(action:"key_press", key:"Enter")'),
    ("interact", {"action": "key_press", "text": "Enter"}, 'interact(action:"key_press", key:"Enter")'),
    ("interact", {"action": "goto", "url": "http://a.b/"}, 'interact(action:"navigate", url:"http://a.b/")'),
    ("interact", {"action": "select", "selector": "#s", "option": "L"}, 'interact(action:"select", selector:"#s", value:"L")'),
    ("interact", {"action": "uncheck", "selector": "#a"}, 'interact(action:"check", checked:false, selector:"#a")'),
    ("interact", {"action": "waitFor", "selector": "#a"}, 'interact(action:"wait_for", selector:"#a")'),
    ("interact", {"action": "wait_for", "selector": "#a", "timeout": 60000}, 'interact(action:"wait_for", selector:"#a", timeout_ms:30000)'),
    ("interact", {"action": "scroll", "direction": "down"}, 'interact(action:"wheel", selector:"body", dy:600)'),
    ("interact", {"action": "scroll", "selector": "#foot"}, 'interact(action:"scroll_to", selector:"#foot")'),
    ("interact", {"action": "close"}, 'observe(what:"tabs")'),
    ("interact", {"action": "close", "tab_id": 7}, 'interact(action:"close_tab", tab_id:7)'),
    ("interact", {"action": "screenshot"}, 'observe(what:"screenshot")'),
    ("interact", {"action": "evaluate", "script": "1"}, 'execute_javascript(script:"1")'),
    ("interact", {"action": "logs"}, 'observe(what:"logs")'),
    ("interact", {"action": "fill_form", "fields": [{"name": "email", "value": "x"}]}, 'interact(action:"fill_form", fields:[{"selector":"[name=\\"email\\"]","value":"x"}])'),
    ("interact", {"action": "fill_form", "fields": {"#email": "x"}}, 'interact(action:"fill_form", fields:[{"selector":"#email","value":"x"}])'),
    ("interact", {"action": "upload", "selector": "#f", "path": "/a"}, 'interact(action:"upload", selector:"#f", files:["/a"])'),
    ("observe", {"what": "console"}, 'observe(what:"logs")'),
    ("observe", {"what": "requests"}, 'observe(what:"network_waterfall")'),
    ("observe", {"what": "take_screenshot", "fullPage": True}, 'observe(what:"screenshot", full_page:true)'),
    ("observe", {"what": "html", "selector": "#a"}, 'query_dom(selector:"#a", include_children:true)'),
    ("observe", {"what": "cookies"}, 'execute_javascript(script:"document.cookie")'),
    ("observe", {"what": "logs", "level": "error"}, 'observe(what:"logs", levels:["error"])'),
    ("observe", {"what": "logs", "filter": "x"}, 'observe(what:"logs", text:"x")'),
    ("observe", {"what": "network_waterfall", "url": "/api"}, 'observe(what:"network_waterfall", url_filter:"/api")'),
    ("observe", {"type": "logs"}, 'observe(what:"logs")'),
    ("observe", {"what": "PAGE"}, 'observe(what:"page")'),
    ("query_dom", {"selectors": ["#a", "#b"]}, 'query_dom(selector:"#a, #b")'),
    ("query_dom", {"text": "Save"}, 'query_dom(selector:"text=Save")'),
    ("configure", {"action": "click", "selector": "#a"}, 'interact(action:"click", selector:"#a")'),
    ("manage_state", {"action": "save", "name": "cart"}, 'manage_state(action:"save", snapshot_name:"cart")'),
    ("highlight_element", {"selector": "#a", "duration": 900}, 'highlight_element(selector:"#a", duration_ms:900)'),
]
# fmt: on


def refusal(name: str, request: dict[str, Any]) -> Failure:
    with pytest.raises(Failed) as caught:
        arguments.read(name, request)
    return caught.value.failure


def call_in(recovery: str) -> tuple[str, dict[str, Any]] | None:
    """Read the call that an error offers, as a client would."""
    found = re.search(r"Call (\w+)\((.*)\)\.$", recovery, re.DOTALL)
    if not found:
        return None
    name, rest, given = found[1], found[2], dict[str, Any]()
    while rest:
        parameter, _, rest = rest.partition(":")
        given[parameter], end = json.JSONDecoder().raw_decode(rest)
        rest = rest[end:].removeprefix(", ")
    return name, given


@pytest.mark.requirement("tries-001", "tries-003")
@pytest.mark.parametrize(
    ("name", "request_", "call"), TRIES, ids=lambda one: one if isinstance(one, str) else str(one)[:60]
)
def test_a_first_try_is_answered_with_a_valid_call(name: str, request_: dict[str, Any], call: str) -> None:
    offered = call_in(refusal(name, request_).recovery)

    assert offered == call_in(f"Call {call}.")
    if offered is not None:
        arguments.read(*offered)


@pytest.mark.requirement("tries-002")
def test_nine_of_ten_first_tries_lead_to_a_call() -> None:
    led = [call for _, _, call in TRIES if call]

    assert len(TRIES) >= 60
    assert len(led) >= 0.9 * len(TRIES)


@pytest.mark.requirement("tries-004")
@pytest.mark.parametrize("word", ["code", "function", "expression", "javascript"])
@pytest.mark.parametrize(("name", "more"), [("execute_javascript", {}), ("configure", {"action": "execute"})])
def test_a_script_may_have_its_other_names(name: str, more: dict[str, Any], word: str) -> None:
    assert "() => 1" == arguments.read(name, more | {word: "() => 1"}).script


def test_two_scripts_are_none() -> None:
    assert {"parameter": "code"} == refusal("execute_javascript", {"code": "1", "script": "2"}).details


@pytest.mark.requirement("tries-005")
@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"action": "type", "selector": "#q", "value": "x"}, "`type` takes `text`. Call "),
        (
            {"action": "fill_form", "fields": [{"name": "a", "value": "x"}]},
            "`selector` and one of `value`, `values` and",
        ),
        ({"action": "click", "uid": "1_5"}, "their refs are the selectors. Call "),
    ],
)
def test_a_call_that_is_offered_is_explained(request_: dict[str, Any], words: str) -> None:
    assert words in refusal("interact", request_).recovery


def test_a_tool_of_others_is_never_called() -> None:
    assert "not_found" == refusal("browser_click", {"selector": "#a"}).code


def test_a_parameter_without_a_meaning_is_never_left_out_silently() -> None:
    failure = refusal("interact", {"action": "click", "selector": "#a", "colour": "red"})

    assert "`interact` has no parameter 'colour'." == failure.text
    assert call_in(failure.recovery) is None


@pytest.mark.parametrize(
    "request_",
    [
        {"action": "goto", "url": "/cart"},
        {"action": "type", "text": "x", "submit": True},
        {"action": "type", "selector": " ", "text": "x", "submit": True},
    ],
)
def test_a_call_that_would_be_refused_too_is_not_offered(request_: dict[str, Any]) -> None:
    assert call_in(refusal("interact", request_).recovery) is None


def test_a_long_text_is_cut_in_the_call_that_is_offered() -> None:
    recovery = refusal("interact", {"action": "type", "selector": "#a", "value": "x" * 10_000}).recovery

    assert f'{"x" * SHOWN}…"' in recovery
    assert len(recovery) < SHOWN + 200


@pytest.mark.requirement("tries-005")
def test_a_step_of_a_batch_is_led_to_its_call_too() -> None:
    batch = arguments.read("interact", {"action": "batch", "steps": [{"action": "click", "text": "Save"}]})

    with pytest.raises(Failed) as caught:
        batches.read(batch)

    assert 'Call interact(action:"click", selector:"text=Save").' == caught.value.failure.recovery


def test_a_word_of_others_is_none_of_ours() -> None:
    assert not MEANINGS.keys() & {mode for name in COMPOSITE for mode in TOOLS[name].modes}


ANY = strategies.recursive(
    strategies.none()
    | strategies.booleans()
    | strategies.integers()
    | strategies.floats()
    | strategies.text(max_size=9),
    lambda inner: (
        strategies.lists(inner, max_size=3) | strategies.dictionaries(strategies.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
WORDS = sorted({word for _, request, _ in TRIES for word in request} | {"what", "action", "uid", "fields", "steps"})
NAMES = sorted({*TOOLS, *(name for name, _, _ in TRIES)})
VALUES = sorted({value for _, request, _ in TRIES for value in request.values() if isinstance(value, str)})


@given(
    strategies.sampled_from(NAMES),
    strategies.dictionaries(strategies.sampled_from(WORDS), ANY | strategies.sampled_from(VALUES), max_size=5),
)
def test_no_call_of_any_shape_breaks_the_translation(name: str, request_: dict[str, Any]) -> None:
    call = translated(name, request_)

    assert call is None or call.tool in TOOLS


@given(strategies.sampled_from(TRIES), strategies.data())
def test_no_value_of_a_first_try_breaks_the_error(
    one: tuple[str, dict[str, Any], str], data: strategies.DataObject
) -> None:
    name, request_, _ = one
    changed = data.draw(strategies.sampled_from([*request_, *WORDS]))

    with contextlib.suppress(Failed):
        arguments.read(name, request_ | {changed: data.draw(ANY)})
