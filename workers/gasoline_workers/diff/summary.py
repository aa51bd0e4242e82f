"""One text of under 200 characters on what changed between two loads (seed 001, generateSummary).

Rules of this file:
- The most impactful change of a metric comes first; then every other regression, flagged; then the resource that
  weighs most. If the first is a regression, the greatest improvement follows the regressions.
- A change within the noise of one load is not called one. Measured on unchanged pages (63 loads each): one load against
  one other is noise below 50 ms or below 20 % (4 % false alarms a metric); bytes and request counts do not vary.
- One load is no measure of a page's times, nor are two: against fewer than three, a greater time is "slower", without a
  warning and a percentage, and the text states why.
- Where the cache alone has changed what was sent, the text states that, and the transfer is not called better or worse.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from gasoline_workers.diff.addresses import file_name
from gasoline_workers.diff.messages import MetricDiff, Number
from gasoline_workers.diff.reading import kb
from gasoline_workers.diff.resources import KB, Change, Changes
from gasoline_workers.diff.sentences import line

NOTHING = "No significant change."
FEW_LOADS = "Few loads to compare with: may be noise."
ONE_HIDDEN = "One of the loads was in a hidden tab: times not compared."

SECOND_MS = 1_000
NOISE_MS, NOISE_SHARE = 50, 0.2
CLS_NOISE = 0.05
CLS_DOUBLED = 0.02
"""A CLS that at least doubles counts from here on: seed 001 flags 0.01 → 0.03."""

DOUBLINGS = 4.0  # more than 16 times as much is no greater news


def is_time_changed(before: Number, after: Number) -> bool:
    """Return whether a time is at least 50 ms and 20 % from another."""
    return abs(after - before) >= max(NOISE_MS, NOISE_SHARE * before)


def _is_cls_changed(before: Number, after: Number) -> bool:
    moved, (low, high) = round(abs(after - before), 4), sorted((before, after))
    return moved >= CLS_NOISE or (moved >= CLS_DOUBLED and high >= 2 * low)


def _time(ms: Number) -> str:
    return f"{ms / SECOND_MS:.1f}s" if ms >= SECOND_MS else f"{ms}ms"


def size(amount_kb: Number) -> str:
    """Write KB, from 1,024 on as MB; below 10 to a tenth."""
    if amount_kb >= KB:
        return f"{amount_kb / KB:.1f}MB"
    return f"{amount_kb}KB" if amount_kb < 10 else f"{amount_kb:.0f}KB"  # noqa: PLR2004 - of two digits


class Kind(NamedTuple):
    """A metric's name in the summary.

    `weight`: what a change of it counts among the others. LCP, CLS and FCP as Lighthouse 10 weighs them
    (https://developer.chrome.com/docs/lighthouse/performance/performance-scoring), what it does not score as FCP, and
    requests, which a user does not see, half of that.
    """

    name: str
    weight: int
    is_changed: Callable[[Number, Number], bool]
    write: Callable[[Number], str]
    is_time: bool = False


KINDS: dict[str, Kind] = {
    "lcp": Kind("LCP", 25, is_time_changed, _time, is_time=True),
    "fcp": Kind("FCP", 10, is_time_changed, _time, is_time=True),
    "cls": Kind("CLS", 25, _is_cls_changed, str),
    "ttfb": Kind("TTFB", 10, is_time_changed, _time, is_time=True),
    "load": Kind("Load", 10, is_time_changed, _time, is_time=True),
    "transfer_kb": Kind("Transfer", 10, lambda before, after: abs(after - before) >= 1, size),
    "requests": Kind("Requests", 5, lambda before, after: before != after, str),
}


def summary(
    metrics: Mapping[str, MetricDiff], changes: Changes, no_longer_sent: Number, *, hidden: bool, few: bool
) -> str:
    """Summarize the changes.

    `no_longer_sent`: bytes that the cache alone saved; `hidden`: one load was not painted; `few`: of the loads before.
    """
    unfit = {name for name, kind in KINDS.items() if hidden and kind.is_time}
    unfit |= {"transfer_kb"} if no_longer_sent else set()
    changed = {name: one for name, one in metrics.items() if name not in unfit and is_changed(name, one)}
    ranked = sorted(changed, key=lambda name: -impact(name, changed[name]))
    sentences = [sentence(name, changed[name], few=few) for name in _ordered(ranked, changed)]
    if few and any(KINDS[name].is_time and not one.improved for name, one in changed.items()):
        sentences.append(FEW_LOADS)
    notes = [*_of_resources(changes), *_of_the_cache(no_longer_sent)]
    return line([*(sentences + notes or [NOTHING]), *([ONE_HIDDEN] if hidden else [])])


def is_changed(name: str, metric: MetricDiff) -> bool:
    """Return whether a metric has changed by more than the noise."""
    return not metric.within_noise and KINDS[name].is_changed(metric.before, metric.after)


def impact(name: str, metric: MetricDiff) -> float:
    """Weigh a change: how many times it has doubled or halved."""
    low, high = sorted((metric.before, metric.after))
    doublings = min(DOUBLINGS, math.log2(high / low)) if low else DOUBLINGS
    return KINDS[name].weight * doublings


def _ordered(ranked: list[str], changed: Mapping[str, MetricDiff]) -> Iterator[str]:
    """Return the first, then the regressions, then the greatest improvement if that was not the first."""
    worse = [name for name in ranked if not changed[name].improved]
    better = [name for name in ranked if changed[name].improved]
    is_led_by_better = bool(better) and ranked[0] == better[0]
    return iter([*better[:1], *worse] if is_led_by_better else [*worse, *better[:1]])


def sentence(name: str, metric: MetricDiff, *, few: bool = False) -> str:
    """Describe a metric's change: `LCP improved 57% (2.8s → 1.2s).`, `Warning: CLS regressed 200% (0.01 → 0.03).`."""
    kind = KINDS[name]
    if few and kind.is_time and not metric.improved:
        return f"{kind.name} slower ({kind.write(metric.before)} → {kind.write(metric.after)})."
    share = metric.pct.strip("+-")
    verb = ("improved" if metric.improved else "regressed") + (f" {share}" if share != "0%" else "")
    text = f"{kind.name} {verb} ({kind.write(metric.before)} → {kind.write(metric.after)})."
    return text if metric.improved else f"Warning: {text}"


def _of_resources(changes: Changes) -> Iterator[str]:
    """Describe the one resource that weighs most; of equal ones, that which went before that which came."""
    found = [
        *((one, _went) for one in changes.removed[:1]),
        *((one, _came) for one in changes.added[:1]),
        *((one, _resized) for one in changes.resized[:1]),
    ]
    if found:
        change, say = max(found, key=lambda one: abs(one[0].delta))
        amount = kb(abs(change.delta))
        yield say(change, size(amount) if amount else "")  # 0KB is no news


def _went(change: Change, amount: str) -> str:
    name = file_name(change.url)
    return f"{amount} saved by removing {name}." if amount else f"{name} removed."


def _came(change: Change, amount: str) -> str:
    name, blocking = file_name(change.url), change.resource.render_blocking is True
    text = f"{amount} added by {name}" if amount else f"{name} added"
    return f"{text}, which blocks rendering." if blocking else f"{text}."


def _resized(change: Change, amount: str) -> str:
    return f"{amount} {'saved in' if change.delta < 0 else 'more in'} {file_name(change.url)}."


def _of_the_cache(no_longer_sent: Number) -> Iterator[str]:
    amount = size(kb(abs(no_longer_sent)))
    if no_longer_sent > 0:
        yield f"{amount} came from the cache this time."
    elif no_longer_sent < 0:
        yield f"{amount} came from the cache the time before."
