"""A page cannot notice the extension: a report of what it sees is the same with it and without it."""

import asyncio
import json
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from browser.collector import Collector
from browser.scene import ROOT
from gasoline_bridge.devtools import Browser

Report = dict[str, Any]

SOURCE = (ROOT / "tests" / "pages" / "conformance.js").read_text()

FRAMES = ("frames in the stack of a failed request", "frames in the stack of an illegal call")
UNAVOIDABLE = {"toString", *FRAMES}
"""A Proxy's source text has no name, and a call through it is a frame of the stack."""

PAGES = ["conformance.html", "trusted-conformance.html", "strict-conformance.html", "clears-conformance.html"]

SOCKET_IO = Path(__file__).parents[1] / "socket_io_server.mjs"


@pytest.fixture(scope="module")
async def plain() -> AsyncIterator[Browser]:
    """Start a browser without any extension."""
    async with await Browser.launch(None) as browser:
        yield browser


@pytest.fixture(scope="module")
async def plain_report(plain: Browser) -> Callable[[str], Awaitable[Report]]:
    """Return what a page sees without the extension; each page is asked once."""
    reports: dict[str, Report] = {}

    async def report(address: str) -> Report:
        if address not in reports:
            reports[address] = await _report(plain, address)
        return reports[address]

    return report


async def _report(browser: Browser, address: str, names: set[str] | None = None) -> Report:
    """Let a page report; where its policy forbids its script, that is brought in from outside."""
    tab = await browser.new_tab(address)
    try:
        if not await tab.evaluate("'conform' in globalThis"):
            await tab.evaluate(SOURCE)
        chosen = json.dumps(sorted(names)) if names else "undefined"
        await tab.evaluate(f"conform({chosen}).then((report) => {{ globalThis.told = report; }}); 0")
        report: Report = await tab.until("globalThis.told", 240)
        return report
    finally:
        await tab.close()


@pytest.mark.requirement(
    "capture-014",
    "capture-015",
    "capture-016",
    "capture-017",
    "capture-018",
    "capture-019",
    "capture-020",
    "capture-023",
)
@pytest.mark.requirement("002-165", "doors-012")
@pytest.mark.parametrize("bodies", [False, True])
@pytest.mark.parametrize("name", PAGES)
async def test_a_page_sees_the_same_with_the_extension_and_without(
    collector: Collector, plain_report: Callable[[str], Awaitable[Report]], name: str, *, bodies: bool
) -> None:
    await collector.want(bodies=bodies)
    address = collector.pages + name

    theirs, ours = await asyncio.gather(plain_report(address), _report(collector.browser, address))

    assert len(ours) >= 65
    assert {name: ours[name] for name in ours if name not in UNAVOIDABLE} == {
        name: theirs[name] for name in theirs if name not in UNAVOIDABLE
    }
    assert "took too long" not in ours.values()
    assert name != "conformance.html" or [10_000, 0] == ours["messages in order"]


async def test_the_differences_that_cannot_be_avoided_are_these(collector: Collector, plain: Browser) -> None:
    address = collector.pages + "conformance.html"

    ours = await _report(collector.browser, address, UNAVOIDABLE)
    theirs = await _report(plain, address, UNAVOIDABLE)

    changed = {text for name, text in ours["toString"].items() if text != theirs["toString"][name]}
    assert changed == {"function () { [native code] }"}
    assert [theirs[name] for name in FRAMES] == [0, 0]
    assert [ours[name] for name in FRAMES] == [1, 1]


AXIOS = """
(async () => {
  const told = [];
  for (const adapter of ['xhr', 'fetch']) {
    const client = axios.create({ adapter, baseURL: location.origin });
    told.push((await client.post('/api/echo', { name: 'Ada' })).data);
    told.push(await client.get('/api/echo?status=404').catch((fault) => [fault.code, fault.response.status]));
    told.push(await client.get('/api/slow', { timeout: 50 }).catch((fault) => fault.code));
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 20);
    told.push(await client.get('/api/slow', { signal: stop.signal }).catch((fault) => fault.code));
    told.push(await client.get('http://127.0.0.1:9/').catch((fault) => fault.code));
  }
  return told;
})()
"""

SOCKETS = """
(async () => {
  const told = [];
  for (const transports of [['websocket'], ['polling'], ['polling', 'websocket']]) {
    const socket = io('http://127.0.0.1:%d', { transports, forceNew: true });
    await new Promise((done, fail) => { socket.on('connect', done); socket.on('connect_error', fail); });
    told.push(await socket.emitWithAck('echo', { text: 'hi', bytes: new Uint8Array([1, 2, 3]).buffer.byteLength }));
    const got = [];
    const all = new Promise((done) => socket.on('tick', (n) => { got.push(n); if (got.length === 200) done(); }));
    socket.emit('ticks', 200);
    await all;
    told.push(got.every((n, at) => n === at), transports.length > 1 || socket.io.engine.transport.name);
    socket.disconnect();
    told.push(socket.connected);
  }
  return told;
})()
"""


@pytest.fixture(scope="module")
def socket_io() -> Iterator[int]:
    """Start a real socket.io server, and give its port."""
    with subprocess.Popen(["node", str(SOCKET_IO)], stdout=subprocess.PIPE, text=True) as server:  # noqa: S607
        assert server.stdout is not None
        yield int(server.stdout.readline())
        server.terminate()


async def _told(browser: Browser, pages: str, library: str, expression: str) -> Any:
    tab = await browser.new_tab(pages + "capture.html")
    try:
        await tab.evaluate(
            "new Promise((done) => { const script = document.createElement('script');"
            f"script.src = '{library}'; script.onload = () => done(0); document.head.append(script); }})"
        )
        return await tab.evaluate(expression)
    finally:
        await tab.close()


@pytest.mark.requirement("capture-022")
@pytest.mark.parametrize("bodies", [False, True])
async def test_axios_works_as_without_the_extension(collector: Collector, plain: Browser, *, bodies: bool) -> None:
    await collector.want(bodies=bodies)

    ours = await _told(collector.browser, collector.pages, "axios.js", AXIOS)

    assert ours == await _told(plain, collector.pages, "axios.js", AXIOS)
    assert ours[0] == {"name": "Ada"}


@pytest.mark.requirement("capture-022")
@pytest.mark.parametrize("bodies", [False, True])
async def test_socket_io_works_as_without_the_extension(
    collector: Collector, plain: Browser, socket_io: int, *, bodies: bool
) -> None:
    await collector.want(bodies=bodies)

    ours = await _told(collector.browser, collector.pages, "socket.io.js", SOCKETS % socket_io)

    assert ours == await _told(plain, collector.pages, "socket.io.js", SOCKETS % socket_io)
    assert ours[0] == {"text": "hi", "bytes": 3}
