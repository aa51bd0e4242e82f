"""Measures what capture costs a page: per WebSocket message, request and console call, with the extension and without.

All in one run, the browsers in turn, round after round, so that whatever else the machine does hits both alike. The
budgets of seed 002 are about 0.1 ms a message and 2 ms a request. What exceeds 1,000 events a second is dropped before
it is described: calls are spread so that all are captured. The nasty lines may cost 1 ms each. Chrome makes text of a
long bigint for its console, which takes it tenths of a second: those rows call less often. The first lines after a rest
may take 100 ms together.
"""

import asyncio
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser import scene
from browser.collector import Collector
from gasoline_bridge.devtools import Browser, Tab
from gasoline_demo.site import free_port

ROUNDS: Final = 7

SETUP: Final = """
globalThis.timed = async (count, act) => {
  const begun = performance.now();
  for (let n = 0; n < count; n++) await act(n);
  return (performance.now() - begun) / count;
};
globalThis.wide = Object.fromEntries(Array.from({length: 100_000}, (_, n) => [`key${n}`, n]));
globalThis.endless = new Proxy({}, { getPrototypeOf: () => endless });
globalThis.trapped = new Proxy(wide, {});
globalThis.deep = Array.from({length: 1_000}).reduce((inner) => ({inner, more: [inner]}), {});
globalThis.long = [2n ** 1_000_000n, 'x'.repeat(1_000_000), new Map(Object.entries(wide))];
globalThis.nasty = [wide, endless, trapped, deep, ...long];
globalThis.socket = new WebSocket(location.href.replace('http', 'ws').replace(/[^/]*$/, 'api/socket'));
new Promise((done) => { socket.onopen = () => done(0); })
"""

ACTS: Final = {
    "console.debug, a text and an object": "timed(300, () => console.debug('a text', {id: 1, tags: ['a', 'b']}))",
    "console.error, with its stack": "timed(300, () => console.error('a text'))",
    "console.debug, an object of 100,000 keys": "timed(300, () => console.debug(wide))",
    "console.debug, a Proxy of 100,000 keys": "timed(300, () => console.debug(trapped))",
    "console.debug, a Proxy without an end": "timed(300, () => console.debug(endless))",
    "console.debug, a Map of 100,000 keys": "timed(300, () => console.debug(long[2]))",
    "console.debug, a text of 1,000,000 characters": "timed(10, () => console.debug(long[1]))",
    "console.debug, a bigint of 1,000,000 bits": "timed(3, () => console.debug(long[0]))",
    "console.debug, all of these and more": "timed(10, () => console.debug(nasty, ...nasty))",
    "WebSocket message, there and back": (
        "timed(150, (n) => new Promise((done) => { socket.onmessage = done; socket.send(`message ${n}`); }))"
    ),
    "fetch, JSON": "timed(100, () => fetch('api/echo', {method: 'POST', body: '{\"a\":1}'}).then((it) => it.json()))",
    "XMLHttpRequest": (
        "timed(100, () => new Promise((done) => { const xhr = new XMLHttpRequest(); xhr.onload = done;"
        " xhr.open('POST', 'api/echo'); xhr.send('x'); }))"
    ),
}


async def main() -> None:
    """Print the table."""
    port = free_port()
    runner = await scene.serve_pages(port)
    with tempfile.TemporaryDirectory() as folder:
        extension = scene.stand_in_for_worker(scene.install(Path(folder) / "extension", None, port))
        async with await Browser.launch(None) as plain, await Browser.launch(extension) as captured:
            worker = await captured.service_worker()
            address = f"http://127.0.0.1:{port}/"
            tabs = {name: await _tab(browser, address) for name, browser in (("without", plain), ("with", captured))}
            times = await _measure(tabs, Collector(captured, worker, address))
    await runner.cleanup()
    _print(times)


async def _tab(browser: Browser, address: str) -> Tab:
    tab = await browser.new_tab(address + "capture.html")
    await tab.evaluate(SETUP)
    return tab


async def _measure(tabs: dict[str, Tab], collector: Collector) -> dict[str, dict[str, list[float]]]:
    columns = ("without", "with", "with bodies")
    times: dict[str, dict[str, list[float]]] = {act: {column: [] for column in columns} for act in ACTS}
    for _ in range(ROUNDS):
        for act, expression in ACTS.items():
            for column in columns:
                await collector.want(bodies=column == "with bodies")
                await asyncio.sleep(0.5)  # the bucket fills up again
                times[act][column].append(await tabs[column.split()[0]].evaluate(expression))
    return times


def _print(times: dict[str, dict[str, list[float]]]) -> None:
    heads = ("without", "with", "more", "ratio", "bodies", "more")
    print(f"{f'ms each, median of {ROUNDS}':<46}" + "".join(f"{head:>9}" for head in heads))
    for act, columns in times.items():
        without, plain, bodies = (statistics.median(values) for values in columns.values())
        print(
            f"{act:<46}{without:>9.3f}{plain:>9.3f}{plain - without:>9.3f}{plain / without:>9.2f}"
            f"{bodies:>9.3f}{bodies - without:>9.3f}"
        )


asyncio.run(main())
