"""Requests with their bodies, as seed 002 writes them."""

import sqlite3

import msgspec

from gasoline_workers.journal import queries
from gasoline_workers.journal.messages import Item, ReadBodies
from gasoline_workers.journal.paths import finder
from gasoline_workers.journal.queries import Found, Record, Where
from gasoline_workers.journal.scopes import Scope
from gasoline_workers.journal.unanswered import OPEN

RINGS = ("network_body",)
FIELDS = ("method", "url", "status", "requestBody", "responseBody", "contentType", "duration")
"""Seed 002, Feature 2, Log Entry Format: each is there, `null` where there is nothing."""


def read(rows: sqlite3.Connection, scope: Scope, ask: ReadBodies) -> Found:
    """Return the requests, newest first.

    Raises:
        Failed: `invalid_params`: `body_path` is no path.

    """
    find = finder(ask.body_path) if ask.body_path else None
    found, total = queries.page(rows, _where(RINGS, scope, ask), scope)
    items = [_item(record, scope) for record in found]
    if find is not None:
        items = [item | find(item.pop("responseBody"), bool(item.get("truncated"))) for item in items]
    return Found(items, total, {} if items else {"hint": _missing(rows, scope, ask)})


def _where(rings: tuple[str, ...], scope: Scope, ask: ReadBodies) -> Where:
    where = Where(rings, scope).url(scope.url)
    if ask.method:
        where.add("upper(method) = ?", ask.method.upper())
    if ask.status_min:
        where.add("status >= ?", ask.status_min)
    if ask.status_max:
        where.add("status <= ?", ask.status_max)
    return where


def _missing(rows: sqlite3.Connection, scope: Scope, ask: ReadBodies) -> str:
    """Count the requests that were made, and have no captured body."""
    ((bare,),) = queries.select(rows, "count(*)", _where(("network",), scope, ask))
    still = _where(("request",), scope, msgspec.structs.replace(ask, status_min=0, status_max=0)).add(OPEN)
    ((unanswered,),) = queries.select(rows, "count(*)", still)
    counts = [f"{bare} ended without a captured body"] if bare else []
    counts += [f"{unanswered} still open"] if unanswered else []
    return f"Such requests: {', '.join(counts)}; network_waterfall lists them." if counts else ""


def _item(record: Record, scope: Scope) -> Item:
    event = record.event
    item = {"ts": queries.iso(record.at), "type": "network_body"} | {name: event.get(name) for name in FIELDS}
    item |= queries.some(event, "truncated", "requestHeaders", "responseHeaders")
    return item | {"seq": record.seq} | ({} if scope.tab else {"tab": record.tab})
