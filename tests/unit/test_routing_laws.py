"""The laws of routing: a state machine of random events, with a ledger kept beside it by hand."""

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from gasoline_broker.actor.wire import Delivery, Envelope, Kind, Label, Stop, pack
from gasoline_broker.hub.delivery import ATTEMPTS_MAX
from gasoline_broker.hub.events import Lost, Received, Send, Ticked
from gasoline_broker.hub.limits import Limits
from gasoline_broker.hub.routing import Routing
from gasoline_broker.messages import Register
from sim import laws

LIMITS = Limits(queue=2, window=4, stops=3)
PAGE = b"the page said"
MESSAGE = msgspec.Raw(pack(None))
OURS = {Kind.ANSWER, Kind.FAILURE}

peers = st.sampled_from([b"p", b"q", b"r", b"s", b"t"])
services = st.sampled_from(["bridge", "redaction", "diff", "front"])
numbers = st.sampled_from([bytes([number]) for number in range(6)])
stops = st.builds(Stop, services, st.just(MESSAGE), st.sampled_from(Delivery))
itineraries = st.lists(stops, min_size=1, max_size=3).map(tuple)
pauses = st.sampled_from([0.0, 0.001, 0.3, 1.0, 1.0, 1.5, 4.5, 100.0])
# few of many kinds of nonsense: an ask out of bounds, a claim, a kind that is not a peer's to send
garbage = st.builds(
    Envelope,
    kind=st.sampled_from(Kind),
    id=st.sampled_from([b"", b"\x00", b"\x01", b"x" * 40]),
    itinerary=st.lists(stops, max_size=5).map(tuple),
    position=st.integers(-3, 9),
    ttl_ms=st.sampled_from([-1, 0, 1, 5_000, 2**60]),
    attempt=st.integers(-1, 9),
    label=st.sampled_from(Label),
)


