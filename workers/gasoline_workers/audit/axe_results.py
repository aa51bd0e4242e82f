"""Reads the results of axe, as the page condensed them, as values; what is unusable is left out."""

from typing import Any, NamedTuple

from gasoline_workers.audit.messages import TEXT_CHARS, Impact
from gasoline_workers.diff.reading import items, text, whole

RULES = 200  # axe 4.14 has 105
NODES = 10  # seed 002, Feature 4, Limits: "Max nodes per violation: 10"
SELECTOR_CHARS = 300
SUMMARY_CHARS = 400
IMPACTS: tuple[Impact, ...] = ("critical", "serious", "moderate", "minor")  # the worst first


class Check(NamedTuple):
    """A check of axe that failed at a node: its id, its message, and what it measured."""

    id: str
    message: str
    data: Any


class Node(NamedTuple):
    """An element at which a rule failed, or could not be decided."""

    selector: str
    html: str
    summary: str
    checks: list[Check]


class Rule(NamedTuple):
    """A rule of axe with the nodes of one outcome: `places` of them, the first in `nodes`."""

    id: str
    impact: Impact
    description: str
    help: str
    help_url: str
    tags: list[str]
    places: int
    nodes: list[Node]


class AxeResults(NamedTuple):
    """What axe found: the rules by outcome, and how many rules had each outcome."""

    violations: list[Rule]
    incomplete: list[Rule]
    passes: list[Rule]
    counts: dict[str, int]


OUTCOMES = ("violations", "passes", "incomplete", "inapplicable")


def read(evidence: object) -> AxeResults:
    """Read what the extension's accessibility part answered."""
    fields = evidence if isinstance(evidence, dict) else {}
    counts = fields.get("counts")
    counted = counts if isinstance(counts, dict) else {}
    return AxeResults(
        _rules(fields.get("violations")),
        _rules(fields.get("incomplete")),
        _rules(fields.get("passes")),
        {name: whole(counted.get(name)) for name in OUTCOMES},
    )


def _rules(value: object) -> list[Rule]:
    rules = [_rule(one) for one in items(value, dict)[:RULES]]
    return sorted((one for one in rules if one.id), key=_rank)


def _rank(rule: Rule) -> tuple[int, int]:
    return IMPACTS.index(rule.impact) if rule.impact in IMPACTS else len(IMPACTS), -rule.places


def _rule(fields: dict[str, Any]) -> Rule:
    nodes = [_node(one) for one in items(fields.get("nodes"), dict)[:NODES]]
    return Rule(
        _cut(fields.get("id"), TEXT_CHARS),
        next((one for one in IMPACTS if one == fields.get("impact")), ""),
        _cut(fields.get("description"), TEXT_CHARS),
        _cut(fields.get("help"), TEXT_CHARS),
        _cut(fields.get("help_url"), TEXT_CHARS),
        items(fields.get("tags"), str),
        max(len(nodes), whole(fields.get("count"))),
        nodes,
    )


def _node(fields: dict[str, Any]) -> Node:
    return Node(
        _cut(fields.get("selector"), SELECTOR_CHARS),
        _cut(fields.get("html"), TEXT_CHARS),
        _cut(fields.get("summary"), SUMMARY_CHARS),
        [_check(one) for one in items(fields.get("checks"), dict)],
    )


def _check(fields: dict[str, Any]) -> Check:
    return Check(text(fields.get("id")), _cut(fields.get("message"), SUMMARY_CHARS), fields.get("data"))


def _cut(value: object, most: int) -> str:
    words = text(value)
    return words if len(words) <= most else f"{words[: most - 1]}…"
