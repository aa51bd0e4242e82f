"""Reads the elements that were visible in a picture, as they are stored beside it, into a tree."""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import msgspec

COLUMNS: Final = ("selector", "text", "x", "y", "width", "height", "color", "background", "font", "parent")
"""As extension/src/content/read/picture_place.ts writes them; boxes from the picture's corner, in the page's pixels."""

Number = int | float
Row = tuple[str, str, Number, Number, Number, Number, str, str, str, int]

NONE: Final = -1
LISTED: Final = 2_000  # elements at most, as extension/src/content/read/picture_place.ts lists them

COLOR: Final = re.compile(r"rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)")


class Box(NamedTuple):
    """A part of a picture, in the page's pixels."""

    x: float
    y: float
    width: float
    height: float

    @property
    def area(self) -> float:
        """Its size, in square pixels."""
        return self.width * self.height

    def holds(self, x: float, y: float) -> bool:
        """Tell whether a point lies in it."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


class Element(NamedTuple):
    """A visible element. `parent`: the number of the nearest visible one that it is in, or -1."""

    selector: str
    text: str
    box: Box
    color: str
    background: str
    font: str
    parent: int

    @property
    def tag(self) -> str:
        """Its last step, without its place among its twins: a tag's name, or an id."""
        return re.sub(r":nth-of-type\(\d+\)$", "", re.split(r"(?<!\\)>", self.selector)[-1].strip())


class Tree(NamedTuple):
    """The elements in the document's order, the children of each, and a hash of each with all that is in it."""

    elements: list[Element]
    children: dict[int, list[int]]
    hashes: list[int]

    def below(self, number: int) -> Iterator[int]:
        """Go through the elements in another one."""
        waiting = [*reversed(self.children.get(number, ()))]
        while waiting:
            child = waiting.pop()
            yield child
            waiting += reversed(self.children.get(child, ()))


def tree_of(stored: dict[str, Any]) -> Tree:
    """Read what is stored beside a picture; what is damaged or from an older version is no tree of elements."""
    elements = [_element(row) for row in _rows(stored)[:LISTED]]
    children: dict[int, list[int]] = {}
    for number, element in enumerate(elements):
        children.setdefault(element.parent if element.parent < number else NONE, []).append(number)
    hashes = [0] * len(elements)
    for number in reversed(range(len(elements))):
        hashes[number] = _hash(elements[number], [hashes[child] for child in children.get(number, ())])
    return Tree(elements, children, hashes)


def _rows(stored: dict[str, Any]) -> list[Row]:
    try:
        is_known = tuple(stored.get("columns", ())) == COLUMNS
        return msgspec.convert(stored.get("rows", []), list[Row]) if is_known else []
    except (TypeError, msgspec.ValidationError):  # written by others, in a file that was imported
        return []


def _element(row: Row) -> Element:
    selector, text, x, y, width, height, color, background, font, parent = row
    return Element(selector, text, Box(x, y, width, height), shown(color), shown(background), font, parent)


def _hash(element: Element, inner: list[int]) -> int:
    """Mark what an element is, wherever it lies."""
    size = round(element.box.width), round(element.box.height)
    return hash((element.tag, element.text, size, element.color, element.background, element.font, *inner))


def shown(color: str) -> str:
    """Write a computed color as short as it is usually written."""
    found = COLOR.fullmatch(color)
    if not found:
        return color
    *channels, alpha = found.groups()
    if alpha is not None and float(alpha) == 0:
        return "none"
    opacity = "" if alpha is None else f"{round(float(alpha) * 255):02x}"
    return "#" + "".join(f"{int(channel):02x}" for channel in channels) + opacity
