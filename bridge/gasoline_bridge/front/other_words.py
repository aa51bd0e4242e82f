"""The words of other browser tools for ours: those of Playwright, Chrome DevTools, Puppeteer and Selenium; only tables.

Rules of this file:
- Words are in snake case, without the prefix of their tool: `browser_takeScreenshot` is `take_screenshot`.
- A word that is unclear leads to what reads, never to what acts.
"""

from typing import Any, NamedTuple


class Meant(NamedTuple):
    """The tool that a word means, and the arguments that go with it."""

    tool: str
    arguments: dict[str, Any]
    note: str = ""


def _rows(tool: str, words: dict[str, str], key: str) -> dict[str, Meant]:
    """Give a row for each word, by the mode that it means."""
    return {word: Meant(tool, {key: mode}) for mode, listed in words.items() for word in listed.split()}


PREFIXES = ("browser_", "puppeteer_", "playwright_", "selenium_", "chrome_", "page_", "webdriver_")

ACTS = _rows(
    "interact",
    {
        "navigate": "goto go_to open open_url visit navigate_page navigate_to load get",
        "new_tab": "new_page open_tab create_tab tabs_new tabs_create",
        "switch_tab": "select_page tabs_select select_tab",
        "close_tab": "close close_page tabs_close",
        "back": "go_back navigate_back navigate_page_back",
        "forward": "go_forward navigate_forward navigate_page_forward",
        "refresh": "reload reload_page navigate_page_reload",
        "click": "tap left_click click_element click_button press_button computer_left_click mouse_click",
        "type": "fill input input_text enter_text send_keys set_value type_text type_into fill_field write",
        "fill_form": "form_input fill_fields fill_out_form",
        "select": "select_option choose select_by_value select_dropdown",
        "key_press": "press press_key press_keys keypress key send_key keyboard",
        "hover": "mouse_over hover_element",
        "drag": "drag_and_drop drag_to",
        "upload": "upload_file file_upload set_input_files choose_file",
        "scroll_to": "scroll_into_view scroll_into_view_if_needed scroll_to_element",
        "wait_for": "wait wait_for_selector wait_for_element wait_for_text wait_for_url wait_until",
        "dialog": "handle_dialog alert",
        "get_text": "text inner_text text_content get_element_text read_text extract_text read",
        "get_value": "input_value",
        "list_interactive": "list_elements get_elements",
    },
    "action",
)
READS = _rows(
    "observe",
    {
        "logs": "console log console_messages console_logs list_console_messages get_console_message get_console_logs",
        "errors": "console_errors exceptions js_errors page_errors get_console_errors",
        "network_waterfall": "network requests network_requests list_network_requests network_logs xhr waterfall",
        "network_bodies": "response_bodies responses bodies response_body get_network_request",
        "websocket_events": "websocket websockets ws",
        "vitals": "web_vitals core_web_vitals",
        "performance": "performance_metrics metrics perf performance_start_trace start_trace performance_timing",
        "actions": "user_actions user_events",
        "redactions": "redacted hidden_secrets",
        "tabs": "list_tabs list_pages pages get_tabs tabs_list",
        "outline": "snapshot take_snapshot accessibility_snapshot aria_snapshot read_page accessibility_tree",
        "page": "info url title current_page get_url get_title",
        "screenshot": "take_screenshot capture_screenshot computer_screenshot",
    },
    "what",
)
DOM = "dom html get_html outer_html page_source content get_content"
FIND = "query query_selector query_selector_all find find_element find_elements inspect inspect_element"
SCRIPT = "evaluate evaluate_script eval execute_script run_script javascript js run_javascript javascript_tool"

