"""What an action did, and what took its time."""

from typing import Any

import msgspec
import pytest

from gasoline_workers.diff import loads
from gasoline_workers.diff.actor import answer
from gasoline_workers.diff.causes import explain
from gasoline_workers.diff.messages import ActionExplained, CompareLoads, ExplainAction, Timing
from gasoline_workers.diff.spans import shared, union
from unit.diff.pages import PAGE, SEED, Dom, slow_click

CLICK = {"success": True, "action": "click"}


def told(explained: ActionExplained) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(explained)
    return found


def action(*spans: tuple[float, float], tasks: Any = (), end: float = 100, settled: float = 2000) -> dict[str, Any]:
    """Measure an action at 0 ms with requests and tasks, each as start and duration."""
    return {
        "url": PAGE,
        "timing": {"start": 0, "end": end, "settled": settled},
        "requests": [{"url": f"{PAGE}api/{at}?q", "start": s, "duration": d} for at, (s, d) in enumerate(spans)],
        "longTasks": [{"start": s, "duration": d} for s, d in tasks],
    }


@pytest.mark.requirement("001-028", "001-029", "001-030", "001-031", "001-033", "001-102")
def test_the_seeds_analysis_is_as_the_seed_has_it() -> None:
    assert CLICK | {
        "timing_ms": 340,
        "dom_summary": "25 items added, 1 attr changed",
        "timing": {"total_ms": 340, "js_blocking_ms": 120, "network_ms": 180, "render_ms": 40},
        "network": [{"url": "/api/items?page=2", "method": "GET", "status": 200, "duration_ms": 180, "kb": 12}],
        "long_tasks": [{"duration_ms": 120, "attribution": "script"}],
        "layout_shifts": 0.03,
        "dom_changes": {
            "summary": "25 items added, 1 attr changed",
            "added": [{"selector": ".item-card", "count": 25, "text": "Product 11..."}],
            "attributes": [{"selector": "#load-more", "attr": "data-page", "from": "1", "to": "2"}],
        },
        "analysis": (
            "340ms total: 180ms network (/api/items), 120ms JS long task, 40ms render. "
            "Layout shift 0.03 from 25 items inserted without reserved height."
        ),
    } == answer(ExplainAction(analyze=True), CLICK | {"measured": slow_click()})


@pytest.mark.requirement("001-102")
def test_the_seeds_sentence_without_a_shift_ends_with_the_render() -> None:
    measured = slow_click() | {"shifts": []}

    assert (
        "340ms total: 180ms network (/api/items), 120ms JS long task, 40ms render."
        == told(explain(measured, analyze=True))["analysis"]
    )


@pytest.mark.requirement("001-074", "001-120")
def test_without_analyze_there_is_a_time_and_a_summary_alone() -> None:
    dom = Dom()
    dom.add(dom.node("a"), dom.node("b"))
    dom.set(dom.node("c"), "class", "", "on")
    measured = {"timing": {"start": 10, "end": 95, "settled": 145}, "mutations": dom.measured()}

    assert CLICK | {"timing_ms": 85, "dom_summary": "2 added, 1 attr changed"} == answer(
        ExplainAction(), CLICK | {"measured": measured}
    )


@pytest.mark.requirement("001-026", "001-142")
def test_an_action_without_changes_is_named_so_and_still_has_its_time() -> None:
    assert {"timing_ms": 100, "dom_summary": "no changes"} == told(explain(action(), analyze=False))


def test_what_it_caused_is_counted_only_where_there_is_something() -> None:
    measured = action() | {"effects": {"console_errors": 2, "failed_requests": 0}}

    assert {"timing_ms": 100, "dom_summary": "no changes", "console_errors": 2} == told(
        explain(measured, analyze=False)
    )


