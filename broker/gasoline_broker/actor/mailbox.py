"""A process's end of the link to the broker, as a state machine without clock or socket.

Rules of this file:
- `handle(now, event)` is the only way in, the list of actions it returns the only way out. `now` is monotonic, in s.
- A message that was accepted for sending is not delivered: only an answer with its id proves anything. So open asks are
  kept, and sent again with the same id whenever the process registers; ids make that safe.
- Whenever the link has been cut, the process registers again as soon as it stands, and lists what it holds. Nothing is
  asked before that is answered: the answer has the broker's life, and an ask states whether an earlier one may have
  received it. To a broker that is closing nothing new is sent.
- An ask is settled once: by its answer, by its asker giving up, or by its time (GRACE_S after the broker would).
- A stop is worked on once at a time. A COMMAND is executed once, however often it is assigned: its answer is remembered
  until it cannot be asked for any more, and sent again.
"""

import heapq
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from gasoline_broker.actor.wire import (
    ADMITTED_BEFORE,
    ASKED_BEFORE,
    CANCELLED,
    Delivery,
    Envelope,
    Kind,
    Priority,
    Stop,
    pack,
)
from gasoline_broker.errors import Failure
from gasoline_broker.messages import HeldStop, Register

GRACE_S = 0.5  # how much later than the broker an asker gives up by itself, so that the broker's better text wins
REGISTER_S = 1.0  # how long the broker may take to answer a registration, until it is sent again
REMEMBERED_S = 60.0  # after its deadline an ask is not sent again; this much more for clocks that were suspended
REMEMBERED = 5_000  # commands
REMEMBERED_BYTES = 16 << 20  # above it the oldest answers are forgotten, but not that they were assigned
NOWHERE = -1  # the position of an answer for no stop: that ask may be assigned again before the broker reads this

Frames = Sequence[Any]
StepKey = tuple[bytes, int]  # an ask's id, and the stop's position: one ask may come here twice


class Ask(NamedTuple):
    """Event: this process asks."""

    ask_id: bytes
    itinerary: tuple[Stop, ...]
    until: float
    frames: Frames = ()
    session: str = ""
    trace: str = ""
    priority: Priority = Priority.INTERACTIVE


class GivenUp(NamedTuple):
    """Event: this process no longer waits for the answer to this ask."""

    ask_id: bytes


class Worked(NamedTuple):
    """Event: the work on a stop is finished; `kind` is ANSWER or FAILURE."""

    step_key: StepKey
    kind: Kind
    frames: Frames


class Linked(NamedTuple):
    """Event: the link to a broker is up."""


class Cut(NamedTuple):
    """Event: the link to the broker broke."""


class Received(NamedTuple):
    """Event: a message from the broker."""

    envelope: Envelope
    frames: Frames


class Leaving(NamedTuple):
    """Event: accept no more work, and sign off."""


class Shared(NamedTuple):
    """Event: this process shares a note with all of its service. Without a link it is lost."""

    note: bytes


class Ticked(NamedTuple):
    """Event: time has passed; `due()` returns when the next tick is wanted."""


Event = Ask | GivenUp | Worked | Linked | Cut | Received | Leaving | Shared | Ticked


class Send(NamedTuple):
    """Action: send this message."""

    envelope: Envelope
    frames: Frames = ()


class Start(NamedTuple):
    """Action: begin to work on this stop, and report Worked when it is finished. `until`: the end of its time."""

    step_key: StepKey
    envelope: Envelope
    frames: Frames
    until: float


class Abandon(NamedTuple):
    """Action: stop the work on this stop, if possible; report Worked when it has ended."""

    step_key: StepKey


class Settled(NamedTuple):
    """Action: an ask has its answer."""

    ask_id: bytes
    kind: Kind
    frames: Frames


class Notified(NamedTuple):
    """Action: the broker lost a process; the first frame is the PeerLost."""

    frames: Frames


class Noted(NamedTuple):
    """Action: a process of this service, or this one itself, has shared the note that is the first frame."""

    frames: Frames


Action = Send | Start | Abandon | Settled | Notified | Noted
PASSED_ON: dict[Kind, Callable[[Frames], Action]] = {Kind.PEER_LOST: Notified, Kind.NOTE: Noted}


class OpenAsk(NamedTuple):
    """An ask without an answer. `life`: of the broker it was last sent to; `before`: an earlier one may have it.

    `admitted`: an earlier one has admitted it, and handed it back.
    """

    ask: Ask
    life: bytes | None = None
    before: bool = False
    admitted: bool = False


class Done(NamedTuple):
    """A command that was executed, and its answer."""

    kind: Kind
    frames: Frames
    size_bytes: int
    until: float


def _failed(code: str, text: str, recovery: str = "") -> tuple[Kind, Frames]:
    return Kind.FAILURE, [pack(Failure(code, text, recovery))]


