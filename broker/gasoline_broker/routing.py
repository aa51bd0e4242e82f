"""Decides where every message goes; it reads no clock, opens no socket and decodes no body.

Rules of this file:
- `handle(now, event)` is the only way in, and the list of sends it returns the only way out. `now` is monotonic, in s.
- Every ask that is taken is answered or failed exactly once, unless its asker left or cancelled it.
- An ask is in one place: waiting in its stop's queue, or running at one peer.
- What the next stop is given, and what the asker is given, is decided by flow.py and by nothing a sender claims.
- A peer that registers again on a new link keeps what it asks, and is given again what it held. One that still works on
  it goes on: an ask is known by its id and position, and so is its answer.
- What is done when a peer dies while working, by the delivery of its stop (ATTEMPTS):

      delivery | attempts | then
      QUERY    | 3        | worker_unavailable   asking twice costs nothing
      STORE    | 3        | worker_unavailable   the id makes storing twice the same as once
      COMMAND  | 1        | outcome_unknown      it may have happened; happening twice would be worse
"""

import heapq
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from gasoline_broker import flow
from gasoline_broker.errors import Failure
from gasoline_broker.messages import PeerStatus, ReadStatus, Register, StatusRead
from gasoline_broker.wire import MALFORMED, Delivery, Envelope, Kind, Label, pack

ATTEMPTS = {Delivery.QUERY: 3, Delivery.STORE: 3, Delivery.COMMAND: 1}
SELF = "broker"
EXPIRIES_KEPT = 128  # deadlines of asks that have ended, at most, before they are swept out

Frames = Sequence[Any]  # body and blobs, as they came; never looked into


class Limits(NamedTuple):
    """The bounds of one broker. Times in seconds, counts in asks."""

    queue: int = 2_000  # per service; at 100,000 requests/s a full queue is 20 ms of work
    window: int = 256  # open asks of one peer: below the socket's 1,000 messages, so that no answer can be dropped
    stops: int = 8
    ping_every_s: float = 1.0
    dead_after_s: float = 4.0
    absent_s: float = 3.0  # a supervisor has a dead process back within 1 s; after three nobody is coming
    absent_ask_s: float = 1.0  # but every ask waits this long: the process may just be being started


class Received(NamedTuple):
    """Event: a message from a peer."""

    peer: bytes
    envelope: Envelope
    frames: Frames


class Lost(NamedTuple):
    """Event: a peer cannot be reached any more."""

    peer: bytes


class Ticked(NamedTuple):
    """Event: time has passed; `due()` says when the next one is wanted."""


Event = Received | Lost | Ticked


class Send(NamedTuple):
    """Action: send this to that peer."""

    peer: bytes
    envelope: Envelope
    frames: Frames = ()


class Peer:
    """One connected process, from its registration until it is lost."""

    __slots__ = ("asked", "done", "draining", "heard_at", "identity", "pinged_at", "running", "since", "told")

    def __init__(self, identity: bytes, told: Register, now: float) -> None:
        self.identity = identity
        self.told = told
        self.since = self.heard_at = self.pinged_at = now
        self.running: set[bytes] = set()
        self.asked: set[bytes] = set()
        self.done = 0
        self.draining = False

    @property
    def spare(self) -> int:
        """How many more asks it may be given."""
        return 0 if self.draining else self.told.capacity - len(self.running)


class Task:
    """One ask on its way: where it is, what its next stop is given, and how clean that is."""

    __slots__ = (
        "asker",
        "attempt",
        "envelope",
        "expires_at",
        "failed",
        "frames",
        "label",
        "position",
        "queued_at",
        "waiting",
        "worker",
    )

    def __init__(self, asker: bytes, envelope: Envelope, frames: Frames, label: Label, expires_at: float) -> None:
        self.asker = asker
        self.envelope = envelope
        self.frames = frames
        self.label = label
        self.expires_at = expires_at
        self.position = 0
        self.attempt = 1
        self.failed = False
        self.queued_at = 0.0
        self.waiting = False
        self.worker: bytes | None = None

    @property
    def service(self) -> str:
        """The service of the stop it waits for or is at."""
        return self.envelope.itinerary[self.position].service


