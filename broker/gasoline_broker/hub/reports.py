"""Answers ReadStatus and ReadCalls from the broker's state, which it does not change."""

from collections.abc import Iterable
from itertools import islice

import msgspec

from gasoline_broker.actor.wire import MALFORMED, Envelope, Kind, pack
from gasoline_broker.errors import Failure
from gasoline_broker.hub.state import Attempt, Ended, Letter, Peer, Service, State
from gasoline_broker.messages import (
    Call,
    CallsRead,
    DeadLetter,
    Hop,
    PeerStatus,
    ReadCalls,
    ReadStatus,
    ServiceStatus,
    StatusRead,
)

CALLS_MAX = 200  # in one answer

read_request = msgspec.msgpack.Decoder(ReadStatus | ReadCalls).decode


def answer(state: State, now: float, peer: Peer, envelope: Envelope) -> None:
    """Answer an ask to the broker itself."""
    try:
        request = read_request(envelope.itinerary[0].message)
    except MALFORMED:
        state.counts["malformed"] += 1
        failure = Failure("invalid_params", "The broker answers ReadStatus and ReadCalls.")
        state.send_failure(peer.key, envelope, failure)
        return
    report = calls(state.calls, request, now) if isinstance(request, ReadCalls) else status(state, now)
    state.send(peer.key, Envelope(Kind.ANSWER, envelope.id), [pack(report)])


def status(state: State, now: float) -> StatusRead:
    """Report what is connected, waiting and running."""
    return StatusRead(
        pid=state.identity.pid,
        version=state.identity.version,
        up_s=round(now - state.started_at, 3),
        in_flight=len(state.tasks),
        peers=[_peer(peer, now) for peer in state.peers.values()],
        services=[_service(service) for service in state.services.values() if service.workers or service.share.taken],
        counts=dict(state.counts),
        dead_letters=[_letter(letter, now) for letter in state.dead_letters],
    )


def _peer(peer: Peer, now: float) -> PeerStatus:
    return PeerStatus(
        service=peer.service.name,
        pid=peer.registration.pid,
        capacity=peer.capacity,
        running=len(peer.running),
        done=peer.done,
        up_s=round(now - peer.registered_at, 3),
        version=peer.registration.version,
        remote=peer.remote,
        suspect=peer.suspect,
    )


def _service(service: Service) -> ServiceStatus:
    return ServiceStatus(
        service=service.name,
        waiting=service.queue.size,
        running=sum(len(peer.running) for peer in service.workers),
        waited=service.waited.spread(),
        worked=service.worked.spread(),
        failed=service.failed,
    )


def _letter(letter: Letter, now: float) -> DeadLetter:
    return DeadLetter(letter.trace, letter.service, letter.stops, letter.pids, round(now - letter.died_at, 3))


def calls(ended: Iterable[Ended], request: ReadCalls, now: float) -> CallsRead:
    """List the last calls whose trace begins as requested, newest first."""
    newest = (one for one in reversed(list(ended)) if one.trace.startswith(request.trace))
    return CallsRead([_call(one, now) for one in islice(newest, max(0, min(request.limit, CALLS_MAX)))])


def _call(one: Ended, now: float) -> Call:
    return Call(
        trace=one.trace,
        session=one.session,
        asker=one.asker,
        age_s=round(now - one.ended_at, 3),
        took_ms=_ms(one.ended_at - one.began_at),
        outcome=one.outcome,
        hops=[_hop(attempt, one.began_at) for attempt in one.attempts],
    )


def _hop(attempt: Attempt, began_at: float) -> Hop:
    return Hop(
        service=attempt.service,
        pid=attempt.pid,
        attempt=attempt.number,
        at_ms=_ms(attempt.queued_at - began_at),
        waited_ms=_ms(attempt.assigned_at - attempt.queued_at),
        worked_ms=_ms(attempt.ended_at - attempt.assigned_at),
        outcome=attempt.outcome,
    )


def _ms(took_s: float) -> float:
    return round(took_s * 1000, 3)
