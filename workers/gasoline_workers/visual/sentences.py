"""Writes what has changed on a page in few words, with the parts of the pictures that it is about."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

from gasoline_workers.visual.elements import Box, Element, Tree

CHARACTERS: Final = 1_200
"""About 300 tokens."""

NAMED: Final = 3  # elements of a group
SELECTOR: Final = 60
TEXT: Final = 24


class Change(NamedTuple):
    """One sentence, and its parts of the pictures, in the page's pixels."""

    text: str
    boxes: tuple[Box, ...]

    @property
    def area(self) -> float:
        """Return how much of the picture it is about."""
        return sum(box.area for box in self.boxes)


def listed_changes(word: str, tree: Tree, numbers: set[int]) -> list[Change]:
    """Name the outermost of some elements, together if they are alike."""
    groups: dict[str, list[int]] = defaultdict(list)
    for at in sorted(numbers):
        element = tree.elements[at]
        if element.parent not in numbers:
            groups[f"{element.tag} {size_of(element.box)}"].append(at)
    changes = []
    for alike in groups.values():
        first = tree.elements[alike[0]]
        text = first.text or next((tree.elements[at].text for at in tree.below(alike[0]) if tree.elements[at].text), "")
        said = f" {quoted(text)}" if text else ""
        many = f" x{len(alike)}" if len(alike) > 1 else ""
        name = f"{word} {name_of(first)}{many} {size_of(first.box)}{said}"
        changes.append(Change(name, tuple(tree.elements[at].box for at in alike)))
    return changes


def names_of(tree: Tree, numbers: Sequence[int]) -> str:
    """Name elements by their selectors, or many of one tag by it and their number."""
    if len(numbers) <= NAMED:
        return ", ".join(name_of(tree.elements[at]) for at in numbers)
    counts: dict[str, int] = defaultdict(int)
    for at in numbers:
        counts[tree.elements[at].tag] += 1
    most = sorted(counts.items(), key=lambda pair: -pair[1])
    shown = [f"{tag} x{count}" if count > 1 else tag for tag, count in most[:NAMED]]
    return ", ".join(shown) + (" …" if len(most) > NAMED else "")


def name_of(element: Element) -> str:
    """Return the end of an element's selector that names it."""
    selector = element.selector.removeprefix("html>body>").removeprefix("html>")
    return selector if len(selector) <= SELECTOR else "…" + selector[-SELECTOR:]


def fitting(texts: Sequence[str]) -> list[str]:
    """Return as many sentences as there is room for."""
    kept: list[str] = []
    left = CHARACTERS
    for text in texts:
        left -= len(text) + 1
        if left < 0:
            break
        kept.append(text)
    return kept


def quoted(text: str) -> str:
    """Return a text in quotes, no longer than it is needed to recognize it."""
    return f'"{text if len(text) <= TEXT else text[: TEXT - 1] + "…"}"'


def size_of(box: Box) -> str:
    """Return the width and the height of a part."""
    return f"{round(box.width)}×{round(box.height)}"