MEANINGS: dict[str, Meant] = {
    **ACTS,
    **READS,
    **dict.fromkeys(DOM.split(), Meant("query_dom", {"selector": "body", "include_children": True})),
    **dict.fromkeys(FIND.split(), Meant("query_dom", {})),
    **dict.fromkeys(("get_page_text", "page_text"), Meant("interact", {"action": "get_text", "selector": "body"})),
    **dict.fromkeys(SCRIPT.split(), Meant("execute_javascript", {})),
    **dict.fromkeys(("double_click", "dblclick"), Meant("interact", {"action": "click", "count": 2})),
    **dict.fromkeys(("right_click", "context_click"), Meant("interact", {"action": "click", "button": "right"})),
    "uncheck": Meant("interact", {"action": "check", "checked": False}),
    "clear_field": Meant("interact", {"action": "type", "text": ""}),
    **dict.fromkeys(
        ("wait_for_load_state", "wait_for_navigation", "wait_for_network_idle", "wait_for_timeout", "sleep"),
        Meant("interact", {"action": "wait_for", "state": "quiet"}),
    ),
    **dict.fromkeys(
        ("scroll", "scroll_page", "scroll_down", "mouse_wheel", "scroll_by"),
        Meant("interact", {"action": "wheel", "selector": "body", "dy": 600}),
    ),
    "scroll_up": Meant("interact", {"action": "wheel", "selector": "body", "dy": -600}),
    **dict.fromkeys(
        ("accept_alert", "accept_dialog", "handle_dialog_accept"),
        Meant("interact", {"action": "dialog", "accept": True}),
    ),
    **dict.fromkeys(
        ("dismiss_alert", "dismiss_dialog", "handle_dialog_dismiss"),
        Meant("interact", {"action": "dialog", "accept": False}),
    ),
    **dict.fromkeys(("cookies", "get_cookies"), Meant("execute_javascript", {"script": "document.cookie"})),
    **dict.fromkeys(("local_storage", "storage"), Meant("execute_javascript", {"script": "localStorage"})),
    **dict.fromkeys(("clear_console", "clear_logs"), Meant("configure", {"action": "clear"})),
}
"""What a tool's name, an action or a `what` of others means; with a mode of theirs, as `handle_dialog_accept`."""

OURS: dict[str, tuple[str, ...]] = {
    "value": ("text", "key", "script", "url", "value"),
    "text": ("text", "key", "value"),
    "content": ("text",),
    "input": ("text",),
    "string": ("text",),
    "prompt_text": ("text",),
    "keys": ("text", "key"),
    "char": ("key",),
    "option": ("value",),
    "values": ("value", "values"),
    "options": ("values",),
    "href": ("url",),
    "link": ("url",),
    "address": ("url",),
    "code": ("script",),
    "function": ("script",),
    "expression": ("script",),
    "javascript": ("script",),
    "paths": ("files",),
    "file_path": ("files",),
    "file_paths": ("files",),
    "path": ("files",),
    "file": ("files",),
    "elements": ("fields",),
    "form": ("fields",),
    "inputs": ("fields",),
    "actions": ("steps",),
    "commands": ("steps",),
    "css": ("selector",),
    "css_selector": ("selector",),
    "query": ("selector", "text"),
    "locator": ("selector",),
    "target": ("selector",),
    "start_selector": ("selector",),
    "source": ("selector",),
    "source_selector": ("selector",),
    "selectors": ("selector",),
    "end_selector": ("to",),
    "target_selector": ("to", "selector"),
    "destination": ("to",),
    "timeout": ("timeout_ms",),
    "name": ("attribute", "snapshot_name"),
    "attr": ("attribute",),
    "attribute_name": ("attribute",),
    "delta_x": ("dx",),
    "delta_y": ("dy",),
    "click_count": ("count",),
    "level": ("levels",),
    "types": ("levels",),
    "filter": ("text", "url_filter"),
    "url": ("url_filter",),
    "url_pattern": ("url_filter",),
    "pattern": ("text", "url_filter"),
    "search": ("text", "url_filter"),
    "max": ("limit",),
    "max_results": ("limit",),
    "count": ("limit",),
    "page_size": ("limit",),
    "tab": ("tab_id",),
    "iframe": ("frame",),
    "frame_selector": ("frame",),
    "duration": ("duration_ms",),
    "state_name": ("snapshot_name",),
    "styles": ("include_styles",),
    "children": ("include_children",),
    "depth": ("max_depth",),
    "effect": ("id",),
}
"""Our parameters that a word of others may mean: the first that the mode takes and that is not given."""

LEVELS = {"warning": "warn", "verbose": "debug", "assert": "error", "exception": "error"}
"""The levels of a console that have another name here."""

ALLOWED = frozenset(
    [
        "element",
        "description",
        "force",
        "delay",
        "slowly",
        "wait_until",
        "no_wait_after",
        "full_page",
        "include_snapshot",
        "intent",
        "reason",
        "exact",
        "strict",
        "timeout",
        "human",
        "filename",
        "type",
        "by",
    ]
)
"""Words of others that a call can do without: they describe it, or ask for what is done in any case."""
