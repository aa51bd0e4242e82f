"""Decides where every message goes; it reads no clock, opens no socket and decodes no body.

Rules of this file:
- `handle(now, event)` is the only way in, and the list of sends it returns the only way out. `now` is monotonic, in s.
- Every ask that is taken is answered or failed exactly once, unless its asker left or cancelled it.
- An ask is in one place: waiting in its stop's queue, running at one peer, or unclaimed (see below).
- It holds a place at every service that it has yet to come to. Where there is none left it is refused before it begins;
  what was begun is never refused.
- What the next stop is given, and what the asker is given, is decided by labels.py and by nothing a sender claims.
- What is done when a process dies while working, by the delivery of its stop (ATTEMPTS):

      delivery | attempts | then
      QUERY    | 3        | dead letter, worker_unavailable    asking twice costs nothing
      STORE    | 3        | the same                           the id makes storing twice the same as once
      COMMAND  | 1        | outcome_unknown                    it may have happened; happening twice would be worse
      COMMAND  | 3        | dead letter                        if its executor remembers ids (Register.remembers)

- A link that is cut is no death: the process answers a command that it is given again from memory (mailbox.py), so a
  peer that registers again is given again what it held. A peer on another machine is suspect for 2 s before its cut
  link counts as its death; meanwhile others get its queries, and its commands wait. If it was the last of its service,
  the service is waited for longer than one whose process a supervisor would have back.
- Nothing here outlives this broker's life. After it the askers send again what is unanswered (`attempt` 1), and the
  processes say what they hold: such an ask goes to who holds it. A command that nobody claims within 1 s of the start
  may have run where nobody remembers: outcome_unknown.
"""

import heapq
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable

import msgspec

from gasoline_broker.actor.wire import LEFT_OFF, MALFORMED, Delivery, Envelope, Kind, Label, pack
from gasoline_broker.errors import Failure
from gasoline_broker.hub import error_messages, labels, reports
from gasoline_broker.hub.state import Ended, Frames, Letter, Limits, Peer, Reply, Service, Task
from gasoline_broker.messages import PEERS, PeerLost, ReadCalls, ReadStatus, Register

ATTEMPTS = {Delivery.QUERY: 3, Delivery.STORE: 3, Delivery.COMMAND: 1}
REMEMBERED_ATTEMPTS = 3
CUTS = 3  # how often one stop is given to another process because of a cut link, which counts as no attempt yet
SELF = "broker"
OUR_TOPICS = "broker."  # how topics begin that only the broker tells of
EXPIRIES_KEPT = 128  # deadlines of asks that have ended, at most, before they are swept out
NEVER = float("inf")
# Named once: to look a member up in its enum takes longer than most that is done here with it (0.2 µs, Python 3.11).
ASK, ANSWER, FAILURE, EVENT, REGISTER = Kind.ASK, Kind.ANSWER, Kind.FAILURE, Kind.EVENT, Kind.REGISTER
QUERY, COMMAND = Delivery.QUERY, Delivery.COMMAND
CLEAN, RAW = Label.CLEAN, Label.RAW


class Received(msgspec.Struct, frozen=True, gc=False):
    """Event: a message from a peer."""

    peer: bytes
    envelope: Envelope
    frames: Frames


class Lost(msgspec.Struct, frozen=True, gc=False):
    """Event: a peer cannot be reached any more. `unsent`: the asks that could not be handed to it."""

    peer: bytes
    unsent: frozenset[bytes] = frozenset()


class Ticked(msgspec.Struct, frozen=True, gc=False):
    """Event: time has passed; `due()` says when the next one is wanted."""


class Drained(msgspec.Struct, frozen=True, gc=False):
    """Event: take nothing more; `idle` tells when what is held is finished."""


Event = Received | Lost | Ticked | Drained


class Send(msgspec.Struct, frozen=True, gc=False):
    """Action: send this to that peer."""

    peer: bytes
    envelope: Envelope
    frames: Frames = ()


