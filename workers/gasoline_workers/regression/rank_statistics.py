"""Compares two small groups of load times by ranks: exact, and without any assumption about their distribution; pure.

Sources: Mann and Whitney 1947 (the test, and the recursion that counts its orders), Hodges and Lehmann 1963 (the shift
and its interval), Rousseeuw and Croux 1993 (the median absolute deviation as a robust sigma).
"""

import itertools
import math
import statistics
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

ALPHA = 0.05
"""Of the one-sided test; the interval holds the true shift in 95 of 100 cases, 2.5 beyond each end."""

NORMAL = 1.4826
"""From the median absolute deviation to the standard deviation of a normal distribution."""

SMALL_SAMPLE = 1.25
"""The deviation of five values is too small by about this (measured on 63 loads of each of eight pages)."""


class Shift(NamedTuple):
    """By how much a group lies above another: the estimate, and the ends of its interval."""

    estimate: float
    low: float
    high: float


@lru_cache(maxsize=1 << 16)
def orders(n: int, m: int, count: int) -> int:
    """Return how many orders of n and m values have this Mann-Whitney count."""
    if count < 0:
        return 0
    if n == 0 or m == 0:
        return int(count == 0)
    return orders(n - 1, m, count - m) + orders(n, m - 1, count)


def probability_greater(base: Sequence[float], now: Sequence[float]) -> float:
    """Return the probability that chance alone puts `now` so far above `base`; a tie counts against it."""
    against = math.ceil(sum((one > other) + (one == other) / 2 for one in base for other in now))
    favourable = sum(orders(len(base), len(now), count) for count in range(against + 1))
    return min(1.0, favourable / math.comb(len(base) + len(now), len(base)))


def shift(base: Sequence[float], now: Sequence[float]) -> Shift:
    """Return the median of all differences, `now` less `base`, and its exact interval; of few values their range."""
    differences = sorted(other - one for one in base for other in now)
    total = math.comb(len(base) + len(now), len(base))
    outside, below = 0, 0
    while (below := below + orders(len(base), len(now), outside)) <= ALPHA / 2 * total:
        outside += 1
    skipped = max(0, outside - 1)
    return Shift(statistics.median(differences), differences[skipped], differences[-1 - skipped])


def sigma(values: Sequence[float]) -> float:
    """Return the standard deviation that the bulk of the values has."""
    middle = statistics.median(values)
    return SMALL_SAMPLE * NORMAL * statistics.median(abs(value - middle) for value in values)


def lag_correlation(values: Sequence[float]) -> float:
    """Return the correlation of each value with the one before it; 0 where all are equal."""
    mean = statistics.fmean(values)
    spread = sum((value - mean) ** 2 for value in values)
    if not spread:
        return 0.0
    return sum((one - mean) * (other - mean) for one, other in itertools.pairwise(values)) / spread
