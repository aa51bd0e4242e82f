"""Reads what was done in a tab and in those that it opened, with what came of it: what a test is made of.

Rules of this file:
- The order is that of the page's own clock, by which a step begins: what it caused may come to the journal before it.
- An assistant's calls are given too, so that a reader knows those that left no step, and those that failed.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from gasoline_workers.journal import queries, scopes
from gasoline_workers.journal.events import whole
from gasoline_workers.journal.messages import Item, ReadRecording, RecordingRead
from gasoline_workers.journal.queries import Record

DONE = ("action", "step", "dialog")
OF_TABS = (*DONE, "result", "network", "error", "console")
OF_NONE = ("opened", "audit", "effect")  # events of the extension itself, which name their tab
KINDS = ("navigation", "step", "result", "dialog", "opened", "network", "error", "console", "audit", "effect")
TABS_MAX = 10  # that one tab has opened
ROWS_MAX = 5_000  # more than a test has steps for
FIELDS = {  # of kinds of which not all is needed
    "network": ("method", "status", "duration"),
    "error": ("name", "target"),
    "console": ("level",),
    "audit": ("action", "client", "outcome", "took_ms", "tab"),
    "effect": ("action", "downloads", "phase", "id", "tab"),
}


class Placed(NamedTuple):
    """A row, and the frame that it came from: 0 for the page's own."""

    record: Record
    frame: int


def read(
    rows: sqlite3.Connection, ask: ReadRecording, state: Item | None, begin: int, end: int, now: float
) -> RecordingRead:
    """Return the events of the tab. `begin`, `end`: of the current view; `now`: s since the epoch."""
    scope = scopes.scope(ask, state, begin, end, now)
    if scope.note:
        return RecordingRead([], scope.tab, scope.since, end, hint=scope.note)
    own = [*_rows(rows, scope, OF_NONE, (0,))]
    tabs = _opened(own, scope.tab)
    found = [one for one in own if whole(one.record.event.get("tab")) in tabs]
    found += _rows(rows, scope, OF_TABS, tabs)
    ordered = sorted(found, key=lambda one: (one.record.at, one.record.seq))
    return RecordingRead([_item(one) for one in ordered], scope.tab, scope.since, end, _evicted(rows, scope))


def _rows(rows: sqlite3.Connection, scope: scopes.Scope, rings: tuple[str, ...], tabs: Sequence[int]) -> list[Placed]:
    """Return the newest rows of these tabs; of the console, errors alone."""
    where = queries.Where(rings, msgspec.structs.replace(scope, tab=0)).among("tab", tabs).among("kind", KINDS)
    where.add("(kind != 'console' OR level = 'error')")
    found = queries.select(rows, f"{queries.COLUMNS}, frame", where, "ORDER BY seq DESC LIMIT ?", ROWS_MAX)
    return [Placed(Record._make(row[:-1]), row[-1]) for row in reversed(found)]


def _opened(own: Iterable[Placed], tab: int) -> list[int]:
    """Return a tab and those that were opened from it, in order."""
    tabs = [tab]
    for record, _ in own:
        opened = whole(record.event.get("opened")) if record.kind == "opened" else None
        if opened and record.event.get("tab") in tabs and opened not in tabs and len(tabs) < TABS_MAX:
            tabs.append(opened)
    return tabs


def _evicted(rows: sqlite3.Connection, scope: scopes.Scope) -> int:
    """Return the last position of what was done that was lost within the scope."""
    ask = f"SELECT max(seq) FROM evicted WHERE ring IN ({', '.join('?' * len(DONE))}) AND seq > ?"  # noqa: S608 - our own words
    (last,) = rows.execute(ask, (*DONE, scope.since)).fetchone()
    return last or 0


def _item(placed: Placed) -> Item:
    record, frame = placed
    event = record.event
    fields = FIELDS.get(record.kind)
    own = queries.some(event, *fields) if fields else {name: value for name, value in event.items() if name != "type"}
    item = own | {"kind": record.kind, "at": record.at * 1_000, "seq": record.seq, "frame": frame, "page": record.page}
    item["tab"] = record.tab or whole(event.get("tab")) or 0
    if record.kind in {"network", "navigation"}:
        item["url"] = record.url
    if record.kind in {"error", "console"}:
        item["text"] = record.text or ""
    if record.kind == "error":
        item["error"] = str(event.get("kind", ""))
    return item
