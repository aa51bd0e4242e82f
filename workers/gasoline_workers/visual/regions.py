"""Gathers pixels that lie near each other into boxes."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gasoline_workers.visual.pixels import Places

Numbers = NDArray[Any]

BAND: Final = 1 << 20  # pixels at a time
CELL_PX: Final = 8  # wide and high: what is nearer than one to another is one region


class Region(NamedTuple):
    """A box of a picture, in its pixels, and how many of them differ."""

    x: int
    y: int
    width: int
    height: int
    pixels: int

    def covers(self, x: float, y: float) -> bool:
        """Tell whether a point lies in it."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


def regions(places: Places, width: int) -> list[Region]:
    """Return the boxes of connected pixels of a picture of this width, by how many there are."""
    if not len(places):
        return []
    across = -(-width // CELL_PX) + 2  # with a border, so that a neighbor is never in another row
    deep = int(places.max()) // width // CELL_PX + 3
    cells = _Extents(across * deep)
    for begin in range(0, len(places), BAND):
        y, x = np.divmod(places[begin : begin + BAND], width)
        cells.add((y // CELL_PX + 1) * across + x // CELL_PX + 1, x, x, y, y, 1)
    used = np.flatnonzero(cells.count)
    joined = _Extents(len(used))
    joined.add(_labels(used, across), *(side[used] for side in cells))
    there = np.flatnonzero(joined.count)
    found = [
        Region(left, top, right - left + 1, low - top + 1, count)
        for left, right, top, low, count in zip(*(side[there].tolist() for side in joined), strict=True)
    ]
    return sorted(found, key=lambda region: (-region.pixels, region.y, region.x))


class _Extents:
    """For each of some groups, the edges of what is in it, and how much that is."""

    def __init__(self, groups: int) -> None:
        self._least = [np.full(groups, np.iinfo(np.int32).max, np.int32) for _ in range(2)]
        self._most = [np.full(groups, -1, np.int32) for _ in range(2)]
        self.count = np.zeros(groups, np.int64)

    def add(
        self, group: Numbers, left: Numbers, right: Numbers, top: Numbers, low: Numbers, count: Numbers | int
    ) -> None:
        """Take in pixels or boxes, each with its group."""
        for side, edge in zip(self._least, (left, top), strict=True):
            np.minimum.at(side, group, edge)
        for side, edge in zip(self._most, (right, low), strict=True):
            np.maximum.at(side, group, edge)
        np.add.at(self.count, group, count)

    def __iter__(self) -> Iterator[Numbers]:
        """Go through left, right, top, low and count."""
        return iter((self._least[0], self._most[0], self._least[1], self._most[1], self.count))


def _labels(cells: Numbers, across: int) -> Numbers:
    """Give each cell the number of its region: each takes the least of its neighbors until none changes."""
    labels = np.arange(len(cells))
    links = []
    for step in (1, across - 1, across, across + 1):
        at = np.searchsorted(cells, cells + step)
        is_there = at < len(cells)
        is_there[is_there] = cells[at[is_there]] == (cells + step)[is_there]
        links.append((np.flatnonzero(is_there), at[is_there]))
    one, other = (np.concatenate([link[n] for link in links]) for n in (0, 1))
    while True:
        least = np.minimum(labels[one], labels[other])
        before = labels.copy()
        np.minimum.at(labels, one, least)
        np.minimum.at(labels, other, least)
        labels = labels[labels]
        if (labels == before).all():
            return labels
