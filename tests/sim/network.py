"""The links between the broker and the processes: they delay, lose, double and reorder, are cut and come back."""

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from gasoline_broker.actor import mailbox
from gasoline_broker.hub import events

if TYPE_CHECKING:
    from sim.processes import Broker, Process


class Faults(NamedTuple):
    """How bad a run's network is: chances per message, delays in s."""

    lost: float = 0.0
    doubled: float = 0.0
    reordered: float = 0.0
    delay_s: float = 0.0005


class Cable:
    """A link that stands, between one life of a process and one of the broker."""

    def __init__(self, process: "Process", broker: "Broker") -> None:
        self.process = process
        self.broker = broker
        self.arrives_at = [0.0, 0.0]  # of the last message down and up: those of one link come in their order
        self.plugged = True


class Network:
    """All links of a run."""

    def __init__(self, clock: Any, chance: random.Random, faults: Faults) -> None:
        self.clock = clock
        self._chance = chance
        self.faults = faults
        self.broker: Broker | None = None
        self._cables: dict[bytes, Cable] = {}

    def plug(self, process: "Process") -> None:
        """Link a process with the broker, as soon as there is one."""
        if not process.alive or process.key in self._cables:
            return
        if self.broker is None:
            self.clock.after(0.02, lambda: self.plug(process))
            return
        self._cables[process.key] = Cable(process, self.broker)
        process.take(mailbox.Linked())

    def unplug(self, process: "Process", notice_s: float, again_s: float | None = None) -> None:
        """Cut a link: what is on it is lost, and each end learns of it. `again_s`: when it comes back, if ever."""
        cable = self._cables.pop(process.key, None)
        if cable is None:
            return
        cable.plugged = False
        broker = cable.broker
        self.clock.after(notice_s, lambda: self._report_lost(broker, process.key))
        process.take(mailbox.Cut())
        if again_s is not None:
            self.clock.after(again_s, lambda: self.plug(process))

    def _report_lost(self, broker: "Broker", key: bytes) -> None:
        """As the monitor does: by a probe, which a link that is back answers."""
        if key not in self._cables:
            broker.take(events.Lost(key))

    def end_broker(self) -> None:
        """Let the broker die: every process sees its link break, and looks for the next one."""
        broker, self.broker = self.broker, None
        if broker is not None:
            broker.alive = False
        for cable in list(self._cables.values()):
            cable.plugged = False
            del self._cables[cable.process.key]
            cable.process.take(mailbox.Cut())
            self.clock.after(self._chance.uniform(0.001, 0.1), lambda process=cable.process: self.plug(process))

    def up(self, process: "Process", send: mailbox.Send) -> None:
        cable = self._cables.get(process.key)
        if cable is not None:
            came = events.Received(process.key, send.envelope, list(send.frames))
            self._carry(cable, 1, lambda: cable.broker.take(came))

    def down(self, send: events.Send) -> bool:
        """Carry what the broker sends; False when there is no such link."""
        cable = self._cables.get(send.peer)
        if cable is None:
            return False
        came = mailbox.Received(send.envelope, list(send.frames))
        self._carry(cable, 0, lambda: cable.process.take(came))
        return True

    def _carry(self, cable: Cable, way: int, deliver: Callable[[], None]) -> None:
        def arrive() -> None:
            if cable.plugged:
                deliver()

        chance = self._chance.random
        if chance() < self.faults.lost:
            return
        at = self.clock.now + self.faults.delay_s * (0.5 + chance())
        if chance() < self.faults.reordered:
            at += self.faults.delay_s * 20 * chance()
        else:
            at = cable.arrives_at[way] = max(at, cable.arrives_at[way])
        self.clock.at(at, arrive)
        if chance() < self.faults.doubled:
            self.clock.at(at + self.faults.delay_s * 50 * chance(), arrive)
