"""Measures how often the rule of a regression is wrong: on synthetic loads, and with --real on loads of fixture pages.

    .venv/bin/python tests/bench/regression.py [--rounds N] [--real N | --shifts]

Synthetic loads vary as real ones do (63 loads a page): a long tail (coefficient of variation 9 to 36 %), each like the
one before (up to +0.5), a median that has drifted by up to 5 % since the baseline, and two humps for FCP. With --shifts
the machine has become slower or faster since, and the loads with it by a power of 0.27 to 0.51, as measured.
"""

import asyncio
import math
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

sys.path.insert(0, str(Path(__file__).parents[1]))

import system
from browser import scene
from browser.assisted import Scene, at, connected_browser
from gasoline_demo.site import free_port
from gasoline_workers.regression import timings
from gasoline_workers.regression.messages import MACHINE, MORE_LOADS, Verdict

RUNS = 5
PAGES = (60, 150, 300, 600, 1_200)  # medians of LCP, ms
VARIATIONS = (0.09, 0.2, 0.36)
LAGS = (0.0, 0.3, 0.5)
DRIFT = 0.05
SLOWER_MS = (0, 50, 100, 200)
SHIFTS = (1.0, 1.5, 2.0, 4.0, 8.0, 0.25)
SHIFTED = ((60, 0.09), (150, 0.09), (300, 0.2), (600, 0.2))  # median of LCP, ms, and how it varies
FOLLOWS = (0.27, 0.51)
WORK_MS, WORK_VARIES = 8.0, (0.05, 0.4)  # of the machine's own work: on a quiet machine, and on a busy one
METRICS = {"lcp_ms": 1.0, "fcp_ms": 0.7, "ttfb_ms": 0.2, "load_ms": 1.1, "tbt_ms": 0.1}
"""The share of LCP that the other metrics are, at the median."""

Load = dict[str, int | float]


def loads(
    chance: random.Random, page: float, variation: float, lag: float, work_ms: float = WORK_MS, varies: float = 0.05
) -> Iterator[Load]:
    """Yield the loads of a page, one after another, with the machine's own work beside each."""
    sigma = math.sqrt(math.log(1 + variation**2))
    state = dict.fromkeys(METRICS, 0.0)
    while True:
        load: Load = {MACHINE: round(work_ms * math.exp(varies * chance.gauss(0, 1)), 1)}
        for name, share in METRICS.items():
            state[name] = lag * state[name] + math.sqrt(1 - lag**2) * chance.gauss(0, 1)
            hump = 3.3 if name == "fcp_ms" and chance.random() < 0.3 else 1.0
            load[name] = round(page * share * hump * math.exp(sigma * state[name]), 1)
        yield load


def verdicts(take: Callable[[int], list[Load]], base: list[Load]) -> dict[str, Verdict]:
    """Give the verdict on each metric, after more loads where the first ones ask for them."""
    now = take(RUNS)
    if timings.needs_more(base, now):
        now += take(MORE_LOADS)
    return {name: one.verdict for name, one in timings.compare(base, now).items()}


def synthetic(rounds: int, seed: int = 18) -> None:
    """Print the rates by page and variation: of unchanged pages what was claimed, of slower ones what was found."""
    chance = random.Random(seed)  # noqa: S311 - a repeatable simulation
    found = [f"+{by} ms found" for by in SLOWER_MS[1:]]
    columns = (
        "LCP, ms",
        "varies by",
        "LCP worse",
        "any worse",
        "any improved",
        "any inconclusive",
        "more loads",
        *found,
    )
    print(f"| {' | '.join(columns)} |\n|{' --- |' * len(columns)}")
    whole: dict[int, Counter[str]] = {by: Counter() for by in SLOWER_MS}
    for page in PAGES:
        for variation in VARIATIONS:
            counts = {by: _lags(chance, page, variation, by, rounds) for by in SLOWER_MS}
            print(_row(f"{page:,} | {variation:.0%}", counts), flush=True)
            for by, one in counts.items():
                whole[by] += one
    print(_row("all | ", whole))


def shifts(rounds: int, seed: int = 18) -> None:
    """Print what is claimed while the machine's speed shifts, with its own work beside each load and without."""
    chance = random.Random(seed)  # noqa: S311 - a repeatable simulation
    columns = (
        "work takes",
        "and varies by",
        "worse without it",
        "worse",
        "inconclusive",
        "improved",
        "+100 ms found, 60 to 150 ms",
    )
    print(f"| {' | '.join(columns)} |\n|{' --- |' * len(columns)}")
    for varies in WORK_VARIES:
        for shift in SHIFTS:
            pages = [_shifted(chance, page, shift, varies, rounds) for page in SHIFTED]
            same = sum(pages, Counter[str]())
            shares = [same[name] / same["rounds"] for name in ("without", "worse", "inconclusive", "improved")]
            steady = [one["found"] / one["rounds"] for one in pages[:2]]
            cells = [f"{share * 100:.1f}" for share in (*shares, sum(steady) / len(steady))]
            print(f"| {shift:g} times | {varies:.0%} | {' | '.join(cells)} |", flush=True)


