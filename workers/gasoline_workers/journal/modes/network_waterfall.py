"""Every request as a list: what a script asked for and what the browser loaded are one item.

Rules of this file:
- An item stands where the later of its two events stands, also when a ring has lost that one; while only the first was
  there as the window ended, it stands where that one does. So no item moves while a reader pages down.
- A read since its first half returns it once more, whole, at the place of the second.
- What has no end yet is an item of its own (`unanswered`), which goes as soon as the end is there.
"""

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from gasoline_broker.errors import fail
from gasoline_workers.journal import queries
from gasoline_workers.journal.messages import Item, Kind, ReadWaterfall
from gasoline_workers.journal.queries import Found, Record, Where
from gasoline_workers.journal.scopes import Scope
from gasoline_workers.journal.unanswered import DOCUMENTS

RINGS = ("network", "resource", "request")
SCRIPTED = {"fetch", "xmlhttprequest", "beacon"}  # initiators whose method may be another than GET
NAMED = {
    "document": ("navigation", "main_frame", "iframe", "frame", "sub_frame"),
    "api": ("fetch", "xhr", "xmlhttprequest", "beacon", "ping", "eventsource"),
}
"""The kinds by what made the request: our names, Resource Timing's and webRequest's."""
ERROR_MIN = 400
OTHER = "FROM events AS other WHERE other.seq = events.partner"
AT_ITS_OWN = "(partner IS NULL OR partner < seq OR partner > ?)"
AT_THE_LOST_ONES = f"partner > events.seq AND partner <= ? AND NOT EXISTS (SELECT 1 {OTHER})"
METHOD = f"upper(coalesce(method, (SELECT method {OTHER} AND other.seq <= ?), 'GET'))"
STATUS = f"coalesce((SELECT status {OTHER} AND other.seq <= ? AND other.ring = 'network'), status)"
ERROR = f"coalesce((SELECT text {OTHER} AND other.seq <= ? AND other.ring = 'network'), text, 'abort')"
NO_ANSWER = f"({STATUS} = 0 AND {ERROR} NOT LIKE '%abort%')"
NAVIGATIONS = "FROM events WHERE ring = 'action' AND kind = 'navigation' AND frame = 0 AND tab = ?"
CURRENT = f"SELECT load {NAVIGATIONS} AND seq <= ? ORDER BY seq DESC LIMIT 1"
BEGINNINGS = f"SELECT at, data {NAVIGATIONS} AND load = ? AND seq <= ? ORDER BY seq DESC"


class Load(NamedTuple):
    """A page: its id, which its own requests have, and when it began, after which all are its own."""

    id: str
    began: float


def read(rows: sqlite3.Connection, scope: Scope, ask: ReadWaterfall) -> Found:
    """Return the requests, newest first."""
    load = _load(rows, scope) if ask.load else None
    own, count = queries.page(rows, _where(Where(RINGS, scope).add(AT_ITS_OWN, scope.upto), scope, ask, load), scope)
    lone = Where(RINGS, scope, "partner").add(AT_THE_LOST_ONES, scope.upto)
    others, more = queries.page(rows, _where(lone, scope, ask, load), scope)
    page = sorted(own + others, key=lambda one: _place(one, scope), reverse=True)[: scope.limit]
    partners = queries.by_seq(rows, (seq for one in page if (seq := one.partner) and seq <= scope.upto))
    items = [_item(one, partners.get(one.partner or 0), scope, headers=ask.headers) for one in page]
    return Found(items, count + more, {})


def _where(where: Where, scope: Scope, ask: ReadWaterfall, load: Load | None) -> Where:
    where.url(scope.url)
    if ask.method:
        where.add(f"{METHOD} = ?", scope.upto, ask.method.upper())
    if ask.status_min >= ERROR_MIN and not ask.status_max:  # what was never answered is an error too
        where.add(f"({STATUS} >= ? OR {NO_ANSWER})", scope.upto, ask.status_min, scope.upto, scope.upto)
    elif ask.status_min:
        where.add(f"{STATUS} >= ?", scope.upto, ask.status_min)
    if ask.status_max:
        where.add(f"{STATUS} <= ?", scope.upto, ask.status_max)
    if ask.kinds:
        where.add(*_of_kinds(ask.kinds))
    if load:
        where.add("(load = ? OR at >= ?)", *load)
    return where


def _load(rows: sqlite3.Connection, scope: Scope) -> Load | None:
    """Return the page that a tab shows now, None if no page is known to have begun.

    Raises:
        Failed: `invalid_params`, of all tabs.

    """
    if not scope.tab:
        fail("invalid_params", "`load` is about one tab.", "Leave `all_tabs` or `load` out.", parameter="load")
    newest: str | None = next((load for (load,) in rows.execute(CURRENT, (scope.tab, scope.upto))), None)
    if newest is None:
        return None
    found = rows.execute(BEGINNINGS, (scope.tab, newest, scope.upto)).fetchall()
    began = (at for at, data in found if msgspec.json.decode(data).get("navigation") in DOCUMENTS)
    return Load(newest, next(began, found[-1][0]))


def _of_kinds(kinds: Sequence[Kind]) -> tuple[str, ...]:
    names = [name for kind in kinds for name in NAMED.get(kind, ())]
    others = [name for names in NAMED.values() for name in names]
    one_of = f"name IN ({', '.join('?' * len(names))})"
    if "static" not in kinds:
        return one_of, *names
    no_other = f"coalesce(name, '') NOT IN ({', '.join('?' * len(others))})"
    return f"({one_of} OR {no_other})", *names, *others


def _item(record: Record, partner: Record | None, scope: Scope, *, headers: bool) -> Item:
    events = {one.kind: one.event for one in (record, partner) if one is not None}
    asked, loaded = events.get("network", events.get("request", {})), events.get("resource", {})
    both = partner.at if partner else record.at
    outcome = _outcome(record, partner, scope)
    record = record._replace(seq=_place(record, scope), at=min(record.at, both))
    item = queries.head(record, scope) | _request(asked, loaded, halved=record.partner is not None)
    item |= outcome | {"type": asked.get("api", loaded.get("initiator"))}
    item |= {"start": _short(loaded.get("start")), "duration": _short(loaded.get("duration", asked.get("duration")))}
    item |= {"ttfb": _short(loaded.get("ttfb")), "kb": _kb(loaded.get("transferSize"))}
    item = {name: value for name, value in item.items() if value is not None}
    item |= queries.some(loaded, "cached", "protocol")
    if loaded.get("renderBlocking"):
        item["render_blocking"] = True
    names = {"request_headers": "requestHeaders", "response_headers": "responseHeaders"} if headers else {}
    return item | {ours: asked[theirs] for ours, theirs in names.items() if theirs in asked}


def _outcome(record: Record, partner: Record | None, scope: Scope) -> Item:
    """Return how a request ended where that is no success, or for how long it is open."""
    if record.kind == "request" and record.status is None and record.text is None:
        return {"open": True, "age_ms": max(0, round((scope.now - record.at) * 1_000))}
    halves = sorted((one for one in (record, partner) if one is not None), key=lambda one: one.kind)  # network first
    status = next((one.status for one in halves if one.status is not None), None)
    error = next((one.text for one in halves if one.text), None)
    failed = (status or 0) >= ERROR_MIN or "abort" not in (error or "abort").lower()
    return {"status": status, "error": error, "failed": failed or None}


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
