"""The difference of two page loads: numbers and resources, by seed 001's formulas and thresholds."""

from typing import Any

import msgspec
import pytest

from gasoline_workers.diff import loads
from gasoline_workers.diff.messages import LoadsCompared, MetricDiff, PerfDiff
from unit.diff.pages import KB, PAGE, SEED, compared, load, resource

ELSEWHERE = "https://cdn.example/lib.js"


def rows(found: PerfDiff) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(found.resources)
    return told


@pytest.mark.requirement("001-017", "001-018", "001-092")
def test_the_seeds_refresh_has_the_seeds_perf_diff() -> None:
    assert {
        "metrics": {
            "lcp": {"before": 2800, "after": 1200, "delta": -1600, "pct": "-57%", "improved": True},
            "fcp": {"before": 900, "after": 800, "delta": -100, "pct": "-11%", "improved": True},
            "cls": {"before": 0.02, "after": 0.01, "delta": -0.01, "pct": "-50%", "improved": True},
            "ttfb": {"before": 120, "after": 80, "delta": -40, "pct": "-33%", "improved": True},
            "load": {"before": 1500, "after": 1100, "delta": -400, "pct": "-27%", "improved": True},
            "transfer_kb": {"before": 768, "after": 512, "delta": -256, "pct": "-33%", "improved": True},
            "requests": {"before": 58, "after": 42, "delta": -16, "pct": "-28%", "improved": True},
        },
        "resources": {
            "added": [],
            "removed": [{"url": "/old-bundle.js", "type": "script", "kb": 256}],
            "resized": [{"url": "/main.js", "before_kb": 512, "after_kb": 256}],
        },
        "summary": "LCP improved 57% (2.8s → 1.2s). 256KB saved by removing old-bundle.js.",
    } == msgspec.to_builtins(compared(*SEED))


@pytest.mark.requirement("001-088")
def test_the_metrics_are_in_the_seeds_order() -> None:
    assert ["lcp", "fcp", "cls", "ttfb", "load", "transfer_kb", "requests"] == list(compared(*SEED).metrics)


@pytest.mark.requirement("applications-066")
def test_what_went_wrong_in_the_page_is_reported_with_every_kind_of_load() -> None:
    failed = [{"url": "https://shop.example/app.js", "method": "GET", "status": 500}]
    effects = {
        "console_errors": 4,
        "errors": ["TypeError: x", 7, "", "y" * 900],
        "failed_requests": 1,
        "failed": failed,
    }
    wrong = {"effects": effects, "url": "https://shop.example/cart"}
    found = [loads.compare({**one, **wrong}) for one in ({"load": load()}, {"unavailable": "late"}, {})]

    assert [("TypeError: x", 240)] * 3 == [(one.errors[0], len(one.errors[1])) for one in found]
    assert [(4, 1, ["GET /app.js 500"])] * 3 == [(one.console_errors, one.failed_requests, one.failed) for one in found]
    assert [] == loads.compare({"effects": "?", "load": 1}).errors


@pytest.mark.requirement("faults-028")
def test_the_first_load_has_no_difference() -> None:
    assert LoadsCompared(perf_diff=None, perf_diff_unavailable=loads.FIRST) == loads.compare({"load": load()})


@pytest.mark.parametrize("measured", [{}, {"load": None}, {"load": "[REDACTED]", "before": load()}, None, [], "x"])
def test_a_load_that_was_not_measured_is_named_as_such(measured: Any) -> None:
    assert LoadsCompared(perf_diff_unavailable="This load was not measured.") == loads.compare(measured)


def test_a_load_before_that_was_not_measured_is_named_as_such() -> None:
    assert LoadsCompared(perf_diff_unavailable="The load before was not measured.") == loads.compare(
        {"load": load(), "before": "[REDACTED]"}
    )


def test_why_nothing_was_measured_is_passed_on() -> None:
    assert LoadsCompared(perf_diff_unavailable="The page went on.") == loads.compare(
        {"unavailable": "The page went on."}
    )


