"""The broker and the processes of a run: the real state machines, on virtual time, that hang, die and start again."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec

from gasoline_broker.actor import mailbox
from gasoline_broker.actor.mailbox import Mailbox, StepKey
from gasoline_broker.actor.wire import REMOTE, Delivery, Ids, Kind, Priority, Stop, pack
from gasoline_broker.errors import Failure
from gasoline_broker.hub import events
from gasoline_broker.hub.limits import Limits
from gasoline_broker.hub.routing import Routing
from gasoline_broker.hub.state import Identity
from gasoline_broker.messages import PeerLost, Register
from sim import laws
from sim.clock import Clock, Wristwatch
from sim.ledger import SECRET, Asked, Ledger
from sim.network import Network

MESSAGE = msgspec.Raw(pack(None))
CHECK_EVERY = 16  # events between two looks at everything that routing remembers: each costs as much as ten events
NOTICE_S = 0.002  # until the broker's monitor reports a process's death (docs/design.md, Broker)
FAILED = [pack(Failure("broken", "It could not be done."))]
CANCELLED = [pack(Failure("cancelled", "Left off."))]


class Machine:
    """Something with a clock of its own that takes in events; while it hangs they wait."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.watch = Wristwatch(clock)
        self.alive = True
        self._hung: list[Any] | None = None
        self._tick_at = float("inf")

    @property
    def hangs(self) -> bool:
        return self._hung is not None

    def take(self, event: Any) -> None:
        if not self.alive:
            return
        if self._hung is not None:
            self._hung.append(event)
            return
        self.react(event)
        self.plan()

    def hang(self, seconds: float) -> None:
        if self.alive and self._hung is None:
            self._hung = []
            self.clock.after(seconds, self.resume)

    def resume(self) -> None:
        held, self._hung = self._hung, None
        for event in held or []:
            self.take(event)
        if self.alive:
            self.plan()

    def plan(self) -> None:
        """Have a tick come when it is wanted."""
        due = self.watch.virtual(self.due())
        if due < self._tick_at and due != float("inf"):
            self._tick_at = due
            self.clock.at(due, self._tick)

    def _tick(self) -> None:
        self._tick_at = float("inf")
        if self.alive and not self.hangs and self.watch.virtual(self.due()) <= self.clock.now + 1e-9:
            self.react(self.ticked())
        if self.alive and not self.hangs:
            self.plan()

    def react(self, event: Any) -> None:
        raise NotImplementedError

    def due(self) -> float:
        raise NotImplementedError

    def ticked(self) -> Any:
        raise NotImplementedError


class Broker(Machine):
    """One life of the broker."""

    def __init__(self, clock: Clock, network: Network, ledger: Ledger, limits: Limits, life: bytes) -> None:
        super().__init__(clock)
        self.routing = Routing(self.watch.now(), limits, Identity(life=life))
        self._network = network
        self._ledger = ledger
        self._events = 0

    def due(self) -> float:
        return self.routing.due()

    def ticked(self) -> events.Ticked:
        return events.Ticked()

    def react(self, event: events.Event) -> None:
        waited = self._waiting()
        sends = self.routing.handle(self.watch.now(), event)
        self._watch_turns(event, waited, sends)
        for send in sends:
            if not self._network.down(send):
                unsent = [send.envelope.id] if send.envelope.kind is Kind.ASK else []
                self.react(events.Lost(send.peer, frozenset(unsent)))
        self._events += 1
        if self._events % CHECK_EVERY == 0:
            laws.check(self.routing.state)

    def _waiting(self) -> dict[bytes, Any]:
        """Find the asks that wait for a turn of their own: what was begun before goes first."""
        tasks = {}
        for service in self.routing.state.services.values():
            if service.queue.size:
                tasks.update({task.ask_id: task for task in service.queue.all()})
        return tasks

    def _watch_turns(self, event: events.Event, waited: dict[bytes, Any], sends: list[events.Send]) -> None:
        claims = isinstance(event, events.Received) and event.envelope.kind is Kind.REGISTER
        if (
            claims
            or isinstance(event, events.Lost)
            or any(task.attempts or task.resent or task.position for task in waited.values())
        ):
            self._ledger.forget_turns()  # some go first, for reasons of their own
            return
        tasks = waited.values()
        self._ledger.waits(Counter((task.service.name, task.priority, task.session) for task in tasks))
        for send in sends:
            task = waited.get(send.envelope.id)
            if send.envelope.kind is Kind.ASK and task is not None:
                self._ledger.turn(task.service.name, task.priority, task.session)


class Process(Machine):
    """One life of a process that is linked to the broker by a real Mailbox."""

    pids = iter(range(1, 1 << 62))

    def __init__(
        self,
        clock: Clock,
        network: Network,
        ledger: Ledger,
        chance: random.Random,
        registration: Register,
        *,
        remote: bool,
    ) -> None:
        super().__init__(clock)
        self.key = (REMOTE if remote else b"g") + chance.randbytes(8)
        self.registration = registration
        self.mailbox = Mailbox(registration, self.watch.now())
        self.network = network
        self.ledger = ledger
        self.chance = chance
        self.began = clock.now

    def due(self) -> float:
        return self.mailbox.due()

    def ticked(self) -> mailbox.Ticked:
        return mailbox.Ticked()

    def react(self, event: mailbox.Event) -> None:
        for action in self.mailbox.handle(self.watch.now(), event):
            self.do(action)

    def do(self, action: mailbox.Action) -> None:
        if isinstance(action, mailbox.Send):
            self.network.up(self, action)

    def die(self) -> None:
        self.alive = False
        self.network.unplug(self, NOTICE_S)


