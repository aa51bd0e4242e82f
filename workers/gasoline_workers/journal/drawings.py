"""The sessions of Draw Mode: what a person has drawn on a page, from the extension's two events about each."""

import sqlite3

from gasoline_workers.journal import figures, queries
from gasoline_workers.journal.events import whole
from gasoline_workers.journal.messages import DrawingRead, Item, ReadDrawing
from gasoline_workers.journal.queries import Record

RING = "drawing"
FIELDS = (
    "id",
    "rect",
    "text",
    "kind",
    "timestamp",
    "page_url",
    "element_summary",
    "selector",
    "correlation_id",
)  # fmt: skip - seed 004, Annotation


def read(rows: sqlite3.Connection, asked: ReadDrawing, now: float) -> DrawingRead:
    """Return the session that is asked for, an empty one if there is none."""
    newest = f"SELECT {queries.COLUMNS} FROM events WHERE ring = ? ORDER BY seq DESC"  # noqa: S608 - our own words
    records = [Record._make(row) for row in rows.execute(newest, (RING,))]
    own = [one for one in records if one.event.get("client_id") in {None, asked.client}]
    if asked.annotation:
        own = [one for one in own if asked.annotation in _names(one)]
    begun = [one.event.get("id") for one in own if asked.annotation or one.event.get("phase") == "begun"]
    last = next((one for one in own if begun and one.event.get("id") == begun[0]), None)
    return DrawingRead() if last is None else _session(last, now)


def _names(record: Record) -> set[object]:
    return {one.get("correlation_id") for one in record.event.get("annotations") or [] if isinstance(one, dict)}


def _session(last: Record, now: float) -> DrawingRead:
    event = last.event
    ended = event.get("phase") == "ended"
    return DrawingRead(
        id=str(event.get("id", "")),
        open=not ended,
        tab=whole(event.get("tab")) or 0,
        page_url=str(event.get("page_url", "")),
        annotations=[_annotation(one) for one in event.get("annotations") or [] if isinstance(one, dict)],
        duration_ms=whole(event.get("duration_ms")) or 0,
        age_s=max(0.0, now - last.at) if ended else 0.0,
        warning=str(event.get("warning", "")),
    )


def _annotation(given: Item) -> Item:
    return queries.some(given, *FIELDS) | figures.figure(given)
