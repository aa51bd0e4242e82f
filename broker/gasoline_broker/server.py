"""The broker's process: moves frames between its socket and routing; it decides nothing.

Rules of this file (the measurements behind them: docs/design.md, Broker):
- One synchronous poller that drains in batches. Frame by frame, because a peer's frames must be counted before they are
  kept; below 8 KB as bytes, because a small frame object pins an 8 KB receive buffer.
- ROUTER_MANDATORY: a peer that is gone or full is an error on the first frame, never a silent drop.
- The monitor tells within milliseconds that some link broke, but not whose: so every peer is probed. It tells before
  the socket has learned of it (in 3 of 20 deaths a probe came too early, measured): so they are probed again.
- A second bind to an ipc path would steal it: the lock is taken first.
"""

import contextlib
import os
import signal
import socket
import time
from collections import deque
from collections.abc import Iterator
from typing import Any

import structlog
import zmq
import zmq.utils.monitor

from gasoline_broker import log
from gasoline_broker.errors import CannotStart
from gasoline_broker.lock import Lock
from gasoline_broker.product import VERSION
from gasoline_broker.routing import Event, Limits, Lost, Received, Routing, Send, Ticked
from gasoline_broker.settings import Settings, private_dir
from gasoline_broker.wire import (
    ENVELOPE_BYTES_MAX,
    FRAMES_MAX,
    MALFORMED,
    MESSAGE_BYTES_MAX,
    Envelope,
    Kind,
    pack,
    read_envelope,
)

BATCH = 128
KEPT_AS_BYTES = 8_192
HIGH_WATER_MARK = 1_000
PROBES_S = (0.0, 0.005, 0.05, 0.5)  # after a link has broken
NOW, MORE = zmq.DONTWAIT, zmq.SNDMORE
OPTIONS = {
    zmq.ROUTER_MANDATORY: 1,
    zmq.ROUTER_HANDOVER: 1,
    zmq.SNDHWM: HIGH_WATER_MARK,
    zmq.RCVHWM: HIGH_WATER_MARK,
    zmq.LINGER: 0,
    zmq.MAXMSGSIZE: MESSAGE_BYTES_MAX,
    zmq.HANDSHAKE_IVL: 5_000,
}

logger = structlog.get_logger()


