"""Compares what a page is like with its baseline: the parts, the verdict on all of them, and one sentence; pure.

Rules of this file:
- One part that has become worse is a regression. Without one, what is inconclusive keeps the whole from a verdict.
- Times and memory are compared only with those of the same browser and viewport, accessibility with that of the same
  viewport: what another browser does is no change of the page. Security is compared always.
"""

from collections.abc import Iterator

import msgspec

from gasoline_workers.diff.reading import rounded
from gasoline_workers.regression import accessibility, memory, second_look, security, timings
from gasoline_workers.regression.addresses import pattern
from gasoline_workers.regression.kept import Kept, State, shown
from gasoline_workers.regression.messages import (
    MORE_LOADS,
    AccessibilityCompared,
    BaselineCompared,
    Comparison,
    Conditions,
    Loads,
    MemoryCompared,
    PerformanceCompared,
    PictureCompared,
    SecurityCompared,
    Verdict,
    differences,
)

RANKED: tuple[Verdict, ...] = ("regression_detected", "inconclusive", "improved", "no_change")
"""The verdict of the whole is the first of these that a part has."""

DECIDING = ("accessibility", "performance", "security")
"""The parts without which there is no verdict. Memory is measured once a side, and only where a debugger may: less
of it may have been collected meanwhile, so that it is shown, and makes nothing better."""

CHANGED = ("changed", "shifted", "resized")
"""Of how a page looks."""

SHARED = MemoryCompared(
    verdict="inconclusive",
    reason="Chrome keeps pages that were left for the way back: the memory of one has that of the other in it",
)

WORDS = {"lcp_ms": "LCP", "fcp_ms": "FCP", "ttfb_ms": "TTFB", "load_ms": "load", "tbt_ms": "blocking time"}
EXACT_WORDS = {"cls": "CLS", "bytes": "bytes", "requests": "requests"}
NAMED = 3  # changes of one kind in the sentence
NO_EVIDENCE = "not analysed: {}"


def compare(kept: Kept, now: State, picture: PictureCompared, earlier: State | None = None) -> BaselineCompared:
    """Return what has changed since the baseline. `earlier`: the page at a look before: a change is one of both."""
    comparison = _comparison(kept.state, now, picture)
    if earlier is not None:
        comparison = second_look.agreed(_comparison(kept.state, earlier, picture), comparison)
    return _compared(kept, now, comparison, list(_other_page(kept.state, now)))


def needs_second_look(kept: Kept, now: State) -> bool:
    """Return whether another look at the page is to confirm what has changed."""
    return second_look.is_needed(_comparison(kept.state, now, PictureCompared(verdict="identical")))


def compare_pages(
    before: State, now: State, picture: PictureCompared, at: str, earlier: tuple[State, State] | None = None
) -> BaselineCompared:
    """Return in what a page differs from another one, which was loaded by turns with it, at that time.

    `earlier`: both at a look before: a difference is one of both.
    """
    warnings = [f"{before.loads.url}: {text}" for text in before.loads.warnings]
    comparison = _comparison(before, now, picture)
    if earlier is not None:
        comparison = second_look.agreed(_comparison(*earlier, picture), comparison)
    comparison = msgspec.structs.replace(comparison, memory=SHARED)
    return _compared(Kept("", at, before), now, comparison, warnings)


def _comparison(before: State, now: State, picture: PictureCompared) -> Comparison:
    is_other = {what for what, _ in differences(before.loads.conditions, now.loads.conditions)}
    return Comparison(
        accessibility=_accessibility(before, now, is_comparable="viewport" not in is_other),
        performance=_performance(before, now, is_comparable=not is_other),
        security=_security(before, now),
        memory=_memory(before, now, is_comparable=not is_other),
        picture=picture,
    )


def _compared(kept: Kept, now: State, comparison: Comparison, more: list[str]) -> BaselineCompared:
    verdict = whole(comparison)
    others = [text for _, text in differences(kept.state.loads.conditions, now.loads.conditions)]
    warnings = others + more + _lacking(now) + now.loads.warnings
    return BaselineCompared(
        status="partial" if warnings else "success",
        action="regression",
        scope="compare",
        url=now.loads.url,
        verdict=verdict,
        summary=summary(comparison, verdict),
        baseline=shown(kept),
        comparison=comparison,
        warnings=warnings,
    )


def more_loads(before: Loads, after: Loads) -> int:
    """Return how many more loads are needed before the times can be judged."""
    if is_other_browser(before.conditions, after.conditions):
        return 0
    return MORE_LOADS if timings.needs_more(before.metrics, after.metrics) else 0


def whole(comparison: Comparison) -> Verdict:
    """Return the verdict on all parts."""
    found = {getattr(comparison, name).verdict for name in DECIDING}
    found |= {comparison.memory.verdict} & {"regression_detected"}
    unknown = {getattr(comparison, name).verdict for name in DECIDING} & {"inconclusive"}
    return next(one for one in RANKED if one in (found - {"inconclusive"} | unknown))


def summary(comparison: Comparison, verdict: Verdict) -> str:
    """State in one sentence what has changed, or why that is unknown; and how the page looks, if otherwise."""
    return _judged(comparison, verdict) + _looks(comparison.picture)


def changes(comparison: Comparison) -> list[str]:
    """State what has changed, worse or better, and how the page looks."""
    found = [
        *_counted(comparison, "new"),
        *_times(comparison, "regression_detected"),
        *_counted(comparison, "resolved"),
        *_times(comparison, "improved"),
    ]
    return found + ([looks.removeprefix("; ")] if (looks := _looks(comparison.picture)) else [])


