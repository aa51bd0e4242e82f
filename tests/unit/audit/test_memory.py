"""Two snapshots are compared in the shape of the seed, and what grew with the heap is its likely cause."""

from typing import Any

import pytest

from gasoline_workers.audit.memory import judge

Evidence = dict[str, Any]

MB = 1_000_000
AT = "2026-01-30T10:50:00Z"


def snapshot(used_mb: float = 45.2, **counts: Any) -> Evidence:
    heap = {"used": used_mb * MB, "total": 64 * MB, "limit": 2048 * MB}
    base = {"at": AT, "heap": heap, "elements": 1523, "detached": 127, "listeners": 342, "source": "debugger"}
    return base | counts


@pytest.mark.requirement("000-089")
def test_a_snapshot_has_the_shape_of_the_seed_and_the_source_of_its_numbers() -> None:
    expected = {
        "timestamp": AT,
        "heap_used_mb": 45.2,
        "heap_total_mb": 64,
        "heap_limit_mb": 2048,
        "detached_nodes": 127,
        "dom_node_count": 1523,
        "event_listener_count": 342,
        "source": "debugger",
    }
    uncounted = snapshot(detached=None, listeners=None, source="performance.memory")

    assert {"snapshot": expected} == judge({"current": snapshot()}, "snapshot").more
    found = judge({"current": uncounted}, "snapshot").more["snapshot"]
    assert (None, None) == (found["detached_nodes"], found["event_listener_count"])


@pytest.mark.requirement("000-090", "000-091", "000-092")
def test_a_comparison_has_both_their_difference_and_the_likely_cause() -> None:
    now = snapshot(62.8, detached=974, elements=1757)
    found = judge({"baseline": snapshot(), "current": now}, "compare")
    (finding,) = found.findings

    assert (45.2, 62.8) == (found.more["baseline"]["heap_used_mb"], found.more["current"]["heap_used_mb"])
    delta = {"heap_growth_mb": 17.6, "heap_growth_pct": 38.9, "detached_nodes_delta": 847, "dom_nodes_delta": 234}
    assert delta | {"event_listeners_delta": 0} == found.more["delta"]
    assert ("high", "Significant heap growth detected (38.9%)") == (finding.severity, finding.message)
    assert "Detached DOM nodes increased by 847" == finding.likely_cause
    assert "Check for event listeners not being removed on component unmount" == finding.guidance


@pytest.mark.requirement("findings-016")
def test_what_grew_with_the_heap_is_its_likely_cause_and_noise_is_no_finding() -> None:
    grown: dict[str, Evidence] = {
        "Event listeners increased by 600": snapshot(52, listeners=942),
        "The page shows 900 more elements": snapshot(52, elements=2423),
        "Objects of scripts": snapshot(52),
        "A variable, a map": snapshot(detached=300),
        "Listeners are added again": snapshot(listeners=500),
    }
    causes = {
        cause: [one.likely_cause for one in judge({"baseline": snapshot(), "current": now}, "compare").findings]
        for cause, now in grown.items()
    }
    noise = [snapshot(45.9), snapshot(49), snapshot(20), snapshot(detached=140, listeners=350)]

    assert not {cause: found for cause, found in causes.items() if len(found) != 1 or not found[0].startswith(cause)}
    assert [[]] * len(noise) == [judge({"baseline": snapshot(), "current": now}, "compare").findings for now in noise]


@pytest.mark.requirement("findings-006", "findings-017")
def test_numbers_of_different_sources_are_not_compared_and_garbage_is_no_error() -> None:
    other = snapshot(90, detached=None, listeners=None, source="performance.memory")
    found = judge({"baseline": snapshot(), "current": other}, "compare")

    assert ([], {"dom_nodes_delta": 0}) == (found.findings, found.more["delta"])
    garbage: object
    for garbage in (None, [], {"current": 3, "baseline": "x"}, {"current": {"heap": [1], "at": "x"}}):
        assert [] == judge(garbage, "compare").findings
