"""Judges memory snapshots of a page: one alone is reported, two are compared (seed 000).

Each number's source is stated: the debugger counts exactly, and after it has collected garbage; performance.memory is
rounded by Chrome and holds garbage too. What was not counted is null.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from gasoline_workers.audit.findings import cut
from gasoline_workers.audit.found import Found
from gasoline_workers.audit.messages import Finding
from gasoline_workers.diff.reading import number, rounded, struct, text

MB = 1_000_000

GROWTH_MB, GROWTH_PCT = 1, 10
"""A heap that grew less is noise: garbage and caches of the engine (measured on idle pages, below 0.5 MB)."""

LARGE_MB, LARGE_PCT = 5, 30
"""From here on it is a finding of high severity; seed 000's example has 38.9 %."""

DETACHED = 50
LISTENERS = 50
"""So many more of them are no accident of one component (own figures)."""

UNMOUNT = "Check for event listeners not being removed on component unmount"


class Evidence(msgspec.Struct, frozen=True):
    """What the extension measured: `current`, and for a comparison `baseline`, each a Snapshot."""

    current: Any = None
    baseline: Any = None
    is_other_document: Any = None


class Snapshot(msgspec.Struct, frozen=True):
    """A snapshot: `at`: its time; `heap`: used, total, limit in bytes; `source`: of the heap and the counts."""

    at: Any = None
    heap: Any = None
    elements: Any = None
    detached: Any = None
    listeners: Any = None
    source: Any = None


def judge(evidence: object, scope: str) -> Found:
    """Return the snapshot, or with scope `compare` the two, their difference and what is wrong with it."""
    seen = struct(evidence, Evidence)
    current = struct(seen.current, Snapshot)
    if scope != "compare":
        return Found([], {}, {"snapshot": shown(current)})
    baseline = struct(seen.baseline, Snapshot)
    delta = difference(baseline, current)
    compared = {"baseline": shown(baseline), "current": shown(current), "delta": delta}
    if seen.is_other_document is True:
        compared["delta"] = delta | {"other_document": True}
    return Found(list(findings(delta)), {}, compared)


def shown(snapshot: Snapshot) -> dict[str, Any]:
    """Return a snapshot in the shape of seed 000, with the source of its numbers."""
    heap = snapshot.heap if isinstance(snapshot.heap, dict) else {}
    sizes = {name: number(heap.get(name)) for name in ("used", "total", "limit")}
    return {
        "timestamp": cut(text(snapshot.at)),
        **{f"heap_{name}_mb": rounded(size / MB, 1) for name, size in sizes.items() if size is not None},
        "detached_nodes": number(snapshot.detached),
        "dom_node_count": number(snapshot.elements),
        "event_listener_count": number(snapshot.listeners),
        "source": text(snapshot.source),
    }


def difference(baseline: Snapshot, current: Snapshot) -> dict[str, Any]:
    """Return how much a page has grown (seed 000); a number that either of them lacks is left out."""
    before, after = _used(baseline), _used(current)
    grown = {}
    if before and after is not None and baseline.source == current.source:
        grown = {
            "heap_growth_mb": rounded((after - before) / MB, 1),
            "heap_growth_pct": rounded((after - before) / before * 100, 1),
        }
    return grown | {
        name: now - then
        for name, then, now in (
            ("detached_nodes_delta", number(baseline.detached), number(current.detached)),
            ("dom_nodes_delta", number(baseline.elements), number(current.elements)),
            ("event_listeners_delta", number(baseline.listeners), number(current.listeners)),
        )
        if then is not None and now is not None
    }


def findings(delta: dict[str, Any]) -> Iterator[Finding]:
    """Yield what the difference of two snapshots shows of a leak."""
    mb, pct = delta.get("heap_growth_mb", 0), delta.get("heap_growth_pct", 0)
    detached, listeners = delta.get("detached_nodes_delta", 0), delta.get("event_listeners_delta", 0)
    if mb >= GROWTH_MB and pct >= GROWTH_PCT:
        cause, guidance = _cause(delta)
        yield Finding(
            severity="high" if mb >= LARGE_MB and pct >= LARGE_PCT else "medium",
            category="memory",
            message=f"Significant heap growth detected ({pct}%)",
            likely_cause=cause,
            guidance=guidance,
        )
    elif detached >= DETACHED:
        yield Finding(
            severity="medium",
            category="memory",
            message=f"{detached} more detached DOM nodes are kept",
            likely_cause="A variable, a map or a closure holds elements that were removed from the page",
            guidance="Let go of elements when they are removed; hold them by WeakRef or WeakMap",
        )
    elif listeners >= LISTENERS:
        yield Finding(
            severity="medium",
            category="memory",
            message=f"{listeners} more event listeners are registered",
            likely_cause="Listeners are added again at each step",
            guidance=UNMOUNT,
        )


def _cause(delta: dict[str, Any]) -> tuple[str, str]:
    """Return the likely cause of a growing heap, and what to do: what else grew with it."""
    detached, listeners = delta.get("detached_nodes_delta", 0), delta.get("event_listeners_delta", 0)
    elements = delta.get("dom_nodes_delta", 0)
    if detached >= DETACHED:
        return f"Detached DOM nodes increased by {detached}", UNMOUNT
    if listeners >= LISTENERS:
        return f"Event listeners increased by {listeners}", UNMOUNT
    if elements >= DETACHED:
        return f"The page shows {elements} more elements", "Draw long lists as they are scrolled to; remove old entries"
    return (
        "Objects of scripts: arrays, maps, caches or closures that only grow",
        "Bound caches, clear timers and subscriptions when their component goes",
    )


def _used(snapshot: Snapshot) -> float | None:
    return number(snapshot.heap.get("used")) if isinstance(snapshot.heap, dict) else None
