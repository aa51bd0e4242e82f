"""Fixtures of the browser tests: pages, installed copies of the extension, a double of the bridge, one browser."""

import secrets
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

import system
from browser import scene
from browser.assisted import connected_browser
from browser.bridge_double import BridgeDouble
from browser.collector import Collector
from browser.scene import Install, Open
from browser.tabs import Tabs
from gasoline_bridge import installed
from gasoline_bridge.devtools import Browser, Tab
from gasoline_broker.settings import Settings
from gasoline_demo.site import free_port


@pytest.fixture(scope="session")
async def pages() -> AsyncIterator[str]:
    """Serve the fixture pages, and give the address that they are served at."""
    port = free_port()
    runner = await scene.serve_pages(port)
    yield f"http://127.0.0.1:{port}/"
    await runner.cleanup()


@pytest.fixture(scope="session")
def install(tmp_path_factory: pytest.TempPathFactory) -> Install:
    """Make copies of the extension."""

    def install(token: str | None, port: int) -> Path:
        return scene.install(tmp_path_factory.mktemp("install") / "extension", token, port)

    return install


@pytest.fixture(scope="session")
async def listening() -> AsyncIterator[BridgeDouble]:
    """Listen as a bridge would, for the one browser of the run."""
    double = BridgeDouble(secrets.token_urlsafe(32), installed.origin(), free_port())
    await double.start()
    yield double
    await double.stop()


@pytest.fixture(scope="session")
async def chromium(listening: BridgeDouble, install: Install) -> AsyncIterator[Browser]:
    """Start the browser with an extension that belongs to the bridge, and wait until it is connected."""
    folder = scene.hold_dialogs_longer(install(listening.token, listening.port))
    async with await Browser.launch(folder) as browser:
        await listening.until_connected()
        yield browser


@pytest.fixture
async def bridge(listening: BridgeDouble, chromium: Browser) -> BridgeDouble:
    """Give the bridge with the browser at its other end, as it was at the start, whatever the last test did to it."""
    assert chromium.process.returncode is None
    await listening.restore()
    return listening


@pytest.fixture(scope="session")
async def tabs(chromium: Browser, pages: str) -> Tabs:
    """Keep the tabs of the tests."""
    return Tabs(chromium, pages)


@pytest.fixture
async def visit(tabs: Tabs) -> AsyncIterator[Open]:
    """Open fixture pages: the first in the tab that the test before has left, if there is one."""
    yield tabs.visit
    await tabs.finish()


@pytest.fixture
async def look(tabs: Tabs) -> AsyncIterator[Open]:
    """Show fixture pages to a test that changes nothing of them, so that the next one may look at them too."""
    yield tabs.look
    await tabs.finish()


@pytest.fixture
async def rows(tabs: Tabs, request: pytest.FixtureRequest) -> AsyncIterator[Open]:
    """Show a fixture page to the rows of one test, of which each works at a place of its own: the first loads it."""
    assert isinstance(request.node, pytest.Function)
    test = request.node.originalname

    async def show(name: str) -> Tab:
        return await tabs.look(name, f" of {test}")

    yield show
    await tabs.finish()


@pytest.fixture
async def fresh_tab(tabs: Tabs) -> AsyncIterator[None]:
    """Have a test begin with a new tab, and leave none: one with a history, dialogs, or input as of a user."""
    await tabs.close()
    yield
    await tabs.close()


@pytest.fixture(scope="session")
async def collecting_browser(install: Install) -> AsyncIterator[Browser]:
    """Start a browser whose service worker collects events."""
    async with await Browser.launch(scene.stand_in_for_worker(install(None, free_port()))) as browser:
        yield browser


@pytest.fixture(scope="module")
async def collecting(collecting_browser: Browser, pages: str) -> AsyncIterator[Collector]:
    """Give a file's tests a collector, and leave no page of theirs behind, which might be busy."""
    waking = await collecting_browser.new_tab(f"{pages}small.html")  # of a browser that has long been idle
    collector = Collector(collecting_browser, await collecting_browser.service_worker(), pages)
    await waking.close()
    yield collector
    await collector.close()


@pytest.fixture
async def collector(collecting: Collector) -> AsyncIterator[Collector]:
    """Give the collector, as it was at the start, and close the pages after the test."""
    yield collecting
    await collecting.restore()


@pytest.fixture(scope="session")
def live() -> Iterator[Settings]:
    """Run the system, for all tests that leave it as they found it."""
    with system.settings() as made, system.running(made) as up:
        yield up


@pytest.fixture(scope="session")
async def chrome(live: Settings) -> AsyncIterator[Browser]:
    """Start a browser with the extension as `gasoline extension install` made it, and wait until it is connected."""
    async with connected_browser(live) as browser:
        yield browser
