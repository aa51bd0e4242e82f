"""Measures how fast this machine is at the moment: the time of a fixed piece of work; it judges nothing."""

import asyncio
import hashlib
import time
from typing import Final

ITERATIONS: Final = 20_000
"""7 ms of a processor of 2020: longer than a turn of the scheduler (3 ms by Linux's EEVDF), and short beside a load."""

THREADS: Final = 2
"""As many as a load keeps busy at a time: one alone finds a free processor where a load no longer does."""


async def work_ms() -> float:
    """Do the piece of work in each thread at the same time, and return how long it took them on average."""
    took = await asyncio.gather(*(asyncio.to_thread(_work_ms) for _ in range(THREADS)))
    return sum(took) / THREADS


def _work_ms() -> float:
    begun = time.perf_counter()
    hashlib.pbkdf2_hmac("sha256", b"a fixed piece", b"of work", ITERATIONS)  # outside of the interpreter's lock
    return (time.perf_counter() - begun) * 1_000
