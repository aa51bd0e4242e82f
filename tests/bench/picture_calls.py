"""Times a picture of what is in sight, 1280 x 720, from a client's call to the reply, beside `@playwright/mcp` and
`chrome-devtools-mcp`.

All have the same Chromium and page, in turn; between two calls are 0.6 s, since Chrome gives an extension two
pictures a second.
"""

import asyncio
import contextlib
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from apps.place import Place, devtools_place, place, playwright_place
from browser import scene
from browser.user import number_of
from gasoline_bridge.devtools import Tab
from gasoline_demo.site import free_port

RUNS = 30
APART_S = 0.6
SIZE = {"width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": False}

Call = Callable[[], Awaitable[tuple[int, int]]]
"""Takes a picture; gives the bytes of the reply's text and of its image."""


async def called(at: Place, tool: str, **arguments: Any) -> tuple[int, int]:
    """Call a tool, and give the bytes of its text and of its image."""
    result = await at.client.client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    text = sum(len(one.text) for one in result.content if one.type == "text")
    return text, sum(len(one.data) * 3 // 4 for one in result.content if one.type == "image")


@contextlib.asynccontextmanager
async def shown(at: Place, url: str) -> AsyncIterator[Tab]:
    """Have the page in front, at the size that is measured."""
    async with at.tab() as tab:
        await tab.send("Emulation.setDeviceMetricsOverride", **SIZE)
        await tab.navigate(url)
        yield tab


async def main() -> None:
    """Print a row for each way to take a picture."""
    port = free_port()
    runner = await scene.serve_pages(port)
    url = f"http://127.0.0.1:{port}/drawn.html"
    with tempfile.TemporaryDirectory(prefix="gs-saved-") as folder:
        async with contextlib.AsyncExitStack() as stack:
            ours = await stack.enter_async_context(place(Path(folder)))
            playwright = await stack.enter_async_context(playwright_place(Path(folder)))
            devtools = await stack.enter_async_context(devtools_place(Path(folder)))
            pages = [await stack.enter_async_context(shown(one, url)) for one in (ours, playwright, devtools)]
            await playwright.leave(pages[1])
            own = {"what": "screenshot", "tab_id": await number_of(ours.client, pages[0])}
            other = {"pageId": await devtools.page(pages[2])}
            saved = other | {"filePath": str(Path(folder, "picture.png"))}
            ways: dict[str, Call] = {
                "observe(screenshot)": lambda: called(ours, "observe", **own),
                "observe(screenshot, full), path only": lambda: called(ours, "observe", **own, full=True),
                "browser_take_screenshot": lambda: called(playwright, "browser_take_screenshot", type="png"),
                "take_screenshot": lambda: called(devtools, "take_screenshot", **other),
                "take_screenshot, path only": lambda: called(devtools, "take_screenshot", **saved),
            }
            print("The page has a password, which is hidden for a picture of ours: its mask is waited for, two frames.")
            await measure(ways)
            for page in pages:
                await page.evaluate("document.getElementById('secret').remove()")
            print("\nThe same page without it.")
            await measure(ways)
    await runner.cleanup()


async def measure(ways: dict[str, Call]) -> None:
    """Call each in turn, and print median, 95th percentile, and the bytes of a reply."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    sizes: dict[str, tuple[int, int]] = {}
    for _ in range(RUNS):
        for name, call in ways.items():
            await asyncio.sleep(APART_S)
            begun = time.perf_counter()
            sizes[name] = await call()
            times[name].append((time.perf_counter() - begun) * 1_000)
    print(f"{'':<40}{'p50 ms':>8}{'p95 ms':>8}{'text B':>8}{'image B':>9}")
    for name, taken in times.items():
        text, image = sizes[name]
        spread = f"{statistics.median(taken):>8.0f}{statistics.quantiles(taken, n=20)[-1]:>8.0f}"
        print(f"{name:<40}{spread}{text:>8}{image:>9}")


if __name__ == "__main__":
    asyncio.run(main())
