"""The verdict on all parts, the sentence about it, and what other conditions leave of both."""

import msgspec
import pytest

from gasoline_workers.audit.messages import Failed
from gasoline_workers.regression import verdict
from gasoline_workers.regression.kept import State, state
from gasoline_workers.regression.messages import BaselineCompared, Conditions
from unit.regression.pages import HERE, QUIET, SAME_LOOK, URL, flaw, issue, judged, kept, loads

SLOW = [value + 400 for value in QUIET]
BASE = kept(loads([*QUIET]), issue("label", "#name"), flaw("missing_csp"))


def now(lcp: list[int], *findings: object, conditions: Conditions = HERE, url: str = URL) -> State:
    return state(loads([*lcp], conditions, url), judged(*findings))  # type: ignore[arg-type]  # findings


SAME = now(QUIET, issue("label", "#name"), flaw("missing_csp"))


@pytest.mark.requirement("regression-012", "000-100", "000-102", "000-104")
def test_the_seeds_shape_with_what_explains_it() -> None:
    found = verdict.compare(BASE, now(SLOW, issue("label", "#name", "#mail"), flaw("missing_csp")), SAME_LOOK)
    reply = msgspec.to_builtins(found)

    assert ("success", "regression", "compare", "regression_detected") == (
        reply["status"],
        reply["action"],
        reply["scope"],
        reply["verdict"],
    )
    assert "1 new accessibility issue (label), LCP regressed by 400 ms" == reply["summary"]
    assert {"captured_at": "2026-01-29T09:00:00Z", "url": URL, "name": "cart", "runs": 5}.items() <= reply[
        "baseline"
    ].items()
    performance = reply["comparison"]["performance"]
    assert (202, 602, 400, True) == tuple(
        performance[f"lcp_{name}"] for name in ("baseline_ms", "current_ms", "delta_ms", "regression")
    )
    assert "regression_detected" == performance["metrics"]["lcp_ms"]["verdict"]
    assert (1, 2) == tuple(reply["comparison"]["accessibility"][f"{name}_issues"] for name in ("baseline", "current"))
    assert (1, 1) == tuple(reply["comparison"]["security"][f"{name}_findings"] for name in ("baseline", "current"))


@pytest.mark.requirement("regression-012")
def test_an_identical_page_has_no_change_and_one_that_lost_a_fault_is_improved() -> None:
    same, better = (
        verdict.compare(BASE, SAME, SAME_LOOK),
        verdict.compare(BASE, now(QUIET, flaw("missing_csp")), SAME_LOOK),
    )
    faster = verdict.compare(kept(loads([*SLOW])), now(QUIET), SAME_LOOK)

    assert ("no_change", "No change beyond the noise of the page's loads") == (same.verdict, same.summary)
    assert ("improved", "1 resolved accessibility issue (label)") == (better.verdict, better.summary)
    assert ("improved", "LCP improved by 400 ms") == (faster.verdict, faster.summary)


@pytest.mark.requirement("regression-012")
def test_the_sentence_names_what_is_counted_exactly_and_at_most_three_of_a_kind() -> None:
    base = kept(loads([*QUIET], bytes=[1_000] * 5))
    many = [issue(f"rule-{number}", "#a") for number in range(5)]
    heavy = state(
        loads([*QUIET], bytes=[9_000] * 5),
        judged(*many, flaw("a"), flaw("b"), snapshot=msgspec.to_builtins(BASE.state.memory) | {"heap_used_mb": 90.0}),
    )

    assert (
        "5 new accessibility issues (rule-0, rule-1, rule-2, …), 2 new security findings (a, b), "
        "bytes regressed from 1000 to 9000, memory regressed: +70 MB, +0 detached nodes"
    ) == verdict.compare(base, heavy, SAME_LOOK).summary


OTHERS = [
    (msgspec.structs.replace(HERE, browser="Chrome/99.0"), "Chrome/99.0", False),
    (msgspec.structs.replace(HERE, viewport=(800, 900)), "800x900", True),
    (msgspec.structs.replace(HERE, viewport=(1440, 700)), "1440x700", True),
    (msgspec.structs.replace(HERE, scale=2), "scale 2", True),
]


@pytest.mark.requirement("regression-011")
@pytest.mark.parametrize(("conditions", "word", "is_layout"), OTHERS)
def test_another_browser_or_viewport_is_warned_of_and_not_compared_blindly(
    conditions: Conditions, word: str, *, is_layout: bool
) -> None:
    found = verdict.compare(
        BASE, now(SLOW, issue("label", "#name"), flaw("missing_csp"), conditions=conditions), SAME_LOOK
    )
    parts = found.comparison

    assert ("partial", "inconclusive") == (found.status, found.verdict)
    assert word in found.warnings[0]
    assert ("inconclusive", "inconclusive", "no_change") == (
        parts.performance.verdict,
        parts.memory.verdict,
        parts.security.verdict,
    )
    assert is_layout == (parts.accessibility.verdict == "inconclusive")
    assert 400 == parts.performance.lcp_delta_ms  # it is shown all the same
    assert not parts.performance.lcp_regression
    assert "with another" in found.summary
    assert 0 == verdict.more_loads(BASE.state.loads, now(SLOW, conditions=conditions).loads)


