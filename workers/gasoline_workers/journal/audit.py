"""The audit trail: every call that acted on a page, or was refused."""

import sqlite3

from gasoline_workers.journal import queries
from gasoline_workers.journal.events import whole
from gasoline_workers.journal.messages import Audited, AuditRead
from gasoline_workers.journal.queries import Record

RING = "audit"


def read(rows: sqlite3.Connection, limit: int) -> AuditRead:
    """Return the last calls, of all views, the last begun first: the bridge's own arrive before the extension's."""
    ((total,),) = rows.execute("SELECT count(*) FROM events WHERE ring = ?", (RING,))
    newest = f"SELECT {queries.COLUMNS} FROM events WHERE ring = ? ORDER BY at DESC, seq DESC"  # noqa: S608 - our own words
    return AuditRead([_call(Record._make(row)) for row in rows.execute(f"{newest} LIMIT ?", (RING, limit))], total)


def _call(record: Record) -> Audited:
    event = record.event
    took = event.get("took_ms")
    return Audited(
        ts=queries.iso(record.at),
        client=str(event.get("client", "")),
        client_id=str(event.get("client_id", "")),
        action=record.name or "",
        tab=whole(event.get("tab")) or 0,
        origin=str(event.get("origin", "")),
        outcome=str(event.get("outcome", "")),
        took_ms=took if isinstance(took, int | float) else 0,
    )