@pytest.mark.parametrize("body", [CLICK, None, [], "x", {"error": {"code": "element_not_found"}}])
@pytest.mark.parametrize("ask", [ExplainAction(analyze=True), CompareLoads()])
def test_a_reply_without_measurements_continues_as_it_came(ask: ExplainAction | CompareLoads, body: Any) -> None:
    assert body == answer(ask, body)


def test_a_refresh_has_its_difference_beside_its_summary() -> None:
    found = answer(
        CompareLoads(), {"success": True, "action": "refresh", "measured": {"load": SEED[1], "before": SEED[0]}}
    )

    assert ["success", "action", "perf_diff"] == list(found)


@pytest.mark.requirement("faults-028")
def test_a_first_load_has_null_and_the_reason() -> None:
    expected = {"success": True, "perf_diff": None, "perf_diff_unavailable": loads.FIRST}

    assert expected == answer(CompareLoads(), {"success": True, "measured": {"load": SEED[1]}})


@pytest.mark.parametrize(
    ("measured", "expected"),
    [
        (action((0, 100), (50, 100), end=150), Timing(150, 0, 150, 0)),
        (action((10, 50), (20, 10), end=100), Timing(100, 0, 50, 50)),
        (action((0, 50), tasks=[(100, 60), (120, 80)], end=250), Timing(250, 100, 50, 100)),
        (action((0, 180), tasks=[(0, 120)], end=180), Timing(180, 120, 60, 0)),
        (action((0, 300), end=10), Timing(300, 0, 300, 0)),
        (action(tasks=[(-20, 70)], end=60), Timing(60, 0, 0, 60)),  # a start before the page's own is none
        (action(), Timing(100, 0, 0, 100)),
        (action(tasks=[(50, 5000)]), Timing(2000, 1950, 0, 50)),
    ],
    ids=[
        "overlapping",
        "one in another",
        "tasks merged",
        "a task holds the answer",
        "a late answer",
        "odd",
        "alone",
        "a task beyond the window",
    ],
)
def test_the_time_is_shared_among_its_causes(measured: dict[str, Any], expected: Timing) -> None:
    assert expected == explain(measured, analyze=True).timing


@pytest.mark.requirement("001-145")
def test_a_request_that_has_not_ended_within_the_window_is_not_analyzed() -> None:
    found = told(explain(action((0, 2500), (10, 30)), analyze=True))

    assert (100, ["/api/1?q"], "100ms total: 70ms render, 30ms network (/api/1). 1 request still open.") == (
        found["timing_ms"],
        [row["url"] for row in found["network"]],
        found["analysis"],
    )


@pytest.mark.requirement("applications-013")
def test_a_request_that_is_still_open_is_listed_as_such() -> None:
    running = {"url": "http://shop/slow", "method": "GET", "start": 12, "status": 0}
    measured = action() | {"requests": [running], "effects": {"open_requests": 1}}

    assert {"url": "http://shop/slow", "method": "GET", "open": True} in told(explain(measured, analyze=True))[
        "network"
    ]
    assert 1 == explain(measured, analyze=False).open_requests


@pytest.mark.requirement("applications-033")
def test_a_request_that_was_never_answered_has_the_browser_s_error() -> None:
    refused = {"url": "http://shop/a", "method": "GET", "start": 12, "duration": 2, "status": 0}
    (row,) = told(explain(action() | {"requests": [refused | {"error": "net::ERR_FAILED"}]}, analyze=True))["network"]

    assert ("net::ERR_FAILED", False) == (row["error"], "status" in row)


@pytest.mark.requirement("applications-013")
def test_a_failed_request_is_named() -> None:
    failed = [
        {"url": "http://shop/api/save", "method": "POST", "status": 500},
        {"url": "http://cdn/lib.js", "method": "GET", "error": "net::ERR_NAME_NOT_RESOLVED"},
    ]
    measured = action() | {"url": "http://shop/", "effects": {"failed_requests": 2, "failed": failed}}

    short = explain(measured, analyze=False)

    assert (2, ["POST /api/save 500", "GET http://cdn/lib.js net::ERR_NAME_NOT_RESOLVED"]) == (
        short.failed_requests,
        short.failed,
    )


