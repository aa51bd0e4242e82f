"""The requests that no page has reported the end of: those that are open, and those that only the browser saw fail.

Rules of this file:
- A page reports a request that lasts (`request`), and its end (`network`) with the same time and address. An effect
  lists what the browser saw of an action: what failed there or is open, and is no page's, becomes a row too.
- Such a row goes as soon as the request's own event is there; what the browser knows of its failure is kept with that.
- A document that begins ends the open requests of the one before.
- Noted when events are stored, so that a list needs one query.
"""

import sqlite3
from collections.abc import Sequence

import msgspec

from gasoline_workers.journal import events
from gasoline_workers.journal.events import Place, Row
from gasoline_workers.journal.messages import Item

CLOCKS_S = 2.0  # an effect's times are by the browser's clock, and a busy page begins its own record late
ABORTED = "net::ERR_ABORTED"  # the page's own wish
LEFT = "The page was left before it ended."
WHOLE_CHARS = 500  # an effect's addresses are cut there (background/interact/effects.ts): such a one names no request
DOCUMENTS = ("navigate", "reload", "back_forward")
OPEN = "ring = 'request' AND status IS NULL AND text IS NULL"
OWN = "ring = 'request' AND connection IS NULL AND key = ? AND at = ?"
SEEN = "ring = 'request' AND connection IS NOT NULL AND key = ? AND at BETWEEN ? AND ?"
REPORTED = "ring IN ('network', 'resource') AND key = ? AND at BETWEEN ? AND ?"
NOTE_FAILURE = "UPDATE events SET text = ?, status = coalesce(status, ?) WHERE seq = ?"


def settle(rows: sqlite3.Connection, new: Sequence[Row], begin: int) -> None:
    """Take away what has its end among the new events, whose positions follow `begin`."""
    for seq, row in enumerate(new, begin + 1):
        if row.ring in {"network", "resource"}:
            _reported(rows, seq, row)
        elif row.kind == "request":
            rows.execute(f"DELETE FROM events WHERE {SEEN}", _near(row))  # noqa: S608 - our own words
        elif row.kind == "navigation" and row.frame == 0 and _navigation(row) in DOCUMENTS:
            left = f"UPDATE events SET text = ?, status = 0 WHERE {OPEN} AND tab = ? AND at < ? AND load != ?"  # noqa: S608 - the same
            rows.execute(left, (LEFT, row.tab, row.at, row.load))


def seen(rows: sqlite3.Connection, new: Sequence[Row]) -> list[Row]:
    """Give the rows of what the new effects list and no page has reported."""
    found: list[Row] = []
    for row in new:
        if row.ring == "effect":
            rows.execute("DELETE FROM events WHERE ring = 'request' AND connection = ?", (row.name,))
            found = [one for one in found if one.connection != row.name] + _of_effect(rows, row)
    return found


def _reported(rows: sqlite3.Connection, seq: int, row: Row) -> None:
    """Take away the row of a request that has its own event now."""
    if row.ring == "network":
        own = f"SELECT seq FROM events WHERE {OWN} LIMIT 1"  # noqa: S608 - our own words
        rows.execute(f"DELETE FROM events WHERE seq = ({own})", (row.key, row.at))  # noqa: S608 - the same
    nearest = f"SELECT seq, text, status FROM events WHERE {SEEN} ORDER BY abs(at - ?) LIMIT 1"  # noqa: S608 - the same
    known = rows.execute(nearest, (*_near(row), row.at)).fetchone()
    if known is None:
        return
    gone, error, status = known
    rows.execute("DELETE FROM events WHERE seq = ?", (gone,))
    _note_failure(rows, seq, row.status, error, status)


def _of_effect(rows: sqlite3.Connection, effect: Row) -> list[Row]:
    event: Item = msgspec.json.decode(effect.data)
    listed, tab = event.get("requests"), events.whole(event.get("tab")) or 0
    requests = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    found = (_row(one, effect, tab) for one in requests if _is_wanted(one))
    return [row for row in found if row is not None and not _is_reported(rows, row)]


def _is_wanted(one: Item) -> bool:
    """Return whether a request failed, or is open; a document that is open is on its way, which the reply states."""
    url = one.get("url")
    if not isinstance(url, str) or len(url) >= WHOLE_CHARS or one.get("error") == ABORTED:
        return False
    failed = bool(one.get("error")) or (events.whole(one.get("status")) or 0) >= 400  # noqa: PLR2004 - HTTP
    return failed or ("duration_ms" not in one and one.get("kind") != "main_frame")


def _row(one: Item, effect: Row, tab: int) -> Row | None:
    began = effect.at + (events.whole(one.get("after_ms")) or 0) / 1_000
    event = {"ts": began * 1_000, "type": "request", "api": one.get("kind")}
    event |= {name: one[name] for name in ("method", "url", "status") if name in one}
    if "duration_ms" in one:
        event["duration"] = one["duration_ms"]
    row = events.row(event, Place(tab, 0, "", ""), effect.stored)
    return row and row._replace(connection=effect.name, text=str(one["error"]) if one.get("error") else None)


def _is_reported(rows: sqlite3.Connection, row: Row) -> bool:
    """Return whether the page has reported a request; what the browser knows of its failure is noted there."""
    nearest = f"SELECT seq, status FROM events WHERE {REPORTED} ORDER BY ring, abs(at - ?) LIMIT 1"  # noqa: S608 - our own words
    if known := rows.execute(nearest, (*_near(row), row.at)).fetchone():
        seq, status = known
        _note_failure(rows, seq, status, row.text, row.status)
        return True
    own = "SELECT 1 FROM events WHERE ring = 'request' AND connection IS NULL AND key = ? AND at BETWEEN ? AND ?"
    return rows.execute(own, _near(row)).fetchone() is not None


def _note_failure(rows: sqlite3.Connection, seq: int, known: int | None, error: str | None, status: int | None) -> None:
    if not known:
        rows.execute(NOTE_FAILURE, (error, status if error is None else 0, seq))


def _near(row: Row) -> tuple[bytes | None, float, float]:
    return row.key, row.at - CLOCKS_S, row.at + CLOCKS_S


def _navigation(row: Row) -> object:
    return msgspec.json.decode(row.data).get("navigation")
