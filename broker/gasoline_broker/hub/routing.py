"""The broker's state machine: one event in, the messages to send out; without clock, socket or a body decoded.

Rules of this file:
- `handle(now, event)` is the only way in, and the list of sends it returns the only way out. `now` is monotonic, in s.
- It dispatches events; the decisions are in the parts, which share one State: admission (is an ask accepted),
  delivery (which stop and which process comes next), registration (which processes serve), liveness (which are lost),
  schedule (what time decides).
"""

from collections.abc import Callable

from gasoline_broker.actor.wire import Envelope, Kind
from gasoline_broker.hub.admission import receive_ask
from gasoline_broker.hub.delivery import receive_answer, receive_cancel
from gasoline_broker.hub.events import Event, Lost, Received, Send, Ticked
from gasoline_broker.hub.limits import Limits
from gasoline_broker.hub.liveness import handle_lost, receive_pong
from gasoline_broker.hub.registration import drain, receive_closing, receive_goodbye, receive_register
from gasoline_broker.hub.schedule import tick
from gasoline_broker.hub.sharing import receive_note
from gasoline_broker.hub.state import Identity, Peer, State

REGISTER = Kind.REGISTER


class Routing:
    """The state machine of one broker life."""

    __slots__ = ("state",)

    def __init__(
        self,
        now: float,
        limits: Limits = Limits(),  # noqa: B008 - an immutable tuple
        identity: Identity = Identity(),  # noqa: B008 - the same
    ) -> None:
        self.state = State(now, limits, identity)

    def handle(self, now: float, event: Event) -> list[Send]:
        """Handle one event and return the messages to send because of it, in order."""
        state = self.state
        if type(event) is Received:
            _receive(state, now, event)
        elif isinstance(event, Lost):
            handle_lost(state, now, event)
        elif isinstance(event, Ticked):
            tick(state, now)
        else:
            drain(state, now)
        out, state.out = state.out, []
        return out

    def due(self) -> float:
        """Return the time at which the next `Ticked` is wanted; it may turn out to be too early."""
        return self.state.due

    @property
    def idle(self) -> bool:
        """Whether nothing is in flight, and every process has confirmed that we are closing."""
        return not self.state.tasks and not self.state.unclosed


def _receive(state: State, now: float, event: Received) -> None:
    kind = event.envelope.kind
    if kind is REGISTER:
        receive_register(state, now, event)
        return
    peer = state.peers.get(event.peer)
    if peer is None:
        state.counts["unregistered"] += 1
        state.send(event.peer, Envelope(Kind.RESET))
        return
    peer.last_seen_at = now
    HANDLERS[kind](state, now, peer, event)


def _receive_misplaced(state: State, _now: float, _peer: Peer, _event: Received) -> None:
    state.counts["misplaced"] += 1


Handler = Callable[[State, float, Peer, Received], None]
HANDLERS: list[Handler] = [_receive_misplaced] * (max(Kind) + 1)
HANDLERS[Kind.ASK] = receive_ask
HANDLERS[Kind.ANSWER] = HANDLERS[Kind.FAILURE] = receive_answer
HANDLERS[Kind.CANCEL] = receive_cancel
HANDLERS[Kind.GOODBYE] = receive_goodbye
HANDLERS[Kind.PONG] = receive_pong
HANDLERS[Kind.CLOSING] = receive_closing
HANDLERS[Kind.NOTE] = receive_note
