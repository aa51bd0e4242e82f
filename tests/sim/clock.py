"""Virtual time: what is to happen, in its order. It never waits."""

import heapq
import itertools
from collections.abc import Callable


class Clock:
    """Runs what is due, one after the other; `now` is in s."""

    def __init__(self) -> None:
        self.now = 0.0
        self._heap: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()

    def at(self, when: float, do: Callable[[], None]) -> None:
        heapq.heappush(self._heap, (max(when, self.now), next(self._order), do))

    def after(self, seconds: float, do: Callable[[], None]) -> None:
        self.at(self.now + seconds, do)

    def run(self, until: float) -> None:
        while self._heap and self._heap[0][0] <= until:
            self.now, _, do = heapq.heappop(self._heap)
            do()
        self.now = until


class Wristwatch:
    """The monotonic clock of one process: like the others', but for what it was made to jump by."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._ahead_s = 1_000.0

    def now(self) -> float:
        return self._clock.now + self._ahead_s

    def jump(self, seconds: float) -> None:
        self._ahead_s += seconds

    def virtual(self, own: float) -> float:
        """Return the virtual time at which this clock will show `own`."""
        return own - self._ahead_s
