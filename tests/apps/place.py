"""Starts the system, a browser and a client, and takes the focus from the window, as when a terminal is in front.

In headless Chromium every window has the focus, whatever other windows there are. The extension's service worker asks
Chrome to give it away, `chrome.windows.update(id, {focused: false})`: the tab stays visible, `document.hasFocus()` is
false, and no `focus` and `blur` come, as when the user works in another program.
"""

import contextlib
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from mcp import Client, StdioServerParameters
from mcp.types import TextContent

import system
from apps.install import install
from apps.ours import Ours
from apps.theirs import Theirs, choose_tab
from gasoline_bridge import installed
from gasoline_bridge.devtools import Browser, ChromiumError, Tab
from gasoline_bridge.folders import Folders
from gasoline_demo import stage
from system import Assistant, assistant


@dataclass(frozen=True)
class Place:
    """A browser that an assistant may act in; saved files go to `downloads`, the `first` tab stays open."""

    browser: Browser
    client: Assistant
    downloads: Path
    first: str

    def tools(self) -> Ours:
        """Begin a session of the tools."""
        return Ours(self.client)

    @contextlib.asynccontextmanager
    async def tab(self) -> AsyncIterator[Tab]:
        """Open an empty tab; at the end, close every tab but the first."""
        tab = await self.browser.new_tab()
        await tab.activate()
        try:
            yield tab
        finally:
            for target in await self.browser.targets("page"):
                if target["targetId"] != self.first:
                    with contextlib.suppress(ChromiumError):
                        await self.browser.send("Target.closeTarget", targetId=target["targetId"])

    async def leave(self, tab: Tab) -> None:
        """Work in another program: the tab stays visible, and no window of the browser has the focus."""
        worker = await self.browser.service_worker()
        await worker.evaluate(
            "chrome.windows.getAll().then((all) => Promise.all(all.map(({ id }) =>"
            " chrome.windows.update(id, { focused: false }))))"
        )
        await worker.detach()
        assert await tab.evaluate("[document.hasFocus(), document.visibilityState]") == [False, "visible"]


@contextlib.asynccontextmanager
async def place(downloads: Path) -> AsyncIterator[Place]:
    """Run the system with a browser whose user has switched AI Web Pilot on, and allowed the tasks' files."""
    with system.settings() as settings, system.running(settings) as live:
        Folders(live).allow([tempfile.gettempdir()])
        async with await Browser.launch(installed.install(live)) as browser, assistant(live) as client:
            await client.connected()
            (first,) = await browser.targets("page")
            await stage.switch_on(browser, stage.PILOT)
            await browser.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(downloads))
            yield Place(browser, client, downloads, first["targetId"])


class PlaywrightPlace(Place):
    """The same for Playwright's tools, which give every page the focus."""

    def tools(self) -> Theirs:
        """Begin a session of the tools."""
        return Theirs(self.client)

    async def leave(self, tab: Tab) -> None:
        """Have the tools work in the tab."""
        await choose_tab(self.client, str(await tab.evaluate("location.href")))


@contextlib.asynccontextmanager
async def playwright_place(downloads: Path) -> AsyncIterator[Place]:
    """Run a browser of the same kind without an extension, and Playwright's server at it."""
    command = install("playwright") / "node_modules" / "@playwright" / "mcp" / "cli.js"
    async with await Browser.launch() as browser:
        (first,) = await browser.targets("page")
        port = (browser.profile / "DevToolsActivePort").read_text().split()[0]
        flags = ["--cdp-endpoint", f"http://127.0.0.1:{port}", "--caps", "vision", "--output-dir", str(downloads)]
        server = StdioServerParameters(command="node", args=[str(command), *flags, "--allow-unrestricted-file-access"])
        async with Client(server) as client:
            yield PlaywrightPlace(browser, Assistant(client), downloads, first["targetId"])


class DevtoolsPlace(Place):
    """The same for the tools of `chrome-devtools-mcp`."""

    async def page(self, tab: Tab) -> int:
        """Give the number that these tools have for a tab."""
        url = str(await tab.evaluate("location.href"))
        listed = (await self.client.client.call_tool("list_pages", {})).content
        lines = (line for one in listed if isinstance(one, TextContent) for line in one.text.splitlines())
        return next(int(line.split(":")[0]) for line in lines if url in line)

    async def leave(self, tab: Tab) -> None:
        """Have the tools work in the tab."""
        await self.client.client.call_tool("select_page", {"pageId": await self.page(tab), "bringToFront": True})


@contextlib.asynccontextmanager
async def devtools_place(downloads: Path) -> AsyncIterator[DevtoolsPlace]:
    """Run a browser of the same kind without an extension, and Chrome's own server for its tools at it."""
    home = install("devtools") / "node_modules" / "chrome-devtools-mcp"
    async with await Browser.launch() as browser:
        (first,) = await browser.targets("page")
        port = (browser.profile / "DevToolsActivePort").read_text().split()[0]
        flags = ["--browserUrl", f"http://127.0.0.1:{port}", "--usageStatistics=false"]
        server = StdioServerParameters(
            command="node", args=[str(home / "build/src/bin/chrome-devtools-mcp.js"), *flags]
        )
        async with Client(server) as client:
            yield DevtoolsPlace(browser, Assistant(client), downloads, first["targetId"])
