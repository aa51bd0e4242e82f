"""The page loads in numbers, and the marks and measures of the newest one."""

import sqlite3

from gasoline_workers.journal import queries
from gasoline_workers.journal.messages import Item, ReadPerformance
from gasoline_workers.journal.queries import Found, Record, Where
from gasoline_workers.journal.scopes import Scope

RINGS = ("performance", "mark")
LOADING = "A page began, and its load is not over: requests that are open are in network_waterfall."
LOADS = ("navigate", "reload")  # a page that comes back out of the cache is not loaded again
TIMINGS = 200  # marks, and measures: a quarter of what a reply of 40 KB can carry
FIELDS = (
    "navigation",
    "timing",
    "cls",
    "transferSize",
    "requestCount",
    "longTaskCount",
    "totalBlockingTime",
    "hidden",
)
"""Seed 001, PageLoadMetrics."""


def read(rows: sqlite3.Connection, scope: Scope, _ask: ReadPerformance) -> Found:
    """Return the last snapshot of each load, newest first; on the first page the newest's user timing (seed 001)."""
    groups, total = queries.groups(rows, Where(RINGS[:1], scope).url(scope.url), scope)
    last = queries.by_seq(rows, (group.seq for group in groups))
    items = [_item(last[group.seq], scope) for group in groups]
    more = {"user_timing": _user_timing(rows, scope)} if scope.before > scope.upto else {}
    return Found(items, total, more if items or scope.url or not _is_loading(rows, scope) else more | {"hint": LOADING})


def _is_loading(rows: sqlite3.Connection, scope: Scope) -> bool:
    """Return whether a page began; where its load is over, there is a snapshot."""
    navigations = queries.records(rows, Where(("action",), scope).add("kind = 'navigation' AND frame = 0"))
    return any(one.event.get("navigation") in LOADS for one in navigations)


def _item(record: Record, scope: Scope) -> Item:
    event = record.event
    fields = {name: event[name] for name in FIELDS if name in event}
    return queries.head(record, scope) | {"url": record.url} | fields


def _user_timing(rows: sqlite3.Connection, scope: Scope) -> Item:
    newest = queries.records(rows, Where(RINGS, scope).add("frame = 0").url(scope.url), "ORDER BY seq DESC LIMIT 1")
    entries = [record.event for load in newest for record in _marks(rows, scope, load)]
    marks = [{"name": event.get("name"), "time": event.get("start")} for event in entries if event["entry"] == "mark"]
    measures = [
        {"name": event.get("name"), "duration": event.get("duration"), "start": event.get("start")}
        for event in entries
        if event["entry"] == "measure"
    ]
    return {"marks": marks[-TIMINGS:], "measures": measures[-TIMINGS:]}


def _marks(rows: sqlite3.Connection, scope: Scope, load: Record) -> list[Record]:
    where = Where(RINGS[1:], scope).add("tab = ? AND load = ?", load.tab, load.load)
    return queries.records(rows, where, "ORDER BY at, seq")
