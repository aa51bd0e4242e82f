"""Gives tests their tabs: one goes from test to test, since a new one costs three times as much; it knows no test.

`visit` loads a page for a test that may do anything with it. `look` gives a page that is only read, and loads none if
the last test looked at the same one; so do the rows of one test that work at places of their own. `finish` ends
a test; what it leaves is one healthy tab at most.
"""

import asyncio
import contextlib
import json
from typing import Final

from gasoline_bridge.devtools import Browser, ChromiumError, Tab

HEALTHY_S: Final = 1.0
"""The longest that the page of a healthy tab takes to answer: a dialog or a loop holds it for ever."""

ARRIVES_S: Final = 5.0
"""The longest that a page takes to load in a tab that another test used: a dialog may keep the page before it."""

ARRIVED: Final = "!globalThis.isLeft && document.readyState === 'complete'"
"""JavaScript: whether the page that was to be left is gone."""


class Tabs:
    """The tabs of the tests of one browser."""

    def __init__(self, browser: Browser, pages: str) -> None:
        self._browser = browser
        self._pages = pages
        self._opened: list[Tab] = []
        self._spare: Tab | None = None
        self._unchanged = ""

    async def visit(self, name: str) -> Tab:
        """Load a fixture page, in front of the others."""
        self._unchanged = ""
        return await self._load(name)

    async def look(self, name: str, of: str = "") -> Tab:
        """Show a fixture page that the test leaves as it is, in front of the others; `of`: to those tests alone."""
        if self._spare and self._unchanged == name + of:
            tab, self._spare = self._spare, None
            await tab.activate()
            self._opened.append(tab)
            return tab
        tab = await self._load(name)
        self._unchanged = name + of if self._opened == [tab] else ""
        return tab

    async def finish(self) -> None:
        """Close the tabs of a test, but for its first one if that is healthy."""
        kept = self._opened[:1]
        for tab in self._opened[1:]:
            await _close(tab)
        self._opened.clear()
        for tab in kept:
            if await self._healthy(tab):
                self._spare = tab
            else:
                await _close(tab)

    async def close(self) -> None:
        """Close every tab, so that the next test has a new one."""
        if self._spare:
            self._opened.append(self._spare)
        self._spare = None
        while self._opened:
            await _close(self._opened.pop())

    async def _load(self, name: str) -> Tab:
        tab, self._spare = self._spare, None
        if tab and "#" in name:  # it may lead to another place of the page that is there
            await _close(tab)
            tab = None
        if tab is None or not await self._reload(tab, self._pages + name):
            tab = await self._browser.new_tab(self._pages + name)
        self._opened.append(tab)
        return tab

    async def _reload(self, tab: Tab, url: str) -> bool:
        """Load a page in a tab that was used, with nothing left of its session; close it if that fails."""
        try:
            async with asyncio.timeout(ARRIVES_S):
                before = await tab.evaluate("sessionStorage.clear(), globalThis.isLeft = true, location.href")
                await tab.detach()  # which ends every emulation
                tab.session_id = await self._browser.attach(tab.target_id)
                await tab.activate()
                await tab.navigate(url)
                is_other = "true" if before == url else f"location.href !== {json.dumps(before)}"
                await tab.until(f"{ARRIVED} && {is_other}")  # the page before may have loaded itself once more
        except (ChromiumError, TimeoutError):
            await _close(tab)
            return False
        return True

    async def _healthy(self, tab: Tab) -> bool:
        try:
            async with asyncio.timeout(HEALTHY_S):
                url: str = await tab.evaluate("location.href")
        except (ChromiumError, TimeoutError):
            return False
        return url.startswith(self._pages)


async def _close(tab: Tab) -> None:
    with contextlib.suppress(ChromiumError):  # the test may have closed it
        await tab.close()
