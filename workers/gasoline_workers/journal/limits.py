"""How much the journal keeps: a ring for each sort of event, and the sources of their sizes; nothing but the table."""

CONNECTIONS = 20  # seed 002, Feature 1, Limits: "Max tracked connections: 20 concurrent. Oldest connection evicted"
KEPT_S = 24 * 3600.0  # DESIGN, The journal: "keeps the last 24 hours on disk"
TIDY_EVERY_S = 60.0  # what is too old is looked for at most this often, s

RINGS = {
    "websocket": 200,  # seed 002, Feature 1, Limits: "200 WebSocket events in memory ring buffer"
    "network_body": 100,  # seed 002, Feature 2, Limits: "100 entries in memory ring buffer"
    "console": 1_000,  # SPEC, Limits: "Logs: 1,000 events"
    "error": 500,  # ours: each has a stack, and those of one cause are one item
    "network": 1_000,  # ours: as many as logs
    "resource": 1_000,  # ours: as many as requests, to which they belong
    "vital": 500,  # ours: a load has 5 vitals, and each value changes a few times
    "mark": 500,  # ours: marks and measures (seed 001, User Timing)
    "timing": 500,  # ours: long tasks, layout shifts, slow events
    "performance": 100,  # ours: page loads
    "action": 1_000,  # ours: as many as logs; with navigations, since they are read as one list
    "dropped": 1_000,  # ours: one row a second and tab at most while a page floods
    "effect": 600,  # ours: two of each action, so the last 300
    "audit": 10_000,  # ours: days of a busy assistant, who cannot push out what it did by being refused for a while
}
"""How many events each ring keeps within the current view; the oldest go first."""

LASTING = "audit"
"""The ring that neither a clear nor a day's age empties: who was watched must not be able to wipe it."""

VIEWS = 3  # so many rings' worth of each kind are kept of all views together: the current view and two full ones

CACHE_KB = 32_000  # of the file in memory: all that lists are made of while pages write what pages usually write

CHUNKS = 100_000
"""How many ids of chunks are remembered: minutes of the highest rate, and the extension keeps no more than 4 MB."""


def ring_of(kind: str, entry: object) -> str | None:
    """Name the ring of an event, None for what is no event; `entry`: of a timing event."""
    if kind == "navigation":
        return "action"
    if kind == "timing" and entry in ("mark", "measure"):  # no set: it may be a list, which has no hash
        return "mark"
    return kind if kind in RINGS and kind != "mark" else None
