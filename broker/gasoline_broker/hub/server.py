"""The broker's process: moves frames between its sockets and routing.

Rules of this file (the measurements behind them: docs/design.md, Broker):
- One synchronous poller that drains in batches, and sends when a batch is drained: the socket's own thread is woken
  once for many messages. Frame by frame, because a peer's frames must be counted before they are kept; below 8 KB as
  bytes, because a small frame object pins an 8 KB receive buffer, and copied, which is cheaper than to share it.
- ROUTER_MANDATORY: a peer that is gone or full is an error on the first frame, never a silent drop.
- The monitor reports within milliseconds that some link broke, but not which: so every peer is probed. It reports
  before the socket has learned of it (in 3 of 20 deaths a probe came too early, measured): so they are probed again.
- A stranger that connects ten thousand times a second costs a bounded number of probes and lines of the log.
- A second bind to an ipc path would steal it: the lock is taken first.
"""

import contextlib
import functools
import operator
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
import structlog
import zmq
import zmq.utils.monitor

from gasoline_broker import log
from gasoline_broker.actor.wire import (
    ENVELOPE_BYTES_MAX,
    FRAMES_MAX,
    MALFORMED,
    MESSAGE_BYTES_MAX,
    REMOTE,
    Envelope,
    Kind,
    is_remote,
    pack,
    read_envelope,
)
from gasoline_broker.errors import AlreadyRunning, CannotStart
from gasoline_broker.hub.events import Drained, Event, Lost, Received, Send, Ticked
from gasoline_broker.hub.limits import Limits
from gasoline_broker.hub.routing import Routing
from gasoline_broker.hub.state import Identity
from gasoline_broker.keys import BETWEEN_MACHINES, LOG_EVERY_S, Keys, Pair, family
from gasoline_broker.lock import Lock
from gasoline_broker.log import Throttle
from gasoline_broker.product import VERSION
from gasoline_broker.settings import Settings, private_dir

BATCH = 128
KEPT_AS_BYTES = 8_192
HIGH_WATER_MARK = 1_000
DRAIN_S = 2.0  # how long it finishes what it holds when it stops; the rest is sent again to the next broker
PROBES_S = (0.0, 0.005, 0.05, 0.5)  # after a link has broken
PROBE_EVERY_S = 0.02  # at most: a peer that reads nothing is sent 400 until it is dead (8 s), and may be sent 1,000
AS_FRAME = False  # pyzmq's `copy`: a Frame knows cheaply whether more frames follow, the socket does not (0.1 to 5 µs)
FILES_CHECK_S = 1.0  # routing has a turn each second at least
LINGER_MS = 2_000  # how long the last answers may take to leave; on a busy machine 100 ms were too short
REFUSED: dict[int, str] = {
    zmq.EVENT_HANDSHAKE_FAILED_AUTH: "Its key is not allowed: `gasoline keys` shows which are.",
    zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL: "It has another broker key than `gasoline keys` prints, or no key.",
    zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL: "It disconnected during the handshake.",
}
MONITORED = functools.reduce(operator.or_, REFUSED, zmq.EVENT_DISCONNECTED)
NOW, MORE_NOW = int(zmq.DONTWAIT), int(zmq.DONTWAIT | zmq.SNDMORE)  # an enum's `|` takes 1.4 µs
OPTIONS: dict[int, Any] = {
    zmq.ROUTER_MANDATORY: 1,
    zmq.ROUTER_HANDOVER: 1,
    zmq.SNDHWM: HIGH_WATER_MARK,
    zmq.RCVHWM: HIGH_WATER_MARK,
    zmq.LINGER: 0,
    zmq.MAXMSGSIZE: MESSAGE_BYTES_MAX,
    zmq.HANDSHAKE_IVL: 5_000,
}

ASK = Kind.ASK

logger = structlog.get_logger()


