"""Rows of pictures that slid: what was put in or taken out is named, and the rest is paired."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline_workers.visual.pixels import Picture, differing
from gasoline_workers.visual.rows import Aligned, Span, aligned

WIDTH = 8


def picture(rows: list[int]) -> Picture:
    """Give each row its shade."""
    shades = np.array(rows, np.uint8).reshape(-1, 1, 1)
    return np.broadcast_to(shades, (len(rows), WIDTH, 4)).copy()


def pairs(found: Aligned) -> list[tuple[int, int]]:
    return list(zip(found.old.tolist(), found.new.tolist(), strict=True))


@pytest.mark.requirement("visual-003")
def test_a_banner_is_inserted_rows_and_all_below_it_is_paired() -> None:
    page = list(range(100))
    with_banner = page[:20] + [200] * 47 + page[20:]

    found = aligned(picture(page), picture(with_banner))

    assert ([Span(20, 67)], []) == (found.inserted, found.removed)
    assert found.is_shifted
    assert [(row, row + 47 * (row >= 20)) for row in page] == pairs(found)
    assert 0 == differing(picture(page)[found.old], picture(with_banner)[found.new]).exact


@pytest.mark.requirement("visual-003")
def test_a_changed_part_that_has_slid_is_compared_with_itself() -> None:
    old = list(range(60))
    new = [201, 202, 203, *old[:30], 210, 211, *old[32:]]

    found = aligned(picture(old), picture(new))

    assert (30, 33) in pairs(found)
    assert (31, 34) in pairs(found)
    assert [Span(0, 3)] == found.inserted


@pytest.mark.requirement("visual-003")
@given(st.lists(st.integers(0, 9), max_size=30), st.lists(st.integers(0, 9), max_size=30))
def test_every_row_is_paired_once_or_named(old: list[int], new: list[int]) -> None:
    found = aligned(picture(old), picture(new))

    assert sorted(pairs(found)) == pairs(found)
    for side, rows, spans in ((0, old, found.removed), (1, new, found.inserted)):
        named = [row for span in spans for row in range(span.begin, span.end)]
        assert list(range(len(rows))) == sorted([pair[side] for pair in pairs(found)] + named)


@given(st.lists(st.integers(0, 3), max_size=40))
def test_a_picture_is_paired_with_itself_row_by_row(rows: list[int]) -> None:
    found = aligned(picture(rows), picture(rows))

    assert [(row, row) for row in range(len(rows))] == pairs(found)
    assert not found.is_shifted
