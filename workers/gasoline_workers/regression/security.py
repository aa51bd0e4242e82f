"""Compares the security findings of a page then and now, each by its issue and the names that it affects; pure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from gasoline_workers.regression.kept import Flaw
from gasoline_workers.regression.messages import Change, SecurityCompared


def compare(before: Sequence[Flaw], after: Sequence[Flaw]) -> SecurityCompared:
    """Return the findings that are new and those that are resolved."""
    was, now = _by_issue(before), _by_issue(after)
    new, resolved = list(_more(was, now, "new")), list(_more(now, was, "resolved"))
    return SecurityCompared(
        verdict="regression_detected" if new else "improved" if resolved else "no_change",
        baseline_findings=len(was),
        current_findings=len(now),
        changes=[*new, *resolved],
    )


def _more(less: Mapping[str, Flaw], more: Mapping[str, Flaw], change: Literal["new", "resolved"]) -> Iterable[Change]:
    for issue, flaw in more.items():
        known = less.get(issue)
        names = [one for one in flaw.affected if known is None or one not in known.affected]
        if known is None or names:
            yield Change(change, issue, flaw.severity, flaw.message, names)


def _by_issue(flaws: Sequence[Flaw]) -> Mapping[str, Flaw]:
    """Put the flaws of one issue together: secrets in both storages are two findings of it."""
    found: dict[str, Flaw] = {}
    for flaw in flaws:
        first = found.setdefault(flaw.issue, flaw)
        if first is not flaw:
            found[flaw.issue] = msgspec.structs.replace(first, affected=[*first.affected, *flaw.affected])
    return found
