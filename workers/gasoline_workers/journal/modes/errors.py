"""The errors as a list: those of one cause are one, with what happened around the last."""

import sqlite3

from gasoline_workers.journal import queries
from gasoline_workers.journal.messages import Item, ReadErrors
from gasoline_workers.journal.queries import Found, Group, Record, Where
from gasoline_workers.journal.scopes import Scope
from gasoline_workers.journal.surroundings import around

RINGS = ("error",)


def read(rows: sqlite3.Connection, scope: Scope, ask: ReadErrors) -> Found:
    """Return the errors."""
    where = Where(RINGS, scope).url(scope.url)
    if ask.text:
        where.add("holds(text, ?)", ask.text)
    groups, total = queries.groups(rows, where, scope)
    last = queries.by_seq(rows, (group.seq for group in groups))
    near = around(rows, list(last.values()), scope.upto)
    return Found([_item(last[group.seq], group, scope, near[group.seq]) for group in groups], total, {})


def _item(record: Record, group: Group, scope: Scope, near: list[Item]) -> Item:
    event = record.event
    item = queries.head(record, scope) | queries.some(event, "kind", "name") | {"message": record.text or ""}
    if group.size > 1:
        item |= {"count": group.size, "first_ts": queries.iso(group.at)}
    item |= queries.some(event, "source", "stack", "target", "tag", "directive", "report_only") | {"page": record.page}
    return item | {"around": near} if near else item
