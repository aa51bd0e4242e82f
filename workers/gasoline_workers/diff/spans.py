"""Shares the time of an action among its causes, as unions of intervals.

Rules of this file:
- Overlapping intervals count once, and only within the action's window.
- The main thread cannot use an answer while a task holds it: where a task and a request overlap, the time is of the
  task.
- What is left is rendering: style, layout, paint, and tasks too short to be reported.
"""

from collections.abc import Iterable

from gasoline_workers.diff.messages import Timing
from gasoline_workers.diff.reading import rounded

Span = tuple[float, float]


def union(spans: Iterable[Span], window: Span) -> list[Span]:
    """Merge what overlaps, cut to the window, in order."""
    begin, end = window
    merged: list[Span] = []
    for start, stop in sorted((max(start, begin), min(stop, end)) for start, stop in spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(stop, merged[-1][1])
        elif stop > start:
            merged.append((start, stop))
    return merged


def length(spans: Iterable[Span]) -> float:
    """Add them up; they do not overlap."""
    return sum(stop - start for start, stop in spans)


def shared(window: Span, tasks: list[Span], requests: list[Span]) -> Timing:
    """Share the window among tasks, requests and rendering, in whole ms that add up to the total."""
    total = int(rounded(window[1] - window[0]))
    busy = length(union(tasks, window))
    either = length(union([*tasks, *requests], window))
    js = int(rounded(busy))
    network = min(int(rounded(either - busy)), total - js)
    return Timing(total, js, network, total - js - network)
