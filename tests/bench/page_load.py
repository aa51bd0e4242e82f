"""Measures what the extension costs the load of an empty page, and of one with 20 empty frames.

All in one run, the browsers in turn, so that what else the machine does hits both alike. Goals: at most 1.25 times the
load of the empty page, and 1.1 times that of the one with frames.
"""

import asyncio
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from aiohttp import web

from browser import scene
from gasoline_bridge.demo.chromium import Browser, Tab
from gasoline_bridge.demo.site import free_port

ROUNDS: Final = 40
FRAMES: Final = 20
EMPTY: Final = "<!doctype html><title>empty</title>"
PAGES: Final = {
    "an empty page": EMPTY,
    f"with {FRAMES} empty frames": EMPTY + '<iframe src="/empty"></iframe>' * FRAMES,
}
GOALS: Final = (1.25, 1.1)

LOADED: Final = """
new Promise((done) => {
  const look = () => {
    const [{ loadEventEnd }] = performance.getEntriesByType('navigation');
    if (loadEventEnd) done(loadEventEnd);
    else setTimeout(look, 5);
  };
  look();
})
"""


async def main() -> None:
    """Print the table."""
    port = free_port()
    runner = await _serve(port)
    with tempfile.TemporaryDirectory() as folder:
        extension = scene.stand_in_for_worker(scene.install(Path(folder) / "extension", None, port))
        async with await Browser.launch(None) as plain, await Browser.launch(extension) as captured:
            tabs = [await browser.new_tab(f"http://127.0.0.1:{port}/empty") for browser in (plain, captured)]
            times = {name: await _measure(tabs, f"http://127.0.0.1:{port}/{at}") for at, name in enumerate(PAGES)}
    await runner.cleanup()
    _print(times)


async def _serve(port: int) -> web.AppRunner:
    async def page(request: web.Request) -> web.Response:
        name = request.match_info["name"]
        text = EMPTY if name == "empty" else list(PAGES.values())[int(name)]
        return web.Response(text=text, content_type="text/html")

    application = web.Application()
    application.add_routes([web.get("/{name:empty|[01]}", page)])
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    return runner


async def _measure(tabs: list[Tab], url: str) -> list[list[float]]:
    times: list[list[float]] = [[] for _ in tabs]
    for _ in range(ROUNDS):
        for tab, spent in zip(tabs, times, strict=True):
            await tab.navigate(url)
            spent.append(await tab.evaluate(LOADED))
    return times


def _print(times: dict[str, list[list[float]]]) -> None:
    heads = ("without", "with", "ratio", "goal")
    print(f"{f'ms until loaded, median of {ROUNDS}':<38}" + "".join(f"{head:>9}" for head in heads))
    for (name, both), goal in zip(times.items(), GOALS, strict=True):
        without, captured = (statistics.median(spent) for spent in both)
        print(f"{name:<38}{without:>9.1f}{captured:>9.1f}{captured / without:>9.2f}{goal:>9.2f}")


if __name__ == "__main__":
    asyncio.run(main())
