"""What an action caused, from the extension's two events about it and the tab's own.

Rules of this file:
- The extension's `settled` event comes before the action's reply, its `ended` event after all. Until that is there the
  effect is open; if it has not come LATEST_S after the reply it will not: its worker died.
- Times are by the page's clock, which the extension has put into its events; `after_ms` is since the action began.
- Causes are known by time alone: what the page did by itself meanwhile is included. So each item has its delay, and a
  request how often the page had made it just before the action.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from gasoline_broker.errors import fail
from gasoline_workers.journal import queries
from gasoline_workers.journal.events import whole
from gasoline_workers.journal.messages import EffectRead, Item
from gasoline_workers.journal.queries import Record

RING = "effect"
WINDOW_S = 10.0  # as the extension's (background/interact/effects.ts)
LATEST_S = WINDOW_S + 3.0  # and what the last event needs to get here
HABIT_S = 30.0  # a poll comes more often than that, or it is rare enough to be read as caused
EARLY_S = 5.0  # an event of an action comes this long before its `settled` at most, beyond the action's own time
EACH = 200  # rows of a ring that are looked at
TEXT_CHARS = 500
FRAMES = 10  # messages of a connection that are listed
FRAME_CHARS = 200
LISTS = ("requests", "console", "errors", "routes", "websockets", "storage", "downloads")
GONE = "Ids are in the replies of mutating actions, `effect`; the last few hundred are kept, a day long."


class Span(NamedTuple):
    """What is looked at: the tab, from when to when by the page's clock, stored since when. All in s."""

    tab: int
    begin: float
    end: float
    stored: float


def read(rows: sqlite3.Connection, wanted: str, state: Item | None, now: float) -> EffectRead:
    """Return what an action has caused until now.

    Raises:
        Failed: `not_found`.

    """
    found = _events(rows, wanted)
    if not found:
        fail("not_found", f"No effect {wanted[:40]!r} is known.", GONE, id=wanted[:40])
    last, stored = found[-1]
    event = last.event
    tab, settled = whole(event.get("tab")) or 0, whole(event.get("settled_ms")) or 0
    tracked = (state or {}).get("tracked")
    if tracked and tracked != tab:
        text = f"The effect {wanted!r} is of tab {tab}; tab {tracked} is tracked: nothing of another is given."
        fail("not_found", text, "Ask the user to stop tracking, in the popup.", id=wanted)
    window = whole(event.get("window_ms"))
    effect: Item = {"effect": wanted, "action": str(event.get("action", "")), "tab": tab, "ts": queries.iso(last.at)}
    effect |= {"settled_ms": settled}
    if window is not None:
        effect["window_ms"] = window
    elif now - stored <= LATEST_S:
        effect["open"] = True
    if event.get("uncaptured"):
        return EffectRead(effect | {"hint": "This tab is not captured: nothing that happens in it is kept."})
    end = last.at + (window / 1_000 if window is not None else settled / 1_000 + WINDOW_S)
    if window is None:
        end = min(end, _next(rows, last, tab))
    span = Span(tab, last.at, end, stored - settled / 1_000 - EARLY_S - (window or 0) / 1_000)
    return EffectRead(effect | {name: part for name, part in _parts(rows, span, event).items() if part})


def _parts(rows: sqlite3.Connection, span: Span, event: Item) -> Item:
    return {
        "requests": _requests(rows, span, event),
        "requests_omitted": whole(event.get("omitted")),
        "console": _grouped(_within(rows, "console", span), span, _line),
        "errors": _grouped(_within(rows, "error", span), span, _error),
        "routes": [_route(one, span) for one in _within(rows, "action", span) if one.kind == "navigation"],
        "websockets": _sockets(_within(rows, "websocket", span), span),
        "storage": _maps(event.get("storage")),
        "downloads": _maps(event.get("downloads")),
        "opened_tabs": [one for one in map(whole, _list(event.get("opened_tabs"))) if one],
        "blocked": [one for one in _list(event.get("blocked")) if isinstance(one, str)],
        "late_dom": _late(event.get("dom")),
    }


def _events(rows: sqlite3.Connection, wanted: str) -> list[tuple[Record, float]]:
    """Return the events of this effect, in order, each with when it was stored."""
    ask = f"SELECT {queries.COLUMNS}, stored FROM events WHERE ring = ? AND name = ? ORDER BY seq"  # noqa: S608 - our own words
    return [(Record._make(row[:-1]), row[-1]) for row in rows.execute(ask, (RING, wanted))]


def _next(rows: sqlite3.Connection, own: Record, tab: int) -> float:
    """Return when the tab's next action began: what comes from then on is that one's."""
    ask = f"SELECT {queries.COLUMNS} FROM events WHERE ring = ? AND seq > ? ORDER BY seq"  # noqa: S608 - our own words
    later = (Record._make(row) for row in rows.execute(ask, (RING, own.seq)))
    return next((one.at for one in later if one.name != own.name and one.event.get("tab") == tab), float("inf"))