@pytest.mark.requirement("regression-011")
def test_chromes_bar_is_no_other_viewport_and_a_security_fault_counts_in_any() -> None:
    bar = msgspec.structs.replace(HERE, viewport=(1440, 860))
    wide = msgspec.structs.replace(HERE, viewport=(2000, 900))

    assert [] == verdict.compare(BASE, now(QUIET, issue("label", "#name"), conditions=bar), SAME_LOOK).warnings
    assert (
        "regression_detected" == verdict.compare(BASE, now(QUIET, flaw("new_one"), conditions=wide), SAME_LOOK).verdict
    )


@pytest.mark.requirement("regression-011")
def test_another_page_is_warned_of_and_compared() -> None:
    found = verdict.compare(
        BASE, now(SLOW, issue("label", "#name"), flaw("missing_csp"), url="http://next.test/cart"), SAME_LOOK
    )

    assert "regression_detected" == found.verdict
    assert URL in found.warnings[0]


@pytest.mark.requirement("regression-006")
def test_a_part_without_evidence_is_inconclusive_on_either_side_and_a_regression_still_one() -> None:
    failed = {"failures": {"accessibility": msgspec.to_builtins(Failed("axe_injection_failed", "No axe."))}}
    lacking = state(loads([*QUIET]), judged(flaw("missing_csp"), snapshot={}, **failed))
    found = verdict.compare(BASE, lacking, SAME_LOOK)
    slow = verdict.compare(BASE, state(loads([*SLOW]), judged(flaw("missing_csp"), **failed)), SAME_LOOK)
    then = verdict.compare(kept(loads([*QUIET]), flaw("missing_csp"), failures=failed["failures"]), SAME, SAME_LOOK)

    assert ("partial", "inconclusive", ["accessibility: No axe."]) == (found.status, found.verdict, found.warnings)
    assert "accessibility: not analysed: No axe." in found.summary
    assert ("inconclusive", "not analysed: there is no evidence") == (
        found.comparison.memory.verdict,
        found.comparison.memory.reason,
    )
    assert "regression_detected" == slow.verdict
    insecure = {"failures": {"security": msgspec.to_builtins(Failed("page_hung", "No answer."))}}
    unseen = verdict.compare(BASE, state(loads([*QUIET]), judged(issue("label", "#name"), **insecure)), SAME_LOOK)
    assert "not analysed: No answer." == unseen.comparison.security.reason
    assert ("inconclusive", "the baseline has none: No axe.") == (
        then.comparison.accessibility.verdict,
        then.comparison.accessibility.reason,
    )


@pytest.mark.requirement("regression-010")
def test_without_a_measure_of_memory_the_rest_has_a_verdict() -> None:
    lacking = state(loads([*QUIET]), judged(issue("label", "#name"), flaw("missing_csp"), snapshot={}))

    assert "no_change" == verdict.compare(BASE, lacking, SAME_LOOK).verdict


@pytest.mark.requirement("regression-006")
def test_too_few_loads_are_inconclusive_and_their_findings_are_judged() -> None:
    few = verdict.compare(BASE, now(SLOW[:3], issue("label", "#name"), flaw("missing_csp")), SAME_LOOK)
    broken = verdict.compare(BASE, now(SLOW[:3], issue("image-alt", "#logo"), flaw("missing_csp")), SAME_LOOK)

    assert ("inconclusive", "regression_detected") == (few.verdict, broken.verdict)
    assert "LCP: fewer than 4 loads on a side" in few.summary


@pytest.mark.requirement("regression-005")
def test_more_loads_are_asked_for_where_a_time_may_have_changed() -> None:
    assert (5, 0) == (
        verdict.more_loads(BASE.state.loads, now(SLOW).loads),
        verdict.more_loads(BASE.state.loads, SAME.loads),
    )


@pytest.mark.requirement("regression-012")
def test_a_page_that_measured_nothing_in_common_has_no_lcp_and_no_verdict() -> None:
    found: BaselineCompared = verdict.compare(BASE, state(loads([]), judged()), SAME_LOOK)

    assert "inconclusive" == found.comparison.performance.verdict
    assert found.comparison.performance.lcp_baseline_ms is None


@pytest.mark.requirement("regression-024")
def test_what_became_better_is_stated_with_what_became_worse() -> None:
    comparison = verdict.compare(kept(loads([*SLOW]), flaw("missing_csp")), now(QUIET, flaw("missing_csp")), SAME_LOOK)

    assert ["LCP improved by 400 ms"] == verdict.changes(comparison.comparison)


@pytest.mark.requirement("regression-032", "regression-033", "regression-035")
def test_two_pages_are_compared_as_a_page_and_its_baseline_but_for_memory() -> None:
    before, after = now(QUIET, issue("label", "#name")), now(SLOW, issue("label", "#name", "#mail"))
    before.loads.warnings.append("The tab was hidden.")
    found = verdict.compare_pages(before, after, SAME_LOOK, "2026-01-29T10:00:00Z")
    moment = verdict.compare_pages(before, after, SAME_LOOK, "", (before, now(SLOW, issue("label", "#name"))))

    assert ("regression_detected", "1 new accessibility issue (label), LCP regressed by 400 ms") == (
        found.verdict,
        found.summary,
    )
    assert ("", "2026-01-29T10:00:00Z", 5) == (found.baseline.name, found.baseline.captured_at, found.baseline.runs)
    assert [f"{URL}: The tab was hidden."] == found.warnings
    assert "inconclusive" == found.comparison.memory.verdict
    assert "no_change" == moment.comparison.accessibility.verdict
