"""Draws two pictures of a page beside each other: as it was, as it is, and where they differ."""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from gasoline_workers.visual.comparison import LARGE_PX, Compared, Shot

COLUMN_PX: Final = 480
HEIGHT_PX: Final = 1_500  # a model is shown no more in a legible size
GAP_PX: Final = 16
TITLE_PX: Final = 32
MARGIN_PX: Final = 40  # around what differs, where not all of the page is shown
OUTLINE_PX: Final = 2
RED: Final = (220, 38, 38)
PALE: Final = 0.35  # of what has not changed, beside white


def side_by_side(old: Shot, new: Shot, found: Compared) -> Image.Image:
    """Return one picture with three columns: before, now, and now in pale with what differs framed."""
    factor = math.ceil(math.sqrt(max(shot.pixels.shape[0] * shot.pixels.shape[1] for shot in (old, new)) / LARGE_PX))
    if factor > 1:
        old, new, found = _thinned(old, factor), _thinned(new, factor), _thinned_boxes(found, factor)
    top, low = _window(old, new, found)
    cells = [_cell(_image(shot.pixels), top, low) for shot in (old, new)]
    cells.append(_cell(_marked(new, found), top, low))
    width = max(cell.width for cell in cells)
    height = max(cell.height for cell in cells)
    page = Image.new("RGB", (3 * width + 4 * GAP_PX, height + TITLE_PX + GAP_PX), "white")
    pen, font = ImageDraw.Draw(page), ImageFont.load_default(18)
    for number, (title, cell) in enumerate(zip(("Before", "Now", "Different"), cells, strict=True)):
        left = GAP_PX + number * (width + GAP_PX)
        pen.text((left, GAP_PX / 2), title, "black", font)
        page.paste(cell, (left, TITLE_PX))
        pen.rectangle((left - 1, TITLE_PX - 1, left + cell.width, TITLE_PX + cell.height), outline="#cccccc")
    return page


def _thinned(shot: Shot, factor: int) -> Shot:
    """Leave out rows and columns of a large picture, of which several copies are made."""
    return shot._replace(pixels=np.ascontiguousarray(shot.pixels[::factor, ::factor]))


def _thinned_boxes(found: Compared, factor: int) -> Compared:
    boxes = [
        box._replace(
            x=box.x // factor,
            y=box.y // factor,
            width=math.ceil(box.width / factor),
            height=math.ceil(box.height / factor),
        )
        for box in found.boxes
    ]
    return found._replace(boxes=boxes)


def _window(old: Shot, new: Shot, found: Compared) -> tuple[int, int]:
    """Return from which row to which the pictures are shown: all, or around what differs."""
    height = max(shot.pixels.shape[0] for shot in (old, new))
    most = int(HEIGHT_PX * max(1.0, new.pixels.shape[1] / COLUMN_PX))
    if height <= most or not found.boxes:
        return 0, min(height, most)
    top = max(0, min(box.y for box in found.boxes) - MARGIN_PX)
    low = min(height, max(box.y + box.height for box in found.boxes) + MARGIN_PX)
    return top, min(low, top + most)


def _image(pixels: NDArray[np.uint8]) -> Image.Image:
    return Image.fromarray(pixels).convert("RGB")


def _cell(image: Image.Image, top: int, low: int) -> Image.Image:
    part = image.crop((0, top, image.width, min(max(low, top + 1), max(image.height, top + 1))))
    part.thumbnail((COLUMN_PX, HEIGHT_PX), Image.Resampling.BOX)
    return part


def _marked(new: Shot, found: Compared) -> Image.Image:
    image = _image(new.pixels)
    marked = Image.blend(Image.new("RGB", image.size, "white"), image, PALE)
    pen = ImageDraw.Draw(marked)
    thick = max(OUTLINE_PX, round(OUTLINE_PX * image.width / COLUMN_PX))
    for box in found.boxes:
        edges = box.x, box.y, box.x + box.width, box.y + box.height
        marked.paste(image.crop(edges), edges[:2])
        outer = max(0, edges[0] - thick), max(0, edges[1] - thick), edges[2] + thick - 1, edges[3] + thick - 1
        pen.rectangle(outer, outline=RED, width=thick)
    return marked