class Server:
    """The socket around one Routing."""

    def __init__(self, settings: Settings, limits: Limits | None = None) -> None:
        self._settings = settings
        self.routing = Routing(time.monotonic(), os.getpid(), VERSION, limits or Limits())
        self._poller = zmq.Poller()
        self._probes: list[float] = []
        self._stopping = False

    def run(self) -> None:
        """Serve until SIGTERM, SIGINT or the end of the supervisor's lifeline.

        Raises:
            AlreadyRunning: another broker serves this runtime folder.
            CannotStart: the runtime folder, or the socket in it, cannot be used.

        """
        private_dir(self._settings.runtime_dir)
        lock = Lock(self._settings.runtime_dir / "broker.lock", "The broker")
        lock.take()
        try:
            with self._listening(), _woken_by_signals() as woken:
                self._watch(woken)
                logger.info("broker_ready", address=self._settings.broker_address)
                while not self._stopping:
                    self._turn(woken)
        finally:
            lock.release()
            logger.info("broker_stopped", **self.routing.counts)

    @contextlib.contextmanager
    def _listening(self) -> Iterator[None]:
        context = zmq.Context()
        self._socket = context.socket(zmq.ROUTER)
        for option, value in OPTIONS.items():
            self._socket.setsockopt(option, value)
        self._monitor = self._socket.get_monitor_socket(zmq.EVENT_DISCONNECTED)
        try:
            self._bind()
            yield
        finally:
            self._socket.disable_monitor()
            self._monitor.close(0)
            self._socket.close(0)
            context.term()
            with contextlib.suppress(OSError):  # whatever is there instead of our socket, we could not bind
                self._settings.broker_socket.unlink(missing_ok=True)

    def _bind(self) -> None:
        before = os.umask(0o177)  # pyzmq makes the socket's file with the umask's mode
        try:
            self._socket.bind(self._settings.broker_address)
        except zmq.ZMQError as fault:
            raise CannotStart(f"{self._settings.broker_socket} cannot be listened on: {fault.strerror}.") from None
        finally:
            os.umask(before)

    def _watch(self, woken: socket.socket) -> None:
        self._poller.register(self._socket, zmq.POLLIN)
        self._poller.register(self._monitor, zmq.POLLIN)
        self._poller.register(woken.fileno(), zmq.POLLIN)
        if self._settings.lifeline_fd >= 0:
            self._poller.register(self._settings.lifeline_fd, zmq.POLLIN)

    def _turn(self, woken: socket.socket) -> None:
        wait_s = max(0.0, min([self.routing.due(), *self._probes[:1]]) - time.monotonic())
        for ready, _ in self._poller.poll(int(wait_s * 1000) + 1):
            if ready is self._socket:
                self._drain()
            elif ready is self._monitor:
                self._notice()
            elif ready in (woken.fileno(), self._settings.lifeline_fd):
                self._stopping = True
        if self._probes and time.monotonic() >= self._probes[0]:
            self._probe()
        if time.monotonic() >= self.routing.due():
            self._take(Ticked())

    def _drain(self) -> None:
        """Take in what has arrived, one batch at most, so that nothing else starves."""
        for _ in range(BATCH):
            try:
                identity = self._socket.recv(NOW)
            except zmq.Again:
                return
            frames = []
            while self._socket.rcvmore:  # a message arrives whole: the rest of it is there
                frame = self._socket.recv(NOW, copy=False)
                frames.append(frame.bytes if len(frame) < KEPT_AS_BYTES else frame)
            self._read(identity, frames)

    def _read(self, identity: bytes, frames: list[Any]) -> None:
        if not 0 < len(frames) <= FRAMES_MAX or len(frames[0]) > ENVELOPE_BYTES_MAX:
            self.routing.counts["malformed"] += 1
            return
        try:
            envelope = read_envelope(frames[0])
        except MALFORMED:
            self.routing.counts["malformed"] += 1
            return
        self._take(Received(identity, envelope, frames[1:]))

    def _notice(self) -> None:
        while self._monitor.poll(0):
            zmq.utils.monitor.recv_monitor_message(self._monitor)
        now = time.monotonic()
        self._probes = [now + after_s for after_s in PROBES_S]

    def _probe(self) -> None:
        del self._probes[0]
        for identity in list(self.routing.peers):
            if not self._put(Send(identity, Envelope(Kind.PING))):
                self._take(Lost(identity))

    def _take(self, event: Event) -> None:
        events: deque[Event] = deque([event])
        while events:  # what follows from a peer's loss is sent after all that was decided before it
            for send in self.routing.handle(time.monotonic(), events.popleft()):
                if not self._put(send):
                    events.append(Lost(send.peer))

    def _put(self, send: Send) -> bool:
        """Send a message; False when its peer is gone, or has not read a thousand."""
        peer, envelope, frames = send
        try:
            self._socket.send(peer, MORE | NOW)  # only the first frame can fail
        except zmq.ZMQError as fault:
            self.routing.counts["unreachable"] += 1
            if peer in self.routing.peers:  # else there may be thousands of a stranger's
                logger.info("peer_unreachable", kind=envelope.kind.name, reason=str(fault))
            return False
        if not frames:
            self._socket.send(pack(envelope), NOW)
            return True
        self._socket.send(pack(envelope), MORE | NOW)
        for frame in frames[:-1]:
            self._socket.send(frame, MORE | NOW, copy=False)
        self._socket.send(frames[-1], NOW, copy=False)
        return True


@contextlib.contextmanager
def _woken_by_signals() -> Iterator[socket.socket]:
    """Give a socket that becomes readable on SIGTERM and SIGINT: a poller must not be interrupted by them."""
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
    """Be the broker's process. Raises as Server.run does."""
    log.configure(settings, "broker")
    Server(settings).run()
