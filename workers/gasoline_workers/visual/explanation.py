"""Tells what has changed between two pictures of a page, by the elements that they show, in few words."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import Final, NamedTuple, Protocol

from gasoline_workers.visual.elements import LISTED, NONE, Box, Element, Tree
from gasoline_workers.visual.exclusion import Excluded
from gasoline_workers.visual.sentences import Change, fitting, listed_changes, name_of, names_of, quoted, size_of

REGIONS: Final = 3  # that no element accounts for
TRIED: Final = 300  # of all regions, the greatest: a page of print has thousands
REARRANGED: Final = 3  # elements of one parent that moved, each by another way
CELLS: Final = ("td", "th")
GROUPS: Final = ("tbody", "thead", "tfoot")
MOVED_PX: Final = 1.0  # boxes have fractions
SIZED_PX: Final = 1.0


class Parts(Protocol):
    """Compares parts of the new picture with the old one."""

    def is_moved(self, box: Box, right: int, down: int) -> bool:
        """Tell whether a part of the new picture is in the old one, so far to the left and above."""

    def is_same(self, box: Box) -> bool:
        """Tell whether a part has the same pixels in both pictures."""

    def repainted(self, was: Box, now: Box) -> list[Box]:
        """Return what differs in a part that has moved, if that can be known."""


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
    seen = _Seen(*trees, pairs, out, parts)
    changes = [*seen.added(), *seen.removed(), *seen.styled(), *seen.written(), *seen.resized()]
    moved = seen.moved()
    changes += seen.repainted(changes)
    changes += seen.unexplained(differing[:TRIED], [*changes, *moved, seen.reflowed()])
    ranked = sorted(changes, key=lambda change: -change.area) + sorted(moved, key=lambda change: -change.area)
    texts = [change.text for change in ranked]
    kept = fitting(texts)
    return Explanation(kept, len(texts) - len(kept))


class _Seen:
    """Two trees of elements, and which of them are the same."""

    def __init__(self, old: Tree, new: Tree, pairs: Mapping[int, int], out: Excluded, parts: Parts | None) -> None:
        self._old = old
        self._new = new
        self._pairs = pairs
        self._out = out
        self._parts = parts
        self._left_out = {
            one
            for one, other in pairs.items()
            if out.leaves_out(old.elements[one], is_new=False) or out.leaves_out(new.elements[other], is_new=True)
        }
        self._gone = set(range(len(old.elements))) - set(pairs)
        self._come = set(range(len(new.elements))) - set(pairs.values()) - out.late
        ends = [(one, other) for one, other in pairs.items() if self._is_together(one, other)]
        if len(new.elements) >= LISTED:  # what follows the last that both list may be there, and was not listed
            self._gone = {at for at in self._gone if at < max((one for one, _ in ends), default=NONE)}
        if len(old.elements) >= LISTED:
            self._come = {at for at in self._come if at < max((other for _, other in ends), default=NONE)}
        self._back = {other: one for one, other in self._pairs.items()}
        last = new.elements[-1].box if len(new.elements) >= LISTED else None
        self._listed_to = last.y + last.height if last else inf
        self._touched = self._around_changes()

    def added(self) -> list[Change]:
        """Name what is new, with all that is in it."""
        seen = {at for at in self._come if not self._out.leaves_out(self._new.elements[at], is_new=True)}
        return listed_changes("added", self._new, {at for at in seen if self._is_seen(self._new.elements[at])})

    def removed(self) -> list[Change]:
        """Name what is gone, with all that was in it."""
        steady = {at for at in self._gone if "there" not in self._out.elements.get(at, ())}
        seen = {at for at in steady if not self._out.leaves_out(self._old.elements[at], is_new=False)}
        return listed_changes("removed", self._old, {at for at in seen if self._is_seen(self._old.elements[at])})

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
                groups[f"text {quoted(was)} -> {quoted(now)}"].append(other)
        return [self._grouped(numbers, text) for text, numbers in groups.items()]

    def resized(self) -> list[Change]:
        """Name what has another size by itself: not by what it holds, nor because it fills its parent."""
        groups: dict[str, list[int]] = defaultdict(list)
        for one, other in self._compared():
            was, now = self._old.elements[one], self._new.elements[other]
            if _is_sized(was, now) and not self._is_restless(one, "box") and not self._is_cause_elsewhere(one, other):
                groups[f"size {size_of(was.box)} -> {size_of(now.box)}"].append(other)
        return [self._grouped(numbers, text) for text, numbers in groups.items()]

    def moved(self) -> list[Change]:
        """Name what has moved as a whole, together if by the same."""
        groups: dict[tuple[int, int], list[int]] = defaultdict(list)
        for one, step in self._movers():
            if not self._is_reflowed(one):
                groups[step].append(one)
        mixed: dict[int, list[int]] = defaultdict(list)
        for numbers in groups.values():
            if len(numbers) == 1:
                mixed[self._parent(numbers[0])].append(numbers[0])
        rearranged = {parent: numbers for parent, numbers in mixed.items() if len(numbers) >= REARRANGED}
        named = {one for numbers in rearranged.values() for one in numbers}
        together = [self._moved_by(step, numbers) for step, numbers in groups.items() if named.isdisjoint(numbers)]
        return together + [self._rearranged(parent, numbers) for parent, numbers in rearranged.items()]

    def reflowed(self) -> Change:
        """Return the cells that lie elsewhere because of another cell: they are not named."""
        cells = [one for one, _ in self._movers() if self._is_reflowed(one)]
        boxes = [(self._old.elements[one].box, self._new.elements[self._pairs[one]].box) for one in cells]
        return Change("", tuple(box for pair in boxes for box in pair))

    def repainted(self, changes: Sequence[Change]) -> list[Change]:
        """Name what differs inside of what has moved."""
        found: list[Change] = []
        for one, _ in self._movers():
            was, now = self._old.elements[one].box, self._new.elements[self._pairs[one]].box
            for box in self._parts.repainted(was, now) if self._parts else ():
                if len(found) == REGIONS:
                    return found
                if not _is_within(box, [*changes, *found]):
                    found.append(self._different(box, self._covering(box)))
        return found

    def unexplained(self, boxes: Iterable[Box], changes: Sequence[Change]) -> list[Change]:
        """Name the parts that differ though no element has changed there, by the smallest that covers each."""
        found: list[Change] = []
        below: list[Box] = []
        for box in boxes:
            if len(found) == REGIONS:
                break
            if _is_within(box, changes):
                continue
            if box.y >= self._listed_to:
                below.append(box)
                continue
            smallest = self._covering(box)
            if smallest in self._back and self._is_moved(box, self._step(self._back[smallest])):
                continue
            found.append(self._different(box, smallest))
        if below:
            text = f"looks different below {round(self._listed_to)}, where no elements are listed"
            found.append(Change(text, tuple(below)))
        return found

    def _is_moved(self, box: Box, step: tuple[int, int]) -> bool:
        return self._parts is not None and self._parts.is_moved(box, *step)

    def _is_seen(self, element: Element) -> bool:
        """Tell whether what has come or gone makes a difference: it may be clipped, or lie under another."""
        return self._parts is None or not self._parts.is_same(element.box)

    def _is_together(self, one: int, other: int) -> bool:
        """Tell whether what is around a pair is a pair too."""
        around = self._old.elements[one].parent
        return self._pairs.get(around, NONE) == self._new.elements[other].parent

    def _different(self, box: Box, smallest: int | None) -> Change:
        name = "" if smallest is None else f"{name_of(self._new.elements[smallest])}: "
        return Change(f"{name}looks different at {round(box.x)},{round(box.y)} {size_of(box)}", (box,))

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
        return Change(f"{names_of(self._new, numbers)}: {text}", tuple(self._spanned(at) for at in numbers))

    def _spanned(self, other: int) -> Box:
        """Return the box of an element of the new tree, as large as it was if that is more."""
        was, now = self._old.elements[self._back[other]].box, self._new.elements[other].box
        return now._replace(width=max(was.width, now.width), height=max(was.height, now.height))

    def _rearranged(self, parent: int, numbers: list[int]) -> Change:
        """Name what moved each by another way, by what it is in."""
        around = "" if parent == NONE else f" in {name_of(self._new.elements[self._pairs[parent]])}"
        boxes = tuple(self._old.elements[one].box for one in numbers)
        boxes += tuple(self._new.elements[self._pairs[one]].box for one in numbers)
        return Change(f"rearranged {len(numbers)} elements{around}", boxes)

    def _moved_by(self, step: tuple[int, int], numbers: list[int]) -> Change:
        inner = sum(self._step(at) == step for number in numbers for at in self._old.below(number) if at in self._pairs)
        names = names_of(self._new, [self._pairs[number] for number in numbers])
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
        if self._is_reflowed(one):
            return True
        changes_height = abs(was.box.height - now.box.height) >= SIZED_PX
        if changes_height and any(self._grows(at) for at in inner_old if at in self._pairs):
            return True
        parent = self._parent(one)
        return parent != NONE and self._follows_width(parent) and abs(was.box.width - now.box.width) >= SIZED_PX

    def _is_reflowed(self, one: int) -> bool:
        """Tell whether a cell is in a table of which another has changed: its columns share what room there is."""
        if self._old.elements[one].tag not in CELLS:
            return False
        rows = self._old.elements[self._old.elements[one].parent].parent
        if rows == NONE:
            return False
        table = self._old.elements[rows].parent if self._old.elements[rows].tag in GROUPS else rows
        return table in self._touched

    def _around_changes(self) -> set[int]:
        """Return the elements of the old tree in which a text has changed, or something has come or gone."""
        inner = [one for one, other in self._pairs.items() if self._is_rewritten(one, other)] + [*self._gone]
        inner += [self._back[around] for at in self._come if (around := self._new.elements[at].parent) in self._back]
        found: set[int] = set()
        for first in inner:
            at = first
            while at != NONE and at not in found:
                found.add(at)
                at = self._old.elements[at].parent
        return found

    def _is_rewritten(self, one: int, other: int) -> bool:
        was, now = self._old.elements[one], self._new.elements[other]
        return was.text != now.text or was.font != now.font

    def _grows(self, one: int) -> bool:
        was, now = self._old.elements[one], self._new.elements[self._pairs[one]]
        return was.text != now.text or was.font != now.font or abs(was.box.height - now.box.height) >= SIZED_PX

    def _follows_width(self, parent: int) -> bool:
        was, now = self._old.elements[parent].box, self._new.elements[self._pairs[parent]].box
        return abs(was.width - now.width) >= SIZED_PX


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
