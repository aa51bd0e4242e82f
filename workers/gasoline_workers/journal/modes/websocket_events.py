"""The events of WebSockets, as seed 002 writes them."""

import sqlite3

from gasoline_workers.journal import queries
from gasoline_workers.journal.messages import Item, ReadWebSockets
from gasoline_workers.journal.queries import Found, Record, Where
from gasoline_workers.journal.scopes import Scope

RINGS = ("websocket",)
FIELDS = {
    "open": ("id", "url"),
    "message": ("id", "direction", "data", "format", "decoded", "size", "truncated"),
    "close": ("id", "code", "reason"),
    "error": ("id", "url"),
}
"""Seed 002, Feature 1, Log Entry Format."""


def read(rows: sqlite3.Connection, scope: Scope, ask: ReadWebSockets) -> Found:
    """Return the events, newest first."""
    where = Where(RINGS, scope).url(scope.url)
    if ask.connection_id:
        where.add("connection = ?", ask.connection_id)
    if ask.direction:
        where.add("direction = ?", ask.direction)
    found, total = queries.page(rows, where, scope)
    return Found([_item(record, scope) for record in found], total, {})


def _item(record: Record, scope: Scope) -> Item:
    event = record.event
    what = event.get("event")
    names = FIELDS.get(what if isinstance(what, str) else "", FIELDS["message"])
    item = {"ts": queries.iso(record.at), "type": "websocket", "event": what}
    item |= {name: event[name] for name in names if event.get(name) is not None}
    if record.tab and (what == "open" or not scope.tab):  # the seed has it where a connection begins
        item["tabId"] = record.tab
    return item | {"seq": record.seq}
