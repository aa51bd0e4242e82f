"""Which two events are one request: what a script asked for, and what the browser loaded; noted when they are stored.

Rules of this file:
- Each has one partner at most, and it stays: what is evicted later takes no other's.
- On a busy page a load begins long after the script's call, but never after that call has ended.
"""

import sqlite3
from collections.abc import Sequence

import msgspec

from gasoline_workers.journal.events import Row

SAME_S = 0.05  # a script's call and the start of its load are a few ms apart; two calls seldom are
LONGEST_S = 60.0  # of a call whose load began late
NEAREST_MAX = 20
SCRIPTED = {"fetch", "xmlhttprequest", "beacon"}  # the initiators of a script's loads
OTHER = {"network": "resource", "resource": "network"}
NEAREST = f"""
    SELECT seq, at, name, data FROM events WHERE ring IN ('network', 'resource') AND key = ? AND at BETWEEN ? AND ?
    AND ring = ? AND partner IS NULL ORDER BY abs(at - ?) LIMIT {NEAREST_MAX}
"""  # noqa: S608 - our own words
NOTE = "UPDATE events SET partner = ? WHERE seq = ?"


def pair(rows: sqlite3.Connection, new: Sequence[Row], begin: int) -> None:
    """Note the partner of each new event (positions follow `begin`): same address and tab, loaded during the call."""
    taken: set[int] = set()
    for seq, row in enumerate(new, begin + 1):
        if row.ring not in OTHER or seq in taken:
            continue
        partner = _partner(rows, row)
        if partner is not None:
            rows.executemany(NOTE, [(partner, seq), (seq, partner)])
            taken.add(partner)


def _partner(rows: sqlite3.Connection, row: Row) -> int | None:
    """Return the nearest event of the other kind that is of the same request."""
    is_call = row.ring == "network"
    before, after = (SAME_S, _duration_s(row.data) + SAME_S) if is_call else (LONGEST_S, SAME_S)
    span = (row.at - before, row.at + after)
    for seq, at, name, data in rows.execute(NEAREST, (row.key, *span, OTHER[row.ring], row.at)):
        begun, ended = (row.at, row.at + _duration_s(row.data)) if is_call else (at, at + _duration_s(data))
        loaded, initiator = (at, name) if is_call else (row.at, row.name)
        if abs(loaded - begun) <= SAME_S or (initiator in SCRIPTED and loaded <= ended + SAME_S):
            return int(seq)
    return None


def _duration_s(data: bytes) -> float:
    """Read the duration of a call, 0 where it has none; no more than the longest."""
    duration = msgspec.json.decode(data).get("duration")
    is_number = isinstance(duration, int | float) and not isinstance(duration, bool)
    return min(max(0.0, duration / 1_000), LONGEST_S) if is_number else 0.0
