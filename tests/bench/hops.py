"""Measures where the time of a call goes, hop by hop, and the processor time that it takes of the page's own thread.

The broker remembers when each call came to which process; the service worker is watched from a command's message to its
result's. What no hop explains is on the way between the client and the broker.
"""

import asyncio
import contextlib
import statistics
from pathlib import Path
from typing import Any, NamedTuple

from gasoline_bridge.cli import trace
from gasoline_bridge.devtools import Browser
from gasoline_broker.messages import Call
from gasoline_broker.settings import Settings

WATCH = """(() => {
  if (globalThis.watchedCommands) return;
  const watched = globalThis.watchedCommands = [];
  const taken = new Map();
  const { get } = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data');
  Object.defineProperty(MessageEvent.prototype, 'data', { get() {
    const data = get.call(this);
    const id = typeof data === 'string' && /"type":"command","id":"(\\w+)"/.exec(data)?.[1];
    if (id && !taken.has(id)) taken.set(id, performance.now());
    return data;
  } });
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (text) {
    const id = typeof text === 'string' && /"type":"result","id":"(\\w+)"/.exec(text)?.[1];
    if (taken.has(id)) watched.push(performance.now() - taken.get(id));
    return send.call(this, text);
  };
})(); 0"""

NAMES = (
    "client, shim, front",
    "to the bridge",
    "bridge, WebSocket",
    "extension",
    "redaction, diff",
    "between",
    "whole call",
)
ANSWERED = "answered"


class Hops(NamedTuple):
    """The ms of one call at each hop, as NAMES has them."""

    ms: tuple[float, ...]


async def watch(browser: Browser) -> None:
    """Have the service worker note how long it has each command."""
    worker = await browser.service_worker()
    await worker.evaluate(WATCH)
    await worker.evaluate("watchedCommands.length = 0")
    await worker.detach()


async def read(browser: Browser, settings: Settings, whole: list[float]) -> Hops | None:
    """Give the medians of the last calls, of which each took the client as long as `whole` has it."""
    worker = await browser.service_worker()
    extension: list[float] = await worker.evaluate("watchedCommands")
    await worker.detach()
    last = await asyncio.to_thread(trace.read, settings, "")
    calls = [call for call in last if any(hop.service == "bridge" for hop in call.hops)]
    calls = calls[: len(whole)]
    if not calls or not extension:
        return None
    took = statistics.median(call.took_ms for call in calls)
    before = middle(calls, "bridge", lambda hop: hop.at_ms + hop.waited_ms)
    bridge = middle(calls, "bridge", lambda hop: hop.worked_ms)
    inside = statistics.median(extension[-len(whole) :])
    after = sum(middle(calls, name, lambda hop: hop.waited_ms + hop.worked_ms) for name in ("redaction", "diff"))
    all_of_it = statistics.median(whole)
    rest = took - before - bridge - after
    return Hops((all_of_it - took, before, bridge - inside, inside, after, rest, all_of_it))


def middle(calls: list[Call], service: str, of: Any) -> float:
    """Give the median of something of one service's hops, 0 if no call came there."""
    found = [of(hop) for call in calls for hop in call.hops if hop.service == service and hop.outcome == ANSWERED]
    return statistics.median(found) if found else 0.0


def show(table: dict[str, Hops]) -> None:
    """Print the hops of each call."""
    print("\n" + f"{'ms, medians':<22}" + "".join(f"{name[:17]:>18}" for name in table))
    for at, name in enumerate(NAMES):
        print(f"{name:<22}" + "".join(f"{hops.ms[at]:>18.1f}" for hops in table.values()))


async def renderers(browser: Browser) -> list[int]:
    """List the processes that show pages."""
    found = (await browser.send("SystemInfo.getProcessInfo"))["processInfo"]
    return [one["id"] for one in found if one["type"] == "renderer"]


def thread_ms(pids: list[int]) -> float:
    """Give the processor time that the main threads of these processes have had, in ms, as Linux counts it."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            total += int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[0])
    return total / 1e6
