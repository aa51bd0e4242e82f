"""What is left out of a comparison: parts that are named, that move by themselves or are masked, wherever they lie."""

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image

from gasoline_workers.screenshots.page_comparison import Taken, compare
from gasoline_workers.visual.comparison import Compared, Shot, compared, moving, read_both
from gasoline_workers.visual.elements import COLUMNS, Box

Row = list[Any]
WHITE, RED, GREEN = (255, 255, 255), (200, 0, 0), (0, 160, 0)
Part = tuple[tuple[int, int, int, int], tuple[int, int, int]]


def row(selector: str, x: int, y: int, width: int, height: int, parent: int = 0, **more: str) -> Row:
    style = {"text": "", "color": "rgb(0, 0, 0)", "background": "rgb(255, 255, 255)", "font": "400 16px"} | more
    return [selector, x, y, width, height, style["color"], style["background"], style["font"], parent, style["text"]]


def png(*parts: Part, height: int = 100) -> bytes:
    """Draw parts of a picture; each row of pixels is another, and goes with its distance from the end."""
    image = Image.new("RGB", (200, height), WHITE)
    for y in range(height):
        image.putpixel((199, y), (height - y, 9, 9))
    for (x, y, width, deep), color in parts:
        image.paste(color, (x, y, x + width, y + deep))
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def page(*rows: Row, marks: list[list[float]] | None = None, height: int = 100) -> dict[str, Any]:
    whole = row("html", 0, 0, 200, height, -1)
    return {"columns": list(COLUMNS), "rows": [whole, *rows]} | ({} if marks is None else {"marks": marks})


def shots(one: tuple[bytes, dict[str, Any]], other: tuple[bytes, dict[str, Any]]) -> tuple[Shot, Shot]:
    return read_both((one[0], 1.0, one[1]), (other[0], 1.0, other[1]))


def seen(found: Compared) -> tuple[str, list[str]]:
    return found.verdict, list(found.changes)


AD = (row("#ad", 10, 10, 40, 20), row("#rest", 10, 60, 40, 20))
MOVED_AD = (row("#ad", 10, 30, 40, 20), row("#rest", 10, 60, 40, 20))


@pytest.mark.requirement("visual-011")
@pytest.mark.parametrize(
    ("then", "now"),
    [([[0, 10, 10, 40, 20]], [[0, 10, 30, 40, 20]]), ([[0, 10, 10, 40, 20]], []), ([], [[0, 10, 30, 40, 20]])],
)
def test_what_a_selector_marks_in_either_picture_is_left_out_of_both(then: list[Any], now: list[Any]) -> None:
    """The baseline may have been made without it: then the element that is marked now is found again."""
    old, new = shots(
        (png(((10, 10, 40, 20), RED)), page(*AD, marks=then)),
        (png(((10, 30, 40, 20), GREEN)), page(*MOVED_AD, marks=now)),
    )

    assert ("identical", []) == seen(compared(old, new))
    assert "changed" == compared(old._replace(marks=()), new._replace(marks=())).verdict


@pytest.mark.requirement("visual-011")
def test_a_selector_that_marks_nothing_is_named_also_where_the_pictures_are_equal() -> None:
    marks: list[list[float]] = [[1, 10, 10, 40, 20]]
    picture = Taken(png(), 1.0, page(*AD, marks=marks))
    other = Taken(png(((10, 60, 40, 20), RED)), 1.0, page(*AD, marks=marks))

    assert [["#gone"], ["#gone"]] == [
        compare(picture, None, now, (), ["#gone", "#ad"]).answer.unmatched for now in (picture, other)
    ]


@pytest.mark.requirement("visual-007")
def test_what_moves_by_itself_is_left_out_where_the_page_has_slid_to() -> None:
    card = row("#card", 10, 10, 60, 30)
    slid = row("#card", 10, 57, 60, 30)
    before = (png(((10, 10, 60, 30), GREEN), ((20, 20, 10, 10), RED)), page(card))
    again = (png(((10, 10, 60, 30), GREEN), ((20, 20, 10, 10), WHITE)), page(card))
    now = png(((10, 57, 60, 30), GREEN), ((20, 67, 10, 10), (0, 0, 200)), height=147)
    old, other = shots(before, again)
    _, new = shots(before, (now, page(slid, height=147)))
    restless = moving(old, other)

    found = compared(old, new, restless=restless)

    assert [Box(20, 20, 10, 10)] == list(restless.boxes)
    assert ("shifted", 47) == (found.verdict, sum(span.end - span.begin for span in found.inserted))
    assert not [text for text in found.changes if "different" in text]


