"""Compares two pictures of a page: whether they differ to the eye, where, and by which elements."""

import io
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from PIL import Image

from gasoline_workers.visual.elements import Box, Tree, tree_of
from gasoline_workers.visual.explanation import explained
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

Ignored = str | Box
"""A selector as the stored elements have it, its last step, or a box in the page's pixels."""


class Shot(NamedTuple):
    """A picture, its pixels for each of the page's, and the elements that it shows."""

    pixels: Picture
    scale: float
    tree: Tree


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
    pixels = np.asarray(Image.open(io.BytesIO(png), formats=("PNG",)).convert("RGBA"))
    return Shot(pixels, scale, tree_of(elements))


def read_both(
    one: tuple[bytes, float, dict[str, Any]], other: tuple[bytes, float, dict[str, Any]]
) -> tuple[Shot, Shot]:
    """Decode two pictures at the same time: that is most of a comparison."""
    with ThreadPoolExecutor(2) as threads:
        before, after = threads.map(lambda it: read(*it), (one, other))
    return before, after


def moving(one: Shot, other: Shot) -> list[Box]:
    """Return what moves by itself, in the page's pixels: the parts in which two pictures of the same state differ."""
    if one.pixels.shape != other.pixels.shape:
        return []
    found = differing(one.pixels, other.pixels, 0.0)
    return [_page_box(region, one.scale) for region in regions(found.seen, one.pixels.shape[1])]


def compared(old: Shot, new: Shot, ignored: Sequence[Ignored] = (), threshold: float = THRESHOLD) -> Compared:
    """Compare two pictures that were taken in the same density, and name what has changed."""
    old, new = _without_scroll_bar(old), _without_scroll_bar(new)
    if not (old.tree.elements and new.tree.elements):  # of one picture alone they would all be new, or gone
        none = tree_of({})
        old, new = old._replace(tree=none), new._replace(tree=none)
    before, after = (_boxes(ignored, shot.tree) for shot in (old, new))
    if old.pixels.shape[1] != new.pixels.shape[1]:
        changes, more = explained(old.tree, new.tree, (), before + after, lambda *_: False)
        return Compared("resized", changes=changes, more=more)
    if old.pixels.shape == new.pixels.shape and np.array_equal(old.pixels, new.pixels):
        return Compared("identical")
    found = _found(_masked(old, before), _masked(new, after), threshold)
    boxes = regions(found.places, new.pixels.shape[1])

    def is_moved(box: Box, right: int, down: int) -> bool:
        part, there = _part(new, box), _part(old, box._replace(x=box.x - right, y=box.y - down))
        return part.shape == there.shape and not len(differing(there, part, threshold).seen)

    differ = [_page_box(region, new.scale) for region in boxes]
    changes, more = explained(old.tree, new.tree, differ, before + after, is_moved)
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


def _found(old: Picture, new: Picture, threshold: float) -> Found:
    """Compare pixel by pixel, or row by row where that leaves less than half as many that differ."""
    exact = count_differing(old, new) if old.shape == new.shape else old.size + new.size
    if exact > SHIFTED * old.shape[0] * old.shape[1]:
        rows = aligned(old, new)
        before, after = old[rows.old], new[rows.new]
        if old.shape != new.shape or (rows.is_shifted and count_differing(before, after) < BETTER * exact):
            counted = differing(before, after, threshold)
            width = new.shape[1]
            places = rows.new[counted.seen // width] * width + counted.seen % width
            return Found(places, counted.exact, counted.smoothed, rows.inserted, rows.removed)
    counted = differing(old, new, threshold)
    return Found(counted.seen, counted.exact, counted.smoothed)


def _boxes(ignored: Sequence[Ignored], tree: Tree) -> list[Box]:
    boxes = [one for one in ignored if isinstance(one, Box)]
    names = {one for one in ignored if isinstance(one, str)}
    return boxes + [it.box for it in tree.elements if it.selector in names or it.tag in names]


def _masked(shot: Shot, boxes: Sequence[Box]) -> Picture:
    """Paint over what is ignored, in a copy."""
    if not boxes:
        return shot.pixels
    pixels = shot.pixels.copy()
    for box in boxes:
        left, top = max(0, round(box.x * shot.scale)), max(0, round(box.y * shot.scale))
        right, low = round((box.x + box.width) * shot.scale), round((box.y + box.height) * shot.scale)
        pixels[top : max(top, low), left : max(left, right)] = 0
    return pixels


def _part(shot: Shot, box: Box) -> Picture:
    left, top = max(0, round(box.x * shot.scale)), max(0, round(box.y * shot.scale))
    right, low = left + round(box.width * shot.scale), top + round(box.height * shot.scale)
    return np.ascontiguousarray(shot.pixels[top:low, left:right])


def _page_box(region: Region, scale: float) -> Box:
    return Box(region.x / scale, region.y / scale, region.width / scale, region.height / scale)
