"""A run as its seed decides: the processes, what they ask, how bad the network is, and what fails when."""

import random
from typing import TYPE_CHECKING

from gasoline_broker.actor import mailbox
from gasoline_broker.actor.wire import Delivery, Priority, Stop
from gasoline_broker.hub import events
from gasoline_broker.hub.limits import Limits
from gasoline_broker.messages import Register
from sim import laws
from sim.clock import Clock
from sim.ledger import Ledger
from sim.network import Faults, Network
from sim.processes import Asker, Broker, Process, Supervisor, Worker, stop_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from gasoline_broker.actor.mailbox import StepKey

LASTS_S = 8.0  # how long it is asked and things go wrong
AFTERWARDS_S = 60.0  # and how long nothing does at most: by then all is settled
REST_S = 10.0  # how long nothing must be under way for a run to end before: longer than a silent peer is kept (8 s)
SESSIONS = ("s0", "s1", "s2", "s3")
COMMAND, STORE = Delivery.COMMAND, Delivery.STORE
WAYS: tuple[tuple[Stop, ...], ...] = (
    (stop_of("bridge"), stop_of("redaction")),
    (stop_of("bridge", COMMAND), stop_of("redaction")),
    (stop_of("bridge", COMMAND), stop_of("redaction"), stop_of("diff")),
    (stop_of("diff"),),
    (stop_of("diff"), stop_of("diff")),
    (stop_of("journal", STORE),),
    (stop_of("bridge"), stop_of("journal", STORE)),  # forbidden: raw to the journal
    (stop_of("bridge"),),  # forbidden: raw to the asker
    (stop_of("nobody"),),
)


