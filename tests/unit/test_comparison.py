"""Parts of two pictures, compared."""

from collections.abc import Callable

import pytest
from PIL import Image, ImageDraw

from gasoline_workers.screenshots.comparison import PIXELS, Shot, differing, sheet
from gasoline_workers.screenshots.messages import Part

BOX = (20.0, 20.0, 60.0, 30.0)


def shot(draw: Callable[[ImageDraw.ImageDraw], object] = lambda _pen: None, scale: float = 1.0) -> Shot:
    image = Image.new("RGB", (200, 120), "white")
    pen = ImageDraw.Draw(image)
    pen.rectangle((30, 25, 60, 40), fill="navy")
    draw(pen)
    return Shot(image, scale)


def test_what_looks_the_same_does_not_differ_also_where_it_is_off_by_a_pixel() -> None:
    moved = Shot(Image.new("RGB", (200, 120), "white"), 1.0)
    ImageDraw.Draw(moved.image).rectangle((31, 26, 61, 41), fill="navy")

    assert 0 == differing(Part(1, BOX, BOX), shot(), shot())
    assert 0 == differing(Part(1, BOX, BOX), shot(), moved)


@pytest.mark.parametrize(("pixels", "found"), [(PIXELS, False), (PIXELS + 20, True)])
def test_a_caret_is_no_difference_and_more_is(pixels: int, found: bool) -> None:  # noqa: FBT001 - a row of the table
    def caret(pen: ImageDraw.ImageDraw) -> None:
        pen.rectangle((64, 24, 64 + pixels // 20 - 1, 43), fill="black")

    assert found == bool(differing(Part(1, BOX, BOX), shot(), shot(caret)))


def test_a_faint_shade_is_no_difference() -> None:
    assert 0 == differing(Part(1, BOX, BOX), shot(), shot(lambda pen: pen.rectangle((30, 25, 60, 40), fill="#00008f")))


@pytest.mark.parametrize("box", [(-5.0, 0.0, 20.0, 20.0), (190.0, 20.0, 30.0, 10.0), (20.0, 20.0, 0.0, 10.0)])
def test_what_is_not_wholly_in_a_picture_is_not_compared(box: tuple[float, float, float, float]) -> None:
    assert differing(Part(1, box, BOX), shot(), shot()) is None
    assert differing(Part(1, BOX, box), shot(), shot()) is None


def test_boxes_are_the_pages_and_pictures_have_their_own_density() -> None:
    twice = Shot(shot().image.resize((400, 240)), 2.0)

    assert 0 == differing(Part(1, BOX, BOX), twice, twice)
    assert differing(Part(1, BOX, BOX), shot(), twice) is None
    assert differing(Part(1, (90.0, 20.0, 20.0, 20.0), (35.0, 28.0, 20.0, 20.0)), twice, twice)


def test_a_difference_is_never_rounded_to_none() -> None:
    whole = Part(1, (0.0, 0.0, 1_920.0, 1_080.0), (0.0, 0.0, 1_920.0, 1_080.0))
    images = [Image.new("RGB", (1_920, 1_080), "white") for _ in range(2)]
    ImageDraw.Draw(images[1]).rectangle((500, 500, 509, 507), fill="black")

    assert 0.0001 == differing(whole, Shot(images[0], 1.0), Shot(images[1], 1.0))


def test_a_sheet_is_no_higher_than_can_be_read() -> None:
    large = Shot(Image.new("RGB", (1_000, 1_000), "teal"), 1.0)
    parts = [Part(number, (0.0, 0.0, 400.0, 400.0), (0.0, 0.0, 400.0, 400.0), changed=True) for number in range(12)]

    assert 800 < sheet(parts, large, large).height < 1_700


def test_what_differs_is_put_side_by_side() -> None:
    parts = [Part(3, BOX, BOX, changed=True), Part(7, (500.0, 500.0, 10.0, 10.0), BOX, changed=True)]

    page = sheet(parts, shot(), shot(lambda pen: pen.rectangle((30, 25, 60, 40), fill="red")))

    colours = {colour for _count, colour in page.getcolors(1 << 16) or []}
    assert {(0, 0, 128), (255, 0, 0)} <= colours
    assert page.height > 2 * 40
