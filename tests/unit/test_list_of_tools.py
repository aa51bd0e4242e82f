"""The list of tools as its only reader has it: a model, which knows nothing else of Gasoline."""

# ruff: noqa: E501 - a task is one line, unformatted, with its call

import re
from typing import Any

import msgspec
import pytest

from gasoline_bridge.front import arguments, mcp_server
from gasoline_bridge.front.tools import INSTRUCTIONS
from gasoline_bridge.front.tools import TOOLS as TOOL_TABLE

LISTED = {tool.name: tool for tool in mcp_server.TOOL_LIST}
MAIN = [name for name, tool in TOOL_TABLE.items() if not tool.listed]
STAND_ALONE = [name for name, tool in TOOL_TABLE.items() if tool.listed]
STAND_ALONE_BYTES_MAX = 233  # of the sentence and the parameters


def properties(name: str) -> dict[str, Any]:
    found: dict[str, Any] = LISTED[name].input_schema["properties"]
    return found


@pytest.mark.requirement("tries-010")
@pytest.mark.parametrize("name", STAND_ALONE)
def test_a_stand_alone_tool_is_one_sentence_with_bare_parameters(name: str) -> None:
    sentence = LISTED[name].description or ""
    size = len(msgspec.json.encode(sentence)) + len(msgspec.json.encode(properties(name)))
    door = re.search(r"as (\w+)\((\w+)\)", sentence)

    assert size <= STAND_ALONE_BYTES_MAX
    assert door is not None
    assert door[2] in TOOL_TABLE[door[1]].modes
    assert not [one for one in properties(name).values() if one.keys() - {"type", "enum", "items"}]


@pytest.mark.requirement("tries-011")
@pytest.mark.parametrize("name", MAIN)
def test_every_parameter_of_a_main_tool_has_words(name: str) -> None:
    wordless = {parameter for parameter, described in properties(name).items() if not described.get("description")}

    assert (set() if name == "observe" else {*mcp_server.COMMON}) == wordless


@pytest.mark.requirement("tries-011")
def test_tab_id_budget_and_cursor_are_explained_by_the_first_tool_and_by_the_instructions() -> None:
    first, *_ = LISTED
    described = {parameter: properties(first)[parameter]["description"] for parameter in mcp_server.COMMON}

    assert "observe(tabs)" in described["tab_id"]
    assert "bytes of the reply" in described["budget"]
    assert "omitted.cursor" in described["cursor"]
    assert re.search(r"Every tool takes tab_id .*, budget .* and cursor: ", INSTRUCTIONS)


@pytest.mark.requirement("tries-011")
def test_a_ref_is_explained() -> None:
    assert "ref= of list_interactive" in properties("interact")["selector"]["description"]
    assert "`list_interactive` lists what can be worked with, by ref." in (LISTED["interact"].description or "")


@pytest.mark.requirement("tries-012")
def test_the_instructions_teach_to_look_act_read_the_effect_and_verify() -> None:
    steps = [INSTRUCTIONS.index(word) for word in ("Look:", "Act:", "Effect:", "Verify")]

    assert steps == sorted(steps)


@pytest.mark.requirement("tries-012")
def test_the_calls_of_the_instructions_are_valid() -> None:
    calls = re.findall(r'(\w+)\((what|action):"(\w+)"', INSTRUCTIONS)

    assert len(calls) >= 5
    assert not [call for call in calls if call[2] not in TOOL_TABLE[call[0]].modes]


