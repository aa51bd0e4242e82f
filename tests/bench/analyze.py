"""Measures analyses: how long each takes beside the time that seed 000 gives it, and an audit beside axe alone.

Axe alone is its own `axe.run` in a page's world, in the same browser on the same page, in turn with the audit, whose
evidence goes through the redaction and the audit worker besides.
"""

import asyncio
import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import msgspec

import system
from browser import scene
from browser.axe import AXE
from browser.user import number_of, pilot
from gasoline_bridge import installed
from gasoline_bridge.devtools import Browser
from gasoline_bridge.front.analyses import ANALYSES
from gasoline_demo.site import free_port
from system import Assistant, assistant

RUNS = 15
WARMED = 2
PAGE, LARGE = "audited.html", "large.html"
ALONE = "axe.run(document, {resultTypes: ['violations', 'incomplete']}).then(({ violations }) => violations.length)"

Reply = dict[str, Any]


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
                await tab.evaluate(AXE.read_text() + "; 0")
                ratios = [await _ratio(client, number, tab.evaluate) for _ in range(WARMED + RUNS)][WARMED:]
                alone, audit = (statistics.median(column) for column in zip(*ratios, strict=True))
                ratio = statistics.median(audited / by_axe for by_axe, audited in ratios)
                print(f"\n{page}: axe alone {alone:.0f} ms, the audit {audit:.0f} ms, {ratio:.2f} x")
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


async def _ratio(client: Assistant, number: int, evaluate: Any) -> tuple[float, float]:
    begun = time.perf_counter()
    await evaluate(ALONE)
    between = time.perf_counter()
    await _analyzed(client, number, "audit", "accessibility")
    return (between - begun) * 1_000, (time.perf_counter() - between) * 1_000


if __name__ == "__main__":
    asyncio.run(main())