@pytest.mark.requirement("001-089")
@pytest.mark.parametrize(("before", "after"), [(None, 1000), (1000, None), (None, None), ("[REDACTED]", 1000)])
def test_a_metric_that_is_unknown_on_either_side_is_left_out(before: Any, after: Any) -> None:
    assert "lcp" not in compared(load(lcp=before), load(lcp=after)).metrics


@pytest.mark.parametrize("timing", [None, "[REDACTED]", [1]])
def test_a_load_without_times_is_compared_by_the_rest(timing: object) -> None:
    assert ["cls", "transfer_kb", "requests"] == list(compared(load(), load() | {"timing": timing}).metrics)


@pytest.mark.requirement("001-139")
def test_a_load_without_lcp_is_compared_and_notes_that() -> None:
    found = msgspec.to_builtins(compared(load(), load(lcp=None)))

    assert (None, "lcp" in found["metrics"], "fcp" in found["metrics"]) == (found["lcp"], False, True)


def test_a_load_with_lcp_notes_nothing() -> None:
    assert "lcp" not in msgspec.to_builtins(compared(load(lcp=None), load()))


@pytest.mark.requirement("001-090", "001-091")
@pytest.mark.parametrize(
    ("before", "after", "digits", "expected"),
    [
        (0, 40, 0, MetricDiff(0, 40, 40, "+0%", improved=False)),
        (0, 0, 0, MetricDiff(0, 0, 0, "+0%", improved=False)),
        (40, 0, 0, MetricDiff(40, 0, -40, "-100%", improved=True)),
        (100, 112, 0, MetricDiff(100, 112, 12, "+12%", improved=False)),
        (200, 201, 0, MetricDiff(200, 201, 1, "+1%", improved=False)),  # 0.5, halves up as Math.round has it
        (200, 199, 0, MetricDiff(200, 199, -1, "+0%", improved=True)),  # -0.5
        (0.01, 0.03, 4, MetricDiff(0.01, 0.03, 0.02, "+200%", improved=False)),
        (1000.6, 1000.4, 0, MetricDiff(1001, 1000, 0, "+0%", improved=True)),
        (1.04, 2.96, 1, MetricDiff(1, 3, 1.9, "+185%", improved=False)),
    ],
)
def test_a_metric_is_rounded_as_shown_and_computed_exactly(
    before: float, after: float, digits: int, expected: MetricDiff
) -> None:
    assert expected == loads.metric(before, after, digits)


def test_a_load_of_another_address_names_it() -> None:
    other = "http://localhost:3000/cart"

    assert "/cart" == compared(load(url=f"{other}#top"), load()).compared_with
    assert "" == compared(load(url=f"{PAGE}#a"), load(url=f"{PAGE}#b")).compared_with
    assert compared(load(ageS=41.6), load()).compared_with.endswith(", 42 s before")


@pytest.mark.requirement("001-095")
@pytest.mark.parametrize(
    ("new", "is_told"),
    [
        (resource("new.js", 1), False),
        (resource("new.js", 1.01), True),
        (resource("new.css", 0.5, renderBlocking=True), True),
        (resource("new.js"), False),
        (resource("new.js", 0, encodedSize=5 * KB, cached=True), True),
    ],
    ids=["1 KB", "over 1 KB", "render-blocking", "of unknown size", "out of the cache"],
)
def test_added_is_what_is_over_1_kb_or_blocks_rendering(new: dict[str, Any], is_told: bool) -> None:  # noqa: FBT001
    assert is_told == bool(rows(compared(load(), load(new)))["added"])


def test_an_added_resource_states_that_it_blocks_and_its_initiator() -> None:
    new = resource("new.css", 0, initiator="link", encodedSize=2 * KB, renderBlocking=True, cached=True)

    assert [{"url": "/new.css", "type": "link", "kb": 2, "render_blocking": True, "cached": True}] == rows(
        compared(load(), load(new))
    )["added"]


