"""Reads a mode from end to end: its scope, its items, and what was lost of them."""

import importlib
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from gasoline_workers.journal import events, modes, queries
from gasoline_workers.journal.limits import kinds_of
from gasoline_workers.journal.messages import MODES, EventsRead, Item, Read, Window
from gasoline_workers.journal.queries import Found, Where
from gasoline_workers.journal.scopes import Scope, scope

CHOOSING = "url_filter"  # the one field of every window that chooses by content
SHAPING = {"headers", "body_path"}  # of a mode's own fields, those that choose nothing
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
    more = found.more if found.total or found.more.get("hint") else found.more | _unfiltered(rows, reader, within, ask)
    return EventsRead(
        found.items,
        end,
        within.upto,
        found.total,
        evicted_seq=_evicted(rows, reader.rings, within),
        dropped=_dropped(rows, kinds_of(reader.rings), within),
        more=more,
        tab=within.tab,
        state=state,
        since=within.since,
    )


def _unfiltered(rows: sqlite3.Connection, reader: Reader, within: Scope, ask: Read) -> Item:
    """State how many items there are without the filters, if it is they that leave nothing."""
    filters = _filters(ask)
    bare = msgspec.structs.replace(ask, **{name: getattr(type(ask)(), name) for name in filters})
    total = reader.read(rows, msgspec.structs.replace(within, url=""), bare).total if filters else 0
    names = ", ".join(f"`{name}`" for name in filters)
    if not total:
        return {}
    if total == 1:
        return {"hint": f"The only one here does not match {names}."}
    return {"hint": f"None of the {total} that are here match {names}."}


def _filters(ask: Read) -> list[str]:
    """Name the fields of a query that choose by content, and do so here."""
    own = [name for name in ask.__struct_fields__ if name not in {*Window.__struct_fields__, *SHAPING}]
    return [name for name in (*own, CHOOSING) if getattr(ask, name)]


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
            kind = str(record.name)  # one of `kinds`
            sums[kind] = sums.get(kind, 0) + count
    return sums
