"""A metric is slower, faster, the same or not to be known by the loads of both sides; reasons are stated."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline_workers.regression.messages import LEAST_LOADS, MACHINE, MetricCompared
from gasoline_workers.regression.timings import Load, compare, medians, needs_more

QUIET = [200, 205, 195, 210, 202]


def of(name: str, *values: float) -> list[Load]:
    return [{name: value} for value in values]


def lcp(before: list[float] | list[int], now: list[float] | list[int]) -> MetricCompared:
    return compare(of("lcp_ms", *before), of("lcp_ms", *now))["lcp_ms"]


@pytest.mark.requirement("regression-003")
@pytest.mark.parametrize(
    ("before", "by", "verdict"),
    [
        (QUIET, 60, "regression_detected"),
        (QUIET, 49, "no_change"),  # below 50 ms
        (QUIET, -60, "improved"),
        ([2_000, 2_050, 1_950, 2_100, 2_020], 190, "no_change"),  # below 10 %
        ([2_000, 2_050, 1_950, 2_100, 2_020], 220, "regression_detected"),
        ([2_000, 2_300, 1_700, 2_600, 2_020], 300, "no_change"),  # below two sigmas of 1,100: it may be chance
        ([2_000, 2_300, 1_700, 2_600, 2_020], 1_500, "regression_detected"),
        ([200, 205, 195, 400, 380], 90, "no_change"),  # its median is one of the loads before
    ],
)
def test_a_time_has_changed_by_what_matters_on_this_page(before: list[int], by: int, verdict: str) -> None:
    found = lcp(before, [value + by for value in before])

    assert verdict == found.verdict
    assert by == found.delta
    assert "" == found.reason


@pytest.mark.requirement("regression-003")
@pytest.mark.parametrize(
    ("now", "verdict"),
    [
        ([500, 900, 620, 1_400, 700], "regression_detected"),  # even its fast half is slower
        ([253, 900, 620, 1_400, 250], "inconclusive"),
        ([500] * 5 + [1_000] * 5, "regression_detected"),  # each like the one before, and all of them slow
    ],
)
def test_what_is_far_apart_may_vary_much(now: list[int], verdict: str) -> None:
    assert verdict == lcp(QUIET, now).verdict


@pytest.mark.requirement("regression-003", "regression-012")
def test_the_answer_has_median_range_interval_floor_and_probability() -> None:
    found = lcp(QUIET, [value + 100 for value in QUIET])

    assert (202, 195, 210, 5) == (
        found.baseline.median,
        found.baseline.min,
        found.baseline.max,
        found.baseline.loads,
    )
    assert found.current is not None
    assert (302, 295, 310, 5) == (found.current.median, found.current.min, found.current.max, found.current.loads)
    assert (100, (90, 110), 50, 0.004) == (found.delta, found.interval, found.floor, found.p)


@pytest.mark.requirement("regression-006", "regression-038")
@pytest.mark.parametrize(
    ("before", "now", "reason"),
    [
        (QUIET, [900, 950, 920], f"fewer than {LEAST_LOADS} loads"),
        (QUIET[:3], [900, 950, 920, 940], f"fewer than {LEAST_LOADS} loads"),
        (QUIET, [], "not measured now"),
        ([100, 400, 90, 380, 110, 420], [200, 500, 150, 300, 320, 480], "differ too much"),
        ([2_000, 2_300, 1_700, 2_600, 2_020], [2_700, 3_000, 2_400, 3_300, 2_720], "differ too much"),
        (
            [1_500, 1_900, 1_300, 2_400],
            [2_200, 2_600, 2_000, 3_100, 2_450],
            "differ too much",
        ),  # 700 ms on a busy machine
        (
            [204, 368, 264, 1_220],
            [932, 1_108, 968, 924],
            "all loads of the baseline but one",
        ),  # a busy moment hid 700 ms
        (QUIET, [204, 201, 300, 310, 320], "chance"),
        (QUIET, [254, 255, 256, 254, 255, 300, 302, 301, 300, 303], "the one before"),
    ],
)
def test_what_cannot_be_known_has_its_reason(before: list[int], now: list[int], reason: str) -> None:
    found = lcp(before, now)

    assert "inconclusive" == found.verdict
    assert reason in found.reason


@pytest.mark.requirement("regression-006")
@pytest.mark.parametrize(
    ("before", "now"),
    [
        ([200, 500, 150, 300, 320, 480], [100, 400, 90, 380, 110, 420]),
        ([204, 201, 300, 310, 320], QUIET),
        ([360, 362, 361, 363, 362], [315, 316, 314, 316, 315, 260, 262, 261, 260, 263]),
    ],
)
def test_what_only_seems_faster_is_no_change(before: list[int], now: list[int]) -> None:
    assert ("no_change", "") == (lcp(before, now).verdict, lcp(before, now).reason)


@pytest.mark.requirement("regression-007")
@pytest.mark.parametrize(
    ("name", "before", "now", "verdict"),
    [
        ("bytes", 100_000, 105_000, "no_change"),
        ("bytes", 100_000, 105_001, "regression_detected"),
        ("bytes", 105_001, 100_000, "improved"),
        ("bytes", 20, 23, "no_change"),
        ("bytes", 10_000, 11_460, "no_change"),
        ("bytes", 10_000, 11_461, "regression_detected"),
        ("requests", 5, 6, "no_change"),
        ("requests", 30, 33, "no_change"),
        ("requests", 30, 34, "regression_detected"),
        ("requests", 5, 7, "regression_detected"),
        ("cls", 0.0, 0.049, "no_change"),
        ("cls", 0.01, 0.06, "regression_detected"),
        ("cls", 0.06, 0.01, "improved"),
    ],
)
def test_counts_bytes_and_layout_shifts_are_exact(name: str, before: float, now: float, verdict: str) -> None:
    found = compare(of(name, *[before] * 5), of(name, *[now] * 5))[name]

    assert verdict == found.verdict


@pytest.mark.requirement("regression-007")
def test_a_count_that_the_baseline_had_too_is_no_change() -> None:
    found = compare(of("requests", 10, 10, 14, 10, 10), of("requests", 14, 14, 14, 14, 14))["requests"]

    assert "no_change" == found.verdict


@pytest.mark.requirement("regression-005")
def test_more_loads_are_needed_where_a_time_may_have_changed_either_way_and_for_no_count() -> None:
    before = of("lcp_ms", *QUIET)

    assert needs_more(before, of("lcp_ms", *[value + 50 for value in QUIET]))
    assert needs_more(before, of("lcp_ms", *[value - 50 for value in QUIET]))
    assert not needs_more(before, of("lcp_ms", *[value + 49 for value in QUIET]))
    assert not needs_more(before, of("lcp_ms", 900, 900, 900))  # too few to be judged at all
    assert not needs_more(of("bytes", *[1] * 5), of("bytes", *[9] * 5))


@pytest.mark.requirement("regression-001")
def test_a_baseline_is_shown_by_its_medians_and_what_was_not_measured_is_left_out() -> None:
    loads: list[Load] = [{"lcp_ms": 10, "cls": 0.01234}, {"lcp_ms": 30}, {"lcp_ms": 20, "cls": 0.5}]

    assert {"lcp_ms": 20, "cls": 0.2562} == medians(loads)
    assert {"lcp_ms"} == compare(of("lcp_ms", 1, 2), of("bytes", 1, 2)).keys()


TIMES = st.lists(st.floats(0, 60_000).map(lambda value: round(value, 1)), min_size=4, max_size=8)


@pytest.mark.requirement("regression-003")
@given(TIMES)
def test_the_same_loads_are_never_a_change(values: list[float]) -> None:
    assert "no_change" == lcp(values, values).verdict


OPPOSITE = {"regression_detected": "improved", "improved": "regression_detected"}


@pytest.mark.requirement("regression-003")
@given(st.permutations([100.0, 104.0, 96.0, 110.0, 90.0]), st.integers(0, 400))
def test_slower_and_faster_are_the_same_seen_from_both_sides(before: list[float], by: int) -> None:
    now = [value + by for value in before]
    there, back = lcp(before, now), lcp(now, before)

    assert OPPOSITE.get(there.verdict, there.verdict) == back.verdict


@pytest.mark.requirement("regression-007", "regression-006")
def test_a_count_states_by_how_much_it_differs_and_is_no_change_where_it_was_as_small_before() -> None:
    def found(before: list[int], now: list[int]) -> tuple[str, float | None]:
        one = compare(of("bytes", *before), of("bytes", *now))["bytes"]
        return one.verdict, one.delta

    assert ("regression_detected", 60_000) == found([100_000] * 5, [160_000] * 5)
    assert ("no_change", -40_000) == found([60_000, *[100_000] * 4], [60_000] * 5)
    assert ("no_change", -1) == found([100_000] * 5, [99_999] * 5)
    assert ("inconclusive", 60_000) == found([100_000] * 3, [160_000] * 3)


@pytest.mark.requirement("regression-005")
def test_a_count_that_has_changed_asks_for_no_more_loads_beside_a_time_that_has_not() -> None:
    def sized(size: int) -> list[Load]:
        return [{"lcp_ms": ms, "bytes": size} for ms in QUIET]

    assert not needs_more(sized(100_000), sized(160_000))


def beside(machine: float | list[float], name: str, *values: float) -> list[Load]:
    """Give loads, and how long the machine took for its own work beside each."""
    times = machine if isinstance(machine, list) else [machine * share for share in (1, 1.02, 0.98, 1.04, 0.97)]
    return [{name: value, MACHINE: times[at % len(times)]} for at, value in enumerate(values)]


def on_machines(
    before: float | list[float], now: float | list[float], by: float, name: str = "lcp_ms"
) -> MetricCompared:
    """Compare quiet loads with those that take more, the machine taking so long for its own work beside each."""
    return compare(beside(before, name, *QUIET), beside(now, name, *[value + by for value in QUIET]))[name]


@pytest.mark.requirement("regression-037")
@pytest.mark.parametrize(
    ("before", "now", "by", "verdict", "reason"),
    [
        (8, 8, 60, "regression_detected", ""),
        (8, 12, 60, "inconclusive", "slower: its own work took 1.4 to 1.6 times as long"),
        (8, 12, 160, "regression_detected", ""),
        (8, 80, 160, "inconclusive", "slower: its own work took 9.5 to 10.5 times as long"),
        (8, 80, 900, "regression_detected", ""),
        (8, [9, 40, 70, 20, 12], 160, "inconclusive", "slower: its own work took 1.1 to 8.8 times as long"),
        (80, 8, 0, "inconclusive", "hide what is slower: its own work took 0.1 to 0.1 times as long"),
        (16, 8, 0, "no_change", ""),  # pages that wait for their server do not follow
        (80, 8, -100, "no_change", ""),
        (8, 8, -100, "improved", ""),
        (8, 80, -100, "improved", ""),
    ],
)
def test_what_the_speed_of_the_machine_explains_or_hides_is_no_verdict(
    before: float, now: float | list[float], by: float, verdict: str, reason: str
) -> None:
    found = on_machines(before, now, by)

    assert verdict == found.verdict
    assert reason in found.reason
    assert by == found.delta  # as it was measured


@pytest.mark.requirement("regression-037")
def test_a_machine_that_is_slower_has_tasks_block_that_were_too_short_to_block() -> None:
    def blocking(machine: float, by: float) -> list[Load]:
        return [{"tbt_ms": by + n, "load_ms": 300.0, MACHINE: machine} for n in range(5)]

    assert "inconclusive" == compare(blocking(8, 0), blocking(16, 90))["tbt_ms"].verdict
    assert "regression_detected" == compare(blocking(8, 0), blocking(16, 400))["tbt_ms"].verdict
    assert "regression_detected" == compare(blocking(8, 0), blocking(8, 90))["tbt_ms"].verdict


@pytest.mark.requirement("regression-037")
def test_loads_of_an_earlier_version_are_compared_without_the_machines_speed() -> None:
    slow = [value + 60 for value in QUIET]
    old, new = of("lcp_ms", *QUIET), beside(80, "lcp_ms", *slow)

    assert "regression_detected" == compare(old, new)["lcp_ms"].verdict
    assert "regression_detected" == compare(beside(8, "lcp_ms", *QUIET), of("lcp_ms", *slow))["lcp_ms"].verdict
    assert {"lcp_ms"} == compare(old, new).keys() == medians(new).keys()


@pytest.mark.requirement("regression-037")
def test_a_time_that_the_machine_may_explain_asks_for_more_loads() -> None:
    assert needs_more(beside(8, "lcp_ms", *QUIET), beside(80, "lcp_ms", *[value + 160 for value in QUIET]))
