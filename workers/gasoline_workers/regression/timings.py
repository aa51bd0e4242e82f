"""Judges one metric of two groups of loads: slower, faster, the same, or not to be known; pure.

Rules of this file (measured on real loads: tests/bench/regression.py):
- A time has changed if chance is no explanation (Mann-Whitney, p ≤ 0.05), the shift is large enough to matter (50 ms,
  10 %, two robust sigmas of the noisier group), and the median is outside of what the other group had.
- Loads that follow each other alike (a server that warms up, a machine that is busy for a while) are no independent
  evidence: then there is no claim, and of a time that seems slower the reason is stated. One that only seems faster is
  no change.
- A slower machine makes pages slower. By how much it may be is known from the time of a fixed piece of work beside each
  load: what that explains is no claim, and where a faster machine may hide a change there is no "no change".
- Bytes, requests and layout shifts are the same in each load of an unchanged page: their medians are compared exactly.
"""

import math
import statistics
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from gasoline_workers.audit.messages import LOAD_METRICS, Number
from gasoline_workers.diff.reading import rounded
from gasoline_workers.regression import rank_statistics
from gasoline_workers.regression.messages import LEAST_LOADS, MACHINE, MetricCompared, Spread, Verdict

Load = dict[str, Number]
Values = Sequence[Number]

LEAST_MS, LEAST_SHARE, SIGMAS = 50.0, 0.10, 2.0
WIDE_MS = 100.0
"""Two sigmas that are above this count: the ranks alone are enough for a page that varies less."""

NOISY_SHARE = 0.75
"""Two sigmas that are above this share of the median, too, show nothing of a change."""

UNCLEAR = 0.10
"""Up to this probability a shift that is large enough may be one; above, chance is the better explanation."""

LAG, LAG_LOADS = 0.6, 8
"""The greatest lag-1 correlation of independent loads (of 1,000 groups of ten normal values 3 are above), and the
least loads that show one."""


FOLLOWS = (0.25, 0.5)
"""The least and the greatest power with which a load's times follow those of the machine's own work.

On loads of three pages beside 0 to 4 busy loops on two cores it was 0.27 to 0.51: a load waits for more than that.
"""


class Machine(NamedTuple):
    """How many times as long the machine takes for its own work now: the ends of the interval; 1 where unknown."""

    low: float = 1.0
    high: float = 1.0

    def in_words(self) -> str:
        """State both."""
        return f"its own work took {rounded(self.low, 1)} to {rounded(self.high, 1)} times as long"


class Bound(NamedTuple):
    """How much a metric that is compared exactly may grow: as a share of what it was, and by itself."""

    share: float
    over: float


SEGMENT_BYTES = 1_460
"""What one TCP segment carries on Ethernet (RFC 9293, 3.7.1): less than that costs no page a round trip."""

EXACT = {"bytes": Bound(0.05, SEGMENT_BYTES), "requests": Bound(0.10, 1), "cls": Bound(0.0, 0.05)}
"""Bytes more than 5 % and one segment; requests more than 10 % and more than one; layout shifts at least 0.05."""

FEW = f"fewer than {LEAST_LOADS} loads on a side"
DIGITS = {"cls": 4, "bytes": 0, "requests": 0}


def compare(base: Sequence[Load], now: Sequence[Load]) -> dict[str, MetricCompared]:
    """Compare each metric that either group has."""
    machine = _machine(_values(base, MACHINE), _values(now, MACHINE))
    found = {}
    for name in LOAD_METRICS:
        before, after = _values(base, name), _values(now, name)
        if before:
            judged = _judged(name, before, after)
            found[name] = judged if name in EXACT else _beside(machine, name, base, after, judged)
    return found


def needs_more(base: Sequence[Load], now: Sequence[Load]) -> bool:
    """Return whether a time seems to have changed, or may have: more loads are needed before that is claimed."""
    times = {name: one for name, one in compare(base, now).items() if name not in EXACT and one.p is not None}
    return any(one.verdict != "no_change" for one in times.values() if one.reason != FEW)


