"""Makes the entries of a baseline's history: what the page was like when it was made, compared, approved; pure."""

from typing import Any

from gasoline_workers.audit.messages import LOAD_METRICS
from gasoline_workers.regression import timings
from gasoline_workers.regression.kept import Kept, State
from gasoline_workers.regression.messages import BaselineApproved, BaselineCompared, HistoryEntry, Verdict

PER_BASELINE = 500
"""Entries that are kept of one baseline: two a day for eight months."""

ALL = 50_000
"""Entries of all baselines: 35 MB."""

AGE_S = 400 * 86_400.0
"""How long one is kept: the same week of the year before is still to be seen."""


def made(kept: Kept) -> HistoryEntry:
    """Return the entry of a baseline that was made."""
    runs = len(kept.state.loads.metrics)
    return HistoryEntry(at=kept.captured_at, kind="made", summary=f"made of {runs} loads", **_numbers(kept.state))


def compared(answer: BaselineCompared, now: State, at: str) -> HistoryEntry:
    """Return the entry of a compare."""
    comparison = answer.comparison
    metrics = comparison.performance.metrics.items()
    verdicts: dict[str, Verdict] = {name: one.verdict for name, one in metrics if one.verdict != "no_change"}
    for name, part in (
        ("accessibility_issues", comparison.accessibility),
        ("security_findings", comparison.security),
        ("heap_used_mb", comparison.memory),
    ):
        if part.verdict != "no_change":
            verdicts[name] = part.verdict
    return HistoryEntry(
        at=at,
        kind="compared",
        summary=answer.summary,
        verdict=answer.verdict,
        verdicts=verdicts,
        seen_px=None if comparison.picture.verdict == "inconclusive" else comparison.picture.seen_px,
        **_numbers(now),
    )


def approved(answer: BaselineApproved, at: str) -> HistoryEntry:
    """Return the entry of an approval."""
    return HistoryEntry(at=at, kind="approved", summary=f"approved: {', '.join(answer.parts)}")


def _numbers(state: State) -> dict[str, Any]:
    loads = state.loads.metrics
    values = {name: [load[name] for load in loads if name in load] for name in LOAD_METRICS}
    return {
        "browser": state.loads.conditions.browser,
        "metrics": {name: timings.summarized(one, name) for name, one in values.items() if one},
        "accessibility_issues": None if state.accessibility is None else sum(one.count for one in state.accessibility),
        "security_findings": None if state.security is None else len(state.security),
        "heap_used_mb": (state.memory or {}).get("heap_used_mb"),
    }
