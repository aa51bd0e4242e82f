"""Accessibility, security and memory then and now: what is new, what is resolved, and what only moved."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline_workers.audit.messages import Affected, Finding
from gasoline_workers.regression import accessibility, memory, security
from gasoline_workers.regression.addresses import pattern
from gasoline_workers.regression.kept import Element, Rule, State, state
from gasoline_workers.regression.messages import Change, Issue
from unit.regression.pages import QUIET, SNAPSHOT, flaw, issue, judged, loads


def read(*findings: Finding) -> State:
    return state(loads([*QUIET]), judged(*findings))


def rules(*findings: Finding) -> list[Rule]:
    found = read(*findings).accessibility
    assert found is not None
    return found


@pytest.mark.requirement("regression-008", "000-101")
def test_accessibility_is_compared_by_rule_and_by_element() -> None:
    before = rules(issue("color-contrast", "#a", "#b"), issue("label", "#name"))
    after = rules(issue("color-contrast", "#a", "#b", "#c"), issue("image-alt", "#logo", severity="critical"))
    found = accessibility.compare(before, after)

    assert ("regression_detected", 3, 4) == (found.verdict, found.baseline_issues, found.current_issues)
    assert [
        Issue("color-contrast", 1, "high", ["#c"]),
        Issue("image-alt", 1, "critical", ["#logo"]),
    ] == found.new_issues
    assert [Issue("label", 1, "high", ["#name"])] == found.resolved_issues
    assert "improved" == accessibility.compare(before, before[:1]).verdict


@pytest.mark.requirement("regression-008")
def test_an_element_that_only_moved_is_no_change_and_one_more_of_its_kind_is() -> None:
    item = "<li>faint</li>"
    before = [Rule("color-contrast", "high", 1, [Element("li:nth-child(1)", item)])]
    moved = [Rule("color-contrast", "high", 1, [Element("li:nth-child(2)", item)])]
    two = [Rule("color-contrast", "high", 2, [Element("li:nth-child(2)", item), Element("li:nth-child(3)", item)])]

    assert "no_change" == accessibility.compare(before, moved).verdict
    assert [1] == [one.count for one in accessibility.compare(before, two).new_issues]


@pytest.mark.requirement("regression-008")
def test_an_element_whose_generated_id_is_another_in_each_load_is_no_change() -> None:
    def field(number: str, kind: str = "text") -> list[Rule]:
        html = f'<input id="f-{number}" type="{kind}" aria-describedby="d-{number}">'
        return [Rule("label", "high", 1, [Element(f"#f-{number}", html)])]

    assert "no_change" == accessibility.compare(field("r1"), field("x29")).verdict
    assert "regression_detected" == accessibility.compare(field("r1"), field("x29", "date")).verdict


@pytest.mark.requirement("regression-008")
def test_beyond_the_elements_that_a_finding_names_the_counts_decide() -> None:
    def many(count: int, *selectors: str) -> list[Rule]:
        return rules(issue("color-contrast", *selectors, count=count))

    more = accessibility.compare(many(40, "#a", "#b"), many(42, "#c", "#d", "#e")).new_issues

    assert [Issue("color-contrast", 2, "high", ["#c", "#d"])] == more
    assert "no_change" == accessibility.compare(many(40, "#a"), many(40, "#b")).verdict


@pytest.mark.requirement("regression-008", "regression-009")
def test_what_is_undecided_or_only_informs_is_neither_issue_nor_flaw() -> None:
    found = read(issue("label", "#a", severity="info"), flaw("note", severity="info"))

    assert ([], []) == (found.accessibility, found.security)


@pytest.mark.requirement("regression-009", "000-103")
def test_security_is_compared_by_finding_and_by_what_it_affects() -> None:
    before = read(flaw("missing_csp"), flaw("insecure_cookie", "a", "b")).security or []
    after = read(flaw("insecure_cookie", "b", "c", severity="high")).security or []
    found = security.compare(before, after)

    assert ("regression_detected", 2, 1) == (found.verdict, found.baseline_findings, found.current_findings)
    assert [
        Change("new", "insecure_cookie", "high", "insecure_cookie", ["c"]),
        Change("resolved", "missing_csp", "medium", "missing_csp"),
        Change("resolved", "insecure_cookie", "medium", "insecure_cookie", ["a"]),
    ] == found.changes
    assert ("improved", "no_change") == (security.compare(before, []).verdict, security.compare(after, after).verdict)


@pytest.mark.requirement("regression-009")
def test_secrets_in_both_storages_are_one_finding_with_all_their_names() -> None:
    place = Affected("form.pay")
    element = Finding(issue="insecure_form", severity="high", category="content", message="f", affected=[place])
    before = read(flaw("sensitive_in_storage", "token"), element).security or []
    after = read(flaw("sensitive_in_storage", "token"), flaw("sensitive_in_storage", "key"), element).security or []

    assert [["key"]] == [one.affected for one in security.compare(before, after).changes]


@pytest.mark.requirement("regression-010")
@pytest.mark.parametrize(
    ("more", "verdict"),
    [
        ({"heap_used_mb": 26.0}, "regression_detected"),
        ({"heap_used_mb": 25.9}, "no_change"),  # below 30 %
        ({"heap_used_mb": 24.9}, "no_change"),  # below 5 MB
        ({"heap_used_mb": 12.0}, "improved"),
        ({"detached_nodes": 51}, "regression_detected"),
        ({"detached_nodes": 50}, "no_change"),
        ({"event_listener_count": 900}, "no_change"),  # of the whole process
        ({"source": "performance.memory"}, "inconclusive"),
        ({"detached_nodes": None}, "no_change"),
    ],
)
def test_memory_is_judged_by_what_is_large(more: dict[str, Any], verdict: str) -> None:
    found = memory.compare(SNAPSHOT, SNAPSHOT | more)

    assert verdict == found.verdict
    assert bool(found.reason) == (verdict == "inconclusive")
    assert 20.0 == found.baseline["heap_used_mb"]


@pytest.mark.requirement("regression-010")
def test_detached_nodes_of_a_page_that_has_many_are_judged_by_their_share() -> None:
    before = SNAPSHOT | {"detached_nodes": 400}

    assert "no_change" == memory.compare(before, before | {"detached_nodes": 519}).verdict
    assert "regression_detected" == memory.compare(before, before | {"detached_nodes": 520}).verdict


@pytest.mark.requirement("regression-001")
@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("http://localhost:3000/users/17?tab=2#top", "localhost:3000/users/*"),
        ("https://shop.test/", "shop.test"),
        ("https://shop.test/orders/3b1f8c1e-6d3a-4f5b-9a41-0c9d2c7f1e11/items", "shop.test/orders/*/items"),
        ("https://shop.test/commit/9fceb02d0ae5", "shop.test/commit/*"),
        ("https://shop.test/deadbeef/facade", "shop.test/deadbeef/facade"),  # words
        ("https://shop.test/#/users/17", "shop.test/#/users/*"),
        ("https://shop.test/reset/[REDACTED]", "shop.test/reset/*"),
        ("file:///home/ada/page.html", "home/ada/page.html"),
        ("", ""),
    ],
)
def test_a_page_is_named_by_the_pattern_of_its_address(url: str, name: str) -> None:
    assert name == pattern(url)


@pytest.mark.requirement("regression-001")
@given(st.text(max_size=200))
def test_any_address_has_a_pattern_that_is_short(url: str) -> None:
    assert len(pattern(url)) <= 100
    assert pattern(url) or not url


LISTED = st.lists(st.sampled_from("abcdef"), max_size=4, unique=True)


@pytest.mark.requirement("regression-008", "regression-009")
@given(LISTED, LISTED)
def test_what_is_new_one_way_is_resolved_the_other(one: list[str], other: list[str]) -> None:
    before, after = (rules(issue("label", *names)) if names else [] for names in (one, other))
    there, back = accessibility.compare(before, after), accessibility.compare(after, before)

    assert there.new_issues == back.resolved_issues
    assert "no_change" == accessibility.compare(before, before).verdict
    assert [set(other) - set(one)] == [{name for issue in there.new_issues for name in issue.elements}]
