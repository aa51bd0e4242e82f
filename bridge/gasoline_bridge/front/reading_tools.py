"""The names of the tools that only read; it imports nothing, because the shim, for which a client waits, needs it."""

READING = (
    "observe",
    "query_dom",
    "get_page_info",
    "get_websocket_events",
    "get_network_bodies",
    "run_accessibility_audit",
)
"""Calling these twice costs nothing: clients learn it from the list of tools.

No set: what a client sends for a name may have no hash.
"""


READING_ACTIONS = ("get_attribute", "get_text", "get_value", "list_interactive")
"""Those of `interact`, as `actions.py` groups them."""


def may_be_repeated(name: object, arguments: object) -> bool:
    """Whether the shim repeats a call to a new front; an analysis, unless it does steps in the page."""
    given = arguments if isinstance(arguments, dict) else {}
    if name == "analyze":
        return "steps" not in given
    if name == "interact":
        return "what" not in given and given.get("action") in READING_ACTIONS
    return name in READING
