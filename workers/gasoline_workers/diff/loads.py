"""Compares two page loads in numbers, as seed 001 does (computePerfDiff).

Rules of this file:
- In all of these metrics lower is better.
- What a metric shows is rounded: ms to whole ones, KB to a tenth, CLS to 1/10,000, a percentage to whole ones, halves
  up as in JavaScript. `delta`, `pct` and `improved` are made of the exact values.
- A metric that is unknown on either side is left out.
- Before 0 there is no percentage, and `pct` is "+0%" (the seed's own code); `delta` has the change.
"""

import statistics
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from msgspec import UNSET

from gasoline_workers.diff import faults, reading, resources, summary
from gasoline_workers.diff.addresses import shown, without_fragment
from gasoline_workers.diff.messages import (
    Load,
    LoadsCompared,
    LoadsMeasured,
    MetricDiff,
    Number,
    PerfDiff,
)
from gasoline_workers.diff.reading import items, number, rounded, struct
from gasoline_workers.diff.sentences import cut

REASON = 200  # characters
FIRST = "This is the first load of this address."
SPREAD = 3  # loads from which on they show how much a page varies


class Metric(NamedTuple):
    """A metric of a load: where it stands, and to how many digits it is shown."""

    read: Callable[[Load], Number | None]
    digits: int = 0


def _timing(name: str, load: Load) -> Number | None:
    return number(load.timing.get(name)) if isinstance(load.timing, dict) else None


def _transfer_kb(load: Load) -> Number | None:
    size = number(load.transfer_size)
    return None if size is None else size / 1024


METRICS: dict[str, Metric] = {
    "lcp": Metric(partial(_timing, "lcp")),
    "fcp": Metric(partial(_timing, "fcp")),
    "cls": Metric(lambda load: number(load.cls), 4),
    "ttfb": Metric(partial(_timing, "ttfb")),
    "load": Metric(partial(_timing, "load")),
    "transfer_kb": Metric(_transfer_kb, 1),
    "requests": Metric(lambda load: number(load.request_count)),
}
"""In the order of seed 001."""


def compare(measured: object) -> LoadsCompared:
    """Return the difference of two loads, LoadsMeasured, or why there is none."""
    loads = struct(measured, LoadsMeasured)
    compared = partial(LoadsCompared, **faults.found(loads.effects, reading.text(loads.url))._asdict())
    if reason := reading.text(loads.unavailable):
        return compared(perf_diff_unavailable=cut(reason, REASON))
    if not isinstance(loads.load, dict):
        return compared(perf_diff_unavailable="This load was not measured.")
    if loads.before is None:
        return compared(perf_diff=None, perf_diff_unavailable=FIRST)
    if not isinstance(loads.before, dict):
        return compared(perf_diff_unavailable="The load before was not measured.")
    recent = items(loads.recent, Load)
    return compared(perf_diff=difference(struct(loads.before, Load), struct(loads.load, Load), recent))


def difference(before: Load, after: Load, recent: Sequence[Load] = ()) -> PerfDiff:
    """Return the difference of two loads; `recent`: earlier ones, by which noise is told from change."""
    page = reading.text(after.url)
    found = metrics(before, after, recent)
    paired = resources.paired(before.resources, after.resources)
    changes = resources.changes(paired)
    hidden, few = _is_one_hidden(before, after), len(recent) + 1 < SPREAD
    return PerfDiff(
        found,
        resources.rows(changes, page),
        summary.summary(found, changes, resources.no_longer_sent(paired), hidden=hidden, few=few),
        None if METRICS["lcp"].read(after) is None else UNSET,
        _against(before, page),
    )


def _against(before: Load, page: str) -> str:
    """Name the load before, as far as that adds to the page's own address."""
    other, age_s = reading.text(before.url), number(before.age_s)
    if age_s is None:
        return "" if without_fragment(other) == without_fragment(page) else shown(other, page)
    return f"{shown(other, page)}, {rounded(age_s)} s before"


def metrics(before: Load, after: Load, recent: Sequence[Load] = ()) -> dict[str, MetricDiff]:
    """Compare each metric that both loads have."""
    found: dict[str, MetricDiff] = {}
    for name, kind in METRICS.items():
        old, new = kind.read(before), kind.read(after)
        if old is not None and new is not None:
            others = [value for load in recent if (value := kind.read(load)) is not None]
            found[name] = metric(old, new, kind.digits, noise=_is_noise(name, [*others, old], new))
    return found


def is_within(earlier: Sequence[Number], now: Number) -> bool:
    """Return whether a value lies within the spread of earlier ones; two of them tell nothing of a spread."""
    return len(earlier) >= SPREAD and min(earlier) <= now <= max(earlier)


def _is_noise(name: str, earlier: Sequence[Number], now: Number) -> bool:
    """Return whether a page without a change has such a value: near the median of the recent loads, or among them.

    Measured (63 loads of each page): 3.4 % false alarms a metric against five loads, and +100 ms found in 95 of 100.
    """
    is_near = not summary.is_time_changed(statistics.median(earlier), now)
    return (len(earlier) > 1 and summary.KINDS[name].is_time and is_near) or is_within(earlier, now)


def metric(before: Number, after: Number, digits: int = 0, *, noise: bool = False) -> MetricDiff:
    """Compare one metric (seed 001, computePerfDiff)."""
    delta = after - before
    pct = rounded(delta / before * 100) if before else 0
    return MetricDiff(
        rounded(before, digits),
        rounded(after, digits),
        rounded(delta, digits),
        f"{pct:+d}%",
        improved=delta < 0,
        within_noise=noise and bool(delta),
    )


def _is_one_hidden(before: Load, after: Load) -> bool:
    """Return whether only one of them was painted: a hidden tab's timers and frames are not those of a visible one."""
    return (before.hidden is True) != (after.hidden is True)
