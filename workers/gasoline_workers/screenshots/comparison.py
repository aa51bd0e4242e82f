"""Compares parts of two pictures of a page, and puts those that differ side by side; it stores nothing."""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from PIL import Image, ImageChops, ImageDraw, ImageFont

from gasoline_workers.screenshots.messages import Part

SHADE = 24  # of 255: below it is what a font's smoothing does
PIXELS = 60  # of a picture's at scale 1: more than a blinking caret has
SHIFT_PX = 1  # by which an element may be off: a box has fractions of pixels, a picture has none
LEAST = 0.0001
SHEET_PX = 1_500  # high: a model is shown no more of it in a legible size
CELL_PX, MARGIN_PX, GAP_PX, LABEL_PX = 480, 12, 16, 40

Box = tuple[int, int, int, int]


class Shot(NamedTuple):
    """A picture, and its pixels for each of the page's."""

    image: Image.Image
    scale: float


class Pair(NamedTuple):
    """A part of both pictures."""

    number: int
    before: Image.Image
    after: Image.Image


def differing(part: Part, before: Shot, after: Shot) -> float | None:
    """Return which part of its pixels differ, 0 where that may be chance.

    None: it is not wholly in both pictures, or they have not the same density, as on another screen.
    """
    one, other = _crop(part.before, before), _crop(part.after, after)
    if one is None or other is None or before.scale != after.scale:
        return None
    width, height = min(one.width, other.width), min(one.height, other.height)
    fewest = min(_count(one, other, dx, dy, width, height) for dx in _SHIFTS for dy in _SHIFTS)
    return 0.0 if fewest <= PIXELS * before.scale**2 else max(LEAST, round(fewest / (width * height), 4))


def sheet(parts: Sequence[Part], before: Shot, after: Shot) -> Image.Image:
    """Return a picture with a row for each part, as far as there is room: its number, as it was, as it is."""
    pairs = [_pair(part, before, after) for part in parts]
    heights = [max(pair.before.height, pair.after.height, LABEL_PX) + GAP_PX for pair in pairs]
    fitting = sum(top <= SHEET_PX for top in itertools.accumulate(heights))
    pairs, heights = pairs[: max(1, fitting)], heights[: max(1, fitting)]
    page = Image.new("RGB", (LABEL_PX + 2 * (CELL_PX + GAP_PX), LABEL_PX + sum(heights)), "white")
    pen, font = ImageDraw.Draw(page), ImageFont.load_default(18)
    after_px = LABEL_PX + CELL_PX + GAP_PX
    for left, title in ((LABEL_PX, "Before"), (after_px, "Now")):
        pen.text((left, GAP_PX / 2), title, "black", font)
    top = LABEL_PX
    for pair, height in zip(pairs, heights, strict=True):
        pen.line((0, top - GAP_PX / 2, page.width, top - GAP_PX / 2), "#cccccc")
        pen.text((GAP_PX / 2, top), str(pair.number), "black", font)
        page.paste(pair.before, (LABEL_PX, top))
        page.paste(pair.after, (after_px, top))
        top += height
    return page


_SHIFTS = range(-SHIFT_PX, SHIFT_PX + 1)


def _count(one: Image.Image, other: Image.Image, dx: int, dy: int, width: int, height: int) -> int:
    """Count the pixels that differ when one is moved by so much; edges that have no counterpart are left out."""
    inner = (SHIFT_PX, SHIFT_PX, max(SHIFT_PX + 1, width - SHIFT_PX), max(SHIFT_PX + 1, height - SHIFT_PX))
    moved = (inner[0] + dx, inner[1] + dy, inner[2] + dx, inner[3] + dy)
    bands = ImageChops.difference(one.crop(inner), other.crop(moved)).split()
    worst = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    return sum(worst.histogram()[SHADE:])


def _crop(box: tuple[float, float, float, float], shot: Shot) -> Image.Image | None:
    left, top, right, bottom = _pixels(box, shot)
    if left < 0 or top < 0 or right > shot.image.width or bottom > shot.image.height or right <= left or bottom <= top:
        return None
    return shot.image.crop((left, top, right, bottom))


def _pair(part: Part, before: Shot, after: Shot) -> Pair:
    return Pair(part.number, _shown(part.before, before), _shown(part.after, after))


def _shown(box: tuple[float, float, float, float], shot: Shot) -> Image.Image:
    """Return a part with a margin, as far as the picture has it, no wider than a cell."""
    left, top, right, bottom = _pixels(box, shot)
    margin = round(MARGIN_PX * shot.scale)
    edges = (
        min(max(0, left - margin), shot.image.width - 1),
        min(max(0, top - margin), shot.image.height - 1),
        max(1, min(shot.image.width, right + margin)),
        max(1, min(shot.image.height, bottom + margin)),
    )
    if edges[2] <= edges[0] or edges[3] <= edges[1]:
        return Image.new("RGB", (1, 1), "white")
    image = shot.image.crop(edges)
    image.thumbnail((CELL_PX, CELL_PX))
    return image


def _pixels(box: tuple[float, float, float, float], shot: Shot) -> Box:
    x, y, width, height = (side * shot.scale for side in box)
    return round(x), round(y), round(x + width), round(y + height)
