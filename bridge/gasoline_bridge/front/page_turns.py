"""Loads pages by turns in one tab; it must know nothing of what is read of them."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from gasoline_bridge.front.replies import Reply


class Act(Protocol):
    """Acts in the tab."""

    def __call__(self, action: str, **more: str) -> Awaitable[Reply]:
        """Give the reply of the action."""


class PageTurns:
    """The tab, and the address that it shows."""

    def __init__(self, shown: str, act: Act) -> None:
        self._shown = shown
        self._act = act

    def loader(self, url: str) -> Callable[[], Awaitable[Reply]]:
        """Return what loads a page."""

        async def load() -> Reply:
            return await self._load(url)

        return load

    async def _load(self, url: str) -> Reply:
        """Load a page; to another fragment of the page that is shown the browser goes without a load."""
        is_same = _document(url) == _document(self._shown)
        if is_same and url != self._shown:
            await self._act("navigate", url=url)
        reply = await self._act("refresh") if is_same else await self._act("navigate", url=url)
        self._shown = str(reply.get("url", ""))
        return reply


def _document(url: str) -> str:
    return url.split("#", 1)[0]