class Routing:
    """The state machine of one broker life; nothing in it needs to outlive that life."""

    def __init__(self, now: float, pid: int = 0, version: str = "", limits: Limits = Limits()) -> None:  # noqa: B008 - an immutable tuple
        self.limits = limits
        self.peers: dict[bytes, Peer] = {}
        self.tasks: dict[bytes, Task] = {}
        self.queues: dict[str, OrderedDict[bytes, Task]] = {}  # no empty ones: any name may be asked for
        self.counts: Counter[str] = Counter()
        self._pid, self._version, self._started_at = pid, version, now
        self._absent_since: dict[str, float] = {}
        self._expiries: list[tuple[float, bytes]] = []
        self._ticked_at = now
        self._out: list[Send] = []
        self._kinds: dict[Kind, Callable[[float, Peer, Received], None]] = {
            Kind.ASK: self._ask,
            Kind.ANSWER: self._answer,
            Kind.FAILURE: self._answer,
            Kind.CANCEL: self._cancel,
            Kind.GOODBYE: self._goodbye,
            Kind.PONG: lambda _now, _peer, _event: None,
        }

    def handle(self, now: float, event: Event) -> list[Send]:
        """Take in one event and give what is to be sent because of it, in order."""
        match event:
            case Received():
                self._received(now, event)
            case Lost(identity):
                self._lost(now, identity)
            case Ticked():
                self._tick(now)
        out, self._out = self._out, []
        return out

    def due(self) -> float:
        """Give the time at which the next `Ticked` is wanted."""
        beat = self._ticked_at + self.limits.ping_every_s
        expiry = self._expiries[0][0] if self._expiries else beat
        heads = (next(iter(queue.values())) for queue in self.queues.values() if queue)
        return min(beat, expiry, *map(self._hopeless_at, heads))

    # What came in

    def _received(self, now: float, event: Received) -> None:
        kind = event.envelope.kind
        if kind is Kind.REGISTER:
            self._register(now, event)
            return
        peer = self.peers.get(event.peer)
        if peer is None:
            self.counts["unregistered"] += 1
            self._send(event.peer, Envelope(Kind.RESET))
            return
        peer.heard_at = now
        handler = self._kinds.get(kind)
        if handler is None:
            self.counts["misplaced"] += 1
        else:
            handler(now, peer, event)

    def _register(self, now: float, event: Received) -> None:
        try:
            told = msgspec.msgpack.decode(bytes(event.frames[0]), type=Register)
        except (*MALFORMED, IndexError):
            self.counts["malformed"] += 1
            return
        peer, before = Peer(event.peer, told, now), self.peers.get(event.peer)
        if before is not None:
            self._remove(now, before)
        self.peers[event.peer] = peer
        self._absent_since.pop(told.service, None)
        self._send(event.peer, Envelope(Kind.REGISTER))
        if before is not None:  # its link was cut: what it was given may be lost, what it asks it sends again
            self.counts["linked_again"] += 1
            peer.asked = before.asked
            self._give_again(now, before)
        self._dispatch(now, told.service)

    def _ask(self, now: float, peer: Peer, event: Received) -> None:
        envelope = event.envelope
        known = self.tasks.get(envelope.id)
        if known is not None and known.asker == peer.identity:  # sent again after a cut: it is on its way
            return
        stops = len(envelope.itinerary)
        if known or not 0 < stops <= self.limits.stops or envelope.ttl_ms <= 0 or not envelope.id:
            self.counts["malformed"] += 1
            text = f"An ask has an id of its own, 1 to {self.limits.stops} stops and time left; this one does not."
            self._fail(peer.identity, envelope, Failure("invalid_params", text))
            return
        if len(peer.asked) >= self.limits.window:
            self._refuse(peer.identity, envelope, f"{self.limits.window} asks of this process are open already.")
            return
        if envelope.itinerary[0].service == SELF:
            self._answer_self(now, peer, envelope)
            return
        label = flow.said_by(peer.told.service, Label.CLEAN)
        task = Task(peer.identity, envelope, event.frames, label, now + envelope.ttl_ms / 1000)
        self.tasks[envelope.id] = task
        peer.asked.add(envelope.id)
        heapq.heappush(self._expiries, (task.expires_at, envelope.id))
        self._enqueue(now, task)

    def _answer(self, now: float, peer: Peer, event: Received) -> None:
        envelope = event.envelope
        task = self.tasks.get(envelope.id)
        if task is None or task.worker != peer.identity:
            self.counts["late"] += 1
            peer.running.discard(envelope.id)
        elif envelope.position != task.position:  # of a stop that it was given by the broker before this one
            self.counts["late"] += 1
        else:
            peer.running.discard(envelope.id)
            peer.done += 1
            task.worker = None
            self._advance(now, task, event.frames, failed=envelope.kind is Kind.FAILURE)
        self._settle(now, peer)
        self._dispatch(now, peer.told.service)

    def _cancel(self, now: float, peer: Peer, event: Received) -> None:
        task = self.tasks.get(event.envelope.id)
        if task is not None and task.asker == peer.identity:
            self._drop(now, task)

    def _goodbye(self, now: float, peer: Peer, _event: Received) -> None:
        peer.draining = True
        self._send(peer.identity, Envelope(Kind.GOODBYE))  # after this, it is given nothing more
        self._settle(now, peer)

    # The way of a task

    def _advance(self, now: float, task: Task, frames: Frames, *, failed: bool) -> None:
        task.label = flow.said_by(task.service, task.label)
        task.frames = frames
        task.failed = task.failed or failed
        task.attempt = 1
        task.position = self._next_position(task)
        if task.position < len(task.envelope.itinerary):
            self._enqueue(now, task)
        elif task.label is Label.RAW:
            self.counts["raw_refused"] += 1
            self._end(now, task, _unredacted("the caller"))
        else:
            self._finish(now, task)

    def _next_position(self, task: Task) -> int:
        """After a failure only redaction is still to come: its text may hold what a page said."""
        after = range(task.position + 1, len(task.envelope.itinerary))
        if not task.failed:
            return task.position + 1
        stops = task.envelope.itinerary
        cleaning = (at for at in after if task.label is Label.RAW and flow.cleans(stops[at].service))
        return next(cleaning, len(stops))

    def _enqueue(self, now: float, task: Task, *, again: bool = False) -> None:
        service = task.service
        if not flow.may_take(service, task.label):
            self.counts["raw_refused"] += 1
            self._end(now, task, _unredacted(service))
            return
        queue = self.queues.setdefault(service, OrderedDict())
        if len(queue) >= self.limits.queue and not again:  # what was begun is not refused
            self._end(now, task, _overloaded(f"{len(queue)} asks wait for {service} already."))
            return
        queue[task.envelope.id] = task
        queue.move_to_end(task.envelope.id, last=not again)
        task.waiting, task.queued_at = True, now
        self._dispatch(now, service)

    def _unqueue(self, task: Task) -> None:
        queue = self.queues[task.service]
        del queue[task.envelope.id]
        task.waiting = False
        if not queue:
            del self.queues[task.service]

    def _dispatch(self, now: float, service: str) -> None:
        queue = self.queues.get(service)
        while queue:
            task = next(iter(queue.values()))
            worker = self._worker(service, task.envelope.id)
            if worker is None:
                return
            self._unqueue(task)
            self._give(now, task, worker)

    def _give(self, now: float, task: Task, worker: Peer) -> None:
        task.worker = worker.identity
        worker.running.add(task.envelope.id)
        envelope = msgspec.structs.replace(
            task.envelope,
            position=task.position,
            ttl_ms=max(1, int((task.expires_at - now) * 1000)),
            attempt=task.attempt,
            label=task.label,
        )
        self._send(worker.identity, envelope, task.frames)

    def _worker(self, service: str, number: bytes) -> Peer | None:
        """Choose who is least busy; among equals who registered first. Not who has yet to leave off that very ask."""
        ready = [
            peer
            for peer in self.peers.values()
            if peer.told.service == service and peer.spare > 0 and number not in peer.running
        ]
        return min(ready, key=lambda peer: len(peer.running), default=None)

    def _finish(self, now: float, task: Task) -> None:
        self._forget(now, task)
        kind = Kind.FAILURE if task.failed else Kind.ANSWER
        self._send(task.asker, Envelope(kind, task.envelope.id, trace=task.envelope.trace), task.frames)

    def _end(self, now: float, task: Task, failure: Failure) -> None:
        """Fail a task with words of our own."""
        self._forget(now, task)
        self.counts[failure.code] += 1
        self._fail(task.asker, task.envelope, failure)

    def _drop(self, now: float, task: Task) -> None:
        """End a task that nobody waits for any more, wherever it is."""
        self._forget(now, task)
        self._stop_work(task)

    def _stop_work(self, task: Task) -> None:
        if task.worker is not None and task.worker in self.peers:
            self._send(task.worker, Envelope(Kind.CANCEL, task.envelope.id))  # it answers, and its slot is free again

    def _forget(self, now: float, task: Task) -> None:
        del self.tasks[task.envelope.id]
        if task.waiting:
            self._unqueue(task)
        if asker := self.peers.get(task.asker):
            asker.asked.discard(task.envelope.id)
            self._settle(now, asker)
        if len(self._expiries) > 2 * len(self.tasks) + EXPIRIES_KEPT:
            self._expiries = [(one.expires_at, number) for number, one in self.tasks.items()]
            heapq.heapify(self._expiries)

    # Peers that leave

    def _settle(self, now: float, peer: Peer) -> None:
        if peer.draining and not peer.running and not peer.asked:
            self._remove(now, peer)

    def _remove(self, now: float, peer: Peer) -> None:
        self.peers.pop(peer.identity, None)
        service = peer.told.service
        if not any(other.told.service == service for other in self.peers.values()):
            self._absent_since[service] = now

    def _lost(self, now: float, identity: bytes) -> None:
        peer = self.peers.get(identity)
        if peer is None:
            return
        self._remove(now, peer)
        self.counts["lost_peers"] += 0 if peer.draining else 1
        for task in self._tasks(peer.asked):
            self._drop(now, task)
        self._give_again(now, peer)

    def _give_again(self, now: float, peer: Peer) -> None:
        for task in self._tasks(peer.running):
            if task.worker == peer.identity:
                self._again(now, task)

    def _again(self, now: float, task: Task) -> None:
        task.worker = None
        if task.attempt < ATTEMPTS[task.envelope.itinerary[task.position].delivery]:
            task.attempt += 1
            self._enqueue(now, task, again=True)
        else:
            self._end(now, task, _died(task))

    def _tasks(self, ids: Iterable[bytes]) -> list[Task]:
        return [task for one in ids if (task := self.tasks.get(one))]

    # Time

    def _tick(self, now: float) -> None:
        self._forgive(now)
        self._ticked_at = now
        self._expire(now)
        for service in list(self.queues):
            self._fail_absent(now, service)
        for peer in list(self.peers.values()):
            self._beat(now, peer)

    def _forgive(self, now: float) -> None:
        """Move what was heard by as much as we were suspended: nobody is late by that."""
        late_s = now - self._ticked_at - self.limits.ping_every_s
        if late_s > self.limits.ping_every_s:
            for peer in self.peers.values():
                peer.heard_at = min(now, peer.heard_at + late_s)

    def _beat(self, now: float, peer: Peer) -> None:
        if now - peer.heard_at >= self.limits.dead_after_s:
            self.counts["silent_peers"] += 1
            self._lost(now, peer.identity)
        elif now - max(peer.heard_at, peer.pinged_at) >= self.limits.ping_every_s * 0.9:  # ticks are never early
            peer.pinged_at = now
            self._send(peer.identity, Envelope(Kind.PING))

    def _expire(self, now: float) -> None:
        while self._expiries and self._expiries[0][0] <= now:
            task = self.tasks.get(heapq.heappop(self._expiries)[1])
            if task is not None and task.expires_at <= now:
                self._end(now, task, _late(task, absent=task.worker is None and self._absent(task.service)))
                self._stop_work(task)

    def _fail_absent(self, now: float, service: str) -> None:
        if self._absent(service):
            for task in list(self.queues[service].values()):
                if now >= self._hopeless_at(task):
                    self._end(now, task, _absent(service))

    def _hopeless_at(self, task: Task) -> float:
        """Give the time at which an ask has waited long enough for a process of its service to appear."""
        return max(self._absent_from(task.service) + self.limits.absent_s, task.queued_at + self.limits.absent_ask_s)

    def _absent(self, service: str) -> bool:
        return not any(peer.told.service == service for peer in self.peers.values())

    def _absent_from(self, service: str) -> float:
        if self._absent(service):
            return self._absent_since.get(service, self._started_at)
        return float("inf")

    # Words of our own

    def _answer_self(self, now: float, peer: Peer, envelope: Envelope) -> None:
        try:
            msgspec.msgpack.decode(envelope.itinerary[0].message, type=ReadStatus)
        except MALFORMED:
            self.counts["malformed"] += 1
            self._fail(peer.identity, envelope, Failure("invalid_params", "The broker answers ReadStatus only."))
            return
        self._send(peer.identity, Envelope(Kind.ANSWER, envelope.id), [pack(self.status(now))])

    def status(self, now: float) -> StatusRead:
        """Give what is connected, waiting and running."""
        peers = [
            PeerStatus(
                service=peer.told.service,
                pid=peer.told.pid,
                capacity=peer.told.capacity,
                running=len(peer.running),
                done=peer.done,
                up_s=round(now - peer.since, 3),
                version=peer.told.version,
            )
            for peer in self.peers.values()
        ]
        waiting = {name: len(queue) for name, queue in self.queues.items()}
        up_s = round(now - self._started_at, 3)
        return StatusRead(self._pid, self._version, up_s, peers, waiting, dict(self.counts))

    def _refuse(self, peer: bytes, envelope: Envelope, why: str) -> None:
        self.counts["overloaded"] += 1
        self._fail(peer, envelope, _overloaded(why))

    def _fail(self, peer: bytes, envelope: Envelope, failure: Failure) -> None:
        self._send(peer, Envelope(Kind.FAILURE, envelope.id, trace=envelope.trace), [pack(failure)])

    def _send(self, peer: bytes, envelope: Envelope, frames: Frames = ()) -> None:
        self._out.append(Send(peer, envelope, frames))


