"""What `analyze` takes is checked by one table; what nothing serves is refused."""

from typing import Any

import pytest

from gasoline_bridge.chrome.messages import Client
from gasoline_bridge.front import analyses, arguments
from gasoline_bridge.front.dispatch import PAGE_COMMANDS, PAGE_QUERIES
from gasoline_broker.errors import Failed

ANN = Client("0123456789abcdef", "ann")
SEED_S = {  # seed 000, Request Flow & Concurrency Model
    ("audit", "accessibility"): (15, True),
    ("audit", "performance"): (20, True),
    ("audit", "full"): (45, True),
    ("memory", "snapshot"): (5, False),
    ("memory", "compare"): (5, False),
    ("security", "full"): (5, False),
    ("security", "headers"): (5, False),
    ("security", "cookies"): (5, False),
    ("security", "storage"): (5, False),
    ("memory", "leak"): (180, True),  # ours
    ("regression", "baseline"): (20, True),  # of each load
    ("regression", "compare"): (20, True),
    ("regression", "visual"): (20, True),
    ("regression", "list"): (0, False),  # the page is not asked
    ("regression", "delete"): (0, False),
}


AUDIT: dict[str, Any] = {"action": "audit", "scope": "accessibility"}


@pytest.mark.requirement("000-015", "000-016", "000-017", "000-018", "000-019", "000-020", "000-147", "000-167")
@pytest.mark.requirement("000-021", "000-022")
@pytest.mark.requirement("analyze-007")
@pytest.mark.parametrize("row", analyses.ANALYSES)
def test_an_analysis_has_the_time_and_the_way_of_the_seeds_table(row: tuple[str, str]) -> None:
    analysis = analyses.ANALYSES[row]

    assert SEED_S[row] == (analysis.limit_s, analysis.asynchronous)


@pytest.mark.requirement("000-012", "analyze-001")
@pytest.mark.parametrize(
    ("request_", "parameter"),
    [
        ({}, "action"),
        ({"action": "render"}, "action"),
        ({"action": "bundle"}, "action"),
        ({"action": "audit", "scope": "seo"}, "scope"),
        ({"action": "audit", "scope": 7}, "scope"),
        (AUDIT | {"selector": " "}, "selector"),
        (AUDIT | {"tags": []}, "tags"),
        (AUDIT | {"tags": "wcag2a"}, "tags"),
        (AUDIT | {"wait_s": 51}, "wait_s"),
        (AUDIT | {"force_refresh": "yes"}, "force_refresh"),
        (AUDIT | {"url": "http://localhost/"}, "url"),
    ],
)
def test_what_an_analysis_does_not_take_is_named(request_: dict[str, Any], parameter: str) -> None:
    with pytest.raises(Failed) as caught:
        arguments.read("analyze", request_)

    assert ("invalid_params", parameter) == (caught.value.failure.code, caught.value.failure.details["parameter"])


@pytest.mark.requirement("analyze-001")
def test_a_command_has_its_parts_arguments_and_time() -> None:
    checked = arguments.read(
        "analyze", {"what": "audit", "scope": "accessibility", "selector": "main", "tags": ["wcag2a"]}
    )
    row = PAGE_COMMANDS["analyze", "audit"]
    message: Any = row.message(checked, ANN)

    assert ("audit accessibility", ("accessibility",)) == (message.what, message.parts)
    assert {"selector": "main", "tags": ["wcag2a"]} == message.arguments
    assert (15_000, 10_000, 15) == (message.timeout_ms, message.cached_ms, row.extra_s(checked))


@pytest.mark.requirement("000-011", "000-166", "analyze-010")
@pytest.mark.parametrize(("force", "cached_ms"), [(False, 10_000), (True, 0)])
def test_a_result_is_given_again_for_10_s_unless_it_is_refused(*, force: bool, cached_ms: int) -> None:
    checked = arguments.read("analyze", {"action": "audit", "scope": "accessibility", "force_refresh": force})
    message: Any = PAGE_COMMANDS["analyze", "audit"].message(checked, ANN)

    assert cached_ms == message.cached_ms


@pytest.mark.requirement("002-146", "002-147", "analyze-010")
@pytest.mark.parametrize(("force", "cached_ms"), [(False, 30_000), (True, 0)])
def test_the_seeds_own_audit_has_30_s_and_is_given_again_for_30_s(*, force: bool, cached_ms: int) -> None:
    row = PAGE_QUERIES["run_accessibility_audit", ""]
    checked = arguments.read("run_accessibility_audit", {"scope": "main", "force_refresh": force})
    message: Any = row.message(checked)

    assert (30_000, cached_ms, 30) == (message.timeout_ms, message.cached_ms, row.extra_s)
    assert {"selector": "main", "include_passes": False} == message.arguments
