"""Admits an ask or refuses it at once.

Rules of this file:
- An ask holds a place at every service that it has yet to reach. Where none is left it is refused before it begins;
  an admitted ask is never refused.
- An ask that would wait longer than four fifths of its time is refused, with `retry_after_ms`.
- An ask that came before is not admitted twice: it is in flight, or its kept answer is sent again.
"""

import heapq

from gasoline_broker.actor.wire import ADMITTED_BEFORE, ASKED_BEFORE, Delivery, Envelope, Kind, Label
from gasoline_broker.errors import Failure
from gasoline_broker.hub import error_messages, reports
from gasoline_broker.hub.delivery import enqueue
from gasoline_broker.hub.events import Received
from gasoline_broker.hub.state import Peer, Service, State, Task

SELF = "broker"
COMMAND, CLEAN = Delivery.COMMAND, Label.CLEAN


def receive_ask(state: State, now: float, peer: Peer, event: Received) -> None:
    """Handle ASK."""
    envelope = event.envelope
    ask_id = envelope.id
    if (ask_id in state.tasks or ask_id in state.replies.kept) and _came_before(state, peer, ask_id):
        return
    if envelope.itinerary and envelope.itinerary[0].service == SELF:
        reports.answer(state, now, peer, envelope)
        return
    if state.draining and ask_id not in state.replies.doubtful:
        state.send(peer.key, Envelope(Kind.GOODBYE, ask_id))
        return
    services, size_bytes = _services(state, envelope), sum(map(len, event.frames))
    refused = _refusal(state, peer, envelope, services, size_bytes)
    if refused is None:
        _admit(state, now, peer, event, services, size_bytes)
        return
    state.counts["malformed" if refused.code == "invalid_params" else refused.code] += 1
    state.send_failure(peer.key, envelope, refused)


def _came_before(state: State, peer: Peer, ask_id: bytes) -> bool:
    task = state.tasks.get(ask_id)
    if task is not None:
        return task.asker is peer
    reply = state.replies.kept.get(ask_id)
    if reply is None or reply.asker != peer.key:
        return False
    state.send(peer.key, reply.envelope, reply.frames)
    return True


def _services(state: State, envelope: Envelope) -> tuple[Service, ...]:
    """Return the services of all stops; none if the envelope is malformed."""
    limits, stops, names = state.limits, envelope.itinerary, state.limits.name_characters
    if not 0 < len(stops) <= limits.stops or not 0 < envelope.ttl_ms <= limits.ttl_ms:
        return ()
    if not 0 < len(envelope.id) <= limits.id_bytes or len(envelope.session) + len(envelope.trace) > names:
        return ()
    services = []
    for stop in stops:
        service = state.services.get(stop.service) or state.service(stop.service)
        if service is None:
            return ()
        services.append(service)
    return tuple(services)


def _refusal(
    state: State, peer: Peer, envelope: Envelope, services: tuple[Service, ...], size_bytes: int
) -> Failure | None:
    session, limits, refused, queued = envelope.session, state.limits, None, False
    if not services or envelope.id in state.tasks:
        return error_messages.malformed_ask(limits.stops)
    if peer.unread_bytes > limits.unread_bytes:
        refused = error_messages.unread_answers(limits.unread_bytes)
    if peer.asked_bytes + size_bytes > limits.asked_bytes:
        refused = error_messages.open_asks_too_large(limits.asked_bytes)
    if not peer.window.admits(session):
        refused = error_messages.too_many_open_asks(limits.window)
    for service in services:
        queued = queued or service.queue.size > 0
        if not service.share.admits(session, services.count(service)):
            refused = error_messages.queue_full(service.name, service.share.taken)
    if envelope.attempt == 0:  # else another broker has admitted it
        return _predicted_late(envelope, services, limits.hopeful) if queued and not refused else refused
    if envelope.attempt == ADMITTED_BEFORE:
        return refused
    command = next((stop for stop in envelope.itinerary if stop.delivery is COMMAND), None)
    return error_messages.outcome_unknown(command.service) if refused and command else refused


def _predicted_late(envelope: Envelope, services: tuple[Service, ...], hopeful: float) -> Failure | None:
    """Predict the wait: at each stop, how many asks are ahead times how long one takes lately."""
    waits = {}
    for service in services:
        if service.queue.size and (slots := service.slots):
            ahead = service.queue.ahead(envelope.session, envelope.priority)
            waits[service.name] = service.worked.lately_s * (ahead + 1) / slots
    wait_s = sum(waits.values())
    if wait_s * 1000 <= hopeful * envelope.ttl_ms:
        return None
    return error_messages.too_slow(tuple(waits), wait_s, envelope.ttl_ms)


def _admit(
    state: State, now: float, peer: Peer, event: Received, services: tuple[Service, ...], size_bytes: int
) -> None:
    label = peer.service.output_label or CLEAN
    asked = event.envelope
    ask_id, session, expires_at = asked.id, asked.session, now + asked.ttl_ms / 1000
    resent = asked.attempt == ASKED_BEFORE or ask_id in state.replies.doubtful
    frames, priority = event.frames, asked.priority
    task = Task(ask_id, peer, asked, frames, label, services, session, priority, now, expires_at, resent, size_bytes)
    peer.asked_bytes += size_bytes
    for service in services:
        service.share.take(session)
    peer.window.take(session)
    peer.asked.add(ask_id)
    state.tasks[ask_id] = task
    heapq.heappush(state.expiries, (expires_at, ask_id))
    state.due = min(state.due, expires_at)
    enqueue(state, now, task)