class Run:
    """One run; `play` raises AssertionError when a promise was broken."""

    def __init__(self, seed: int) -> None:
        self.chance = chance = random.Random(seed)  # noqa: S311 - to be repeatable is what it is for
        self.clock = Clock()
        self.ledger = Ledger()
        bad = chance.choice((0.0, 0.0, 0.005, 0.03))
        faults = Faults(bad, bad, bad, chance.choice((0.0002, 0.002, 0.05)))
        self.network = Network(self.clock, chance, faults)
        self._limits = Limits(queue=chance.choice((6, 40, 2_000)), window=chance.choice((8, 256)))
        self._executor: set[StepKey] = set()
        self._births: dict[bytes, Callable[[], None]] = {}
        self.living: dict[bytes, Process] = {}
        self._begin_broker()
        self._populate()

    # The processes

    def _populate(self) -> None:
        chance = self.chance
        remembers = chance.random() < 0.3
        self._keep("supervisor", 0, peer_events=True)
        for _ in range(chance.randint(1, 3)):
            self._keep("front", 0, remote=chance.random() < 0.3)
        self._keep("bridge", chance.choice((1, 4, 32)), remembers=remembers, remote=chance.random() < 0.3)
        self._keep("journal", 1)
        for service, most in (("redaction", 3), ("diff", 3)):
            for _ in range(chance.randint(1, most)):
                self._keep(service, 1, remote=chance.random() < 0.3)

    def _keep(
        self,
        service: str,
        capacity: int,
        *,
        peer_events: bool = False,
        remembers: bool = False,
        remote: bool = False,
    ) -> None:
        """Start a process, and start it again whenever it has died."""
        registration = Register(service, capacity, next(Process.pids), "1", peer_events, remembers=remembers)
        common = (self.clock, self.network, self.ledger, self.chance, registration)
        process: Process
        if service == "front":
            process = Asker(*common, remote=remote)
        elif service == "supervisor":
            process = Supervisor(*common, remote=False, kill=self._kill_pid)
        else:
            process = Worker(*common, remote=remote, executor=self._executor, dies=self._die)
        self.living[process.key] = process
        self._births[process.key] = lambda: self._keep(
            service, capacity, peer_events=peer_events, remembers=remembers, remote=remote
        )
        self.network.plug(process)

    def _die(self, process: Process) -> None:
        if self.living.pop(process.key, None) is not None:
            process.die()
            self.clock.after(self.chance.uniform(0.05, 1.5), self._births.pop(process.key))

    def _kill_pid(self, pid: int) -> None:
        for process in [process for process in self.living.values() if process.registration.pid == pid]:
            self._die(process)

    def _begin_broker(self) -> None:
        self.network.broker = Broker(self.clock, self.network, self.ledger, self._limits, self.chance.randbytes(8))
        self.ledger.forget_turns()

    def _end_broker(self) -> None:
        if self.network.broker is not None:
            self.network.end_broker()
            self.clock.after(self.chance.uniform(0.05, 1.5), self._begin_broker)

    # What is asked

    def _ask(self) -> None:
        askers = [process for process in self.living.values() if isinstance(process, Asker) and not process.hangs]
        if not askers:
            return
        asker, chance = self.chance.choice(askers), self.chance
        ttl_s = chance.choice((0.05, 0.5, 2.0, 5.0, 15.0))
        priority = chance.choice((Priority.INTERACTIVE, Priority.INTERACTIVE, Priority.BACKGROUND))
        ask_id = asker.ask(chance.choice(WAYS), ttl_s, chance.choice(SESSIONS), priority)
        if chance.random() < 0.1:
            self.clock.after(ttl_s * chance.random(), lambda: asker.give_up(ask_id))

    def _flood(self) -> None:
        for _ in range(self.chance.randint(10, 60)):
            self._ask()

    # What goes wrong

    def _any(self) -> Process:
        return self.chance.choice(list(self.living.values()))

    def _crash(self) -> None:
        self._die(self._any())

    def _hang(self) -> None:
        process, seconds = self._any(), self.chance.choice((0.3, 1.5, 3.0, 10.0))
        if isinstance(process, Asker):
            process.forgive(seconds)
        process.hang(seconds)

    def _hang_broker(self) -> None:
        if self.network.broker is not None:
            self.network.broker.hang(self.chance.choice((0.3, 1.5, 3.0)))

    def _cut(self) -> None:
        """Cut the link of a process on another machine; a link on this one breaks with its process alone."""
        remote = [process for process in self.living.values() if process.key[:1] != b"g"]
        if remote:
            self.network.unplug(self.chance.choice(remote), 0.002, self.chance.choice((0.01, 0.5, 3.0, 10.0)))

    def _reset_all(self) -> None:
        for process in list(self.living.values()):
            self.network.unplug(process, 0.002, self.chance.uniform(0.005, 0.1))

    def _leave(self) -> None:
        process = self._any()
        process.take(mailbox.Leaving())
        self._await_leaving(process, self.clock.now + 5.0)

    def _await_leaving(self, process: Process, until: float) -> None:
        if (process.mailbox.dismissed and process.mailbox.idle) or self.clock.now > until:
            self._die(process)
        else:
            self.clock.after(0.05, lambda: self._await_leaving(process, until))

    def _stop_broker(self) -> None:
        broker = self.network.broker
        if broker is not None:
            broker.take(events.Drained())
            self._await_drained(broker, self.clock.now + 2.0)

    def _await_drained(self, broker: Broker, until: float) -> None:
        if self.network.broker is not broker:
            return
        if broker.routing.idle or self.clock.now > until:
            self._end_broker()
        else:
            self.clock.after(0.02, lambda: self._await_drained(broker, until))

    def _jump(self) -> None:
        """Set one process's clock forward: a monotonic clock that counts a machine's sleep does so."""
        seconds = self.chance.choice((0.5, 3.0, 3600.0))
        process = self._any()
        process.watch.jump(seconds)
        process.plan()

    def _jump_broker(self) -> None:
        if self.network.broker is not None:
            self.network.broker.watch.jump(self.chance.choice((0.5, 3.0, 3600.0)))
            self.network.broker.plan()

    # The run

    def play(self) -> "Run":
        """Let it all happen, then let it come to rest, and look at the books."""
        chance = self.chance
        for _ in range(chance.randint(20, 90)):
            self.clock.at(chance.uniform(0.2, LASTS_S), self._ask)
        wrongs = (
            self._crash,
            self._crash,
            self._hang,
            self._hang_broker,
            self._end_broker,
            self._stop_broker,
            self._cut,
            self._reset_all,
            self._leave,
            self._jump,
            self._jump_broker,
            self._flood,
        )
        for _ in range(chance.choice((0, 1, 3, 10))):
            self.clock.at(chance.uniform(0.2, LASTS_S), chance.choice(wrongs))
        self.clock.run(LASTS_S)
        self.network.faults = Faults()
        self._come_to_rest(LASTS_S + AFTERWARDS_S)
        self.ledger.close()
        broker = self.network.broker
        assert broker is not None
        laws.check(broker.routing.state)
        assert broker.routing.idle, "everything has come to rest"
        return self

    def _come_to_rest(self, until: float) -> None:
        active_at = self.clock.now
        while self.clock.now < min(until, active_at + REST_S):
            self.clock.run(self.clock.now + 1.0)
            if not self._rests():
                active_at = self.clock.now

    def _rests(self) -> bool:
        broker = self.network.broker
        return (
            broker is not None
            and broker.routing.idle
            and all(process.mailbox.idle and not process.hangs for process in self.living.values())
        )
