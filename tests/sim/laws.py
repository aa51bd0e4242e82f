"""The invariants of a broker's state after every event: checked by the property tests and by the simulator."""

from collections import Counter

from gasoline_broker.hub.completion import EXPIRIES_KEPT
from gasoline_broker.hub.state import Peer, State, Task


def check(state: State) -> None:
    """Check every table against the others."""
    for task in state.tasks.values():
        check_place(state, task)
    for check_one in (check_services, check_peers, check_listeners, check_bounds):
        check_one(state)


def check_place(state: State, task: Task) -> None:
    """Find an ask in one place: waiting in its stop's queue, running at one living peer, or unclaimed."""
    waits = [service.name for service in state.services.values() if task in service.queue.all()]
    runs = [peer for peer in state.peers.values() if peer is task.worker]
    unclaimed = task.ask_id in state.unclaimed
    assert 1 == len(waits) + len(runs) + unclaimed, (waits, runs, unclaimed)
    assert task.waiting == bool(waits)
    assert waits in ([], [task.service.name])
    assert all(task.ask_id in peer.running for peer in runs)
    assert state.peers.get(task.asker.key) is task.asker


def check_services(state: State) -> None:
    """Find every service within its bound, its places counted right, and no process idle while an ask waits for it."""
    held: Counter[str] = Counter()
    for task in state.tasks.values():
        held.update(service.name for service in task.services[task.position :])
    for service in state.services.values():
        waiting = service.queue.all()
        assert len(waiting) == service.queue.size <= state.limits.queue
        assert all(state.tasks.get(task.ask_id) is task for task in waiting)
        assert held[service.name] == service.share.taken
        assert all(peer in state.peers.values() and peer.registration.capacity > 0 for peer in service.workers)
        head = service.queue.head()
        able = [peer for peer in service.workers if head and can_take(peer, head)]
        assert [] == able


def can_take(peer: Peer, task: Task) -> bool:
    """Return whether it has a free place, and is not cancelling that very ask."""
    return len(peer.running) < peer.capacity and not peer.unavailable and task.ask_id not in peer.running


def check_peers(state: State) -> None:
    """Find every peer with its own asks, within its window, and no place in it that is never freed."""
    for peer in state.peers.values():
        asked = {ask_id for ask_id, task in state.tasks.items() if task.asker is peer}
        assert peer.asked == asked
        assert len(asked) == peer.window.taken <= state.limits.window
        sizes = sum(state.tasks[ask_id].size_bytes for ask_id in asked)
        assert sizes == peer.asked_bytes <= state.limits.asked_bytes
        wanted = {ask_id for ask_id, task in state.tasks.items() if task.worker is peer}
        claimed = {ask_id for ask_id, _ in peer.claims}
        assert peer.running - wanted <= peer.overdue.keys() | claimed | peer.reassigned.keys()
        assert peer.overdue.keys() <= peer.running
        assert peer.suspect == (peer.key in state.suspects)
        assert not (peer.draining and not peer.running and not peer.asked)
    overdue = {(peer.key, ask_id) for peer in state.peers.values() for ask_id in peer.overdue}
    assert overdue == state.overdue.keys()


def check_listeners(state: State) -> None:
    """Find every listener alive and registered for peer events, once."""
    assert all(state.peers.get(peer.key) is peer and peer.registration.peer_events for peer in state.listeners)
    assert len(state.listeners) == len({peer.key for peer in state.listeners})


def check_bounds(state: State) -> None:
    """Find no more kept of what is over than is bounded."""
    limits, replies = state.limits, state.replies
    assert len(state.expiries) <= 2 * len(state.tasks) + EXPIRIES_KEPT + 1
    assert state.tasks.keys() <= {ask_id for _, ask_id in state.expiries}
    assert replies.size_bytes == sum(reply.size_bytes for reply in replies.kept.values()) <= limits.replies_bytes
    assert len(replies.kept) <= limits.replies
    assert len(replies.doubtful) <= limits.doubtful
    assert len(state.services) <= limits.services
    assert len(state.calls) <= limits.calls
    assert len(state.dead_letters) <= limits.dead_letters
