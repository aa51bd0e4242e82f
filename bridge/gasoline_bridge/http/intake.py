"""Hands captured events on to the journal, in order, by way of redaction; knows neither HTTP nor what an event means.

Rules of this file:
- One ask at a time is under way: so the journal's order is the order in which the events came.
- Under load an ask takes all that waits, up to GROUP_BYTES: one commit for many chunks, and no long hold of redaction.
- Nothing is given up because a process is away: it is tried again. What was refused ATTEMPTS times on its own is.
- A chunk keeps its id however often it is sent: the journal stores it once.
"""

import asyncio
import contextlib
import itertools
from collections import deque
from collections.abc import Awaitable, Callable, Sequence

import msgspec
import structlog

from gasoline_bridge.http.link import Chunk
from gasoline_broker.errors import Failed
from gasoline_broker.wire import pack
from gasoline_workers.journal.messages import ChunkBody, ChunkHead, StoreEvents

GROUP_BYTES = 256 << 10  # a quarter of a second of 10,000 events a second; redaction takes about 0.1 s for it
HELD_BYTES_MAX = 8 << 20  # twice what the extension keeps
ATTEMPTS = 3
RETRY_S = (0.05, 0.2, 0.5, 1.0)
AWAY = {"worker_unavailable", "redaction_unavailable", "overloaded", "store_failed", "outcome_unknown"}

logger = structlog.get_logger()

Store = Callable[[StoreEvents, bytes], Awaitable[None]]
"""Has chunks redacted and stored; raises Failed when that did not happen."""


class Held(msgspec.Struct):
    """A chunk on its way: what the journal is told of it and given, and who waits for it."""

    head: ChunkHead
    body: msgspec.Raw
    done: "asyncio.Future[bool]"
    attempts: int = 0


class Intake:
    """The one way of events to the journal."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: deque[Held] = deque()
        self._last: asyncio.Future[bool] | None = None
        self._bytes = 0
        self._changed = asyncio.Event()
        self.refused = 0

    def take(self, chunk: Chunk) -> "asyncio.Future[bool]":
        """Take a chunk, and promise to tell when it is stored (True), or was refused for good (False)."""
        body = msgspec.Raw(pack(ChunkBody(chunk.page, chunk.events)))
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        head = ChunkHead(chunk.id, chunk.tab, chunk.frame, chunk.load)
        self._waiting.append(Held(head, body, done))
        self._bytes += len(bytes(body))
        self._last = done
        self._changed.set()
        return done

    async def settled(self, bound_s: float) -> None:
        """Wait until all that was taken before is stored, `bound_s` seconds at most."""
        if self._last is not None and not self._last.done():
            await asyncio.wait([self._last], timeout=bound_s)

    async def room(self) -> None:
        """Wait while more is held than the extension itself would keep."""
        while self._bytes > HELD_BYTES_MAX and self._waiting:
            await asyncio.wait([self._waiting[0].done])

    async def run(self) -> None:
        """Hand on, for ever."""
        while True:
            while not self._waiting:
                self._changed.clear()
                await self._changed.wait()
            await self._hand_on(self._group())

    def _group(self) -> list[Held]:
        """Give the chunks that go next, as many as make an ask; one that was refused before goes alone."""
        group: list[Held] = []
        size = 0
        for held in self._waiting:
            size += len(bytes(held.body))
            if group and (size > GROUP_BYTES or held.attempts or group[0].attempts):
                break
            group.append(held)
        return group

    async def _hand_on(self, group: Sequence[Held]) -> None:
        told = StoreEvents(tuple(held.head for held in group))
        body = pack([held.body for held in group])
        delays = itertools.chain(RETRY_S, itertools.repeat(RETRY_S[-1]))
        for delay_s in delays:
            try:
                await self._store(told, body)
            except Failed as fault:
                code = fault.failure.code
            else:
                self._finish(group, stored=True)
                return
            logger.warning("events_not_stored", code=code, chunks=len(group))
            if code not in AWAY:
                break
            await asyncio.sleep(delay_s)
        for held in group:
            held.attempts += 1
        if len(group) == 1 and group[0].attempts >= ATTEMPTS:
            self.refused += 1
            self._finish(group, stored=False)

    def _finish(self, group: Sequence[Held], *, stored: bool) -> None:
        for held in group:
            self._waiting.popleft()
            self._bytes -= len(bytes(held.body))
            with contextlib.suppress(asyncio.InvalidStateError):  # whoever posted it has gone
                held.done.set_result(stored)
