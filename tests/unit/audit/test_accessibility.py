"""What axe found becomes findings that name what to change; garbage becomes nothing."""

import re
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline_workers.audit import fixes
from gasoline_workers.audit.axe_report import report
from gasoline_workers.audit.judging import judged
from gasoline_workers.audit.messages import Affected, Judge, ReportAccessibility
from gasoline_workers.audit.wcag import PAGES, criteria, named, reference

AUDIT = Judge("audit", "accessibility")


def node(selector: str = "#a", **more: Any) -> dict[str, Any]:
    return {"selector": selector, "html": f"<i id={selector}>", "summary": "", "checks": []} | more


def rule(name: str, impact: str | None = "serious", **more: Any) -> dict[str, Any]:
    words = {"id": name, "impact": impact, "help": f"Help of {name}", "description": "", "help_url": "https://axe/"}
    return words | {"tags": ["wcag2aa", "wcag143"], "nodes": [node()], "count": 1} | more


def body(**evidence: Any) -> dict[str, Any]:
    counts = {"violations": 1, "passes": 2, "incomplete": 0, "inapplicable": 40}
    found = {"violations": [], "incomplete": [], "passes": [], "counts": counts, "timestamp": "2026-01-01T00:00:00Z"}
    page = {"url": "http://localhost/", "title": "Shop"}
    return {"page": page, "evidence": {"accessibility": found | evidence}, "duration_ms": 12, "cached": False}


def contrast(fg: object, bg: object, needed: object = "4.5:1") -> dict[str, Any]:
    data = {"fgColor": fg, "bgColor": bg, "expectedContrastRatio": needed}
    return node(checks=[{"id": "color-contrast", "message": "", "data": data}])


def first_fix(**violation: Any) -> str:
    (finding,) = judged(AUDIT, body(violations=[violation])).findings
    (place,) = finding.affected
    assert isinstance(place, Affected)
    return place.fix


@pytest.mark.requirement("000-085", "000-086", "000-087", "000-088", "analyze-003")
def test_a_finding_has_severity_places_fix_and_reference_and_the_worst_comes_first() -> None:
    impacts = ["minor", "critical", "moderate", "serious"]
    violations = [rule(f"rule-{impact}", impact) for impact in impacts]
    answer = judged(AUDIT, body(violations=violations, incomplete=[rule("unsure")], passes=[{"id": "a"}, {"id": "b"}]))

    assert [("rule-critical", "critical"), ("rule-serious", "high"), ("rule-moderate", "medium")] == [
        (one.id, one.severity) for one in answer.findings[:3]
    ]
    assert [("rule-minor", "low"), ("unsure", "info")] == [(one.id, one.severity) for one in answer.findings[3:]]
    assert "Needs review: Help of unsure" == answer.findings[-1].message
    (finding,) = [one for one in answer.findings if one.id == "rule-serious"]
    assert ("accessibility", 1, [Affected("#a", "<i id=#a>")]) == (finding.category, finding.count, finding.affected)
    assert {"url": "https://www.w3.org/WAI/WCAG22/Understanding/contrast-minimum", "wcag": "1.4.3", "level": "AA"} == (
        msgspec.to_builtins(finding.reference)
    )
    expected = {"critical": 1, "high": 1, "medium": 1, "low": 1, "info": 1, "passed": 2, "total_rules": 7}
    assert expected == answer.summary
    assert ("success", "audit", "accessibility", 12, False) == (
        answer.status,
        answer.action,
        answer.scope,
        answer.duration_ms,
        answer.cached,
    )


def test_what_could_not_be_decided_has_the_reason_in_the_place_of_a_fix() -> None:
    places = [node(summary="Fix any of the following:\n  A picture is behind it")]
    (finding,) = judged(AUDIT, body(incomplete=[rule("image-alt", nodes=places)])).findings

    assert [Affected("#a", "<i id=#a>", "A picture is behind it")] == finding.affected


def test_a_rule_that_holds_for_one_element_and_fails_for_another_has_not_passed() -> None:
    answer = judged(AUDIT, body(violations=[rule("a")], incomplete=[rule("a")], passes=[{"id": "a"}, {"id": "b"}]))

    assert (1, 2) == (answer.summary["passed"], answer.summary["total_rules"])


@pytest.mark.requirement("analyze-004")
@pytest.mark.parametrize(
    ("measured", "fix"),
    [
        (
            contrast("#999999", "#ffffff"),
            "Change the text colour to #767676 (4.54:1) or the background to #303030 (4.5:1); 4.5:1 is needed",
        ),
        (contrast("#777777", "#777777", "21:1"), "Change both colours: 21:1 is needed"),
    ],
)
def test_a_contrast_fix_names_colours_that_pass(measured: dict[str, Any], fix: str) -> None:
    found = first_fix(**rule("color-contrast", nodes=[measured]))

    assert re.sub(r"#\w+ \([\d.]+", "#", fix) == re.sub(r"#\w+ \([\d.]+", "#", found)
    assert ("#767676 (4.54:1)" in fix) == ("#767676 (4.54:1)" in found)


