"""The journal's tables, and the few statements that write them.

Rules of this file:
- `seq` is the total order. A position never comes again, also after a clear (AUTOINCREMENT).
- A view is what came after its first position: that of the last `gasoline up` is the current one.
"""

import sqlite3
from collections.abc import Iterable, Sequence

from gasoline_workers.journal import connections
from gasoline_workers.journal.events import Row
from gasoline_workers.journal.limits import LASTING, RINGS, VIEWS

VERSION = 1
COLUMNS = ("seq", *Row._fields)
SCHEMA = """
    CREATE TABLE IF NOT EXISTS events (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, ring TEXT NOT NULL, kind TEXT NOT NULL, tab INTEGER NOT NULL,
        frame INTEGER NOT NULL, load TEXT NOT NULL, page TEXT NOT NULL, at REAL NOT NULL, stored REAL NOT NULL,
        url TEXT NOT NULL, level TEXT, method TEXT, status INTEGER, connection TEXT, direction TEXT, name TEXT,
        key BLOB, text TEXT, data BLOB NOT NULL, partner INTEGER
    ) STRICT;
    CREATE INDEX IF NOT EXISTS events_in_order ON events (ring, seq, tab, partner);
    CREATE INDEX IF NOT EXISTS events_in_time ON events (ring, tab, at, status);
    CREATE INDEX IF NOT EXISTS events_of_requests ON events (key, at) WHERE ring IN ('network', 'resource');
    CREATE TABLE IF NOT EXISTS evicted (ring TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS silenced (connection TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS jobs (
        id TEXT PRIMARY KEY, kept REAL NOT NULL, request BLOB NOT NULL, outcome BLOB
    ) STRICT;
    CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT
"""
INSERT = f"INSERT INTO events ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608 - our names

NOTE_EVICTED = "INSERT INTO evicted (ring, seq) VALUES (?, ?) ON CONFLICT DO UPDATE SET seq = max(seq, excluded.seq)"
NOTE_FORGOTTEN = (
    "INSERT INTO evicted (ring, seq) SELECT ring, max(seq) FROM events WHERE seq < ? AND ring != ? GROUP BY ring "
    "ON CONFLICT DO UPDATE SET seq = max(seq, excluded.seq)"
)


def end(rows: sqlite3.Connection) -> int:
    """Return the last position that was ever given."""
    found = rows.execute("SELECT seq FROM sqlite_sequence WHERE name = 'events'").fetchone()
    return int(found[0]) if found else 0


def fact(rows: sqlite3.Connection, name: str, otherwise: str = "") -> str:
    """Read what is remembered by this name."""
    found = rows.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return str(found[0]) if found else otherwise


def set_fact(rows: sqlite3.Connection, name: str, value: str) -> None:
    """Remember it by this name."""
    rows.execute("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)", (name, value))


def append(rows: sqlite3.Connection, new: Sequence[Row]) -> int:
    """Write events behind the last one, and give the position of the last."""
    last = end(rows)
    rows.executemany(INSERT, [(seq, *row) for seq, row in enumerate(new, last + 1)])
    return last + len(new)


def trim(rows: sqlite3.Connection, rings: Iterable[str], begin: int) -> None:
    """Evict what is too much in these rings: of what came after `begin`, and of all views."""
    for ring in rings:
        lost = _trim_ring(rows, ring, begin, RINGS[ring].size)
        lost = max(lost, _trim_ring(rows, ring, 0, RINGS[ring].size * VIEWS))
        lost = max(lost, connections.trim(rows, begin) if ring == "websocket" else 0)
        if lost:
            rows.execute(NOTE_EVICTED, (ring, lost))


def forget(rows: sqlite3.Connection, before: int) -> int:
    """Delete what came before a position, and note what was lost as a full ring does; give how many.

    The audit trail stays.
    """
    rows.execute(NOTE_FORGOTTEN, (before, LASTING))
    return rows.execute("DELETE FROM events WHERE seq < ? AND ring != ?", (before, LASTING)).rowcount


def skip(rows: sqlite3.Connection, to: int) -> None:
    """Go on with the positions after `to`, as if all up to there were lost."""
    rows.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('events', ?)", (to,))
    rows.executemany(NOTE_EVICTED, [(ring, to) for ring in RINGS])


def _trim_ring(rows: sqlite3.Connection, ring: str, begin: int, size: int) -> int:
    newest = "SELECT seq FROM events WHERE ring = ? AND seq > ? ORDER BY seq DESC LIMIT 1 OFFSET ?"
    found = rows.execute(newest, (ring, begin, size)).fetchone()
    if found is None:
        return 0
    rows.execute("DELETE FROM events WHERE ring = ? AND seq > ? AND seq <= ?", (ring, begin, found[0]))
    return int(found[0])
