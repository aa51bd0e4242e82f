"""Which connections of WebSockets are kept, and which address each has; noted when their events are stored.

Rules of this file:
- What goes first: the closed ones, then those that have been silent the longest, each with all its events.
- One that went and speaks again comes back only where another has been silent since before it spoke last: of 21 that
  speak in turn 20 stay, else each would drive out the next, and hardly an event be kept.
"""

import sqlite3
from collections.abc import Iterator, Sequence

from gasoline_workers.journal.events import Row
from gasoline_workers.journal.limits import CONNECTIONS

REMEMBERED = 1_000  # connections that went, the last ones
OURS = "ring = 'websocket' AND seq > ?"
IDLE = """
    SELECT coalesce(connection, ''), max(events.seq) FROM events LEFT JOIN silenced USING (connection)
    WHERE ring = 'websocket' AND events.seq > ? GROUP BY connection
    ORDER BY max(coalesce(name, '') = 'close'), coalesce(max(silenced.seq), max(events.seq)) DESC LIMIT -1 OFFSET ?
"""
ADDRESS = f"""
    SELECT url FROM events WHERE {OURS} AND tab = ? AND connection = ? AND url <> page ORDER BY seq DESC LIMIT 1
"""  # noqa: S608 - our own words


def addressed(rows: sqlite3.Connection, new: Sequence[Row], begin: int) -> Iterator[Row]:
    """Return each event with the address of its connection, which only the first of them may have."""
    known: dict[tuple[int, str | None], str] = {}
    for row in new:
        if row.ring != "websocket":
            yield row
            continue
        place = (row.tab, row.connection)
        if row.url != row.page:
            known[place] = row.url
        elif place not in known:
            found = rows.execute(ADDRESS, (begin, *place)).fetchone()
            known[place] = found[0] if found else row.url
        yield row._replace(url=known[place])


def trim(rows: sqlite3.Connection, begin: int) -> int:
    """Evict the connections that are too many in the view after `begin`; give the last position that was lost."""
    gone = rows.execute(IDLE, (begin, CONNECTIONS)).fetchall()
    for connection, last in gone:
        rows.execute(f"DELETE FROM events WHERE {OURS} AND coalesce(connection, '') = ?", (begin, connection))  # noqa: S608 - the same
        rows.execute("INSERT OR REPLACE INTO silenced (connection, seq) VALUES (?, ?)", (connection, last))
    kept = f"SELECT connection FROM events WHERE {OURS}"  # noqa: S608 - the same
    rows.execute(f"DELETE FROM silenced WHERE connection IN ({kept})", (begin,))  # noqa: S608 - the same
    if gone:
        oldest = "SELECT seq FROM silenced ORDER BY seq DESC LIMIT 1 OFFSET ?"
        rows.execute(f"DELETE FROM silenced WHERE seq <= ({oldest})", (REMEMBERED,))  # noqa: S608 - the same
    return max((last for _connection, last in gone), default=0)
