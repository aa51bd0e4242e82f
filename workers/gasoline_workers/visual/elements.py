"""Reads the elements that were visible in a picture, as they are stored beside it, into a tree."""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import msgspec

COLUMNS: Final = ("selector", "x", "y", "width", "height", "color", "background", "font", "parent", "text")
"""As extension/src/content/read/picture_place.ts writes them; in earlier pictures the text was the second. Boxes are
from the picture's corner, in the page's pixels."""

Side = int | float | str

NONE: Final = -1
ROUNDED: Final = 1.0  # px that boxes of pixels are greater than those of elements, which have fractions
LISTED: Final = 2_000  # elements at most, as extension/src/content/read/picture_place.ts lists them

GENERATED: Final = re.compile(r"#.*\d")
COLOR: Final = re.compile(r"rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)")


class Row(msgspec.Struct):
    """An element as it is stored; a side is a text where redaction has hidden it."""

    selector: str
    text: str
    x: Side
    y: Side
    width: Side
    height: Side
    color: str
    background: str
    font: str
    parent: int


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

    def covers(self, other: "Box") -> bool:
        """Tell whether another one lies in it, but for what rounding adds."""
        return (
            other.x >= self.x - ROUNDED
            and other.y >= self.y - ROUNDED
            and other.x + other.width <= self.x + self.width + ROUNDED
            and other.y + other.height <= self.y + self.height + ROUNDED
        )

    def shared(self, other: "Box") -> float:
        """Return how much it has in common with another one, in square pixels."""
        width = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        height = min(self.y + self.height, other.y + other.height) - max(self.y, other.y)
        return max(0.0, width) * max(0.0, height)


NO_BOX: Final = Box(0, 0, 0, 0)
"""Of a row whose numbers redaction took for a secret, as it did while they followed the text "Password:"."""


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

    @property
    def kind(self) -> str:
        """Its tag; of an id with a digit, which may be another with each load, only that it is one."""
        return "#" if GENERATED.match(self.tag) else self.tag


class Tree(NamedTuple):
    """The elements in the document's order, the children of each, and two hashes of each with all that is in it.

    `hashes` mark what is seen of it, `contents` what it states, 0 if that is nothing.
    """

    elements: list[Element]
    children: dict[int, list[int]]
    hashes: list[int]
    contents: list[int]

    def covering(self, box: Box) -> int:
        """Return the number of the smallest element that a part of the picture lies in, or -1."""
        around = [at for at, element in enumerate(self.elements) if element.box.covers(box)]
        return min(around, key=lambda at: self.elements[at].box.area, default=NONE)

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
    hashes, contents = [0] * len(elements), [0] * len(elements)
    for number in reversed(range(len(elements))):
        inner = children.get(number, ())
        hashes[number] = _hash(elements[number], [hashes[child] for child in inner])
        contents[number] = _content(elements[number], [contents[child] for child in inner])
    return Tree(elements, children, hashes, contents)


def _rows(stored: dict[str, Any]) -> list[Row]:
    """Read the rows; none of what was written by others, in a file that was imported."""
    try:
        columns = tuple(stored.get("columns", ()))
        if set(columns) != set(COLUMNS):
            return []
        return [msgspec.convert(dict(zip(columns, row, strict=True)), Row) for row in stored.get("rows", [])]
    except (TypeError, ValueError):
        return []


def _element(row: Row) -> Element:
    sides = [side for side in (row.x, row.y, row.width, row.height) if not isinstance(side, str)]
    box = Box(*sides) if len(sides) == len(Box._fields) else NO_BOX
    return Element(row.selector, row.text, box, shown(row.color), shown(row.background), row.font, row.parent)


def _hash(element: Element, inner: list[int]) -> int:
    """Mark what an element is, wherever it lies."""
    size = round(element.box.width), round(element.box.height)
    return hash((element.tag, element.text, size, element.color, element.background, element.font, *inner))


def _content(element: Element, inner: list[int]) -> int:
    """Mark what an element states, however it looks."""
    return hash((element.kind, element.text, *inner)) if element.text or any(inner) else 0


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
