"""Judges the results of axe: what is wrong, how badly, and what to change (seed 000, Audit Response Schema).

Severity is axe's impact (SPEC.md, Settled contradictions 3): critical, serious, moderate and minor are critical, high,
medium and low. What axe could not decide is `info`.
"""

from typing import Any

from gasoline_workers.audit import axe_results
from gasoline_workers.audit.axe_results import AxeResults, Node, Rule
from gasoline_workers.audit.fixes import fix, reason
from gasoline_workers.audit.found import Found
from gasoline_workers.audit.messages import SEVERITIES, Affected, Finding, Severity
from gasoline_workers.audit.wcag import reference

OF_IMPACT: dict[str, Severity] = {"critical": "critical", "serious": "high", "moderate": "medium", "minor": "low"}
UNRATED: Severity = "medium"  # no rule of axe 4.14 leaves a violation without an impact
UNDECIDED = "Needs review: "


def judge(evidence: object, _scope: str) -> Found:
    """Return a finding for each rule that is broken, and for each that could not be decided."""
    results = axe_results.read(evidence)
    broken = [_finding(rule, OF_IMPACT.get(rule.impact, UNRATED)) for rule in results.violations]
    undecided = [_finding(rule, "info") for rule in results.incomplete]
    return Found([*broken, *undecided], _summary(results, [*broken, *undecided]))


def _finding(rule: Rule, severity: Severity) -> Finding:
    message = rule.help or rule.description or rule.id
    return Finding(
        id=rule.id,
        severity=severity,
        category="accessibility",
        message=UNDECIDED + message if severity == "info" else message,
        count=rule.places,
        affected=[_affected(rule, node, undecided=severity == "info") for node in rule.nodes],
        reference=reference(rule.tags, rule.help_url),
    )


def _affected(rule: Rule, node: Node, *, undecided: bool) -> Affected:
    return Affected(node.selector, node.html, reason(node) if undecided else fix(rule.id, node))


def _summary(results: AxeResults, findings: list[Finding]) -> dict[str, Any]:
    """Count the rules: by severity of what is wrong, those that hold, and all that apply to something in the page."""
    counts = {name: sum(one.severity == name for one in findings) for name in SEVERITIES}
    failing = {one.id for one in findings}
    passed = sum(rule.id not in failing for rule in results.passes)
    return counts | {"passed": passed, "total_rules": passed + len(failing)}
