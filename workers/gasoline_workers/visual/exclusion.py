"""Finds the parts of two pictures of a page that are not compared, each where it lies in either picture."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from gasoline_workers.visual.elements import NONE, Box, Element, Tree
from gasoline_workers.visual.matching import matched

MOST: Final = 0.5
"""Of an element: one that lies in what is left out by more is left out too."""

MASKED: Final = ("none", "#767676")
"""The color and the background of a secret field that is hidden (extension/src/background/pictures/masks.ts)."""

Mark = tuple[int, Box]
"""The number of a selector, and a box that it marks in a picture."""


class Late(NamedTuple):
    """Elements that came by themselves after a picture: their numbers in the tree of the next one."""

    tree: Tree
    numbers: frozenset[int]


class Restless(NamedTuple):
    """What moves by itself: parts of a picture, and what of its elements, by number, is not always the same."""

    boxes: Sequence[Box] = ()
    elements: Mapping[int, frozenset[str]] = {}
    late: Late | None = None


CALM: Final = Restless()


class Excluded(NamedTuple):
    """The parts of both pictures that are left out, what of the old elements is, and which of the new ones."""

    old: Sequence[Box]
    new: Sequence[Box]
    elements: Mapping[int, frozenset[str]]
    late: frozenset[int] = frozenset()

    def leaves_out(self, element: Element, *, is_new: bool) -> bool:
        """Tell whether an element is not compared."""
        most = element.box.area * MOST
        return any(box.shared(element.box) >= most for box in (self.new if is_new else self.old))


def unsteady(one: Tree, other: Tree) -> dict[int, frozenset[str]]:
    """Return what of the elements of a page differs between two looks at the same state of it."""
    pairs = matched(one, other)
    found = {at: _differing(one.elements[at], other.elements[pair]) for at, pair in pairs.items()}
    gone = {at: frozenset(("there",)) for at in range(len(one.elements)) if at not in pairs}
    return gone | {at: names for at, names in found.items() if names}


def came_late(one: Tree, other: Tree) -> Late | None:
    """Return which elements of a page the second of two looks at the same state of it has alone."""
    numbers = frozenset(range(len(other.elements))) - set(matched(one, other).values())
    return Late(other, numbers) if one.elements and numbers else None


def excluded(
    trees: tuple[Tree, Tree],
    pairs: Mapping[int, int],
    boxes: Iterable[Box],
    restless: Restless,
    marks: tuple[Sequence[Mark], Sequence[Mark]],
) -> Excluded:
    """Return what is left out. `boxes`: in both pictures at the same place; `restless`: of the old picture."""
    old, new = [*boxes], [*boxes]
    back = {other: one for one, other in pairs.items()}
    for box in restless.boxes:
        old.append(box)
        new.append(_again(box, *trees, pairs))
    for number, box in marks[0]:
        old.append(box)
        if not any(other == number for other, _ in marks[1]):
            new.append(_again(box, *trees, pairs))
    for number, box in marks[1]:
        new.append(box)
        if not any(other == number for other, _ in marks[0]):
            old.append(_again(box, trees[1], trees[0], back))
    for one, other in pairs.items():
        if _is_masked(trees[0].elements[one]) != _is_masked(trees[1].elements[other]):
            old.append(trees[0].elements[one].box)
            new.append(trees[1].elements[other].box)
    return Excluded(old, new, restless.elements, _late(restless.late, trees[1]))


def _late(late: Late | None, new: Tree) -> frozenset[int]:
    """Return which of the new elements had come by themselves before."""
    if late is None:
        return frozenset()
    return frozenset(other for one, other in matched(late.tree, new).items() if one in late.numbers)


def _again(box: Box, tree: Tree, other: Tree, pairs: Mapping[int, int]) -> Box:
    """Return where a part of one picture lies in the other: the element around it may have moved."""
    around = tree.covering(box)
    while around != NONE and around not in pairs:
        around = tree.elements[around].parent
    if around == NONE:
        return box
    was, now = tree.elements[around].box, other.elements[pairs[around]].box
    return now if was == box else box._replace(x=box.x + now.x - was.x, y=box.y + now.y - was.y)


def _differing(one: Element, other: Element) -> frozenset[str]:
    names = {name for name in ("text", "color", "background", "font") if getattr(one, name) != getattr(other, name)}
    return frozenset(names | ({"box"} if one.box != other.box else set()))


def _is_masked(element: Element) -> bool:
    return (element.color, element.background) == MASKED
