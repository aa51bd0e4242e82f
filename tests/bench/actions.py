"""Measures actions: how true what is told of them is, and what they cost, from an assistant's call to its reply.

The page knows the truth: a task of 120 ms, a request of 180 ms, 25 items that shift a box by a known score, and as many
changes as it is told. A block is right within 15 % of it (seed 001's own example has these figures); an attribution is
right if it names the cause. Times of calls are of this machine; their ratios, and the truth, hold between machines.
"""

import asyncio
import re
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

import system
from browser import scene
from browser.user import number_of, pilot
from gasoline_bridge import installed
from gasoline_bridge.devtools import Browser, Tab
from gasoline_broker.settings import Settings
from gasoline_demo.site import free_port
from system import Assistant, assistant

RUNS = 50
LOADS = 100
CLICKS = 100
NEAR = 0.15
CHANGES = (0, 10, 100, 1_000, 5_000)
PLAIN_MS = 55  # seed 001, Performance Budget: a normal action's overhead, mostly the wait for rest

PARTS = (
    ("MutationObserver, on and off", "gasoline.handlers.fill_fields({ id: 'bench', fields: [], first: 0 })", "< 0.1"),
    (
        "with PerformanceObservers",
        "gasoline.handlers.fill_fields({ id: 'bench', fields: [], first: 0, analyze: true })",
        "< 0.1 + 0.5",
    ),
    ("performance.now()", "performance.now()", "< 0.01"),
)
"""Parts of seed 001's Performance Budget; the collapsing and the diff of loads are the diff worker's (`diff.py`)."""

Reply = dict[str, Any]


class Place(NamedTuple):
    """An assistant before a page."""

    client: Assistant
    tab: Tab
    number: int
    settings: Settings

    async def do(self, action: str, **arguments: Any) -> Reply:
        """Act."""
        return await self.client.call("interact", action=action, tab_id=self.number, **arguments)


class Truth(NamedTuple):
    """A button, what its reply is to say in figures, and in words."""

    button: str
    figures: Callable[[Reply], dict[str, float]]
    words: str


@asynccontextmanager
async def place(name: str) -> AsyncIterator[tuple[Place, Browser]]:
    """Have a system, a browser, and an assistant at a page of the tests."""
    port = free_port()
    runner = await scene.serve_pages(port)
    with system.settings() as settings, system.running(settings):
        async with await Browser.launch(installed.install(settings)) as browser, assistant(settings) as client:
            await client.connected()
            await pilot(browser, on=True)
            tab = await browser.new_tab(f"http://127.0.0.1:{port}/{name}")
            await tab.activate()
            yield Place(client, tab, await number_of(client, tab), settings), browser
    await runner.cleanup()


async def main() -> None:
    """Print the tables."""
    async with place("truth.html") as (at, browser):
        await _truths(at)
        await _loads(at)
        await _costs(at)
        await _parts(at, browser)


async def _truths(at: Place) -> None:
    score = float(await at.tab.evaluate("shifted()"))
    print(f"{'block':<34}{'truth':>8}{'least':>8}{'p50':>8}{'most':>8}{'within 15 %':>13}{'named':>9}")
    truths = [
        Truth("task", lambda told: {"task: js_blocking_ms 120": told["timing"]["js_blocking_ms"]}, "JS long task"),
        Truth(
            "fetch", lambda told: {"request: network_ms 180": told["timing"]["network_ms"]}, r"network \(/api/later\)"
        ),
        Truth(
            "both",
            lambda told: {
                "both: js_blocking_ms 120": told["timing"]["js_blocking_ms"],
                "both: network_ms 180": told["timing"]["network_ms"],
                "both: total_ms 300": told["timing"]["total_ms"],
            },
            r"network \(/api/later\), \d+ms JS long task",
        ),
        Truth(
            "shift",
            lambda told: {
                f"shift: layout_shifts {score:.4f}": told["layout_shifts"],
                "shift: items 25": told["dom_changes"]["added"][0]["count"],
            },
            "25 items inserted without reserved height",
        ),
    ]
    for truth in truths:
        await _true(at, truth)


