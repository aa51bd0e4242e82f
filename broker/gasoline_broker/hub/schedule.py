"""Does what is due because time has passed, and plans the next tick.

Rules of this file:
- An ask fails at its deadline, wherever it is; one that waits for a service without a process fails sooner.
- A service that no process serves and no ask waits for is forgotten: any name may be asked for.
"""

import heapq

from gasoline_broker.hub import error_messages
from gasoline_broker.hub.assignment import NEVER
from gasoline_broker.hub.completion import cancel_work, fail
from gasoline_broker.hub.delivery import enqueue
from gasoline_broker.hub.departures import waits_until, wake_for_absence
from gasoline_broker.hub.liveness import allow_for_suspension, check_silence, give_up_stuck, give_up_suspects
from gasoline_broker.hub.state import Service, State, Task


def tick(state: State, now: float) -> None:
    """Do what is due."""
    allow_for_suspension(state, now)
    _expire(state, now)
    give_up_stuck(state, now)
    give_up_suspects(state, now)
    if now >= state.started_at + state.limits.claim_s:
        _end_claims(state, now)
    for service in state.services.values():
        if service.queue.size and not service.workers:
            _fail_absent(state, now, service)
    if now >= state.beat_at:
        _beat(state, now)
    _plan(state, now)


def _expire(state: State, now: float) -> None:
    while state.expiries and state.expiries[0][0] <= now:
        task = state.tasks.get(heapq.heappop(state.expiries)[1])
        if task is not None and task.expires_at <= now:
            _fail_late(state, now, task)


def _fail_late(state: State, now: float, task: Task) -> None:
    service, assigned = task.service, task.worker is not None
    if assigned or service.workers:
        failure = error_messages.deadline_exceeded(service.name, task.envelope.ttl_ms, assigned=assigned)
    else:
        failure = error_messages.no_process(service.name)
    fail(state, now, task, failure)
    cancel_work(state, now, task, "late")


def _end_claims(state: State, now: float) -> None:
    unclaimed, state.unclaimed = state.unclaimed, {}
    for task in unclaimed.values():
        enqueue(state, now, task)  # a process that registered meanwhile may remember it


def _fail_absent(state: State, now: float, service: Service) -> None:
    for task in service.queue.all():
        if now >= waits_until(state, task):
            fail(state, now, task, error_messages.no_process(service.name))


def _beat(state: State, now: float) -> None:
    state.beat_at = now + state.limits.ping_every_s
    for peer in list(state.peers.values()):
        check_silence(state, now, peer)
    _sweep(state, now)


def _sweep(state: State, now: float) -> None:
    """Begin new windows of latencies, and forget services."""
    for service in list(state.services.values()):
        service.waited.turn(now)
        service.worked.turn(now)
        kept = service.worked.count or service.lost_remote or service.notes
        known_s = state.limits.forgotten_s if kept else 0.0
        if not service.workers and not service.share.taken and now >= service.absent_since + known_s:
            del state.services[service.name]


def _plan(state: State, now: float) -> None:
    state.due = state.beat_at
    state.wake(state.expiries[0][0] if state.expiries else NEVER)
    state.wake(min(state.overdue.values(), default=NEVER))
    state.wake(next(iter(state.suspects.values()), NEVER))
    if state.unclaimed:
        state.wake(max(now, state.started_at + state.limits.claim_s))
    for service in state.services.values():
        if service.queue.size and not service.workers:
            wake_for_absence(state, service)
