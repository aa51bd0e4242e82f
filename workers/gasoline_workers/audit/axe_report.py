"""Reports the results of axe in the shape of seed 002 (Feature 4)."""

from typing import Any

from gasoline_workers.audit import axe_results
from gasoline_workers.audit.axe_results import Rule
from gasoline_workers.audit.fixes import fix
from gasoline_workers.audit.messages import (
    AccessibilityReported,
    PassedRule,
    ReportAccessibility,
    ReportedNode,
    ReportedRule,
)
from gasoline_workers.audit.wcag import named
from gasoline_workers.diff.reading import items, text


def report(message: ReportAccessibility, body: Any) -> AccessibilityReported:  # noqa: ANN401 - what the extension answered
    """Return what axe found, the worst first."""
    answer = body if isinstance(body, dict) else {}
    page, parts = _map(answer.get("page")), _map(answer.get("evidence"))
    evidence = _map(parts.get("accessibility"))
    results = axe_results.read(evidence)
    passes = [PassedRule(rule.id, rule.help, rule.places) for rule in results.passes]
    return AccessibilityReported(
        url=text(page.get("url")),
        timestamp=text(evidence.get("timestamp")),
        summary=results.counts,
        cached=answer.get("cached") is True,
        warnings=items(answer.get("warnings"), str),
        violations=[_rule(rule) for rule in results.violations],
        incomplete=[_rule(rule, undecided=True) for rule in results.incomplete],
        passes=passes if message.include_passes else [],
    )


def _rule(rule: Rule, *, undecided: bool = False) -> ReportedRule:
    nodes = [
        ReportedNode(node.selector, node.html, node.summary, "" if undecided else fix(rule.id, node))
        for node in rule.nodes
    ]
    return ReportedRule(
        id=rule.id,
        impact=rule.impact,
        description=rule.help or rule.description,
        help_url=rule.help_url,
        wcag=named(rule.tags),
        nodes=nodes,
        node_count=rule.places if rule.places > len(nodes) else 0,
    )


def _map(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
