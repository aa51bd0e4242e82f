"""Tells what has changed between two pictures of a page, by the elements that they show, in few words."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from gasoline_workers.visual.elements import LISTED, NONE, Box, Element, Tree
from gasoline_workers.visual.exclusion import Excluded

CHARACTERS: Final = 1_200
"""About 300 tokens."""

REGIONS: Final = 3  # that no element accounts for
TRIED: Final = 300  # of all regions, the greatest: a page of print has thousands
NAMED: Final = 3  # elements of a group
REARRANGED: Final = 3  # elements of one parent that moved, each by another way
SELECTOR: Final = 60
TEXT: Final = 24
MOVED_PX: Final = 1.0  # boxes have fractions
SIZED_PX: Final = 1.0


class Parts(Protocol):
    """Compares parts of the new picture with the old one."""

    def is_moved(self, box: Box, right: int, down: int) -> bool:
        """Tell whether a part of the new picture is in the old one, so far to the left and above."""

    def repainted(self, was: Box, now: Box) -> list[Box]:
        """Return what differs in a part that has moved, if that can be known."""


class Change(NamedTuple):
    """One sentence, and its parts of the pictures, in the page's pixels."""

    text: str
    boxes: tuple[Box, ...]

    @property
    def area(self) -> float:
        """Return how much of the picture it is about."""
        return sum(box.area for box in self.boxes)


class Explanation(NamedTuple):
    """The changes, the greatest first, and how many more there are."""

    changes: list[str]
    more: int


def explained(
    trees: tuple[Tree, Tree], pairs: Mapping[int, int], differing: Sequence[Box], out: Excluded, parts: Parts | None
) -> Explanation:
    """Tell what has changed. `differing`: the parts of the new picture that do, in the page's pixels.

    `parts`: compares others; without it nothing but the elements can be compared.
    """
    seen = _Seen(*trees, pairs, out)
    changes = [*seen.added(), *seen.removed(), *seen.styled(), *seen.written(), *seen.resized()]
    moved = seen.moved()
    if parts is not None:
        changes += seen.repainted(changes, parts)
        changes += seen.unexplained(differing[:TRIED], changes + moved, parts)
    ranked = sorted(changes, key=lambda change: -change.area) + sorted(moved, key=lambda change: -change.area)
    texts = [change.text for change in ranked]
    kept = _fitting(texts)
    return Explanation(kept, len(texts) - len(kept))