@pytest.mark.requirement("001-096")
def test_a_removed_resource_of_unknown_size_has_no_size() -> None:
    found = rows(compared(load({"url": ELSEWHERE, "initiator": "script"}), load()))

    assert [{"url": ELSEWHERE, "type": "script", "kb": None}] == found["removed"]


@pytest.mark.requirement("001-097")
@pytest.mark.parametrize(
    ("before_kb", "after_kb", "is_told"),
    [(20, 22, False), (20, 22.1, True), (20, 17.9, True), (5, 6, False), (5, 6.1, True), (100, 100, False)],
)
def test_resized_is_what_changed_by_over_10_percent_and_over_1_kb(
    before_kb: float,
    after_kb: float,
    is_told: bool,  # noqa: FBT001
) -> None:
    found = compared(load(resource("a.js", before_kb)), load(resource("a.js", after_kb)))

    assert is_told == bool(rows(found)["resized"])


@pytest.mark.parametrize(
    "unknown", [{}, {"transferSize": 0, "encodedSize": 0, "decodedSize": 0}, {"transferSize": "x"}]
)
def test_an_unknown_size_is_neither_zero_nor_resized(unknown: dict[str, Any]) -> None:
    known, hidden = resource(ELSEWHERE, 50), {"url": ELSEWHERE, **unknown}

    assert [[], []] == [rows(compared(load(a), load(b)))["resized"] for a, b in [(known, hidden), (hidden, known)]]


@pytest.mark.parametrize("now", [{"transferSize": 0, "cached": True}, {"transferSize": 300}], ids=["cached", "304"])
def test_what_the_cache_kept_has_not_shrunk(now: dict[str, Any]) -> None:
    sizes = {"encodedSize": 300 * KB, "decodedSize": 900 * KB}
    before, after = resource("a.js", 301, **sizes), resource("a.js") | sizes | now

    assert {"added": [], "removed": [], "resized": []} == rows(compared(load(before), load(after)))


def test_content_that_became_empty_has_shrunk() -> None:
    before, after = resource("a.js", 301, encodedSize=300 * KB), resource("a.js", 0.3, encodedSize=0)

    assert [{"url": "/a.js", "before_kb": 300, "after_kb": 0}] == rows(compared(load(before), load(after)))["resized"]


@pytest.mark.requirement("001-093")
def test_a_query_makes_another_resource_and_a_fragment_does_not() -> None:
    found = rows(compared(load(resource("a.js?v=1#x", 9)), load(resource("a.js?v=1#y", 9), resource("a.js?v=2", 9))))

    assert (["/a.js?v=2"], []) == ([row["url"] for row in found["added"]], found["removed"])


def test_what_was_requested_often_is_one_resource_at_its_largest() -> None:
    often = [resource("a.js", size) for size in (3, 9, 5)]

    assert [9] == [row["kb"] for row in rows(compared(load(), load(*often)))["added"]]


@pytest.mark.parametrize("told", [None, "[REDACTED]", {}, 7])
def test_where_no_resources_were_reported_none_is_gone(told: Any) -> None:
    assert [] == rows(compared(load(resource("a.js", 9)), load() | {"resources": told}))["removed"]


def test_a_resource_whose_address_was_hidden_is_left_out_and_its_neighbours_are_kept() -> None:
    odd: list[Any] = [{"url": "[REDACTED]", "transferSize": 9999}, None, "x", {"url": 7}, {}, resource("a.js", 9)]

    assert ["/a.js"] == [row["url"] for row in rows(compared(load(), load(*odd)))["added"]]


def test_the_largest_are_first_and_of_many_the_rest_is_counted() -> None:
    found = rows(compared(load(), load(*[resource(f"{size}.js", size) for size in range(2, 32)])))

    assert (["/31.js", "/30.js"], 10, {"added": 20}) == (
        [row["url"] for row in found["added"][:2]],
        len(found["added"]),
        found["more"],
    )


