"""Answers one session's calls about baselines: what is made, compared, looked at, listed and deleted."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, Protocol

import msgspec

from gasoline_bridge.chrome import messages as bridge
from gasoline_bridge.front import page_loads, regression, tools
from gasoline_bridge.front.page_pictures import PagePictures
from gasoline_bridge.front.replies import Reply
from gasoline_broker.actor.client import Link
from gasoline_broker.actor.wire import Delivery, Stop, stop
from gasoline_broker.errors import fail
from gasoline_broker.product import VERSION
from gasoline_workers.regression import messages as baselines

LOOKED_UP = ("compare", "visual")
"""The scopes that need a baseline."""


class AskPage(Protocol):
    """Asks the bridge, by way of redaction, for so many seconds, in a trace; then the stops that follow."""

    def __call__(
        self, message: msgspec.Struct, ttl_s: float, trace: str, *, then: Sequence[Stop] = ()
    ) -> Awaitable[Reply]:
        """Give the answer."""


class Asks(NamedTuple):
    """How others are asked. `refresh`: loads a tab again, in a trace, for a client; `extension`: which one it is.

    `alone`: held while a page is loaded for its times, by all sessions.
    """

    link: Link
    timeout_s: float
    session: str
    page: AskPage
    refresh: Callable[[int, str, str], Awaitable[Reply]]
    extension: Callable[[str], Awaitable[Reply]]
    alone: asyncio.Lock


class BaselineCalls:
    """The calls of one session about baselines."""

    def __init__(self, asks: Asks) -> None:
        self._asks = asks

    async def check(self, checked: tools.Analyze, trace: str) -> None:
        """Find the baseline that a call needs, before anything has begun.

        Raises:
            Failed: `not_found`, `tab_not_found`.

        """
        if checked.scope in LOOKED_UP:
            await self._worker(baselines.FindBaseline(_name(checked), (await self._tab(checked, trace))["url"]), trace)

    async def run(self, checked: tools.Analyze, trace: str, client: bridge.Client, report: regression.Report) -> Reply:
        """Load the page again and again, and have it kept as a baseline or compared with one; or only look at it."""
        begun = time.monotonic()
        tab = await self._tab(checked, trace)

        async def page(message: bridge.Analyze, limit_s: int, then: Sequence[Stop]) -> Reply:
            return await self._asks.page(message, self._asks.timeout_s + limit_s, trace, then=then)

        async def refreshed() -> Reply:
            return await self._asks.refresh(tab["id"], trace, client.name)

        async def worker(message: msgspec.Struct) -> Reply:
            return await self._worker(message, trace)

        loads = page_loads.PageLoads(tab, client, page_loads.Asks(page, refreshed, worker, self._pictures(trace)))
        browser = (await self._asks.extension(trace)).get("browser", "")
        run = regression.Run(loads, regression.Maker(browser, VERSION), report, self._asks.alone)
        runs = regression.RUNS if checked.runs is msgspec.UNSET else checked.runs
        acts = {"baseline": run.baseline, "compare": run.compare, "visual": run.visual}
        reply = await acts[checked.scope](_name(checked), runs)
        return reply | {"duration_ms": round((time.monotonic() - begun) * 1_000)}

    async def stored(self, checked: tools.Analyze, trace: str) -> Reply:
        """List the baselines, or delete one with its pictures."""
        if checked.scope == "list":
            return await self._worker(baselines.ListBaselines(), trace)
        reply = await self._worker(baselines.DeleteBaseline(_name(checked)), trace)
        for one in reply.pop("dropped", ()):
            await self._pictures(trace).release(one)
        return reply

    def _pictures(self, trace: str) -> PagePictures:
        return PagePictures(self._asks.link, self._asks.session, trace, self._asks.timeout_s)

    async def _tab(self, checked: tools.Analyze, trace: str) -> Reply:
        """Find the tab that a call is about: it stays the same while the user looks at others.

        Raises:
            Failed: `tab_not_found`.

        """
        tabs = (await self._asks.page(bridge.ListTabs(), self._asks.timeout_s, trace))["tabs"]
        if (tab := regression.meant(tabs, checked.tab_id)) is None:
            text = f"There is no tab {checked.tab_id}." if checked.tab_id else "No tab is in front."
            fail("tab_not_found", text, tab_id=checked.tab_id)
        return tab

    async def _worker(self, message: msgspec.Struct, trace: str) -> Reply:
        ask = stop("regression", message, Delivery.STORE)
        answer = await self._asks.link.ask(ask, ttl_s=self._asks.timeout_s, session=self._asks.session, trace=trace)
        reply: Reply = answer.read()
        reply.pop("type", None)
        return reply


def _name(checked: tools.Analyze) -> str:
    return "" if checked.name is msgspec.UNSET else checked.name
