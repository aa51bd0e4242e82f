"""A flow that was repeated leaks, or does not: by what grew with each iteration."""

import random
from collections.abc import Iterable
from typing import Any

import pytest

from gasoline_workers.audit.found import Found
from gasoline_workers.audit.leaks import judge

ITERATIONS = 10
FLAT = [100] * ITERATIONS
HEAP = [5_000_000] * ITERATIONS


def rising(step: float, start: float = 100) -> list[float]:
    return [start + step * number for number in range(ITERATIONS)]


def found(**counted: Iterable[float | None]) -> Found:
    """Judge a flow of one act that leaves these counts after each iteration, and the others as they were."""
    return found_of(1, 0.0, **counted)


def found_of(acts: int, iteration_ms: float = 0.0, **counted: Iterable[float | None]) -> Found:
    """Judge a flow of so many acts that takes so long."""
    columns = {"detached": FLAT, "listeners": FLAT, "elements": FLAT, "heap": HEAP} | counted
    rows = zip(*columns.values(), strict=True)
    samples: list[dict[str, Any]] = [dict(zip(columns, row, strict=True)) for row in rows]
    snapshots = [one | {"heap": {"used": one["heap"]}, "source": "debugger"} for one in samples]
    return judge({"samples": snapshots, "acts": acts, "iteration_ms": iteration_ms}, "leak")


@pytest.mark.requirement("leaks-001")
@pytest.mark.parametrize(
    ("counted", "name", "per", "message"),
    [
        ({"detached": rising(12)}, "detached_nodes", 12, "Each iteration keeps 12 more detached DOM nodes"),
        ({"listeners": rising(1)}, "event_listeners", 1, "Each iteration adds 1 event listeners"),
        ({"heap": rising(40_960, 5e6)}, "heap_bytes", 40_960, "Each iteration keeps 41 kB more of the heap"),
    ],
)
def test_what_grows_with_each_iteration_is_a_leak(
    counted: dict[str, list[float]], name: str, per: int, message: str
) -> None:
    judged = found(**counted)

    assert ("leak", ITERATIONS) == (judged.more["verdict"], judged.more["iterations"])
    assert {"per_iteration": per, "fit": 1, "verdict": "leak"} == judged.more["growth"][name]
    assert ["no_leak"] * 3 == [one["verdict"] for other, one in judged.more["growth"].items() if other != name]
    (finding,) = judged.findings
    assert ("high", message) == (finding.severity, finding.message)
    assert finding.likely_cause
    assert finding.guidance


@pytest.mark.requirement("leaks-001")
def test_a_leak_at_every_second_iteration_and_one_odd_measure_beside_it_are_seen() -> None:
    second = [100 + number // 2 for number in range(ITERATIONS)]
    odd = rising(12)
    odd[4] += 300

    assert "leak" == found(detached=second).more["verdict"]
    assert 12 == found(detached=odd).more["growth"]["detached_nodes"]["per_iteration"]


@pytest.mark.requirement("leaks-001")
@pytest.mark.parametrize("at", range(1, ITERATIONS))
def test_a_heap_that_falls_once_while_it_leaks_is_a_leak(at: int) -> None:
    fallen = [value - (300_000 if number >= at else 0) for number, value in enumerate(rising(40_000, 5e6))]

    assert "leak" == found(heap=fallen).more["verdict"]


@pytest.mark.requirement("leaks-002")
def test_growth_that_ends_noise_and_nothing_are_no_leak() -> None:
    chance = random.Random(1)  # noqa: S311 - it is to be repeatable, not secret
    ends = [*rising(10)[:5], *[150] * 5]
    noise = [5e6 + chance.uniform(-30_000, 30_000) for _ in range(ITERATIONS)]
    compiled = rising(1_000, 5e6)

    for counted in ({}, {"listeners": ends}, {"heap": noise}, {"heap": compiled}, {"detached": rising(-3, 500)}):
        judged = found(**counted)
        assert ("no_leak", []) == (judged.more["verdict"], judged.findings), counted


@pytest.mark.requirement("leaks-002")
def test_what_the_engine_compiles_of_our_acts_is_no_leak_and_more_is() -> None:
    compiled = found_of(2, heap=rising(2 * 3_300, 5e6))
    leaking = found_of(2, heap=rising(9_000, 5e6))

    assert ("no_leak", []) == (compiled.more["verdict"], compiled.findings)
    assert "leak" == leaking.more["verdict"]


@pytest.mark.requirement("leaks-002")
def test_the_slower_the_acts_the_more_of_the_heap_is_theirs() -> None:
    slow = found_of(2, 1_000, heap=rising(9_000, 5e6))
    leaking = found_of(2, 1_000, heap=rising(13_000, 5e6), listeners=FLAT)

    assert ("no_leak", []) == (slow.more["verdict"], slow.findings)
    assert "leak" == leaking.more["verdict"]


@pytest.mark.requirement("leaks-002")
def test_what_the_page_shows_explains_what_grows_with_it_but_not_what_is_detached() -> None:
    grows = found(elements=rising(30), listeners=rising(1), heap=rising(20_000, 5e6))
    keeps = found(elements=rising(30), detached=rising(31))

    assert "unclear" == grows.more["verdict"]
    assert ["info"] == [one.severity for one in grows.findings]
    assert "leak" == keeps.more["verdict"]


@pytest.mark.requirement("leaks-002")
def test_a_growth_that_comes_and_goes_is_unclear() -> None:
    swings = [value + (25 if number % 2 else 0) for number, value in enumerate(rising(5))]

    assert "unclear" == found(listeners=swings).more["verdict"]


@pytest.mark.parametrize(
    "evidence",
    [None, 7, {}, {"samples": 3}, {"samples": [1, None, "x"]}, {"samples": [{}] * 10}, {"samples": [{"heap": 3}] * 10}],
)
def test_garbage_and_what_was_not_counted_is_unclear(evidence: object) -> None:
    judged = judge(evidence, "leak")

    assert ("unclear", []) == (judged.more["verdict"], judged.findings)


def test_counts_of_different_sources_and_too_few_are_not_compared() -> None:
    uncounted = found(detached=[None] * ITERATIONS, listeners=[None, *FLAT[1:]])

    assert {"dom_nodes", "heap_bytes"} == uncounted.more["growth"].keys()
    mixed = [{"heap": {"used": 1}, "source": source} for source in ("debugger", "performance.memory") * 5]
    assert ({}, "unclear") == tuple(judge({"samples": mixed}, "leak").more[name] for name in ("growth", "verdict"))
    assert {} == judge({"samples": mixed[::2]}, "leak").more["growth"]
