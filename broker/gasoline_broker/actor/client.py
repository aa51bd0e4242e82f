"""The asyncio link to the broker: socket, tasks and clock around one Mailbox.

Rules of this file:
- The socket's descriptor is edge-triggered: always drained until nothing is left, and looked at again after sending.
- The socket's monitor reports that a link is up, or broke.
- A broker on another machine that refuses us is tried again each second, and its refusal is logged once: libzmq itself
  gives up for ever when the key is not allowed, and tries over a hundred times a second when the broker's is wrong.
"""

import asyncio
import contextlib
import functools
import operator
import os
import secrets
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, NamedTuple, Self

import msgspec
import structlog
import zmq
import zmq.utils.monitor

from gasoline_broker.actor.mailbox import (
    CANCELLED_ANSWER,
    Abandon,
    Action,
    Ask,
    Cut,
    Event,
    GivenUp,
    Leaving,
    Linked,
    Mailbox,
    Noted,
    Notified,
    Received,
    Send,
    Settled,
    Shared,
    Start,
    StepKey,
    Ticked,
    Worked,
)
from gasoline_broker.actor.wire import (
    ENVELOPE_BYTES_MAX,
    FRAMES_MAX,
    MALFORMED,
    MESSAGE_BYTES_MAX,
    Envelope,
    Ids,
    Kind,
    Priority,
    Stop,
    pack,
    read_envelope,
)
from gasoline_broker.errors import Failed, Failure, fail
from gasoline_broker.keys import BETWEEN_MACHINES, Keys, family
from gasoline_broker.messages import Register
from gasoline_broker.product import VERSION
from gasoline_broker.settings import Settings

STOPS_BYTES_MAX = ENVELOPE_BYTES_MAX - 1_024  # what else is in an envelope is less than that
NOW, MORE_NOW = int(zmq.DONTWAIT), int(zmq.DONTWAIT | zmq.SNDMORE)  # an enum's `|` takes 1.4 µs
EVENTS, POLLIN = int(zmq.EVENTS), int(zmq.POLLIN)
AS_FRAME = False  # pyzmq's `copy`: a Frame knows cheaply whether more frames follow
BROKEN_OFF = zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL  # by the broker without a reason, or by a fault of the network
REFUSED: dict[int, str] = {
    zmq.EVENT_HANDSHAKE_FAILED_AUTH: "This machine's key is not allowed: run `gasoline keys allow NAME KEY` there.",
    zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL: "GASOLINE_BROKER is not the address that GASOLINE_LISTEN there names.",
    BROKEN_OFF: "The handshake breaks off: is GASOLINE_BROKER_KEY the key that `gasoline keys` prints there?",
}
BROKEN_OFF_TIMES = 3  # in a row: no fault of the network any more
RETRY_S = 1.0
UNMET_S = 3.0  # a broker that can be reached is met within a second
MONITORED = functools.reduce(operator.or_, REFUSED, zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_DISCONNECTED)
OPTIONS: dict[int, Any] = {
    zmq.IMMEDIATE: 1,
    zmq.LINGER: 2_000,
    zmq.RECONNECT_IVL: 10,
    zmq.RECONNECT_IVL_MAX: 500,
    zmq.MAXMSGSIZE: MESSAGE_BYTES_MAX,
}

logger = structlog.get_logger()
read_failure = msgspec.msgpack.Decoder(Failure).decode


class Answer(NamedTuple):
    """An answer: the body, still encoded, and its blobs."""

    body: bytes
    blobs: Sequence[Any] = ()

    def read(self, kind: Any = Any) -> Any:  # noqa: ANN401 - the caller names the type it gets
        """Decode the body as `kind`, or as plain dicts and lists."""
        return msgspec.msgpack.decode(self.body, type=kind)


class Step(NamedTuple):
    """The input of a stop: the envelope, and the body and blobs that the stop before answered."""

    envelope: Envelope
    body: bytes
    blobs: Sequence[Any]
    until: float  # monotonic, s: when the asker no longer waits for the answer


Result = tuple[Kind, Answer]
Work = Callable[[Step], Coroutine[Any, Any, Result]]
WorkNow = Callable[[Step], Result | Coroutine[Any, Any, Result]]
OnPeerLost = Callable[[bytes], None]
OnNote = Callable[[bytes], None]
OnRegistered = Callable[[], None]


