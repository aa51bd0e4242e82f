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


def may_be_repeated(name: object, arguments: object) -> bool:
    """Whether the shim repeats a call to a new front; an analysis, unless it does steps in the page."""
    if name == "analyze":
        return not isinstance(arguments, dict) or "steps" not in arguments
    return name in READING
