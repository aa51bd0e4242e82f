"""A process's end of the link to the broker, for asyncio; it knows asks and answers, and no service's meaning.

Rules of this file:
- The socket's descriptor is edge-triggered: always drained until nothing is left, and looked at again after sending.
- A message that was accepted for sending is not delivered: only an answer with its id proves anything. So open asks
  are kept, and sent again with the same id when the broker is back; ids make that safe.
- Whatever cuts the link, the process registers anew as soon as the link stands, which the socket's monitor tells.
- Nothing is sent before that registration: what a broker doesn't know the sender of, it throws away.
"""

import asyncio
import functools
import os
import secrets
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, NamedTuple, Self

import msgspec
import structlog
import zmq
import zmq.utils.monitor

from gasoline_broker.errors import Failed, Failure, fail
from gasoline_broker.messages import Register
from gasoline_broker.product import VERSION
from gasoline_broker.settings import Settings
from gasoline_broker.wire import (
    ENVELOPE_BYTES_MAX,
    FRAMES_MAX,
    MALFORMED,
    MESSAGE_BYTES_MAX,
    Envelope,
    Ids,
    Kind,
    Stop,
    pack,
    read_envelope,
)

GRACE_S = 0.5  # how much later than the broker an asker gives up by itself, so that the broker's better words win
STOPS_BYTES_MAX = ENVELOPE_BYTES_MAX - 1_024  # what else is in an envelope is less than that
NOW, MORE = zmq.DONTWAIT, zmq.SNDMORE
OPTIONS = {
    zmq.IMMEDIATE: 1,
    zmq.LINGER: 2_000,
    zmq.RECONNECT_IVL: 10,
    zmq.RECONNECT_IVL_MAX: 500,
    zmq.MAXMSGSIZE: MESSAGE_BYTES_MAX,
}

logger = structlog.get_logger()
read_failure = msgspec.msgpack.Decoder(Failure).decode


class Answer(NamedTuple):
    """What came back: the body, still encoded, and its blobs."""

    body: bytes
    blobs: Sequence[Any] = ()

    def read(self, kind: Any = Any) -> Any:  # noqa: ANN401 - the caller names the type it gets
        """Decode the body as `kind`, or as plain dicts and lists."""
        return msgspec.msgpack.decode(self.body, type=kind)


class Given(NamedTuple):
    """What a stop is given: the envelope, and the body and blobs that the stop before answered."""

    envelope: Envelope
    body: bytes
    blobs: Sequence[Any]
    until: float  # monotonic, s: when nobody waits for the answer any more


class _Open(NamedTuple):
    """An ask that has no answer yet."""

    itinerary: tuple[Stop, ...]
    body: bytes
    session: str
    trace: str
    until: float
    answered: "asyncio.Future[Answer]"


Said = tuple[Kind, Answer]
Work = Callable[[Given], Coroutine[Any, Any, Said]]


