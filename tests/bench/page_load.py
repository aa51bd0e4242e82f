"""Measures what the extension costs the load of a page: an empty one, and one with twenty empty frames.

    page_load.py [FOLDER …]     other builds of the extension, to compare in the same run

One browser without an extension, one with each build, all loading in turn. The time is the page's own, from the start
of its navigation to the end of its `load` event. The goals are 1.25 x for the empty page and 1.1 x for the frames.
"""

import asyncio
import contextlib
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser import scene
from gasoline_bridge.devtools import Browser, Tab
from gasoline_demo.site import free_port

ROUNDS: Final = 60
WARMED: Final = 5
PAGES: Final = ("blank.html", "twenty-frames.html")
LOADED: Final = "performance.getEntriesByType('navigation')[0].loadEventEnd"


async def main(folders: list[str]) -> None:
    """Print the table."""
    port = free_port()
    runner = await scene.serve_pages(port)
    address = f"http://127.0.0.1:{port}/"
    async with contextlib.AsyncExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        builds = {"without": None, "with": scene.install(home / "built", None, port)}
        builds |= {folder: Path(folder) for folder in folders}
        tabs = {
            name: await (await stack.enter_async_context(await Browser.launch(build))).new_tab()
            for name, build in builds.items()
        }
        times = {page: await _measure(tabs, address + page) for page in PAGES}
    await runner.cleanup()
    _print(times)


async def _measure(tabs: dict[str, Tab], url: str) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in tabs}
    for turn in range(WARMED + ROUNDS):
        for name, tab in tabs.items():
            await tab.navigate(url)
            took_ms = await tab.until(LOADED)
            if turn >= WARMED:
                times[name].append(took_ms)
    return times


def _print(times: dict[str, dict[str, list[float]]]) -> None:
    for page, by_name in times.items():
        plain = statistics.median(by_name["without"])
        for name, all_ms in by_name.items():
            middle = statistics.median(all_ms)
            print(f"{page:20} {name:30} {middle:7.1f} ms  {middle / plain:5.2f} x  (least {min(all_ms):.1f})")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
