"""Writes what has become worse as SARIF 2.1.0 (docs.oasis-open.org/sarif/sarif/v2.1.0), in one run; pure.

Each new element, finding and slower metric is a result: its address is the page's, its element a logical location.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from gasoline_bridge.check.results import Checked
from gasoline_broker.product import NAME, VERSION
from gasoline_workers.regression.messages import Comparison

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"critical": "error", "high": "error", "medium": "warning", "low": "warning"}  # what else: note (3.27.10)
SLOWER = "error"


class Worse(NamedTuple):
    """One thing that has become worse: its rule, SARIF's level, the words, and its place, if that is known.

    `kind`: of the place, an element or a resource (a cookie, a key).
    """

    rule: str
    level: str
    text: str
    place: str = ""
    kind: str = "element"


def sarif(checked: Sequence[Checked]) -> dict[str, Any]:
    """Return the document."""
    compared = [(one.url, one.compared) for one in checked if one.compared and one.outcome != "approved"]
    found = [(url, worse) for url, one in compared for worse in _worse(one.comparison)]
    rules = sorted({worse.rule for _, worse in found})
    driver = {"name": NAME, "version": VERSION, "rules": [{"id": rule} for rule in rules]}
    results = [_result(url, worse, rules.index(worse.rule)) for url, worse in found]
    notes = [_note(one) for one in checked if one.outcome in ("error", "inconclusive")]
    done = all(one.outcome != "error" for one in checked)
    invocation = {"executionSuccessful": done, "toolExecutionNotifications": notes}
    run = {"tool": {"driver": driver}, "invocations": [invocation], "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _worse(comparison: Comparison) -> Iterator[Worse]:
    for issue in comparison.accessibility.new_issues:
        text = f"{issue.count} new accessibility issue{'s' if issue.count > 1 else ''}: {issue.id}"
        for place in issue.elements or [""]:
            yield Worse(f"accessibility/{issue.id}", LEVELS.get(issue.severity, "note"), text, place)
    for change in comparison.security.changes:
        if change.change == "new":
            for place in change.affected or [""]:
                level = LEVELS.get(change.severity, "note")
                yield Worse(f"security/{change.issue}", level, change.message, place, "resource")
    for name, metric in comparison.performance.metrics.items():
        if metric.verdict == "regression_detected" and metric.current:
            text = f"{name} was {metric.baseline.median} and is {metric.current.median}"
            yield Worse(f"performance/{name}", SLOWER, text)
    if comparison.memory.verdict == "regression_detected":
        delta = ", ".join(f"{name} {by:+}" for name, by in comparison.memory.delta.items())
        yield Worse("memory/growth", SLOWER, f"The page keeps more memory: {delta}")


def _result(url: str, worse: Worse, index: int) -> dict[str, Any]:
    location: dict[str, Any] = {"physicalLocation": {"artifactLocation": {"uri": url}}}
    if worse.place:
        location["logicalLocations"] = [{"fullyQualifiedName": worse.place, "kind": worse.kind}]
    return {
        "ruleId": worse.rule,
        "ruleIndex": index,
        "level": worse.level,
        "message": {"text": worse.text},
        "locations": [location],
    }


def _note(one: Checked) -> dict[str, Any]:
    level = "error" if one.outcome == "error" else "warning"
    return {"level": level, "message": {"text": f"{one.url}: {one.text}"}}
