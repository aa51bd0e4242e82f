"""Decides which processes are alive, and gives up those that are gone, silent or stuck.

Rules of this file:
- A link that is cut is no death: the process answers a command that it is assigned again from memory (mailbox.py). A
  peer on another machine is suspect for 2 s before its cut link counts as its death; meanwhile others get its queries,
  and its commands wait.
- A process is silent when it sends nothing for 4 s (8 s on another machine), or reads nothing for twice as long. It is
  stuck when it works on an ask 5 s after that ended. Its supervisor kills it.
- After this process itself was suspended, each peer gets as much more time as the tick was late.
"""

from gasoline_broker.actor.wire import Delivery, Envelope, Kind, pack
from gasoline_broker.hub.completion import cancel
from gasoline_broker.hub.delivery import enqueue, requeue, retry
from gasoline_broker.hub.departures import remove
from gasoline_broker.hub.events import Lost, Received
from gasoline_broker.hub.state import Peer, State
from gasoline_broker.messages import PeerLost

CUTS_MAX = 3  # how often one stop is assigned to another process because of a cut link, which counts as no attempt yet
COUNTED_AS = {"gone": "lost_peers", "silent": "silent_peers", "stuck": "stuck_peers"}
COMMAND = Delivery.COMMAND
NOTHING: frozenset[bytes] = frozenset()


def receive_pong(_state: State, _now: float, peer: Peer, _event: Received) -> None:
    """Handle PONG: it has read what was sent before the ping."""
    peer.unread_bytes -= peer.pinged_bytes
    peer.pinged_bytes, peer.unanswered_since = 0, 0.0


def handle_lost(state: State, now: float, event: Lost) -> None:
    """Handle a broken link."""
    peer = state.peers.get(event.peer)
    if peer is None:
        return
    if peer.remote and not peer.draining:
        _suspect(state, now, peer, event.unsent)
    else:
        give_up(state, now, peer, "gone", event.unsent)


def give_up(state: State, now: float, peer: Peer, reason: str, unsent: frozenset[bytes] = NOTHING) -> None:
    """Remove a peer, publish its loss, cancel what it asked and assign to others what it worked on."""
    remove(state, now, peer)
    if not peer.draining:
        state.counts[COUNTED_AS[reason]] += 1
        _publish(state, PeerLost(peer.service.name, peer.registration.pid, reason, peer.remote))
    for task in state.tasks_of(peer.asked):
        cancel(state, now, task)
    for task in state.tasks_of(peer.reassigned):
        task.attempt += task.position == peer.reassigned[task.ask_id]
    for task in state.tasks_of(peer.running):
        if task.worker is not peer:
            continue
        if task.maybe_received or task.ask_id not in unsent:
            retry(state, now, task)
        else:
            requeue(state, now, task)


def _publish(state: State, lost: PeerLost) -> None:
    frames = [pack(lost)]
    for listener in state.listeners:
        if not listener.suspect:
            state.send(listener.key, Envelope(Kind.PEER_LOST), frames)


def _suspect(state: State, now: float, peer: Peer, unsent: frozenset[bytes]) -> None:
    """Wait for a cut link to come back; meanwhile others get what may be executed twice."""
    if not peer.suspect:
        state.counts["suspects"] += 1
        peer.suspect = peer.unavailable = True
        state.suspects[peer.key] = now + state.limits.suspect_s
        state.wake(now + state.limits.suspect_s)
    for task in state.tasks_of(peer.running):
        if task.worker is not peer:
            continue
        if task.ask_id in unsent and not task.maybe_received:
            requeue(state, now, task)
        elif task.cuts < CUTS_MAX and (task.delivery is not COMMAND or peer.registration.remembers):
            task.cuts += 1
            peer.reassigned[task.ask_id] = task.position
            task.end_attempt(now, "cut")
            enqueue(state, now, task, first=True)


# What time decides


def give_up_suspects(state: State, now: float) -> None:
    """Give up the peers whose link has not come back in time."""
    for key in [key for key, until in state.suspects.items() if until <= now]:
        if peer := state.peers.get(key):  # else it was leaving, and another peer's end was all that it waited for
            give_up(state, now, peer, "gone")


def give_up_stuck(state: State, now: float) -> None:
    """Give up the peers that work for too long on an ask that is over."""
    for key, ask_id in [held for held, until in state.overdue.items() if until <= now]:
        if (peer := state.peers.get(key)) and ask_id in peer.overdue:
            give_up(state, now, peer, "stuck")


def check_silence(state: State, now: float, peer: Peer) -> None:
    """Give up a peer that is silent, or ping one that may be."""
    limits = state.limits
    every_s = limits.ping_remote_every_s if peer.remote else limits.ping_every_s
    dead_s = limits.dead_remote_after_s if peer.remote else limits.dead_after_s
    deaf = peer.unanswered_since and now - peer.unanswered_since >= 2 * dead_s  # it sends, but does not read
    quiet = now - max(peer.last_seen_at, peer.pinged_at) >= every_s * 0.9  # ticks are never early
    if now - peer.last_seen_at >= dead_s or deaf:
        give_up(state, now, peer, "silent")
    elif not peer.suspect and (quiet or peer.unread_bytes or peer.unanswered_since):
        state.send_ping(now, peer)


def allow_for_suspension(state: State, now: float) -> None:
    """Extend the time of all peers by as much as this process was suspended."""
    late_s = now - state.due
    if late_s <= state.limits.ping_every_s:
        return
    for peer in state.peers.values():
        peer.last_seen_at = min(now, peer.last_seen_at + late_s)
        peer.unanswered_since = peer.unanswered_since and min(now, peer.unanswered_since + late_s)
        peer.overdue = {ask_id: until + late_s for ask_id, until in peer.overdue.items()}
    state.suspects = {key: until + late_s for key, until in state.suspects.items()}
    state.overdue = {held: until + late_s for held, until in state.overdue.items()}
