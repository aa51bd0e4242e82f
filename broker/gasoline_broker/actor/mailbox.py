"""A process's end of the link to the broker, as a state machine; it reads no clock and opens no socket.

Rules of this file:
- `handle(now, event)` is the only way in, the list of actions it returns the only way out. `now` is monotonic, in s.
- A message that was accepted for sending is not delivered: only an answer with its id proves anything. So open asks are
  kept, and sent again with the same id whenever the process registers; ids make that safe.
- Whatever cuts the link, the process registers anew as soon as the link stands, and says what it holds. Nothing is
  asked before that is answered: the answer says which life of the broker this is, and an ask says whether an earlier
  one may have had it. To a broker that is closing nothing new is sent.
- An ask is settled once: by its answer, by its asker who gives it up, or by its time (GRACE_S after the broker would).
- A stop is worked on once at a time. A COMMAND is done once, however often it is given: its answer is remembered until
  nobody can ask for it any more, and given again.
"""

import heapq
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from gasoline_broker.actor.wire import LEFT_OFF, Delivery, Envelope, Kind, Priority, Stop, pack
from gasoline_broker.errors import Failure
from gasoline_broker.messages import Held, Register

GRACE_S = 0.5  # how much later than the broker an asker gives up by itself, so that the broker's better words win
REGISTER_S = 1.0  # how long the broker may take to answer a registration, until it is sent again
REMEMBERED_S = 60.0  # after its deadline nobody sends an ask again; this much more for clocks that were suspended
REMEMBERED = 5_000  # commands
REMEMBERED_BYTES = 16 << 20  # above it the oldest answers are forgotten, but not that they were given
NOWHERE = -1  # the position of who works on no stop: that ask may be given again before the broker reads this
TAKEN = 64  # events are said to be taken by so many at a time, or when the socket is empty

Frames = Sequence[Any]
Spot = tuple[bytes, int]  # an ask's id, and the stop's position: one may come here twice


class Ask(NamedTuple):
    """Event: this process asks. `topic`: it is an event, which nobody answers."""

    number: bytes
    itinerary: tuple[Stop, ...]
    until: float
    frames: Frames = ()
    session: str = ""
    trace: str = ""
    priority: Priority = Priority.INTERACTIVE
    topic: str = ""


class GivenUp(NamedTuple):
    """Event: nobody waits for the answer to this ask any more."""

    number: bytes


class Worked(NamedTuple):
    """Event: the work on a stop is finished; `kind` is ANSWER or FAILURE."""

    spot: Spot
    kind: Kind
    frames: Frames


class Linked(NamedTuple):
    """Event: the link to a broker stands."""


class Cut(NamedTuple):
    """Event: the link to the broker broke."""


class Received(NamedTuple):
    """Event: a message from the broker."""

    envelope: Envelope
    frames: Frames


class Emptied(NamedTuple):
    """Event: all that had arrived was taken in."""


class Leaving(NamedTuple):
    """Event: take no more work, and be known to have left."""


class Ticked(NamedTuple):
    """Event: time has passed; `due()` says when the next one is wanted."""


Event = Ask | GivenUp | Worked | Linked | Cut | Received | Emptied | Leaving | Ticked


class Send(NamedTuple):
    """Action: hand this to the socket."""

    envelope: Envelope
    frames: Frames = ()


class Start(NamedTuple):
    """Action: begin to work on this stop, and say Worked when it is finished. `until`: when nobody waits any more."""

    spot: Spot
    envelope: Envelope
    frames: Frames
    until: float


class Abandon(NamedTuple):
    """Action: stop the work on this stop, if it can be; say Worked when it has ended."""

    spot: Spot


class Settled(NamedTuple):
    """Action: an ask has its answer."""

    number: bytes
    kind: Kind
    frames: Frames


class Heard(NamedTuple):
    """Action: an event came."""

    envelope: Envelope
    frames: Frames


Action = Send | Start | Abandon | Settled | Heard


class Open(NamedTuple):
    """An ask that has no answer yet. `life`: the broker's it was last sent to; `before`: one before may have had it."""

    ask: Ask
    life: bytes | None = None
    before: bool = False


class Done(NamedTuple):
    """A command that was done, and what was answered."""

    kind: Kind
    frames: Frames
    size_bytes: int
    until: float


BEGUN = Failure("outcome_unknown", "It was begun; nobody knows what came of it.", "Look before you do it again.")
FORGOTTEN = Kind.FAILURE, [pack(BEGUN)]
CANCELLED = Kind.FAILURE, [pack(Failure("cancelled", "Nobody waits for this any more."))]
SILENT = (
    Kind.FAILURE,
    [
        pack(
            Failure(
                "worker_unavailable",
                "The broker did not answer in time.",
                "Run `gasoline status`; `gasoline up` starts what is missing.",
            )
        )
    ],
)


