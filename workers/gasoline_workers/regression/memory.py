"""Compares the memory of a settled page then and now; one measure a side shows only what is large; pure.

The bounds are those of a finding of high severity of analyze(memory, compare): tabs of one site may share a heap. Of
detached nodes a share counts too: an application has hundreds, from load to load other ones. The listeners are those of
the whole process, so that they are shown and not judged.
"""

from collections.abc import Mapping
from typing import Any

from gasoline_workers.audit.memory import DETACHED, LARGE_MB, LARGE_PCT
from gasoline_workers.audit.messages import Number
from gasoline_workers.diff.reading import number, rounded
from gasoline_workers.regression.messages import MemoryCompared

LEAST = "least"
"""In the snapshot of a page that was looked at twice, which is that with the greater heap: the other one."""

SHOWN = ("heap_used_mb", "detached_nodes", "dom_node_count", "event_listener_count")


def compare(before: Mapping[str, Any], after: Mapping[str, Any]) -> MemoryCompared:
    """Return what the page holds more of than before."""
    if before.get("source") != after.get("source"):
        reason = "measured in two ways: the debugger was available only once"
        return MemoryCompared(verdict="inconclusive", baseline=_shown(before), current=_shown(after), reason=reason)
    delta = _delta(before, after)
    least = before.get(LEAST, before)
    grown, shrunk = _beyond(delta, before, 1), _beyond(_delta(least, after), least, -1)
    return MemoryCompared(
        verdict="regression_detected" if grown else "improved" if shrunk else "no_change",
        baseline=_shown(before),
        current=_shown(after),
        delta=delta,
    )


def _delta(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Number]:
    return {name: rounded(now - was, 1) for name in SHOWN for was, now in [_both(before, after, name)]}


def _both(before: Mapping[str, Any], after: Mapping[str, Any], name: str) -> tuple[Number, Number]:
    was, now = number(before.get(name)), number(after.get(name))
    return (0, 0) if was is None or now is None else (was, now)


def _beyond(delta: Mapping[str, Number], before: Mapping[str, Any], sign: int) -> bool:
    heap, nodes = (number(before.get(name)) or 0 for name in ("heap_used_mb", "detached_nodes"))
    heap_mb = delta["heap_used_mb"] * sign
    is_heap = heap_mb >= LARGE_MB and heap_mb >= heap * LARGE_PCT / 100
    detached = delta["detached_nodes"] * sign
    return is_heap or (detached >= DETACHED and detached >= nodes * LARGE_PCT / 100)


def _shown(snapshot: Mapping[str, Any]) -> dict[str, Any]:
    return {name: snapshot[name] for name in SHOWN if snapshot.get(name) is not None}
