"""Makes the findings of the security and performance rules, in the shapes of seed 000; it judges nothing."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gasoline_workers.audit.messages import TEXT_CHARS, Affected, Category, Finding, Number, Reference, Severity
from gasoline_workers.diff.reading import rounded

MOST = 10
"""Names or elements that a finding lists; `count` has the rest."""


class Flaw(NamedTuple):
    """What a security rule found: `issue` is its id; `affected` are names of cookies, keys, directives, or elements."""

    issue: str
    severity: Severity
    category: Category
    message: str
    guidance: str
    affected: Sequence[str | Affected] = ()


def security(flaw: Flaw) -> Finding:
    """Return a finding in the seed's security shape: `issue` and `guidance`."""
    return Finding(
        severity=flaw.severity,
        category=flaw.category,
        issue=flaw.issue,
        message=cut(flaw.message),
        count=_count(flaw.affected),
        affected=[cut(one) if isinstance(one, str) else one for one in flaw.affected[:MOST]],
        guidance=flaw.guidance,
    )


class Slow(NamedTuple):
    """What a performance rule found. `gain`: estimated, by unit (`ms`, `bytes`); `numbers`: what it was judged by."""

    id: str
    severity: Severity
    message: str
    fix: str
    source: str
    numbers: Mapping[str, object] = {}
    gain: Mapping[str, Number] = {}
    affected: Sequence[str | Affected] = ()
    category: Category = "performance"


def performance(slow: Slow) -> Finding:
    """Return a finding in the seed's audit shape, with its numbers, its estimated gain and its fix."""
    return Finding(
        id=slow.id,
        severity=slow.severity,
        category=slow.category,
        message=cut(slow.message),
        count=_count(slow.affected),
        affected=[cut(one) if isinstance(one, str) else one for one in slow.affected[:MOST]],
        evidence={name: _short(value) for name, value in slow.numbers.items() if value is not None},
        gain={unit: rounded(amount) for unit, amount in slow.gain.items() if amount >= 1},
        fix=slow.fix,
        reference=Reference(url=slow.source),
    )


def cut(text: str) -> str:
    """Cut a string that the page may have written."""
    line = " ".join(text[: TEXT_CHARS * 4].split())
    return line if len(line) <= TEXT_CHARS else line[: TEXT_CHARS - 3] + "..."


def _count(affected: Sequence[object]) -> int:
    return len(affected) if len(affected) > 1 else 0


def _short(value: object) -> object:
    if isinstance(value, float):
        return rounded(value, 0 if value >= 1 else 4)  # ms and bytes; a layout shift is below 1
    return cut(value) if isinstance(value, str) else value
