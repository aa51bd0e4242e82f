"""Finds each element of a picture again in another one of the same page."""

import itertools
from collections import Counter
from collections.abc import Callable, Hashable
from typing import Final

from gasoline_workers.visual.elements import NONE, Box, Element, Tree
from gasoline_workers.visual.sequences import Pair, paired

Keys = dict[int, int]
"""By the number of an element."""

OLD: Final = 0
NEW: Final = 1
NOWHERE: Final = Box(0, 0, 0, 0)

Key = Callable[[Tree, int], Hashable]
"""None: it has none."""

DEPTH: Final = 500
"""Levels of a page: more than it has."""


def matched(old: Tree, new: Tree) -> dict[int, int]:
    """Match by id, then level by level; at last what went elsewhere.

    Of a level, first what looks the same in its place, then what looks the same, what has the same text, what is alike.

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
        seen = _in_place(self._old, before, one), _in_place(self._new, after, other)
        still = set(seen[0].values()) & set(seen[1].values())
        keys = (
            {at: key if key in still else self._old.hashes[at] for at, key in seen[0].items()},
            {at: key if key in still else self._new.hashes[at] for at, key in seen[1].items()},
        )
        pairs: list[Pair] = []
        for some, others in self._equal(before, after, keys, pairs):
            for few, rest in self._equal(some, others, self._contents(some, others), pairs):
                pairs += self._alike(few, rest)
        self._keep(pairs)
        return pairs

    def _equal(
        self, before: list[int], after: list[int], keys: tuple[Keys, Keys], pairs: list[Pair]
    ) -> list[tuple[list[int], list[int]]]:
        """Match those of equal keys, in their order; return what lies between them."""
        ones, others = [keys[0][at] for at in before], [keys[1][at] for at in after]
        places = [(i, j) for i, j in paired(ones, others) if ones[i] == others[j]]
        pairs += [(before[i], after[j]) for i, j in places]
        bounds = [(-1, -1), *places, (len(before), len(after))]
        return [(before[i + 1 : end], after[j + 1 : far]) for (i, j), (end, far) in itertools.pairwise(bounds)]

    def _contents(self, before: list[int], after: list[int]) -> tuple[Keys, Keys]:
        """Give each element what it states as its key; one that states nothing has a key that no other has."""
        return (
            {at: self._old.contents[at] or hash((OLD, at)) for at in before},
            {at: self._new.contents[at] or hash((NEW, at)) for at in after},
        )

    def _alike(self, before: list[int], after: list[int]) -> list[Pair]:
        """Match what lies between two pairs: in its order if both sides are of the same kinds, else what is alike."""
        if [self._old.elements[at].kind for at in before] == [self._new.elements[at].kind for at in after]:
            return list(zip(before, after, strict=True))
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


def _in_place(tree: Tree, numbers: list[int], parent: int) -> Keys:
    """Give what is alone in its place in its parent a key of what is seen of it and of the place."""
    around = NOWHERE if parent == NONE else tree.elements[parent].box
    boxes = {at: tree.elements[at].box for at in numbers}
    places = {at: (tree.hashes[at], round(box.x - around.x), round(box.y - around.y)) for at, box in boxes.items()}
    counts = Counter(places.values())
    return {at: hash(place) if counts[place] == 1 else tree.hashes[at] for at, place in places.items()}


def _id_of(tree: Tree, number: int) -> str | None:
    tag = tree.elements[number].tag
    return tag if tag.startswith("#") else None


def _unique(names: dict[int, Hashable]) -> dict[Hashable, int]:
    counts = Counter(names.values())
    return {name: at for at, name in names.items() if counts[name] == 1}


def _named(element: Element) -> Hashable:
    return (element.kind, element.text) if element.text else None


def _sized(element: Element) -> Hashable:
    return element.kind, round(element.box.width), round(element.box.height)


def _tagged(element: Element) -> Hashable:
    return element.tag