@pytest.mark.requirement("visual-007")
def test_what_of_an_element_is_never_the_same_is_no_change_and_the_rest_of_it_is() -> None:
    clock = png(((10, 10, 4, 20), RED))
    then, later = row("#clock", 10, 10, 90, 20, text="12:00"), row("#clock", 10, 10, 90, 20, text="12:01")
    now = row("#clock", 10, 10, 90, 20, text="12:09", background="rgb(255, 0, 0)")
    old, again = shots((png(), page(then)), (clock, page(later)))
    _, new = shots((png(), page(then)), (png(((10, 10, 4, 20), GREEN)), page(now)))

    assert {1: frozenset({"text"})} == moving(old, again).elements
    assert ["#clock: background #ffffff -> #ff0000"] == list(compared(old, new, restless=moving(old, again)).changes)


@pytest.mark.requirement("visual-018")
def test_what_came_between_the_two_pictures_of_a_baseline_is_not_new_later_and_something_else_is() -> None:
    late, other = row("#list", 10, 10, 60, 20, text="Files"), row("#bar", 100, 60, 60, 20, text="Run")
    drawn = ((10, 10, 60, 20), RED)
    old, again = shots((png(), page()), (png(drawn), page(late)))
    _, same = shots((png(), page()), (png(drawn), page(late)))
    _, more = shots((png(), page()), (png(drawn, ((100, 60, 60, 20), GREEN)), page(late, other)))
    restless = moving(old, again)

    assert ("identical", []) == seen(compared(old, same, restless=restless))
    assert ['added #bar 60×20 "Run"'] == list(compared(old, more, restless=restless).changes)
    assert ["added"] == [text.split()[0] for text in compared(old, same).changes]  # without the second picture


@pytest.mark.requirement("visual-012")
def test_a_secret_field_that_is_masked_in_one_picture_and_empty_in_the_other_is_no_change() -> None:
    empty = row("#pass", 10, 10, 90, 20)
    masked = row("#pass", 10, 10, 90, 20, color="rgba(0, 0, 0, 0)", background="rgb(118, 118, 118)")
    grey = row("#pass", 10, 10, 90, 20, background="rgb(118, 118, 118)")
    drawn = png(((10, 10, 90, 20), (118, 118, 118)))
    old, new = shots((png(), page(empty)), (drawn, page(masked)))
    _, other = shots((png(), page(empty)), (drawn, page(grey)))

    assert [("identical", []), ("identical", [])] == [seen(compared(old, new)), seen(compared(new, old))]
    assert ["#pass: background #ffffff -> #767676"] == list(compared(old, other).changes)


@pytest.mark.requirement("visual-011")
def test_a_page_around_what_is_left_out_is_compared_also_where_its_middle_lies_in_that() -> None:
    old, new = shots((png(), page()), (png(), page()))
    new.tree.elements[0] = new.tree.elements[0]._replace(background="#eeeeee")
    pixels = np.array(new.pixels)
    pixels[:40] = 238

    found = compared(old, new._replace(pixels=pixels), [Box(80, 40, 40, 20)])

    assert ["html: background #ffffff -> #eeeeee"] == list(found.changes)


@pytest.mark.requirement("visual-013")
def test_what_was_repainted_in_a_part_that_moved_is_named() -> None:
    then, now = row("#card", 10, 10, 80, 60), row("#card", 90, 20, 80, 60)
    card = ((10, 10, 80, 60), GREEN)
    moved = ((90, 20, 80, 60), GREEN)
    old, new = shots((png(card), page(then)), (png(moved, ((100, 30, 10, 10), RED)), page(now)))
    _, plain = shots((png(card), page(then)), (png(moved), page(now)))
    _, other = shots((png(card), page(then)), (png(((90, 20, 80, 60), RED)), page(now)))

    assert ["#card: looks different at 100,30 10×10", "moved #card by +80,+10"] == list(compared(old, new).changes)
    assert ["moved #card by +80,+10"] == list(compared(old, plain).changes)
    assert ["moved #card by +80,+10"] == list(compared(old, other).changes)  # another ground may show through


@pytest.mark.requirement("visual-011")
def test_what_is_left_out_and_lies_elsewhere_on_a_page_that_has_slid_is_left_out_at_both_places() -> None:
    then, now = row("#ad", 10, 10, 40, 20), row("#ad", 10, 90, 40, 20)
    old = (png(((10, 10, 40, 20), RED)), page(then, marks=[[0, 10, 10, 40, 20]]))
    new = (png(((10, 90, 40, 20), GREEN), height=120), page(now, marks=[[0, 10, 90, 40, 20]], height=120))

    assert ("shifted", 0) == compared(*shots(old, new))[:2]
