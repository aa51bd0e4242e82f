"""The console as a list: identical lines are one, at the place of the last."""

import sqlite3

from gasoline_workers.journal import queries
from gasoline_workers.journal.messages import Item, ReadLogs
from gasoline_workers.journal.queries import Found, Group, Record, Where
from gasoline_workers.journal.scopes import Scope

RINGS = ("console",)


def read(rows: sqlite3.Connection, scope: Scope, ask: ReadLogs) -> Found:
    """Return the lines."""
    where = Where(RINGS, scope).url(scope.url)
    if ask.levels:
        where.among("level", ask.levels)
    if ask.text:
        where.add("holds(text, ?)", ask.text)
    groups, total = queries.groups(rows, where, scope)
    last = queries.by_seq(rows, (group.seq for group in groups))
    return Found([_item(last[group.seq], group, scope) for group in groups], total, {})


def _item(record: Record, group: Group, scope: Scope) -> Item:
    event = record.event
    item = queries.head(record, scope) | {"level": record.level, "text": record.text}
    if group.size > 1:
        item["count"] = group.size
    stack = ("stack",) if record.level == "error" or event.get("method") == "trace" else ()
    return item | queries.some(event, "source", *stack, "method", "truncated")