def _absent(service: str) -> Failure:
    code = "redaction_unavailable" if flow.cleans(service) else "worker_unavailable"
    text = f"No {service} process is running, and nothing is answered without one."
    return Failure(code, text, "Run `gasoline status` to see what is missing and `gasoline up` to start it.")


def _unredacted(where: str) -> Failure:
    text = f"Refused: page data that was not redacted would have gone to {where}."
    return Failure("redaction_unavailable", text, "This is a fault of Gasoline's: report it with `gasoline doctor`.")


def _overloaded(why: str) -> Failure:
    return Failure("overloaded", why, "Wait a moment, then call again.")


def _died(task: Task) -> Failure:
    times = f"died {task.attempt} times" if task.attempt > 1 else "died"
    text = f"The {task.service} process {times} while working on this call."
    if task.envelope.itinerary[task.position].delivery is Delivery.COMMAND:
        return Failure("outcome_unknown", text, "Look at the page before you do it again: it may have happened.")
    code = "redaction_unavailable" if flow.cleans(task.service) else "worker_unavailable"
    return Failure(code, text, "`gasoline status` shows the processes, and `gasoline doctor` what is wrong.")


def _late(task: Task, *, absent: bool) -> Failure:
    if absent:
        return _absent(task.service)
    doing = "work on this call" if task.worker else "take this call"
    text = f"The {task.service} process did not {doing} within its {task.envelope.ttl_ms} ms."
    return Failure("deadline_exceeded", text, "Call again; `gasoline status` shows what is busy.")
