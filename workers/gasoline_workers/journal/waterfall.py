"""Every request as a list: what a script asked for and what the browser loaded are one item; it writes nothing.

Rules of this file:
- An item stands where the first of its two events stands. When a ring has lost that one, the item moves up the list, to
  the place of the other: a reader who pages down never meets it twice.
"""

import bisect
import heapq
import operator
import sqlite3
from typing import NamedTuple

from gasoline_workers.journal import queries
from gasoline_workers.journal.messages import Item, ReadWaterfall
from gasoline_workers.journal.queries import Found, Record, Where
from gasoline_workers.journal.scopes import Scope

RINGS = ("network", "resource")
SAME_S = 0.05  # issue 4: a script's call and the start of its load are a few ms apart; two calls seldom are
SCRIPTED = {"fetch", "xmlhttprequest", "beacon"}  # initiators whose method may be another than GET
COLUMNS = "seq, ring, tab, url, at, method, status"


class Line(NamedTuple):
    """A row, as far as requests are told apart by it."""

    seq: int
    ring: str
    tab: int
    url: str
    at: float
    method: str | None
    status: int | None


class Pair(NamedTuple):
    """What a script asked for, and what the browser loaded: either may be missing. `seq`: where the item stands."""

    seq: int
    asked: Line | None
    loaded: Line | None

    @property
    def status(self) -> int | None:
        """What was answered."""
        told = self.asked.status if self.asked else None
        return self.loaded.status if told is None and self.loaded else told


def read(rows: sqlite3.Connection, scope: Scope, ask: ReadWaterfall) -> Found:
    """Give the requests, newest first."""
    lines = list(map(Line._make, queries.select(rows, COLUMNS, Where(RINGS, scope).url(scope.url))))
    wanted = [pair for pair in pairs(lines) if pair.seq < scope.before and _is_wanted(pair, ask)]
    page = heapq.nlargest(scope.limit, wanted, key=lambda pair: pair.seq)
    found = queries.by_seq(rows, [line.seq for pair in page for line in pair[1:] if line is not None])
    return Found([_item(pair, found, scope, headers=ask.headers) for pair in page], len(wanted), {})


def pairs(lines: list[Line]) -> list[Pair]:
    """Put together what is one request: the same address and tab, begun within 50 ms, the nearest first."""
    asked = [line for line in lines if line.ring == "network"]
    loaded = [line for line in lines if line.ring == "resource"]
    partner: dict[int, Line] = {}
    for _apart, one, other in sorted(_near(asked, loaded), key=lambda near: near[0]):
        if one.seq not in partner and other.seq not in partner:
            partner[one.seq], partner[other.seq] = other, one
    alone = [Pair(line.seq, None, line) for line in loaded if line.seq not in partner]
    return [_pair(line, partner.get(line.seq)) for line in asked] + alone


def _pair(asked: Line, loaded: Line | None) -> Pair:
    return Pair(min(asked.seq, loaded.seq) if loaded else asked.seq, asked, loaded)


def _near(asked: list[Line], loaded: list[Line]) -> list[tuple[float, Line, Line]]:
    by_place: dict[tuple[int, str], list[Line]] = {}
    for line in sorted(asked, key=operator.attrgetter("at")):
        by_place.setdefault((line.tab, line.url), []).append(line)
    near = []
    for line in loaded:
        same = by_place.get((line.tab, line.url))
        if same is None:
            continue
        begin = bisect.bisect_left(same, line.at - SAME_S, key=lambda one: one.at)
        end = bisect.bisect_right(same, line.at + SAME_S, key=lambda one: one.at)
        near += [(abs(one.at - line.at), one, line) for one in same[begin:end]]
    return near


def _is_wanted(pair: Pair, ask: ReadWaterfall) -> bool:
    if not (ask.method or ask.status_min or ask.status_max):
        return True
    if ask.method and ask.method.upper() != (pair.asked.method or "" if pair.asked else "GET").upper():
        return False
    if not (ask.status_min or ask.status_max):
        return True
    return pair.status is not None and ask.status_min <= pair.status <= (ask.status_max or pair.status)


def _item(pair: Pair, found: dict[int, Record], scope: Scope, *, headers: bool) -> Item:
    asked = found[pair.asked.seq].event if pair.asked else {}
    loaded = found[pair.loaded.seq].event if pair.loaded else {}
    item = queries.head(found[pair.seq], scope) | _request(asked, loaded)
    item |= {"status": asked.get("status", loaded.get("status")), "type": asked.get("api", loaded.get("initiator"))}
    item |= {"start": _short(loaded.get("start")), "duration": _short(loaded.get("duration", asked.get("duration")))}
    item |= {"ttfb": _short(loaded.get("ttfb")), "kb": _kb(loaded.get("transferSize"))}
    item = {name: value for name, value in item.items() if value is not None}
    item |= queries.some(loaded, "cached", "protocol") | queries.some(asked, "error")
    if loaded.get("renderBlocking"):
        item["render_blocking"] = True
    names = {"request_headers": "requestHeaders", "response_headers": "responseHeaders"} if headers else {}
    return item | {ours: asked[theirs] for ours, theirs in names.items() if theirs in asked}


def _request(asked: Item, loaded: Item) -> Item:
    if asked:
        return {"method": asked.get("method"), "url": asked.get("url")}
    return {"method": None if loaded.get("initiator") in SCRIPTED else "GET", "url": loaded.get("url")}


def _short(value: object) -> object:
    return round(value, 1) if isinstance(value, float) else value


def _kb(size: object) -> object:
    return round(size / 1024, 1) if isinstance(size, int | float) else size
