"""The sessions of Draw Mode: what a person has drawn on a page, from the extension's events about each.

A session begins, is `drawn` in with each change, and has ended; later its annotations may be `answered`. The newest
event that has annotations has all of them.
"""

import sqlite3
from collections.abc import Iterator, Sequence

import msgspec

from gasoline_workers.journal import figures, queries
from gasoline_workers.journal.events import whole
from gasoline_workers.journal.messages import DrawingRead, DrawnPage, Item, ReadDrawing
from gasoline_workers.journal.queries import Record

RING = "drawing"
FORGOTTEN_S = (
    330.0  # the browser ends a session 5 minutes after the last change; one that is older ended with its browser
)
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
LOOK = ("look",)
ANSWER = ("status", "reply")


def read(rows: sqlite3.Connection, asked: ReadDrawing, now: float) -> DrawingRead:
    """Return the session that is asked for, an empty one if there is none."""
    newest = f"SELECT {queries.COLUMNS} FROM events WHERE ring = ? ORDER BY seq DESC"  # noqa: S608 - our own words
    later: dict[object, list[Item]] = {}
    for event in _own((Record._make(row) for row in rows.execute(newest, (RING,))), asked):
        known = later.setdefault(event.get("id"), [])
        known.append(event)
        if asked.name:
            continue
        if asked.annotation in _names(event) if asked.annotation else event.get("phase") == "begun":
            return _session(known, asked, now)
    if later and not asked.name and not asked.annotation:  # the ring has lost its beginning
        return _session(next(iter(later.values())), asked, now)
    named = [known for known in later.values() if asked.name and any(one.get("name") == asked.name for one in known)]
    in_order = sorted(named, key=lambda known: int(known[-1]["seq"]))
    return _joined([_session(known, asked, now) for known in in_order])


def _joined(sessions: list[DrawingRead]) -> DrawingRead:
    """Give sessions, oldest first, as one: the last one with the annotations of all."""
    if not sessions:
        return DrawingRead()
    return msgspec.structs.replace(
        sessions[-1],
        open=any(one.open for one in sessions),
        annotations=[annotation for one in sessions for annotation in one.annotations],
        duration_ms=sum(one.duration_ms for one in sessions),
        pages=[DrawnPage(one.id, one.page_url, len(one.annotations), one.warning) for one in sessions],
    )


def _own(records: Iterator[Record], asked: ReadDrawing) -> Iterator[Item]:
    """Give the events that this assistant may read, each with its time and place."""
    for record in records:
        event = record.event
        is_own = event.get("client_id") in {None, asked.client}
        if is_own and asked.tab in {0, whole(event.get("tab"))}:
            yield event | {"at": record.at, "seq": record.seq}


def _names(event: Item) -> set[object]:
    return {one.get("correlation_id") for one in event.get("annotations") or [] if isinstance(one, dict)}


def _session(events: Sequence[Item], asked: ReadDrawing, now: float) -> DrawingRead:
    """Give a session by its events, newest first."""
    changes = [one for one in events if one.get("phase") != "answered"]
    last = changes[0]
    age_s = max(0.0, now - last["at"])
    ended = last.get("phase") == "ended"
    forgotten = not ended and age_s > FORGOTTEN_S
    answered = [one for one in reversed(events) if one.get("phase") == "answered"]
    answers = {one.get("correlation_id"): queries.some(one, *ANSWER) for one in answered}
    given = [one for one in last.get("annotations") or [] if isinstance(one, dict)]
    return DrawingRead(
        id=str(last.get("id", "")),
        open=not ended and not forgotten,
        tab=whole(last.get("tab")) or 0,
        page_url=str(last.get("page_url", "")),
        annotations=[
            queries.some(one, *FIELDS, *LOOK[: asked.looks])
            | figures.figure(one)
            | answers.get(one.get("correlation_id"), {})
            for one in given
        ],
        duration_ms=whole(last.get("duration_ms")) or 0,
        age_s=age_s if ended or forgotten else 0.0,
        warning="draw_mode_timeout" if forgotten else str(last.get("warning", "")),
    )
