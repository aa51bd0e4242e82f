"""Counts how often a click's reply states that nothing has changed on a page that changes a moment later.

The wait for rest is 50 ms after the last change. A wait of 34 ms, for a page in which nothing has happened by then,
missed what timers of 36 to 50 ms do, and 14 of 56 ends of an animation of 40 ms.
"""

import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.actions import Place, place

CLICKS = 1_000

LATE = {
    "in the handler": "done()",
    "a microtask": "Promise.resolve().then(done)",
    "a timer of 0 ms": "setTimeout(done)",
    "a timer of 10 ms": "setTimeout(done, 10)",
    "a timer of 20 ms": "setTimeout(done, 20)",
    "a timer of 36 ms": "setTimeout(done, 36)",
    "a timer of 45 ms": "setTimeout(done, 45)",
    "a timer of 50 ms": "setTimeout(done, 50)",
    "a message to itself": "onmessage = done; postMessage(0)",
    "a frame": "requestAnimationFrame(done)",
    "two frames": "requestAnimationFrame(() => requestAnimationFrame(done))",
    "idle time": "requestIdleCallback(done)",
    "a request": "fetch('blank.html').then(done)",
    "a slow request": "fetch('answers.js').then((r) => r.text()).then(() => fetch('blank.html')).then(done)",
    "a picture": "Object.assign(new Image(), { onload: done, onerror: done, src: 'none.png?' + Math.random() })",
    "a script": (
        "document.head.append(Object.assign(document.createElement('script'), { onload: done, src: 'answers.js' }))"
    ),
    "a worker": "worker.onmessage = done; worker.postMessage(0)",
    "a database": "const open = indexedDB.open('late'); open.onsuccess = done",
    "a transition of 40 ms": "fades.style.opacity = fades.style.opacity === '0' ? 1 : 0",
    "an animation of 40 ms": "fades.animate([{ opacity: 0 }, { opacity: 1 }], 40).onfinish = done",
    "an element that comes into view": (
        "new IntersectionObserver(([e], o) => { if (e.isIntersecting) { o.disconnect(); done(); } }).observe(by)"
    ),
}
BEYOND = {f"a timer of {ms} ms": f"setTimeout(done, {ms})" for ms in (53, 56, 60)}

PAGE = """
document.body.innerHTML =
  '<button id=by>Change</button><p id=shown>0</p><i id=fades style="transition: opacity 40ms">x</i>';
const [by, shown, fades] = ['by', 'shown', 'fades'].map((id) => document.getElementById(id));
const worker = new Worker(URL.createObjectURL(new Blob(['onmessage = () => postMessage(0)'])));
const done = () => (shown.textContent = Number(shown.textContent) + 1);
Object.assign(globalThis, { by, shown, fades, worker, done });
fades.ontransitionend = done; by.onclick = () => late(); 0
"""


async def main() -> None:
    """Print a row for each way in which a page may change."""
    async with place("blank.html") as (at, _):
        await at.tab.evaluate(PAGE)
        missed = 0
        each = CLICKS // len(LATE) + 1
        for name, script in LATE.items():
            missed += await _row(at, name, script, each)
        print(f"{missed} of {each * len(LATE)} replies without the change\n\nbeyond the wait:")
        for name, script in BEYOND.items():
            await _row(at, name, script, 20)


async def _row(at: Place, name: str, script: str, clicks: int) -> int:
    await at.tab.evaluate(f"globalThis.late = () => {{ {script} }}; 0")
    missed = 0
    for _ in range(clicks):
        told = await at.do("click", selector="#by")
        missed += told["dom_summary"] == "no changes"
        await asyncio.sleep(0.05)  # until what came late is there
    print(f"{name:<40}{missed:>4} of {clicks}   {told.get('dom_summary')}", flush=True)
    return missed


if __name__ == "__main__":
    asyncio.run(main())
