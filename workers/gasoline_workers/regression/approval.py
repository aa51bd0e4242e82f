"""Makes what a compare judged as changed the baseline, part by part; pure.

Rules of this file:
- A part that is no change stays as it was: many small changes, each below what counts, must not add up by approvals.
- So does a part that was inconclusive, unless the baseline had none of it.
- A compare with another browser or viewport is approved as a whole: its parts do not go with those of the former one.
- The address stays too, unless the compare was made of another page: then that one is the baseline's from now on.
- The loads go with each other, so all metrics are taken if one has changed.
"""

from collections.abc import Iterator

import msgspec

from gasoline_workers.regression import verdict
from gasoline_workers.regression.addresses import pattern
from gasoline_workers.regression.kept import Kept, LastCompared, State
from gasoline_workers.regression.messages import BaselineApproved, Comparison

CHANGED = ("regression_detected", "improved")
PARTS = ("accessibility", "security", "memory")


def approve(kept: Kept, last: LastCompared, now: State) -> tuple[Kept, BaselineApproved]:
    """Return the baseline as it is to be kept, and what it has taken from the last compare."""
    comparison, before = last.answer.comparison, kept.state
    is_other = verdict.is_other_browser(before.loads.conditions, now.loads.conditions)
    parts = _changed(comparison, before, now, takes_all=is_other)
    taken = {name: getattr(now, name) for name in parts if name in PARTS}
    loads = now.loads if "performance" in parts else before.loads
    is_same_page = pattern(before.loads.url) == pattern(now.loads.url)
    if is_same_page or parts:
        taken["loads"] = msgspec.structs.replace(loads, url=before.loads.url if is_same_page else now.loads.url)
    failures = {part: why for part, why in before.failures.items() if part not in parts}
    state = msgspec.structs.replace(before, failures=failures, **taken)
    pictures = kept.pictures
    if last.pictures.ids:
        pictures, parts = last.pictures, [*parts, "picture"]
    answer = BaselineApproved(
        name=kept.name,
        url=now.loads.url,
        at=last.at,
        parts=parts,
        changes=list(_words(comparison, parts, is_other=is_other)),
        left=[] if is_other else verdict.reasons(comparison),
    )
    captured_at = last.at if parts else kept.captured_at
    return Kept(kept.name, captured_at, state, pictures), answer


def _changed(comparison: Comparison, before: State, now: State, *, takes_all: bool) -> list[str]:
    found = []
    for name in (*PARTS, "performance"):
        is_new = name in PARTS and getattr(before, name) is None
        is_there = name == "performance" or getattr(now, name) is not None
        if is_there and (takes_all or is_new or getattr(comparison, name).verdict in CHANGED):
            found.append(name)
    return found


def _words(comparison: Comparison, parts: list[str], *, is_other: bool) -> Iterator[str]:
    if parts:
        yield from verdict.changes(comparison)
    if is_other:
        yield "all parts, as the compare was made with another browser or viewport"
    if "picture" in parts and comparison.picture.verdict == "inconclusive":
        yield "pictures of how it looks"