class Listener:
    """A socket for peers, and the monitor of their links. `prefix` begins their addresses in routing."""

    def __init__(
        self, context: "zmq.Context[zmq.Socket[bytes]]", prefix: bytes, options: Mapping[int, Any] = OPTIONS
    ) -> None:
        self.prefix = prefix
        self.socket = context.socket(zmq.ROUTER)
        for option, value in options.items():
            self.socket.setsockopt(option, value)
        # pyzmq's own Socket wraps these in keyword handling that we don't need and that costs half of the sending
        self.receive: Callable[..., Any] = super(zmq.Socket, self.socket).recv
        self.send: Callable[..., object] = super(zmq.Socket, self.socket).send
        self.monitor = self.socket.get_monitor_socket(MONITORED)
        self.probes: list[float] = []  # when its peers are to be probed
        self.probed_at = 0.0

    def events(self) -> Iterator[int]:
        """Return the monitor's events, one batch at most."""
        for _ in range(BATCH):
            if not self.monitor.poll(0):
                return
            yield zmq.utils.monitor.recv_monitor_message(self.monitor)["event"]

    def schedule_probes(self, now: float) -> None:
        """Have its peers probed: the link of one of them broke."""
        first = max(now, self.probed_at + PROBE_EVERY_S)
        self.probes = [first + after_s for after_s in PROBES_S]

    def close(self) -> None:
        """Close it; queued messages are still sent."""
        self.socket.disable_monitor()
        self.monitor.close(0)
        self.socket.close(LINGER_MS)


