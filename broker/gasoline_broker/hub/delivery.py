"""Moves an ask from stop to stop of its itinerary, and decides about a second attempt when a process dies.

Rules of this file:
- An ask is in one place: waiting in its stop's queue, running at one peer, or unclaimed (see below).
- What the next stop receives, and what the asker receives, is decided by labels.py and not by what a sender claims.
- What happens when a process dies while working, by the delivery of its stop (ATTEMPTS_MAX):

      delivery | attempts | then
      QUERY    | 3        | dead letter, worker_unavailable    asking twice costs nothing
      STORE    | 3        | the same                           the id makes storing twice the same as once
      COMMAND  | 1        | outcome_unknown                    it may have happened; happening twice would be worse
      COMMAND  | 3        | dead letter                        if its executor remembers ids (Register.remembers)

- After a broker's death the askers send again what is unanswered (`attempt` 1), and the processes report what they
  hold: such an ask goes to its holder. A command that no process claims within 1 s of the start may have been executed
  by a process that died: outcome_unknown.
"""

from gasoline_broker.actor.wire import CANCELLED, Delivery, Kind, Label
from gasoline_broker.hub import error_messages, labels
from gasoline_broker.hub.assignment import assign, assign_to_holder, choose_worker, dispatch, free_place
from gasoline_broker.hub.completion import cancel, complete, fail
from gasoline_broker.hub.departures import remove_drained, waits_until
from gasoline_broker.hub.events import Frames, Received
from gasoline_broker.hub.state import Letter, Peer, State, Task

ATTEMPTS_MAX = {Delivery.QUERY: 3, Delivery.STORE: 3, Delivery.COMMAND: 1}
REMEMBERED_ATTEMPTS_MAX = 3
FAILURE, COMMAND, RAW = Kind.FAILURE, Delivery.COMMAND, Label.RAW


def receive_answer(state: State, now: float, peer: Peer, event: Received) -> None:
    """Handle ANSWER and FAILURE: the task moves to its next stop, and the place is free."""
    envelope = event.envelope
    ask_id = envelope.id
    task = state.tasks.get(ask_id)
    if task is None or task.worker is not peer:
        state.counts["late"] += 1
        free_place(state, peer, ask_id)
    elif envelope.position != task.position:  # of a stop that the broker before this one assigned to it
        state.counts["late"] += 1
    elif envelope.attempt == CANCELLED:  # it was asked to cancel, then assigned this again, and the messages crossed
        task.end_attempt(now, "cancelled")
        peer.running.discard(ask_id)
        enqueue(state, now, task, first=True)
    else:
        peer.running.discard(ask_id)
        peer.done += 1
        failed = envelope.kind is FAILURE
        task.service.worked.add(now - task.assigned_at)
        task.service.failed += failed
        task.end_attempt(now, "failed" if failed else "answered")
        _advance(state, now, task, event.frames, failed=failed)
    if peer.draining:
        remove_drained(state, now, peer)
    if peer.service.queue.size:
        dispatch(state, now, peer.service)


def receive_cancel(state: State, now: float, peer: Peer, event: Received) -> None:
    """Handle CANCEL: the asker no longer waits."""
    task = state.tasks.get(event.envelope.id)
    if task is not None and task.asker is peer:
        state.counts["cancelled"] += 1
        cancel(state, now, task)


def _advance(state: State, now: float, task: Task, frames: Frames, *, failed: bool) -> None:
    if task.service.output_label is not None:
        task.label = task.service.output_label
    task.frames = frames
    task.failed = task.failed or failed
    task.attempt, task.cuts = 1, 0
    position = _next_position(task)
    for passed in task.services[task.position : position]:
        passed.share.give_back(task.session)
    task.position = position
    if position < len(task.services):
        enqueue(state, now, task)
    elif task.label is RAW:
        state.counts["raw_refused"] += 1
        fail(state, now, task, error_messages.unredacted("the caller"))
    else:
        complete(state, now, task)


def _next_position(task: Task) -> int:
    """After a failure only redaction is still to come: the failure's text may hold page data."""
    if not task.failed:
        return task.position + 1
    after = range(task.position + 1, len(task.services))
    cleaning = (at for at in after if task.label is RAW and labels.cleans(task.services[at].name))
    return next(cleaning, len(task.services))


def enqueue(state: State, now: float, task: Task, *, first: bool = False) -> None:
    """Bring a task to its stop: to a free process, or into the queue; `first`: before all others of its priority."""
    service = task.service
    if task.label is RAW and not service.accepts_raw:
        state.counts["raw_refused"] += 1
        fail(state, now, task, error_messages.unredacted(service.name))
        return
    task.queued_at = now
    if task.resent and _resume(state, now, task):
        return
    if not service.queue.size and (worker := choose_worker(task)):
        assign(state, now, task, worker)
        return
    service.queue.push(task, first=first)
    task.waiting = True
    if not service.workers:
        state.wake(waits_until(state, task))
    dispatch(state, now, service)


def _resume(state: State, now: float, task: Task) -> bool:
    """Place an ask that was sent to an earlier broker: with the process that holds it. False: it waits as a new one."""
    key = task.ask_id, task.position
    for peer in task.service.workers:
        if key not in peer.claims:
            continue
        if peer.is_cancelling(task.ask_id):  # what it answers now is about the cancellation
            if task.delivery is COMMAND:
                fail(state, now, task, error_messages.outcome_unknown(task.service.name))
                return True
        elif task.delivery is COMMAND or not peer.suspect:
            assign_to_holder(state, now, task, peer)
            return True
    if task.delivery is not COMMAND or task.service.remembers:
        return False
    claims_until = state.started_at + state.limits.claim_s
    if now < claims_until:
        state.unclaimed[task.ask_id] = task
        state.wake(claims_until)
    else:
        fail(state, now, task, error_messages.outcome_unknown(task.service.name))
    return True


def retry(state: State, now: float, task: Task) -> None:
    """Assign a task to another process, or fail it: the one that worked on it died."""
    worker = task.worker
    task.end_attempt(now, "lost")
    attempts_max = ATTEMPTS_MAX[task.delivery]
    if task.delivery is COMMAND and worker is not None and worker.registration.remembers:
        attempts_max = REMEMBERED_ATTEMPTS_MAX
    if task.attempt < attempts_max:
        task.attempt += 1
        enqueue(state, now, task, first=True)
    elif attempts_max == 1:
        fail(state, now, task, error_messages.outcome_unknown(task.service.name))
    else:
        _fail_dead_letter(state, now, task)


def requeue(state: State, now: float, task: Task) -> None:
    """Assign a task to another process: the one that it was sent to never received it."""
    worker, task.worker = task.worker, None
    if worker is not None:
        worker.running.discard(task.ask_id)
    enqueue(state, now, task, first=True)


def _fail_dead_letter(state: State, now: float, task: Task) -> None:
    stops = tuple(service.name for service in task.services)
    pids = tuple(one.pid for one in task.attempts if one.service == task.service.name)
    state.dead_letters.append(Letter(task.envelope.trace, task.service.name, stops, pids, now))
    state.counts["dead_letters"] += 1
    fail(state, now, task, error_messages.process_died(task.service.name, task.attempt))
