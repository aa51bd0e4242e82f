"""Measures the journal alone: how fast it takes events, and how long each read takes with full rings; no broker.

Ratios hold between machines, times do not.
"""

import itertools
import json
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

sys.path.insert(0, str(Path(__file__).parents[1]))

from gasoline_workers.journal.messages import (
    Read,
    ReadActions,
    ReadBodies,
    ReadErrors,
    ReadLogs,
    ReadPerformance,
    ReadVitals,
    ReadWaterfall,
    ReadWebSockets,
)
from unit.journal.diary import Diary, body, error, line, loaded, mark, ms, request, snapshot, socket, state, vital

if TYPE_CHECKING:
    from collections.abc import Callable

SECONDS = 600.0  # of a page's life that the mixed events are spread over: a busy page, 170 a second
ROUNDS = 200
BODY_BYTES = 256 * 1024
CHUNK_EVENTS = 25
STORED = 100_000
SMALL, SMALL_ASKS = 500, 200

Event = dict[str, Any]
READS: dict[str, Read] = {
    "logs": ReadLogs(),
    "logs, text": ReadLogs(text="number 7"),
    "errors": ReadErrors(),
    "waterfall": ReadWaterfall(),
    "waterfall, status": ReadWaterfall(status_min=400),
    "bodies": ReadBodies(),
    "bodies, path": ReadBodies(body_path="$.items[0].id"),
    "bodies, path to many": ReadBodies(body_path="$.items[*].id"),
    "websockets": ReadWebSockets(),
    "vitals": ReadVitals(),
    "performance": ReadPerformance(),
    "actions": ReadActions(),
}


def mixed(chance: random.Random, at: float) -> Event:
    """Make an event as a busy page says them."""
    number = chance.randrange(10_000)
    url = f"http://localhost:3000/api/items/{number}?page={number % 7}"
    items = json.dumps({"items": [{"id": one, "name": f"item {one}"} for one in range(chance.randrange(100))]})
    made: list[Callable[[], Event]] = [
        lambda: line(f"number {number}", chance.choice(["log", "warn"]), source="http://localhost:3000/app.js:10:5"),
        lambda: error(f"Failed {number}", stack=f"TypeError\n    at f{number % 90} (http://localhost:3000/a.js:1:2)"),
        lambda: socket("message", str(number % 20), direction="incoming", data="x" * chance.randrange(400), size=9),
        lambda: request(url, status=chance.choice([200, 200, 404])),
        lambda: loaded(url),
        lambda: body(url, responseBody=items),
        lambda: vital(chance.choice(["LCP", "CLS", "INP"]), number),
        lambda: mark(f"mark {number}", number),
        snapshot,
        lambda: {"type": "action", "action": "click", "selector": f"#item-{number}", "tag": "button"},
    ]
    weights = [30, 5, 20, 12, 12, 4, 4, 5, 1, 7]
    (make,) = chance.choices(made, weights)
    return make() | {"ts": ms(at)}


def asks(chance: random.Random, count: int, small: int = 0) -> list[list[list[Event]]]:
    """Make the chunks of each ask: 256 KB of mixed events, or `small` lines."""
    told: list[list[list[Event]]] = []
    numbers = itertools.count()
    while (at := next(numbers)) < (count if small else STORED):
        if small:
            lines = [line(f"number {at}.{one}", ts=ms(at / 10)) for one in range(small)]
            told.append([lines[begin : begin + CHUNK_EVENTS] for begin in range(0, small, CHUNK_EVENTS)])
            continue
        size, chunks = 0, list[list[Event]]()
        while size < BODY_BYTES:
            chunks.append([mixed(chance, next(numbers) / STORED * SECONDS) for _ in range(CHUNK_EVENTS)])
            size += len(msgspec.msgpack.encode(chunks[-1]))
        told.append(chunks)
        if len(told) >= count:
            break
    return told


def store(diary: Diary, told: list[list[list[Event]]]) -> tuple[int, float, float]:
    """Store them as the process does, decoding included, and give how many, in which time, with how much processor."""
    encoded = [msgspec.msgpack.encode([{"page": "http://a/", "events": chunk} for chunk in ask]) for ask in told]
    count, ids = 0, itertools.count()
    begun, worked = time.perf_counter(), time.process_time()
    for ask, said in zip(told, encoded, strict=True):
        bodies = msgspec.msgpack.decode(said)
        places = [(f"{diary.now}{next(ids):020x}", 12, 0, f"{next(ids) % 40:08x}") for _chunk in ask]
        chunks = [(*place, one["page"], one["events"]) for place, one in zip(places, bodies, strict=True)]
        count += diary.store(*chunks).stored
    return count, time.perf_counter() - begun, time.process_time() - worked


def show_stored(what: str, stored: tuple[int, float, float]) -> None:
    count, took_s, worked_s = stored
    core = worked_s / count * 10_000
    print(f"{what:<34} {count:>8} events {count / took_s:>9,.0f} events/s   {core:.2f} of a core at 10,000 events/s")


def main() -> None:
    """Print the tables."""
    chance = random.Random(7)  # noqa: S311 - the same events in each run
    with tempfile.TemporaryDirectory() as folder:
        diary = Diary(Path(folder))
        diary.file.rows.execute("PRAGMA synchronous = FULL")
        diary.tell(state(front=12))
        show_stored("small lines, 500 an ask", store(diary, asks(chance, SMALL_ASKS, SMALL)))
        diary.now += 1
        show_stored("small lines, 50 an ask", store(diary, asks(chance, SMALL_ASKS, SMALL // 10)))
        diary.now += 1
        show_stored("mixed events, 256 KB an ask", store(diary, asks(chance, 80)))
        print(
            f"\n{'read, full rings':<34} {'p50 ms':>8} {'p95 ms':>8} {'p95 of the core':>15} {'items':>6} {'total':>6}"
        )
        for name, ask in READS.items():
            show_read(name, diary, ask)


def show_read(name: str, diary: Diary, ask: Read) -> None:
    took_ms, worked_ms = [], []
    for _ in range(ROUNDS):
        begun, worked = time.perf_counter(), time.process_time()
        found = diary.read(ask)
        msgspec.msgpack.encode(found)
        took_ms.append((time.perf_counter() - begun) * 1_000)
        worked_ms.append((time.process_time() - worked) * 1_000)
    points, of_processor = statistics.quantiles(took_ms, n=20), statistics.quantiles(worked_ms, n=20)
    times = f"{points[9]:>8.2f} {points[18]:>8.2f} {of_processor[18]:>15.2f}"
    print(f"{name:<34} {times} {len(found.items):>6} {found.total:>6}")


if __name__ == "__main__":
    main()
