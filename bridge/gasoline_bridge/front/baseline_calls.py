"""Answers one session's calls about baselines: what is made, compared, looked at, listed and deleted."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

from gasoline_bridge.chrome import messages as bridge
from gasoline_bridge.front import page_loads, regression, tools
from gasoline_bridge.front.page_pictures import PagePictures, selectors
from gasoline_bridge.front.page_turns import PageTurns
from gasoline_bridge.front.paired_loads import Pair
from gasoline_bridge.front.replies import Reply
from gasoline_broker.actor.client import Link
from gasoline_broker.actor.wire import Delivery, Stop, pack, stop
from gasoline_broker.errors import fail
from gasoline_broker.product import VERSION
from gasoline_workers.redaction.messages import is_marked
from gasoline_workers.regression import messages as baselines

LOOKED_UP = ("compare", "visual")
"""The scopes that need a baseline, or another page."""


class AskPage(Protocol):
    """Asks the bridge, by way of redaction, for so many seconds, in a trace; then the stops that follow."""

    def __call__(
        self, message: msgspec.Struct, ttl_s: float, trace: str, *, then: Sequence[Stop] = ()
    ) -> Awaitable[Reply]:
        """Give the answer."""


class Asks(NamedTuple):
    """How others are asked. `interact`: acts in a tab, in a trace, for a client; `extension`: which one it is.

    `alone`: held while a page is loaded for its times, by all sessions.
    """

    link: Link
    timeout_s: float
    session: str
    page: AskPage
    interact: Callable[[dict[str, Any], str, str], Awaitable[Reply]]
    extension: Callable[[str], Awaitable[Reply]]
    alone: asyncio.Lock


class BaselineCalls:
    """The calls of one session about baselines."""

    def __init__(self, asks: Asks) -> None:
        self._asks = asks

    async def check(self, checked: tools.Analyze, trace: str) -> None:
        """Find the baseline or the page that a call needs, and look for what it ignores, before anything has begun.

        Raises:
            Failed: `not_found`, `tab_not_found`, `invalid_params`.

        """
        if checked.scope in LOOKED_UP:
            tabs = await self._tabs(trace)
            tab = _meant(tabs, checked.tab_id)
            if checked.against is not msgspec.UNSET:
                _address(tabs, checked.against)
                _refuse_marked(tab["url"])
            else:
                await self._worker(baselines.FindBaseline(_name(checked), tab["url"]), trace)
        for selector in selectors(_ignored(checked)):  # each can be looked for; whether it is there may differ
            await self._asks.page(bridge.QueryDom(selector, tab_id=checked.tab_id), self._asks.timeout_s, trace)

    async def run(self, checked: tools.Analyze, trace: str, client: bridge.Client, report: regression.Report) -> Reply:
        """Load the page again and again, and have it kept as a baseline or compared with one; or only look at it."""
        begun = time.monotonic()
        tabs = await self._tabs(trace)
        tab = _meant(tabs, checked.tab_id)

        async def page(message: bridge.Analyze, limit_s: int, then: Sequence[Stop]) -> Reply:
            return await self._asks.page(message, self._asks.timeout_s + limit_s, trace, then=then)

        async def act(action: str, **more: str) -> Reply:
            return await self._asks.interact({"action": action, "tab_id": tab["id"], **more}, trace, client.name)

        async def refreshed() -> Reply:
            return await act("refresh")

        async def rests() -> Reply:
            return await act("wait_for", state="quiet")

        async def worker(message: msgspec.Struct, judged: Reply | None) -> Reply:
            return await self._worker(message, trace, judged)

        maker = regression.Maker((await self._asks.extension(trace)).get("browser", ""), VERSION)

        def loads(shown: Reply, load: Callable[[], Awaitable[Reply]], *, follows: bool = False) -> regression.Run:
            asks = page_loads.Asks(page, load, rests, worker, self._pictures(trace))
            of = page_loads.PageLoads(shown, client, asks)
            return regression.Run(of, maker, report, self._asks.alone, _ignored(checked), follows=follows)

        runs = regression.RUNS if checked.runs is msgspec.UNSET else checked.runs
        if checked.against is msgspec.UNSET:
            run = loads(tab, refreshed)
            acts = {"baseline": run.baseline, "compare": run.compare, "visual": run.visual}
            reply = await acts[checked.scope](_name(checked), runs)
        else:
            turns = PageTurns(tab["url"], act)
            other = tab | {"url": _address(tabs, checked.against)}
            before = loads(other, turns.loader(other["url"]), follows=True)
            pair = Pair(before, loads(tab, turns.loader(tab["url"])), report, self._asks.alone)
            reply = await {"compare": pair.compare, "visual": pair.visual}[checked.scope](runs)
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

    async def _tabs(self, trace: str) -> list[Reply]:
        listed = await self._asks.page(bridge.ListTabs(), self._asks.timeout_s, trace)
        tabs: list[Reply] = listed["tabs"]
        return tabs

    async def _worker(self, message: msgspec.Struct, trace: str, judged: Reply | None = None) -> Reply:
        ask, body = stop("regression", message, Delivery.STORE), b"" if judged is None else pack(judged)
        answer = await self._asks.link.ask(
            ask, ttl_s=self._asks.timeout_s, body=body, session=self._asks.session, trace=trace
        )
        reply: Reply = answer.read()
        reply.pop("type", None)
        return reply


def _name(checked: tools.Analyze) -> str:
    return "" if checked.name is msgspec.UNSET else checked.name


def _ignored(checked: tools.Analyze) -> tuple[str, ...]:
    return () if checked.ignore is msgspec.UNSET else tuple(dict.fromkeys(checked.ignore))


def _meant(tabs: list[Reply], tab_id: int) -> Reply:
    """Find the tab that a call is about: it stays the same while the user looks at others.

    Raises:
        Failed: `tab_not_found`.

    """
    if (tab := regression.meant(tabs, tab_id)) is None:
        fail("tab_not_found", f"There is no tab {tab_id}." if tab_id else "No tab is in front.", tab_id=tab_id)
    return tab


def _address(tabs: list[Reply], against: str) -> str:
    """Find the address of the other page: it is given, or a tab shows it.

    Raises:
        Failed: `tab_not_found`, `invalid_params`.

    """
    if against.strip().isdecimal():
        against = str(_meant(tabs, int(against))["url"])
    elif not re.match(tools.ADDRESS, against):
        text = f"`against` is {against[:80]!r}: expected a whole address or a tab's id."
        fail("invalid_params", text, "Give http://localhost:3000/, or an id of observe(tabs).", parameter="against")
    _refuse_marked(against)
    return against.strip()


def _refuse_marked(url: str) -> None:
    """Fail where a page cannot be loaded by what is known of its address."""
    if is_marked(url):
        recovery = "Open the page at an address without a secret, then call again."
        fail("invalid_params", f"The address {url} holds a secret: it cannot be loaded.", recovery, parameter="against")
