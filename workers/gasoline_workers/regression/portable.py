"""Writes a baseline as plain data for a file that others read, and reads such data; pure.

Rules of this file:
- What has no order of its own is sorted, so that the same page gives the same file.
- What a newer version wrote is refused, and so is what has a field that is unknown.
"""

from typing import Any

import msgspec

from gasoline_broker.errors import fail
from gasoline_workers.audit.messages import Number
from gasoline_workers.regression.kept import Element, Flaw, Kept, Rule, State
from gasoline_workers.regression.messages import EXPORT_FORMAT, Conditions, Loads, Pictures


class Exported(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A baseline in a file. A part that is None could not be analysed; `failures` has the reasons."""

    name: str
    url: str
    captured_at: str
    conditions: Conditions
    loads: list[dict[str, Number]]
    accessibility: list[Rule] | None = None
    security: list[Flaw] | None = None
    memory: dict[str, Any] | None = None
    failures: dict[str, str] = {}
    warnings: list[str] = []
    format: int = EXPORT_FORMAT


def exported(kept: Kept) -> dict[str, Any]:
    """Return a baseline as plain data."""
    state = kept.state
    rules, flaws = state.accessibility, state.security
    found = Exported(
        name=kept.name,
        url=state.loads.url,
        captured_at=kept.captured_at,
        conditions=state.loads.conditions,
        loads=state.loads.metrics,
        accessibility=None if rules is None else sorted(map(_sorted_rule, rules), key=lambda one: one.id),
        security=None if flaws is None else sorted(map(_sorted_flaw, flaws), key=_flaw_key),
        memory=state.memory,
        failures=state.failures,
        warnings=state.loads.warnings,
    )
    plain: dict[str, Any] = msgspec.to_builtins(found)
    return plain


def imported(content: object, pictures: Pictures) -> Kept:
    """Return the baseline that was exported.

    Raises:
        Failed: `invalid_params`: it is none, or a newer version wrote it.

    """
    name = content.get("name", "") if isinstance(content, dict) else ""
    number = content.get("format") if isinstance(content, dict) else None
    if isinstance(number, int) and number > EXPORT_FORMAT:
        text = (
            f"The baseline {name!r} was written by a newer version (format {number}; this one reads {EXPORT_FORMAT})."
        )
        fail("invalid_params", text, "Install that version, or export the baseline with this one.", name=name)
    try:
        found = msgspec.convert(content, Exported)
    except msgspec.ValidationError as fault:
        text = f"The baseline {name!r} cannot be read: {fault}."
        fail("invalid_params", text, "Restore its file, or export it again.", name=name)
    if not found.name or not found.loads:
        fail(
            "invalid_params", f"The baseline {name!r} has no name or no load.", "Restore its file, or export it again."
        )
    loads = Loads(found.url, found.conditions, found.loads, found.warnings)
    state = State(loads, found.accessibility, found.security, found.memory, found.failures)
    return Kept(found.name, found.captured_at, state, pictures)


def _sorted_rule(rule: Rule) -> Rule:
    return msgspec.structs.replace(rule, elements=sorted(rule.elements, key=_element_key))


def _sorted_flaw(flaw: Flaw) -> Flaw:
    return msgspec.structs.replace(flaw, affected=sorted(flaw.affected))


def _element_key(element: Element) -> tuple[str, str]:
    return element.selector, element.html


def _flaw_key(flaw: Flaw) -> tuple[str, str, list[str]]:
    return flaw.issue, flaw.message, flaw.affected
