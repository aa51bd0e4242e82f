"""Measures Draw Mode against the seed's Performance Targets (seed 004), on a page of 1,200 elements.

Parts are timed where they run: in the content script, the page or the service worker. Calls are timed from an
assistant's call to its reply, so they have everything between.
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

from bench.actions import Place, place
from gasoline_bridge.devtools import Session
from gasoline_demo import person

RUNS = 30
HANDS_S = 1.1  # an action waits until the person's hands are quiet for a second
FILL = """
document.body.innerHTML = Array.from({ length: 400 }, (_, at) =>
  `<p style="display:inline-block;margin:4px"><a href="#${at}" id="link${at}">Link <b>${at}</b></a></p>`).join('');
0
"""
FRAMES = """
globalThis.frames_ = [];
(function next(last) { requestAnimationFrame((now) => { if (last) frames_.push(now - last); next(now); }); })();
0
"""
KEPT = """(async () => {
  const one = { id: 'ann_1_a', rect: { x: 1, y: 2, width: 3, height: 4 }, text: 'x'.repeat(80), look: 'y'.repeat(900) };
  const begun = performance.now();
  await chrome.storage.session.set({ bench: Array.from({ length: 20 }, () => one) });
  return performance.now() - begun;
})()"""


async def in_content(worker: Session, number: int, script: str) -> float:
    """Time an expression in the content script, in ms."""
    timed = f"const begun = performance.now(); {script}; return performance.now() - begun"
    inject = f"chrome.scripting.executeScript({{ target: {{ tabId: {number} }}, func: () => {{ {timed} }} }})"
    return float(await worker.evaluate(f"{inject}.then(([frame]) => frame.result)"))


async def timed(call: Callable[[], Awaitable[Any]]) -> float:
    begun = time.perf_counter()
    await call()
    return (time.perf_counter() - begun) * 1_000


def row(name: str, times: list[float], target: str) -> None:
    spread = f"{statistics.median(times):>8.1f}{statistics.quantiles(times, n=20)[-1]:>8.1f}{max(times):>8.1f}"
    print(f"{name:<44}{spread}{target:>10}")


async def drawn(at: Place, worker: Session) -> None:
    """Draw again and again, and print each part's times."""

    tab, number = at.tab, at.number
    opened, shown, released, pictured = list[float](), list[float](), list[float](), list[float]()
    for run in range(RUNS):
        await asyncio.sleep(HANDS_S)
        opened.append(await timed(lambda: at.do("draw_mode_start")))
        x, y, width, height = await tab.evaluate(person.BOX.format(f"document.querySelector('#link{run * 7}')"))
        await tab.send("Input.dispatchMouseEvent", type="mousePressed", x=x - 3, y=y - 3, button="left", buttons=1)
        for step in range(5):
            await tab.send("Input.dispatchMouseEvent", type="mouseMoved", x=x + step, y=y + step, buttons=1)
        end = {"type": "mouseReleased", "x": x + width + 3, "y": y + height + 3, "button": "left", "clickCount": 1}
        released.append(await timed(partial(tab.send, "Input.dispatchMouseEvent", **end)))
        await person.write(tab, str(run))
        await person.leave(tab)
        pictured.append(await timed(lambda: at.client.call("analyze", action="annotations", wait=True)))
        script = "gasoline.handlers.draw_start({})"
        shown.append(await in_content(worker, number, script))
        await in_content(worker, number, "gasoline.handlers.draw_finish({})")
        await tab.until("!document.querySelector(':modal')")
    name = (await at.client.call("analyze", action="annotations"))["annotations"][0]["correlation_id"]
    detail = {"action": "annotation_detail", "correlation_id": name}
    details = [await timed(lambda: at.client.call("analyze", **detail)) for _ in range(RUNS)]
    styles = [
        await in_content(worker, number, "gasoline.handlers.draw_detail({ selector: '#link7' })") for _ in range(RUNS)
    ]
    row("overlay activation, in the page", shown, "< 50")
    row("  interact(draw_mode_start), the whole call", opened, "")
    row("element capture, release of the mouse", released, "< 100")
    row("computed styles, in the page", styles, "< 200")
    row("  analyze(annotation_detail), the whole call", details, "")
    row("screenshot: from Escape to the reply with it", pictured, "< 500")
    row("storage of 20 annotations, in the worker", [await worker.evaluate(KEPT) for _ in range(RUNS)], "< 50")


async def frames(at: Place) -> None:
    """Drag for two seconds, and print the time between frames."""
    tab = at.tab
    await at.do("draw_mode_start")
    await tab.evaluate(FRAMES)
    await tab.send("Input.dispatchMouseEvent", type="mousePressed", x=20, y=20, button="left", buttons=1, clickCount=1)
    for step in range(200):
        await tab.send("Input.dispatchMouseEvent", type="mouseMoved", x=20 + step * 4, y=20 + step * 2, buttons=1)
        await asyncio.sleep(0.008)
    await tab.send("Input.dispatchMouseEvent", type="mouseReleased", x=30, y=22, button="left", clickCount=1)
    row("rectangle: between two frames of a drag", await tab.evaluate("frames_"), "< 16.7")
    await person.leave(tab)


async def main() -> None:
    """Print a row for each target."""
    print(f"{'ms':<44}{'p50':>8}{'p95':>8}{'longest':>8}{'target':>10}")
    async with place("drawn.html") as (at, browser):
        await at.tab.evaluate(FILL)
        worker = await browser.service_worker()
        await drawn(at, worker)
        await frames(at)
        await worker.detach()


if __name__ == "__main__":
    asyncio.run(main())
