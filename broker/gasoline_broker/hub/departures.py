"""Removes processes from the tables, and decides how long a service without one is waited for.

Rules of this file:
- A process that sent GOODBYE is removed when it holds nothing and has no open ask.
- If the last process of a service was on another machine and its link broke, the service is waited for longer than
  one whose process a supervisor restarts.
"""

from gasoline_broker.hub.assignment import NEVER, free_place
from gasoline_broker.hub.state import Peer, Service, State, Task


def remove_drained(state: State, now: float, peer: Peer) -> None:
    """Remove a process that is leaving, if nothing keeps it."""
    if peer.draining and not peer.running and not peer.asked:
        remove(state, now, peer)


def remove(state: State, now: float, peer: Peer) -> None:
    """Remove a process from every table of peers."""
    if state.peers.pop(peer.key, None) is None:
        return
    state.suspects.pop(peer.key, None)
    state.unclosed.discard(peer.key)
    for ask_id in list(peer.overdue):
        free_place(state, peer, ask_id)
    if peer.registration.peer_events:
        state.listeners.remove(peer)
    service = peer.service
    if peer in service.workers:
        service.workers.remove(peer)
        if not service.workers:
            service.absent_since = now
            service.lost_remote = peer.remote and not peer.draining
            wake_for_absence(state, service)


def waits_until(state: State, task: Task) -> float:
    """Return how long an ask waits for a first process of its service to appear."""
    service, limits = task.service, state.limits
    absent_s = limits.absent_remote_s if service.lost_remote else limits.absent_s
    return max(service.absent_since + absent_s, task.queued_at + limits.absent_ask_s)


def wake_for_absence(state: State, service: Service) -> None:
    """Have a tick when the first ask of a service without a process is to fail."""
    state.wake(min((waits_until(state, task) for task in service.queue.all()), default=NEVER))
