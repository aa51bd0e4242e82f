"""Measures what hours do: steady calls and events, each process's memory and the time of a call, minute by minute.

To be run alone on the machine. After the first ten minutes memory is to be flat and no call slower than before.
"""

import asyncio
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import click
import msgspec

sys.path.insert(0, str(Path(__file__).parents[1]))

import system
from browser import scene
from browser.user import number_of, pilot
from gasoline_bridge import installed
from gasoline_bridge.devtools import Browser
from gasoline_demo.site import free_port
from system import Assistant, assistant

MINUTES = 30
CALLS_PER_S = 5
LINES_PER_S = 200
SETTLED_MINUTES = 10

PRINTING = f"""
globalThis.printed = 0;
setInterval(() => {{ for (let n = 0; n < {LINES_PER_S // 10}; n++) console.log(`line ${{printed++}}`); }}, 100);
0
"""

CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("get_page_info", {}),
    ("execute_javascript", {"script": "document.title"}),
    ("observe", {"what": "logs", "limit": 20}),
    ("interact", {"action": "click", "selector": "body"}),
    ("query_dom", {"selector": "h1"}),
)
"""Each in its turn."""


@click.command()
@click.option("--minutes", default=MINUTES, show_default=True)
def main(minutes: int) -> None:
    """Print a row a minute, and what grew after the first ten."""
    asyncio.run(_main(minutes))


async def _main(minutes: int) -> None:
    port = free_port()
    runner = await scene.serve_pages(port)
    with system.settings() as settings, system.running(settings, compact=False):
        async with (
            await Browser.launch(installed.install(settings)) as browser,
            assistant(settings, name="ann") as client,
        ):
            await client.connected()
            await pilot(browser, on=True)
            tab = await browser.new_tab(f"http://127.0.0.1:{port}/small.html")
            await tab.activate()
            await tab.evaluate(PRINTING)
            await _rows(client, browser, await number_of(client, tab), minutes)
    await runner.cleanup()


async def _rows(client: Assistant, browser: Browser, number: int, minutes: int) -> None:
    services = list(await client.pids())
    names = [*services, "Chromium"]
    print("| minute | calls | errors | p50, p99 ms | " + " | ".join(f"{name} MB" for name in names) + " |")
    print("|---" * (4 + len(names)) + "|")
    seen: list[list[float]] = []
    for minute in range(minutes):
        took_ms, errors = await _minute(client, number)
        pids = await client.pids()
        seen.append([*(_megabytes([pids[name]]) for name in services), _megabytes(_tree(browser.process.pid))])
        percentiles = statistics.quantiles(took_ms, n=100)
        cells = [minute + 1, len(took_ms), errors, f"{percentiles[49]:.0f}, {percentiles[98]:.0f}"]
        print("|", " | ".join(map(str, cells + [f"{value:.1f}" for value in seen[-1]])), "|", flush=True)
    after = seen[min(SETTLED_MINUTES, len(seen)) - 1]
    grown = [f"{name} {now - then:+.1f}" for name, then, now in zip(names, after, seen[-1], strict=True)]
    print(f"\nMB since minute {SETTLED_MINUTES}:", ", ".join(grown))


async def _minute(client: Assistant, number: int) -> tuple[list[float], int]:
    """Call for a minute at an even pace; give the times of the calls, and how many failed."""
    took_ms: list[float] = []
    failures = 0
    begun = time.monotonic()
    for turn in range(60 * CALLS_PER_S):
        await asyncio.sleep(max(0.0, begun + turn / CALLS_PER_S - time.monotonic()))
        tool, arguments = CALLS[turn % len(CALLS)]
        at = time.monotonic()
        text, failed = await client.text(tool, tab_id=number, **arguments)
        took_ms.append((time.monotonic() - at) * 1000)
        if failed or "outcome_unknown" in msgspec.json.decode(text):
            failures += 1
            print(tool, arguments, text, file=sys.stderr, flush=True)
    return took_ms, failures


def _megabytes(pids: list[int]) -> float:
    """Give the memory that processes have for themselves: what they share with others is not their own."""
    files = (Path(f"/proc/{pid}/smaps_rollup") for pid in pids)
    lines = [line for file in files for line in file.read_text().splitlines()]
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024


def _tree(pid: int) -> list[int]:
    """Give a process and all that it started."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(below for child in children for below in _tree(int(child)))]


if __name__ == "__main__":
    main()
