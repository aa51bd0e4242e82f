"""Measures analyses: how long each takes beside the time that seed 000 gives it, and an audit beside axe alone.

Axe alone is its own `axe.run` in the page's world and in an isolated one, where a page cannot reach it and where Chrome
finds every element a little later; in the same browser on the same page, in turn with the audit, whose evidence goes
through the redaction and the audit worker besides.
"""

import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import msgspec

import system
from browser import scene
from browser.axe import AXE
from browser.user import number_of, pilot
from gasoline_bridge import installed
from gasoline_bridge.devtools import Browser, Tab
from gasoline_bridge.front.analyses import ANALYSES
from gasoline_demo.site import free_port
from system import Assistant, assistant

RUNS = 15
WARMED = 2
PAGE, LARGE = "audited.html", "large.html"
ALONE = "axe.run(document, {resultTypes: ['violations', 'incomplete']}).then(({ violations }) => violations.length)"

Work = Callable[[], Awaitable[object]]


async def main() -> None:
    """Print the tables."""
    port = free_port()
    runner = await scene.serve_pages(port)
    with system.settings() as settings, system.running(settings):
        async with (
            await Browser.launch(installed.install(settings)) as browser,
            assistant(settings, name="ann") as client,
        ):
            await client.connected()
            await pilot(browser, on=True)
            tab = await browser.new_tab(f"http://127.0.0.1:{port}/{PAGE}")
            await tab.activate()
            number = await number_of(client, tab)
            print("| analysis | ms p50, most | seed allows, s | bytes | summary, bytes |\n|---|---|---|---|---|")
            for (action, scope), analysis in ANALYSES.items():
                if not analysis.acts and action != "regression":  # that one has a bench of its own
                    times, reply = await _timed(client, number, action, scope)
                    print(
                        f"| {action}.{scope} | {statistics.median(times):.0f}, {max(times):.0f} | {analysis.limit_s} |"
                        f" {len(reply)} | {len(msgspec.json.encode(msgspec.json.decode(reply).get('summary', {})))} |",
                        flush=True,
                    )
            for page in (PAGE, LARGE):
                await tab.navigate(f"http://127.0.0.1:{port}/{page}")
                worlds = [await _world(tab, isolated=isolated) for isolated in (False, True)]
                rows = [await _in_turn(client, number, *worlds) for _ in range(WARMED + RUNS)][WARMED:]
                alone, isolated, audit = (statistics.median(column) for column in zip(*rows, strict=True))
                by_page, by_world = (statistics.median(row[2] / row[at] for row in rows) for at in (0, 1))
                print(
                    f"\n{page}: axe alone {alone:.0f} ms, in an isolated world {isolated:.0f}, the audit {audit:.0f}:"
                    f" {by_page:.2f} x and {by_world:.2f} x"
                )
    await runner.cleanup()


async def _timed(client: Assistant, number: int, action: str, scope: str) -> tuple[list[float], str]:
    times, text = [], ""
    for _ in range(WARMED + RUNS):
        begun = time.perf_counter()
        text = await _analyzed(client, number, action, scope)
        times.append((time.perf_counter() - begun) * 1_000)
    return times[WARMED:], text


async def _analyzed(client: Assistant, number: int, action: str, scope: str) -> str:
    text, failed = await client.text(
        "analyze", action=action, scope=scope, tab_id=number, force_refresh=True, wait_s=50
    )
    if failed:
        raise RuntimeError(text)
    return text


async def _world(tab: Tab, *, isolated: bool) -> Work:
    """Load axe into a world of the page; return what runs it there."""
    place: dict[str, Any] = {}
    if isolated:
        frame = (await tab.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
        place["contextId"] = (await tab.send("Page.createIsolatedWorld", frameId=frame))["executionContextId"]

    async def evaluated(expression: str) -> None:
        await tab.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, **place)

    await evaluated(AXE.read_text() + "; 0")
    return partial(evaluated, ALONE)


async def _in_turn(client: Assistant, number: int, *alone: Work) -> list[float]:
    """Time axe in each of its worlds, then the audit (ms)."""
    times = []
    works: list[Work] = [*alone, partial(_analyzed, client, number, "audit", "accessibility")]
    for work in works:
        begun = time.perf_counter()
        await work()
        times.append((time.perf_counter() - begun) * 1_000)
    return times


if __name__ == "__main__":
    asyncio.run(main())
