"""A process's end of the link to the broker, for asyncio; it knows asks and answers, and no service's meaning.

Rules of this file:
- The socket's descriptor is edge-triggered: always drained until nothing is left, and looked at again after sending.
- A message that was accepted for sending is not delivered: only an answer with its id proves anything. So open asks
  are kept, and sent again with the same id when the broker is back; ids make that safe.
- Whatever cuts the link, the process registers anew as soon as the link stands, which the socket's monitor tells.
"""

import asyncio
import os
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

import msgspec
import structlog
import zmq
import zmq.utils.monitor

from gasoline_broker.errors import Failed, Failure
from gasoline_broker.messages import Register
from gasoline_broker.product import VERSION
from gasoline_broker.settings import Settings
from gasoline_broker.wire import MESSAGE_BYTES_MAX, Envelope, Ids, Kind, Stop, pack, read_envelope

GRACE_S = 0.5  # how much later than the broker an asker gives up by itself, so that the broker's better words win
RECONNECT_MS, RECONNECT_MAX_MS = 10, 500
NOW, MORE = zmq.DONTWAIT, zmq.SNDMORE

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


Work = Callable[[Given], Awaitable[tuple[Kind, Answer]]]


class Link:
    """The link of one process life. Created, used and closed on one event loop."""

    def __init__(self, settings: Settings, register: Register, work: Work | None = None) -> None:
        self._register = register
        self._work = work
        self._address = settings.broker_address
        self._ids = Ids()
        self._open: dict[bytes, _Open] = {}
        self._working: dict[bytes, asyncio.Task[None]] = {}
        self._draining = False
        self._dismissed = asyncio.Event()
        self._registered = asyncio.Event()
        self._pumping = False

    async def __aenter__(self) -> "Link":
        """Connect. The broker may come later: it is registered with when it does."""
        self._loop = asyncio.get_running_loop()
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.DEALER)
        for option, value in {
            zmq.IDENTITY: b"g" + secrets.token_bytes(8),
            zmq.IMMEDIATE: 1,
            zmq.LINGER: 2_000,
            zmq.RECONNECT_IVL: RECONNECT_MS,
            zmq.RECONNECT_IVL_MAX: RECONNECT_MAX_MS,
            zmq.MAXMSGSIZE: MESSAGE_BYTES_MAX,
        }.items():
            self._socket.setsockopt(option, value)
        self._monitor = self._socket.get_monitor_socket(zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_DISCONNECTED)
        self._loop.add_reader(self._monitor.getsockopt(zmq.FD), self._notice)
        self._loop.add_reader(self._socket.getsockopt(zmq.FD), self._pump)
        self._socket.connect(self._address)
        self._loop.call_soon(self._notice)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the link; asks that are still open fail."""
        self._loop.remove_reader(self._monitor.getsockopt(zmq.FD))
        self._loop.remove_reader(self._socket.getsockopt(zmq.FD))
        for task in list(self._working.values()):
            task.cancel()
        for one in list(self._open.values()):
            if not one.answered.done():
                one.answered.set_exception(Failed(_unreachable("This process is stopping.")))
        self._socket.disable_monitor()
        self._monitor.close(0)
        self._socket.close()
        await asyncio.to_thread(self._context.term)  # waits for what is still to be sent, 2 s at most

    async def registered(self) -> None:
        """Wait until the broker has been told who we are."""
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
            Failed: a stop, or the broker, answered with a Failure.

        """
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
        """Take no more work, finish what is held, and be known to have left."""
        self._draining = True
        if self._send(Envelope(Kind.GOODBYE)):
            await self._dismissed.wait()
        if self._working:
            await asyncio.wait(list(self._working.values()))

    # What comes in

    def _notice(self) -> None:
        """See links come and go."""
        while self._monitor.poll(0):
            event = zmq.utils.monitor.recv_monitor_message(self._monitor)["event"]
            if event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
                self._introduce()
            elif self._registered.is_set():
                logger.info("broker_lost")
                self._registered.clear()
                if self._draining:
                    self._dismissed.set()
        if not self._pumping:
            self._pump()

    def _introduce(self) -> None:
        """Say who we are, and ask again what is unanswered."""
        if self._draining:
            self._dismissed.set()
            return
        if not self._send(Envelope(Kind.REGISTER), [pack(self._register)]):
            return
        for number, one in self._open.items():
            self._send_ask(number, one)
        self._registered.set()

    def _pump(self) -> None:
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
        except (msgspec.MsgspecError, RecursionError):
            logger.warning("malformed_envelope", size_bytes=len(frames[0]))
            return
        match envelope.kind:
            case Kind.ASK:
                self._start(envelope, frames[1:])
            case Kind.ANSWER | Kind.FAILURE:
                self._settle(envelope, frames[1:])
            case Kind.CANCEL:
                if task := self._working.get(envelope.id):
                    task.cancel()
            case Kind.PING:
                self._send(Envelope(Kind.PONG))
            case Kind.RESET:
                self._introduce()
            case Kind.GOODBYE:
                self._dismissed.set()
            case Kind.REGISTER | Kind.PONG:
                logger.warning("misplaced_envelope", kind=envelope.kind.name)

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
        except msgspec.MsgspecError:
            failure = Failure("internal", "A process failed in words that could not be read.")
        one.answered.set_exception(Failed(failure))

    def _start(self, envelope: Envelope, frames: list[bytes]) -> None:
        if self._work is None or envelope.id in self._working:
            return
        given = Given(
            envelope, frames[0] if frames else b"", frames[1:], time.monotonic() + envelope.ttl_ms / 1000
        )
        task = self._loop.create_task(self._do(given, self._work))
        self._working[envelope.id] = task

    async def _do(self, given: Given, work: Work) -> None:
        number = given.envelope.id
        try:
            kind, answer = await work(given)
        except asyncio.CancelledError:
            kind, answer = Kind.FAILURE, Answer(pack(Failure("cancelled", "Nobody waits for this any more.")))
        finally:
            self._working.pop(number, None)
        envelope = Envelope(kind, number, trace=given.envelope.trace)
        self._send(envelope, [answer.body, *answer.blobs])

    # What goes out

    def _send_ask(self, number: bytes, one: _Open) -> None:
        ttl_ms = int((one.until - time.monotonic()) * 1000)
        if ttl_ms > 0:
            envelope = Envelope(
                Kind.ASK, number, one.itinerary, ttl_ms=ttl_ms, session=one.session, trace=one.trace
            )
            self._send(envelope, [one.body])

    def _send(self, envelope: Envelope, frames: Sequence[Any] = ()) -> bool:
        """Hand a message to the socket; False when there is no broker to take it."""
        if self._socket.closed:
            return False
        try:
            self._socket.send(pack(envelope), NOW | (MORE if frames else 0))
        except zmq.ZMQError:
            return False
        for at, frame in enumerate(frames, 1):
            self._socket.send(frame, NOW | (MORE if at < len(frames) else 0))
        if not self._pumping:
            self._loop.call_soon(self._pump_again)  # sending can eat the edge that tells of something to receive
        return True

    def _pump_again(self) -> None:
        if not self._pumping and not self._socket.closed:
            self._pump()


def _unreachable(text: str) -> Failure:
    return Failure("worker_unavailable", text, "Run `gasoline status`; `gasoline up` starts what is missing.")


def register(service: str, capacity: int = 0) -> Register:
    """Introduce this process as `service`, which takes `capacity` asks at a time; 0: it only asks."""
    return Register(service, capacity, os.getpid(), VERSION)
