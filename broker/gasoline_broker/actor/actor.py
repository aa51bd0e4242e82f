"""The base class of every process but the broker: one mailbox, one loop, one place where faults are caught.

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
import types
from collections.abc import Callable, Coroutine, Generator, Iterator
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
import structlog

from gasoline_broker import log
from gasoline_broker.actor.client import Answer, Link, Result, Step, register, sized
from gasoline_broker.actor.wire import MALFORMED, Kind, pack
from gasoline_broker.errors import Failed, Failure
from gasoline_broker.settings import Settings

DRAIN_S = 5.0  # how long a process that is stopping works on what it holds
ORPHAN_S = 4.0  # how long it may take to stop once its supervisor is gone: no orphan after 5 s

logger = structlog.get_logger()

Message = TypeVar("Message")
Done = TypeVar("Done")


class Actor(Generic[Message]):
    """A process: the service it is, and how it answers a message."""

    service: ClassVar[str]
    accepts: ClassVar[Any] = None  # a tagged Struct or a union of them; None: it only asks
    capacity: ClassVar[int] = 1  # 1 for work that keeps the processor busy, more for work that waits
    computes: ClassVar[bool] = False  # its work keeps the processor busy: done in a thread, beside the link's
    short_bytes: ClassVar[int] = 0  # but not that of an ask of so many bytes, which takes less than a thread's turn

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.link: Link

    async def started(self) -> None:
        """Open what the actor needs, before the first message."""

    async def leaving(self) -> None:
        """Accept nothing more from outside, and finish what came from there; other processes can still be asked."""

    async def stopping(self) -> None:
        """Close what `started` opened, after the last answer."""

    def registered(self) -> None:
        """Begin with a broker: the first one, the same one again, or another."""

    def noted(self, note: bytes) -> None:
        """Receive what a process of this service, or this one itself, has shared: all do in one order."""

    async def receive(self, message: Message, step: Step) -> msgspec.Struct | Answer:
        """Answer one message. Cancelled when the asker no longer waits.

        Raises:
            Failed: the answer is a Failure.

        """
        raise NotImplementedError(f"{self.service} only asks")

    async def beside(self, work: Coroutine[Any, Any, Done]) -> Done:
        """Run work where `receive` runs, of an actor that computes: never at the same time as that."""
        return await (work if self._worker_thread is None else self._worker_thread.run(work))

    async def run(self) -> None:
        """Be this process: serve until SIGTERM, SIGINT or the end of the supervisor."""
        stopping = asyncio.Event()
        _hold_lifeline(self.settings.lifeline_fd, stopping)
        with _stop_signals(stopping):
            await self.serve(stopping)

    async def serve(self, stopping: asyncio.Event) -> None:
        """Serve until `stopping` is set; then finish what is held."""
        capacity = self.capacity if self.accepts is not None else 0
        self._decode = msgspec.msgpack.Decoder(self.accepts).decode
        self._worker_thread = WorkerThread() if self.computes else None
        work_now = self._work_now if self.short_bytes else None
        self.link = Link(
            self.settings,
            register(self.service, capacity),
            self._work,
            work_now=work_now,
            on_note=self.noted,
            on_registered=self.registered,
        )
        async with contextlib.AsyncExitStack() as stack:
            if self._worker_thread is not None:
                stack.callback(self._worker_thread.close)
            await self.started()
            stack.push_async_callback(self.stopping)
            await stack.enter_async_context(self.link)
            logger.info("service_ready", service=self.service)
            await stopping.wait()
            logger.info("service_stopping", service=self.service)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(DRAIN_S):
                    await self.leaving()
                    await self.link.drain()

    def _work_now(self, step: Step) -> Result | Coroutine[Any, Any, Result]:
        """Answer a short ask at once; of one that needs a thread's time, or waits, give what is left to do."""
        work = self._work(step)
        if _size_bytes(step) > self.short_bytes:
            return work
        try:
            with structlog.contextvars.bound_contextvars(trace=step.envelope.trace):
                awaited = work.send(None)
        except StopIteration as end:
            result: Result = end.value
            return result
        return self._work_on(step, work, awaited)

    async def _work_on(self, step: Step, work: Coroutine[Any, Any, Result], awaited: object) -> Result:
        structlog.contextvars.bind_contextvars(trace=step.envelope.trace)
        return await _rest(work, awaited)

    async def _work(self, step: Step) -> Result:
        """Decode, receive, encode; the one place where a fault of an actor ends."""
        structlog.contextvars.bind_contextvars(trace=step.envelope.trace)  # of this task alone
        try:
            answer = await self._receive(self._read(step), step)
            logger.debug("message_answered", attempt=step.envelope.attempt)
            return Kind.ANSWER, sized(answer if isinstance(answer, Answer) else Answer(pack(answer)))
        except Failed as fault:
            return Kind.FAILURE, Answer(pack(fault.failure))
        except TimeoutError:
            return Kind.FAILURE, Answer(pack(self._failure("deadline_exceeded", "did not finish within the deadline")))
        except Exception as fault:  # noqa: BLE001 - after any fault the caller gets an answer, and the process lives on
            logger.error("message_failed", fault=type(fault).__name__, at=where(fault))  # noqa: TRY400 - its text may be page data
            return Kind.FAILURE, Answer(pack(self._failure("internal_error", "failed; its log has the place")))

    async def _receive(self, message: Message, step: Step) -> msgspec.Struct | Answer:
        if _size_bytes(step) <= self.short_bytes:
            return await self.receive(message, step)
        if self._worker_thread is not None:
            return await self._worker_thread.run(self.receive(message, step))
        async with asyncio.timeout(max(0.0, step.until - time.monotonic())):
            return await self.receive(message, step)

    def _read(self, step: Step) -> Message:
        """Decode this stop's message. Only here a fault's text is the asker's own, and may be answered."""
        try:
            message: Message = self._decode(step.envelope.itinerary[step.envelope.position].message)
        except MALFORMED as fault:
            logger.warning("message_refused", fault=type(fault).__name__)
            raise Failed(self._failure("invalid_params", f"does not understand this: {fault}")) from None
        return message

    def _failure(self, code: str, what: str) -> Failure:
        return Failure(code, f"The {self.service} process {what}.", "`gasoline doctor` helps to find out why.")