class Link:
    """The link of one process life. Created, used and closed on one event loop.

    `work` answers what this process is asked; `work_now` answers what takes less than a turn of the event loop, and
    returns what is to be run for all else; `on_peer_lost` receives each PeerLost, encoded, if `registration` asks for
    them; `on_note` what the processes of this service share; `on_registered` is called whenever a broker has confirmed
    the registration, before it can ask.
    """

    def __init__(
        self,
        settings: Settings,
        registration: Register,
        work: Work | None = None,
        on_peer_lost: OnPeerLost | None = None,
        work_now: WorkNow | None = None,
        on_note: OnNote | None = None,
        on_registered: OnRegistered | None = None,
    ) -> None:
        self._on_note = on_note
        self._on_registered = on_registered
        self._work_now = work_now
        self._mailbox = Mailbox(registration, time.monotonic())
        self._work = work
        self._on_peer_lost = on_peer_lost
        self._settings = settings
        self._ids = Ids()
        self._answers: dict[bytes, asyncio.Future[Answer]] = {}
        self._tasks: dict[StepKey, asyncio.Task[Result]] = {}
        self._registered = asyncio.Event()
        self._changed = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._retry: asyncio.TimerHandle | None = None
        self._unmet: asyncio.TimerHandle | None = None
        self._refusals = 0  # in a row
        self._refused_as = 0
        self._pumping = False

    async def __aenter__(self) -> Self:
        """Connect. The broker may start later: the link registers when it does."""
        self._loop = asyncio.get_running_loop()
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.DEALER)
        self._socket.setsockopt(zmq.IDENTITY, b"g" + secrets.token_bytes(8))
        for option, value in self._options().items():
            self._socket.setsockopt(option, value)
        # pyzmq's own Socket wraps these in keyword handling that we don't need and that costs half of a call
        self._receive: Callable[..., Any] = super(zmq.Socket, self._socket).recv
        self._write: Callable[..., object] = super(zmq.Socket, self._socket).send
        self._get: Callable[[int], Any] = super(zmq.Socket, self._socket).get
        self._monitor = self._socket.get_monitor_socket(MONITORED)
        self._loop.add_reader(self._monitor, self._notice)
        self._loop.add_reader(self._socket, self._pump)
        self._connect()
        if self._settings.broker:
            self._unmet = self._loop.call_later(UNMET_S, self._warn_unmet)
        self._loop.call_soon(self._notice)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the link; asks that are still open fail."""
        self._loop.remove_reader(self._monitor)
        self._loop.remove_reader(self._socket)
        for timer in (self._timer, self._retry, self._unmet):
            if timer is not None:
                timer.cancel()
        for task in self._tasks.values():
            task.cancel()
        for answered in self._answers.values():
            if not answered.done():
                answered.set_exception(Failed(_STOPPING))
        self._socket.disable_monitor()
        self._monitor.close(0)
        self._socket.close()
        await asyncio.to_thread(self._context.term)  # waits for what is still to be sent, 2 s at most

    def _options(self) -> dict[int, Any]:
        if not self._settings.broker:
            return {**OPTIONS}
        own = Keys(self._settings).own()
        return {
            **OPTIONS,
            **BETWEEN_MACHINES,
            **family(self._settings.broker),
            zmq.CURVE_PUBLICKEY: own.public,
            zmq.CURVE_SECRETKEY: own.secret,
            zmq.CURVE_SERVERKEY: bytes.fromhex(self._settings.broker_key),
        }

    async def registered(self) -> None:
        """Wait until the broker has confirmed the registration."""
        await self._registered.wait()

    @property
    def connected(self) -> bool:
        """Whether the link to the broker is up."""
        return self._mailbox.registered

    def silent_s(self) -> float:
        """Return for how long a broker whose link is up has sent nothing, in s; 0.0 without one."""
        return self._mailbox.silent_s(time.monotonic())

    async def ask(
        self,
        *itinerary: Stop,
        ttl_s: float,
        body: bytes = b"",
        session: str = "",
        trace: str = "",
        priority: Priority = Priority.INTERACTIVE,
        blobs: Sequence[Any] = (),
    ) -> Answer:
        """Send a message and wait for the last stop's answer, `ttl_s` seconds at most. `blobs`: what follows the body.

        Cancelling the wait cancels the message wherever it is.

        Raises:
            Failed: a stop, or the broker, answered with a Failure; or the message is too large.

        """
        _check_size(itinerary, Answer(body, blobs))
        if self._socket.closed:
            raise Failed(_STOPPING)
        ask_id = self._ids.next()
        answered: asyncio.Future[Answer] = self._loop.create_future()
        self._answers[ask_id] = answered
        try:
            until = time.monotonic() + ttl_s
            self._take(Ask(ask_id, itinerary, until, [body, *blobs], session, trace, priority))
            return await answered
        except asyncio.CancelledError:
            if not self._socket.closed:
                self._take(GivenUp(ask_id))
            raise
        finally:
            del self._answers[ask_id]

    def share(self, note: bytes) -> None:
        """Send a note to every process of this service, this one included; it may be lost with the link."""
        if not self._socket.closed:
            self._take(Shared(note))

    @property
    def life(self) -> bytes:
        """Which broker the link was last registered at: drawn at random for each start."""
        return self._mailbox.life

    async def drain(self) -> None:
        """Accept no more work, finish what is held, wait for what is asked, and sign off at the broker."""
        self._take(Leaving())
        while not (self._mailbox.dismissed and self._mailbox.idle):
            self._changed.clear()
            await self._changed.wait()

    # Incoming

    def _notice(self) -> None:
        """Handle the monitor's events: links that are up, broken or refused."""
        if self._socket.closed:
            return
        while self._monitor.poll(0):
            event = zmq.utils.monitor.recv_monitor_message(self._monitor)["event"]
            if event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
                self._refusals = self._refused_as = 0
                self._socket.getsockopt(zmq.EVENTS)  # registers the new link: a send within 1 ms of another does not
                self._take(Linked())
            elif event in REFUSED:
                self._refused(event)
            else:
                if self._mailbox.registered:
                    logger.info("broker_lost")
                self._take(Cut())
        self._pump()

    def _refused(self, event: int) -> None:
        if not self._settings.broker:  # a broker of this machine that died during the handshake
            logger.warning("broker_refused_us", reason=zmq.Event(event).name)
            return
        self._refusals += 1
        if event == BROKEN_OFF and self._refusals < BROKEN_OFF_TIMES:
            return
        if event != self._refused_as:
            logger.warning("broker_refused_us", broker=self._settings.broker, reason=REFUSED[event])
            self._refused_as = event
        if self._retry is None:
            with contextlib.suppress(zmq.ZMQError):
                self._socket.disconnect(self._settings.broker)
            self._retry = self._loop.call_later(RETRY_S, self._connect)

    def _connect(self) -> None:
        self._retry = None
        self._socket.connect(self._settings.broker_address)

    def _warn_unmet(self) -> None:
        if not self._mailbox.linked and not self._refused_as:
            logger.warning(
                "broker_not_reached", broker=self._settings.broker, reason="No broker answers at GASOLINE_BROKER yet."
            )

    def _pump(self) -> None:
        if self._pumping or self._socket.closed:
            return
        self._pumping = True
        try:
            while self._waits():
                frames = [frame := self._receive(NOW, AS_FRAME)]
                while frame.more:
                    frames.append(frame := self._receive(NOW, AS_FRAME))
                self._read([frame.bytes for frame in frames])
        finally:
            self._pumping = False

    def _read(self, frames: list[bytes]) -> None:
        try:
            envelope = read_envelope(frames[0])
        except MALFORMED:
            logger.warning("envelope_malformed", size_bytes=len(frames[0]))
            return
        self._take(Received(envelope, frames[1:]))

    # Actions

    def _take(self, event: Event) -> None:
        for action in self._mailbox.handle(time.monotonic(), event):
            self._do(action)
        if self._mailbox.registered != self._registered.is_set():
            (self._registered.set if self._mailbox.registered else self._registered.clear)()
            if self._mailbox.registered and self._on_registered is not None:
                self._on_registered()
        self._changed.set()
        self._plan()

    def _do(self, action: Action) -> None:
        match action:
            case Send(envelope, frames):
                self._send(envelope, frames)
            case Start():
                self._start(action)
            case Settled(ask_id, kind, frames):
                self._settle(ask_id, kind, frames)
            case Abandon(step_key):
                self._tasks[step_key].cancel()
            case Noted(frames):
                if self._on_note is not None:
                    self._on_note(frames[0] if frames else b"")
            case Notified(frames):
                if self._on_peer_lost is not None:
                    self._on_peer_lost(frames[0] if frames else b"")

    def _plan(self) -> None:
        """Schedule the mailbox's next tick."""
        due = self._mailbox.due()
        if due == float("inf") or (self._timer is not None and self._timer.when() <= due):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(due, self._tick)

    def _tick(self) -> None:
        self._timer = None
        self._take(Ticked())

    def _settle(self, ask_id: bytes, kind: Kind, frames: Sequence[Any]) -> None:
        answered = self._answers.get(ask_id)
        if answered is None or answered.done():
            return
        body = frames[0] if frames else b""
        if kind is Kind.ANSWER:
            answered.set_result(Answer(body, frames[1:]))
            return
        try:
            failure = read_failure(body)
        except MALFORMED:
            failure = Failure("internal_error", "A process answered with a failure that could not be decoded.")
        answered.set_exception(Failed(failure))

    def _start(self, start: Start) -> None:
        if self._work is None:
            return
        frames = start.frames
        step = Step(start.envelope, frames[0] if frames else b"", frames[1:], start.until)
        work = self._work(step) if self._work_now is None else self._work_now(step)
        if isinstance(work, tuple):
            self._worked(start.step_key, work)
            return
        task = self._tasks[start.step_key] = self._loop.create_task(work)
        done = functools.partial(self._done, start.step_key)
        task.add_done_callback(done)  # a task that is cancelled at once never runs

    def _done(self, step_key: StepKey, task: asyncio.Task[Result]) -> None:
        del self._tasks[step_key]
        self._worked(step_key, _result(task))

    def _worked(self, step_key: StepKey, result: Result) -> None:
        kind, answer = result
        if not self._socket.closed:
            self._take(Worked(step_key, kind, [answer.body, *answer.blobs]))

    def _send(self, envelope: Envelope, frames: Sequence[Any]) -> None:
        if self._socket.closed or not self._hand(pack(envelope), MORE_NOW if frames else NOW):
            return  # the link has just broken: the monitor is about to report it
        for at, frame in enumerate(frames, 1):  # if it breaks in between: libzmq drops the rest, but must be handed it
            self._hand(frame, MORE_NOW if at < len(frames) else NOW)
        if not self._pumping and self._waits():
            self._loop.call_soon(self._pump)  # sending has consumed the edge that announces something to receive

    def _hand(self, frame: Any, flags: int) -> bool:  # noqa: ANN401 - anything with a buffer
        try:
            self._write(frame, flags)
        except zmq.ZMQError:
            return False
        return True

    def _waits(self) -> bool:
        """Return whether a message can be received; an empty socket that is read costs three times as much."""
        return not self._socket.closed and bool(self._get(EVENTS) & POLLIN)