def test_a_request_from_before_the_action_is_not_its_own() -> None:
    measured = action((5, 30)) | {"timing": {"start": 10, "end": 60, "settled": 110}}

    assert [] == explain(measured, analyze=True).network


def test_a_request_whose_rounded_start_lies_before_the_dispatch_is_its_own() -> None:
    measured = action((10, 30)) | {"timing": {"start": 10.04, "end": 60, "settled": 110}}

    assert ["/api/0?q"] == [row.url for row in explain(measured, analyze=True).network or []]


def test_several_requests_and_tasks_are_named_in_few_words() -> None:
    found = explain(action((0, 50), (50, 100), tasks=[(150, 60), (210, 60)], end=280), analyze=True)

    assert "280ms total: 150ms network (/api/1 and 1 more), 120ms 2 JS long tasks, 10ms render." == found.analysis


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        (lambda dom: dom.add(dom.node("#banner")), "from #banner inserted without reserved height."),
        (lambda dom: dom.remove(dom.node("li"), dom.node("li")), "from 2 items removed."),
        (lambda dom: dom.set(dom.node("p"), "class", "a", "b"), "of footer."),
    ],
)
def test_a_layout_shift_is_explained_by_what_came_or_went(changed: Any, expected: str) -> None:
    dom = Dom()
    changed(dom)
    shifts = [{"value": 0.01, "element": "nav"}, {"value": 0.2, "element": "footer"}]

    found = explain(action() | {"mutations": dom.measured(), "shifts": shifts}, analyze=True)

    assert f"100ms total: 100ms render. Layout shift 0.21 {expected}" == found.analysis


def test_rows_are_the_longest_first_and_what_is_left_out_is_counted() -> None:
    found = explain(action(*[(0, at) for at in range(30)]), analyze=True)

    assert ([29, 28], {"network": 10}) == (
        [row.duration_ms for row in found.network or []][:2],
        found.more,
    )


def test_without_a_time_the_rest_is_reported() -> None:
    found = told(explain(slow_click() | {"timing": "[REDACTED]"}, analyze=True))

    assert (False, False, 1, True) == (
        "timing_ms" in found,
        "timing" in found,
        len(found["network"]),
        found["analysis"].startswith("No time was measured. Layout shift 0.03"),
    )


def test_intervals_are_merged_and_cut_to_the_window() -> None:
    assert [(10, 30), (40, 50)] == union([(45, 90), (0, 20), (15, 30), (40, 45), (60, 70)], (10, 50))


def test_parts_of_a_millisecond_never_make_more_than_the_whole() -> None:
    assert Timing(3, 2, 1, 0) == shared((0, 2.5), [(0, 1.5)], [(1.5, 2.5)])


@pytest.mark.requirement("applications-066")
@pytest.mark.parametrize("analyze", [False, True])
def test_of_a_page_that_was_left_for_another_there_is_what_went_wrong_in_that(*, analyze: bool) -> None:
    measured = {"url": "https://shop.example/", "effects": {"console_errors": 1, "errors": ["TypeError: x"]}}

    assert {"console_errors": 1, "errors": ["TypeError: x"]} == msgspec.to_builtins(explain(measured, analyze=analyze))


@pytest.mark.requirement("applications-066")
@pytest.mark.parametrize(
    ("held", "shown"),
    [
        ("short", "short"),
        ("y" * 90, "y" * 60),
        ("x" * 55 + " ⟦token#1⟧ and more", "x" * 55 + " "),
        ("⟦token#1⟧" + "x" * 90, "⟦token#1⟧" + "x" * 51),
        (7, 7),
    ],
)
def test_what_a_field_holds_is_cut_after_redaction_and_in_no_handle(held: object, shown: object) -> None:
    assert shown == answer(ExplainAction(), {"value": held, "measured": {}})["value"]
