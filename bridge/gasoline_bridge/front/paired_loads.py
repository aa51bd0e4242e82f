"""Loads two pages by turns in one tab, and has one compared with the other; it judges nothing.

By turns, so that what changes meanwhile (the machine, the server, its caches) changes the loads of both.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

import msgspec

from gasoline_bridge.front.regression import AGAIN, COLD, WAITING, Report, Run, looks
from gasoline_bridge.front.replies import Reply
from gasoline_broker.errors import Failed
from gasoline_workers.regression import messages as regression

FOUND: Final = ("accessibility", "security")
CHANGED: Final = ("regression_detected", "improved")
"""Parts that a look finds, and the verdicts that a second look is to confirm. Memory is not judged of two pages."""


class Other(NamedTuple):
    """What the page that has the place of a baseline is like: its pictures, and what the audit worker judged in it."""

    pictures: regression.Pictures
    judged: Reply


class Pair:
    """The loads of two pages. `before`: the one that has the place of a baseline; `now`: the one that the tab shows.

    `alone`: held while a page is loaded for its times, by all sessions.
    """

    def __init__(self, before: Run, now: Run, report: Report, alone: asyncio.Lock) -> None:
        self._alone = alone
        self._before = before
        self._now = now
        self._report = report
        self._is_left = False

    async def compare(self, runs: int) -> Reply:
        """Compare what both pages are like.

        Raises:
            Failed: a load failed.

        """
        return await self._returning(lambda: self._compared(runs))

    async def visual(self, _runs: int) -> Reply:
        """Compare how both pages look, each loaded once.

        Raises:
            Failed: a load failed.

        """
        return await self._returning(self._looked)

    async def _returning(self, work: Callable[[], Awaitable[Reply]]) -> Reply:
        """Leave the tab at the page that it showed, also where the work fails."""
        try:
            return await work()
        except Failed:
            if self._is_left:
                with contextlib.suppress(Failed):
                    await self._now.page.refresh()
            raise

    async def _compared(self, runs: int) -> Reply:
        await self._load(runs, COLD)
        asked = regression.CheckPages(self._before.loads(), self._now.loads())
        if more := (await self._now.page.worker(asked))["more"]:
            await self._load(more)
        other = await self._of_other(is_whole=True)
        await self._show(self._now)
        picture = await self._now.looked(other.pictures)
        judged = await self._now.judged()
        before, now = self._before.loads(), self._now.loads()
        message = regression.ComparePages(before, other.judged, now, picture)
        reply = await self._now.page.worker(message, judged)
        if not any(reply["comparison"][part]["verdict"] in CHANGED for part in FOUND):
            return reply
        looks = [await self._judged_again(run) for run in (self._before, self._now)]
        message = msgspec.structs.replace(message, judged=looks[0], earlier=(other.judged, judged))
        return await self._now.page.worker(message, looks[1])

    async def _judged_again(self, run: Run) -> Reply:
        self._report(AGAIN)
        await self._show(run)
        return await run.judged(AGAIN)

    async def _looked(self) -> Reply:
        other = await self._of_other(is_whole=False)
        await self._show(self._now)
        return looks(self._now.page.url, await self._now.looked(other.pictures))

    async def _load(self, runs: int, cold: int = 0) -> None:
        if self._alone.locked():
            self._report(WAITING)
        async with self._alone:
            for number in range(1, cold + runs + 1):
                self._report(f"load {number} of {cold + runs} of both")
                for run in (self._before, self._now):
                    await self._show(run, counted=number > cold)

    async def _of_other(self, *, is_whole: bool) -> Other:
        await self._show(self._before)
        pictures = await self._before.pictured("taking pictures of the other page")
        if not is_whole:
            return Other(pictures, {})
        return Other(pictures, await self._before.judged("analysing the other page"))

    async def _show(self, run: Run, *, counted: bool = False) -> None:
        self._is_left = run is self._before
        await run.once(counted=counted)
