"""Ends asks: answered, failed by the broker, or cancelled.

Rules of this file:
- Every ask that was admitted is answered or failed exactly once, unless its asker left or cancelled it, or this
  broker leaves before it was begun.
- Ending an ask returns its places in the services that it has yet to reach, and in its asker's window.
- An answer is kept (replies.py) where its asker may not receive it and a second execution is harmful, or far.
"""

import heapq

from gasoline_broker.actor.wire import ADMITTED_BEFORE, Delivery, Envelope, Kind, pack
from gasoline_broker.errors import Failure
from gasoline_broker.hub import error_messages
from gasoline_broker.hub.assignment import dispatch, request_cancel
from gasoline_broker.hub.departures import remove_drained
from gasoline_broker.hub.events import Frames
from gasoline_broker.hub.state import Ended, State, Task

EXPIRIES_KEPT = 128  # deadlines of asks that have ended, at most, before they are swept out
ANSWER, FAILURE = Kind.ANSWER, Kind.FAILURE
DONE, BEGUN = "done", "begun"
QUERY, COMMAND = Delivery.QUERY, Delivery.COMMAND


def complete(state: State, now: float, task: Task) -> None:
    """Send the last stop's answer to the asker."""
    _release(state, now, task, "failed" if task.failed else "answered")
    asker, frames = task.asker, task.frames
    _reply(state, task, FAILURE if task.failed else ANSWER, frames)
    for frame in frames:
        asker.unread_bytes += len(frame)
    if asker.unread_bytes > state.limits.unread_bytes // 4 and not asker.unanswered_since:
        state.send_ping(now, asker)


def fail(state: State, now: float, task: Task, failure: Failure) -> None:
    """Fail an ask with a failure of the broker's own."""
    if failure.code != "outcome_unknown" and (acted := _acted(task)):
        failure = error_messages.after_act(failure, done=acted == DONE)
    _release(state, now, task, failure.code)
    state.counts[failure.code] += 1
    _reply(state, task, FAILURE, [pack(failure)])


def cancel(state: State, now: float, task: Task) -> None:
    """End an ask whose asker no longer waits, wherever it is."""
    _release(state, now, task, "cancelled")
    cancel_work(state, now, task, "cancelled")
    if any(stop.delivery is COMMAND for stop in task.envelope.itinerary) and task.attempts:
        state.replies.doubt(task.ask_id)


def hand_back(state: State, now: float, task: Task) -> None:
    """Return an ask that was never begun to its asker, which asks the next broker: that one has admitted it already."""
    _release(state, now, task, "handed_back")
    state.send(task.asker.key, Envelope(Kind.GOODBYE, task.ask_id, attempt=ADMITTED_BEFORE))


def cancel_work(state: State, now: float, task: Task, outcome: str) -> None:
    """Take a task from the process that works on it."""
    worker = task.worker
    task.end_attempt(now, outcome)
    if worker is not None and worker.key in state.peers:
        request_cancel(state, now, worker, task.ask_id)


def _reply(state: State, task: Task, kind: Kind, frames: Frames) -> None:
    asker = task.asker
    envelope = Envelope(kind, task.ask_id, trace=task.envelope.trace)
    if asker.remote or _repeats_badly(task.envelope):
        state.replies.keep(task.ask_id, asker.key, envelope, frames)
    state.send(asker.key, envelope, frames)


def _release(state: State, now: float, task: Task, outcome: str) -> None:
    """Remove an ask from every table, and return the places that it holds."""
    del state.tasks[task.ask_id]
    if task.waiting:
        task.service.queue.remove(task)
        task.waiting = False
        dispatch(state, now, task.service)  # it may have been first, and no free process able to take that very ask
    if state.unclaimed:
        state.unclaimed.pop(task.ask_id, None)
    for service in task.services[task.position :]:
        service.share.give_back(task.session)
    asker, asked = task.asker, task.envelope
    asker.asked.discard(task.ask_id)
    asker.asked_bytes -= task.size_bytes
    asker.window.give_back(task.session)
    if asker.draining:
        remove_drained(state, now, asker)
    if asked.trace:
        name = asker.service.name
        state.calls.append(Ended(asked.trace, task.session, name, task.began_at, now, outcome, task.attempts))
    if len(state.expiries) > 2 * len(state.tasks) + EXPIRIES_KEPT:
        state.expiries = [(one.expires_at, ask_id) for ask_id, one in state.tasks.items()]
        heapq.heapify(state.expiries)


def _acted(task: Task) -> str:
    """Give whether an act of this ask was DONE or BEGUN, "" for neither."""
    stops, at = task.envelope.itinerary, task.position
    if any(stop.delivery is COMMAND for stop in stops[:at]):
        return BEGUN if task.failed else DONE
    is_at_act = any(stop.delivery is COMMAND for stop in stops[at : at + 1])
    return BEGUN if is_at_act and (task.worker is not None or task.attempts) else ""


def _repeats_badly(asked: Envelope) -> bool:
    for stop in asked.itinerary:  # noqa: SIM110 - a generator takes four times as long
        if stop.delivery is not QUERY:
            return True
    return False
