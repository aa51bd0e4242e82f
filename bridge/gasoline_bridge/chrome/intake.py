"""Sends captured events to the journal, in order, by way of redaction; knows neither HTTP nor what an event means.

Rules of this file:
- One ask at a time is under way, so the journal's order is the order in which the events came. What programs post waits
  behind the extension's events, because results wait for those.
- Under load an ask takes all that waits, up to GROUP_BYTES: one commit for many chunks, and no long hold of redaction.
- Nothing is given up because a process is away: it is tried again. A chunk is given up when it alone is refused, or
  kills the process that works on it, ATTEMPTS times.
- A chunk keeps its id however often it is sent: the journal stores it once, and it is held here once.
- While the journal fails, no result waits for it, and what is more than HELD_BYTES_MAX is forgotten, the oldest first:
  the extension keeps half as much, and has given that up already.
- After a clear nothing is stored that came before it, however slow the journal is: what waits is forgotten; what is
  under way is waited for, and not tried again if it fails.
- What is no event, or nested deeper than one, is counted and left out; the rest of its chunk is stored. So it is with
  an event of a kind that the journal does not know, as a newer extension may send: the journal leaves it out.
"""

import asyncio
import contextlib
import itertools
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any

import msgspec

from gasoline_bridge.chrome.frames import decoded
from gasoline_bridge.chrome.link import Chunk
from gasoline_bridge.chrome.narrow_ints import narrow
from gasoline_bridge.chrome.nesting import is_deeper
from gasoline_bridge.chrome.rare_log import RareLog
from gasoline_broker.actor.wire import pack
from gasoline_broker.errors import Failed, Failure
from gasoline_workers.journal.messages import ChunkBody, ChunkHead, StoreEvents

GROUP_BYTES = 256 << 10  # a quarter of a second of 10,000 events a second; redaction takes about 0.1 s for it
HELD_BYTES_MAX = 8 << 20  # twice what the extension keeps
LEVELS_MAX = 50  # of an event: redaction hides what is nested deeper than 64, and Python's own limit is some 400
ATTEMPTS = 2  # the broker itself has given each of them to three processes
RETRY_S = (0.05, 0.2, 0.5, 1.0)
UNCLEAN = "redaction_unavailable"
AWAY = {"worker_unavailable", UNCLEAN, "overloaded", "store_failed", "outcome_unknown"}
LASTING = {"audit", "state"}  # events that a clear leaves: what assistants did, and what the human has set
FAILING_S = 0.3  # how long a result waits for a journal, or its disk, that is known to fail
SLOW = Failure("deadline_exceeded", "The journal did not store it in time.")


Store = Callable[[StoreEvents, bytes], Awaitable[int]]
"""Has chunks redacted and stored, and gives the journal's end; raises Failed when that did not happen."""


class Held(msgspec.Struct):
    """A chunk on its way to the journal: its head, its packed body, and the future of its caller."""

    head: ChunkHead
    body: msgspec.Raw
    done: "asyncio.Future[bool]"
    is_lasting: bool
    attempts: int = 0
    is_forgotten: bool = False