class RoutingLaws(RuleBasedStateMachine):
    """The ledger: the peers and their services, the open asks with their deadlines, and the assignments."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.routing = Routing(self.now, limits=LIMITS)
        self.served: dict[bytes, str] = {}
        self.registrations: dict[bytes, Register] = {}
        self.heard: dict[bytes, float] = {}
        self.leaving: set[bytes] = set()
        self.open: dict[bytes, tuple[bytes, float]] = {}
        self.given: list[tuple[bytes, Envelope, bytes]] = []
        self.commands: set[tuple[bytes, int, bytes]] = set()
        self.held: set[tuple[bytes, bytes]] = set()  # by peer and id: given, and not answered
        self.called_off: set[tuple[bytes, bytes]] = set()

    # Events

    @initialize()
    def begin(self) -> None:
        """Start with one of each, so that asks go somewhere from the first event on."""
        for peer, service in zip((b"p", b"q", b"r", b"s"), ("front", "bridge", "redaction", "diff"), strict=True):
            self.register(peer, service, 1)

    @rule(peer=peers, service=services, capacity=st.integers(-1, 2))
    def register(self, peer: bytes, service: str, capacity: int) -> None:
        """Register, or register again: then it has lost what was on the link, and still knows its commands."""
        registration = Register(service, capacity, 1, "1")
        if self.registrations.get(peer) != registration:
            self.forget(peer)
        self.registrations[peer] = registration
        self.served[peer], self.heard[peer] = service, self.now
        self.held -= {one for one in self.held if one[0] == peer}
        self.commands -= {one for one in self.commands if one[2] == peer}
        self.leaving.discard(peer)
        sent = self.receive(peer, Envelope(Kind.REGISTER), pack(registration))
        assert 1 == [(send.peer, send.envelope.kind) for send in sent].count((peer, Kind.REGISTER))

    @rule(
        peer=peers,
        number=numbers,
        itinerary=itineraries,
        ttl_ms=st.sampled_from([1, 900, 5_000]),
        claim=st.sampled_from(Label),
    )
    def ask(self, peer: bytes, number: bytes, itinerary: tuple[Stop, ...], ttl_ms: int, claim: Label) -> None:
        body = PAGE if self.served.get(peer) == "bridge" else b""
        self.receive(peer, Envelope(Kind.ASK, number, itinerary, ttl_ms=ttl_ms, label=claim), body)

    @rule(
        which=st.integers(0, 99),
        kind=st.sampled_from([Kind.ANSWER, Kind.ANSWER, Kind.FAILURE]),
        claim=st.sampled_from(Label),
    )
    def answer(self, which: int, kind: Kind, claim: Label) -> None:
        """Answer something that was assigned once: often what is still open, sometimes not."""
        if self.given:
            peer, asked, body = self.given[-1 - which % len(self.given)]
            service = asked.itinerary[asked.position].service
            answer = {"bridge": PAGE, "redaction": b"cleaned"}.get(service, body)
            self.receive(peer, Envelope(kind, asked.id, position=asked.position, label=claim), answer)

    @rule(peer=peers, number=numbers)
    def cancel(self, peer: bytes, number: bytes) -> None:
        if peer in self.served and self.open.get(number, (b"", 0))[0] == peer:
            del self.open[number]
        self.receive(peer, Envelope(Kind.CANCEL, number))

    @rule(peer=peers)
    def goodbye(self, peer: bytes) -> None:
        if peer in self.served:
            self.leaving.add(peer)
        self.receive(peer, Envelope(Kind.GOODBYE))

    @rule(peer=peers)
    def pong(self, peer: bytes) -> None:
        self.receive(peer, Envelope(Kind.PONG))

    @rule(peer=peers, envelope=garbage, frames=st.lists(st.binary(max_size=3), max_size=2))
    def nonsense(self, peer: bytes, envelope: Envelope, frames: list[bytes]) -> None:
        if envelope.kind is Kind.CANCEL and peer in self.served and self.open.get(envelope.id, (b"", 0))[0] == peer:
            del self.open[envelope.id]
        if envelope.kind is Kind.GOODBYE and peer in self.served:
            self.leaving.add(peer)
        self.receive(peer, envelope, *([PAGE] if self.served.get(peer) == "bridge" else frames))

    @rule(peer=peers)
    def lose(self, peer: bytes) -> None:
        self.forget(peer)
        self.check(self.routing.handle(self.now, Lost(peer)))

    @rule(pause=pauses)
    def tick(self, pause: float) -> None:
        self.now += pause
        sent = self.routing.handle(self.now, Ticked())
        self.check(sent)
        for peer in [peer for peer in self.served if peer not in self.routing.state.peers]:
            assert self.now - self.heard[peer] >= LIMITS.dead_after_s
            self.forget(peer)
        assert not [number for number, (_, until) in self.open.items() if until <= self.now]
        assert self.routing.due() > self.now

    # The ledger

    def receive(self, peer: bytes, envelope: Envelope, *frames: bytes) -> list[Send]:
        known = peer in self.served
        if known and envelope.kind is not Kind.REGISTER:
            self.heard[peer] = self.now
        if envelope.kind in OURS:
            self.held.discard((peer, envelope.id))
        sent = self.routing.handle(self.now, Received(peer, envelope, frames))
        if (
            envelope.kind is Kind.ASK
            and known
            and envelope.id in self.routing.state.tasks
            and envelope.id not in self.open
        ):
            self.open[envelope.id] = peer, self.now + envelope.ttl_ms / 1000
            self.commands -= {one for one in self.commands if one[0] == envelope.id}
            refused = []
        elif envelope.kind is Kind.ASK and known and self.open.get(envelope.id, (b"", 0))[0] != peer:
            refused = [send for send in sent if (send.peer, send.envelope.id) == (peer, envelope.id)]
            assert [True] == [send.envelope.kind in OURS for send in refused]
        else:
            refused = []
        self.check([send for send in sent if send not in refused])
        return sent

    def left(self, peer: bytes) -> bool:
        """Return whether it may be gone in peace: it sent GOODBYE, and is owed nothing."""
        owed = any(asker == peer for asker, _ in self.open.values())
        return peer in self.leaving and peer not in self.routing.state.peers and not owed

    def forget(self, peer: bytes) -> None:
        self.served.pop(peer, None)
        self.registrations.pop(peer, None)
        self.held -= {one for one in self.held if one[0] == peer}
        self.leaving.discard(peer)
        for number in [number for number, (asker, _) in self.open.items() if asker == peer]:
            del self.open[number]

    def check(self, sent: list[Send]) -> None:
        """Hold what was sent against the ledger."""
        for send in sent:
            kind, number = send.envelope.kind, send.envelope.id
            if kind in OURS:
                assert send.peer == self.open.pop(number)[0], "answered once, and to who asked"
                assert PAGE not in b"".join(send.frames)
            elif kind is Kind.ASK:
                self.check_given(send)
            elif kind is Kind.RESET:
                assert send.peer not in self.served
            else:
                assert kind in {Kind.REGISTER, Kind.GOODBYE, Kind.CANCEL, Kind.PING}
                assert send.peer in self.served
                if kind is Kind.CANCEL:
                    self.called_off.add((send.peer, number))
        for left in [peer for peer in self.served if self.left(peer)]:
            self.forget(left)

    def check_given(self, send: Send) -> None:
        envelope, body = send.envelope, b"".join(send.frames)
        stop = envelope.itinerary[envelope.position]
        assert stop.service == self.served[send.peer]
        assert send.peer not in self.leaving
        assert envelope.id in self.open
        assert (send.peer, envelope.id) not in self.held, "it has yet to leave off this very ask"
        self.held.add((send.peer, envelope.id))
        self.called_off.discard((send.peer, envelope.id))
        assert 1 <= envelope.attempt <= ATTEMPTS_MAX[stop.delivery]
        assert envelope.ttl_ms >= 1
        assert PAGE not in body or (stop.service == "redaction" and envelope.label is Label.RAW)
        if stop.delivery is Delivery.COMMAND:
            done = [one for one in self.commands if one[:2] == (envelope.id, envelope.position)]
            assert not done, "a command is done once"
            self.commands.add((envelope.id, envelope.position, send.peer))
        self.given.append((send.peer, envelope, body))

    # Laws

    @invariant()
    def what_is_open_in_the_ledger_is_open_in_routing(self) -> None:
        assert self.open.keys() == self.routing.state.tasks.keys()

    @invariant()
    def what_routing_remembers_agrees_with_itself(self) -> None:
        laws.check(self.routing.state)

    @invariant()
    def who_is_there_is_who_registered(self) -> None:
        assert self.served == {key: peer.registration.service for key, peer in self.routing.state.peers.items()}


RoutingLaws.TestCase.settings = settings(stateful_step_count=60)
TestRoutingLaws = pytest.mark.requirement("hub-043")(RoutingLaws.TestCase)
