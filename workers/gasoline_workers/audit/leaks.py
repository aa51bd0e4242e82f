"""Judges whether a flow that is repeated leaks: what grows by the same amount with each iteration; pure.

Rules of this file:
- What a page allocates once (a cache, compiled code) grows at first and then no more: the flow was done some times
  before the first measure, and growth must go on in the second half of the measures.
- A slope is the median of the slopes of all pairs (Theil 1950, Sen 1968), which one odd measure does not move; the fit
  is Kendall's tau, the share of pairs that grew less the share of those that shrank (Mann 1945: a trend).
- An engine that throws compiled code away makes the heap fall once: where the single steps fit better, they count.
- Nodes and listeners are counted exactly, after a collection of garbage: one in two iterations is a leak. The heap also
  holds what the engine compiles, of our own acts too: it grew by 0.6 to 3.3 kB an act for the first hundred, as
  steadily as by a leak, and in a page that was clicked without us by nothing. So it has to grow by more an act. Where
  acts are slow, on a busy machine, it grew by 5 to 6 kB for each second instead: by more than that, too.
- A page that shows more elements after each iteration keeps what belongs to them: that is no leak by itself.
"""

import itertools
import statistics
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from gasoline_workers.audit.found import Found
from gasoline_workers.audit.memory import UNMOUNT, Snapshot
from gasoline_workers.audit.messages import ITERATIONS_MIN, Finding, Verdict
from gasoline_workers.diff.reading import items, number, rounded, struct


class Bound(NamedTuple):
    """The least slope of a leak, per iteration, and its least fit."""

    slope: float
    fit: float


COUNT, HEAP_FIT = Bound(0.5, 0.8), 0.7
HEAP_BYTES = 4_096  # for each act of an iteration
HEAP_BYTES_A_S = 12_288  # for each second of an iteration: twice what was measured


def bounds(acts: int, iteration_ms: float = 0.0) -> dict[str, Bound]:
    """Return the least growth that is a leak, of a flow of so many acts that takes so long."""
    heap = Bound(max(HEAP_BYTES * max(acts, 1), HEAP_BYTES_A_S * iteration_ms / 1_000), HEAP_FIT)
    return {"detached_nodes": COUNT, "event_listeners": COUNT, "dom_nodes": COUNT, "heap_bytes": heap}


class Growth(NamedTuple):
    """How something grew: per iteration, how steadily (-1 to 1), and what follows."""

    per_iteration: float
    fit: float
    verdict: Verdict


class Evidence(msgspec.Struct, frozen=True):
    """The Snapshots of the page's memory, one after each iteration, which is of so many acts and takes so long."""

    samples: Any = None
    acts: int = 1
    iteration_ms: float = 0.0


def judge(evidence: object, _scope: str) -> Found:
    """Return what grew, the verdict, and a finding for each leak."""
    read = struct(evidence, Evidence)
    samples = [struct(one, Snapshot) for one in items(read.samples, dict)]
    least = bounds(read.acts, read.iteration_ms)
    grown = {name: growth(values, least[name]) for name, values in _measured(samples).items()}
    shown = {
        name: {"per_iteration": rounded(one.per_iteration, 1), "fit": rounded(one.fit, 2), "verdict": one.verdict}
        for name, one in grown.items()
    }
    more = {"verdict": verdict(grown), "iterations": len(samples), "growth": shown}
    return Found(list(_findings(grown)), {}, more)


def verdict(grown: dict[str, Growth]) -> Verdict:
    """Return the verdict on a flow; `unclear`, too, if only the page's own elements explain what grows."""
    verdicts = [one.verdict for name, one in grown.items() if name != "dom_nodes"]
    if not verdicts:
        return "unclear"
    if "leak" in verdicts:
        return "unclear" if _shows_more(grown) and not _is_leak(grown, "detached_nodes") else "leak"
    return "unclear" if "unclear" in verdicts else "no_leak"


def growth(values: Sequence[float], bound: Bound) -> Growth:
    """Judge the values after each iteration, of which there are enough."""
    slope, fit = _trend(values)
    if slope < bound.slope:
        return Growth(slope, fit, "no_leak")
    later, _ = _trend(values[len(values) // 2 :])
    if later < max(bound.slope, slope) / 4:
        return Growth(slope, fit, "no_leak")
    return Growth(slope, fit, "leak" if fit >= bound.fit else "unclear")


def _measured(samples: Sequence[Snapshot]) -> dict[str, list[float]]:
    """Return what was counted after each of enough iterations, from one source."""
    if len(samples) < ITERATIONS_MIN or len({str(one.source) for one in samples}) > 1:
        return {}
    read = {
        "detached_nodes": [number(one.detached) for one in samples],
        "event_listeners": [number(one.listeners) for one in samples],
        "dom_nodes": [number(one.elements) for one in samples],
        "heap_bytes": [number(one.heap.get("used")) if isinstance(one.heap, dict) else None for one in samples],
    }
    whole = {name: [value for value in values if value is not None] for name, values in read.items()}
    return {name: list(values) for name, values in whole.items() if len(values) == len(samples)}


def _findings(grown: dict[str, Growth]) -> Iterator[Finding]:
    if _is_leak(grown, "detached_nodes"):
        per = rounded(grown["detached_nodes"].per_iteration, 1)
        yield _finding(
            f"Each iteration keeps {per} more detached DOM nodes",
            "A variable, a map or a closure holds elements that were removed from the page",
            "Let go of elements when they are removed; hold them by WeakRef or WeakMap",
        )
    if _shows_more(grown):
        per = rounded(grown["dom_nodes"].per_iteration, 1)
        yield Finding(
            severity="info",
            category="memory",
            message=f"Each iteration leaves {per} more elements in the page",
            guidance="Choose steps that end where they began: what these elements need is no leak",
        )
        return
    if _is_leak(grown, "event_listeners"):
        per = rounded(grown["event_listeners"].per_iteration, 1)
        yield _finding(f"Each iteration adds {per} event listeners", "Listeners are added and never removed", UNMOUNT)
    if _is_leak(grown, "heap_bytes") and not _is_leak(grown, "detached_nodes"):
        per = rounded(grown["heap_bytes"].per_iteration / 1_000, 1)
        yield _finding(
            f"Each iteration keeps {per} kB more of the heap",
            "Objects of scripts: arrays, maps, caches or closures that only grow",
            "Bound caches, clear timers and subscriptions when their component goes",
        )


def _finding(message: str, cause: str, guidance: str) -> Finding:
    return Finding(severity="high", category="memory", message=message, likely_cause=cause, guidance=guidance)


def _is_leak(grown: dict[str, Growth], name: str) -> bool:
    return name in grown and grown[name].verdict == "leak"


def _shows_more(grown: dict[str, Growth]) -> bool:
    return "dom_nodes" in grown and grown["dom_nodes"].verdict == "leak"


def _trend(values: Sequence[float]) -> tuple[float, float]:
    """Return the slope of all pairs, or of the single steps, and its fit: of the two the one that fits better."""
    pairs = list(itertools.combinations(enumerate(values), 2))
    slopes = [(later - former) / (to - at) for (at, former), (to, later) in pairs]
    steps = [later - former for former, later in itertools.pairwise(values)]
    fits = [(statistics.median(one), _rising(one)) for one in (slopes, steps)]
    return max(fits, key=lambda one: one[1])


def _rising(differences: Sequence[float]) -> float:
    """Return the share of those above zero less the share of those below."""
    return sum((one > 0) - (one < 0) for one in differences) / len(differences)
