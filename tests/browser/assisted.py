"""Puts an assistant before a page of a real system; it must know no test."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from browser.scene import page
from browser.user import number_of, pilot
from gasoline_bridge import installed
from gasoline_bridge.devtools import Browser, Tab
from gasoline_broker.settings import Settings
from system import Assistant, assistant

Reply = dict[str, Any]


class Scene:
    """An assistant at a page, in one tab."""

    def __init__(self, client: Assistant, tab: Tab, number: int) -> None:
        self.client = client
        self.tab = tab
        self.number = number

    async def do(self, action: str, **arguments: Any) -> Reply:
        """Act, and give the reply of what must succeed."""
        return await self.client.call("interact", action=action, tab_id=self.number, **arguments)

    async def fail(self, action: str, **arguments: Any) -> Reply:
        """Act, and give the error of what must fail."""
        return await self.client.error("interact", action=action, tab_id=self.number, **arguments)


@asynccontextmanager
async def at(live: Settings, chrome: Browser, url: str) -> AsyncIterator[Scene]:
    """Open a page in front of an assistant that may act."""
    await pilot(chrome, on=True)
    async with assistant(live, name="ann") as client, page(chrome, url) as tab:
        yield Scene(client, tab, await number_of(client, tab))


@asynccontextmanager
async def connected_browser(live: Settings) -> AsyncIterator[Browser]:
    """Start a browser with the extension as `gasoline extension install` made it, and wait until it is connected."""
    async with await Browser.launch(installed.install(live)) as browser:
        async with assistant(live) as client:
            await client.connected()
        yield browser
