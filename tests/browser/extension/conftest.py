"""A stage for what is captured: a browser whose pages say what they like to the service worker, and what arrives."""

import contextlib
import json
import secrets
from collections.abc import AsyncIterator
from typing import Any

import pytest

from browser import scene
from browser.bridge_double import BridgeDouble, Message
from browser.scene import Install
from gasoline_bridge import installed
from gasoline_bridge.devtools import Browser, ChromiumError, Tab, until
from gasoline_demo.site import free_port


class Stage:
    """One browser, its bridge, and pages in tabs."""

    def __init__(self, browser: Browser, bridge: BridgeDouble, pages: str) -> None:
        self.browser = browser
        self.bridge = bridge
        self.pages = pages
        self._tabs: list[Tab] = []

    async def visit(self, name: str = "small.html") -> tuple[Tab, int]:
        """Open a page in front, and give it with the number of its tab."""
        before = {tab["id"] for tab in (await self.bridge.result("list_tabs"))["tabs"]}
        self._tabs.append(await self.browser.new_tab(self.pages + name))
        after = {tab["id"] for tab in (await self.bridge.result("list_tabs"))["tabs"]}
        (number,) = after - before
        return self._tabs[-1], number

    async def in_worker(self, expression: str) -> Any:
        """Evaluate in the service worker, which wakes for it."""
        worker = await self.browser.service_worker()
        try:
            return await worker.evaluate(expression)
        finally:
            await worker.detach()

    async def set(self, **settings: object) -> None:
        """Store settings, as the popup does."""
        await self.in_worker(f"chrome.storage.local.set({json.dumps(settings)})")

    async def tracked(self) -> int | None:
        """Give the tab that is stored as tracked."""
        number: int | None = (await self.in_worker("chrome.storage.local.get('trackedTabId')")).get("trackedTabId")
        return number

    async def close_all(self) -> None:
        """Close what was visited."""
        while self._tabs:
            with contextlib.suppress(ChromiumError):  # the test may have closed it
                await self._tabs.pop().close()


def logs(*texts: object) -> list[Message]:
    """Make lines of the console."""
    return [{"ts": 1763742000000, "type": "console", "level": "log", "args": [text]} for text in texts]


async def say(tab: Tab, what: str, events: list[Message]) -> None:
    """Have a page's relay `capture` events, or `hold` them."""
    detail = json.dumps(json.dumps(events))
    await tab.evaluate(f"void document.dispatchEvent(new CustomEvent('{what}', {{ detail: {detail} }}))")


async def told(tab: Tab) -> Message:
    """Give what the page's relay was told, and how much it still waits with."""
    seen: Message = json.loads(
        await tab.evaluate("document.dispatchEvent(new Event('ask')), document.documentElement.dataset.told")
    )
    return seen


async def until_told(tab: Tab, **capture: bool) -> None:
    """Wait until the page's relay was told, last of all, to capture so."""

    async def look() -> bool:
        captures = (await told(tab))["captures"]
        return bool(captures) and capture.items() <= captures[-1].items()

    await until(look, f"the relay to be told {capture}")


def texts(events: list[Message]) -> list[object]:
    """Give what lines of the console say."""
    return [event["args"][0] for event in events if event["type"] == "console"]


PILOT_OFF = """
chrome.storage.sync.get('aiWebPilotEnabled')
  .then(({ aiWebPilotEnabled: is }) => is && chrome.storage.sync.set({ aiWebPilotEnabled: false })).then(() => 0)
"""
"""Chrome takes 120 writes a minute, so that none is made that changes nothing."""


@pytest.fixture(scope="session")
async def relayed(install: Install, pages: str) -> AsyncIterator[Stage]:
    """Start a browser whose extension has the relay's double."""
    bridge = BridgeDouble(secrets.token_urlsafe(32), installed.origin(), free_port())
    await bridge.start()
    folder = install(bridge.token, bridge.port)
    scene.stand_in_for_relay(folder)
    async with await Browser.launch(folder) as browser:
        await bridge.until_connected()
        yield Stage(browser, bridge, pages)
    await bridge.stop()


@pytest.fixture
async def stage(relayed: Stage) -> AsyncIterator[Stage]:
    """Give the stage with every setting as at first, nothing stored and nothing under way."""
    await relayed.bridge.restore()
    await relayed.in_worker("chrome.storage.local.clear()")
    await relayed.in_worker(PILOT_OFF)
    relayed.bridge.stored.clear()
    relayed.bridge.heard.clear()
    yield relayed
    await relayed.bridge.restore()
    await relayed.close_all()


async def switch_pilot(browser: Browser, *, on: bool) -> None:
    """Store the switch of AI Web Pilot as the popup does, if it stands otherwise: Chrome takes 120 writes a minute."""
    worker = await browser.service_worker()
    await worker.evaluate(
        "chrome.storage.sync.get('aiWebPilotEnabled').then(({ aiWebPilotEnabled: is = false }) =>"
        f" is === {json.dumps(on)} || chrome.storage.sync.set({{ aiWebPilotEnabled: {json.dumps(on)} }})).then(() => 0)"
    )
    await worker.detach()


@pytest.fixture
async def acting(bridge: BridgeDouble, chromium: Browser) -> None:
    """Have AI Web Pilot on, and commands asked in an assistant's name."""
    bridge.client = {"id": "0011223344556677", "name": "ann"}
    await switch_pilot(chromium, on=True)
