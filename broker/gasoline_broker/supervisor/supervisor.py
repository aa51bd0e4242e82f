"""Starts every process of the Procfile, restarts the one that dies, and ends them all with itself.

Rules of this file:
- One for one: a process that dies is started again alone, after a pause that doubles while it keeps dying.
- A process that says it cannot start here (CANNOT_START), or dies too often, ends the system: a half is of no use.
- Started in the Procfile's order, the first one first; stopped in the reverse order, each given time to drain.
- What is wanted is a number for each line; `_reconcile` compares it with what is there, whenever either has changed.
- A process that lives and does nothing is killed: the broker tells which is silent or stuck, and we watch the broker.
- None outlives us for long, not even after kill -9: see orphans.py.
"""

import asyncio
import contextlib
import os
import secrets
import shutil
import signal
import sys
import time
from collections.abc import Coroutine, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import structlog

from gasoline_broker import log
from gasoline_broker.actor.client import Answer, Given, Link, register
from gasoline_broker.actor.wire import MALFORMED, Kind, pack, stop
from gasoline_broker.errors import CannotStart, Failed, Failure
from gasoline_broker.lock import Lock
from gasoline_broker.messages import PEERS, PeerLost, ProcessesRead, ReadProcesses, ReadStatus, Scale, StatusRead
from gasoline_broker.settings import Settings, private_dir
from gasoline_broker.supervisor import procfile
from gasoline_broker.supervisor.child import Child
from gasoline_broker.supervisor.child_cleanup import Guardian, held_by_children
from gasoline_broker.supervisor.log_mux import Relay
from gasoline_broker.supervisor.procfile import Place
from gasoline_broker.supervisor.restart_policy import LOOK_ABSENT_S, LOOK_S, Absences, Vigil

SERVICE, CAPACITY = "supervisor", 4
BROKER = "broker"  # the line of the Procfile that we watch over ourselves
READY_S, READY_EACH_S = 15.0, 1.0  # for a system to be ready, and more for each process: they share the processors
LOOK_READY_S = 0.02
LEAVE_S = 1.0  # a broker that runs dismisses us within milliseconds
HUNG = {"silent", "stuck"}

logger = structlog.get_logger()

read_request = msgspec.msgpack.Decoder(Scale | ReadProcesses).decode
read_lost = msgspec.msgpack.Decoder(PeerLost).decode


