"""Assigns waiting asks to processes, and frees the places that they hold there.

Rules of this file:
- The least busy process is chosen; among equals the one that was assigned something longest ago.
- A place is freed by the process's own answer. A process that was asked to cancel keeps it until it confirms, or
  becomes overdue (liveness.py).
"""

from gasoline_broker.actor.wire import Envelope, Kind
from gasoline_broker.hub.events import Send
from gasoline_broker.hub.state import Peer, Service, State, Task

NEVER = float("inf")
# Module constants: looking a member up in its enum takes longer than most steps here (0.2 µs, Python 3.11).
ASK, CANCEL = Kind.ASK, Kind.CANCEL


def dispatch(state: State, now: float, service: Service) -> None:
    """Assign as many waiting asks of the service as there are free places."""
    while (task := service.queue.head()) and (worker := choose_worker(task)):
        service.queue.serve(task)
        task.waiting = False
        assign(state, now, task, worker)


def choose_worker(task: Task) -> Peer | None:
    """Return the process for this ask, None when all are busy. Not one that is still cancelling that very ask."""
    best, least, ask_id = None, NEVER, task.ask_id
    for peer in task.service.workers:
        load = len(peer.running)
        if load > least or load >= peer.capacity or peer.unavailable or ask_id in peer.running:
            continue
        if best is None or load < least or peer.assigned_last < best.assigned_last:
            best, least = peer, load
    return best


def assign(state: State, now: float, task: Task, worker: Peer) -> None:
    """Send a task to a process that has a place for it."""
    task.worker = worker
    task.maybe_received = False
    task.assigned_at = now
    task.service.waited.add(now - task.queued_at)
    worker.running.add(task.ask_id)
    state.assignments += 1
    worker.assigned_last = state.assignments
    send_ask(state, now, task)


def assign_to_holder(state: State, now: float, task: Task, holder: Peer) -> None:
    """Assign a task to the process that holds it, or its answer, already; if its link is cut, when it is back."""
    free_place(state, holder, task.ask_id)
    if holder.suspect:
        task.worker, task.assigned_at = holder, now
        holder.running.add(task.ask_id)
    else:
        assign(state, now, task, holder)
    task.maybe_received = True


def send_ask(state: State, now: float, task: Task) -> None:
    """Send a task to its worker, with the time that remains."""
    asked, worker = task.envelope, task.worker
    if worker is None:
        return
    envelope = Envelope(
        ASK,
        asked.id,
        asked.itinerary,
        task.position,
        max(1, int((task.expires_at - now) * 1000)),
        task.attempt,
        task.label,
        asked.session,
        asked.trace,
        asked.priority,
    )
    state.out.append(Send(worker.key, envelope, task.frames))


def request_cancel(state: State, now: float, peer: Peer, ask_id: bytes) -> None:
    """Ask a process to cancel its work; its answer frees the place, unless it becomes overdue."""
    until = now + state.limits.stuck_s
    peer.overdue[ask_id] = state.overdue[peer.key, ask_id] = until
    state.wake(until)
    state.send(peer.key, Envelope(CANCEL, ask_id))


def free_place(state: State, peer: Peer, ask_id: bytes) -> None:
    """Free the place of an ask in a process."""
    peer.running.discard(ask_id)
    peer.inherited.discard(ask_id)
    if peer.overdue.pop(ask_id, None):
        del state.overdue[peer.key, ask_id]
