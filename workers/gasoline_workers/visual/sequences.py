"""Pairs the items of two lists that are equal, in rising order; what is equal is given as equal numbers."""

import bisect
from collections.abc import Iterable, Sequence

Pair = tuple[int, int]


def paired(before: Sequence[int], after: Sequence[int]) -> list[Pair]:
    """Pair equal items first, then what lies between two pairs in its order, if that is as much on both sides."""
    pairs: list[Pair] = []
    for anchor in (*_anchors(before, after), (len(before), len(after))):
        last = pairs[-1] if pairs else (-1, -1)
        pairs += _between(before, after, last, anchor)
        pairs.append(anchor)
    return pairs[:-1]


def _between(before: Sequence[int], after: Sequence[int], last: Pair, following: Pair) -> Iterable[Pair]:
    """Pair what lies between two pairs: from both ends as long as items are equal, the rest if it is as many."""
    (low, right), (end, far) = (last[0] + 1, last[1] + 1), following
    head, tail = [], []
    while low < end and right < far and before[low] == after[right]:
        head.append((low, right))
        low, right = low + 1, right + 1
    while low < end and right < far and before[end - 1] == after[far - 1]:
        end, far = end - 1, far - 1
        tail.append((end, far))
    rest = zip(range(low, end), range(right, far), strict=True) if end - low == far - right else ()
    return [*head, *rest, *reversed(tail)]


def _anchors(before: Sequence[int], after: Sequence[int]) -> list[Pair]:
    """Pair the items that either list has once: the longest run that rises in both (patience sorting)."""
    once = _once(after)
    pairs = sorted((i, once[item]) for item, i in _once(before).items() if item in once)
    ends: list[int] = []
    tails: list[int] = []
    back: list[int] = []
    for number, (_, j) in enumerate(pairs):
        place = bisect.bisect_left(ends, j)
        back.append(tails[place - 1] if place else -1)
        ends[place : place + 1], tails[place : place + 1] = [j], [number]
    run = []
    number = tails[-1] if tails else -1
    while number >= 0:
        run.append(pairs[number])
        number = back[number]
    return run[::-1]


def _once(items: Sequence[int]) -> dict[int, int]:
    places: dict[int, int] = {}
    for at, item in enumerate(items):
        places[item] = -1 if item in places else at
    return {item: at for item, at in places.items() if at >= 0}
