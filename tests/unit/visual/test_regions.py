"""Boxes of differing pixels: as many as there are places that a person would point at."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline_workers.visual.regions import CELL_PX, Region, regions

WIDTH, HEIGHT = 200, 120


def box(x: int, y: int, width: int, height: int) -> list[int]:
    return [row * WIDTH + column for row in range(y, y + height) for column in range(x, x + width)]


@pytest.mark.requirement("visual-004")
def test_what_lies_apart_is_two_boxes_and_what_touches_is_one() -> None:
    places = np.array(sorted(box(10, 10, 30, 5) + box(100, 60, 20, 20) + box(120, 80, 3, 3)))

    found = regions(places, WIDTH)

    assert [Region(100, 60, 23, 23, 409), Region(10, 10, 30, 5, 150)] == found


def test_nothing_has_no_region() -> None:
    assert [] == regions(np.empty(0, np.int64), WIDTH)


@pytest.mark.requirement("visual-004")
@given(st.sets(st.integers(0, WIDTH * HEIGHT - 1), max_size=60))
def test_every_pixel_is_in_a_region_and_regions_lie_apart(chosen: set[int]) -> None:
    found = regions(np.array(sorted(chosen), np.int64), WIDTH)

    assert len(chosen) == sum(region.pixels for region in found)
    for place in chosen:
        assert any(region.covers(place % WIDTH, place // WIDTH) for region in found)
    cells = {(place % WIDTH // CELL_PX, place // WIDTH // CELL_PX) for place in chosen}
    assert len(found) == _count(cells)


def _count(cells: set[tuple[int, int]]) -> int:
    """Count connected cells by filling each."""
    count = 0
    left = set(cells)
    while left:
        count += 1
        open_cells = [left.pop()]
        while open_cells:
            x, y = open_cells.pop()
            near = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} & left
            left -= near
            open_cells += near
    return count