class Server:
    """The socket around one Routing."""

    def __init__(self, settings: Settings, limits: Limits | None = None) -> None:
        self._settings = settings
        identity = Identity(os.getpid(), VERSION, os.urandom(8))
        self.routing = Routing(time.monotonic(), limits or Limits(), identity)
        self._poller = zmq.Poller()
        self._keys = Keys(settings)
        self._refusals = Throttle(LOG_EVERY_S)
        self._listeners: list[Listener] = []
        self._readers: dict[Any, Callable[[], None]] = {}
        self._stopping_at = 0.0
        self._files_at = 0.0
        self._debug = settings.log_level == "debug"

    def run(self) -> None:
        """Serve until SIGTERM, SIGINT or the end of the supervisor's lifeline.

        Raises:
            AlreadyRunning: another broker serves this runtime folder.
            CannotStart: the runtime folder, or the socket in it, cannot be used.

        """
        private_dir(self._settings.runtime_dir)
        self._lock = Lock(self._settings.broker_lock, "The broker")
        self._lock.take()
        try:
            with self._listening(), _woken_by_signals() as woken:
                self._watch(woken)
                logger.info("broker_ready")
                while not (self._stopping_at and (self.routing.idle or time.monotonic() > self._stopping_at)):
                    self._turn()
        finally:
            self._lock.release()
            logger.info("broker_stopped", **self.routing.state.counts)

    @contextlib.contextmanager
    def _listening(self) -> Iterator[None]:
        """Listen for the processes of this machine and, if it is set, for those of other machines with a key."""
        context = zmq.Context()
        with contextlib.ExitStack() as stack:
            stack.callback(context.term)
            self._open(stack, Listener(context, b""), self._settings.local_address)
            stack.callback(self._remove_socket)
            if self._settings.listen:
                options = _encrypted(self._keys.own(), self._settings.listen)
                stack.enter_context(_authenticated(context, self._keys))
                self._open(stack, Listener(context, REMOTE, options), self._settings.listen)
            yield

    def _open(self, stack: contextlib.ExitStack, listener: Listener, address: str) -> None:
        stack.callback(listener.close)
        _bind(listener, address)
        self._listeners.append(listener)
        logger.info("broker_listening", address=address)

    def _keep_files(self) -> None:
        """Make the lock and the socket again if they were deleted; links that are up stay so."""
        try:
            if self._lock.is_lost:
                private_dir(self._settings.runtime_dir)
                self._lock.take_again()
                logger.warning("lock_made_again")
            if not self._settings.broker_socket.exists():
                _bind(self._listeners[0], self._settings.local_address)
                logger.warning("socket_made_again")
        except (AlreadyRunning, CannotStart, OSError) as fault:
            logger.warning("file_lost", reason=str(fault))

    def _remove_socket(self) -> None:
        with contextlib.suppress(OSError):  # without our socket there, we could not have bound
            self._settings.broker_socket.unlink(missing_ok=True)

    def _watch(self, woken: socket.socket) -> None:
        for listener in self._listeners:
            self._readers[listener.socket] = functools.partial(self._drain, listener)
            self._readers[listener.monitor] = functools.partial(self._notice, listener)
        self._readers[woken.fileno()] = functools.partial(self._stop, woken)
        if self._settings.lifeline_fd >= 0:
            self._readers[self._settings.lifeline_fd] = self._stop
        for reader in self._readers:
            self._poller.register(reader, zmq.POLLIN)

    def _turn(self) -> None:
        probes = [at for listener in self._listeners for at in listener.probes[:1]]
        until = min([self.routing.due(), *probes, *([self._stopping_at] if self._stopping_at else [])])
        for ready, _ in self._poller.poll(max(0, int((until - time.monotonic()) * 1000) + 1)):
            self._readers[ready]()
        now = time.monotonic()
        for listener in self._listeners:
            if listener.probes and now >= listener.probes[0]:
                self._probe(now, listener)
        if now >= self.routing.due():
            self._take(Ticked())
        if now >= self._files_at and not self._stopping_at:
            self._files_at = now + FILES_CHECK_S
            self._keep_files()

    def _stop(self, woken: socket.socket | None = None) -> None:
        """Accept nothing more. On the second call: stop at once."""
        if woken is None:  # the supervisor is gone, and stays so
            self._poller.unregister(self._settings.lifeline_fd)
        else:
            woken.recv(1)
        now = time.monotonic()
        self._stopping_at = now if self._stopping_at else now + DRAIN_S
        self._take(Drained())

    def _drain(self, listener: Listener) -> None:
        """Handle what has arrived, one batch at most, so that nothing else starves; then send what follows from it."""
        out: list[Send] = []
        for _ in range(BATCH):
            try:
                identity = listener.receive(NOW, AS_FRAME)
            except zmq.Again:
                break
            frames = []
            more = identity.more
            while more:  # a message arrives whole: the rest of it is there
                frame = listener.receive(NOW, AS_FRAME)
                more = frame.more
                frames.append(frame.bytes if len(frame) < KEPT_AS_BYTES else frame)
            event = self._read(listener.prefix + identity.bytes, frames)
            if event is not None:
                out += self.routing.handle(time.monotonic(), event)
        self._flush(out)

    def _read(self, peer: bytes, frames: list[Any]) -> Received | None:
        try:
            sizes = [len(frame) for frame in frames]
            if not 0 < len(sizes) <= FRAMES_MAX or sizes[0] > ENVELOPE_BYTES_MAX or sum(sizes[1:]) > MESSAGE_BYTES_MAX:
                raise msgspec.ValidationError
            envelope = read_envelope(frames[0])
        except MALFORMED:
            self.routing.state.counts["malformed"] += 1
            return None
        if self._debug and envelope.trace:
            logger.debug("message_received", kind=envelope.kind.name, position=envelope.position, trace=envelope.trace)
        return Received(peer, envelope, frames[1:])

    def _notice(self, listener: Listener) -> None:
        now = time.monotonic()
        for event in listener.events():
            if event == zmq.EVENT_DISCONNECTED:
                listener.schedule_probes(now)
            else:
                self._refused(now, event)

    def _refused(self, now: float, event: int) -> None:
        self.routing.state.counts["refused"] += 1
        if times := self._refusals.count(now):
            key = {"key": self._keys.refused} if event == zmq.EVENT_HANDSHAKE_FAILED_AUTH else {}
            logger.warning("peer_refused", reason=REFUSED[event], times=times, **key)

    def _probe(self, now: float, listener: Listener) -> None:
        del listener.probes[0]
        listener.probed_at = now
        for identity in list(self.routing.state.peers):
            its = self._listeners[-1] if is_remote(identity) else self._listeners[0]
            if its is listener and not self._put(Send(identity, Envelope(Kind.PING))):
                self._take(Lost(identity))

    def _take(self, event: Event) -> None:
        self._flush(self.routing.handle(time.monotonic(), event))

    def _flush(self, sends: list[Send]) -> None:
        """Send messages, and then what follows from the peers that could not be reached."""
        while sends:
            lost: dict[bytes, set[bytes]] = {}
            for send in sends:
                if send.peer in lost or not self._put(send):
                    unsent = lost.setdefault(send.peer, set())
                    if send.envelope.kind is ASK:
                        unsent.add(send.envelope.id)
            sends = []
            for peer, unsent in lost.items():
                sends += self.routing.handle(time.monotonic(), Lost(peer, frozenset(unsent)))

    def _put(self, send: Send) -> bool:
        """Send a message; False when its peer is gone, or has a thousand unread."""
        peer, envelope, frames = send.peer, send.envelope, send.frames
        listener = self._listeners[-1] if is_remote(peer) else self._listeners[0]
        head = pack(envelope)  # before anything is sent: half a message would be the next one's beginning
        try:
            address = peer[len(listener.prefix) :] if listener.prefix else peer
            listener.send(address, MORE_NOW)  # only the first frame can fail
        except zmq.ZMQError as fault:
            self._unreachable(peer, envelope.kind, fault)
            return False
        if not frames:
            listener.send(head, NOW)
            return True
        listener.send(head, MORE_NOW)
        for frame in frames[:-1]:
            listener.send(frame, MORE_NOW, len(frame) < KEPT_AS_BYTES)
        listener.send(frames[-1], NOW, len(frames[-1]) < KEPT_AS_BYTES)
        return True

    def _unreachable(self, peer: bytes, kind: Kind, fault: zmq.ZMQError) -> None:
        self.routing.state.counts["slow_peers" if fault.errno == zmq.EAGAIN else "unreachable"] += 1
        if peer in self.routing.state.peers:  # else a stranger may cause thousands
            logger.info("peer_unreachable", kind=kind.name, reason=str(fault))