class Routing:
    """The state machine of one broker life."""

    def __init__(
        self,
        now: float,
        pid: int = 0,
        version: str = "",
        limits: Limits = Limits(),  # noqa: B008 - an immutable tuple
        life: bytes = b"",
    ) -> None:
        self.limits = limits
        self.life = life
        self.pid, self.version, self.started_at = pid, version, now
        self.peers: dict[bytes, Peer] = {}
        self.services: dict[str, Service] = {}
        self.tasks: dict[bytes, Task] = {}
        self.counts: Counter[str] = Counter()
        self.calls: deque[Ended] = deque(maxlen=limits.calls)
        self.dead_letters: deque[Letter] = deque(maxlen=limits.dead_letters)
        self._readers: dict[str, list[Peer]] = {}
        self._suspects: dict[bytes, float] = {}  # until when, the first one first
        self._zombies: dict[tuple[bytes, bytes], float] = {}  # by peer and ask: until when it may keep its place
        self._unclaimed: dict[bytes, Task] = {}
        self._replies: OrderedDict[bytes, Reply] = OrderedDict()
        self._replies_bytes = 0
        self._dropped: OrderedDict[bytes, None] = OrderedDict()
        self._unclosed: set[bytes] = set()
        self._expiries: list[tuple[float, bytes]] = []
        self._gives = 0
        self._draining = False
        self._beat_at = self._due = now + limits.ping_every_s
        self._out: list[Send] = []
        self._kinds: list[Callable[[float, Peer, Received], None]] = [self._misplaced] * (max(Kind) + 1)
        self._kinds[ASK] = self._ask
        self._kinds[ANSWER] = self._kinds[FAILURE] = self._answer
        self._kinds[EVENT] = self._event
        self._kinds[Kind.CANCEL] = self._cancel
        self._kinds[Kind.GOODBYE] = self._goodbye
        self._kinds[Kind.TAKEN] = self._taken
        self._kinds[Kind.PONG] = self._pong
        self._kinds[Kind.CLOSING] = self._closed

    def handle(self, now: float, event: Event) -> list[Send]:
        """Take in one event and give what is to be sent because of it, in order."""
        if type(event) is Received:
            self._received(now, event)
        elif isinstance(event, Lost):
            self._unlinked(now, event)
        elif isinstance(event, Ticked):
            self._tick(now)
        else:
            self._drain()
        out, self._out = self._out, []
        return out

    def due(self) -> float:
        """Give the time at which the next `Ticked` is wanted; it may turn out to be too early."""
        return self._due

    @property
    def idle(self) -> bool:
        """Whether nothing is held any more, and nothing new is under way to us that would not be told so."""
        return not self.tasks and not self._unclosed

    # What came in

    def _received(self, now: float, event: Received) -> None:
        kind = event.envelope.kind
        if kind is REGISTER:
            self._register(now, event)
            return
        peer = self.peers.get(event.peer)
        if peer is None:
            self.counts["unregistered"] += 1
            self._send(event.peer, Envelope(Kind.RESET))
            return
        peer.heard_at = now
        self._kinds[kind](now, peer, event)

    def _misplaced(self, _now: float, _peer: Peer, _event: Received) -> None:
        self.counts["misplaced"] += 1

    def _ask(self, now: float, peer: Peer, event: Received) -> None:
        envelope = event.envelope
        if (envelope.id in self.tasks or envelope.id in self._replies) and self._known(peer, envelope.id):
            return
        if envelope.itinerary and envelope.itinerary[0].service == SELF:
            self._answer_self(now, peer, envelope)
            return
        if self._draining and envelope.id not in self._dropped:
            self._send(peer.key, Envelope(Kind.GOODBYE, envelope.id))
            return
        services, size_bytes = self._services(envelope), sum(map(len, event.frames))
        refused = self._refusal(peer, envelope, services, size_bytes)
        if refused is None:
            self._take_in(now, peer, event, services, size_bytes)
            return
        self.counts["malformed" if refused.code == "invalid_params" else refused.code] += 1
        self._fail(peer.key, envelope, refused)

    def _event(self, now: float, peer: Peer, event: Received) -> None:
        envelope = event.envelope
        topic, size_bytes = envelope.topic, sum(map(len, event.frames))
        if not 0 < len(topic) <= self.limits.name_characters or topic.startswith(OUR_TOPICS) or self._draining:
            self.counts["events_refused"] += 1
        elif not envelope.itinerary:
            self._publish(envelope, labels.said_by(peer.service.name, CLEAN), event.frames)
        elif self._refusal(peer, envelope, services := self._services(envelope), size_bytes):
            self.counts["events_refused"] += 1
        else:
            self._take_in(now, peer, event, services, size_bytes)

    def _known(self, peer: Peer, number: bytes) -> bool:
        """Tell whether this very ask came before: then it is on its way, or its answer is sent once more."""
        task = self.tasks.get(number)
        if task is not None:
            return task.asker is peer
        reply = self._replies.get(number)
        if reply is None or reply.asker != peer.key:
            return False
        self._send(peer.key, reply.envelope, reply.frames)
        return True

    def _services(self, envelope: Envelope) -> tuple[Service, ...]:
        """Give the services of all stops; none of what is no ask."""
        limits, stops, names = self.limits, envelope.itinerary, self.limits.name_characters
        if not 0 < len(stops) <= limits.stops or not 0 < envelope.ttl_ms <= limits.ttl_ms:
            return ()
        if not 0 < len(envelope.id) <= limits.id_bytes or len(envelope.session) + len(envelope.trace) > names:
            return ()
        services = []
        for stop in stops:
            service = self.services.get(stop.service) or self._service(stop.service)
            if service is None:
                return ()
            services.append(service)
        return tuple(services)

    def _refusal(
        self, peer: Peer, envelope: Envelope, services: tuple[Service, ...], size_bytes: int
    ) -> Failure | None:
        session, refused, queued = envelope.session, None, False
        if not services or envelope.id in self.tasks:
            return error_messages.malformed(self.limits.stops)
        if peer.unread_bytes > self.limits.unread_bytes:
            refused = error_messages.unread(self.limits.unread_bytes)
        if peer.asked_bytes + size_bytes > self.limits.asked_bytes:
            refused = error_messages.heavy(self.limits.asked_bytes)
        if not peer.window.admits(session):
            refused = error_messages.window(self.limits.window)
        for service in services:
            queued = queued or service.queue.size > 0
            if not service.share.admits(session, services.count(service)):
                refused = error_messages.places(service.name, service.share.taken)
        if envelope.attempt == 0:  # else it was begun under another broker
            return self._predicted_late(envelope, services) if queued and not refused else refused
        command = next((stop for stop in envelope.itinerary if stop.delivery is COMMAND), None)
        return error_messages.unknown(command.service) if refused and command else refused

    def _predicted_late(self, envelope: Envelope, services: tuple[Service, ...]) -> Failure | None:
        """Refuse at once what would wait too long: at each stop, how many are ahead times how long one takes lately."""
        waits = {}
        for service in services:
            if service.queue.size and (slots := service.slots):
                ahead = service.queue.ahead(envelope.session, envelope.priority)
                waits[service.name] = service.worked.lately_s * (ahead + 1) / slots
        wait_s = sum(waits.values())
        if wait_s * 1000 <= self.limits.hopeful * envelope.ttl_ms:
            return None
        return error_messages.slow(tuple(waits), wait_s, envelope.ttl_ms)

    def _take_in(self, now: float, peer: Peer, event: Received, services: tuple[Service, ...], size_bytes: int) -> None:
        label = peer.service.gives or CLEAN
        asked = event.envelope
        number, session, expires_at = asked.id, asked.session, now + asked.ttl_ms / 1000
        resent = asked.attempt > 0 or number in self._dropped
        frames, priority = event.frames, asked.priority
        task = Task(
            number, peer, asked, frames, label, services, session, priority, now, expires_at, resent, size_bytes
        )
        peer.asked_bytes += size_bytes
        for service in services:
            service.share.take(session)
        peer.window.take(session)
        peer.asked.add(number)
        self.tasks[number] = task
        heapq.heappush(self._expiries, (expires_at, number))
        self._due = min(self._due, expires_at)
        self._enqueue(now, task)

    def _answer(self, now: float, peer: Peer, event: Received) -> None:
        envelope = event.envelope
        number = envelope.id
        task = self.tasks.get(number)
        if task is None or task.worker is not peer:
            self.counts["late"] += 1
            self._free(peer, number)
        elif envelope.position != task.position:  # of a stop that it was given by the broker before this one
            self.counts["late"] += 1
        elif envelope.attempt == LEFT_OFF:  # it was told so before it was given this again, and the two crossed
            task.leave(now, "cancelled")
            peer.running.discard(number)
            self._enqueue(now, task, first=True)
        else:
            peer.running.discard(number)
            peer.done += 1
            failed = envelope.kind is FAILURE
            task.service.worked.add(now - task.given_at)
            task.service.failed += failed
            task.leave(now, "failed" if failed else "answered")
            self._advance(now, task, event.frames, failed=failed)
        if peer.draining:
            self._settle(now, peer)
        if peer.service.queue.size:
            self._dispatch(now, peer.service)

    def _free(self, peer: Peer, number: bytes) -> None:
        peer.running.discard(number)
        peer.inherited.discard(number)
        if peer.zombies.pop(number, None):
            del self._zombies[peer.key, number]

    def _cancel(self, now: float, peer: Peer, event: Received) -> None:
        task = self.tasks.get(event.envelope.id)
        if task is not None and task.asker is peer:
            self.counts["cancelled"] += 1
            self._drop(now, task)

    def _goodbye(self, now: float, peer: Peer, _event: Received) -> None:
        peer.draining = peer.away = True
        self._send(peer.key, Envelope(Kind.GOODBYE))  # after this, it is given nothing more
        self._settle(now, peer)

    def _taken(self, _now: float, peer: Peer, event: Received) -> None:
        peer.unread = max(0, peer.unread - max(0, event.envelope.position))

    def _pong(self, _now: float, peer: Peer, _event: Received) -> None:
        peer.unread_bytes -= peer.pinged_bytes
        peer.pinged_bytes, peer.unanswered_since = 0, 0.0

    def _drain(self) -> None:
        """Take nothing more, and have everybody know: what they say after their CLOSING is for the next broker."""
        self._draining = True
        for peer in self.peers.values():
            self._unclosed.add(peer.key)
            self._send(peer.key, Envelope(Kind.CLOSING))

    def _closed(self, _now: float, peer: Peer, _event: Received) -> None:
        self._unclosed.discard(peer.key)

    # Registration

    def _register(self, now: float, event: Received) -> None:
        try:
            told = msgspec.msgpack.decode(bytes(event.frames[0]), type=Register)
        except (*MALFORMED, IndexError):
            self.counts["malformed"] += 1
            return
        if not self._registers(told):
            self.counts["malformed"] += 1
            return
        peer = self.peers.get(event.peer)
        if peer is not None and peer.met == event.envelope.position > 0:  # said twice: what it holds has changed since
            self._send(peer.key, Envelope(REGISTER, self.life))
            return
        if peer is not None and not _same(peer.told, told):
            self._lose(now, peer, "gone")
            peer = None
        if peer is None:
            peer = self._welcome(now, event.peer, told)
        else:
            self.counts["linked_again"] += 1
            self._welcome_back(now, peer, told)
        peer.met = event.envelope.position
        self._send(peer.key, Envelope(REGISTER, self.life))
        self._resume(now, peer)

    def _resume(self, now: float, peer: Peer) -> None:
        """Agree with a process that has just registered on what it goes on with."""
        for task in self._tasks(peer.running):  # whatever was on the link may be lost; it knows what it has had
            if task.worker is peer:
                task.handed = True
                self._send_ask(now, task)
        for number in peer.zombies:
            if number not in peer.inherited:
                self._send(peer.key, Envelope(Kind.CANCEL, number))
        self._claim(now, peer)
        self._end_leftovers(now, peer)
        if self._draining:
            self._unclosed.add(peer.key)
            self._send(peer.key, Envelope(Kind.CLOSING))
        self._dispatch(now, peer.service)

    def _registers(self, told: Register) -> bool:
        """Tell whether a registration keeps to the limits."""
        limits, topics = self.limits, told.topics
        short = len(told.service) <= limits.name_characters and all(
            len(one) <= limits.name_characters for one in topics
        )
        known = told.service in self.services or len(self.services) < limits.services
        few = len(topics) == len(set(topics)) <= limits.topics and len(told.holds) <= limits.holds
        return short and known and few

    def _welcome(self, now: float, key: bytes, told: Register) -> Peer:
        service = self.services.get(told.service) or self._service(told.service)
        if service is None:
            raise AssertionError("_registers has seen to it")
        peer = self.peers[key] = Peer(key, told, service, self.limits.window, now)
        if told.capacity > 0:
            service.workers.append(peer)
        for topic in told.topics:
            self._readers.setdefault(topic, []).append(peer)
        for held in told.holds:
            if not held.done:  # nobody may ever ask for it again: it must leave off all the same
                peer.running.add(held.id)
                peer.inherited.add(held.id)
                until = now + held.left_ms / 1000 + self.limits.stuck_s
                peer.zombies[held.id] = self._zombies[key, held.id] = until
        peer.claims = {(held.id, held.position) for held in told.holds}
        return peer

    def _welcome_back(self, now: float, peer: Peer, told: Register) -> None:
        peer.heard_at = now
        peer.suspect = peer.draining = peer.away = False
        self._suspects.pop(peer.key, None)
        peer.unsure.clear()
        peer.unread = peer.unread_bytes = peer.pinged_bytes = 0
        peer.unanswered_since = 0.0
        held = {held.id for held in told.holds if not held.done}
        peer.claims = {(held.id, held.position) for held in told.holds}
        for number in set(peer.zombies) - held:
            self._free(peer, number)
        peer.running = held | {task.number for task in self._tasks(peer.running) if task.worker is peer}

    def _end_leftovers(self, now: float, peer: Peer) -> None:
        """Have it leave off what somebody else has done meanwhile."""
        for number in sorted(peer.running - peer.zombies.keys()):
            task = self.tasks.get(number)
            if task is None or task.worker is not peer:
                self._have_left_off(now, peer, number)

    def _have_left_off(self, now: float, peer: Peer, number: bytes) -> None:
        peer.zombies[number] = self._zombies[peer.key, number] = now + self.limits.stuck_s
        self._wake(now + self.limits.stuck_s)
        self._send(peer.key, Envelope(Kind.CANCEL, number))  # it answers, and its place is free again

    def _claim(self, now: float, peer: Peer) -> None:
        """Let a process go on with what it holds, where nobody else does."""
        for number, position in sorted(peer.claims):
            task = self.tasks.get(number)
            if task is None or task.worker or task.position != position or task.service is not peer.service:
                continue
            if peer.leaves_off(number):
                continue
            self._unclaimed.pop(number, None)
            if task.waiting:
                task.service.queue.remove(task)
                task.waiting = False
            self._give_holder(now, task, peer)

    # The way of a task

    def _advance(self, now: float, task: Task, frames: Frames, *, failed: bool) -> None:
        if task.service.gives is not None:
            task.label = task.service.gives
        task.frames = frames
        task.failed = task.failed or failed
        task.attempt, task.cuts = 1, 0
        position = self._next_position(task)
        for passed in task.services[task.position : position]:
            passed.share.give_back(task.session)
        task.position = position
        if position < len(task.services):
            self._enqueue(now, task)
        elif task.label is RAW and task.envelope.kind is not EVENT:
            self.counts["raw_refused"] += 1
            self._end(now, task, error_messages.unredacted("the caller"))
        else:
            self._finish(now, task)

    def _next_position(self, task: Task) -> int:
        """After a failure only redaction is still to come: its text may hold what a page said."""
        if not task.failed:
            return task.position + 1
        after = range(task.position + 1, len(task.services))
        cleaning = (at for at in after if task.label is RAW and labels.cleans(task.services[at].name))
        return next(cleaning, len(task.services))

    def _enqueue(self, now: float, task: Task, *, first: bool = False) -> None:
        service = task.service
        if task.label is RAW and not service.takes_raw:
            self.counts["raw_refused"] += 1
            self._end(now, task, error_messages.unredacted(service.name))
            return
        task.queued_at = now
        if task.resent and self._resumed(now, task):
            return
        if not service.queue.size and (worker := self._worker(task)):
            self._give(now, task, worker)
            return
        service.queue.push(task, first=first)
        task.waiting = True
        if not service.workers:
            self._wake(self._hopeless_at(task))
        self._dispatch(now, service)

    def _resumed(self, now: float, task: Task) -> bool:
        """See to an ask that was sent to another broker before: whoever holds it goes on, or answers from memory."""
        held = task.number, task.position
        for peer in task.service.workers:
            if held not in peer.claims:
                continue
            if peer.leaves_off(task.number):  # it was told to, and what it says of it now is about that
                if task.delivery is COMMAND:
                    self._end(now, task, error_messages.unknown(task.service.name))
                    return True
            elif task.delivery is COMMAND or not peer.suspect:
                self._give_holder(now, task, peer)
                return True
        if task.delivery is not COMMAND or task.service.remembers:
            return False
        if now < self.started_at + self.limits.claim_s:
            self._unclaimed[task.number] = task
            self._wake(self.started_at + self.limits.claim_s)
        else:
            self._end(now, task, error_messages.unknown(task.service.name))
        return True

    def _dispatch(self, now: float, service: Service) -> None:
        while (task := service.queue.head()) and (worker := self._worker(task)):
            service.queue.serve(task)
            task.waiting = False
            self._give(now, task, worker)

    def _worker(self, task: Task) -> Peer | None:
        """Choose who is least busy; among equals who was served longest ago. Not who has yet to leave off that ask."""
        best, least, number = None, NEVER, task.number
        for peer in task.service.workers:
            load = len(peer.running)
            if load > least or load >= peer.capacity or peer.away or number in peer.running:
                continue
            if best is None or load < least or peer.served < best.served:
                best, least = peer, load
        return best

    def _give(self, now: float, task: Task, worker: Peer) -> None:
        task.worker = worker
        task.handed = False
        task.given_at = now
        task.service.waited.add(now - task.queued_at)
        worker.running.add(task.number)
        self._gives += 1
        worker.served = self._gives
        self._send_ask(now, task)

    def _give_holder(self, now: float, task: Task, holder: Peer) -> None:
        """Give a task to who holds it already, or knows what came of it; if its link is cut, when it is back."""
        self._free(holder, task.number)
        if holder.suspect:
            task.worker, task.given_at = holder, now
            holder.running.add(task.number)
        else:
            self._give(now, task, holder)
        task.handed = True

    def _send_ask(self, now: float, task: Task) -> None:
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
        self._out.append(Send(worker.key, envelope, task.frames))

    def _finish(self, now: float, task: Task) -> None:
        self._forget(now, task, "failed" if task.failed else "answered")
        if task.envelope.kind is EVENT:
            if task.failed:
                self.counts["events_failed"] += 1
            else:
                self._publish(task.envelope, task.label, task.frames)
            return
        kind = FAILURE if task.failed else ANSWER
        envelope = Envelope(kind, task.number, trace=task.envelope.trace)
        self._keep(task, envelope, task.frames)
        self._send(task.asker.key, envelope, task.frames)
        asker = task.asker
        for frame in task.frames:
            asker.unread_bytes += len(frame)
        if asker.unread_bytes > self.limits.unread_bytes // 4 and not asker.unanswered_since:
            self._ping(now, asker)

    def _end(self, now: float, task: Task, failure: Failure) -> None:
        """Fail a task with words of our own."""
        self._forget(now, task, failure.code)
        self.counts[failure.code] += 1
        if task.envelope.kind is EVENT:
            self.counts["events_failed"] += 1
            return
        envelope, frames = Envelope(FAILURE, task.number, trace=task.envelope.trace), [pack(failure)]
        self._keep(task, envelope, frames)
        self._send(task.asker.key, envelope, frames)

    def _drop(self, now: float, task: Task) -> None:
        """End a task that nobody waits for any more, wherever it is."""
        self._forget(now, task, "cancelled")
        self._stop_work(now, task, "cancelled")
        if any(stop.delivery is COMMAND for stop in task.envelope.itinerary) and task.legs:
            self._doubt(task.number)

    def _doubt(self, number: bytes) -> None:
        """Remember that this ask, should it come again, may have been done: its answer is not here."""
        self._dropped[number] = None
        if len(self._dropped) > self.limits.dropped:
            self._dropped.popitem(last=False)

    def _stop_work(self, now: float, task: Task, outcome: str) -> None:
        worker = task.worker
        task.leave(now, outcome)
        if worker is not None and worker.key in self.peers:
            self._have_left_off(now, worker, task.number)

    def _forget(self, now: float, task: Task, outcome: str) -> None:
        del self.tasks[task.number]
        if task.waiting:
            task.service.queue.remove(task)
            task.waiting = False
            self._dispatch(now, task.service)  # it may have been its turn, and nobody's free to take that very ask
        if self._unclaimed:
            self._unclaimed.pop(task.number, None)
        for service in task.services[task.position :]:
            service.share.give_back(task.session)
        asker, asked = task.asker, task.envelope
        asker.asked.discard(task.number)
        asker.asked_bytes -= task.size_bytes
        asker.window.give_back(task.session)
        if asker.draining:
            self._settle(now, asker)
        if asked.trace:
            told = asker.service.name
            self.calls.append(Ended(asked.trace, task.session, told, task.began_at, now, outcome, task.legs))
        if len(self._expiries) > 2 * len(self.tasks) + EXPIRIES_KEPT:
            self._expiries = [(one.expires_at, number) for number, one in self.tasks.items()]
            heapq.heapify(self._expiries)

    def _keep(self, task: Task, envelope: Envelope, frames: Frames) -> None:
        """Keep an answer, where its asker may not get it and asking anew is not harmless, or far."""
        if not task.asker.remote and not _repeats_badly(task.envelope):
            return
        size_bytes = sum(map(len, frames))
        if size_bytes > self.limits.reply_bytes:
            self._doubt(task.number)
            return
        if before := self._replies.pop(task.number, None):
            self._replies_bytes -= before.size_bytes
        self._replies[task.number] = Reply(task.asker.key, envelope, frames, size_bytes)
        self._replies_bytes += size_bytes
        while len(self._replies) > self.limits.replies or self._replies_bytes > self.limits.replies_bytes:
            number, reply = self._replies.popitem(last=False)
            self._replies_bytes -= reply.size_bytes
            self._doubt(number)

    def _publish(self, envelope: Envelope, label: Label, frames: Frames) -> None:
        """Give an event to everybody who hears its topic and may; who reads too slowly misses it, and is told so."""
        for reader in self._readers.get(envelope.topic, ()):
            if not labels.may_take(reader.service.name, label):
                self.counts["raw_refused"] += 1
            elif reader.unread >= self.limits.events or reader.suspect:
                self.counts["events_dropped"] += 1
                reader.missed += 1
            else:
                told = Envelope(EVENT, trace=envelope.trace, label=label, topic=envelope.topic, missed=reader.missed)
                reader.unread += 1
                reader.missed = 0
                self._send(reader.key, told, frames)

    # Peers that leave

    def _settle(self, now: float, peer: Peer) -> None:
        if peer.draining and not peer.running and not peer.asked:
            self._remove(now, peer)

    def _remove(self, now: float, peer: Peer) -> None:
        if self.peers.pop(peer.key, None) is None:
            return
        self._suspects.pop(peer.key, None)
        self._unclosed.discard(peer.key)
        for number in list(peer.zombies):
            self._free(peer, number)
        for topic in peer.told.topics:
            readers = self._readers[topic]
            readers.remove(peer)
            if not readers:
                del self._readers[topic]
        service = peer.service
        if peer in service.workers:
            service.workers.remove(peer)
            if not service.workers:
                service.absent_since = now
                service.cut_off = peer.remote and not peer.draining
                self._wake_absent(service)

    def _unlinked(self, now: float, event: Lost) -> None:
        peer = self.peers.get(event.peer)
        if peer is None:
            return
        if peer.remote and not peer.draining:
            self._suspect(now, peer, event.unsent)
        else:
            self._lose(now, peer, "gone", event.unsent)

    def _lose(self, now: float, peer: Peer, why: str, unsent: frozenset[bytes] = frozenset()) -> None:
        self._remove(now, peer)
        if not peer.draining:
            self.counts[WORDS_LOST[why]] += 1
            lost = PeerLost(peer.service.name, peer.told.pid, why, peer.remote)
            self._publish(Envelope(EVENT, topic=PEERS), CLEAN, [pack(lost)])
        for task in self._tasks(peer.asked):
            self._drop(now, task)
        for task in self._tasks(peer.unsure):
            task.attempt += task.position == peer.unsure[task.number]
        for task in self._tasks(peer.running):
            if task.worker is peer:
                self._again(now, task, counted=task.handed or task.number not in unsent)

    def _suspect(self, now: float, peer: Peer, unsent: frozenset[bytes]) -> None:
        """Wait for a link that was cut to come back; others get meanwhile what may be done twice."""
        if not peer.suspect:
            self.counts["suspects"] += 1
            peer.suspect = peer.away = True
            self._suspects[peer.key] = now + self.limits.suspect_s
            self._wake(now + self.limits.suspect_s)
        for task in self._tasks(peer.running):
            if task.worker is not peer:
                continue
            if task.number in unsent and not task.handed:
                self._again(now, task, counted=False)
            elif task.cuts < CUTS and (task.delivery is not COMMAND or peer.told.remembers):
                task.cuts += 1
                peer.unsure[task.number] = task.position
                task.leave(now, "cut")
                self._enqueue(now, task, first=True)

    def _again(self, now: float, task: Task, *, counted: bool) -> None:
        """Give a task to another process, or fail it: the one that had it died (or never got it: not `counted`)."""
        worker = task.worker
        if not counted:
            task.worker = None
            if worker is not None:
                worker.running.discard(task.number)
            self._enqueue(now, task, first=True)
            return
        task.leave(now, "lost")
        attempts = ATTEMPTS[task.delivery]
        if task.delivery is COMMAND and worker is not None and worker.told.remembers:
            attempts = REMEMBERED_ATTEMPTS
        if task.attempt < attempts:
            task.attempt += 1
            self._enqueue(now, task, first=True)
        elif attempts == 1:
            self._end(now, task, error_messages.unknown(task.service.name))
        else:
            self._bury(now, task)

    def _bury(self, now: float, task: Task) -> None:
        stops = tuple(service.name for service in task.services)
        pids = tuple(leg.pid for leg in task.legs if leg.service == task.service.name)
        self.dead_letters.append(Letter(task.envelope.trace, task.service.name, stops, pids, now))
        self.counts["dead_letters"] += 1
        self._end(now, task, error_messages.died(task.service.name, task.attempt))

    def _tasks(self, ids: Iterable[bytes]) -> list[Task]:
        return [task for one in sorted(ids) if (task := self.tasks.get(one))]  # sorted: a run must repeat itself

    # Time

    def _tick(self, now: float) -> None:
        self._forgive(now)
        self._expire(now)
        self._end_zombies(now)
        for key in [key for key, until in self._suspects.items() if until <= now]:
            if peer := self.peers.get(key):  # else it was leaving, and another one's end was all that it waited for
                self._lose(now, peer, "gone")
        if now >= self.started_at + self.limits.claim_s:
            unclaimed, self._unclaimed = self._unclaimed, {}
            for task in unclaimed.values():
                self._enqueue(now, task)  # who came meanwhile may remember
        for service in self.services.values():
            if service.queue.size and not service.workers:
                self._fail_absent(now, service)
        if now >= self._beat_at:
            self._beat_at = now + self.limits.ping_every_s
            for peer in list(self.peers.values()):
                self._beat(now, peer)
            self._sweep(now)
        self._plan(now)

    def _forgive(self, now: float) -> None:
        """Move what peers are measured by as much as we were suspended: nobody is late by that."""
        late_s = now - self._due
        if late_s <= self.limits.ping_every_s:
            return
        for peer in self.peers.values():
            peer.heard_at = min(now, peer.heard_at + late_s)
            peer.unanswered_since = peer.unanswered_since and min(now, peer.unanswered_since + late_s)
            peer.zombies = {number: until + late_s for number, until in peer.zombies.items()}
        self._suspects = {key: until + late_s for key, until in self._suspects.items()}
        self._zombies = {held: until + late_s for held, until in self._zombies.items()}

    def _beat(self, now: float, peer: Peer) -> None:
        limits = self.limits
        every_s = limits.ping_remote_every_s if peer.remote else limits.ping_every_s
        dead_s = limits.dead_remote_after_s if peer.remote else limits.dead_after_s
        deaf = peer.unanswered_since and now - peer.unanswered_since >= 2 * dead_s  # it talks, but does not read
        quiet = now - max(peer.heard_at, peer.pinged_at) >= every_s * 0.9  # ticks are never early
        if now - peer.heard_at >= dead_s or deaf:
            self._lose(now, peer, "silent")
        elif not peer.suspect and (quiet or peer.unread_bytes or peer.unanswered_since):
            self._ping(now, peer)

    def _ping(self, now: float, peer: Peer) -> None:
        peer.pinged_at = now
        if not peer.unanswered_since:  # a PONG is of the first ping that it has not answered
            peer.unanswered_since = now
            peer.pinged_bytes = peer.unread_bytes
        self._send(peer.key, Envelope(Kind.PING))

    def _expire(self, now: float) -> None:
        while self._expiries and self._expiries[0][0] <= now:
            task = self.tasks.get(heapq.heappop(self._expiries)[1])
            if task is None or task.expires_at > now:
                continue
            service, given = task.service, task.worker is not None
            late = error_messages.late(service.name, task.envelope.ttl_ms, given=given)
            self._end(now, task, late if given or service.workers else error_messages.absent(service.name))
            self._stop_work(now, task, "late")

    def _end_zombies(self, now: float) -> None:
        """Give up who works for too long on what is over: its supervisor kills it."""
        for key, number in [held for held, until in self._zombies.items() if until <= now]:
            if (peer := self.peers.get(key)) and number in peer.zombies:
                self._lose(now, peer, "stuck")

    def _fail_absent(self, now: float, service: Service) -> None:
        for task in service.queue.all():
            if now >= self._hopeless_at(task):
                self._end(now, task, error_messages.absent(service.name))

    def _hopeless_at(self, task: Task) -> float:
        """Give the time at which an ask has waited long enough for a process of its service to appear."""
        service, limits = task.service, self.limits
        absent_s = limits.absent_remote_s if service.cut_off else limits.absent_s
        return max(service.absent_since + absent_s, task.queued_at + limits.absent_ask_s)

    def _sweep(self, now: float) -> None:
        """Begin new windows of time, and forget services that nobody serves or waits for: any name may be asked for."""
        for service in list(self.services.values()):
            service.waited.turn(now)
            service.worked.turn(now)
            known_s = self.limits.forgotten_s if service.worked.count or service.cut_off else 0.0
            if not service.workers and not service.share.taken and now >= service.absent_since + known_s:
                del self.services[service.name]

    def _wake(self, at: float) -> None:
        self._due = min(self._due, at)

    def _wake_absent(self, service: Service) -> None:
        self._wake(min(map(self._hopeless_at, service.queue.all()), default=NEVER))

    def _plan(self, now: float) -> None:
        """Find out when the next tick is wanted."""
        self._due = self._beat_at
        self._wake(self._expiries[0][0] if self._expiries else NEVER)
        self._wake(min(self._zombies.values(), default=NEVER))
        self._wake(next(iter(self._suspects.values()), NEVER))
        if self._unclaimed:
            self._wake(max(now, self.started_at + self.limits.claim_s))
        for service in self.services.values():
            if service.queue.size and not service.workers:
                self._wake_absent(service)

    # What there is to say

    def _answer_self(self, now: float, peer: Peer, envelope: Envelope) -> None:
        try:
            asked = msgspec.msgpack.decode(envelope.itinerary[0].message, type=ReadStatus | ReadCalls)
        except MALFORMED:
            self.counts["malformed"] += 1
            self._fail(peer.key, envelope, Failure("invalid_params", "The broker answers ReadStatus and ReadCalls."))
            return
        said = reports.calls(self.calls, asked, now) if isinstance(asked, ReadCalls) else reports.status(self, now)
        self._send(peer.key, Envelope(ANSWER, envelope.id), [pack(said)])

    def _service(self, name: str) -> Service | None:
        """Give the service of a name that was not asked for before; None when there are too many, or it is too long."""
        if len(self.services) >= self.limits.services or len(name) > self.limits.name_characters:
            return self.services.get(name)
        return self.services.setdefault(name, Service(name, self.limits.queue, self.started_at))

    def _fail(self, peer: bytes, envelope: Envelope, failure: Failure) -> None:
        self._send(peer, Envelope(FAILURE, envelope.id, trace=envelope.trace), [pack(failure)])

    def _send(self, peer: bytes, envelope: Envelope, frames: Frames = ()) -> None:
        self._out.append(Send(peer, envelope, frames))


WORDS_LOST = {"gone": "lost_peers", "silent": "silent_peers", "stuck": "stuck_peers"}


def _repeats_badly(asked: Envelope) -> bool:
    for stop in asked.itinerary:  # noqa: SIM110 - a generator takes four times as long
        if stop.delivery is not QUERY:
            return True
    return False


def _same(before: Register, told: Register) -> bool:
    return before == msgspec.structs.replace(told, holds=before.holds)