class Intake:
    """The one way of events to the journal."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._log = RareLog()
        self._captured: deque[Held] = deque()
        self._posted: deque[Held] = deque()
        self._under_way: Sequence[Held] = ()
        self._last: asyncio.Future[bool] | None = None
        self._captured_bytes = 0
        self._known: dict[str, Held] = {}  # those of the extension, by their id
        self._changed = asyncio.Event()
        self._failing = asyncio.Event()  # the journal cannot store, or redaction is away
        self._fault: Failure | None = None
        self._failing_since = 0.0
        self.refused = 0
        self.malformed = 0
        self.seq = 0  # the journal's end, as far as it is known

    def take(self, chunk: Chunk) -> "asyncio.Future[bool]":
        """Take a chunk of the extension's; the future ends when it is stored (True) or given up."""
        if chunk.id in self._known:
            return self._known[chunk.id].done
        self._last = self._hold(self._captured, chunk)
        self._known[chunk.id] = held = self._captured[-1]
        self._captured_bytes += len(bytes(held.body))
        if self._failing.is_set():
            self._forget_oldest()
        return self._last

    def note(self, chunk: Chunk) -> None:
        """Take a chunk of our own; no caller waits for it."""
        self._noted = self.take(chunk)

    def take_posted(self, chunk: Chunk) -> "asyncio.Future[bool]":
        """Take a chunk that a program has posted; the future ends as that of `take`."""
        return self._hold(self._posted, chunk)

    def settled(self, bound_s: float) -> Coroutine[None, None, Failure | None]:
        """Wait until all that the extension has sent by now is stored, `bound_s` seconds at most; else return why not.

        What comes between this call and its wait is not waited for. A journal that is known to fail is waited for
        FAILING_S from then on. Without redaction nothing is stored, nor answered: then its failure is returned at once.
        """
        return self._stored(self._last, bound_s)

    async def forget(self, bound_s: float) -> None:
        """Forget what is held by now, posted or captured, and wait `bound_s` at most for what is under way already.

        What is forgotten counts as stored: a clear follows.
        """
        for one in (*self._captured, *self._posted):
            one.is_forgotten = not one.is_lasting
        self._end_forgotten()
        held = [waiting[-1].done for waiting in (self._captured, self._posted) if waiting]
        await asyncio.gather(*(self._stored(last, bound_s) for last in held))

    async def _stored(self, last: "asyncio.Future[bool] | None", bound_s: float) -> Failure | None:
        if last is None or last.done():
            return None
        failing = asyncio.ensure_future(self._failing.wait())
        until = time.monotonic() + bound_s
        try:
            await asyncio.wait((last, failing), timeout=bound_s, return_when=asyncio.FIRST_COMPLETED)
        finally:
            failing.cancel()
        if not last.done() and self._fault is not None and self._fault.code != UNCLEAN:
            left_s = min(until, self._failing_since + FAILING_S) - time.monotonic()
            await asyncio.wait((last,), timeout=max(0.0, left_s))
        return None if last.done() else self._fault or SLOW

    async def room(self) -> None:
        """Wait while more of the extension's is held than it would keep itself."""
        while self._captured_bytes > HELD_BYTES_MAX:
            await asyncio.wait([self._captured[0].done])

    async def run(self) -> None:
        """Send what waits, for ever."""
        while True:
            while not (waiting := self._captured or self._posted):
                self._recover()
                self._changed.clear()
                await self._changed.wait()
            await self._send(_group(waiting), waiting)

    def _hold(self, waiting: deque[Held], chunk: Chunk) -> "asyncio.Future[bool]":
        events = [event for event in chunk.events if _is_event(event)]
        if malformed := len(chunk.events) - len(events):
            self.malformed += malformed
            self._log.warning("events_malformed", count=malformed, total=self.malformed)
        body = msgspec.Raw(_packed(chunk.page, [decoded(event) for event in events]))
        is_lasting = any(event["type"] in LASTING for event in events)
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        waiting.append(Held(ChunkHead(chunk.id, chunk.tab, chunk.frame, chunk.load), body, done, is_lasting))
        self._changed.set()
        return done

    async def _send(self, group: Sequence[Held], waiting: deque[Held]) -> None:
        message = StoreEvents(tuple(held.head for held in group))
        body = pack([held.body for held in group])
        for delay_s in itertools.chain(RETRY_S, itertools.repeat(RETRY_S[-1])):
            self._under_way = group
            try:
                self.seq = await self._store(message, body)
            except Failed as fault:
                failure = fault.failure
                self._under_way = ()
            else:
                self._recover()
                self._finish(group, waiting, stored=True)
                return
            self._log.warning("events_not_stored", code=failure.code, chunks=len(group))
            if _is_refused(failure):
                break
            self._fail(failure)
            await asyncio.sleep(delay_s)
            self._end_forgotten()
            if not waiting or waiting[0] is not group[0] or any(held.is_forgotten for held in group):
                return
        for held in group:
            held.attempts += 1
        if len(group) == 1 and group[0].attempts >= ATTEMPTS:
            self.refused += 1
            self._log.warning("chunk_dropped", total=self.refused)
            self._finish(group, waiting, stored=False)

    def _fail(self, failure: Failure) -> None:
        """Note why nothing is stored just now; too much work is no fault."""
        if failure.code == "overloaded":
            return
        if self._fault is None:
            self._failing_since = time.monotonic()
        self._fault = failure
        self._failing.set()
        self._forget_oldest()

    def _recover(self) -> None:
        self._fault = None
        self._failing.clear()

    def _forget_oldest(self) -> None:
        while self._captured_bytes > HELD_BYTES_MAX:
            self.refused += 1
            self._log.warning("chunk_dropped", total=self.refused)
            self._finish([self._captured[0]], self._captured, stored=False)

    def _finish(self, group: Sequence[Held], waiting: deque[Held], *, stored: bool) -> None:
        for held in group:
            if not waiting or waiting[0] is not held:  # it was forgotten while it was under way
                continue
            waiting.popleft()
            self._end(held, waiting, stored=stored)

    def _end_forgotten(self) -> None:
        """End the chunks that are forgotten, but for those that are under way."""
        under_way = {id(held) for held in self._under_way}
        for waiting in (self._captured, self._posted):
            held = [*waiting]
            waiting.clear()
            for one in held:
                if one.is_forgotten and id(one) not in under_way:
                    self._end(one, waiting, stored=True)
                else:
                    waiting.append(one)

    def _end(self, held: Held, waiting: deque[Held], *, stored: bool) -> None:
        if waiting is self._captured:
            self._captured_bytes -= len(bytes(held.body))
            del self._known[held.head.id]
        with contextlib.suppress(asyncio.InvalidStateError):  # the client that posted it has gone
            held.done.set_result(stored)


def _is_event(event: object) -> bool:
    return isinstance(event, dict) and isinstance(event.get("type"), str) and not is_deeper(event, LEVELS_MAX)


def _group(waiting: deque[Held]) -> list[Held]:
    """Give the chunks that go next, as many as make an ask; one that was refused before goes alone."""
    group: list[Held] = []
    size = 0
    for held in waiting:
        size += len(bytes(held.body))
        if group and (size > GROUP_BYTES or held.attempts or group[0].attempts):
            break
        group.append(held)
    return group


def _is_refused(failure: Failure) -> bool:
    """Whether the chunk itself is the cause, and not a process that is away."""
    return failure.code not in AWAY or "died" in failure.details


def _packed(page: str, events: list[dict[str, Any]]) -> bytes:
    try:
        return pack(ChunkBody(page, events))
    except OverflowError:  # a page may write 1e20 as an integer; MessagePack has none beyond 64 bits
        return pack(ChunkBody(page, narrow(events)))
