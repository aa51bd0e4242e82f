"""Measures how often the rule of a regression is wrong: on synthetic loads, and with --real on loads of fixture pages.

    .venv/bin/python tests/bench/regression.py [--rounds N] [--real]

Synthetic loads vary as the real ones of ../shared/facts do: a long tail (coefficient of variation 9 to 36 %), each like
the one before (up to +0.5), a median that has drifted by up to 5 % since the baseline, and two humps for FCP.
"""

import argparse
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator

from gasoline_workers.regression import timings
from gasoline_workers.regression.messages import MORE_LOADS, Verdict

RUNS = 5
PAGES = (60, 150, 300, 600, 1_200)  # medians of LCP, ms
VARIATIONS = (0.09, 0.2, 0.36)
LAGS = (0.0, 0.3, 0.5)
DRIFT = 0.05
SLOWER_MS = (0, 50, 100, 200)
METRICS = {"lcp_ms": 1.0, "fcp_ms": 0.7, "ttfb_ms": 0.2, "load_ms": 1.1, "tbt_ms": 0.1}
"""The share of LCP that the other metrics are, at the median."""

Load = dict[str, int | float]


def loads(chance: random.Random, page: float, variation: float, lag: float) -> Iterator[Load]:
    """Yield the loads of a page, one after another."""
    sigma = math.sqrt(math.log(1 + variation**2))
    state = dict.fromkeys(METRICS, 0.0)
    while True:
        load: Load = {}
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
    """Print the rates for each page and variation."""
    chance = random.Random(seed)  # noqa: S311 - a repeatable simulation
    rates = ("LCP worse %", "LCP unknown %", "any worse %", "any unknown %", "more loads %")
    columns = ("median", "variation", "lag", "slower by", *rates)
    print(f"| {' | '.join(columns)} |\n|{' --- |' * len(columns)}")
    whole: dict[int, Counter[str]] = {by: Counter() for by in SLOWER_MS}
    for page in PAGES:
        for variation in VARIATIONS:
            for lag in LAGS:
                for by in SLOWER_MS:
                    counts = _cell(chance, (page, variation, lag), by, rounds)
                    whole[by] += counts
                    if lag == LAGS[1]:
                        print(_row(f"{page} | {variation} | {lag} | {by}", counts))
    for by, counts in whole.items():
        print(_row(f"**all** | | | {by}", counts))


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
        counts["lcp?"] += found["lcp_ms"] == "inconclusive"
        counts["any"] += "regression_detected" in found.values()
        counts["any?"] += "inconclusive" in found.values()
        counts["better"] += "improved" in found.values()
        counts["more"] += len(taken) > RUNS
    return counts


def _row(cell: str, counts: Counter[str]) -> str:
    shares = (f"{counts[name] / counts['rounds'] * 100:.1f}" for name in ("lcp", "lcp?", "any", "any?", "more"))
    return f"| {cell} | {' | '.join(shares)} |"


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=200)
    options = parser.parse_args()
    synthetic(options.rounds)