class WorkerThread:
    """A thread with a loop of its own, for work that keeps the processor busy: the process's own loop stays free.

    Work that was begun there is not cancelled: its place at the broker is not free before its end. A process that takes
    too long is reported as stuck by the broker and killed by its supervisor.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name="work", daemon=True).start()

    def close(self) -> None:
        """End the thread, as soon as it has finished what it computes."""
        self._loop.call_soon_threadsafe(self._loop.stop)

    async def run(self, work: Coroutine[Any, Any, Done]) -> Done:
        """Run the work there, and wait for its end even when cancelled."""
        done = asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))
        try:
            return await asyncio.shield(done)
        except asyncio.CancelledError:
            await asyncio.wait([done])
            raise


@types.coroutine
def _rest(work: Coroutine[Any, Any, Done], awaited: object) -> Generator[Any, Any, Done]:
    """Run work on that has begun, and waits for this."""
    try:
        yield awaited
    except BaseException:  # cancelled
        work.close()
        raise
    return (yield from work.__await__())


def _size_bytes(step: Step) -> int:
    """Return the size of what a stop works on: its message, and what the stop before answered."""
    return len(step.envelope.itinerary[step.envelope.position].message) + len(step.body)


def where(fault: BaseException) -> str:
    """Return the code locations of a fault, innermost first, without its text."""
    frames = traceback.extract_tb(fault.__traceback__)
    return " < ".join(f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in reversed(frames))


@contextlib.contextmanager
def _stop_signals(stopping: asyncio.Event) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    try:
        yield
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)


def _hold_lifeline(fd: int, stopping: asyncio.Event) -> None:
    """Stop when the supervisor is gone: its end of the pipe closes however it dies. In a thread: work may be stuck."""
    loop = asyncio.get_running_loop()

    def wait() -> None:
        os.read(fd, 1)
        with contextlib.suppress(RuntimeError):  # the loop has ended: so does the process
            loop.call_soon_threadsafe(stopping.set)
        time.sleep(ORPHAN_S)
        os._exit(1)

    if fd >= 0:
        threading.Thread(target=wait, name="lifeline", daemon=True).start()


def run(make: Callable[[Settings], Actor[Any]], settings: Settings) -> None:
    """Be the process of that actor."""
    actor = make(settings)
    log.configure(settings, actor.service)
    asyncio.run(actor.run())