def _check_size(itinerary: tuple[Stop, ...], sent: Answer) -> None:
    if (size_bytes := len(pack(itinerary))) > STOPS_BYTES_MAX:
        fail("payload_too_large", f"An ask may have {STOPS_BYTES_MAX} bytes; this one has {size_bytes}.")
    sized(sent)


def sized(answer: Answer) -> Answer:
    """Return an answer that one message can carry: the broker cuts the link of a process that sends more.

    Raises:
        Failed: it is too large.
        TypeError: the body or a blob is not made of bytes.

    """
    size_bytes = sum(memoryview(frame).nbytes for frame in (answer.body, *answer.blobs))
    if size_bytes > MESSAGE_BYTES_MAX or len(answer.blobs) > FRAMES_MAX - 2:
        text = f"A message may have {MESSAGE_BYTES_MAX} bytes and {FRAMES_MAX - 2} blobs; this one is larger."
        fail("payload_too_large", text, "Ask for less.", size_bytes=size_bytes)
    return answer


BROKEN = Kind.FAILURE, Answer(pack(Failure("internal_error", "A process failed while it answered this call.")))


def _result(task: asyncio.Task[Result]) -> Result:
    if task.cancelled():
        kind, frames = CANCELLED_ANSWER
        return kind, Answer(frames[0])
    if fault := task.exception():
        logger.error("work_failed", fault=type(fault).__name__)
        return BROKEN
    return task.result()


_STOPPING = Failure("worker_unavailable", "This process is stopping.", "Run `gasoline up` to start the system.")


def register(service: str, capacity: int = 0, *, peer_events: bool = False) -> Register:
    """Return this process's registration as `service`; `capacity`: asks at a time (0: it only asks)."""
    return Register(service, capacity, os.getpid(), VERSION, peer_events)
