"""What the broker says of itself when it is asked: made from what routing remembers, which it does not change."""

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING

from gasoline_broker.hub.state import Ended, Leg, Letter, Peer, Service
from gasoline_broker.messages import Call, CallsRead, DeadLetter, Hop, PeerStatus, ReadCalls, ServiceStatus, StatusRead

if TYPE_CHECKING:
    from gasoline_broker.hub.routing import Routing

CALLS_MAX = 200  # in one answer


def status(of: "Routing", now: float) -> StatusRead:
    """Tell what is connected, waiting and running."""
    return StatusRead(
        pid=of.pid,
        version=of.version,
        up_s=round(now - of.started_at, 3),
        in_flight=len(of.tasks),
        peers=[_peer(peer, now) for peer in of.peers.values()],
        services=[_service(service) for service in of.services.values() if service.workers or service.share.taken],
        counts=dict(of.counts),
        dead_letters=[_letter(letter, now) for letter in of.dead_letters],
    )


def _peer(peer: Peer, now: float) -> PeerStatus:
    return PeerStatus(
        service=peer.service.name,
        pid=peer.told.pid,
        capacity=peer.told.capacity,
        running=len(peer.running),
        done=peer.done,
        up_s=round(now - peer.since, 3),
        version=peer.told.version,
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


def calls(ended: Iterable[Ended], asked: ReadCalls, now: float) -> CallsRead:
    """List the last calls whose trace begins as asked, newest first."""
    newest = (one for one in reversed(list(ended)) if one.trace.startswith(asked.trace))
    return CallsRead([_call(one, now) for one in islice(newest, max(0, min(asked.limit, CALLS_MAX)))])


def _call(one: Ended, now: float) -> Call:
    return Call(
        trace=one.trace,
        session=one.session,
        asker=one.asker,
        age_s=round(now - one.ended_at, 3),
        took_ms=_ms(one.ended_at - one.began_at),
        outcome=one.outcome,
        hops=[_hop(leg, one.began_at) for leg in one.legs],
    )


def _hop(leg: Leg, began_at: float) -> Hop:
    return Hop(
        service=leg.service,
        pid=leg.pid,
        attempt=leg.attempt,
        at_ms=_ms(leg.queued_at - began_at),
        waited_ms=_ms(leg.given_at - leg.queued_at),
        worked_ms=_ms(leg.left_at - leg.given_at),
        outcome=leg.outcome,
    )


def _ms(took_s: float) -> float:
    return round(took_s * 1000, 3)