class Asker(Process):
    """A front: it asks, and is answered."""

    def __init__(self, *common: Any, **more: Any) -> None:
        super().__init__(*common, **more)
        self.ids = Ids()
        self.ids._life = self.chance.randbytes(8)

    def ask(self, stops: tuple[Stop, ...], ttl_s: float, session: str, priority: Priority) -> bytes:
        ask_id = self.ids.next()
        self.ledger.asked[ask_id] = Asked(until=self.clock.now + ttl_s)
        self.take(mailbox.Ask(ask_id, stops, self.watch.now() + ttl_s, [b"in"], session, priority=priority))
        return ask_id

    def give_up(self, ask_id: bytes) -> None:
        if self.alive and not self.hangs and ask_id in self.mailbox.open:
            self.ledger.asked[ask_id].given_up = True
            self.take(mailbox.GivenUp(ask_id))

    def forgive(self, seconds: float) -> None:
        """Allow what is open to be settled later by as much as this process cannot look, or was set back."""
        for ask_id in self.mailbox.open:
            self.ledger.asked[ask_id].slack_s += seconds

    def do(self, action: mailbox.Action) -> None:
        super().do(action)
        if isinstance(action, mailbox.Settled):
            self.ledger.settled(action.ask_id, action.kind, list(action.frames), self.clock.now)

    def die(self) -> None:
        for ask_id in self.ledger.asked:
            if ask_id[:8] == self.ids._life:
                self.ledger.asked[ask_id].orphaned = True
        super().die()


class Worker(Process):
    """A process that works: what it does takes time, has its effect somewhere within, and may be the end of it."""

    def __init__(self, *common: Any, executor: set[StepKey], dies: Callable[["Worker"], None], **more: Any) -> None:
        super().__init__(*common, **more)
        self._executor = executor  # what remembers the commands of a service that remembers them
        self._dies = dies
        self._computes = self.chance.random() < 0.5
        self._ends: dict[StepKey, object] = {}

    def do(self, action: mailbox.Action) -> None:
        super().do(action)
        if isinstance(action, mailbox.Start):
            self._begin(action)
        if isinstance(action, mailbox.Abandon) and not self._computes and action.step_key in self._ends:
            del self._ends[action.step_key]
            self.clock.after(0.001, lambda: self.take(mailbox.Worked(action.step_key, Kind.FAILURE, CANCELLED)))

    def _begin(self, start: mailbox.Start) -> None:
        self.ledger.began(start.envelope, list(start.frames))
        mark = self._ends[start.step_key] = object()
        takes_s = min(30.0, self.chance.lognormvariate(-5.5, 1.5))
        effect_s = takes_s * self.chance.random()
        fate = self.chance.random()
        if fate < 0.01:
            self.clock.after(takes_s * self.chance.random(), lambda: self._dies(self))
        elif fate < 0.02:
            takes_s += 30.0  # stuck
        self.clock.after(effect_s, lambda: self._effect(start, mark))
        self.clock.after(takes_s, lambda: self._end(start, mark))

    def _works(self, step_key: StepKey, mark: object) -> bool:
        return self.alive and self._ends.get(step_key) is mark

    def _effect(self, start: mailbox.Start, mark: object) -> None:
        if not self._works(start.step_key, mark):
            return
        if (
            self.registration.remembers
            and start.envelope.itinerary[start.envelope.position].delivery is Delivery.COMMAND
        ):
            if start.step_key in self._executor:
                return
            self._executor.add(start.step_key)
        self.ledger.did(start.envelope)

    def _end(self, start: mailbox.Start, mark: object) -> None:
        if not self._works(start.step_key, mark):
            return
        if self.hangs:
            self.clock.after(0.1, lambda: self._end(start, mark))
            return
        del self._ends[start.step_key]
        if self.chance.random() < 0.05:
            frames = FAILED if self.registration.service != "bridge" else [pack(Failure("broken", SECRET.decode()))]
            self.take(mailbox.Worked(start.step_key, Kind.FAILURE, frames))
        else:
            self.take(mailbox.Worked(start.step_key, Kind.ANSWER, self._answer(start)))

    def _answer(self, start: mailbox.Start) -> list[bytes]:
        if self.registration.service == "bridge":
            return [SECRET]
        if self.registration.service == "redaction":
            return [frame.replace(SECRET, b"*" * len(SECRET)) for frame in start.frames]
        return list(start.frames)


class Supervisor(Process):
    """Kills what the broker has given up, so that it is started again."""

    def __init__(self, *common: Any, kill: Callable[[int], None], **more: Any) -> None:
        super().__init__(*common, **more)
        self._kill = kill

    def do(self, action: mailbox.Action) -> None:
        super().do(action)
        if isinstance(action, mailbox.Notified):
            lost = msgspec.msgpack.decode(action.frames[0], type=PeerLost)
            if lost.reason != "gone":
                self._kill(lost.pid)


def stop_of(service: str, delivery: Delivery = Delivery.QUERY) -> Stop:
    return Stop(service, MESSAGE, delivery)
