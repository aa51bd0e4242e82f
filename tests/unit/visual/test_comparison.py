"""Two pictures with their elements: the verdict, what is left out, and the picture that shows both."""

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from gasoline_broker.errors import Failed
from gasoline_workers.screenshots.page_comparison import Taken, compare
from gasoline_workers.visual.comparison import compared, moving, read_both
from gasoline_workers.visual.elements import COLUMNS, LISTED, Box, tree_of
from gasoline_workers.visual.exclusion import Restless
from gasoline_workers.visual.side_by_side import HEIGHT_PX, side_by_side

Row = list[Any]
PAGE: list[Row] = [
    ["html", "", 0, 0, 100, 80, "rgb(0, 0, 0)", "rgba(0, 0, 0, 0)", "400 16px", -1],
    ["#a", "One", 10, 10, 20, 20, "rgb(0, 0, 0)", "rgb(255, 0, 0)", "400 16px", 0],
    ["#b", "Two", 50, 10, 20, 20, "rgb(0, 0, 0)", "rgb(0, 0, 255)", "400 16px", 0],
]


def png(width: int = 100, height: int = 80, *boxes: tuple[int, int, int, int]) -> bytes:
    image = Image.new("RGB", (width, height), "white")
    for row in range(height):
        image.putpixel((width - 1, row), (row, row // 2, 7))  # no two rows are equal
    for box in boxes:
        image.paste((200, 0, 0), box)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


BEFORE = ["selector", "text", "x", "y", "width", "height", "color", "background", "font", "parent"]
"""The columns of a baseline that an earlier version made."""


def stored(*rows: Row) -> dict[str, Any]:
    return {"columns": BEFORE, "rows": list(rows)}


def test_a_hair_is_below_the_threshold() -> None:
    one, other = png(), png()
    old, new = read_both((one, 1.0, {}), (other, 1.0, {}))
    pixels = new.pixels.copy()
    pixels[5, 5, 0] -= 1

    found = compared(old, new._replace(pixels=pixels))

    assert ("below_threshold", 0, 1) == (found.verdict, found.seen, found.exact)
    assert "identical" == compared(old, new).verdict


@pytest.mark.requirement("visual-008")
def test_pictures_of_other_widths_are_explained_by_their_elements_alone() -> None:
    wide = [list(row) for row in PAGE]
    wide[2][2] = 70
    old, new = read_both((png(), 1.0, stored(*PAGE)), (png(140), 1.0, stored(*wide)))

    found = compared(old, new)

    assert ("resized", ["moved #b by +20,+0"]) == (found.verdict, found.changes)
    assert (0, []) == (found.exact, list(found.boxes))


@pytest.mark.requirement("visual-007")
@pytest.mark.parametrize("box", [Box(10, 10, 20, 20), Box(50, 10, 20, 20), Box(45, 5, 30, 30)])
def test_a_part_of_the_page_that_is_named_is_left_out(box: Box) -> None:
    old, new = read_both(
        (png(100, 80), 1.0, stored(*PAGE)),
        (png(100, 80, (52, 12, 60, 20)), 1.0, stored(*PAGE)),
    )

    found = compared(old, new, [box])

    assert ("changed" if box.x == 10 else "identical") == found.verdict
    assert (["#b: looks different at 52,12 8×8"] if box.x == 10 else []) == found.changes


@pytest.mark.requirement("visual-007")
def test_what_differs_between_two_pictures_of_one_state_moves_by_itself() -> None:
    one, other = read_both((png(200, 80), 2.0, {}), (png(200, 80, (20, 20, 40, 40)), 2.0, {}))

    assert Restless([Box(10, 10, 10, 10)], {}) == moving(one, other)
    assert Restless([], {}) == moving(one, one)


@pytest.mark.parametrize("elements", [{}, {"columns": ["selector"], "rows": [["a"]]}, {"columns": list(COLUMNS)}])
def test_elements_of_an_older_version_are_none(elements: dict[str, Any]) -> None:
    old, new = read_both((png(), 1.0, elements), (png(100, 80, (20, 20, 40, 40)), 1.0, elements))

    assert ["looks different at 20,20 20×20"] == compared(old, new).changes


@pytest.mark.requirement("visual-009")
def test_one_picture_shows_before_and_now_and_frames_what_differs() -> None:
    old, new = read_both((png(), 1.0, {}), (png(100, 80, (20, 20, 40, 40)), 1.0, {}))

    shown = np.asarray(side_by_side(old, new, compared(old, new)))

    assert (3, 20 * 20) == (shown.shape[2], int((shown[:, 115:235] == (200, 0, 0)).all(axis=2).sum()))
    assert 0 == (shown[:, :115] == (200, 0, 0)).all(axis=2).sum()
    assert (shown[:, 240:] == (220, 38, 38)).all(axis=2).any()


@pytest.mark.requirement("visual-009")
def test_of_a_long_page_the_part_that_differs_is_shown() -> None:
    old, new = read_both((png(100, 4_000), 1.0, {}), (png(100, 4_000, (20, 3_000, 40, 3_020)), 1.0, {}))

    shown = side_by_side(old, new, compared(old, new))

    assert shown.height < HEIGHT_PX
    assert (200, 0, 0) in {color for _, color in shown.getcolors(1 << 16) or ()}


def test_a_short_page_that_ends_with_another_viewport_looks_the_same() -> None:
    old, low = read_both((png(100, 300), 1.0, stored(*PAGE)), (png(100, 244), 1.0, stored(*PAGE)))
    far = read_both((png(100, 100), 1.0, {}), (png(100, 100), 1.0, {}))[0]

    assert ["identical", "identical"] == [compared(old, low).verdict, compared(low, old).verdict]
    assert "shifted" == compared(old, far).verdict
    pale = [[*PAGE[0]], [*PAGE[1]], [*PAGE[2]]]
    pale[1][7] = "rgb(255, 0, 1)"
    assert "changed" == compared(old, low._replace(tree=tree_of(stored(*pale)))).verdict


@pytest.mark.requirement("visual-005")
def test_what_a_full_list_of_elements_has_no_room_for_is_neither_added_nor_removed() -> None:
    def page(first: int) -> dict[str, Any]:
        rows = [["html", "", 0, 0, 100, 80, "c", "c", "f", -1]]
        rows += [[f"html>p:nth-of-type({n})", f"line {n}", 0, n, 100, 1, "c", "c", "f", 0] for n in range(first, 2_100)]
        return stored(*rows[:LISTED])

    old, new = read_both((png(), 1.0, page(5)), (png(100, 80, (0, 0, 60, 9)), 1.0, page(1)))

    assert ['added p:nth-of-type(1) x4 100×1 "line 1"'] == compared(old, new).changes
    assert ['removed p:nth-of-type(1) x4 100×1 "line 1"'] == compared(new, old).changes


@pytest.mark.requirement("visual-005")
def test_a_picture_without_elements_is_compared_by_its_pixels_alone() -> None:
    old, new = read_both((png(), 1.0, {}), (png(100, 80, (20, 20, 40, 40)), 1.0, stored(*PAGE)))

    assert ["looks different at 20,20 20×20"] == compared(old, new).changes


@pytest.mark.requirement("visual-003")
def test_a_part_that_changed_and_grew_is_a_change_and_not_only_rows() -> None:
    rainbow = np.arange(80, dtype=np.uint8).repeat(400).reshape(80, 100, 4)
    old, new = (read_both((png(), 1.0, {}), (png(100, height), 1.0, {}))[1] for height in (80, 90))
    first, grown = rainbow.copy(), np.concatenate([rainbow[:40], np.full((10, 100, 4), 200, np.uint8), rainbow[40:]])
    grown[38:55] = 255

    found = compared(old._replace(pixels=first), new._replace(pixels=grown))

    assert ("changed", 10) == (found.verdict, sum(span.end - span.begin for span in found.inserted))
    assert found.seen > 0


@pytest.mark.requirement("visual-007")
def test_a_page_of_which_most_moves_by_itself_is_not_compared() -> None:
    one, moving_too = Taken(png(), 1.0, {}), Taken(png(100, 80, (0, 0, 90, 70)), 1.0, {})

    with pytest.raises(Failed, match="moves by itself"):
        compare(one, moving_too, Taken(png(100, 80, (5, 5, 9, 9)), 1.0, {}))


def test_elements_that_are_deep_in_each_other_are_gone_through() -> None:
    rows = [[f"#n{n}", "", 0, 0, 9, 9, "c", "c", "f", n - 1] for n in range(LISTED)]

    assert LISTED - 1 == sum(1 for _ in tree_of(stored(*rows)).below(0))


@pytest.mark.requirement("visual-016")
def test_a_large_picture_is_compared_as_a_small_one_and_shown_at_half_its_size() -> None:
    old, new = Taken(png(4_000, 4_100), 1.0, {}), Taken(png(4_000, 4_100, (2_000, 3_000, 2_080, 3_040)), 1.0, {})
    again = Taken(png(4_000, 4_100, (100, 100, 108, 108)), 1.0, {})

    found = compare(old, again, new)

    assert (["looks different at 2000,3000 80×40"], 3_200, 1) == (
        found.answer.changes,
        found.answer.seen_px,
        found.answer.ignored,
    )
    assert found.shown is not None
    assert (220, 38, 38) in {color for _, color in found.shown.getcolors(1 << 16) or ()}


@pytest.mark.requirement("regression-027")
@pytest.mark.parametrize(
    "stored",
    [
        {"columns": 7},
        {"columns": list(COLUMNS), "rows": "many"},
        {"columns": list(COLUMNS), "rows": [["p"]]},
        {"columns": list(COLUMNS), "rows": [["p", 0, 0, 9, 9, "", "", "", "0", ""]]},
        {"columns": list(COLUMNS), "rows": [None]},
        {"columns": ["selector"], "rows": [["p"]]},
    ],
)
def test_elements_that_are_damaged_are_none(stored: dict[str, Any]) -> None:
    assert [] == tree_of(stored).elements


MEASURE = """
import pathlib, re, sys
from gasoline_workers.visual.comparison import compared, read_both
one, other = (pathlib.Path(name).read_bytes() for name in sys.argv[1:])
compared(*read_both((one, 1.0, {}), (other, 1.0, {})))
print(re.search(r"VmHWM:\\s+([0-9]+) kB", pathlib.Path("/proc/self/status").read_text())[1])
"""
"""Prints the most memory that it has had, by Linux: `ru_maxrss` is at least that of the process that started it."""


def test_two_pictures_of_a_long_page_are_compared_in_the_memory_of_two_copies_of_each(tmp_path: Path) -> None:
    names = [str(tmp_path / name) for name in ("one.png", "other.png")]
    picture = Image.new("RGB", (1440, 8000), "white")
    picture.save(names[0])
    picture.paste("navy", (250, 140, 320, 170))
    picture.save(names[1])

    printed = subprocess.run([sys.executable, "-c", MEASURE, *names], capture_output=True, text=True, check=True)

    assert int(printed.stdout) >> 10 < 300  # MB: the process 60, each copy of 1440 x 8000 pixels 46