def summarized(values: Values, name: str) -> Spread:
    """Return the median and the range of a metric's values."""
    digits = DIGITS.get(name, 1)
    middle, least, most = statistics.median(values), min(values), max(values)
    return Spread(rounded(middle, digits), rounded(least, digits), rounded(most, digits), len(values))


def medians(loads: Sequence[Load]) -> dict[str, Number]:
    """Return the median of each metric of some loads."""
    return {name: summarized(values, name).median for name in LOAD_METRICS if (values := _values(loads, name))}


def _machine(before: Values, after: Values) -> Machine:
    """Return by how much the machine may have changed between two groups of loads; not at all where that is unknown."""
    if min(len(before), len(after)) < LEAST_LOADS or min(*before, *after) <= 0:
        return Machine()
    found = rank_statistics.shift(_logarithms(before), _logarithms(after))
    return Machine(math.exp(found.low), math.exp(found.high))


def _logarithms(values: Values) -> list[float]:
    return [math.log(value) for value in values]


def _beside(machine: Machine, name: str, base: Sequence[Load], after: Values, found: MetricCompared) -> MetricCompared:
    """Return what of the verdict on a time the machine does not explain."""

    def verdict(times: float, power: float) -> Verdict:
        slowed = [_slowed(name, load, times**power) for load in base if name in load]
        return _judged(name, slowed, after).verdict

    least, most = FOLLOWS
    match found.verdict:
        case "regression_detected" if machine.high > 1 and verdict(machine.high, most) != found.verdict:
            reason = f"the machine itself may have been slower: {machine.in_words()}"
            return msgspec.structs.replace(found, verdict="inconclusive", reason=reason)
        case "no_change" if machine.high < 1 and verdict(machine.high, least) == "regression_detected":
            reason = f"the machine was faster, which may hide what is slower: {machine.in_words()}"
            return msgspec.structs.replace(found, verdict="inconclusive", reason=reason)
        case "improved" if machine.low < 1 and verdict(machine.low, most) != found.verdict:
            return msgspec.structs.replace(found, verdict="no_change")
    return found


def _slowed(name: str, load: Load, factor: float) -> float:
    """Return a time of a load as it is where all takes so many times as long.

    Blocking time grows by more: what was too short to block does so. It is at most the whole load's.
    """
    more = load.get("load_ms", 0) * (factor - 1) if name == "tbt_ms" else 0
    return max(0, load[name] * factor + more)


def _values(loads: Sequence[Load], name: str) -> list[Number]:
    return [load[name] for load in loads if name in load]


def _judged(name: str, before: Values, after: Values) -> MetricCompared:
    reason = _missing(before, after)
    current = summarized(after, name) if after else None
    shown = MetricCompared(
        verdict="inconclusive" if reason else "no_change",
        reason=reason,
        baseline=summarized(before, name),
        current=current,
    )
    if not after:
        return shown
    return _exact(name, before, after, shown) if name in EXACT else _timed(before, after, shown)


def _missing(before: Values, after: Values) -> str:
    if not after:
        return "not measured now: the tab was hidden, or nothing was painted"
    return FEW if min(len(before), len(after)) < LEAST_LOADS else ""


def _exact(name: str, before: Values, after: Values, shown: MetricCompared) -> MetricCompared:
    was, now, bound = statistics.median(before), statistics.median(after), EXACT[name]
    grown = _is_beyond(was, now, bound) and now > max(before)
    shrunk = _is_beyond(now, was, bound) and now < min(before)
    verdict = shown.verdict if shown.reason else _direction(grown=grown, shrunk=shrunk)
    return msgspec.structs.replace(shown, verdict=verdict, delta=rounded(now - was, DIGITS[name]))


def _is_beyond(less: float, more: float, bound: Bound) -> bool:
    by = round(more - less, 6)  # 0.06 - 0.01 is less than 0.05
    return by > bound.share * less and by > bound.over if bound.share else by >= bound.over


