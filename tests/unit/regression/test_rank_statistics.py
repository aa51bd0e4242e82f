"""The statistics of two groups of loads are those of counting every order of them."""

import itertools
import math
import statistics
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline_workers.regression.rank_statistics import (
    ALPHA,
    lag_correlation,
    orders,
    probability_greater,
    shift,
    sigma,
)

TIMES = st.lists(st.integers(0, 5_000), min_size=1, max_size=5)


def counted(base: Sequence[float], now: Sequence[float]) -> Fraction:
    """Count how many ways of naming the values put `now` as far above `base`."""
    values = [*base, *now]

    def against(chosen: Sequence[int]) -> int:
        left = [values[at] for at in range(len(values)) if at not in chosen]
        return sum(values[at] > other for at in chosen for other in left)

    found = against(range(len(base)))
    ways = list(itertools.combinations(range(len(values)), len(base)))
    return Fraction(sum(against(chosen) <= found for chosen in ways), len(ways))


@pytest.mark.requirement("regression-004")
@given(st.lists(st.integers(0, 10_000), min_size=2, max_size=9, unique=True), st.data())
def test_the_probability_is_that_of_counting_every_order(values: list[int], data: st.DataObject) -> None:
    at = data.draw(st.integers(1, len(values) - 1))
    base, now = values[:at], values[at:]

    assert math.isclose(counted(base, now), probability_greater(base, now))


@pytest.mark.requirement("regression-004")
@given(TIMES, TIMES)
def test_a_tie_makes_nothing_more_certain(base: list[int], now: list[int]) -> None:
    apart = [value * 4 - 1 for value in base], [value * 4 + 1 for value in now]

    assert probability_greater(base, now) >= probability_greater(*apart)


@pytest.mark.requirement("regression-004")
@given(st.integers(1, 6), st.integers(1, 6))
def test_the_orders_of_all_counts_are_all_orders(n: int, m: int) -> None:
    assert math.comb(n + m, n) == sum(orders(n, m))


@pytest.mark.requirement("regression-003")
def test_five_against_five_are_significant_up_to_four_pairs_the_wrong_way() -> None:
    base = [10, 20, 30, 40, 50]

    assert probability_greater(base, [21, 31, 41, 51, 61]) > ALPHA  # ten
    assert probability_greater(base, [35, 45, 51, 52, 53]) <= ALPHA  # three
    assert 1 / math.comb(10, 5) == probability_greater(base, [60, 70, 80, 90, 99])


@pytest.mark.requirement("regression-004")
@given(TIMES, TIMES)
def test_the_shift_is_the_median_of_all_differences_and_within_its_interval(base: list[int], now: list[int]) -> None:
    found = shift(base, now)

    assert statistics.median(after - before for before in base for after in now) == found.estimate
    assert found.low <= found.estimate <= found.high
    assert -shift(now, base).high == found.low


@pytest.mark.requirement("regression-004")
def test_the_interval_leaves_out_what_chance_does_in_one_of_forty() -> None:
    base, now = [0.0] * 5, [1.0, 2.0, 3.0, 4.0, 5.0]

    assert (3.0, 1.0, 5.0) == shift(base, now)
    assert (1.0, 5.0) == (shift([0.0], now).low, shift([0.0], now).high)  # one load leaves nothing out
    ten = [2.0**at for at in range(10)]
    differences = sorted(other * 3 - one for one in ten for other in ten)
    assert (differences[23], differences[-24]) == shift(ten, [value * 3 for value in ten])[
        1:
    ]  # tables have 23 for 10, 10


@pytest.mark.requirement("regression-003")
def test_sigma_is_that_of_most_values_whatever_one_of_them_is() -> None:
    assert math.isclose(1.25 * 1.4826 * 10, sigma([80, 90, 100, 110, 120]))
    assert sigma([90, 90, 100, 110, 9_000]) == sigma([90, 90, 100, 110, 120])


@pytest.mark.requirement("regression-006")
def test_values_that_follow_each_other_are_correlated_and_those_that_alternate_are_not() -> None:
    assert lag_correlation([100] * 5 + [200] * 5) > 0.6
    assert lag_correlation([100, 200] * 5) < 0
    assert 0 == lag_correlation([7, 7, 7])


@pytest.mark.requirement("regression-006")
def test_the_correlation_is_that_of_neighbours_by_the_spread_of_all() -> None:
    assert 0.25 == pytest.approx(lag_correlation([1, 2, 3, 4]))
    assert -0.75 == pytest.approx(lag_correlation([101, 103, 101, 103]))
