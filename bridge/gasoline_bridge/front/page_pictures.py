"""Keeps pictures of whole pages for a baseline, and has a page compared with them."""

from typing import NamedTuple

from gasoline_bridge.chrome.messages import TakeScreenshot
from gasoline_bridge.front.pictures import CAPTURE_S
from gasoline_broker.actor.client import Link
from gasoline_broker.actor.wire import Delivery, stop
from gasoline_broker.errors import Failed
from gasoline_workers.redaction.messages import PassPicture
from gasoline_workers.regression.messages import PictureCompared
from gasoline_workers.screenshots.messages import (
    ComparePage,
    PageCompared,
    PinScreenshot,
    ScreenshotStored,
    StoreScreenshot,
)

HOLDER = "baseline"


class PagePictures(NamedTuple):
    """How pictures are asked for: in which session, and how long they may take beside the capture."""

    link: Link
    session: str
    trace: str
    timeout_s: float

    async def take(self, tab: int) -> str:
        """Take a picture of the whole page of a tab, and return its id.

        Raises:
            Failed: `screenshot_failed`, or as any look at a page fails.

        """
        answer = await self.link.ask(
            stop("bridge", TakeScreenshot(full_page=True, tab_id=tab)),
            stop("redaction", PassPicture()),
            stop("screenshots", StoreScreenshot("none"), Delivery.STORE),
            ttl_s=self.timeout_s + CAPTURE_S,
            session=self.session,
            trace=self.trace,
        )
        stored: ScreenshotStored = answer.read(ScreenshotStored)
        return stored.screenshot.id

    async def hold(self, picture_id: str) -> None:
        """Keep a picture until it is released."""
        await self._pin(picture_id, keep=True)

    async def release(self, picture_id: str) -> None:
        """State that no baseline needs a picture."""
        await self._pin(picture_id, keep=False)

    async def compare(self, tab: int, ids: tuple[str, ...]) -> PictureCompared:
        """Compare how the page of a tab looks with two pictures of it.

        Raises:
            Failed: `not_found`: they were deleted; `screenshot_failed`.

        """
        answer = await self.link.ask(
            stop("bridge", TakeScreenshot(full_page=True, tab_id=tab)),
            stop("redaction", PassPicture()),
            stop("screenshots", ComparePage(*ids), Delivery.STORE),
            ttl_s=self.timeout_s + CAPTURE_S,
            session=self.session,
            trace=self.trace,
        )
        found: PageCompared = answer.read(PageCompared)
        return PictureCompared(
            verdict=found.verdict,
            changes=found.changes,
            more=found.more,
            seen_px=found.seen_px,
            rows_inserted=found.rows_inserted,
            rows_removed=found.rows_removed,
            ignored=found.ignored,
            truncated=found.truncated,
            screenshot_path=found.screenshot.path if found.screenshot else "",
            reason=f"The picture of both was not kept: {found.unkept}" if found.unkept else "",
        )

    async def _pin(self, picture_id: str, *, keep: bool) -> None:
        ask = stop("screenshots", PinScreenshot(picture_id, HOLDER, keep), Delivery.STORE)
        try:
            await self.link.ask(ask, ttl_s=self.timeout_s, trace=self.trace)
        except Failed as fault:
            if fault.failure.code != "not_found":  # deleted by hand: a compare states that
                raise
