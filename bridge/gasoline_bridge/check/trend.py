"""Reads the history of a baseline metric by metric, for a plot and for a line of a table; pure."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from gasoline_bridge.report_page import LABELS
from gasoline_workers.regression.messages import HistoryEntry, Spread, Verdict

BARS = "▁▂▃▄▅▆▇█"


class Point(NamedTuple):
    """A metric at one time: its median and range. `number`: of the entry; `verdict`: of the compare, if it was one."""

    number: int
    entry: HistoryEntry
    median: float
    least: float
    most: float

    @property
    def name(self) -> str:
        """The time of the entry, to the minute."""
        return self.entry.at.replace("T", " ")[:16]


class Series(NamedTuple):
    """All values of one metric."""

    metric: str
    points: list[Point]

    @property
    def label(self) -> str:
        """What a person calls it."""
        return LABELS.get(self.metric, self.metric)

    def verdict(self, point: Point) -> Verdict | Literal["changed", "made"]:
        """Return what was judged of this metric then; how a page looks is neither better nor worse."""
        entry = point.entry
        if entry.kind != "compared":
            return "made"
        if self.metric == "seen_px":
            return "changed" if point.median else "no_change"
        return entry.verdicts.get(self.metric, "no_change")


def series(entries: Sequence[HistoryEntry]) -> list[Series]:
    """Return the metrics that were measured at least once, in the order of LABELS."""
    found = []
    for metric in LABELS:
        points = [
            Point(number, entry, spread.median, spread.min, spread.max)
            for number, entry in enumerate(entries)
            if (spread := _spread(entry, metric)) is not None
        ]
        if points:
            found.append(Series(metric, points))
    return found


def bars(points: Sequence[Point], most: int = 24) -> str:
    """Return the last values as a row of bars."""
    values = [point.median for point in points[-most:]]
    least, span = min(values), max(values) - min(values)
    return "".join(BARS[round((value - least) / span * (len(BARS) - 1)) if span else 0] for value in values)


def _spread(entry: HistoryEntry, metric: str) -> Spread | None:
    if metric in entry.metrics:
        return entry.metrics[metric]
    value = getattr(entry, metric, None)
    return None if value is None else Spread(value, value, value, 1)
