"""How long things took: quantiles of the last minutes, and sums since the start."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline_broker.hub.latency import Times
from gasoline_broker.messages import Spread

NOW = 50_000.0  # a monotonic clock's, of a machine that is up for long
OFF = 2 ** (1 / 16) - 1 + 0.0015  # 4.4 %, and what a microsecond and three decimals take


def times(*took_s: float, now: float = NOW) -> Times:
    made = Times()
    made.turn(now)
    for one in took_s:
        made.add(one)
    return made


def at(now: float, made: Times) -> Spread:
    """Return the quantiles at this time."""
    made.turn(now)
    return made.spread()


def real_ms(took_s: list[float], share: float) -> float:
    """Return the quantile: the smallest value that so many do not exceed."""
    return sorted(took_s)[math.ceil(share * len(took_s)) - 1] * 1000


def test_nothing_took_no_time() -> None:
    assert Spread() == Times().spread()


@given(st.lists(st.floats(0.001, 3_000), min_size=1, max_size=200))
def test_quantiles_are_near_the_real_ones(took_s: list[float]) -> None:
    spread = times(*took_s).spread()

    for share, told_ms in ((0.5, spread.p50_ms), (0.95, spread.p95_ms), (0.99, spread.p99_ms)):
        assert pytest.approx(real_ms(took_s, share), rel=OFF) == told_ms


def test_quantiles_of_what_is_spread_evenly_are_where_they_should_be() -> None:
    spread = times(*[number / 1000 for number in range(1, 101)]).spread()

    assert pytest.approx((50, 95, 99), rel=OFF) == (spread.p50_ms, spread.p95_ms, spread.p99_ms)


@pytest.mark.parametrize("took_s", [0.0, 1e-9, 1e6], ids=["none", "a nanosecond", "eleven days"])
def test_what_is_out_of_range_is_counted_at_its_end(took_s: float) -> None:
    spread = times(took_s).spread()

    assert (1, round(took_s, 6)) == (spread.count, spread.sum_s)


def test_count_and_sum_are_those_since_the_start() -> None:
    made = times(0.25)
    made.turn(NOW + 1_000)
    made.add(0.5)

    spread = at(NOW + 5_000, made)

    assert (2, 0.75) == (spread.count, spread.sum_s)


@pytest.mark.parametrize("reads", [(), (30.0, 59.0), (59.9, 60.1), (1.0, 2.0, 3.0, 45.0)], ids=str)
def test_what_is_less_than_a_minute_old_is_in_the_quantiles(reads: tuple[float, ...]) -> None:
    made = times(1.0)
    for read in reads:
        at(NOW + read, made)

    assert pytest.approx(1_000, rel=OFF) == at(NOW + 60, made).p50_ms


@pytest.mark.parametrize("came", range(0, 121, 5))
def test_whenever_it_came_it_is_in_the_quantiles_for_a_minute(came: int) -> None:
    made = times(0.001)
    made.turn(NOW + came)
    made.add(5.0)

    told_ms = [at(NOW + came + later, made).p99_ms for later in range(61)]

    assert pytest.approx([5_000] * 61, rel=OFF) == told_ms


@pytest.mark.parametrize("reads", [(), (59.0,), (61.0,), (119.9,), (60.1, 119.9), (30.0, 90.0)], ids=str)
def test_what_is_more_than_two_minutes_old_is_not(reads: tuple[float, ...]) -> None:
    made = times(1.0)
    for read in reads:
        at(NOW + read, made)

    assert 0.0 == at(NOW + 120.1, made).p99_ms


def test_quantiles_include_the_minute_before() -> None:
    made = times(0.001, 0.001)

    made.turn(NOW + 61)
    made.add(1.0)

    spread = at(NOW + 62, made)
    assert pytest.approx((1, 1_000), rel=OFF) == (spread.p50_ms, spread.p99_ms)


def test_the_first_value_is_the_mean_and_each_later_one_moves_it_by_a_tenth() -> None:
    made = times(1.0)
    assert 1.0 == made.lately_s

    made.add(2.0)

    assert pytest.approx(1.1) == made.lately_s


def test_a_stall_moves_the_mean_as_three_times_what_was_usual_would() -> None:
    made = times(1.0)

    made.add(1_000.0)

    assert pytest.approx(1.0 + 0.1 * 2.0) == made.lately_s


def test_a_stall_of_what_takes_a_millisecond_is_not_taken_for_a_trend() -> None:
    made = times(*[0.001] * 100)

    for _ in range(8):
        made.add(5.5)

    assert made.lately_s < 0.05