def is_other_browser(before: Conditions, now: Conditions) -> bool:
    """Return whether loads were made with another browser, viewport or scale."""
    return any(differences(before, now))


def reasons(comparison: Comparison) -> list[str]:
    """Return why parts are inconclusive, each reason once."""
    found: dict[str, list[str]] = {}
    for name in DECIDING:
        part = getattr(comparison, name)
        if part.verdict == "inconclusive" and part.reason:
            found.setdefault(part.reason, []).append(name)
    for name, one in comparison.performance.metrics.items():
        if one.verdict == "inconclusive":
            found.setdefault(one.reason, []).append((WORDS | EXACT_WORDS)[name])
    return [f"{', '.join(names)}: {reason}" for reason, names in found.items()]


def _looks(picture: PictureCompared) -> str:
    if picture.verdict not in CHANGED:
        return ""
    count = len(picture.changes) + picture.more
    return f"; it looks different ({count} change{'s' if count > 1 else ''})" if count else "; it looks different"


def _judged(comparison: Comparison, verdict: Verdict) -> str:
    if verdict == "no_change":
        return "No change beyond the noise of the page's loads"
    worse = [*_counted(comparison, "new"), *_times(comparison, "regression_detected")]
    better = [*_counted(comparison, "resolved"), *_times(comparison, "improved")]
    if verdict == "regression_detected":
        return ", ".join(worse)
    if verdict == "improved":
        return ", ".join(better)
    return f"No regression was found, but not everything could be compared: {'; '.join(reasons(comparison))}"


def _counted(comparison: Comparison, change: str) -> Iterator[str]:
    issues = getattr(comparison.accessibility, f"{change}_issues")
    if count := sum(one.count for one in issues):
        named = ", ".join(one.id for one in issues[:NAMED]) + (", …" if len(issues) > NAMED else "")
        yield f"{count} {change} accessibility issue{'s' if count > 1 else ''} ({named})"
    flaws = [one.issue for one in comparison.security.changes if one.change == change]
    if flaws:
        named = ", ".join(flaws[:NAMED]) + (", …" if len(flaws) > NAMED else "")
        yield f"{len(flaws)} {change} security finding{'s' if len(flaws) > 1 else ''} ({named})"


def _times(comparison: Comparison, verdict: Verdict) -> Iterator[str]:
    word = "regressed" if verdict == "regression_detected" else "improved"
    for name, one in comparison.performance.metrics.items():
        if one.verdict != verdict or one.delta is None:
            continue
        if name in WORDS:
            yield f"{WORDS[name]} {word} by {rounded(abs(one.delta))} ms"
        elif one.current is not None:
            yield f"{EXACT_WORDS[name]} {word} from {one.baseline.median} to {one.current.median}"
    if comparison.memory.verdict == verdict:
        delta = comparison.memory.delta
        yield f"memory {word}: {delta['heap_used_mb']:+} MB, {delta['detached_nodes']:+} detached nodes"


def _accessibility(before: State, now: State, *, is_comparable: bool) -> AccessibilityCompared:
    if before.accessibility is None or now.accessibility is None:
        return AccessibilityCompared(verdict="inconclusive", reason=_absent("accessibility", before, now))
    found = accessibility.compare(before.accessibility, now.accessibility)
    if is_comparable:
        return found
    return msgspec.structs.replace(found, verdict="inconclusive", reason="made with another viewport")


def _performance(before: State, now: State, *, is_comparable: bool) -> PerformanceCompared:
    metrics = timings.compare(before.loads.metrics, now.loads.metrics)
    reason = "" if is_comparable else "made with another browser or viewport"
    if reason:
        metrics = {
            name: msgspec.structs.replace(one, verdict="inconclusive", reason=reason) for name, one in metrics.items()
        }
    found = {one.verdict for one in metrics.values()} or {"inconclusive"}
    verdict = next(one for one in RANKED if one in found)
    lcp = metrics.get("lcp_ms")
    if lcp is None or lcp.current is None:
        return PerformanceCompared(verdict=verdict, metrics=metrics, reason=reason)
    return PerformanceCompared(
        verdict=verdict,
        lcp_baseline_ms=lcp.baseline.median,
        lcp_current_ms=lcp.current.median,
        lcp_delta_ms=lcp.delta,
        lcp_regression=lcp.verdict == "regression_detected",
        metrics=metrics,
        reason=reason,
    )


def _security(before: State, now: State) -> SecurityCompared:
    if before.security is None or now.security is None:
        return SecurityCompared(verdict="inconclusive", reason=_absent("security", before, now))
    return security.compare(before.security, now.security)


def _memory(before: State, now: State, *, is_comparable: bool) -> MemoryCompared:
    if before.memory is None or now.memory is None:
        return MemoryCompared(verdict="inconclusive", reason=_absent("memory", before, now))
    found = memory.compare(before.memory, now.memory)
    if is_comparable or found.reason:
        return found
    return msgspec.structs.replace(found, verdict="inconclusive", reason="made with another browser or viewport")


def _absent(part: str, before: State, now: State) -> str:
    if getattr(now, part) is None:
        return NO_EVIDENCE.format(now.failures.get(part, "there is no evidence"))
    return f"the baseline has none: {before.failures.get(part, 'there was no evidence')}"


def _lacking(now: State) -> list[str]:
    return [f"{part}: {reason}" for part, reason in now.failures.items()]


def _other_page(before: State, now: State) -> Iterator[str]:
    if pattern(before.loads.url) != pattern(now.loads.url):
        yield f"The baseline was made of another page: {before.loads.url}"
