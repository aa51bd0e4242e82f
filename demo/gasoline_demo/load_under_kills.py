"""Calls from four sides while a worker is killed every second, and counts the answers."""

import asyncio
import itertools
import os
import signal
import statistics
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple

LASTS_S = 6.0
EVERY_S = 1.0  # between two kills
CALLERS = 4
PAUSE_S = 0.05  # between two calls of one side: without it the load takes both processors, and shows no more


class Load(NamedTuple):
    """The outcome: how many calls were right and wrong, how long each took, how many processes were killed."""

    right: int
    wrong: int
    took_ms: list[float]
    killed: int

    def __str__(self) -> str:
        """Write it as one line."""
        p99_ms = statistics.quantiles(self.took_ms, n=100)[98]
        times = f"p50 {statistics.median(self.took_ms):.0f} ms, p99 {p99_ms:.0f} ms, longest {max(self.took_ms):.0f} ms"
        return f"{self.killed} processes killed, {self.right + self.wrong} calls, {self.wrong} wrong; {times}"


async def load_under_kills(call: Callable[[], Awaitable[bool]], victims: Callable[[], Awaitable[list[int]]]) -> Load:
    """Call from several sides at once, for 6 s, and kill one of the victims, in turn, each second."""
    until = time.monotonic() + LASTS_S
    took_ms: list[float] = []
    rights: list[bool] = []

    async def keep_calling() -> None:
        while time.monotonic() < until:
            begun = time.perf_counter()
            rights.append(await call())
            took_ms.append((time.perf_counter() - begun) * 1000)
            await asyncio.sleep(PAUSE_S)

    async with asyncio.TaskGroup() as group:
        for _ in range(CALLERS):
            group.create_task(keep_calling())
        killed = await _kill(victims, until)
    return Load(sum(rights), len(rights) - sum(rights), took_ms, killed)


async def _kill(victims: Callable[[], Awaitable[list[int]]], until: float) -> int:
    for count in itertools.count():
        await asyncio.sleep(EVERY_S)
        if time.monotonic() >= until:
            return count
        pids = await victims()
        os.kill(pids[count % len(pids)], signal.SIGKILL)
    raise AssertionError("the count has no end")
