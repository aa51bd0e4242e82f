"""A peer that speaks to the broker frame by frame, as well or as badly as a test wants; it knows wire.py alone."""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self

import zmq

from gasoline_broker.actor.client import register
from gasoline_broker.actor.wire import Envelope, Kind, pack, read_envelope
from gasoline_broker.messages import Register
from gasoline_broker.settings import Settings
from process.processes import within

NOW = zmq.DONTWAIT


class Heard(NamedTuple):
    """One message that came."""

    envelope: Envelope
    frames: Sequence[bytes]


class Raw:
    """One DEALER. It reads only while listening, and then answers each PING."""

    def __init__(self, settings: Settings, on_heard: Callable[[Heard], object] = lambda _: None) -> None:
        self._address = settings.broker_address
        self._on_heard = on_heard
        self._listening = False
        self._registered = asyncio.Event()

    async def __aenter__(self) -> Self:
        """Connect, and listen."""
        self._loop = asyncio.get_running_loop()
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.DEALER)
        self._socket.setsockopt(zmq.IDENTITY, b"r" + secrets.token_bytes(8))
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.setsockopt(zmq.RCVHWM, 1)  # what it does not read shall wait at the broker
        self._socket.connect(self._address)
        self.listen()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Leave without a word."""
        self.ignore()
        self._socket.close(0)
        await asyncio.to_thread(self._context.term)

    async def register(self, told: Register | None = None) -> None:
        """Register, and wait until the broker has confirmed it."""
        self.say(Envelope(Kind.REGISTER), pack(told or register("front")))
        async with within():
            await self._registered.wait()

    def say(self, envelope: Envelope, *frames: bytes) -> bool:
        """Send a message of ours; False when there is no room for it."""
        return self.send([pack(envelope), *frames])

    def send(self, frames: Sequence[Any]) -> bool:
        """Send any frames; False when there is no room for them."""
        try:
            self._socket.send_multipart(frames, NOW)
        except zmq.Again:
            return False
        if self._listening:
            self._loop.call_soon(self._pump)
        return True

    def listen(self) -> None:
        self._listening = True
        self._loop.add_reader(self._socket, self._pump)
        self._loop.call_soon(self._pump)

    def ignore(self) -> None:
        """Read nothing any more."""
        self._listening = False
        self._loop.remove_reader(self._socket)

    def _pump(self) -> None:
        while self._listening:
            try:
                head, *frames = self._socket.recv_multipart(NOW)
            except zmq.Again:
                return
            self._hear(Heard(read_envelope(head), frames))

    def _hear(self, heard: Heard) -> None:
        match heard.envelope.kind:
            case Kind.PING:
                self.say(Envelope(Kind.PONG))
            case Kind.REGISTER:
                self._registered.set()
            case _:
                self._on_heard(heard)