class Link:
    """The link of one process life. Created, used and closed on one event loop."""

    def __init__(self, settings: Settings, register: Register, work: Work | None = None) -> None:
        self._register = register
        self._work = work
        self._address = settings.broker_address
        self._ids = Ids()
        self._open: dict[bytes, _Open] = {}
        self._working: dict[tuple[bytes, int], asyncio.Task[Said]] = {}  # by id and position: one may come here twice
        self._draining = False
        self._dismissed = asyncio.Event()
        self._introduced = False
        self._registered = asyncio.Event()
        self._pumping = False

    async def __aenter__(self) -> Self:
        """Connect. The broker may come later: it is registered with when it does."""
        self._loop = asyncio.get_running_loop()
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.DEALER)
        self._socket.setsockopt(zmq.IDENTITY, b"g" + secrets.token_bytes(8))
        for option, value in OPTIONS.items():
            self._socket.setsockopt(option, value)
        self._monitor = self._socket.get_monitor_socket(zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_DISCONNECTED)
        self._loop.add_reader(self._monitor, self._notice)
        self._loop.add_reader(self._socket, self._pump)
        self._socket.connect(self._address)
        self._loop.call_soon(self._notice)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the link; asks that are still open fail."""
        self._loop.remove_reader(self._monitor)
        self._loop.remove_reader(self._socket)
        for task in self._working.values():
            task.cancel()
        for one in self._open.values():
            if not one.answered.done():
                one.answered.set_exception(Failed(_unreachable("This process is stopping.")))
        self._socket.disable_monitor()
        self._monitor.close(0)
        self._socket.close()
        await asyncio.to_thread(self._context.term)  # waits for what is still to be sent, 2 s at most

    async def registered(self) -> None:
        """Wait until the broker knows who we are."""
        await self._registered.wait()

    @property
    def connected(self) -> bool:
        """Whether the link to the broker stands."""
        return self._registered.is_set()

    async def ask(
        self, *itinerary: Stop, ttl_s: float, body: bytes = b"", session: str = "", trace: str = ""
    ) -> Answer:
        """Send a message on its way and wait for the last stop's answer, `ttl_s` seconds at most.

        Cancelling the wait cancels the message wherever it is.

        Raises:
            Failed: a stop, or the broker, answered with a Failure; or the message is too large.

        """
        if self._socket.closed:
            raise Failed(_unreachable("This process is stopping."))
        if (size_bytes := len(pack(itinerary))) > STOPS_BYTES_MAX:
            fail("payload_too_large", f"An ask may have {STOPS_BYTES_MAX} bytes; this one has {size_bytes}.")
        sized(Answer(body))
        number = self._ids.next()
        until = time.monotonic() + ttl_s
        one = _Open(itinerary, body, session, trace, until, self._loop.create_future())
        self._open[number] = one
        try:
            self._send_ask(number, one)
            async with asyncio.timeout(ttl_s + GRACE_S):
                return await one.answered
        except TimeoutError:
            self._send(Envelope(Kind.CANCEL, number))
            raise Failed(_unreachable(f"The broker did not answer within {ttl_s:g} s.")) from None
        except asyncio.CancelledError:
            self._send(Envelope(Kind.CANCEL, number))
            raise
        finally:
            del self._open[number]

    async def drain(self) -> None:
        """Take no more work, finish what is held, wait for what is asked, and be known to have left."""
        self._draining = True
        if self._send(Envelope(Kind.GOODBYE)):
            await self._dismissed.wait()
        while held := self._held():
            await asyncio.wait(held)

    def _held(self) -> list[asyncio.Future[Any]]:
        return [*self._working.values(), *(one.answered for one in self._open.values())]

    # What comes in

    def _notice(self) -> None:
        """See links come and go."""
        if self._socket.closed:
            return
        while self._monitor.poll(0):
            event = zmq.utils.monitor.recv_monitor_message(self._monitor)["event"]
            if event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
                self._introduce()
            else:
                self._cut()
        self._pump()

    def _introduce(self) -> None:
        """Say who we are, and ask again what is unanswered."""
        self._registered.clear()
        if self._draining:
            self._dismissed.set()
            return
        self._socket.getsockopt(zmq.EVENTS)  # takes in the new link: a send that follows another within 1 ms does not
        self._introduced = True
        self._introduced = self._send(Envelope(Kind.REGISTER), [pack(self._register)])
        for number, one in self._open.items():
            self._send_ask(number, one)

    def _cut(self) -> None:
        was = self._registered.is_set()
        self._introduced = False
        self._registered.clear()
        if self._draining:
            self._dismissed.set()
        if was:
            logger.info("broker_lost")

    def _pump(self) -> None:
        if self._pumping or self._socket.closed:
            return
        self._pumping = True
        try:
            while True:
                frames = [self._socket.recv(NOW)]
                while self._socket.rcvmore:
                    frames.append(self._socket.recv(NOW))
                self._read(frames)
        except zmq.Again:
            pass
        finally:
            self._pumping = False

    def _read(self, frames: list[bytes]) -> None:
        try:
            envelope = read_envelope(frames[0])
        except MALFORMED:
            logger.warning("malformed_envelope", size_bytes=len(frames[0]))
            return
        match envelope.kind:
            case Kind.ASK:
                self._start(envelope, frames[1:])
            case Kind.ANSWER | Kind.FAILURE:
                self._settle(envelope, frames[1:])
            case Kind.CANCEL:
                self._cancel(envelope.id)
            case Kind.PING:
                self._send(Envelope(Kind.PONG))
            case Kind.REGISTER:
                self._registered.set()
            case Kind.RESET if self._registered.is_set():  # else it is about something sent before we registered
                self._introduce()
            case Kind.GOODBYE:
                self._dismissed.set()
            case Kind.RESET | Kind.PONG:
                pass

    def _settle(self, envelope: Envelope, frames: list[bytes]) -> None:
        one = self._open.get(envelope.id)
        if one is None or one.answered.done():
            return
        body = frames[0] if frames else b""
        if envelope.kind is Kind.ANSWER:
            one.answered.set_result(Answer(body, frames[1:]))
            return
        try:
            failure = read_failure(body)
        except MALFORMED:
            failure = Failure("internal", "A process failed in words that could not be read.")
        one.answered.set_exception(Failed(failure))

    def _start(self, envelope: Envelope, frames: list[bytes]) -> None:
        held = envelope.id, envelope.position
        if self._work is None or held in self._working:
            return
        until = time.monotonic() + envelope.ttl_ms / 1000
        task = self._loop.create_task(self._work(Given(envelope, frames[0] if frames else b"", frames[1:], until)))
        self._working[held] = task
        task.add_done_callback(functools.partial(self._done, envelope))  # a task that is cancelled at once never runs

    def _done(self, envelope: Envelope, task: asyncio.Task[Said]) -> None:
        del self._working[envelope.id, envelope.position]
        kind, answer = _said(task)
        answered = Envelope(kind, envelope.id, position=envelope.position, trace=envelope.trace)
        self._send(answered, [answer.body, *answer.blobs])

    def _cancel(self, number: bytes) -> None:
        tasks = [task for (held, _), task in self._working.items() if held == number]
        for task in tasks:
            task.cancel()
        if not tasks:  # said in any case: the broker keeps the place of an ask until it is answered
            self._send(Envelope(CANCELLED[0], number), [CANCELLED[1].body])

    # What goes out

    def _send_ask(self, number: bytes, one: _Open) -> None:
        ttl_ms = int((one.until - time.monotonic()) * 1000)
        if ttl_ms > 0:
            envelope = Envelope(Kind.ASK, number, one.itinerary, ttl_ms=ttl_ms, session=one.session, trace=one.trace)
            self._send(envelope, [one.body])

    def _send(self, envelope: Envelope, frames: Sequence[Any] = ()) -> bool:
        """Hand a message to the socket; False when there is no broker to take it."""
        if self._socket.closed or not self._introduced:
            return False
        if not self._hand(pack(envelope), more=bool(frames)):
            return False
        # A link that is cut in between: libzmq drops the rest of the message, but must be handed it all the same.
        sent = [self._hand(frame, more=at < len(frames)) for at, frame in enumerate(frames, 1)]
        if not self._pumping:
            self._loop.call_soon(self._pump)  # sending can eat the edge that tells of something to receive
        return all(sent)

    def _hand(self, frame: Any, *, more: bool) -> bool:  # noqa: ANN401 - whatever has bytes
        try:
            self._socket.send(frame, NOW | (MORE if more else 0))
        except zmq.ZMQError:
            return False
        return True


def sized(answer: Answer) -> Answer:
    """Give what one message can carry: the broker would cut the link of whoever sends more.

    Raises:
        Failed: it is too large.
        TypeError: the body or a blob is not made of bytes.

    """
    size_bytes = sum(memoryview(frame).nbytes for frame in (answer.body, *answer.blobs))
    if size_bytes > MESSAGE_BYTES_MAX or len(answer.blobs) > FRAMES_MAX - 2:
        text = f"A message may have {MESSAGE_BYTES_MAX} bytes and {FRAMES_MAX - 2} blobs; this one is larger."
        fail("payload_too_large", text, "Ask for less.", size_bytes=size_bytes)
    return answer


CANCELLED = Kind.FAILURE, Answer(pack(Failure("cancelled", "Nobody waits for this any more.")))
BROKEN = Kind.FAILURE, Answer(pack(Failure("internal", "A process failed in words that could not be sent.")))


def _said(task: asyncio.Task[Said]) -> Said:
    if task.cancelled():
        return CANCELLED
    if fault := task.exception():
        logger.error("work_broke", fault=type(fault).__name__)
        return BROKEN
    return task.result()


def _unreachable(text: str) -> Failure:
    return Failure("worker_unavailable", text, "Run `gasoline status`; `gasoline up` starts what is missing.")


def register(service: str, capacity: int = 0) -> Register:
    """Introduce this process as `service`, which takes `capacity` asks at a time; 0: it only asks."""
    return Register(service, capacity, os.getpid(), VERSION)
