"""Reads what the double of the service worker (worker_double.js) has taken; it must change none of it."""

import json
from typing import Any

from browser.tabs import Tabs
from gasoline_bridge.devtools import Browser, Session, Tab, until

Event = dict[str, Any]

AT_FIRST = {"on": True, "websockets": True, "bodies": False}
"""What is to be captured when a test begins."""

LEAVE = """
(async () => {
  const tabs = await chrome.tabs.query({ url: '*://*/*' });
  const late = new Promise((_, reject) => setTimeout(reject, 1000));
  const framesOf = ({ id }) => chrome.scripting.executeScript({ target: { tabId: id, allFrames: true }, func() {} });
  const found = await Promise.race([Promise.all(tabs.map(framesOf)), late]).catch(() => []);
  for (const { documentId } of found.flat()) left.add(documentId);
  if (found.length < tabs.length) for (const { id } of tabs) closed.add(id);
  return found.length === tabs.length;
})()
"""
"""Have what is still to come of the documents that are there left out, and give whether the tabs can be used again."""


class Collector:
    """Takes the events of every page of a browser."""

    def __init__(self, browser: Browser, worker: Session, pages: str) -> None:
        self.browser = browser
        self.worker = worker
        self.pages = pages
        self._tabs = Tabs(browser, pages)
        self._left_alone = False
        self._wanted = False

    async def visit(self, name: str = "capture.html") -> Tab:
        """Open a page, with nothing collected before."""
        self._left_alone = False
        await self.worker.evaluate("chunks.length = 0")
        return await self._tabs.visit(name)

    async def look(self, name: str = "capture.html") -> Tab:
        """Show a page to a test that changes nothing of it and awaits all it causes; nothing is collected before."""
        tab = await self._tabs.look(name)
        self._left_alone = True
        await self.worker.evaluate("chunks.length = 0")
        return tab

    async def chunks(self) -> list[Event]:
        """Give what came, but for the last words of pages that a former test has left."""
        chunks: list[Event] = await self.worker.evaluate(
            "chunks.filter(({tab, document}) => !closed.has(tab) && !left.has(document))"
        )
        return chunks

    async def events(self, **fields: object) -> list[Event]:
        """Give the events with these fields."""
        events = [event for chunk in await self.chunks() for event in chunk["events"]]
        return [event for event in events if fields.items() <= event.items()]

    async def heard(self, count: int = 1, **fields: object) -> list[Event]:
        """Wait for so many events with these fields."""

        async def enough() -> list[Event] | None:
            events = await self.events(**fields)
            return events if len(events) >= count else None

        return await until(enough, f"{count} events with {fields}")

    async def want(self, **capture: bool) -> None:
        """Answer from now on, and tell every page, what is to be captured."""
        self._wanted = True
        await self.worker.evaluate(
            f"Object.assign(answer, {json.dumps(capture)});"
            "chrome.tabs.query({}).then((tabs) => Promise.allSettled(tabs.map(({id}) =>"
            " chrome.tabs.sendMessage(id, {name: 'capture', capture: answer})))).then(() => 0)"
        )

    async def restore(self) -> None:
        """Leave the pages, and want what is wanted at first."""
        if self._left_alone and self._wanted:
            await self.want(**AT_FIRST)
        if self._left_alone or await self.worker.evaluate(LEAVE):
            await self._tabs.finish()
        else:
            await self._tabs.close()
        self._left_alone = self._wanted = False
        await self.worker.evaluate(f"Object.assign(answer, {json.dumps(AT_FIRST)}); delayMs = 0; 0")

    async def close(self) -> None:
        """Close the pages, and let go of the worker."""
        await self._tabs.close()
        await self.worker.detach()