def _within(rows: sqlite3.Connection, ring: str, span: Span) -> list[Record]:
    """Return the newest events of a ring in the span, newest first."""
    ask = (
        f"SELECT {queries.COLUMNS} FROM events WHERE ring = ? AND tab = ? AND at BETWEEN ? AND ? AND stored >= ? "  # noqa: S608 - our own words
        "ORDER BY at DESC, seq DESC LIMIT ?"
    )
    return [*map(Record._make, rows.execute(ask, (ring, span.tab, span.begin, span.end, span.stored, EACH)))]


def _after_ms(record: Record, span: Span) -> int:
    return round((record.at - span.begin) * 1_000)


def _requests(rows: sqlite3.Connection, span: Span, event: Item) -> list[Item]:
    """Return what the browser saw, and of what the page's scripts saw the rest; newest first."""
    requests = _maps(event.get("requests"))
    for record in _within(rows, "network", span):
        seen = _request(record, span)
        same = (one for one in requests if one.get("url") == seen["url"][:TEXT_CHARS] and "page" not in one)
        if known := next(same, None):
            known |= {name: value for name, value in seen.items() if name not in known} | {"page": True}
        else:
            requests.append(seen | {"page": True})
    habits = _habits(rows, span)
    for one in requests:
        one.pop("page", None)
        if count := habits[_address(str(one.get("method")), str(one.get("url")))]:
            one["seen_before"] = count
    return sorted(requests, key=lambda one: whole(one.get("after_ms")) or 0, reverse=True)


def _request(record: Record, span: Span) -> Item:
    event = record.event
    duration = event.get("duration")
    item = queries.some(event, "method", "status", "error") | {"after_ms": _after_ms(record, span)}
    item |= {"url": record.url, "kind": str(event.get("api", ""))}
    return item | ({"duration_ms": round(duration)} if isinstance(duration, int | float) else {})


def _habits(rows: sqlite3.Connection, span: Span) -> Counter[str]:
    """Count what the page's scripts asked for before the action, by method and address without its query."""
    before = span._replace(begin=span.begin - HABIT_S, end=span.begin - 0.001, stored=span.stored - HABIT_S)
    return Counter(_address(str(one.event.get("method")), one.url) for one in _within(rows, "network", before))


def _address(method: str, url: str) -> str:
    return f"{method} {url.split('?', 1)[0].split('#', 1)[0]}"


def _grouped(records: list[Record], span: Span, item: Callable[[Record], Item]) -> list[Item]:
    """Return an item for those of one key, at the place of the last."""
    counts = Counter(one.key for one in records)
    items: dict[bytes | None, Item] = {}
    for one in records:
        if one.key not in items:
            count = {"count": counts[one.key]} if counts[one.key] > 1 else {}
            items[one.key] = {"after_ms": _after_ms(one, span)} | item(one) | count
    return [*items.values()]


def _line(record: Record) -> Item:
    return {"level": record.level or "log", "text": _short(record.text)} | queries.some(record.event, "source")


def _error(record: Record) -> Item:
    item = queries.some(record.event, "kind", "name", "source", "target")
    return {"message": _short(record.text)} | item


def _route(record: Record, span: Span) -> Item:
    return {"after_ms": _after_ms(record, span)} | queries.some(record.event, "navigation", "url", "from")


def _sockets(records: list[Record], span: Span) -> list[Item]:
    """Return an item for each connection, with its last messages."""
    connections: dict[str, list[Record]] = {}
    for one in records:
        connections.setdefault(str(one.event.get("id")), []).append(one)
    return [_socket(name, events, span) for name, events in connections.items()]


def _socket(name: str, records: list[Record], span: Span) -> Item:
    kinds = Counter(str(one.event.get("event")) for one in records)
    frames = [one for one in records if one.event.get("event") == "message"]
    sent = sum(one.event.get("direction") == "outgoing" for one in frames)
    counts = {"sent": sent, "received": len(frames) - sent, "opened": kinds["open"] > 0, "closed": kinds["close"] > 0}
    listed = [_frame(one, span) for one in frames[:FRAMES]]
    found = {"id": name, "url": records[0].url} | counts | {"frames": listed}
    return {key: value for key, value in found.items() if value}


def _frame(record: Record, span: Span) -> Item:
    text = str(record.event.get("decoded") or record.event.get("data") or "")
    cut = text if len(text) <= FRAME_CHARS else f"{text[:FRAME_CHARS]}…"
    return {"after_ms": _after_ms(record, span), "direction": str(record.event.get("direction")), "data": cut}


def _late(dom: object) -> Item:
    """Put what changed in the page after the reply into words."""
    if not isinstance(dom, dict):
        return {}
    words = {"added": "{} added", "removed": "{} removed", "attributes": "{} attr changed", "texts": "{} text changed"}
    counts = {name: whole(dom.get(name)) for name in words}
    summary = ", ".join(words[name].format(count) for name, count in counts.items() if count)
    item = {"summary": summary} | queries.some(dom, "first_ms", "last_ms", "cut")
    places = [one for one in dom.get("places") or [] if isinstance(one, str)]
    return item | ({"places": places} if places else {}) if summary else {}


def _maps(value: object) -> list[Item]:
    return [dict(one) for one in _list(value) if isinstance(one, dict)]


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _short(text: str | None) -> str:
    return text if text is not None and len(text) <= TEXT_CHARS else f"{(text or '')[:TEXT_CHARS]}…"