class Mailbox:
    """The end of one process life."""

    def __init__(self, told: Register, now: float) -> None:
        self._told = told
        self.open: dict[bytes, Open] = {}
        self.working: dict[Spot, Start] = {}
        self._abandoned: dict[Spot, Received | None] = {}  # and what it was given again meanwhile
        self._deadlines: list[tuple[float, bytes]] = []
        self._done: OrderedDict[Spot, Done] = OrderedDict()
        self._done_bytes = 0
        self._heard_at = now
        self._introduced_at = 0.0
        self._met = 0
        self.untaken = 0  # events that were heard, and not yet said to be
        self.linked = False  # the link stands, and we have said who we are
        self.registered = False  # and were answered
        self._life = b""
        self._closing = False
        self.leaving = False
        self.dismissed = False  # we are given nothing more
        self._out: list[Action] = []
        self._events: dict[type[Event], Callable[[float, Any], None]] = {
            Received: self._received,
            Ask: self._ask,
            Worked: self._worked,
            Emptied: lambda _now, _event: self._take(),
            GivenUp: self._give_up,
            Linked: lambda now, _event: self._meet(now),
            Cut: self._cut,
            Leaving: lambda _now, _event: self._leave(),
            Ticked: self._tick,
        }

    def handle(self, now: float, event: Event) -> list[Action]:
        """Take in one event and give what is to be done because of it, in order."""
        self._events[type(event)](now, event)
        out, self._out = self._out, []
        return out

    def due(self) -> float:
        """Give the time at which the next `Ticked` is wanted."""
        while self._deadlines and self._deadlines[0][1] not in self.open:
            heapq.heappop(self._deadlines)
        first = self._deadlines[0][0] if self._deadlines else float("inf")
        return min(first, self._introduced_at + REGISTER_S) if self.linked and not self.registered else first

    def silent_s(self, now: float) -> float:
        """Tell for how long nothing was heard of a broker that is linked."""
        return now - self._heard_at if self.linked else 0.0

    @property
    def idle(self) -> bool:
        """Whether nothing is worked on, and nothing asked."""
        return not self.working and not self.open

    # Asking

    def _ask(self, now: float, ask: Ask) -> None:
        if not ask.topic:
            self.open[ask.number] = Open(ask)
            heapq.heappush(self._deadlines, (ask.until + GRACE_S, ask.number))
        self._send_ask(now, Open(ask))

    def _send_ask(self, now: float, one: Open) -> None:
        ask = one.ask
        ttl_ms = int((ask.until - now) * 1000)
        if ttl_ms <= 0 or not self.registered or self._closing:
            return
        before = one.before or one.life not in {None, self._life}
        envelope = Envelope(
            Kind.EVENT if ask.topic else Kind.ASK,
            ask.number,
            ask.itinerary,
            ttl_ms=ttl_ms,
            attempt=int(before),
            session=ask.session,
            trace=ask.trace,
            priority=ask.priority,
            topic=ask.topic,
        )
        if not ask.topic:
            self.open[ask.number] = Open(ask, self._life, before)
        self._send(envelope, ask.frames)

    def _give_up(self, _now: float, event: GivenUp) -> None:
        if self.open.pop(event.number, None):
            self._send(Envelope(Kind.CANCEL, event.number))

    def _settle(self, number: bytes, kind: Kind, frames: Frames) -> None:
        if self.open.pop(number, None):
            self._out.append(Settled(number, kind, frames))

    def _tick(self, now: float, _event: Ticked) -> None:
        if self.linked and not self.registered and now >= self._introduced_at + REGISTER_S:
            self._introduce(now)
        for number in [number for number, one in self.open.items() if now >= one.ask.until + GRACE_S]:
            self._settle(number, *SILENT)
            self._send(Envelope(Kind.CANCEL, number))

    # The link

    def _meet(self, now: float) -> None:
        """Begin anew with whoever is at the other end."""
        self._met += 1
        self._introduce(now)

    def _introduce(self, now: float) -> None:
        """Say who we are and what we hold."""
        self.linked, self.registered = True, False
        self._introduced_at = self._heard_at = now
        self._forget(now)
        held = [Held(*spot, left_ms=max(0, int((one.until - now) * 1000))) for spot, one in self.working.items()]
        told = msgspec.structs.replace(self._told, holds=(*held, *(Held(*spot, done=True) for spot in self._done)))
        self._send(Envelope(Kind.REGISTER, position=self._met), [pack(told)])

    def _begin(self, now: float, envelope: Envelope) -> None:
        """Ask what is unanswered, now that the broker knows us; it has heard it before, if its life is the same."""
        if not self.linked or self.registered:
            return
        self.registered, self._closing, self._life = True, False, envelope.id
        for one in list(self.open.values()):
            self._send_ask(now, one)
        if self.leaving:  # after them: who has asked nothing and says goodbye is forgotten
            self._leave()

    def _cut(self, _now: float, _event: Cut) -> None:
        self.linked = self.registered = False
        self.dismissed = self.leaving

    def _leave(self) -> None:
        self.leaving = True
        self.dismissed = not self.linked
        if self.registered:
            self._send(Envelope(Kind.GOODBYE))

    def _received(self, now: float, event: Received) -> None:
        self._heard_at = now
        envelope = event.envelope
        match envelope.kind:
            case Kind.ASK:
                self._given(now, event)
            case Kind.ANSWER | Kind.FAILURE:
                self._settle(envelope.id, envelope.kind, event.frames)
            case Kind.EVENT:
                self._hear(event)
            case Kind.CANCEL:
                self._cancel(envelope.id)
            case Kind.PING:
                self._send(Envelope(Kind.PONG))
            case Kind.REGISTER:
                self._begin(now, envelope)
            case Kind.RESET if self.registered and not self._closing:  # else it is about something before that
                self._meet(now)
            case Kind.GOODBYE:
                self._sent_off(envelope.id)
            case Kind.CLOSING:
                self._closing = True
                self._send(Envelope(Kind.CLOSING))
            case _:  # a RESET before that; the rest is for a broker
                pass

    def _sent_off(self, number: bytes) -> None:
        """Learn that the broker gives us nothing more; with a number: that it is leaving and did not take that ask."""
        if not number:
            self.dismissed = self.leaving
        elif number in self.open:
            self.open[number] = self.open[number]._replace(life=None)

    def _hear(self, event: Received) -> None:
        self._out.append(Heard(event.envelope, event.frames))
        self.untaken += 1
        if self.untaken >= TAKEN:
            self._take()

    def _take(self) -> None:
        if self.untaken:
            self._send(Envelope(Kind.TAKEN, position=self.untaken))
            self.untaken = 0

    # Working

    def _given(self, now: float, event: Received) -> None:
        envelope = event.envelope
        spot = envelope.id, envelope.position
        done = self._done.get(spot)
        if done is not None:
            self._answer(spot, done.kind, done.frames)
        elif spot in self._abandoned:
            self._abandoned[spot] = event
        elif spot not in self.working and self._told.capacity > 0:
            start = Start(spot, envelope, event.frames, now + envelope.ttl_ms / 1000)
            self.working[spot] = start
            self._out.append(start)

    def _worked(self, now: float, event: Worked) -> None:
        spot, kind, frames = event
        start = self.working.pop(spot)
        left, again = spot in self._abandoned, self._abandoned.pop(spot, None)
        if start.envelope.itinerary[spot[1]].delivery is Delivery.COMMAND:
            if left:  # its asker may have come back: it may have happened, whatever the work says
                kind, frames = FORGOTTEN
            self._remember(now, spot, kind, frames, start.until)
        elif again is not None:
            self._given(now, again)
            return
        elif left:
            self._send(Envelope(kind, spot[0], position=spot[1], attempt=LEFT_OFF), frames)
            return
        self._answer(spot, kind, frames)

    def _answer(self, spot: Spot, kind: Kind, frames: Frames) -> None:
        self._send(Envelope(kind, spot[0], position=spot[1]), frames)

    def _cancel(self, number: bytes) -> None:
        spots = [spot for spot in self.working if spot[0] == number]
        self._out += [Abandon(spot) for spot in spots if spot not in self._abandoned]
        self._abandoned.update(dict.fromkeys(spots))
        if not spots:  # said in any case: the broker keeps the place of an ask until it is answered
            self._answer((number, NOWHERE), *CANCELLED)

    def _remember(self, now: float, spot: Spot, kind: Kind, frames: Frames, until: float) -> None:
        size_bytes = sum(map(len, frames))
        self._done[spot] = Done(kind, frames, size_bytes, until + REMEMBERED_S)
        self._done_bytes += size_bytes
        if self._done_bytes > REMEMBERED_BYTES:
            self._shrink()
        if len(self._done) > REMEMBERED:
            self._forget(now)
        if len(self._done) > REMEMBERED:
            self._done_bytes -= self._done.popitem(last=False)[1].size_bytes

    def _shrink(self) -> None:
        """Forget the oldest answers, but not that the commands were done."""
        for spot, done in self._done.items():
            if self._done_bytes <= REMEMBERED_BYTES // 2:
                return
            self._done[spot] = Done(*FORGOTTEN, 0, done.until)
            self._done_bytes -= done.size_bytes

    def _forget(self, now: float) -> None:
        for spot in [spot for spot, done in self._done.items() if done.until <= now]:
            self._done_bytes -= self._done.pop(spot).size_bytes

    def _send(self, envelope: Envelope, frames: Frames = ()) -> None:
        if self.linked:
            self._out.append(Send(envelope, frames))
