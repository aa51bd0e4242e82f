"""Compares the picture of a page with one that is kept; it loads NumPy, so it is imported with the first such ask."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from PIL import Image

from gasoline_broker.errors import fail
from gasoline_workers.screenshots.messages import PageCompared
from gasoline_workers.screenshots.pictures import BROKEN
from gasoline_workers.visual.comparison import Compared, Shot, compared, is_large, moving, read, read_both
from gasoline_workers.visual.elements import Box
from gasoline_workers.visual.exclusion import CALM, Restless
from gasoline_workers.visual.side_by_side import side_by_side

RESTLESS: Final = 0.5  # of a page: beyond it hardly anything would be compared


class Taken(NamedTuple):
    """A picture as a PNG, its pixels for each of the page's, and the elements that it shows."""

    png: bytes
    scale: float
    elements: dict[str, Any]


class Result(NamedTuple):
    """What has changed, and a picture that shows it, if anything has."""

    answer: PageCompared
    shown: Image.Image | None


def compare(
    before: Taken, again: Taken | None, now: Taken, boxes: Sequence[Box] = (), selectors: Sequence[str] = ()
) -> Result:
    """Name what has changed. `again`: another picture of the same state as `before`.

    `boxes`, `selectors`: what is left out; the pictures have the boxes that each selector marks.

    Raises:
        Failed: `screenshot_failed`: a picture is damaged, or was taken in another density.

    """
    if before.scale != now.scale:
        text = f"The pictures have {before.scale} and {now.scale} pixels for each of the page's."
        fail("screenshot_failed", text, "Compare on the screen and at the zoom where the baseline was made.")
    if before == now:
        return Result(PageCompared("identical", unmatched=_unmatched(selectors, now)), None)
    try:
        old, new, restless = _read(before, again, now)
    except BROKEN as fault:
        fail("screenshot_failed", f"The picture is damaged ({str(fault)[:100]}).", "Take it again.")
    height, width = old.pixels.shape[:2]
    if sum(box.area for box in restless.boxes) * old.scale**2 > RESTLESS * height * width:
        fail("screenshot_failed", "More than half of the page moves by itself: what is new in it cannot be told apart.")
    found = compared(old, new, boxes, restless)
    shown = side_by_side(old, new, found) if found.boxes or found.changes else None
    return Result(_answer(found, len(restless.boxes), _unmatched(selectors, before, now)), shown)


def _read(before: Taken, again: Taken | None, now: Taken) -> tuple[Shot, Shot, Restless]:
    """Decode the pictures; of large ones two at most are there at a time."""
    if again is None:
        return *read_both(before, now), CALM
    if is_large(before.png):
        old = read(*before)
        restless = moving(old, read(*again))
        return old, read(*now), restless
    old, new = read_both(before, now)
    return old, new, moving(old, read(*again))


def _answer(found: Compared, ignored: int, unmatched: list[str]) -> PageCompared:
    inserted, removed = (sum(span.end - span.begin for span in spans) for spans in (found.inserted, found.removed))
    changes = list(found.changes)
    return PageCompared(found.verdict, found.seen, inserted, removed, changes, found.more, ignored, unmatched)


def _unmatched(selectors: Sequence[str], *pictures: Taken) -> list[str]:
    marked = {number for picture in pictures for number, *_ in picture.elements.get("marks", ())}
    return [one for number, one in enumerate(selectors) if number not in marked]
