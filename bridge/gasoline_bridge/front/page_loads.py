"""Asks one tab to load its page again, for the numbers of that load, and for an analysis of the page that has settled.

What a process or the browser lost meanwhile is asked again: another load does no harm.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, Protocol

import msgspec

from gasoline_bridge.chrome import messages as bridge
from gasoline_bridge.front.analyses import LOAD_S
from gasoline_bridge.front.jobs import once_back
from gasoline_bridge.front.machine_speed import work_ms
from gasoline_bridge.front.page_pictures import Taken
from gasoline_bridge.front.replies import Reply
from gasoline_broker.actor.wire import Stop, stop
from gasoline_broker.errors import Failed
from gasoline_workers.audit import messages as audit
from gasoline_workers.regression import messages as regression

SETTLED_S = 45
"""Of the analysis of the page that has settled: seed 000's time of a full audit."""

RESTLESS = ("wait_timeout", "human_active")
"""Why a wait for rest ended without it: the page goes on, or the user works in it."""

SETTLES = 3
"""So often two pictures that differ are followed by one more: on a busy machine applications pause while they draw."""

SETTLED_PARTS = ("accessibility", "security", "memory")


class PictureKeeper(Protocol):
    """What keeps pictures of pages (page_pictures.PagePictures)."""

    async def take(self, tab: int, ignored: Sequence[str]) -> Taken:
        """Take a picture of the whole page of a tab, with the places of what is not compared."""

    async def hold(self, picture_id: str) -> None:
        """Keep a picture until it is released."""

    async def release(self, picture_id: str) -> None:
        """State that no baseline needs a picture."""

    async def compare(self, tab: int, ids: tuple[str, ...], ignored: Sequence[str]) -> regression.PictureCompared:
        """Compare how the page of a tab looks with two pictures of it, but for these parts."""


class Asks(NamedTuple):
    """How the tab and the regression worker are asked. `page`: for evidence within so many seconds, through stops."""

    page: Callable[[bridge.Analyze, int, Sequence[Stop]], Awaitable[Reply]]
    refresh: Callable[[], Awaitable[Reply]]
    rests: Callable[[], Awaitable[Reply]]
    worker: Callable[[msgspec.Struct, Reply | None], Awaitable[Reply]]
    pictures: PictureKeeper


class PageLoads:
    """The page of one tab, as `observe(tabs)` shows it."""

    def __init__(self, tab: Reply, client: bridge.Client, asks: Asks) -> None:
        self.url: str = tab["url"]
        self._tab: int = tab["id"]
        self._client = client
        self._asks = asks

    async def refresh(self) -> Reply:
        """Load the page again."""
        try:
            return await once_back(self._asks.refresh)
        except Failed as fault:
            if fault.failure.code != "outcome_unknown":
                raise
        return await once_back(self._asks.refresh)

    async def load(self) -> audit.LoadRead:
        """Read the numbers of the last load."""
        asked = self._evidence("load", LOAD_S, "performance")
        reply = await once_back(lambda: self._asks.page(asked, LOAD_S, [stop("audit", audit.ReadLoad())]))
        return msgspec.convert(reply, audit.LoadRead)

    async def work_ms(self) -> float:
        """Return how long a fixed piece of work takes at the moment on this machine, which is the browser's."""
        return await work_ms()

    async def rests(self) -> bool:
        """Wait until the page rests; return whether it does."""
        try:
            await once_back(self._asks.rests)
        except Failed as fault:
            if fault.failure.code not in RESTLESS:
                raise
            return False
        return True

    async def judged(self) -> Reply:
        """Analyse the page that has settled."""
        asked = self._evidence("regression", SETTLED_S, *SETTLED_PARTS)
        judge = [stop("audit", audit.Judge("regression", "full"))]
        return await once_back(lambda: self._asks.page(asked, SETTLED_S, judge))

    async def worker(self, message: msgspec.Struct, judged: Reply | None = None) -> Reply:
        """Ask the regression worker; `judged`: what was found in the page."""
        return await self._asks.worker(message, judged)

    async def pictured(self, ignored: Sequence[str], *, settles: bool) -> regression.Pictures:
        """Take two pictures of the whole page; these parts of it are not to be compared.

        `settles`: where they differ, so that it may have been drawn meanwhile, take the second one again once it rests.
        """
        try:
            first, again = await self._picture(ignored), await self._picture(ignored)
            for _ in range(SETTLES if settles else 0):
                if first.pixels == again.pixels or not await self.rests():
                    break
                first, again = again, await self._picture(ignored)
        except Failed as fault:
            return regression.Pictures(reason=fault.failure.text)
        return regression.Pictures((first.id, again.id), ignored=tuple(ignored))

    async def _picture(self, ignored: Sequence[str]) -> Taken:
        return await once_back(lambda: self._asks.pictures.take(self._tab, ignored))

    async def held(self, pictures: Sequence[str]) -> None:
        """Keep these pictures until they are dropped."""
        for one in pictures:
            await self._asks.pictures.hold(one)

    async def dropped(self, pictures: Sequence[str]) -> None:
        """State that nothing needs these pictures."""
        for one in pictures:
            await self._asks.pictures.release(one)

    async def looked(self, pictures: regression.Pictures, ignored: Sequence[str]) -> regression.PictureCompared:
        """Compare how the page looks with these pictures, but for these parts and those that the pictures leave out."""
        if not pictures.ids:
            return regression.PictureCompared(
                verdict="inconclusive", reason=f"the baseline has none: {pictures.reason}"
            )
        parts = (*pictures.ignored, *(one for one in ignored if one not in pictures.ignored))
        try:
            return await once_back(lambda: self._asks.pictures.compare(self._tab, pictures.ids, parts))
        except Failed as fault:
            reason = f"{fault.failure.text} {fault.failure.recovery}".strip()
            return regression.PictureCompared(verdict="inconclusive", reason=reason)

    def _evidence(self, scope: str, limit_s: int, *parts: str) -> bridge.Analyze:
        return bridge.Analyze(
            client=self._client,
            tab_id=self._tab,
            what="regression",
            parts=parts,
            arguments={"scope": scope},
            timeout_ms=limit_s * 1_000,
            cached_ms=0,
        )