FORGOTTEN = _failed("outcome_unknown", "It was begun; its outcome is unknown.", "Look before you do it again.")
CANCELLED_ANSWER = _failed("cancelled", "The caller no longer waits for this.")
SILENT = _failed(
    "worker_unavailable",
    "The broker did not answer in time.",
    "Run `gasoline status`; `gasoline up` starts what is missing.",
)
UNANSWERED = _failed(
    "outcome_unknown",
    "The broker did not answer in time.",
    "Look at the page before you do it again: it may have happened.",
)


def _acts(ask: Ask) -> bool:
    return any(stop.delivery is Delivery.COMMAND for stop in ask.itinerary)


class Mailbox:
    """The end of one process life."""

    def __init__(self, registration: Register, now: float) -> None:
        self._registration = registration
        self.open: dict[bytes, OpenAsk] = {}
        self.working: dict[StepKey, Start] = {}
        self._abandoned: dict[StepKey, Received | None] = {}  # and the message that assigned it again meanwhile
        self._deadlines: list[tuple[float, bytes]] = []
        self._done: OrderedDict[StepKey, Done] = OrderedDict()
        self._done_bytes = 0
        self._last_received_at = now
        self._introduced_at = 0.0
        self._links = 0
        self.linked = False  # the link is up, and we have sent our registration
        self.registered = False  # and were answered
        self._life = b""
        self._closing = False
        self.leaving = False
        self.dismissed = False  # the broker assigns us nothing more
        self._out: list[Action] = []
        self._events: dict[type[Event], Callable[[float, Any], None]] = {
            Received: self._received,
            Ask: self._ask,
            Worked: self._worked,
            GivenUp: self._give_up,
            Linked: lambda now, _event: self._begin_link(now),
            Cut: self._cut,
            Leaving: lambda _now, _event: self._leave(),
            Shared: self._share,
            Ticked: self._tick,
        }

    def handle(self, now: float, event: Event) -> list[Action]:
        """Handle one event and return the actions that it causes, in order."""
        self._events[type(event)](now, event)
        out, self._out = self._out, []
        return out

    def due(self) -> float:
        """Return the time at which the next `Ticked` is wanted."""
        while self._deadlines and self._deadlines[0][1] not in self.open:
            heapq.heappop(self._deadlines)
        first = self._deadlines[0][0] if self._deadlines else float("inf")
        return min(first, self._introduced_at + REGISTER_S) if self.linked and not self.registered else first

    def silent_s(self, now: float) -> float:
        """Return for how long a broker that is linked has sent nothing."""
        return now - self._last_received_at if self.linked else 0.0

    @property
    def life(self) -> bytes:
        """The broker that this process was last registered at."""
        return self._life

    @property
    def idle(self) -> bool:
        """Whether nothing is worked on, and nothing asked."""
        return not self.working and not self.open

    # Asking

    def _ask(self, now: float, ask: Ask) -> None:
        self.open[ask.ask_id] = OpenAsk(ask)
        heapq.heappush(self._deadlines, (ask.until + GRACE_S, ask.ask_id))
        self._send_ask(now, OpenAsk(ask))

    def _send_ask(self, now: float, one: OpenAsk) -> None:
        ask = one.ask
        ttl_ms = int((ask.until - now) * 1000)
        if ttl_ms <= 0 or not self.registered or self._closing:
            return
        before = one.before or one.life not in {None, self._life}
        envelope = Envelope(
            Kind.ASK,
            ask.ask_id,
            ask.itinerary,
            ttl_ms=ttl_ms,
            attempt=ASKED_BEFORE if before else ADMITTED_BEFORE if one.admitted else 0,
            session=ask.session,
            trace=ask.trace,
            priority=ask.priority,
        )
        self.open[ask.ask_id] = one._replace(life=self._life, before=before)
        self._send(envelope, ask.frames)

    def _give_up(self, _now: float, event: GivenUp) -> None:
        if self.open.pop(event.ask_id, None):
            self._send(Envelope(Kind.CANCEL, event.ask_id))

    def _settle(self, ask_id: bytes, kind: Kind, frames: Frames) -> None:
        if self.open.pop(ask_id, None):
            self._out.append(Settled(ask_id, kind, frames))

    def _tick(self, now: float, _event: Ticked) -> None:
        if self.linked and not self.registered and now >= self._introduced_at + REGISTER_S:
            self._introduce(now)
        for ask_id in [ask_id for ask_id, one in self.open.items() if now >= one.ask.until + GRACE_S]:
            sent = self.open[ask_id].life is not None
            self._settle(ask_id, *(UNANSWERED if sent and _acts(self.open[ask_id].ask) else SILENT))
            self._send(Envelope(Kind.CANCEL, ask_id))

    def _share(self, _now: float, event: Shared) -> None:
        if self.registered:
            self._send(Envelope(Kind.NOTE), [event.note])

    # The link

    def _begin_link(self, now: float) -> None:
        self._links += 1
        self._introduce(now)

    def _introduce(self, now: float) -> None:
        """Register, and list what we hold."""
        self.linked, self.registered = True, False
        self._introduced_at = self._last_received_at = now
        self._forget(now)
        held = [HeldStop(*key, left_ms=max(0, int((one.until - now) * 1000))) for key, one in self.working.items()]
        holds = (*held, *(HeldStop(*key, done=True) for key in self._done))
        registration = msgspec.structs.replace(self._registration, holds=holds)
        self._send(Envelope(Kind.REGISTER, position=self._links), [pack(registration)])

    def _begin(self, now: float, envelope: Envelope) -> None:
        """Send the open asks, now that the broker knows us; it has received them before, if its life is the same."""
        if not self.linked or self.registered:
            return
        self.registered, self._closing, self._life = True, False, envelope.id
        for one in list(self.open.values()):
            self._send_ask(now, one)
        if self.leaving:  # after them: a process without open asks that sends GOODBYE is removed
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
        self._last_received_at = now
        envelope = event.envelope
        match envelope.kind:
            case Kind.ASK:
                self._assigned(now, event)
            case Kind.ANSWER | Kind.FAILURE:
                self._settle(envelope.id, envelope.kind, event.frames)
            case Kind.PEER_LOST | Kind.NOTE:
                self._out.append(PASSED_ON[envelope.kind](event.frames))
            case Kind.CANCEL:
                self._cancel(envelope.id)
            case Kind.PING:
                self._send(Envelope(Kind.PONG))
            case Kind.REGISTER:
                self._begin(now, envelope)
            case Kind.RESET if self.registered and not self._closing:  # else it answers a message from before that
                self._begin_link(now)
            case Kind.GOODBYE:
                self._dismiss(envelope)
            case Kind.CLOSING:
                self._closing = True
                self._send(Envelope(Kind.CLOSING))
            case _:  # a RESET before that; the rest is for a broker
                pass

    def _dismiss(self, envelope: Envelope) -> None:
        """Handle GOODBYE: the broker assigns us nothing more; with an id: it closes, and has not begun that ask."""
        if not envelope.id:
            self.dismissed = self.leaving
        elif one := self.open.get(envelope.id):
            self.open[envelope.id] = one._replace(
                life=None, admitted=one.admitted or envelope.attempt == ADMITTED_BEFORE
            )

    # Working

    def _assigned(self, now: float, event: Received) -> None:
        envelope = event.envelope
        key = envelope.id, envelope.position
        done = self._done.get(key)
        if done is not None:
            self._answer(key, done.kind, done.frames)
        elif key in self._abandoned:
            self._abandoned[key] = event
        elif key not in self.working and self._registration.capacity > 0:
            start = Start(key, envelope, event.frames, now + envelope.ttl_ms / 1000)
            self.working[key] = start
            self._out.append(start)

    def _worked(self, now: float, event: Worked) -> None:
        key, kind, frames = event
        start = self.working.pop(key)
        abandoned, again = key in self._abandoned, self._abandoned.pop(key, None)
        if start.envelope.itinerary[key[1]].delivery is Delivery.COMMAND:
            if abandoned:  # its asker may have come back: it may have happened, regardless of the work's own result
                kind, frames = FORGOTTEN
            self._remember(now, key, Done(kind, frames, sum(map(len, frames)), start.until + REMEMBERED_S))
        elif again is not None:
            self._assigned(now, again)
            return
        elif abandoned:
            self._send(Envelope(kind, key[0], position=key[1], attempt=CANCELLED), frames)
            return
        self._answer(key, kind, frames)

    def _answer(self, key: StepKey, kind: Kind, frames: Frames) -> None:
        self._send(Envelope(kind, key[0], position=key[1]), frames)

    def _cancel(self, ask_id: bytes) -> None:
        keys = [key for key in self.working if key[0] == ask_id]
        self._out += [Abandon(key) for key in keys if key not in self._abandoned]
        self._abandoned.update(dict.fromkeys(keys))
        if not keys:  # answered in any case: the broker keeps the place of an ask until then
            self._answer((ask_id, NOWHERE), *CANCELLED_ANSWER)

    def _remember(self, now: float, key: StepKey, done: Done) -> None:
        self._done[key] = done
        self._done_bytes += done.size_bytes
        if self._done_bytes > REMEMBERED_BYTES:
            self._shrink()
        if len(self._done) > REMEMBERED:
            self._forget(now)
        if len(self._done) > REMEMBERED:
            self._done_bytes -= self._done.popitem(last=False)[1].size_bytes

    def _shrink(self) -> None:
        """Forget the oldest answers, but not that the commands were executed."""
        for key, done in self._done.items():
            if self._done_bytes <= REMEMBERED_BYTES // 2:
                return
            self._done[key] = Done(*FORGOTTEN, 0, done.until)
            self._done_bytes -= done.size_bytes

    def _forget(self, now: float) -> None:
        for key in [key for key, done in self._done.items() if done.until <= now]:
            self._done_bytes -= self._done.pop(key).size_bytes

    def _send(self, envelope: Envelope, frames: Frames = ()) -> None:
        if self.linked:
            self._out.append(Send(envelope, frames))
