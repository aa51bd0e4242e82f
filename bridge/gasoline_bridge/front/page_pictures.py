"""Keeps pictures of whole pages for a baseline, and has a page compared with them."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from gasoline_bridge.chrome.messages import TakeScreenshot
from gasoline_bridge.front.pictures import CAPTURE_S
from gasoline_broker.actor.client import Link
from gasoline_broker.actor.wire import Delivery, stop
from gasoline_broker.errors import Failed
from gasoline_workers.redaction.messages import PassPicture
from gasoline_workers.regression.messages import PictureCompared
from gasoline_workers.screenshots.messages import (
    OF_BASELINES,
    ComparePage,
    PageCompared,
    PinScreenshot,
    ScreenshotStored,
    StoreScreenshot,
)

NUMBER: Final = r"\s*\d+(?:\.\d+)?\s*"
RECTANGLE: Final = re.compile(rf"{NUMBER},{NUMBER},{NUMBER},{NUMBER}")
"""x, y, width and height in the page's pixels; anything else is a selector."""


class Taken(NamedTuple):
    """A picture: its id, and the hash of what it shows."""

    id: str
    pixels: str


class PagePictures(NamedTuple):
    """How pictures are asked for: in which session, and how long they may take beside the capture."""

    link: Link
    session: str
    trace: str
    timeout_s: float

    async def take(self, tab: int, ignored: Sequence[str]) -> Taken:
        """Take a picture of the whole page of a tab, with the places of what is not compared.

        Raises:
            Failed: `screenshot_failed`, or as any look at a page fails.

        """
        answer = await self.link.ask(
            stop("bridge", TakeScreenshot(full_page=True, tab_id=tab, marked=selectors(ignored))),
            stop("redaction", PassPicture(numbered=False)),
            stop("screenshots", StoreScreenshot("none"), Delivery.STORE),
            ttl_s=self.timeout_s + CAPTURE_S,
            session=self.session,
            trace=self.trace,
        )
        stored: ScreenshotStored = answer.read(ScreenshotStored)
        return Taken(stored.screenshot.id, stored.screenshot.pixels)

    async def hold(self, picture_id: str) -> None:
        """Keep a picture until it is released."""
        await self._pin(picture_id, keep=True)

    async def release(self, picture_id: str) -> None:
        """State that no baseline needs a picture."""
        await self._pin(picture_id, keep=False)

    async def compare(self, tab: int, ids: tuple[str, ...], ignored: Sequence[str]) -> PictureCompared:
        """Compare how the page of a tab looks with two pictures of it, but for these parts.

        Raises:
            Failed: `not_found`: they were deleted; `screenshot_failed`.

        """
        before, again = ids
        answer = await self.link.ask(
            stop("bridge", TakeScreenshot(full_page=True, tab_id=tab, marked=selectors(ignored))),
            stop("redaction", PassPicture(numbered=False)),
            stop("screenshots", ComparePage(before, again, _boxes(ignored), selectors(ignored)), Delivery.STORE),
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
            unmatched=found.unmatched,
            truncated=found.truncated,
            screenshot_path=found.screenshot.path if found.screenshot else "",
            reason=f"The picture of both was not kept: {found.unkept}" if found.unkept else "",
        )

    async def _pin(self, picture_id: str, *, keep: bool) -> None:
        ask = stop("screenshots", PinScreenshot(picture_id, OF_BASELINES, keep), Delivery.STORE)
        try:
            await self.link.ask(ask, ttl_s=self.timeout_s, trace=self.trace)
        except Failed as fault:
            if fault.failure.code != "not_found":  # deleted by hand: a compare states that
                raise


def selectors(ignored: Sequence[str]) -> tuple[str, ...]:
    """Return those parts of a page that are named by a selector."""
    return tuple(one for one in ignored if not RECTANGLE.fullmatch(one))


def _boxes(ignored: Sequence[str]) -> tuple[tuple[float, float, float, float], ...]:
    rectangles = [one.split(",") for one in ignored if RECTANGLE.fullmatch(one)]
    return tuple((float(x), float(y), float(width), float(height)) for x, y, width, height in rectangles)
