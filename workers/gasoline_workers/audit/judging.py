"""Judges the evidence of each part, and puts the findings of all together, the worst first."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from gasoline_workers.audit import accessibility, leaks, memory, performance, security
from gasoline_workers.audit.found import Found
from gasoline_workers.audit.messages import SEVERITIES, Failed, Finding, Judge, Judged
from gasoline_workers.diff.reading import items, number, text

PARTS: Mapping[str, Callable[[object, str], Found]] = {
    "accessibility": accessibility.judge,
    "memory": memory.judge,
    "leak": leaks.judge,
    "performance": performance.judge,
    "security": security.judge,
}
"""From each part to the function that judges its evidence, of the scope that was asked for."""

WARNINGS = 10  # more are no words of ours


def judged(message: Judge, body: Any) -> Judged:  # noqa: ANN401 - whatever the extension answered
    """Return the findings of every part that has evidence."""
    answer = body if isinstance(body, dict) else {}
    evidence, page = _map(answer.get("evidence")), _map(answer.get("page"))
    found = {part: judge(evidence[part], message.scope) for part, judge in PARTS.items() if part in evidence}
    findings = sorted((one for each in found.values() for one in each.findings), key=_rank)
    failures = {part: fault for part, fault in map(_failed, _map(answer.get("failures")).items()) if part in PARTS}
    warnings = items(answer.get("warnings"), str)[:WARNINGS]
    more = {name: value for each in found.values() for name, value in each.more.items()}
    return Judged(
        status="partial" if failures or warnings else "success",
        action=message.action,
        scope=message.scope,
        duration_ms=number(answer.get("duration_ms")) or 0,
        cached=answer.get("cached") is True,
        url=text(page.get("url")),
        summary=_summary(found, findings),
        findings=findings,
        failures=failures,
        warnings=warnings,
        **more,
    )


def _summary(found: Mapping[str, Found], findings: list[Finding]) -> dict[str, Any]:
    """Return a part's own summary, or the counts of several parts and below them in short what is their own."""
    if len(found) == 1:
        return next(iter(found.values())).summary
    counts = Counter(one.severity for one in findings)
    return {severity: counts[severity] for severity in SEVERITIES} | {
        part: _short(one.summary) for part, one in found.items()
    }


def _short(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out of a part's summary what the whole counts, and how the part alone finds out what is unknown here."""
    own = {name: value for name, value in summary.items() if name not in (*SEVERITIES, "total_rules")}
    unknown = {"unknown": [one.partition(":")[0] for one in own["unknown"]]} if "unknown" in own else {}
    return own | unknown


def _rank(finding: Finding) -> tuple[int, int]:
    return SEVERITIES.index(finding.severity), -finding.count


def _failed(item: tuple[object, object]) -> tuple[str, Failed]:
    part, fault = item
    fields = _map(fault)
    return str(part), Failed(text(fields.get("code")), text(fields.get("message")))


def _map(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
