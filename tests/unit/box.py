"""A Mailbox with a clock of its own, for tests; it adds no rule of its own."""

from typing import Any

from gasoline_broker.actor.mailbox import Action, Ask, Event, Linked, Mailbox, Received, Ticked
from gasoline_broker.actor.wire import Envelope, Kind
from gasoline_broker.messages import Register
from unit.hub import itinerary

LIFE = b"a broker's life"
REGISTRATION = Register("diff", 1, pid=7, version="1")


class Process:
    """A mailbox with a clock; every method lets one event happen and gives what is to be done because of it."""

    def __init__(self, registration: Register = REGISTRATION) -> None:
        self.now = 1_000.0
        self.mailbox = Mailbox(registration, self.now)

    def handle(self, event: Event) -> list[Action]:
        return self.mailbox.handle(self.now, event)

    def link(self) -> list[Action]:
        return self.handle(Linked())

    def receive(self, kind: Kind, ask_id: bytes = b"", *frames: bytes, **more: Any) -> list[Action]:
        return self.handle(Received(Envelope(kind, ask_id, **more), frames))

    def ask(self, ask_id: bytes, ttl_s: float = 10.0, **more: Any) -> list[Action]:
        return self.handle(Ask(ask_id, itinerary("diff"), self.now + ttl_s, [b"body"], **more))

    def wait(self, seconds: float) -> list[Action]:
        self.now += seconds
        return self.handle(Ticked())

    def meet(self, life: bytes) -> list[Action]:
        """Be linked with a broker, and known to it."""
        return self.link() + self.receive(Kind.REGISTER, life)

    def registered(self) -> "Process":
        self.meet(LIFE)
        return self
