"""The limits of the journal with their sources: the table of its rings and their kinds, ages, and sizes."""

from collections.abc import Iterable
from typing import NamedTuple

CONNECTIONS = 20  # seed 002, Feature 1, Limits: "Max tracked connections: 20 concurrent. Oldest connection evicted"
KEPT_S = 24 * 3600.0  # DESIGN, The journal: "keeps the last 24 hours on disk"
BUSY_S = 0.25  # how long a lock on the file is waited for: no process but one journal writes there
LOOK_EVERY_S = 2.0  # how often it is looked whether the file is there still, beside before each ask
UNSTORED_S = 3.0  # how long after a failed write a read fails with it: the bridge tries again each second
TIDY_EVERY_S = 60.0  # what is too old is looked for at most this often, s


class Ring(NamedTuple):
    """How many events a ring keeps within the current view (the oldest go first), and which kinds it holds."""

    size: int
    kinds: tuple[str, ...]


RINGS = {
    "websocket": Ring(200, ("websocket",)),  # seed 002, Feature 1, Limits: "200 WebSocket events in memory ring buffer"
    "network_body": Ring(100, ("network_body",)),  # seed 002, Feature 2, Limits: "100 entries in memory ring buffer"
    "console": Ring(1_000, ("console",)),  # SPEC, Limits: "Logs: 1,000 events"
    "error": Ring(500, ("error",)),  # ours: each has a stack, and those of one cause are one item
    "network": Ring(1_000, ("network",)),  # ours: as many as logs
    "resource": Ring(1_000, ("resource",)),  # ours: as many as requests, to which they belong
    "request": Ring(200, ("request",)),  # ours: those without an answer; a page has a few at a time
    "vital": Ring(500, ("vital",)),  # ours: a load has 5 vitals, and each value changes a few times
    "timing": Ring(500, ("timing",)),  # ours: long tasks, layout shifts, slow events; not the marks among them
    "mark": Ring(500, ()),  # ours: the timing events that are marks and measures (seed 001, User Timing)
    "performance": Ring(100, ("performance",)),  # ours: page loads
    "action": Ring(1_000, ("action", "navigation")),  # ours: as many as logs; they are read as one list
    "step": Ring(1_000, ("step",)),  # ours: as many as actions; a test has 300 at most
    "result": Ring(2_000, ("result",)),  # ours: a step has one or two
    "dialog": Ring(200, ("dialog",)),  # ours: few steps have one
    "opened": Ring(200, ("opened",)),  # ours: as many
    "dropped": Ring(1_000, ("dropped",)),  # ours: one row a second and tab at most while a page floods
    "drawing": Ring(
        500, ("drawing",)
    ),  # ours: one of each change in a session of Draw Mode, so the last 20 to 50 sessions
    "effect": Ring(600, ("effect",)),  # ours: two of each action, so the last 300
    "audit": Ring(10_000, ("audit",)),  # ours: days of a busy assistant, which cannot push out its trail by refusals
}
"""Every kind of event that is stored as a row, and how many of each are kept."""

KINDS = {kind: name for name, ring in RINGS.items() for kind in ring.kinds}
STATE = "state"  # the one kind that is no row: what the human has set
OWN = ("audit", "drawing", "effect", "opened")  # kinds of the extension itself, of no tab: from a page they are forged

LASTING = "audit"
"""The ring that neither a clear nor a day's age empties: who was watched must not be able to wipe it."""

VIEWS = 3  # so many rings' worth of each kind are kept of all views together: the current view and two full ones

CACHE_KB = 32_000  # of the file in memory: all that lists are made of while pages write what pages usually write

CHUNKS = 100_000
"""How many ids of chunks are remembered: minutes of the highest rate, and the extension keeps no more than 4 MB."""


def ring_of(kind: str, entry: object) -> str | None:
    """Return the ring of an event, None for an unknown kind; `entry`: of a timing event."""
    if kind == "timing" and entry in ("mark", "measure"):  # no set: it may be a list, which has no hash
        return "mark"
    return KINDS.get(kind)


def kinds_of(rings: Iterable[str]) -> list[str]:
    """List the kinds of the events that these rings hold."""
    names = [*rings]
    kinds = [kind for name in names for kind in RINGS[name].kinds]
    return [*kinds, "timing"] if "mark" in names else kinds