def _shifted(
    chance: random.Random, page: tuple[float, float], shift: float, varies: float, rounds: int
) -> Counter[str]:
    counts: Counter[str] = Counter()
    median, variation = page
    for _ in range(rounds):
        base = loads(chance, median, variation, 0.3, WORK_MS, varies)
        slowed = median * shift ** chance.uniform(*FOLLOWS)
        later = loads(chance, slowed, variation, 0.3, WORK_MS * shift, varies)
        before, after = [next(base) for _ in range(RUNS)], [next(later) for _ in range(RUNS + MORE_LOADS)]
        slow = [load | {"lcp_ms": load["lcp_ms"] + 100, "load_ms": load["load_ms"] + 100} for load in after]
        bare = [{name: value for name, value in load.items() if name != MACHINE} for load in before]
        found = set(_of(before, after).values())
        counts["rounds"] += 1
        counts["without"] += "regression_detected" in _of(bare, after).values()
        counts["worse"] += "regression_detected" in found
        counts["inconclusive"] += "regression_detected" not in found and "inconclusive" in found
        counts["improved"] += "improved" in found
        counts["found"] += _of(before, slow)["lcp_ms"] == "regression_detected"
    return counts


def _of(before: list[Load], after: list[Load]) -> dict[str, Verdict]:
    left = iter(after)
    return verdicts(lambda number: [next(left) for _ in range(number)], before)


def _lags(chance: random.Random, page: float, variation: float, by: float, rounds: int) -> Counter[str]:
    return sum((_cell(chance, (page, variation, lag), by, rounds) for lag in LAGS), Counter[str]())


def _cell(chance: random.Random, page: tuple[float, float, float], by: float, rounds: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    median, variation, lag = page
    for _ in range(rounds):
        base = loads(chance, median, variation, lag)
        later = loads(chance, median * (1 + chance.uniform(-DRIFT, DRIFT)), variation, lag)
        taken: list[Load] = []

        def take(number: int, later: Iterator[Load] = later, taken: list[Load] = taken) -> list[Load]:
            more = [next(later) for _ in range(number)]
            taken.extend(more)
            return [load | {"lcp_ms": load["lcp_ms"] + by, "load_ms": load["load_ms"] + by} for load in more]

        found = verdicts(take, [next(base) for _ in range(RUNS)])
        counts["rounds"] += 1
        counts["lcp"] += found["lcp_ms"] == "regression_detected"
        counts["any"] += "regression_detected" in found.values()
        counts["any?"] += "inconclusive" in found.values()
        counts["better"] += "improved" in found.values()
        counts["more"] += len(taken) > RUNS
    return counts


def _row(cell: str, counts: dict[int, Counter[str]]) -> str:
    same = counts[0]
    shares = [same[name] / same["rounds"] for name in ("lcp", "any", "better", "any?", "more")]
    found = [counts[by]["lcp"] / counts[by]["rounds"] for by in SLOWER_MS[1:]]
    return f"| {cell} | {' | '.join(f'{share * 100:.1f}' for share in [*shares, *found])} |"


PAGES_REAL = ("regression.html", "small.html", "audited.html", "components.html", "forms.html")
PLANTED = {"slow=100": "regression_detected", "broken": "regression_detected", "heavy": "regression_detected"}


async def real(reruns: int) -> None:
    """Print the verdicts of identical reruns of five pages, and of the planted twins of one."""
    port = free_port()
    runner = await scene.serve_pages(port)
    with system.settings() as settings, system.running(settings):
        async with connected_browser(settings) as chrome:
            for name in PAGES_REAL:
                async with at(settings, chrome, f"http://127.0.0.1:{port}/{name}") as here:
                    await _compared(here, "baseline")
                    print(name, dict(Counter([await _compared(here, "compare") for _ in range(reruns)])), flush=True)
            for kind, right in PLANTED.items():
                async with at(settings, chrome, f"http://127.0.0.1:{port}/regression.html?{kind}") as here:
                    found = Counter([await _compared(here, "compare") for _ in range(reruns)])
                    print(f"{kind}: right {found[right]} of {reruns}", flush=True)
    await runner.cleanup()


async def _compared(here: Scene, scope: str) -> str:
    asked: dict[str, Any] = {"action": "regression", "scope": scope, "wait_s": 50, "tab_id": here.number}
    reply = await here.client.call("analyze", **asked)
    while reply["status"] == "pending":
        job = reply["correlation_id"]
        reply = await here.client.call("observe", what="analyze_result", correlation_id=job, wait_s=50)
    if reply.get("verdict") in {"regression_detected", "inconclusive"}:
        print(f"    {reply['summary']}", file=sys.stderr)
    return str(reply.get("verdict", ""))


@click.command()
@click.option("--rounds", default=200, show_default=True, help="Of each synthetic page.")
@click.option("--real", "reruns", default=0, help="Compare each real page so often, in the place of synthetic ones.")
@click.option("--shifts", "is_shifting", is_flag=True, help="Pages that are the same on a machine that is not.")
def main(rounds: int, reruns: int, *, is_shifting: bool) -> None:
    """Print the rates."""
    if is_shifting:
        shifts(rounds)
    elif reruns:
        asyncio.run(real(reruns))
    else:
        synthetic(rounds)


if __name__ == "__main__":
    main()
