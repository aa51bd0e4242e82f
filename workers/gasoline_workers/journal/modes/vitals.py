"""The Web Vitals of each page load: the last value of each counts."""

import sqlite3

from gasoline_workers.journal import queries
from gasoline_workers.journal.messages import Item, ReadVitals
from gasoline_workers.journal.queries import Found, Record, Where
from gasoline_workers.journal.scopes import Scope

RINGS = ("vital",)
NAMES = ("LCP", "CLS", "INP", "FCP", "TTFB")


def read(rows: sqlite3.Connection, scope: Scope, _ask: ReadVitals) -> Found:
    """Return the loads, newest first."""
    groups, total = queries.groups(rows, _where(scope).url(scope.url), scope)
    last = queries.by_seq(rows, (group.seq for group in groups))
    keys = [record.key for record in last.values()]
    values: dict[bytes | None, dict[str, Record]] = {key: {} for key in keys}
    newest = queries.select(rows, "max(seq)", _where(scope).among("key", keys), "GROUP BY key, name")
    for record in queries.by_seq(rows, (seq for (seq,) in newest)).values():
        values[record.key][record.name or ""] = record
    return Found([_item(last[group.seq], values[last[group.seq].key], scope) for group in groups], total, {})


def _where(scope: Scope) -> Where:
    return Where(RINGS, scope).add("frame = 0")


def _item(record: Record, values: dict[str, Record], scope: Scope) -> Item:
    item = queries.head(record, scope) | {"url": record.page}
    latest = {name: values[name].event for name in NAMES if name in values}
    return item | {name: _value(event) for name, event in latest.items()}


def _value(event: Item) -> Item:
    return {"value": event.get("value")} | queries.some(event, "rating", "element", "interaction")
