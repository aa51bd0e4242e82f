"""Reports how far a long call is, to a client that asked for it; each value is greater than the last."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

BEAT_S: Final = 1.0
"""The time between two reports: a call that ends sooner has none."""

Report = Callable[[float, float | None, str], Awaitable[None]]
"""Sends the progress, the total if it is known, and a message."""


class Progress:
    """How far one call is: of a batch its steps, of any other call the seconds that it has taken."""

    def __init__(self, call: str, now: Callable[[], float] = time.monotonic) -> None:
        self._call = call
        self._now = now
        self._begun = now()
        self._step = self._steps = 0
        self._stage: Callable[[], str] = str

    def begin_step(self, number: int, steps: int, action: str) -> None:
        """Note that a step has begun, counted from 0."""
        self._call = f"{action}, step {number + 1} of {steps}"
        self._begun = self._now()
        self._step, self._steps = number, steps

    def watch(self, stage: Callable[[], str]) -> None:
        """Report what is done for the call, as far as that states its stage."""
        self._stage = stage

    def read(self) -> tuple[float, float | None, str]:
        """Give the progress, the total and a message; a step under way counts for a part that grows with its time."""
        age_s = self._now() - self._begun
        if not self._steps:
            return age_s, None, f"{self._stage() or self._call}, {age_s:.0f} s"
        return self._step + 1 - 1 / (1 + age_s), self._steps, self._call

    @asynccontextmanager
    async def reported(self, report: Report) -> AsyncIterator[None]:
        """Report every second while the block runs."""
        task = asyncio.create_task(self._beat(report))
        try:
            yield
        finally:
            task.cancel()

    async def _beat(self, report: Report) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            await report(*self.read())