def _bind(listener: Listener, address: str) -> None:
    before = os.umask(0o177)  # pyzmq makes the socket's file with the umask's mode
    try:
        listener.socket.bind(address)
    except zmq.ZMQError as fault:
        raise CannotStart(f"{address} cannot be listened on: {zmq.strerror(fault.errno or 0)}.") from None
    finally:
        os.umask(before)


@contextlib.contextmanager
def _authenticated(context: "zmq.Context[zmq.Socket[bytes]]", keys: Keys) -> Iterator[None]:
    """Check every CURVE peer against the list of keys."""
    from zmq.auth.thread import ThreadAuthenticator  # noqa: PLC0415 - imports asyncio, which one machine alone does not need

    authenticator = ThreadAuthenticator(context)
    authenticator.start()
    authenticator.configure_curve_callback(credentials_provider=keys)
    try:
        yield
    finally:
        authenticator.stop()


def _encrypted(own: Pair, address: str) -> dict[int, Any]:
    return OPTIONS | BETWEEN_MACHINES | family(address) | {zmq.CURVE_SERVER: 1, zmq.CURVE_SECRETKEY: own.secret}


@contextlib.contextmanager
def _woken_by_signals() -> Iterator[socket.socket]:
    """Return a socket that becomes readable on SIGTERM and SIGINT: a poller must not be interrupted by them."""
    reading, writing = socket.socketpair()
    writing.settimeout(0.0)
    before = signal.set_wakeup_fd(writing.fileno())
    kept = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield reading
    finally:
        signal.set_wakeup_fd(before)
        for number, handler in kept.items():
            signal.signal(number, handler)
        reading.close()
        writing.close()


def run(settings: Settings) -> None:
    """Run the broker's process. Raises as Server.run does."""
    log.configure(settings, "broker")
    Server(settings).run()
