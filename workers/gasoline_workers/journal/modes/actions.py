"""What the user did, and which pages and routes began, as one list."""

import sqlite3

from gasoline_workers.journal import queries
from gasoline_workers.journal.messages import Item, ReadActions
from gasoline_workers.journal.queries import Found, Record, Where
from gasoline_workers.journal.scopes import Scope

RINGS = ("action",)
FIELDS = {
    "action": ("action", "selector", "tag", "text", "value", "key", "x", "y"),
    "navigation": ("navigation", "url", "from"),
}


def read(rows: sqlite3.Connection, scope: Scope, _ask: ReadActions) -> Found:
    """Return actions and navigations, newest first."""
    found, total = queries.page(rows, Where(RINGS, scope).url(scope.url), scope)
    return Found([_item(record, scope) for record in found], total, {})


def _item(record: Record, scope: Scope) -> Item:
    return queries.head(record, scope) | queries.some(record.event, *FIELDS[record.kind])
