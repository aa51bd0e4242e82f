"""A read from end to end: its scope, its mode's items, what was lost of them."""

import sqlite3
from collections.abc import Callable
from typing import Any

from gasoline_workers.journal import (
    actions,
    bodies,
    errors,
    events,
    logs,
    performance,
    queries,
    sockets,
    vitals,
    waterfall,
)
from gasoline_workers.journal.messages import (
    EventsRead,
    Item,
    Read,
    ReadActions,
    ReadBodies,
    ReadErrors,
    ReadLogs,
    ReadPerformance,
    ReadVitals,
    ReadWaterfall,
    ReadWebSockets,
)
from gasoline_workers.journal.queries import Found, Where
from gasoline_workers.journal.scopes import Scope, scope

DROPPED_MAX = 1_000_000  # a second and tab: far more than a page can do in one

Mode = tuple[Callable[[sqlite3.Connection, Scope, Any], Found], tuple[str, ...], tuple[str, ...]]

MODES: dict[type[Read], Mode] = {
    ReadLogs: (logs.read, logs.RINGS, ("console",)),
    ReadErrors: (errors.read, errors.RINGS, ("error",)),
    ReadWaterfall: (waterfall.read, waterfall.RINGS, ("network", "resource")),
    ReadBodies: (bodies.read, bodies.RINGS, ("network_body",)),
    ReadWebSockets: (sockets.read, sockets.RINGS, ("websocket",)),
    ReadVitals: (vitals.read, vitals.RINGS, ("vital",)),
    ReadPerformance: (performance.read, performance.RINGS, ("performance", "timing")),
    ReadActions: (actions.read, actions.RINGS, ("action", "navigation")),
}
"""Of each mode: what reads it, its rings, and its types of events."""


def read(rows: sqlite3.Connection, ask: Read, state: Item | None, begin: int, end: int) -> EventsRead:
    """Read a mode. `begin`, `end`: of the current view.

    Raises:
        Failed: `invalid_params`.

    """
    within = scope(ask, state, begin, end)
    items, rings, kinds = MODES[type(ask)]
    if within.note:
        hint = {"hint": within.note}
        return EventsRead([], end, within.upto, 0, more=hint, tab=within.tab, state=state, since=within.since)
    found = items(rows, within, ask)
    return EventsRead(
        found.items,
        end,
        within.upto,
        found.total,
        evicted_seq=_evicted(rows, rings, within),
        dropped=_dropped(rows, kinds, within),
        more=found.more,
        tab=within.tab,
        state=state,
        since=within.since,
    )


def _evicted(rows: sqlite3.Connection, rings: tuple[str, ...], within: Scope) -> int:
    where = f"ring IN ({', '.join('?' * len(rings))}) AND seq > ?"
    (last,) = rows.execute(f"SELECT max(seq) FROM evicted WHERE {where}", (*rings, within.since)).fetchone()  # noqa: S608 - our own words
    return last or 0


def _dropped(rows: sqlite3.Connection, kinds: tuple[str, ...], within: Scope) -> dict[str, int]:
    """Sum what the extension could not capture, by type; a number that no second of capture has is left out."""
    records = queries.records(rows, Where(("dropped",), within).among("name", kinds))
    sums: dict[str, int] = {}
    for record in records:
        count = events.whole(record.event.get("count")) or 0
        if 0 < count <= DROPPED_MAX:
            sums[record.name or ""] = sums.get(record.name or "", 0) + count
    return sums
