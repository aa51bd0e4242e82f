"""Repeats a flow of steps and has the page's memory measured after each time; it does not judge the measures.

Rules of this file:
- Every step is checked before the first one is done, as those of a batch.
- A step that fails ends the hunt: what is measured after half a flow proves nothing.
- When its time is over, what was measured is judged, if it is enough.
- What an act has set up in the page stays for a moment after its reply: it is gone when the page is measured.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import msgspec

from gasoline_bridge.front import tools
from gasoline_bridge.front.analyses import HUNT_S
from gasoline_bridge.front.batches import LEAST_S, Do
from gasoline_broker.errors import Failed, Failure, fail
from gasoline_workers.audit.messages import ITERATIONS_MIN

WARM_UP = 8
"""Iterations before the first measure: V8 compiles for as many (measured: then its heap grows by 1 kB each)."""

ACT_OVER_S = 0.6
"""From an act's reply until nothing of it is left in the page (measured: up to four listeners and 20 kB before)."""

Measure = Callable[[], Awaitable[Any]]
"""Measures the memory of the page that the steps act on."""


class Clock(NamedTuple):
    """Tells the time, in seconds, and waits."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


class Hunt(NamedTuple):
    """What was measured after each iteration of so many acts; `timed_out`: there were to be more of them.

    `iteration_ms`: how long one takes, the measure included, and not the wait before it.
    """

    samples: list[Any]
    acts: int
    timed_out: bool
    iteration_ms: float

    def evidence(self) -> dict[str, Any]:
        """Give it as the extension's answers are: the page of the last measure, and each snapshot."""
        answers = [one for one in self.samples if isinstance(one, dict)]
        snapshots = [one.get("evidence", {}).get("memory", {}).get("current") for one in answers]
        page = answers[-1].get("page", {}) if answers else {}
        warnings = ["timeout"] if self.timed_out else []
        leak = {"samples": snapshots, "acts": self.acts, "iteration_ms": self.iteration_ms}
        return {"page": page, "evidence": {"leak": leak}, "warnings": warnings}


CLOCK = Clock()


async def run(steps: list[tools.Interact], iterations: int, do: Do, measure: Measure, clock: Clock = CLOCK) -> Hunt:
    """Do the steps again and again, and give what was measured after each time.

    Raises:
        Failed: a step failed, as it did; `analysis_timeout`: there was time for too few iterations.

    """
    until = clock.now() + HUNT_S
    samples: list[Any] = []
    warm_at = clock.now()
    waited_s = 0.0

    def measured(*, timed_out: bool) -> Hunt:
        took_s = clock.now() - warm_at - waited_s
        return Hunt(samples, len(steps), timed_out, 1_000 * took_s / max(1, len(samples)))

    for iteration in range(-WARM_UP, iterations):
        warm_at = clock.now() if iteration == 0 else warm_at
        for number, step in enumerate(steps):
            left_s = until - clock.now()
            if left_s < LEAST_S:
                _require_enough(samples)
                return measured(timed_out=True)
            try:
                await do(step, left_s)
            except Failed as fault:
                raise Failed(_placed(fault.failure, iteration + WARM_UP, number)) from None
        if iteration >= 0:
            over_at = clock.now()
            await clock.sleep(ACT_OVER_S)
            waited_s += clock.now() - over_at
            samples.append(await measure())
    return measured(timed_out=False)


def _require_enough(samples: list[Any]) -> None:
    if len(samples) < ITERATIONS_MIN:
        text = f"The steps were done {len(samples)} times in {HUNT_S} s; {ITERATIONS_MIN} are needed."
        fail("analysis_timeout", text, "Give fewer or quicker steps.", iterations=len(samples))


def _placed(failure: Failure, iteration: int, number: int) -> Failure:
    details = failure.details | {"iteration": iteration + 1, "failed_at": number}
    return msgspec.structs.replace(failure, details=details)
