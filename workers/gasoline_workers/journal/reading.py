"""Reads a mode from end to end: its scope, its items, and what was lost of them."""

import importlib
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from gasoline_workers.journal import events, modes, queries
from gasoline_workers.journal.limits import kinds_of
from gasoline_workers.journal.messages import MODES, EventsRead, Item, Read
from gasoline_workers.journal.queries import Found, Where
from gasoline_workers.journal.scopes import Scope, scope

DROPPED_MAX = 1_000_000  # a second and tab: far more than a page can do in one


class Reader(NamedTuple):
    """How a mode is read: its function, and the rings that it reads."""

    read: Callable[[sqlite3.Connection, Scope, Any], Found]
    rings: tuple[str, ...]


def _reader(mode: str) -> Reader:
    module = importlib.import_module(f"{modes.__name__}.{mode}")
    return Reader(module.read, module.RINGS)


READERS = {mode.query: _reader(name) for name, mode in MODES.items()}


def read(rows: sqlite3.Connection, ask: Read, state: Item | None, begin: int, end: int, now: float) -> EventsRead:
    """Read a mode. `begin`, `end`: of the current view; `now`: s since the epoch.

    Raises:
        Failed: `invalid_params`.

    """
    within = scope(ask, state, begin, end, now)
    reader = READERS[type(ask)]
    if within.note:
        hint = {"hint": within.note}
        return EventsRead([], end, within.upto, 0, more=hint, tab=within.tab, state=state, since=within.since)
    found = reader.read(rows, within, ask)
    return EventsRead(
        found.items,
        end,
        within.upto,
        found.total,
        evicted_seq=_evicted(rows, reader.rings, within),
        dropped=_dropped(rows, kinds_of(reader.rings), within),
        more=found.more,
        tab=within.tab,
        state=state,
        since=within.since,
    )


def _evicted(rows: sqlite3.Connection, rings: tuple[str, ...], within: Scope) -> int:
    where = f"ring IN ({', '.join('?' * len(rings))}) AND seq > ?"
    (last,) = rows.execute(f"SELECT max(seq) FROM evicted WHERE {where}", (*rings, within.since)).fetchone()  # noqa: S608 - our own words
    return last or 0


def _dropped(rows: sqlite3.Connection, kinds: Sequence[str], within: Scope) -> dict[str, int]:
    """Sum what the extension could not capture, by type; a number that no second of capture has is left out."""
    records = queries.records(rows, Where(("dropped",), within).among("name", kinds))
    sums: dict[str, int] = {}
    for record in records:
        count = events.whole(record.event.get("count")) or 0
        if 0 < count <= DROPPED_MAX:
            sums[record.name or ""] = sums.get(record.name or "", 0) + count
    return sums
