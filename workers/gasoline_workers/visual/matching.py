"""Finds each element of a picture again in another one of the same page."""

import itertools
from collections import Counter
from collections.abc import Callable, Hashable
from typing import Final

from gasoline_workers.visual.elements import NONE, Element, Tree
from gasoline_workers.visual.sequences import Pair, paired

Key = Callable[[Tree, int], Hashable]
"""None: it has none."""

DEPTH: Final = 500
"""Levels of a page: more than it has."""


def matched(old: Tree, new: Tree) -> dict[int, int]:
    """Match by id, then level by level: equal subtrees first, then what looks alike; at last what went elsewhere.

    The answer leads from the number of an element in the old tree to its number in the new one.
    """
    matching = _Matching(old, new)
    matching.by_key(_id_of)
    level: list[Pair] = [(NONE, NONE), *matching.found.items()]
    for _ in range(DEPTH):
        level = [pair for one, other in level for pair in matching.children(one, other)]
        if not level:
            break
    matching.by_key(lambda tree, number: tree.hashes[number])
    return matching.found


class _Matching:
    """What is matched so far."""

    def __init__(self, old: Tree, new: Tree) -> None:
        self._old = old
        self._new = new
        self.found: dict[int, int] = {}
        self._taken: set[int] = set()

    def by_key(self, key: Key) -> None:
        """Match what is left on both sides and has a key that it alone has there."""
        one = _unique({at: key(self._old, at) for at in range(len(self._old.elements)) if at not in self.found})
        other = _unique({at: key(self._new, at) for at in range(len(self._new.elements)) if at not in self._taken})
        self._keep([(at, other[name]) for name, at in one.items() if name is not None and name in other])

    def children(self, one: int, other: int) -> list[Pair]:
        """Match the children of two elements that are the same, in their order; return the new pairs."""
        before = [at for at in self._old.children.get(one, ()) if at not in self.found]
        after = [at for at in self._new.children.get(other, ()) if at not in self._taken]
        places = [
            (i, j)
            for i, j in paired([self._old.hashes[at] for at in before], [self._new.hashes[at] for at in after])
            if self._old.elements[before[i]].tag == self._new.elements[after[j]].tag
        ]
        pairs = [(before[i], after[j]) for i, j in places]
        bounds = [(-1, -1), *places, (len(before), len(after))]
        for (i, j), (end, far) in itertools.pairwise(bounds):
            pairs += self._alike(before[i + 1 : end], after[j + 1 : far])
        self._keep(pairs)
        return pairs

    def _alike(self, before: list[int], after: list[int]) -> list[Pair]:
        """Match what lies between two pairs, by its text, or else by its size, or else by its tag."""
        pairs: list[Pair] = []
        for likeness in (_named, _sized, _tagged):
            waiting: dict[Hashable, list[int]] = {}
            for at in reversed(after):
                waiting.setdefault(likeness(self._new.elements[at]), []).append(at)
            found = [
                (at, waiting[name].pop())
                for at in before
                if (name := likeness(self._old.elements[at])) is not None and waiting.get(name)
            ]
            before = [at for at in before if at not in dict(found)]
            after = [at for at in after if at not in dict(found).values()]
            pairs += found
        return pairs

    def _keep(self, pairs: list[Pair]) -> None:
        self.found.update(pairs)
        self._taken.update(other for _, other in pairs)


def _id_of(tree: Tree, number: int) -> str | None:
    tag = tree.elements[number].tag
    return tag if tag.startswith("#") else None


def _unique(names: dict[int, Hashable]) -> dict[Hashable, int]:
    counts = Counter(names.values())
    return {name: at for at, name in names.items() if counts[name] == 1}


def _named(element: Element) -> Hashable:
    return (element.tag, element.text) if element.text else None


def _sized(element: Element) -> Hashable:
    return element.tag, round(element.box.width), round(element.box.height)


def _tagged(element: Element) -> Hashable:
    return element.tag
