"""The console as a list: identical lines are one, at the place of the last.

The page of the newest line is named once; a line of another page names its own.
"""

import sqlite3

from gasoline_workers.journal import queries
from gasoline_workers.journal.messages import Item, ReadLogs
from gasoline_workers.journal.queries import Found, Group, Record, Where
from gasoline_workers.journal.scopes import Scope

RINGS = ("console",)
PAGE_CHARS = 500


def read(rows: sqlite3.Connection, scope: Scope, ask: ReadLogs) -> Found:
    """Return the lines."""
    where = Where(RINGS, scope).url(scope.url)
    if ask.levels:
        where.among("level", ask.levels)
    if ask.text:
        where.add("holds(text, ?)", ask.text)
    groups, total = queries.groups(rows, where, scope)
    last = queries.by_seq(rows, (group.seq for group in groups))
    lines = [last[group.seq] for group in groups]
    page = next((line.page for line in lines if line.page), "")
    items = [_item(line, group, scope, page) for line, group in zip(lines, groups, strict=True)]
    return Found(items, total, {"page": page[:PAGE_CHARS]} if page else {})


def _item(record: Record, group: Group, scope: Scope, page: str) -> Item:
    event = record.event
    item = queries.head(record, scope) | {"level": record.level, "text": record.text}
    if record.page not in {"", page}:
        item["page"] = record.page[:PAGE_CHARS]
    if group.size > 1:
        item["count"] = group.size
    stack = ("stack",) if record.level == "error" or event.get("method") == "trace" else ()
    return item | queries.some(event, "source", *stack, "method", "truncated")
