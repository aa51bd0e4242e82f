"""Compares two pictures of a page: whether they differ to the eye, where, and by which elements."""

import io
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from gasoline_workers.visual.elements import Box, Tree, tree_of
from gasoline_workers.visual.exclusion import CALM, Excluded, Mark, Restless, came_late, excluded, unsteady
from gasoline_workers.visual.explanation import explained
from gasoline_workers.visual.matching import matched
from gasoline_workers.visual.pixels import THRESHOLD, Picture, Places, count_differing, differing
from gasoline_workers.visual.regions import Region, regions
from gasoline_workers.visual.rows import Span, aligned

Verdict = Literal["identical", "below_threshold", "changed", "shifted", "resized"]
"""`below_threshold`: pixels differ, but not to the eye; `shifted`: only rows were put in or taken out; `resized`: the
widths differ, so that no pixel has a counterpart."""

SHIFTED: Final = 0.02  # of the pixels: more may be a page that has slid
SCROLL_BAR_PX: Final = 20  # wide at most
BAR_PX: Final = 100  # of Chrome's bar about a debugger, which takes 40 to 56 of the viewport's height
BETTER: Final = 0.5  # of what differs without sliding
LARGE_PX: Final = 16_000_000  # 64 MB each; while it is decoded twice that
DECODED: Final = 1_024  # rows
WHOLE: Final = 0.02  # of a pixel: what moved by more beyond whole pixels is drawn otherwise
SAME: Final = 0.5  # of a part that moved: if more differs, another ground shows through it


class Shot(NamedTuple):
    """A picture, its pixels for each of the page's, the elements that it shows, and what is marked to be left out."""

    pixels: Picture
    scale: float
    tree: Tree
    marks: Sequence[Mark] = ()


class Compared(NamedTuple):
    """What has become of a page. Pixels are of the pictures, boxes of the new one, in its pixels."""

    verdict: Verdict
    seen: int = 0
    exact: int = 0
    smoothed: int = 0
    inserted: Sequence[Span] = ()
    removed: Sequence[Span] = ()
    changes: Sequence[str] = ()
    more: int = 0
    boxes: Sequence[Region] = ()


class Found(NamedTuple):
    """Where pixels of the new picture differ to the eye, and how many do at all."""

    places: Places
    exact: int
    smoothed: int
    inserted: Sequence[Span] = ()
    removed: Sequence[Span] = ()


def read(png: bytes, scale: float, elements: dict[str, Any]) -> Shot:
    """Decode a picture that the store has taken in, and read what is stored beside it."""
    image = Image.open(io.BytesIO(png), formats=("PNG",))
    marks = [(number, Box(*box)) for number, *box in elements.get("marks", ())]
    return Shot(_pixels(image), scale, tree_of(elements), marks)


def _pixels(image: Image.Image) -> Picture:
    """Return the pixels of a picture, band by band: Pillow makes two more copies of what it converts and gives away."""
    pixels = np.empty((image.height, image.width, 4), np.uint8)
    for top in range(0, image.height, DECODED):
        low = min(top + DECODED, image.height)
        pixels[top:low] = np.asarray(image.crop((0, top, image.width, low)).convert("RGBA"))
    return pixels


def is_large(png: bytes) -> bool:
    """Tell whether a picture takes so much memory that no more of them than need be are to be decoded at a time."""
    width, height = Image.open(io.BytesIO(png), formats=("PNG",)).size
    return width * height > LARGE_PX


def read_both(
    one: tuple[bytes, float, dict[str, Any]], other: tuple[bytes, float, dict[str, Any]]
) -> tuple[Shot, Shot]:
    """Decode two pictures at the same time, which is most of a comparison; large ones one after the other."""
    if is_large(one[0]):
        return read(*one), read(*other)
    with ThreadPoolExecutor(2) as threads:
        before, after = threads.map(lambda it: read(*it), (one, other))
    return before, after


def moving(one: Shot, other: Shot) -> Restless:
    """Return what moves by itself, in the page's pixels: in what two pictures of the same state differ."""
    elements, late = unsteady(one.tree, other.tree), came_late(one.tree, other.tree)
    if one.pixels.shape != other.pixels.shape:
        return Restless(elements=elements, late=late)
    found = differing(one.pixels, other.pixels, 0.0)
    boxes = [_page_box(region, one.scale) for region in regions(found.seen, one.pixels.shape[1])]
    return Restless(boxes, elements, late)


def compared(
    old: Shot, new: Shot, ignored: Sequence[Box] = (), restless: Restless = CALM, threshold: float = THRESHOLD
) -> Compared:
    """Compare two pictures that were taken in the same density, and name what has changed.

    `ignored`: boxes of the page that are left out. `restless`: what moves by itself in the old picture.
    """
    old, new = _without_scroll_bar(old), _without_scroll_bar(new)
    if not (old.tree.elements and new.tree.elements):  # of one picture alone they would all be new, or gone
        none = tree_of({})
        old, new = old._replace(tree=none), new._replace(tree=none)
    if old.pixels.shape == new.pixels.shape and np.array_equal(old.pixels, new.pixels):
        return Compared("identical")
    trees, pairs = (old.tree, new.tree), matched(old.tree, new.tree)
    out = excluded(trees, pairs, ignored, restless, (old.marks, new.marks))
    if old.pixels.shape[1] != new.pixels.shape[1]:
        changes, more = explained(trees, pairs, (), out, None)
        return Compared("resized", changes=changes, more=more)
    old, new = _masked(old, out.old), _masked(new, out.new)
    found = _found(old, new, out, threshold)
    boxes = regions(found.places, new.pixels.shape[1])
    differ = [_page_box(region, new.scale) for region in boxes]
    changes, more = explained(trees, pairs, differ, out, _Parts(old, new, threshold))
    seen = len(found.places)
    rows: tuple[Sequence[Span], Sequence[Span]] = (found.inserted, found.removed)
    if _is_lower_edge(old, new, *rows):
        rows = ((), ())
    verdict = _verdict(seen, found.exact, is_shifted=any(rows), is_changed=bool(changes))
    return Compared(verdict, seen, found.exact, found.smoothed, *rows, changes, more, boxes)


