"""Histograms of durations: a few kilobytes each, less than a microsecond an entry."""

from math import log2

from gasoline_broker.messages import Spread

STEPS = 8  # buckets to an octave: a quantile is at most 4.4 % off (2 ** (1 / 16))
OCTAVES = 32  # from a microsecond to more than an hour
LONGEST_S = 2.0**OCTAVES / 1e6 - 1
WINDOW_S = 60.0  # quantiles are of this window and the one before
LATELY = 0.1  # weight of the newest value in `lately_s`
OUTLIER, OUTLIER_S = 3, 0.05  # it counts there as at most this many times the mean, or this long: a stall is no trend


class Times:
    """The durations of one kind of work."""

    __slots__ = ("_before", "_now", "_since", "count", "lately_s", "sum_s")

    def __init__(self) -> None:
        self.count = 0
        self.sum_s = 0.0
        self.lately_s = 0.0  # exponentially weighted mean
        self._since = 0.0
        self._now = [0] * (STEPS * OCTAVES)
        self._before = [0] * (STEPS * OCTAVES)

    def add(self, took_s: float) -> None:
        """Add one duration."""
        usual_s = took_s
        if self.count and took_s > OUTLIER_S:
            usual_s = min(took_s, max(OUTLIER * self.lately_s, OUTLIER_S))
        self.lately_s += (usual_s - self.lately_s) * (LATELY if self.count else 1)
        self.sum_s += took_s
        self.count += 1
        self._now[_bucket(took_s) if took_s else 0] += 1

    def turn(self, now: float) -> None:
        """Begin a new window if the current one is over; `now` is monotonic, in s. Call it several times a window."""
        if now - self._since > WINDOW_S:
            stale = now - self._since > 2 * WINDOW_S
            self._before = [0] * len(self._now) if stale else self._now
            self._now = [0] * len(self._now)
            self._since = now if stale else self._since + WINDOW_S

    def spread(self) -> Spread:
        """Return the quantiles of the last windows, and count and sum since the start."""
        lately = [before + here for before, here in zip(self._before, self._now, strict=True)]
        quantiles = (_quantile_ms(lately, share) for share in (0.50, 0.95, 0.99))
        return Spread(self.count, round(self.sum_s, 6), *quantiles)


def _bucket(took_s: float) -> int:
    return int(STEPS * log2(took_s * 1e6 + 1)) if took_s < LONGEST_S else STEPS * OCTAVES - 1


def _quantile_ms(buckets: list[int], share: float) -> float:
    """Return the geometric middle of the bucket in which that share of all values is reached."""
    wanted, seen = share * sum(buckets), 0
    for index, count in enumerate(buckets):
        seen += count
        if count and seen >= wanted:
            return round((2 ** ((index + 0.5) / STEPS) - 1) / 1000, 3)
    return 0.0