class _Seen:
    """Two trees of elements, and which of them are the same."""

    def __init__(self, old: Tree, new: Tree, pairs: Mapping[int, int], out: Excluded) -> None:
        self._old = old
        self._new = new
        self._pairs = pairs
        self._out = out
        self._left_out = {
            one
            for one, other in pairs.items()
            if out.leaves_out(old.elements[one], is_new=False) or out.leaves_out(new.elements[other], is_new=True)
        }
        self._gone = set(range(len(old.elements))) - set(pairs)
        self._come = set(range(len(new.elements))) - set(pairs.values())
        if len(new.elements) >= LISTED:  # what follows the last that both list may be there, and was not listed
            self._gone = {at for at in self._gone if at < max(pairs, default=NONE)}
        if len(old.elements) >= LISTED:
            self._come = {at for at in self._come if at < max(pairs.values(), default=NONE)}
        self._back = {other: one for one, other in self._pairs.items()}

    def added(self) -> list[Change]:
        """Name what is new, with all that is in it."""
        seen = {at for at in self._come if not self._out.leaves_out(self._new.elements[at], is_new=True)}
        return _listed("added", self._new, seen)

    def removed(self) -> list[Change]:
        """Name what is gone, with all that was in it."""
        steady = {at for at in self._gone if "there" not in self._out.elements.get(at, ())}
        seen = {at for at in steady if not self._out.leaves_out(self._old.elements[at], is_new=False)}
        return _listed("removed", self._old, seen)

    def styled(self) -> list[Change]:
        """Name each changed style once, for all that share it; an inherited one where it begins."""
        groups: dict[str, list[int]] = defaultdict(list)
        for one, other in self._compared():
            for name, was, now in _styles(self._old.elements[one], self._new.elements[other]):
                if self._is_restless(one, name):
                    continue
                if name == "background" or not self._inherits(one, name, was, now):
                    groups[f"{name} {was} -> {now}"].append(other)
        return [self._grouped(numbers, text) for text, numbers in groups.items()]

    def written(self) -> list[Change]:
        """Name what has another text."""
        groups: dict[str, list[int]] = defaultdict(list)
        for one, other in self._compared():
            was, now = self._old.elements[one].text, self._new.elements[other].text
            if was != now and not self._is_restless(one, "text"):
                groups[f"text {_quoted(was)} -> {_quoted(now)}"].append(other)
        return [self._grouped(numbers, text) for text, numbers in groups.items()]

    def resized(self) -> list[Change]:
        """Name what has another size by itself: not by what it holds, nor because it fills its parent."""
        groups: dict[str, list[int]] = defaultdict(list)
        for one, other in self._compared():
            was, now = self._old.elements[one], self._new.elements[other]
            if _is_sized(was, now) and not self._is_restless(one, "box") and not self._is_cause_elsewhere(one, other):
                groups[f"size {_size(was.box)} -> {_size(now.box)}"].append(other)
        return [self._grouped(numbers, text) for text, numbers in groups.items()]

    def moved(self) -> list[Change]:
        """Name what has moved as a whole, together if by the same."""
        groups: dict[tuple[int, int], list[int]] = defaultdict(list)
        for one, step in self._movers():
            groups[step].append(one)
        mixed: dict[int, list[int]] = defaultdict(list)
        for numbers in groups.values():
            if len(numbers) == 1:
                mixed[self._parent(numbers[0])].append(numbers[0])
        rearranged = {parent: numbers for parent, numbers in mixed.items() if len(numbers) >= REARRANGED}
        named = {one for numbers in rearranged.values() for one in numbers}
        together = [self._moved_by(step, numbers) for step, numbers in groups.items() if named.isdisjoint(numbers)]
        return together + [self._rearranged(parent, numbers) for parent, numbers in rearranged.items()]

    def repainted(self, changes: Sequence[Change], parts: Parts) -> list[Change]:
        """Name what differs inside of what has moved."""
        found: list[Change] = []
        for one, _ in self._movers():
            was, now = self._old.elements[one].box, self._new.elements[self._pairs[one]].box
            for box in parts.repainted(was, now):
                if len(found) == REGIONS:
                    return found
                if not _is_within(box, [*changes, *found]):
                    found.append(self._different(box, self._covering(box)))
        return found

    def unexplained(self, boxes: Iterable[Box], changes: Sequence[Change], parts: Parts) -> list[Change]:
        """Name the parts that differ though no element has changed there, by the smallest that covers each."""
        found: list[Change] = []
        for box in boxes:
            if len(found) == REGIONS:
                break
            if _is_within(box, changes):
                continue
            smallest = self._covering(box)
            if smallest in self._back and parts.is_moved(box, *self._step(self._back[smallest])):
                continue
            found.append(self._different(box, smallest))
        return found

    def _different(self, box: Box, smallest: int | None) -> Change:
        name = "" if smallest is None else f"{_short(self._new.elements[smallest])}: "
        return Change(f"{name}looks different at {round(box.x)},{round(box.y)} {_size(box)}", (box,))

    def _covering(self, box: Box) -> int | None:
        x, y = _center(box)
        covering = [at for at, element in enumerate(self._new.elements) if element.box.holds(x, y)]
        return min(covering, key=lambda at: self._new.elements[at].box.area, default=None)

    def _compared(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs of elements of which neither is left out."""
        return ((one, other) for one, other in self._pairs.items() if one not in self._left_out)

    def _movers(self) -> Iterator[tuple[int, tuple[int, int]]]:
        """Yield the outermost elements that have moved, and how far."""
        for one, _ in self._compared():
            step = self._step(one)
            if step not in ((0, 0), self._step(self._parent(one))) and not self._is_restless(one, "box"):
                yield one, step

    def _is_restless(self, one: int, name: str) -> bool:
        return name in self._out.elements.get(one, ())

    def _grouped(self, numbers: list[int], text: str) -> Change:
        return Change(f"{_names(self._new, numbers)}: {text}", tuple(self._spanned(at) for at in numbers))

    def _spanned(self, other: int) -> Box:
        """Return the box of an element of the new tree, as large as it was if that is more."""
        was, now = self._old.elements[self._back[other]].box, self._new.elements[other].box
        return now._replace(width=max(was.width, now.width), height=max(was.height, now.height))

    def _rearranged(self, parent: int, numbers: list[int]) -> Change:
        """Name what moved each by another way, by what it is in."""
        around = "" if parent == NONE else f" in {_short(self._new.elements[self._pairs[parent]])}"
        boxes = tuple(self._old.elements[one].box for one in numbers)
        boxes += tuple(self._new.elements[self._pairs[one]].box for one in numbers)
        return Change(f"rearranged {len(numbers)} elements{around}", boxes)

    def _moved_by(self, step: tuple[int, int], numbers: list[int]) -> Change:
        inner = sum(self._step(at) == step for number in numbers for at in self._old.below(number) if at in self._pairs)
        names = _names(self._new, [self._pairs[number] for number in numbers])
        count = f"{len(numbers)} elements ({names})" if len(numbers) > 1 else names
        below = f", with {inner} in {'them' if len(numbers) > 1 else 'it'}" if inner else ""
        boxes = [(self._old.elements[one].box, self._new.elements[self._pairs[one]].box) for one in numbers]
        flat = tuple(box for pair in boxes for box in pair)
        return Change(f"moved {count} by {step[0]:+d},{step[1]:+d}{below}", flat)

    def _step(self, one: int) -> tuple[int, int]:
        """Return how far an element of the old tree has moved, in whole pixels."""
        if one not in self._pairs:
            return (0, 0)
        was, now = self._old.elements[one].box, self._new.elements[self._pairs[one]].box
        right, down = now.x - was.x, now.y - was.y
        if max(abs(right), abs(down)) < MOVED_PX:
            return (0, 0)
        return (round(right), round(down))

    def _parent(self, one: int) -> int:
        """Return the nearest element around one of the old tree that is in both pictures."""
        at = self._old.elements[one].parent
        while at != NONE and at not in self._pairs:
            at = self._old.elements[at].parent
        return at

    def _inherits(self, one: int, name: str, was: str, now: str) -> bool:
        parent = self._parent(one)
        if parent == NONE:
            return False
        pair = self._old.elements[parent], self._new.elements[self._pairs[parent]]
        return (name, was, now) in _styles(*pair)

    def _is_cause_elsewhere(self, one: int, other: int) -> bool:
        """Tell whether what an element holds, or what holds it, accounts for its size."""
        was, now = self._old.elements[one], self._new.elements[other]
        if was.text != now.text or was.font != now.font:
            return True
        inner_old, inner_new = list(self._old.below(one)), list(self._new.below(other))
        if self._gone.intersection(inner_old) or self._come.intersection(inner_new):
            return True
        changes_height = abs(was.box.height - now.box.height) >= SIZED_PX
        if changes_height and any(self._grows(at) for at in inner_old if at in self._pairs):
            return True
        parent = self._parent(one)
        return parent != NONE and self._follows_width(parent) and abs(was.box.width - now.box.width) >= SIZED_PX

    def _grows(self, one: int) -> bool:
        was, now = self._old.elements[one], self._new.elements[self._pairs[one]]
        return was.text != now.text or was.font != now.font or abs(was.box.height - now.box.height) >= SIZED_PX

    def _follows_width(self, parent: int) -> bool:
        was, now = self._old.elements[parent].box, self._new.elements[self._pairs[parent]].box
        return abs(was.width - now.width) >= SIZED_PX


def _listed(word: str, tree: Tree, numbers: set[int]) -> list[Change]:
    """Name the outermost of some elements, together if they are alike."""
    groups: dict[str, list[int]] = defaultdict(list)
    for at in sorted(numbers):
        element = tree.elements[at]
        if element.parent not in numbers:
            groups[f"{element.tag} {_size(element.box)}"].append(at)
    changes = []
    for alike in groups.values():
        first = tree.elements[alike[0]]
        text = first.text or next((tree.elements[at].text for at in tree.below(alike[0]) if tree.elements[at].text), "")
        quoted = f" {_quoted(text)}" if text else ""
        many = f" x{len(alike)}" if len(alike) > 1 else ""
        name = f"{word} {_short(first)}{many} {_size(first.box)}{quoted}"
        changes.append(Change(name, tuple(tree.elements[at].box for at in alike)))
    return changes


def _names(tree: Tree, numbers: Sequence[int]) -> str:
    """Name elements by their selectors, or many of one tag by it and their number."""
    if len(numbers) <= NAMED:
        return ", ".join(_short(tree.elements[at]) for at in numbers)
    counts: dict[str, int] = defaultdict(int)
    for at in numbers:
        counts[tree.elements[at].tag] += 1
    most = sorted(counts.items(), key=lambda pair: -pair[1])
    shown = [f"{tag} x{count}" if count > 1 else tag for tag, count in most[:NAMED]]
    return ", ".join(shown) + (" …" if len(most) > NAMED else "")


def _short(element: Element) -> str:
    selector = element.selector.removeprefix("html>body>").removeprefix("html>")
    return selector if len(selector) <= SELECTOR else "…" + selector[-SELECTOR:]


def _styles(was: Element, now: Element) -> list[tuple[str, str, str]]:
    names: tuple[tuple[str, Callable[[Element], str]], ...] = (
        ("color", lambda it: it.color),
        ("background", lambda it: it.background),
        ("font", lambda it: it.font),
    )
    return [(name, read(was), read(now)) for name, read in names if read(was) != read(now)]


def _is_sized(was: Element, now: Element) -> bool:
    return max(abs(was.box.width - now.box.width), abs(was.box.height - now.box.height)) >= SIZED_PX


def _is_within(box: Box, changes: Iterable[Change]) -> bool:
    x, y = _center(box)
    return any(it.holds(x, y) for change in changes for it in change.boxes)


def _center(box: Box) -> tuple[float, float]:
    return box.x + box.width / 2, box.y + box.height / 2


def _fitting(texts: Sequence[str]) -> list[str]:
    kept: list[str] = []
    left = CHARACTERS
    for text in texts:
        left -= len(text) + 1
        if left < 0:
            break
        kept.append(text)
    return kept


def _quoted(text: str) -> str:
    return f'"{text if len(text) <= TEXT else text[: TEXT - 1] + "…"}"'


def _size(box: Box) -> str:
    return f"{round(box.width)}×{round(box.height)}"