async def _true(at: Place, truth: Truth) -> None:
    seen: dict[str, list[float]] = {}
    named = 0
    for _ in range(RUNS):
        await at.tab.evaluate("by('list').replaceChildren(); new Promise((done) => setTimeout(done, 20)).then(() => 0)")
        told = await at.do("click", selector=f"#{truth.button}", analyze=True)
        named += re.search(truth.words, told["analysis"]) is not None
        for name, value in truth.figures(told).items():
            seen.setdefault(name, []).append(value)
    for name, values in seen.items():
        wanted = float(name.rsplit(" ", 1)[1])
        near = sum(abs(value - wanted) <= NEAR * wanted for value in values)
        least, middle, most = min(values), statistics.median(values), max(values)
        print(
            f"{name.rsplit(' ', 1)[0]:<34}{wanted:>8g}{least:>8g}{middle:>8g}{most:>8g}"
            f"{f'{near} of {RUNS}':>13}{f'{named} of {RUNS}':>9}"
        )


async def _loads(at: Place) -> None:
    await at.do("refresh")
    here = await at.tab.evaluate("location.href")
    compared, took = 0, []
    for turn in range(LOADS):
        url = f"{here}?second={turn}"
        await at.do("navigate", url=url)
        told, ms = await _timed(lambda: at.do("refresh"))
        compared += bool(told.get("perf_diff"))
        took.append(ms - told["perf_diff"]["metrics"]["load"]["after"] if told.get("perf_diff") else ms)
    await at.do("navigate", url=here)
    print(f"\nsecond loads with a perf_diff: {compared} of {LOADS}")
    print(f"refresh, beyond the load event: {_spread(took)}  (the seed: 500 ms for LCP)")


async def _costs(at: Place) -> None:
    calls: dict[str, Callable[[], Awaitable[Reply]]] = {
        "get_text": lambda: at.do("get_text", selector="#nothing"),
        "click": lambda: at.do("click", selector="#nothing"),
        "click, analyze": lambda: at.do("click", selector="#nothing", analyze=True),
        "set_attribute": lambda: at.do("set_attribute", selector="#box", attribute="title", value="x"),
    }
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for turn in range(CLICKS + 5):
        for name, call in calls.items():
            _, ms = await _timed(call)
            if turn >= 5:  # the first ones warm up
                taken[name].append(ms)
    print(f"\n{'from the call to the reply, ms':<34}{'p50':>8}{'p95':>8}{'beyond a read':>16}")
    read = statistics.median(taken["get_text"])
    for name, times in taken.items():
        middle, high = statistics.median(times), statistics.quantiles(times, n=20)[-1]
        print(f"{name:<34}{middle:>8.1f}{high:>8.1f}{middle - read:>16.1f}")
    print(f"(the seed: about {PLAIN_MS} ms of overhead, 50 of which are the wait for rest)")
    print(f"\n{'a click with so many changes, ms':<34}{'p50':>8}{'timing_ms':>12}  {'told'}")
    for count in CHANGES:
        await at.tab.evaluate(f"changes = {count}; by('pool').replaceChildren(); 0")
        spent: list[float] = []
        told: Reply = {}
        for _ in range(10):
            told, ms = await _timed(lambda: at.do("click", selector="#change"))
            spent.append(ms)
            await at.tab.evaluate("by('pool').replaceChildren(); 0")
        print(f"{count:<34}{statistics.median(spent):>8.1f}{told['timing_ms']:>12}  {told['dom_summary']}")


async def _parts(at: Place, browser: Browser) -> None:
    """Time what an action adds to a page, in the world of the content scripts."""
    worker = await browser.service_worker()
    print(f"\n{'in the page, of each action':<34}{'ms':>8}{'the seed':>12}")
    for name, script, most in PARTS:
        many = f"for (let n = 0; n < 500; n++) {{ {script}; }}"
        time_it = f"const begun = performance.now(); {many} return (performance.now() - begun) / 500"
        inject = f"chrome.scripting.executeScript({{ target: {{ tabId: {at.number} }}, func: () => {{ {time_it} }} }})"
        ms = await worker.evaluate(f"{inject}.then(([frame]) => frame.result)")
        print(f"{name:<34}{ms:>8.4f}{most:>12}")
    await worker.detach()


async def _timed(call: Callable[[], Awaitable[Reply]]) -> tuple[Reply, float]:
    begun = time.perf_counter()
    told = await call()
    return told, (time.perf_counter() - begun) * 1_000


def _spread(times: list[float]) -> str:
    return f"p50 {statistics.median(times):.0f} ms, p95 {statistics.quantiles(times, n=20)[-1]:.0f} ms"


if __name__ == "__main__":
    asyncio.run(main())
