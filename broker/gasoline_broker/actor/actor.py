"""The base of every process but the broker: one mailbox, one loop, one place where faults are caught.

An actor names its `service`, the Structs it `accepts`, and how many asks it can hold at a time; it answers each in
`receive`. Everything else (registering, deadlines, draining, dying with the supervisor) is here.
"""

import asyncio
import contextlib
import os
import signal
import threading
import time
import traceback
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
import structlog

from gasoline_broker import log
from gasoline_broker.actor.client import Answer, Given, Link, register, sized
from gasoline_broker.actor.wire import MALFORMED, Kind, pack
from gasoline_broker.errors import Failed, Failure
from gasoline_broker.settings import Settings

DRAIN_S = 5.0  # how long a process that was told to stop works on what it holds
ORPHAN_S = 4.0  # how long it may take to stop once its supervisor is gone: no orphan after 5 s

logger = structlog.get_logger()

Message = TypeVar("Message")
Done = TypeVar("Done")


class Actor(Generic[Message]):
    """A process: what it serves, and what it does with a message."""

    service: ClassVar[str]
    accepts: ClassVar[Any] = None  # a tagged Struct or a union of them; None: it only asks
    capacity: ClassVar[int] = 1  # 1 for work that keeps the processor busy, more for work that waits
    computes: ClassVar[bool] = False  # its work keeps the processor busy: done in a thread, beside the link's

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.link: Link

    async def started(self) -> None:
        """Open what the actor needs, before it is given anything."""

    async def leaving(self) -> None:
        """Take nothing more from outside, and finish what came from there, while the others can still be asked."""

    async def stopping(self) -> None:
        """Close what `started` opened, after the last answer."""

    async def receive(self, message: Message, given: Given) -> msgspec.Struct | Answer:
        """Answer one message. Cancelled when nobody waits for the answer any more.

        Raises:
            Failed: the answer is a Failure.

        """
        raise NotImplementedError(f"{self.service} only asks")

    async def run(self) -> None:
        """Serve until told to stop."""
        told = asyncio.Event()
        _hold_lifeline(self.settings.lifeline_fd, told)
        with _stop_signals(told):
            capacity = self.capacity if self.accepts is not None else 0
            self._decode = msgspec.msgpack.Decoder(self.accepts).decode
            self._bench = Bench() if self.computes else None
            self.link = Link(self.settings, register(self.service, capacity), self._work)
            async with contextlib.AsyncExitStack() as stack:
                await self.started()
                stack.push_async_callback(self.stopping)
                await stack.enter_async_context(self.link)
                logger.info("service_ready", service=self.service)
                await told.wait()
                logger.info("service_stopping", service=self.service)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(DRAIN_S):
                        await self.leaving()
                        await self.link.drain()

    async def _work(self, given: Given) -> tuple[Kind, Answer]:
        """Decode, receive, encode; the one place where a fault of an actor ends."""
        structlog.contextvars.bind_contextvars(trace=given.envelope.trace)  # of this task alone
        try:
            said = await self._said(self._read(given), given)
            logger.debug("message_answered", attempt=given.envelope.attempt)
            return Kind.ANSWER, sized(said if isinstance(said, Answer) else Answer(pack(said)))
        except Failed as fault:
            return Kind.FAILURE, Answer(pack(fault.failure))
        except TimeoutError:
            return Kind.FAILURE, Answer(pack(self._failure("deadline_exceeded", "did not finish within the deadline")))
        except Exception as fault:  # noqa: BLE001 - whatever it is, the caller gets an answer, and the process lives on
            logger.error("message_failed", fault=type(fault).__name__, at=_where(fault))  # noqa: TRY400 - its words may be a page's
            return Kind.FAILURE, Answer(pack(self._failure("internal_error", "failed; its log says why")))

    async def _said(self, message: Message, given: Given) -> msgspec.Struct | Answer:
        if self._bench is not None:
            return await self._bench.run(self.receive(message, given))
        async with asyncio.timeout(max(0.0, given.until - time.monotonic())):
            return await self.receive(message, given)

    def _read(self, given: Given) -> Message:
        """Decode what this stop is told. Only here a fault's words are the asker's own, and may be told."""
        try:
            message: Message = self._decode(given.envelope.itinerary[given.envelope.position].message)
        except MALFORMED as fault:
            logger.warning("message_refused", fault=type(fault).__name__)
            raise Failed(self._failure("invalid_params", f"does not understand this: {fault}")) from None
        return message

    def _failure(self, code: str, what: str) -> Failure:
        return Failure(code, f"The {self.service} process {what}.", "`gasoline doctor` helps to find out why.")


class Bench:
    """A thread with a loop of its own, for work that keeps the processor busy: the process's own loop goes on.

    What is begun there ends when it ends, whoever has stopped waiting: its place in the broker's books is not free
    before. A process that takes too long over it is given up by the broker and killed by its supervisor.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name="bench", daemon=True).start()

    async def run(self, work: Coroutine[Any, Any, Done]) -> Done:
        """Do the work there, and wait for its end even if nobody else does."""
        done = asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))
        try:
            return await asyncio.shield(done)
        except asyncio.CancelledError:
            await asyncio.wait([done])
            raise


def _where(fault: BaseException) -> str:
    """Name the places of a fault, innermost first, without its words."""
    frames = traceback.extract_tb(fault.__traceback__)
    return " < ".join(f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in reversed(frames))


@contextlib.contextmanager
def _stop_signals(told: asyncio.Event) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, told.set)
    try:
        yield
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)


def _hold_lifeline(fd: int, told: asyncio.Event) -> None:
    """Stop when the supervisor is gone: its end of the pipe closes however it dies. In a thread: work may be stuck."""
    loop = asyncio.get_running_loop()

    def wait() -> None:
        os.read(fd, 1)
        with contextlib.suppress(RuntimeError):  # the loop has ended: so does the process
            loop.call_soon_threadsafe(told.set)
        time.sleep(ORPHAN_S)
        os._exit(1)

    if fd >= 0:
        threading.Thread(target=wait, name="lifeline", daemon=True).start()


def run(actor: type[Actor[Any]], settings: Settings) -> None:
    """Be that actor's process."""
    log.configure(settings, actor.service)
    asyncio.run(actor(settings).run())
