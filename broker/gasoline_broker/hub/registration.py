"""Registers processes, agrees with each on the work that it continues, and lets it leave.

Rules of this file:
- A process that registers again with the same words has had a cut link: what it held is sent to it again.
- A registration lists what the process holds. An ask of an earlier broker continues at its holder; work that another
  process has finished meanwhile is cancelled.
- A process that sends GOODBYE is assigned nothing more, and removed when it has finished.
"""

import msgspec

from gasoline_broker.actor.wire import MALFORMED, Envelope, Kind
from gasoline_broker.hub.assignment import assign_to_holder, dispatch, free_place, request_cancel, send_ask
from gasoline_broker.hub.completion import hand_back
from gasoline_broker.hub.departures import remove_drained
from gasoline_broker.hub.events import Received
from gasoline_broker.hub.liveness import give_up
from gasoline_broker.hub.sharing import send_notes
from gasoline_broker.hub.state import Peer, State
from gasoline_broker.messages import HeldStop, Register

read_registration = msgspec.msgpack.Decoder(Register).decode


def receive_register(state: State, now: float, event: Received) -> None:
    """Handle REGISTER."""
    registration = _read(state, event)
    if registration is None:
        state.counts["malformed"] += 1
        return
    peer = state.peers.get(event.peer)
    link_number = event.envelope.position
    if peer is not None and peer.link_number == link_number > 0:  # sent twice: what it holds has changed since
        _confirm(state, peer)
        return
    if peer is not None and not _same(peer.registration, registration):
        give_up(state, now, peer, "gone")
        peer = None
    if peer is None:
        peer = _add(state, now, event.peer, registration)
    else:
        state.counts["linked_again"] += 1
        _link_again(state, now, peer, registration)
    peer.link_number = link_number
    _confirm(state, peer)
    send_notes(state, peer)
    _resume(state, now, peer)


def receive_goodbye(state: State, now: float, peer: Peer, _event: Received) -> None:
    """Handle GOODBYE: after the broker's own, the process is assigned nothing more."""
    peer.draining = peer.unavailable = True
    state.send(peer.key, Envelope(Kind.GOODBYE))
    remove_drained(state, now, peer)


def drain(state: State, now: float) -> None:
    """Accept nothing more and inform every process: what it asks after its CLOSING is for the next broker.

    So is what waits and was never begun: of a long queue that is not emptied in time, commands would be uncertain.
    """
    state.draining = True
    for peer in state.peers.values():
        _close(state, peer)
    for task in list(state.tasks.values()):
        if task.waiting and not (task.position or task.attempts or task.resent):
            hand_back(state, now, task)


def receive_closing(state: State, _now: float, peer: Peer, _event: Received) -> None:
    """Handle CLOSING: the process has received ours."""
    state.unclosed.discard(peer.key)


def _close(state: State, peer: Peer) -> None:
    state.unclosed.add(peer.key)
    state.send(peer.key, Envelope(Kind.CLOSING))


def _confirm(state: State, peer: Peer) -> None:
    state.send(peer.key, Envelope(Kind.REGISTER, state.identity.life))


def _read(state: State, event: Received) -> Register | None:
    """Decode a registration; None if it is malformed or exceeds the limits."""
    try:
        registration = read_registration(bytes(event.frames[0]))
    except (*MALFORMED, IndexError):
        return None
    limits, name = state.limits, registration.service
    known = name in state.services or len(state.services) < limits.services
    allowed = known and len(name) <= limits.name_characters and len(registration.holds) <= limits.holds
    return registration if allowed else None


def _add(state: State, now: float, key: bytes, registration: Register) -> Peer:
    service = state.services.get(registration.service) or state.service(registration.service)
    if service is None:
        raise AssertionError("_read has checked it")
    peer = state.peers[key] = Peer(key, registration, service, state.limits.window, now)
    if registration.capacity > 0:
        service.workers.append(peer)
    if registration.peer_events:
        state.listeners.append(peer)
    for held in registration.holds:
        if not held.done:
            _inherit(state, now, peer, held)
    peer.claims = {(held.id, held.position) for held in registration.holds}
    return peer


def _inherit(state: State, now: float, peer: Peer, held: HeldStop) -> None:
    """Give work of an earlier broker's a place: if it is never asked for again, it becomes overdue all the same."""
    peer.running.add(held.id)
    peer.inherited.add(held.id)
    peer.overdue[held.id] = state.overdue[peer.key, held.id] = now + held.left_ms / 1000 + state.limits.stuck_s


def _link_again(state: State, now: float, peer: Peer, registration: Register) -> None:
    peer.last_seen_at = now
    peer.suspect = peer.draining = peer.unavailable = False
    state.suspects.pop(peer.key, None)
    peer.reassigned.clear()
    peer.unread_bytes = peer.pinged_bytes = 0
    peer.unanswered_since = 0.0
    held = {one.id for one in registration.holds if not one.done}
    peer.claims = {(one.id, one.position) for one in registration.holds}
    for ask_id in set(peer.overdue) - held:
        free_place(state, peer, ask_id)
    peer.running = held | {task.ask_id for task in state.tasks_of(peer.running) if task.worker is peer}


def _resume(state: State, now: float, peer: Peer) -> None:
    """Agree with a process that has just registered on the work that it continues."""
    for task in state.tasks_of(peer.running):  # what was on the link may be lost; the process knows what it received
        if task.worker is peer:
            task.maybe_received = True
            send_ask(state, now, task)
    for ask_id in peer.overdue:
        if ask_id not in peer.inherited:
            state.send(peer.key, Envelope(Kind.CANCEL, ask_id))
    _assign_claims(state, now, peer)
    _cancel_leftovers(state, now, peer)
    if state.draining:
        _close(state, peer)
    dispatch(state, now, peer.service)


def _assign_claims(state: State, now: float, peer: Peer) -> None:
    """Let a process go on with what it holds, where no other has it."""
    for ask_id, position in sorted(peer.claims):
        task = state.tasks.get(ask_id)
        if task is None or task.worker or task.position != position or task.service is not peer.service:
            continue
        if peer.is_cancelling(ask_id):
            continue
        state.unclaimed.pop(ask_id, None)
        if task.waiting:
            task.service.queue.remove(task)
            task.waiting = False
        assign_to_holder(state, now, task, peer)


def _cancel_leftovers(state: State, now: float, peer: Peer) -> None:
    """Cancel what another process has finished meanwhile."""
    for ask_id in sorted(peer.running - peer.overdue.keys()):
        task = state.tasks.get(ask_id)
        if task is None or task.worker is not peer:
            request_cancel(state, now, peer, ask_id)


def _same(before: Register, now: Register) -> bool:
    return before == msgspec.structs.replace(now, holds=before.holds)
