"""Keeps what two comparisons of one page agree on, each of another look at it; pure.

What a page has at one moment and not at the next (a list that is still loading, a tip, memory that is not collected
yet) is no change of the page. Times have a rule of their own (timings), and so has how it looks: two pictures of then.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from gasoline_workers.regression.messages import (
    AccessibilityCompared,
    Change,
    Comparison,
    Issue,
    MemoryCompared,
    SecurityCompared,
    Verdict,
)

PARTS: Final = ("accessibility", "security", "memory")
"""What is found by a look at the page that has settled."""

CHANGED: Final[tuple[Verdict, ...]] = ("regression_detected", "improved")


def is_needed(comparison: Comparison) -> bool:
    """Return whether a part seems to have changed, which another look is to confirm."""
    return any(getattr(comparison, part).verdict in CHANGED for part in PARTS)


def agreed(earlier: Comparison, later: Comparison) -> Comparison:
    """Return the later comparison, less what the earlier one did not find; `reason` names that."""
    return msgspec.structs.replace(
        later,
        accessibility=_accessibility(earlier.accessibility, later.accessibility),
        security=_security(earlier.security, later.security),
        memory=_memory(earlier.memory, later.memory),
    )


def _accessibility(earlier: AccessibilityCompared, later: AccessibilityCompared) -> AccessibilityCompared:
    if "inconclusive" in (earlier.verdict, later.verdict):
        return later if later.verdict == "inconclusive" else earlier
    new = _in_both(earlier.new_issues, later.new_issues)
    resolved = _in_both(earlier.resolved_issues, later.resolved_issues)
    lists = (earlier.new_issues, later.new_issues, earlier.resolved_issues, later.resolved_issues)
    seen = {one.id: None for issues in lists for one in issues}
    return msgspec.structs.replace(
        later,
        verdict=_verdict(is_worse=bool(new), is_better=bool(resolved)),
        new_issues=new,
        resolved_issues=resolved,
        reason=_once([name for name in seen if name not in {one.id for one in (*new, *resolved)}]),
    )


def _in_both(earlier: Sequence[Issue], later: Sequence[Issue]) -> list[Issue]:
    known = {one.id: one for one in earlier}
    return [_fewer(known[one.id], one) for one in later if one.id in known]


def _fewer(earlier: Issue, later: Issue) -> Issue:
    count = min(earlier.count, later.count)
    elements = [one for one in later.elements if one in earlier.elements] or later.elements
    return msgspec.structs.replace(later, count=count, elements=elements[:count])


def _security(earlier: SecurityCompared, later: SecurityCompared) -> SecurityCompared:
    if "inconclusive" in (earlier.verdict, later.verdict):
        return later if later.verdict == "inconclusive" else earlier
    was, now = _by_finding(earlier.changes), _by_finding(later.changes)
    changes = [one for key, one in now.items() if key in was]
    kinds = {one.change for one in changes}
    return msgspec.structs.replace(
        later,
        verdict=_verdict(is_worse="new" in kinds, is_better="resolved" in kinds),
        changes=changes,
        reason=_once([issue for _, issue in was.keys() ^ now.keys()]),
    )


def _by_finding(changes: Sequence[Change]) -> Mapping[tuple[str, str], Change]:
    return {(one.change, one.issue): one for one in changes}


def _memory(earlier: MemoryCompared, later: MemoryCompared) -> MemoryCompared:
    if earlier.verdict == later.verdict or later.verdict not in CHANGED:
        return later
    if earlier.verdict == "inconclusive":
        return earlier
    return msgspec.structs.replace(later, verdict="no_change", reason=_once(["memory"]))


def _verdict(*, is_worse: bool, is_better: bool) -> Verdict:
    return "regression_detected" if is_worse else "improved" if is_better else "no_change"


def _once(names: Sequence[str]) -> str:
    return f"not so in both of two looks: {', '.join(sorted(names))}" if names else ""