def _without_scroll_bar(shot: Shot) -> Shot:
    """Cut off what lies right of the document itself."""
    root = shot.tree.elements[0].box if shot.tree.elements else Box(0, 0, 0, 0)
    width = round((root.x + root.width) * shot.scale)
    is_whole = root.x or not 0 < shot.pixels.shape[1] - width <= SCROLL_BAR_PX * shot.scale
    return shot if is_whole else shot._replace(pixels=np.ascontiguousarray(shot.pixels[:, :width]))


def _is_lower_edge(old: Shot, new: Shot, inserted: Sequence[Span], removed: Sequence[Span]) -> bool:
    """Tell whether only rows at the end are more or less: a short page ends with its viewport."""
    ends = [(span, shot) for shot, spans in ((old, removed), (new, inserted)) for span in spans]
    return bool(ends) and all(
        span.end == shot.pixels.shape[0] and span.end - span.begin <= BAR_PX * shot.scale for span, shot in ends
    )


def _verdict(seen: int, exact: int, *, is_shifted: bool, is_changed: bool) -> Verdict:
    if is_shifted:
        return "changed" if seen else "shifted"
    if seen or is_changed:
        return "changed"
    return "below_threshold" if exact else "identical"


def _found(one: Shot, other: Shot, out: Excluded, threshold: float) -> Found:
    """Compare pixel by pixel, or row by row where that leaves less than half as many that differ."""
    old, new = one.pixels, other.pixels
    exact = count_differing(old, new) if old.shape == new.shape else old.size + new.size
    if exact > SHIFTED * old.shape[0] * old.shape[1]:
        rows = aligned(old, new)
        before, after = old[rows.old], new[rows.new]
        if out.old:
            is_out = _places(one, out.old)[rows.old] | _places(other, out.new)[rows.new]
            before[is_out] = after[is_out] = 0
        if old.shape != new.shape or (rows.is_shifted and count_differing(before, after) < BETTER * exact):
            counted = differing(before, after, threshold)
            width = new.shape[1]
            places = rows.new[counted.seen // width] * width + counted.seen % width
            return Found(places, counted.exact, counted.smoothed, rows.inserted, rows.removed)
    _fill(old, out.new, one.scale, 0)
    _fill(new, out.old, one.scale, 0)
    counted = differing(old, new, threshold)
    return Found(counted.seen, counted.exact, counted.smoothed)


def _masked(shot: Shot, boxes: Sequence[Box]) -> Shot:
    """Paint over what is left out, in a copy."""
    if not boxes:
        return shot
    pixels = shot.pixels.copy()
    _fill(pixels, boxes, shot.scale, 0)
    return shot._replace(pixels=pixels)


def _places(shot: Shot, boxes: Sequence[Box]) -> NDArray[np.bool_]:
    """Return which pixels of a picture lie in some boxes of the page."""
    places = np.zeros(shot.pixels.shape[:2], np.bool_)
    _fill(places, boxes, shot.scale, value=True)
    return places


def _fill(target: NDArray[Any], boxes: Sequence[Box], scale: float, value: int) -> None:
    for box in boxes:
        left, top = max(0, round(box.x * scale)), max(0, round(box.y * scale))
        right, low = round((box.x + box.width) * scale), round((box.y + box.height) * scale)
        target[top : max(top, low), left : max(left, right)] = value


class _Parts(NamedTuple):
    """Compares parts of the new picture with the old one, at another place."""

    old: Shot
    new: Shot
    threshold: float

    def is_moved(self, box: Box, right: int, down: int) -> bool:
        part, there = _part(self.new, box), _part(self.old, box._replace(x=box.x - right, y=box.y - down))
        return part.shape == there.shape and not len(differing(there, part, self.threshold).seen)

    def is_same(self, box: Box) -> bool:
        return np.array_equal(_part(self.new, box), _part(self.old, box))

    def repainted(self, was: Box, now: Box) -> list[Box]:
        scale = self.new.scale
        steps = ((now.x - was.x) * scale, (now.y - was.y) * scale)
        part, there = _part(self.new, now), _part(self.old, was)
        if part.shape != there.shape or any(abs(step - round(step)) > WHOLE for step in steps):
            return []
        seen = differing(there, part, self.threshold).seen
        if len(seen) > SAME * part.shape[0] * part.shape[1]:
            return []
        left, top = max(0, round(now.x * scale)) / scale, max(0, round(now.y * scale)) / scale
        found = (_page_box(region, scale) for region in regions(seen, part.shape[1]))
        return [box._replace(x=box.x + left, y=box.y + top) for box in found]


def _part(shot: Shot, box: Box) -> Picture:
    left, top = max(0, round(box.x * shot.scale)), max(0, round(box.y * shot.scale))
    right, low = left + round(box.width * shot.scale), top + round(box.height * shot.scale)
    return np.ascontiguousarray(shot.pixels[top:low, left:right])


def _page_box(region: Region, scale: float) -> Box:
    return Box(region.x / scale, region.y / scale, region.width / scale, region.height / scale)
