"""Which two events are one request: what a script asked for, and what the browser loaded; noted when they are stored.

Rules of this file:
- Each has one partner at most, and it stays: what is evicted later takes no other's.
"""

import sqlite3
from collections.abc import Sequence

from gasoline_workers.journal.events import Row

SAME_S = 0.05  # a script's call and the start of its load are a few ms apart; two calls seldom are
OTHER = {"network": "resource", "resource": "network"}
NEAREST = """
    SELECT seq FROM events WHERE ring IN ('network', 'resource') AND key = ? AND at BETWEEN ? AND ? AND ring = ?
    AND partner IS NULL ORDER BY abs(at - ?) LIMIT 1
"""
NOTE = "UPDATE events SET partner = ? WHERE seq = ?"


def pair(rows: sqlite3.Connection, new: Sequence[Row], begin: int) -> None:
    """Note the partner of each new event (positions follow `begin`): same address and tab, begun within 50 ms."""
    taken: set[int] = set()
    for seq, row in enumerate(new, begin + 1):
        other = OTHER.get(row.ring)
        if other is None or seq in taken:
            continue
        found = rows.execute(NEAREST, (row.key, row.at - SAME_S, row.at + SAME_S, other, row.at)).fetchone()
        if found is not None:
            rows.executemany(NOTE, [(found[0], seq), (seq, found[0])])
            taken.add(found[0])
