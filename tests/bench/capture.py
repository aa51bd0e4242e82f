"""Measures how many events a second the system takes in, for how long, and how soon after they happen they can be read.

The events come as from ten tabs at their limit, over the real link; every one is redacted and stored. What is not
acknowledged counts as lost. Rates hold on one machine only: what each process needs is given as a share of a processor.
"""

import argparse
import asyncio
import contextlib
import itertools
import os
import secrets
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import aiohttp

sys.path.insert(0, str(Path(__file__).parents[1]))

import system
from browser import scene
from chrome_double import link
from gasoline_bridge import installed
from gasoline_bridge.devtools import Browser
from gasoline_broker.settings import Settings
from gasoline_demo.site import free_port
from system import Assistant, assistant

TABS = 10
EVERY_S = 0.1  # a batch of each tab
IDLE_ROUNDS = 100
TICKS = os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


class Sender:
    """The extension's side: sends, and knows what is not acknowledged."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.sent = self.stored = 0
        self.open: dict[str, tuple[float, int]] = {}
        self.took_ms: list[float] = []
        self._numbers = itertools.count()

    async def send(self, tab: int, count: int) -> None:
        """Send a chunk of so many events."""
        number = secrets.token_hex(16)
        events = [self._event() for _ in range(count)]
        one = {"id": number, "tab": tab, "frame": 0, "load": "5f3a9c01", "page": "http://x/", "events": events}
        self.open[number] = (time.perf_counter(), count)
        self.sent += count
        await self.socket.send_json({"type": "events", "chunks": [one]})

    def _event(self) -> dict[str, Any]:
        number = next(self._numbers)
        stamp = {"ts": time.time() * 1000}
        if number % 2:
            socket = {"id": f"c{number % 7}", "url": "ws://localhost/ws", "direction": "incoming", "size": 40}
            data = f'{{"type":"tick","value":{number},"name":"row {number}"}}'
            return stamp | {"type": "websocket", "event": "message", "data": data} | socket
        args = [f"rendered row {number} of the table", number, {"visible": True}]
        return stamp | {"type": "console", "level": "log", "args": args, "source": "http://localhost/app.js:10:5"}

    async def hear(self) -> None:
        """Take in what is acknowledged."""
        async for frame in self.socket:
            message = frame.json()
            for number in message["ids"] if message["type"] == "stored" else ():
                begun, count = self.open.pop(number)
                self.stored += count
                self.took_ms.append((time.perf_counter() - begun) * 1000)


async def main(rate: int, lasts_s: float) -> None:
    """Print both tables."""
    with system.settings() as settings, system.running(settings):
        async with assistant(settings) as client, link(settings) as socket:
            sender = Sender(socket)
            hearing = asyncio.create_task(sender.hear())
            await _idle(client, sender)
            await _sustain(settings, client, sender, rate, lasts_s)
            hearing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await hearing
        async with assistant(settings) as client:
            await _fresh(settings, client)


async def _idle(client: Assistant, sender: Sender) -> None:
    """Send single events, and ask for each until it can be read: a poll's own time is part of the figure."""
    took_ms = []
    for _ in range(IDLE_ROUNDS):
        seq = (await client.call("observe", what="logs", tab_id=1, limit=1))["seq"]
        begun = time.perf_counter()
        await sender.send(1, 1)
        while (await client.call("observe", what="logs", tab_id=1, limit=1))["seq"] == seq:
            pass
        took_ms.append((time.perf_counter() - begun) * 1000)
    cuts = statistics.quantiles(took_ms, n=100)
    print(f"one event, from the link to readable: p50 {cuts[49]:.1f} ms, p95 {cuts[94]:.1f} ms")


async def _fresh(settings: Settings, client: Assistant) -> None:
    """Have a page of a real browser say something, and ask until it can be read."""
    port = free_port()
    runner = await scene.serve_pages(port)
    took_ms = []
    async with await Browser.launch(installed.install(settings)) as browser:
        await client.connected()
        tab = await browser.new_tab(f"http://127.0.0.1:{port}/capture.html")
        await tab.activate()
        for number in range(IDLE_ROUNDS):
            begun = time.perf_counter()
            await tab.evaluate(f"console.log('line {number}')")
            while f"line {number}" not in str(await client.call("observe", what="logs", limit=1)):
                pass
            took_ms.append((time.perf_counter() - begun) * 1000)
    await runner.cleanup()
    cuts = statistics.quantiles(took_ms, n=100)
    print(f"\none line of a real page, until it is read: p50 {cuts[49]:.0f} ms, p95 {cuts[94]:.0f} ms")


async def _sustain(settings: Settings, client: Assistant, sender: Sender, rate: int, lasts_s: float) -> None:
    pids = await client.pids()
    before, cpu = {name: _rss_mb(pid) for name, pid in pids.items()}, {name: _cpu_s(pid) for name, pid in pids.items()}
    sender.sent = sender.stored = 0
    sender.took_ms.clear()
    begun = time.perf_counter()
    peak: dict[str, float] = {}
    for tick in itertools.count(1):
        for tab in range(1, TABS + 1):
            await sender.send(tab, int(rate * EVERY_S / TABS))
        peak = {name: max(peak.get(name, 0.0), _rss_mb(pid)) for name, pid in pids.items()}
        if time.perf_counter() - begun > lasts_s:
            break
        await asyncio.sleep(max(0.0, begun + tick * EVERY_S - time.perf_counter()))
    sent_s = time.perf_counter() - begun
    while sender.open and time.perf_counter() - begun < lasts_s + 30:  # noqa: ASYNC110 - acknowledged elsewhere
        await asyncio.sleep(0.01)
    all_s = time.perf_counter() - begun
    lost = sum(count for _, count in sender.open.values())
    cuts = statistics.quantiles(sender.took_ms, n=100)
    print(f"\n{sender.sent:,} events in {sent_s:.1f} s ({sender.sent / sent_s:,.0f}/s), stored after {all_s:.1f} s")
    print(
        f"lost {lost}; acknowledged p50 {cuts[49]:.0f} ms, p95 {cuts[94]:.0f} ms, at most {max(sender.took_ms):.0f} ms"
    )
    size_kb = sum(file.stat().st_size for file in settings.data_dir.glob("journal*")) >> 10
    print(f"journal on the disk: {size_kb:,} KB")
    print("\n| process | processor | MB before | MB after | MB at most |\n| --- | --- | --- | --- | --- |")
    for name, pid in pids.items():
        share = (_cpu_s(pid) - cpu[name]) / all_s
        print(f"| {name} | {share:.0%} | {before[name]:.1f} | {_rss_mb(pid):.1f} | {peak[name]:.1f} |")


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _rss_mb(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_BYTES / (1 << 20)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rate", type=int, default=10_000, help="events a second")
    parser.add_argument("--lasts", type=float, default=60.0, help="seconds")
    given = parser.parse_args()
    asyncio.run(main(given.rate, given.lasts))