class Supervisor:
    """One running system. `counts`: how many processes of a line, where it is not one.

    Raises:
        CannotStart: the Procfile names nothing.
        Failed: a count is none that its line may have.

    """

    def __init__(self, settings: Settings, path: Path, counts: Mapping[str, int]) -> None:
        self._settings = msgspec.structs.replace(settings, system_id=secrets.token_hex(8))
        self._commands = procfile.read(path)
        procfile.check(self._commands, counts)
        self._counts = dict.fromkeys(self._commands, 1) | dict(counts)
        self._children: dict[Place, Child] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._told = asyncio.Event()
        self._fault: CannotStart | None = None

    async def run(self) -> None:
        """Run the system until SIGTERM or SIGINT.

        Raises:
            AlreadyRunning: another supervisor runs it.
            CannotStart: a process cannot do its work here.

        """
        private_dir(self._settings.data_dir)
        lock = Lock(private_dir(self._settings.runtime_dir) / "supervisor.lock", "Gasoline")
        lock.take()
        try:
            with held_by_children(self._settings.runtime_dir / "children.lock") as self._held:
                async with Relay() as self._relay, Guardian(self._living) as self._guardian:
                    await self._serve()
        finally:
            lock.release()
        if self._fault is not None:
            raise self._fault

    async def _serve(self) -> None:
        told = register(SERVICE, CAPACITY, topics=(PEERS,))
        try:
            with _signals(self._told):
                async with (
                    asyncio.TaskGroup() as self._group,
                    Link(self._settings, told, self._work, self._heard) as self._link,
                ):
                    self._reconcile()
                    self._spawn(self._announce())
                    self._spawn(self._watch_broker())
                    self._spawn(self._watch_strangers())
                    await self._told.wait()
                    for task in self._tasks:
                        task.cancel()
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(LEAVE_S):
                            await self._link.drain()
        finally:
            await self._stop_all()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._group.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # What runs

    def _reconcile(self) -> None:
        """Start what is wanted and not there; stop what is there and not wanted."""
        if self._told.is_set():  # what is there is about to be stopped, and nothing new is begun
            return
        wanted = procfile.places(self._counts)
        for place in wanted:
            if place not in self._children:
                child = self._children[place] = Child(place, self._start)
                self._spawn(self._keep(child))
        for child in self._children.values():
            if child.place not in wanted and not child.stopping:
                child.stopping = True
                self._spawn(self._retire(child))

    async def _keep(self, child: Child) -> None:
        try:
            await child.keep()
        except CannotStart as fault:
            self._end(CannotStart(f"{child.place.name} was not started again: {fault}"))

    async def _retire(self, child: Child) -> None:
        await child.stop()
        del self._children[child.place]
        self._reconcile()  # it may be wanted again by now

    def _end(self, fault: CannotStart) -> None:
        self._fault = fault
        self._told.set()

    async def _start(self, child: Child) -> asyncio.subprocess.Process:
        held = self._held
        environ = dict(os.environ) | self._settings.environ() | {"GASOLINE_LIFELINE_FD": str(held[0])}
        environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), environ.get("PATH", os.defpath)])
        process = await asyncio.create_subprocess_exec(
            shutil.which("sh") or "/bin/sh",
            "-c",
            f"exec {self._commands[child.place.line]}",  # the shell of a Procfile line, which leaves no process behind
            env=environ,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=self._relay.pipe(child.place.name),
            pass_fds=held,
            start_new_session=True,  # a terminal's Ctrl+C reaches us alone: we stop them in order
        )
        self._guardian.guard(process.pid)
        logger.info("process_started", name=child.place.name, pid=process.pid)
        return process

    async def _stop_all(self) -> None:
        for line in reversed(list(self._commands)):
            children = [child for child in self._children.values() if child.place.line == line]
            await asyncio.gather(*(child.stop() for child in children))

    def _living(self) -> list[int]:
        return [child.pid for child in self._children.values() if child.pid]

    # What is ready

    async def _announce(self) -> None:
        begun = time.monotonic()
        try:
            await self._ready(READY_S + READY_EACH_S * len(self._children))
        except CannotStart as fault:
            self._end(fault)
            return
        logger.info("system_ready", took_ms=round((time.monotonic() - begun) * 1000))

    async def _ready(self, within_s: float) -> None:
        """Wait until the broker knows every process that is wanted, and no other one is there.

        Raises:
            CannotStart: it is not so after `within_s` seconds.

        """
        missing = list(self._children.values())
        try:
            async with asyncio.timeout(within_s):
                await self._link.registered()
                while missing:
                    with contextlib.suppress(Failed):  # the broker may just be starting again
                        status = await read_status(self._link)
                        known = {status.pid, *(peer.pid for peer in status.peers)}
                        missing = [one for one in self._children.values() if one.stopping or one.pid not in known]
                    await asyncio.sleep(LOOK_READY_S)
        except TimeoutError:
            names = ", ".join(child.place.name for child in missing)
            text = f"Not ready after {within_s:.0f} s: {names}. `gasoline doctor` says what is missing."
            raise CannotStart(text) from None

    # What hangs

    def _heard(self, _topic: str, body: bytes, _missed: int) -> None:
        try:
            lost = read_lost(body)
        except MALFORMED:
            return
        if lost.why in HUNG and not lost.remote:
            for child in self._children.values():
                if child.pid == lost.pid:
                    child.kill(lost.why)

    async def _watch_broker(self) -> None:
        """Kill a broker that lives and says nothing: nobody else can tell us of it."""
        vigil = Vigil(time.monotonic())
        while True:
            await asyncio.sleep(LOOK_S)
            broker = self._children.get(Place(BROKER))
            silent_s = self._link.silent_s() if self._link.connected else None
            if broker is not None and vigil.is_over(time.monotonic(), silent_s, broker.begun):
                broker.kill("silent")

    async def _watch_strangers(self) -> None:
        """Kill a child that lives and that the broker does not know: it hung before they met, and nobody misses it."""
        absences = Absences(time.monotonic())
        while True:
            await asyncio.sleep(LOOK_ABSENT_S)
            known = set[int]()
            if self._link.connected:
                with contextlib.suppress(Failed):
                    status = await read_status(self._link)
                    known = {status.pid, *(peer.pid for peer in status.peers)}
            living = {child.pid: child for child in self._children.values() if child.pid and not child.stopping}
            for pid in absences.over(time.monotonic(), set(living), known):
                living[pid].kill("absent")

    # What is asked of us

    async def _work(self, given: Given) -> tuple[Kind, Answer]:
        try:
            message = read_request(given.envelope.itinerary[given.envelope.position].message)
        except MALFORMED as fault:
            failure = Failure("invalid_params", f"The supervisor does not understand this: {fault}")
            return Kind.FAILURE, Answer(pack(failure))
        try:
            if isinstance(message, Scale):
                await self._scale(message.counts, given.until)
            return Kind.ANSWER, Answer(pack(self._processes()))
        except Failed as fault:
            return Kind.FAILURE, Answer(pack(fault.failure))
        except CannotStart as fault:
            return Kind.FAILURE, Answer(pack(Failure("deadline_exceeded", str(fault), "`gasoline status` shows it.")))

    async def _scale(self, counts: Mapping[str, int], until: float) -> None:
        procfile.check(self._commands, counts)
        logger.info("scaled", **counts)
        self._counts |= counts
        self._reconcile()
        await self._ready(max(0.0, until - time.monotonic()))

    def _processes(self) -> ProcessesRead:
        now, lines = time.monotonic(), list(self._commands)
        children = sorted(self._children.values(), key=lambda child: (lines.index(child.place.line), child.place))
        return ProcessesRead([child.status(now) for child in children])


async def read_status(link: Link) -> StatusRead:
    """Ask the broker what is connected, waiting and running.

    Raises:
        Failed: the broker did not answer.

    """
    answer = await link.ask(stop(BROKER, ReadStatus()), ttl_s=2.0)
    try:
        status: StatusRead = answer.read(StatusRead)
    except msgspec.ValidationError as fault:
        raise CannotStart(f"The running broker is of another version ({fault}): run `gasoline down` first.") from None
    return status


@contextlib.contextmanager
def _signals(told: asyncio.Event) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, told.set)
    try:
        yield
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)


def run(settings: Settings, path: Path, counts: Mapping[str, int] | None = None) -> None:
    """Be the supervisor's process. Raises as Supervisor and its `run` do."""
    log.configure(settings, SERVICE)
    asyncio.run(Supervisor(settings, path, counts or {}).run())