TASKS: list[tuple[str, str, dict[str, Any]]] = [
    ("Which page is open?", "observe", {"what": "page"}),
    ("What is on the page, and what can be worked with?", "observe", {"what": "outline"}),
    ("Which tabs are open?", "observe", {"what": "tabs"}),
    ("What does the page look like, down to its end?", "observe", {"what": "screenshot", "full_page": True}),
    ("Which pictures were taken?", "observe", {"what": "screenshots"}),
    ("Is the extension connected?", "observe", {"what": "status"}),
    ("Show the warnings and errors of the console.", "observe", {"what": "logs", "levels": ["warn", "error"]}),
    ("Which lines has the console since seq 120?", "observe", {"what": "logs", "since_seq": 120}),
    ("Which exceptions were thrown, and how often?", "observe", {"what": "errors"}),
    ("Which requests failed?", "observe", {"what": "network_waterfall", "status_min": 400}),
    ("Which scripts and pictures did this page load?", "observe", {"what": "network_waterfall", "kinds": ["static"], "load": "current"}),
    ("With which headers was /api/cart asked?", "observe", {"what": "network_waterfall", "url_filter": "/api/cart", "headers": True}),
    ("What did POST /api/cart answer?", "observe", {"what": "network_bodies", "url_filter": "/api/cart", "method": "POST"}),
    ("Which id has its first item?", "observe", {"what": "network_bodies", "url_filter": "/api/cart", "body_path": "$.items[0].id"}),
    ("What did the server push?", "observe", {"what": "websocket_events", "direction": "incoming"}),
    ("How much was hidden from you?", "observe", {"what": "redactions"}),
    ("How good are LCP, CLS and INP?", "observe", {"what": "vitals"}),
    ("How long did the page take to load?", "observe", {"what": "performance"}),
    ("What has the user clicked?", "observe", {"what": "actions"}),
    ("What came later of my last click, effect 3f2a-9?", "observe", {"what": "effects", "id": "3f2a-9"}),
    ("Go on with the reply that was cut.", "observe", {"what": "logs", "cursor": "0123456789abcdef"}),
    ("What can be clicked here?", "interact", {"action": "list_interactive"}),
    ("Click the listed element 3f2a-7.", "interact", {"action": "click", "selector": "ref=3f2a-7"}),
    ("Click the button Save.", "interact", {"action": "click", "selector": 'role=button[name="Save"]'}),
    ("Open the context menu of the second row.", "interact", {"action": "click", "selector": "tr", "nth": 1, "button": "right"}),
    ("Double-click the file report.txt in tab 7.", "interact", {"action": "click", "selector": "text=report.txt", "count": 2, "tab_id": 7}),
    ("Write ada@example.com into the field Email.", "interact", {"action": "type", "selector": "label=Email", "text": "ada@example.com"}),
    ("Add a sentence to the note.", "interact", {"action": "type", "selector": "#note", "text": " Done.", "clear": False}),
    ("Fill in the form and send it.", "interact", {"action": "fill_form", "fields": [{"selector": "label=Name", "value": "Ada"}, {"selector": "label=I agree", "checked": True}], "submit": True}),
    ("Choose the size Large.", "interact", {"action": "select", "selector": "label=Size", "value": "Large"}),
    ("Take the tick off Newsletter.", "interact", {"action": "check", "selector": "label=Newsletter", "checked": False}),
    ("Press Control and k.", "interact", {"action": "key_press", "key": "Control+k"}),
    ("Search for figs and press Enter, in one call.", "interact", {"action": "batch", "steps": [{"action": "type", "selector": "#q", "text": "figs"}, {"action": "key_press", "key": "Enter"}]}),
    ("Drag the card to Done.", "interact", {"action": "drag", "selector": "#card", "to": "#done"}),
    ("Scroll the list down by 400 px.", "interact", {"action": "wheel", "selector": "#list", "dy": 400}),
    ("Attach the file /home/ada/a.txt.", "interact", {"action": "upload", "selector": "input[type=file]", "files": ["/home/ada/a.txt"]}),
    ("Open http://localhost:3000/.", "interact", {"action": "navigate", "url": "http://localhost:3000/"}),
    ("Is the page faster now? Load it again.", "interact", {"action": "refresh"}),
    ("Wait until the spinner is gone.", "interact", {"action": "wait_for", "selector": ".spinner", "state": "hidden"}),
    ("Wait until /api/save has answered.", "interact", {"action": "wait_for", "url": "/api/save", "state": "finished"}),
    ("Confirm the question that the page asks.", "interact", {"action": "dialog", "accept": True}),
    ("Why does the button take so long?", "interact", {"action": "click", "selector": "text=Report", "analyze": True}),
    ("Which colour has the heading?", "query_dom", {"selector": "h1", "properties": ["color"]}),
    ("What is wrong with the page for people who cannot see?", "analyze", {"action": "audit", "scope": "accessibility", "wait_s": 20}),
    ("What came of the audit 0123456789abcdef?", "observe", {"what": "analyze_result", "correlation_id": "0123456789abcdef"}),
    ("Save the requests for the colleague, who opens them in DevTools.", "generate", {"what": "har"}),
    ("Save what was found for the code host.", "generate", {"what": "sarif"}),
    ("Make a regression test of what I just did.", "generate", {"what": "test"}),
    ("Write the steps that lead to this error as a Playwright test in Python.", "generate", {"what": "reproduction", "language": "python"}),
    ("Read the store of the page.", "execute_javascript", {"script": "window.store.getState()"}),
    ("Keep this login for later.", "configure", {"action": "save_state", "snapshot_name": "login"}),
    ("Show me the field that is wrong.", "configure", {"action": "highlight", "selector": "#email"}),
]  # fmt: skip


@pytest.mark.requirement("tries-013")
@pytest.mark.parametrize(("task", "name", "call"), TASKS, ids=[task for task, _, _ in TASKS])
def test_the_call_for_a_task_is_in_the_list(task: str, name: str, call: dict[str, Any]) -> None:
    listed = properties(name)

    assert task.endswith((".", "?"))
    assert call.keys() <= listed.keys()
    assert not [one for one, value in call.items() if "enum" in listed[one] and value not in listed[one]["enum"]]
    arguments.read(name, call)


@pytest.mark.requirement("tries-013")
def test_the_tasks_are_forty_and_use_what_the_main_tools_do() -> None:
    used = {(name, value) for _, name, call in TASKS for key, value in call.items() if key in ("what", "action")}

    assert len(TASKS) >= 40
    assert {mode for name, mode in used if name == "observe"} == {*TOOL_TABLE["observe"].modes}
