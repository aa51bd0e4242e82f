"""A journal for tests: a file, chunks with ids of their own, and reads; it simulates nothing."""

import itertools
from pathlib import Path
from typing import Any

import msgspec

from gasoline_broker.actor.client import Answer, Step
from gasoline_broker.actor.wire import Envelope, Kind
from gasoline_workers.journal.file import File
from gasoline_workers.journal.messages import ChunkHead, EventsRead, EventsStored, Item, Read
from gasoline_workers.journal.reading import read

NOW = 1_763_742_000.0  # 2025-11-21T16:20:00Z
PAGE = "http://localhost:3000/dashboard"
TAB = 12


def given(number: bytes) -> Step:
    return Step(Envelope(Kind.ASK, number), b"", (), 0.0)


class Diary:
    """A journal's file, and what tests store and read. `now`: s since the epoch."""

    def __init__(self, folder: Path, system_id: str = "first") -> None:
        self.path = folder / "journal.sqlite"
        self.now = NOW
        self._ids = itertools.count()
        self.file = File(self.path)
        self.file.open(system_id, self.now)
        self.file.rows.execute("PRAGMA synchronous = OFF")  # the process tests see to what a kill leaves

    def restart(self, system_id: str = "first") -> None:
        self.file.close()
        self.file = File(self.path)
        self.file.open(system_id, self.now)

    def tell(self, *events: Any, tab: int = TAB, frame: int = 0, load: str = "5f3a9c01", page: str = PAGE) -> int:
        """Store events as a chunk, states as one of no tab, and give the journal's end."""
        states = [event for event in events if event["type"] == "state"]
        others = [event for event in events if event["type"] != "state"]
        self.store((f"{next(self._ids):032x}", 0, 0, "00000000", "", states))
        return self.store((f"{next(self._ids):032x}", tab, frame, load, page, others)).seq

    def store(self, *chunks: tuple[str, int, int, str, Any, Any]) -> EventsStored:
        heads = [ChunkHead(*chunk[:4]) for chunk in chunks]
        return self.file.store(heads, [{"page": chunk[4], "events": chunk[5]} for chunk in chunks], self.now)

    def clear(self, number: bytes = b"clear") -> Answer:
        return self.file.clear(given(number))

    def read(self, ask: Read) -> EventsRead:
        return read(self.file.rows, ask, self.file.state, self.file.begin, self.file.end, self.now)

    def items(self, ask: Read) -> list[Item]:
        return self.read(ask).items

    def all(self, ask: Read) -> list[Item]:
        """Read page after page."""
        found = self.read(ask)
        items = [*found.items]
        while found.total > len(found.items):
            found = self.read(msgspec.structs.replace(ask, before=found.items[-1]["seq"], upto=found.upto))
            items += found.items
        return items

    def kept(self, ring: str) -> int:
        (count,) = self.file.rows.execute("SELECT count(*) FROM events WHERE ring = ?", (ring,)).fetchone()
        return int(count)


def ms(after_s: float = 0.0) -> float:
    return (NOW + after_s) * 1_000


def line(text: str, level: str = "log", **more: Any) -> Item:
    return {"ts": ms(), "type": "console", "level": level, "args": [text]} | more


def error(message: str, **more: Any) -> Item:
    return {"ts": ms(), "type": "error", "kind": "error", "name": "TypeError", "message": message} | more


def socket(event: str, connection: str = "c", **more: Any) -> Item:
    url = {"url": "wss://api.example.com/ws"}
    return {"ts": ms(), "type": "websocket", "event": event, "id": connection} | url | more


def request(url: str, **more: Any) -> Item:
    begun = {"ts": ms(), "type": "network", "api": "fetch", "method": "GET", "url": url, "status": 200}
    return begun | {"duration": 12.34} | more


def loaded(url: str, **more: Any) -> Item:
    return {"ts": ms(), "type": "resource", "url": url, "initiator": "script", "start": 21.5, "duration": 30.0} | more


def body(url: str, **more: Any) -> Item:
    told = {"requestBody": None, "responseBody": '{"id":1}', "contentType": "application/json", "duration": 89}
    return (
        {"ts": ms(), "type": "network_body", "api": "fetch", "method": "GET", "url": url, "status": 200} | told | more
    )


def vital(name: str, value: Any, **more: Any) -> Item:
    return {"ts": ms(), "type": "vital", "name": name, "value": value, "rating": "good"} | more


def mark(name: str, start: float, **more: Any) -> Item:
    return {
        "ts": ms(start / 1_000),
        "type": "timing",
        "entry": "mark",
        "name": name,
        "start": start,
        "duration": 0,
    } | more


def snapshot(url: str = PAGE, **more: Any) -> Item:
    timing = {"ttfb": 80, "fcp": 300.5, "lcp": 812.5, "domContentLoaded": 420, "load": 900}
    told = {"cls": 0.02, "transferSize": 524_288, "requestCount": 42, "longTaskCount": 1, "totalBlockingTime": 70}
    return {"ts": ms(), "type": "performance", "url": url, "navigation": "navigate", "timing": timing} | told | more


def state(front: int | None = None, tracked: int | None = None) -> Item:
    set_up = {"websockets": True, "bodies": False, "allTabs": True}
    return {"ts": ms(), "type": "state", "front": front, "tracked": tracked} | set_up


def believed(told: Item) -> Item:
    """Return what is believed of a state."""
    return {name: value for name, value in told.items() if name not in {"ts", "type"}}


def dropped(of: str, count: int, why: str = "rate") -> Item:
    return {"ts": ms(), "type": "dropped", "of": of, "count": count, "why": why}
