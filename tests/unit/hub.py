"""A Routing with a clock of its own and peers that have names, for tests; it adds no rule of its own."""

from typing import Any, TypeVar

import msgspec

from gasoline_broker.actor.wire import Delivery, Envelope, Kind, Label, Stop, pack, stop
from gasoline_broker.errors import Failure
from gasoline_broker.hub.events import Drained, Lost, Received, Send, Ticked
from gasoline_broker.hub.limits import Limits
from gasoline_broker.hub.routing import Routing
from gasoline_broker.messages import Register

MESSAGE = msgspec.Raw(pack(None))
REMOTE = "\x01"  # how the name of a peer on another machine begins
Message = TypeVar("Message")


def itinerary(*services: str, delivery: Delivery = Delivery.QUERY) -> tuple[Stop, ...]:
    return tuple(Stop(service, MESSAGE, delivery) for service in services)


def failure_of(send: Send) -> Failure:
    assert Kind.FAILURE is send.envelope.kind
    failure: Failure = msgspec.msgpack.decode(send.frames[0], type=Failure)
    return failure


class Hub:
    """Every method lets one event happen and gives what was sent because of it."""

    def __init__(self, limits: Limits = Limits()) -> None:  # noqa: B008 - an immutable tuple
        self.now = 1_000.0
        self.routing = Routing(self.now, limits=limits)

    def receive(self, peer: str, envelope: Envelope, *frames: bytes) -> list[Send]:
        return self.routing.handle(self.now, Received(peer.encode(), envelope, frames))

    def register(self, peer: str, service: str, capacity: int = 1, **more: Any) -> list[Send]:
        registration = Register(service, capacity, pid=more.pop("pid", 1), version="1", **more)
        return self.receive(peer, Envelope(Kind.REGISTER), pack(registration))

    def ask(
        self, peer: str, ask_id: bytes, *services: str, ttl_s: float = 10.0, body: bytes = b"", **more: Any
    ) -> list[Send]:
        stops = itinerary(*services, delivery=more.pop("delivery", Delivery.QUERY))
        return self.receive(peer, Envelope(Kind.ASK, ask_id, stops, ttl_ms=int(ttl_s * 1000), **more), body)

    def read(self, peer: str, asked: msgspec.Struct, answered: type[Message]) -> Message:
        """Ask the broker itself."""
        (send,) = self.receive(peer, Envelope(Kind.ASK, b"read", (stop("broker", asked),), ttl_ms=1000), b"")
        return msgspec.msgpack.decode(send.frames[0], type=answered)

    def answer(self, peer: str, ask_id: bytes, *frames: bytes, position: int = 0) -> list[Send]:
        return self.receive(peer, Envelope(Kind.ANSWER, ask_id, position=position), *frames)

    def fail(self, peer: str, ask_id: bytes, text: str = "", position: int = 0) -> list[Send]:
        return self.receive(peer, Envelope(Kind.FAILURE, ask_id, position=position), pack(Failure("broken", text)))

    def say(self, peer: str, kind: Kind, ask_id: bytes = b"") -> list[Send]:
        return self.receive(peer, Envelope(kind, ask_id))

    def waiting(self, service: str) -> int:
        return self.routing.state.services[service].queue.size

    def lose(self, peer: str, *unsent: bytes) -> list[Send]:
        return self.routing.handle(self.now, Lost(peer.encode(), frozenset(unsent)))

    def closed(self, *peers: str) -> None:
        """Let them confirm the CLOSING."""
        for peer in peers:
            self.say(peer, Kind.CLOSING)

    def drain(self) -> list[Send]:
        return self.routing.handle(self.now, Drained())

    def tick(self, after_s: float = 0.0) -> list[Send]:
        self.now += after_s
        return self.routing.handle(self.now, Ticked())

    def wait(self, seconds: float, *alive: str) -> list[Send]:
        """Let time pass as the server does, a tick whenever one is due; the peers in `alive` answer each ping."""
        until, out = self.now + seconds, []
        while (due := self.routing.due()) <= until:
            self.now = max(self.now, due)
            sent = self.tick()
            assert self.routing.due() > self.now
            out += sent
            for send in sent:
                if send.envelope.kind is Kind.PING and send.peer.decode() in alive:
                    out += self.say(send.peer.decode(), Kind.PONG)
        self.now = until
        return out + self.tick()


def seen(sends: list[Send]) -> list[tuple[str, Kind, bytes]]:
    """Return the receivers and what they were sent, without pings."""
    return [
        (send.peer.decode(), send.envelope.kind, send.envelope.id)
        for send in sends
        if send.envelope.kind is not Kind.PING
    ]


def given(sends: list[Send]) -> list[tuple[str, bytes]]:
    """Return the processes and the asks they were assigned."""
    return [(send.peer.decode(), send.envelope.id) for send in sends if send.envelope.kind is Kind.ASK]


def failures(sends: list[Send]) -> list[tuple[bytes, str]]:
    """Return which asks failed, and by which code."""
    return [(send.envelope.id, failure_of(send).code) for send in sends if send.envelope.kind is Kind.FAILURE]


def labels(sends: list[Send]) -> list[Label]:
    return [send.envelope.label for send in sends]