@pytest.mark.requirement("applications-010")
def test_at_most_ten_rows_are_shown_of_all_lists_together() -> None:
    before = [resource(f"old-{size}.js", size) for size in range(10, 20)]
    after = [resource(f"new-{size}.js", size) for size in range(15, 25)]

    found = rows(compared(load(*before), load(*after)))

    assert (["/new-24.js", "/old-19.js"], 10) == (
        [found["added"][0]["url"], found["removed"][0]["url"]],
        len(found["added"]) + len(found["removed"]),
    )
    assert {"added": 2, "removed": 8} == found["more"]


@pytest.mark.requirement("applications-010")
@pytest.mark.parametrize(("lcp", "expected"), [(499, False), (500, True), (1_300, True), (1_301, False)])
def test_the_least_and_the_greatest_of_recent_loads_are_within_their_spread(lcp: int, *, expected: bool) -> None:
    assert expected is loads.is_within([900, 500, 1_300], lcp)


def test_against_two_loads_a_greater_time_is_no_regression_yet() -> None:
    two, three = ([load() for _ in range(count)] for count in (1, 2))
    texts = [
        loads.compare({"load": load(lcp=2_000), "before": load(), "recent": recent}).perf_diff
        for recent in (two, three)
    ]

    assert [True, False] == ["Few loads" in diff.summary for diff in texts if diff]


def test_what_lies_within_the_spread_of_recent_loads_is_noise_and_no_news() -> None:
    recent = [load(lcp=lcp) for lcp in (500, 1_300)]
    answer = loads.compare({"load": load(lcp=1_290), "before": load(lcp=500), "recent": recent})

    assert isinstance(answer.perf_diff, PerfDiff)
    lcp = msgspec.to_builtins(answer.perf_diff.metrics["lcp"])
    assert {"before": 500, "after": 1290, "delta": 790, "pct": "+158%", "improved": False, "within_noise": True} == lcp
    assert "LCP" not in answer.perf_diff.summary


@pytest.mark.requirement("regression-018")
@pytest.mark.parametrize(
    ("recent", "lcp", "noise"),
    [
        ([500, 520], 549, True),  # 49 ms from their median, 500
        ([500, 520], 550, True),  # not 20 %
        ([500, 520], 600, False),
        ([500, 520], 400, False),
        ([100, 900], 899, True),  # among them
        ([900, 100], 1_000, False),
        ([500], 549, True),
        ([], 549, False),  # of one load nothing is known
    ],
)
def test_near_the_median_of_the_recent_loads_a_time_is_noise(recent: list[int], lcp: int, *, noise: bool) -> None:
    asked = {"load": load(lcp=lcp), "before": load(lcp=500), "recent": [load(lcp=ms) for ms in recent]}
    answer = loads.compare(asked)

    assert isinstance(answer.perf_diff, PerfDiff)
    assert noise == answer.perf_diff.metrics["lcp"].within_noise


@pytest.mark.requirement("applications-010")
def test_beyond_the_spread_it_is_a_change() -> None:
    recent = [load(lcp=lcp) for lcp in (500, 600)]
    answer = loads.compare({"load": load(lcp=1_290), "before": load(lcp=500), "recent": recent})

    assert isinstance(answer.perf_diff, PerfDiff)
    assert "Warning: LCP regressed 158% (500ms → 1.3s)." in answer.perf_diff.summary


@pytest.mark.requirement("applications-010")
def test_a_fragment_that_is_a_route_belongs_to_the_address() -> None:
    before, after = load(lcp=500) | {"url": f"{PAGE}#/", "ageS": 4}, load(lcp=500) | {"url": f"{PAGE}#/runs/3"}

    assert "#/, 4 s before" in compared(before, after).compared_with


def test_a_long_address_is_cut() -> None:
    (row,) = rows(compared(load(), load(resource("a" * 60_000, 9))))["added"]

    assert 200 == len(row["url"])
