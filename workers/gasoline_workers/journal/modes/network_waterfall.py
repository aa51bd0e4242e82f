"""Every request as a list: what a script asked for and what the browser loaded are one item.

Rules of this file:
- An item stands where the later of its two events stands, also when a ring has lost that one; while only the first was
  there as the window ended, it stands where that one does. So no item moves while a reader pages down.
- A read since its first half returns it once more, whole, at the place of the second.
"""

import sqlite3

from gasoline_workers.journal import queries
from gasoline_workers.journal.messages import Item, ReadWaterfall
from gasoline_workers.journal.queries import Found, Record, Where
from gasoline_workers.journal.scopes import Scope

RINGS = ("network", "resource")
SCRIPTED = {"fetch", "xmlhttprequest", "beacon"}  # initiators whose method may be another than GET
OTHER = "FROM events AS other WHERE other.seq = events.partner"
AT_ITS_OWN = "(partner IS NULL OR partner < seq OR partner > ?)"
AT_THE_LOST_ONES = f"partner > events.seq AND partner <= ? AND NOT EXISTS (SELECT 1 {OTHER})"
METHOD = f"upper(coalesce(method, (SELECT method {OTHER} AND other.seq <= ?), 'GET'))"
STATUS = f"coalesce((SELECT status {OTHER} AND other.seq <= ? AND other.ring = 'network'), status)"


def read(rows: sqlite3.Connection, scope: Scope, ask: ReadWaterfall) -> Found:
    """Return the requests, newest first."""
    own, count = queries.page(rows, _where(Where(RINGS, scope).add(AT_ITS_OWN, scope.upto), scope, ask), scope)
    lone = Where(RINGS, scope, "partner").add(AT_THE_LOST_ONES, scope.upto)
    others, more = queries.page(rows, _where(lone, scope, ask), scope)
    page = sorted(own + others, key=lambda one: _place(one, scope), reverse=True)[: scope.limit]
    partners = queries.by_seq(rows, (seq for one in page if (seq := one.partner) and seq <= scope.upto))
    items = [_item(one, partners.get(one.partner or 0), scope, headers=ask.headers) for one in page]
    return Found(items, count + more, {})


def _where(where: Where, scope: Scope, ask: ReadWaterfall) -> Where:
    where.url(scope.url)
    if ask.method:
        where.add(f"{METHOD} = ?", scope.upto, ask.method.upper())
    if ask.status_min:
        where.add(f"{STATUS} >= ?", scope.upto, ask.status_min)
    if ask.status_max:
        where.add(f"{STATUS} <= ?", scope.upto, ask.status_max)
    return where


def _item(record: Record, partner: Record | None, scope: Scope, *, headers: bool) -> Item:
    events = {one.kind: one.event for one in (record, partner) if one is not None}
    asked, loaded = events.get("network", {}), events.get("resource", {})
    both = partner.at if partner else record.at
    record = record._replace(seq=_place(record, scope), at=min(record.at, both))
    item = queries.head(record, scope) | _request(asked, loaded, halved=record.partner is not None)
    item |= {"status": asked.get("status", loaded.get("status")), "type": asked.get("api", loaded.get("initiator"))}
    item |= {"start": _short(loaded.get("start")), "duration": _short(loaded.get("duration", asked.get("duration")))}
    item |= {"ttfb": _short(loaded.get("ttfb")), "kb": _kb(loaded.get("transferSize"))}
    item = {name: value for name, value in item.items() if value is not None}
    item |= queries.some(loaded, "cached", "protocol") | queries.some(asked, "error")
    if loaded.get("renderBlocking"):
        item["render_blocking"] = True
    names = {"request_headers": "requestHeaders", "response_headers": "responseHeaders"} if headers else {}
    return item | {ours: asked[theirs] for ours, theirs in names.items() if theirs in asked}


def _place(record: Record, scope: Scope) -> int:
    return max(record.seq, record.partner) if record.partner and record.partner <= scope.upto else record.seq


def _request(asked: Item, loaded: Item, *, halved: bool) -> Item:
    if asked:
        return {"method": asked.get("method"), "url": asked.get("url")}
    scripted = halved or loaded.get("initiator") in SCRIPTED  # halved: a script did ask, with what is lost
    return {"method": None if scripted else "GET", "url": loaded.get("url")}


def _short(value: object) -> object:
    return round(value, 1) if isinstance(value, float) else value


def _kb(size: object) -> object:
    return round(size / 1024, 1) if isinstance(size, int | float) else size