def _timed(before: Values, after: Values, shown: MetricCompared) -> MetricCompared:
    found = rank_statistics.shift(before, after)
    p = _probability(before, after, slower=found.estimate > 0)
    verdict, reason = (shown.verdict, shown.reason) if shown.reason else _decided(before, after, found.estimate, p)
    return msgspec.structs.replace(
        shown,
        verdict=verdict,
        reason=reason,
        delta=rounded(found.estimate, 1),
        interval=(rounded(found.low, 1), rounded(found.high, 1)),
        floor=rounded(_floor(before, after), 1),
        p=rounded(p, 4),
    )


def _decided(before: Values, after: Values, estimate: float, p: float) -> tuple[Verdict, str]:
    """Return the verdict on a time, and why it is inconclusive."""
    if abs(estimate) < _least(before, after):
        return "no_change", ""
    changed = _direction(grown=estimate > 0, shrunk=estimate < 0)
    faster, slower = (before, after) if estimate > 0 else (after, before)
    if p <= rank_statistics.ALPHA and _is_apart(faster, slower):
        return changed, ""
    if doubt := _doubt(before, after, estimate, p):
        return ("inconclusive", doubt) if estimate > 0 else ("no_change", "")
    is_noise = abs(estimate) < _floor(before, after) or _is_inside(before, after) or p > UNCLEAR
    return "no_change" if is_noise else changed, ""


def _is_inside(before: Values, after: Values) -> bool:
    return min(before) <= statistics.median(after) <= max(before)


def _without_slowest(values: Values) -> Values:
    """Leave out what one load of a busy machine may hide: the slowest of them."""
    return sorted(values)[:-1]


def _is_apart(faster: Values, slower: Values) -> bool:
    """Return whether even the fast half of the slower loads is apart from the slow half of the others.

    It is if more lies between them than what matters, and than two sigmas of the others. Then it does not count that
    the slower ones vary much.
    """
    late, early = sorted(faster)[-(len(faster) // 2) :], sorted(slower)[: len(slower) // 2]
    between = statistics.median(early) - statistics.median(late)
    return between >= max(_least(faster, slower), SIGMAS * rank_statistics.sigma(faster))


def _doubt(before: Values, after: Values, estimate: float, p: float) -> str:
    """Return why a time that seems to have changed is no evidence of that, empty if it is one."""
    if abs(estimate) < _floor(before, after):
        is_noisy = _noise(before, after) > NOISY_SHARE * statistics.median(before)
        is_hidden = p <= rank_statistics.ALPHA and not _is_inside(before, after)
        return "loads differ too much from each other" if is_noisy or is_hidden else ""
    if _is_inside(before, after):
        return (
            "" if _is_inside(_without_slowest(before), after) else "it is slower than all loads of the baseline but one"
        )
    if rank_statistics.ALPHA < p <= UNCLEAR:
        return "too few loads agree: it may be chance"
    if any(len(one) >= LAG_LOADS and rank_statistics.lag_correlation(one) > LAG for one in (before, after)):
        return "each load is like the one before it: something else changed meanwhile"
    return ""


def _probability(before: Values, after: Values, *, slower: bool) -> float:
    probability = rank_statistics.probability_greater
    return probability(before, after) if slower else probability(after, before)


def _noise(before: Values, after: Values) -> float:
    return SIGMAS * max(rank_statistics.sigma(before), rank_statistics.sigma(after))


def _floor(before: Values, after: Values) -> float:
    least, noise = _least(before, after), _noise(before, after)
    return max(least, noise) if noise > WIDE_MS else least


def _least(before: Values, after: Values) -> float:
    return max(LEAST_MS, LEAST_SHARE * min(statistics.median(before), statistics.median(after)))


def _direction(*, grown: bool, shrunk: bool) -> Verdict:
    return "regression_detected" if grown else "improved" if shrunk else "no_change"