@pytest.mark.requirement("analyze-004")
@pytest.mark.parametrize(
    ("name", "check", "fix"),
    [
        ("aria-required-attr", ("aria-required-attr", ["aria-checked"]), "Add aria-checked"),
        ("aria-valid-attr", ("aria-valid-attr", ["aria-lable", "aria-x"]), "Remove aria-lable, aria-x"),
        (
            "target-size",
            ("target-size", {"width": 12, "height": 9, "minSize": 24}),
            "Make it 24 by 24 px or larger (it is 12 by 9), or leave space around it",
        ),
        ("image-alt", ("has-alt", None), fixes.FIXES["image-alt"]),
        ("color-contrast", ("color-contrast", {"fgColor": "red"}), "Words of axe"),
        ("new-rule", ("other", None), "Words of axe"),
    ],
)
def test_a_fix_names_what_is_measured_else_what_the_rule_asks_for(name: str, check: tuple[str, Any], fix: str) -> None:
    checks = [{"id": check[0], "message": "", "data": check[1]}]
    places = [node(checks=checks, summary="Fix any of the following:\n  Words of axe\n  Others")]

    assert fix == first_fix(**rule(name, nodes=places))


@pytest.mark.requirement("analyze-003")
@pytest.mark.parametrize(
    ("evidence", "more", "expected"),
    [
        ({}, {"warnings": ["timeout"]}, ("partial", ["timeout"], {})),
        ({}, {"failures": {"accessibility": {"code": "page_navigated", "message": "Left."}}}, ("partial", [], "Left.")),
        ({}, {}, ("success", [], {})),
    ],
)
def test_what_is_missing_makes_the_answer_partial(evidence: Any, more: Any, expected: Any) -> None:
    answer = judged(AUDIT, body(**evidence) | more)

    shown = answer.failures["accessibility"].message if answer.failures else {}
    assert expected == (answer.status, answer.warnings, shown)


garbage = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=9) | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=8,
)
FIELDS = ("violations", "incomplete", "passes", "counts", "timestamp")
RULE_FIELDS = ("id", "impact", "help", "help_url", "tags", "count", "nodes")
NODE_FIELDS = ("selector", "html", "summary", "checks")
bad_node = st.fixed_dictionaries({}, optional=dict.fromkeys(NODE_FIELDS, garbage))
bad_rule = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(RULE_FIELDS, garbage) | {"nodes": st.lists(bad_node, max_size=2)}
)
bad_body = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(FIELDS, garbage) | {"violations": st.lists(bad_rule, max_size=2)}
)


@given(garbage | bad_body, garbage)
def test_whatever_a_page_sends_is_judged_without_a_fault(evidence: Any, more: Any) -> None:
    sent = {"evidence": {"accessibility": evidence}, "page": more, "failures": more, "warnings": more}

    for answer in (judged(AUDIT, sent), report(ReportAccessibility(include_passes=True), sent)):
        assert msgspec.json.encode(answer)
    assert msgspec.json.encode(judged(AUDIT, evidence))


@pytest.mark.requirement("analyze-003", "002-143", "002-145")
def test_text_of_a_page_is_cut() -> None:
    places = [node("#" + "s" * 900, html="<b>" * 300, summary="x" * 900)] * 30
    answer = judged(AUDIT, body(violations=[rule("new-rule", nodes=places, count=30)]))

    (finding,) = answer.findings
    assert (30, 10) == (finding.count, len(finding.affected))
    place = finding.affected[0]
    assert isinstance(place, Affected)
    assert (300, 200, 400) == (len(place.selector), len(place.html), len(place.fix))


@pytest.mark.requirement("002-134", "002-135", "002-136", "002-144", "analyze-005")
def test_the_report_has_the_shape_of_the_seed() -> None:
    places = [contrast("#999999", "#ffffff") | {"summary": "Fix any of the following:\n  Too faint"}]
    sent = body(
        violations=[rule("color-contrast", nodes=places, count=12)], passes=[{"id": "a", "help": "A", "count": 4}]
    )
    found = msgspec.to_builtins(report(ReportAccessibility(include_passes=True), sent))

    assert {"violations": 1, "passes": 2, "incomplete": 0, "inapplicable": 40} == found["summary"]
    (violation,) = found["violations"]
    assert ("color-contrast", "serious", "Help of color-contrast") == (
        violation["id"],
        violation["impact"],
        violation["description"],
    )
    assert (["wcag2aa", "1.4.3"], 12, "https://axe/") == (
        violation["wcag"],
        violation["nodeCount"],
        violation["helpUrl"],
    )
    assert {"selector", "html", "failureSummary", "fix"} == violation["nodes"][0].keys()
    assert [{"id": "a", "description": "A", "nodeCount": 4}] == found["passes"]
    assert "passes" not in msgspec.to_builtins(report(ReportAccessibility(), sent))


def test_criteria_are_numbered_as_wcag_does() -> None:
    assert ["1.4.3", "1.4.12", "2.4.4"] == criteria(["cat.color", "wcag143", "wcag1412", "wcag244", "wcag2aa"])
    assert ["wcag21aa", "best-practice", "1.3.4"] == named(["wcag21aa", "wcag134", "best-practice", "ACT"])
    assert ("https://axe/", "", "") == (
        (found := reference(["best-practice"], "https://axe/")).url,
        found.wcag,
        found.level,
    )
    assert all(re.fullmatch(r"\d\.\d\.\d{1,2}", number) for number in PAGES)
