"""What happened around events in their tab: a few lines of the console, requests and actions.

Rules of this file:
- One query finds the places of all that may be near, from an index alone; only what is chosen is read.
"""

import bisect
import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from gasoline_workers.journal.messages import Item
from gasoline_workers.journal.queries import Record, by_seq, iso, some

BEFORE_S, AFTER_S = 3.0, 1.0  # what led to an error is nearly always within 3 s; a request it broke fails within 1 s
EACH = 5  # lines, and requests or actions: an item must leave room for others within a reply of 4 KB
TEXT_CHARS = 200  # SPEC, Limits: "Summary strings: 200 characters"
FAILED = (
    "ring = 'network' AND coalesce(status = 0 OR status >= 400, 0)"  # seed 002: "400 for errors only"; 0: no answer
)
NEAR = (
    f"SELECT at, seq, CASE WHEN {FAILED} THEN 'failed' WHEN ring = 'console' THEN 'line' ELSE 'other' END "  # noqa: S608 - our own words
    "FROM events WHERE ring IN ('console', 'network', 'action') AND tab = ? AND at BETWEEN ? AND ? AND seq <= ?"
)

Point = tuple[float, int]  # when, and which position


class Near(NamedTuple):
    """What may be near in one tab, each in the order of time."""

    lines: list[Point]
    failed: list[Point]
    others: list[Point]


def around(rows: sqlite3.Connection, records: Sequence[Record], upto: int) -> dict[int, list[Item]]:
    """Return what happened around each of these, in order, by its position; failed requests are taken before others."""
    times: dict[int, list[float]] = {}
    for record in records:
        times.setdefault(record.tab, []).append(record.at)
    tabs = {tab: _near(rows, at, tab, upto) for tab, at in times.items()}
    chosen = {record.seq: _chosen(tabs[record.tab], record.at) for record in records}
    found = by_seq(rows, {seq for points in chosen.values() for _at, seq in points})
    items = {seq: _item(record) for seq, record in found.items()}
    return {seq: [items[one] for _at, one in points] for seq, points in chosen.items()}


def _near(rows: sqlite3.Connection, times: list[float], tab: int, upto: int) -> Near:
    near = Near([], [], [])
    places = {"line": near.lines, "failed": near.failed, "other": near.others}
    for at, seq, place in rows.execute(NEAR, (tab, min(times) - BEFORE_S, max(times) + AFTER_S, upto)):
        places[place].append((at, seq))
    for points in near:
        points.sort()
    return near


def _chosen(near: Near, at: float) -> list[Point]:
    failed = _nearest(near.failed, at, EACH)
    return sorted(_nearest(near.lines, at, EACH) + failed + _nearest(near.others, at, EACH - len(failed)))


def _nearest(points: list[Point], at: float, count: int) -> list[Point]:
    begin, end = bisect.bisect_left(points, (at - BEFORE_S, 0)), bisect.bisect_right(points, (at + AFTER_S, 1 << 63))
    middle = bisect.bisect_left(points, (at, 0), begin, end)
    candidates = points[max(begin, middle - count) : min(end, middle + count)]
    return sorted(candidates, key=lambda point: abs(point[0] - at))[:count]


def _item(record: Record) -> Item:
    return {"seq": record.seq, "ts": iso(record.at), "type": record.kind, "text": _text(record)[:TEXT_CHARS]}


def _text(record: Record) -> str:
    if record.kind == "console":
        return f"{record.level}: {record.text}"
    event = record.event
    match record.kind:
        case "network":
            names: tuple[str, ...] = ("method", "url", "status", "error")
        case "navigation":
            names = ("navigation", "url")
        case _:
            names = ("action", "selector", "text")
    return " ".join(str(value) for value in some(event, *names).values())
