"""What holds of a Routing after every event, whatever happened: checked by the property tests and by the simulator."""

from collections import Counter

from gasoline_broker.hub.routing import EXPIRIES_KEPT, Routing
from gasoline_broker.hub.state import Peer, Task


def check(routing: Routing) -> None:
    """Hold everything that routing remembers against everything else that it remembers."""
    for task in routing.tasks.values():
        check_place(routing, task)
    for check_one in (check_services, check_peers, check_readers, check_ends):
        check_one(routing)


def check_place(routing: Routing, task: Task) -> None:
    """Find an ask in one place: waiting in its stop's queue, running at one living peer, or unclaimed."""
    waits = [service.name for service in routing.services.values() if task in service.queue.all()]
    runs = [peer for peer in routing.peers.values() if peer is task.worker]
    unclaimed = task.number in routing._unclaimed
    assert 1 == len(waits) + len(runs) + unclaimed, (waits, runs, unclaimed)
    assert task.waiting == bool(waits)
    assert waits in ([], [task.service.name])
    assert all(task.number in peer.running for peer in runs)
    assert routing.peers.get(task.asker.key) is task.asker


def check_services(routing: Routing) -> None:
    """Find every service within its bound, its places counted right, and nobody idle whom somebody waits for."""
    held: Counter[str] = Counter()
    for task in routing.tasks.values():
        held.update(service.name for service in task.services[task.position :])
    for service in routing.services.values():
        waiting = service.queue.all()
        assert len(waiting) == service.queue.size <= routing.limits.queue
        assert all(routing.tasks.get(task.number) is task for task in waiting)
        assert held[service.name] == service.share.taken
        assert all(peer in routing.peers.values() and peer.told.capacity > 0 for peer in service.workers)
        head = service.queue.head()
        able = [peer for peer in service.workers if head and can_take(peer, head)]
        assert [] == able


def can_take(peer: Peer, task: Task) -> bool:
    """Tell whether it has a place free, and has left off that very ask."""
    return len(peer.running) < peer.capacity and not peer.away and task.number not in peer.running


def check_peers(routing: Routing) -> None:
    """Find every peer with the asks that are its own, within its window, and in no place that nobody will free."""
    for peer in routing.peers.values():
        asked = {number for number, task in routing.tasks.items() if task.asker is peer}
        assert peer.asked == asked
        assert len(asked) == peer.window.taken <= routing.limits.window
        sizes = sum(routing.tasks[number].size_bytes for number in asked)
        assert sizes == peer.asked_bytes <= routing.limits.asked_bytes
        wanted = {number for number, task in routing.tasks.items() if task.worker is peer}
        claimed = {number for number, _ in peer.claims}
        assert peer.running - wanted <= peer.zombies.keys() | claimed | peer.unsure.keys()
        assert peer.zombies.keys() <= peer.running
        assert peer.suspect == (peer.key in routing._suspects)
        assert not (peer.draining and not peer.running and not peer.asked)
    zombies = {(peer.key, number) for peer in routing.peers.values() for number in peer.zombies}
    assert zombies == routing._zombies.keys()


def check_readers(routing: Routing) -> None:
    """Find everybody who hears a topic alive, and sent no more than it can be."""
    for topic, readers in routing._readers.items():
        assert readers
        assert all(routing.peers.get(peer.key) is peer and topic in peer.told.topics for peer in readers)
    assert all(peer.unread <= routing.limits.events for peer in routing.peers.values())


def check_ends(routing: Routing) -> None:
    """Find no more kept of what is over than is bounded."""
    limits = routing.limits
    assert len(routing._expiries) <= 2 * len(routing.tasks) + EXPIRIES_KEPT + 1
    assert routing.tasks.keys() <= {number for _, number in routing._expiries}
    assert (
        routing._replies_bytes == sum(reply.size_bytes for reply in routing._replies.values()) <= limits.replies_bytes
    )
    assert len(routing._replies) <= limits.replies
    assert len(routing._dropped) <= limits.dropped
    assert len(routing.services) <= limits.services
    assert len(routing.calls) <= limits.calls
    assert len(routing.dead_letters) <= limits.dead_letters
