"""The names of the tools that only read; it imports nothing, because the shim, for which a client waits, needs it."""

READING = (
    "observe",
    "analyze",
    "query_dom",
    "get_page_info",
    "get_websocket_events",
    "get_network_bodies",
    "run_accessibility_audit",
)
"""Calling these twice costs nothing: clients learn it from the list of tools, and the shim repeats them to a new front.

No set: what a client sends for a name may have no hash.
"""
