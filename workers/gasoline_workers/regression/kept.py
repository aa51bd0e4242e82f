"""What is kept of a page as its baseline: its loads and what was found in it, without the words about it; pure."""

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from gasoline_workers.audit.messages import Affected, Finding, Judged, Number, Severity
from gasoline_workers.regression import timings
from gasoline_workers.regression.addresses import pattern
from gasoline_workers.regression.memory import LEAST
from gasoline_workers.regression.messages import Baseline, BaselineApproved, BaselineCompared, Loads, Pictures

PARTS = ("accessibility", "security", "memory")
"""The parts of the analysis of a page that has settled; the loads come beside."""

T = TypeVar("T")

OF_SECURITY = {"headers", "cookies", "storage", "content"}


class Element(msgspec.Struct, frozen=True):
    """An element that breaks a rule."""

    selector: str
    html: str


class Rule(msgspec.Struct, frozen=True):
    """A rule of axe that is broken in `count` places, the first of them in `elements`."""

    id: str
    severity: Severity
    count: int
    elements: list[Element]


class Flaw(msgspec.Struct, frozen=True):
    """A security finding; `affected`: the names or elements that it is about."""

    issue: str
    severity: Severity
    message: str
    affected: list[str]


class State(msgspec.Struct, frozen=True):
    """What a page is like. A part is None where it could not be analysed; `failures` has the reasons."""

    loads: Loads
    accessibility: list[Rule] | None
    security: list[Flaw] | None
    memory: dict[str, Any] | None
    failures: dict[str, str] = {}


class Kept(msgspec.Struct, frozen=True):
    """A baseline as it is stored."""

    name: str
    captured_at: str
    state: State
    pictures: Pictures = Pictures(reason="it was made by an earlier version")


class LastCompared(msgspec.Struct, frozen=True):
    """What was last compared with a baseline, as it is stored: the answer, and the metrics of each load.

    `state`, `pictures`: what would be approved; `approved`: it was, with this answer.
    """

    answer: BaselineCompared
    metrics: list[dict[str, Number]]
    state: State | None = None
    pictures: Pictures = Pictures()
    at: str = ""
    approved: BaselineApproved | None = None


def state(loads: Loads, body: object) -> State:
    """Read what the audit worker judged in the page that was loaded."""
    judged = msgspec.convert(body, Judged)
    failures = {part: fault.message for part, fault in judged.failures.items()}
    rules = [_rule(one) for one in judged.findings if one.category == "accessibility" and one.severity != "info"]
    flaws = [_flaw(one) for one in judged.findings if one.category in OF_SECURITY and one.severity != "info"]
    return State(
        loads=loads,
        accessibility=None if "accessibility" in failures else rules,
        security=None if "security" in failures else flaws,
        memory=judged.snapshot or None,
        failures=failures,
    )


def united(earlier: State, later: State) -> State:
    """Return what a page is like of which two looks were had: what either found, and the greater heap."""
    return msgspec.structs.replace(
        later,
        accessibility=_either(earlier.accessibility, later.accessibility, lambda one: one.id),
        security=_either(earlier.security, later.security, lambda one: (one.issue, *one.affected)),
        memory=_both_heaps(earlier.memory, later.memory),
    )


def _both_heaps(earlier: dict[str, Any] | None, later: dict[str, Any] | None) -> dict[str, Any] | None:
    if not earlier or not later:
        return earlier or later
    less, more = sorted((earlier, later), key=lambda one: one.get("heap_used_mb") or 0)
    return more | {LEAST: less}


def _either(earlier: list[T] | None, later: list[T] | None, key: Callable[[T], object]) -> list[T] | None:
    if earlier is None or later is None:
        return None
    known = {key(one): one for one in later}
    return [*later, *(one for one in earlier if key(one) not in known)]


def name_of(name: str, url: str) -> str:
    """Return the name of a baseline: its own, or the pattern of its address."""
    return name or pattern(url)


def shown(kept: Kept) -> Baseline:
    """Describe a baseline."""
    loads, conditions = kept.state.loads, kept.state.loads.conditions
    rules, flaws = kept.state.accessibility, kept.state.security
    return Baseline(
        name=kept.name,
        url=loads.url,
        captured_at=kept.captured_at,
        runs=len(loads.metrics),
        browser=conditions.browser,
        viewport=conditions.viewport,
        scale=conditions.scale,
        version=conditions.version,
        performance=timings.medians(loads.metrics),
        accessibility_issues=None if rules is None else sum(one.count for one in rules),
        security_findings=None if flaws is None else len(flaws),
    )


def _rule(finding: Finding) -> Rule:
    elements = [Element(one.selector, one.html) for one in finding.affected if isinstance(one, Affected)]
    return Rule(finding.id, finding.severity, max(finding.count, len(elements), 1), elements)


def _flaw(finding: Finding) -> Flaw:
    names = [one.selector if isinstance(one, Affected) else one for one in finding.affected]
    return Flaw(finding.issue, finding.severity, finding.message, names)
