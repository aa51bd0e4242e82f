"""The supervisor: starts every process of the Procfile, restarts the one that dies, and ends them all with itself.

Rules of this file:
- One for one: a process that dies is started again alone, after a pause that doubles while it keeps dying.
- A process that exits with CANNOT_START, or dies too often, ends the system: half a system is of no use.
- Started in the Procfile's order, the first one first; stopped in the reverse order, each given time to drain.
- The target is a count for each line; `_reconcile` compares it with what runs, whenever either has changed.
- A process that hangs is killed: the broker reports which is silent or stuck, and the supervisor watches the broker.
- A compact system runs its workers as actors of one process (actor_group.py), and its processes begin as forks.
- None outlives the supervisor for long, not even after kill -9: see child_cleanup.py.
"""

import asyncio
import contextlib
import os
import secrets
import shlex
import shutil
import signal
import sys
import time
from collections.abc import Coroutine, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import structlog

from gasoline_broker import log, running
from gasoline_broker.actor.client import Answer, Link, Step, register
from gasoline_broker.actor.status import read_status
from gasoline_broker.actor.wire import MALFORMED, Kind, pack, stop
from gasoline_broker.errors import AlreadyRunning, CannotStart, Failed, Failure, fail
from gasoline_broker.lock import Lock
from gasoline_broker.messages import PeerLost, ProcessesRead, ReadProcesses, Restart, RestartActor, Scale, StatusRead
from gasoline_broker.settings import Settings, private_dir, writable_dir
from gasoline_broker.supervisor import forked, procfile
from gasoline_broker.supervisor.child import Child, Process
from gasoline_broker.supervisor.child_cleanup import Reaper, held_by_children
from gasoline_broker.supervisor.forked import Forked, Main
from gasoline_broker.supervisor.log_file import LogFile
from gasoline_broker.supervisor.log_mux import LogMux
from gasoline_broker.supervisor.procfile import Place
from gasoline_broker.supervisor.restart_policy import HANG_CHECK_S, REGISTERED_CHECK_S, HangWatch, RegistrationWatch

SERVICE, CAPACITY = "supervisor", 4
BROKER = "broker"  # the line of the Procfile that the supervisor itself watches
READY_S, READY_EACH_S = 15.0, 1.0  # for a system to be ready, and more for each process: they share the processors
READY_CHECK_S = 0.02
FILES_CHECK_S = 1.0
LEAVE_S = 1.0  # a broker that runs answers a GOODBYE within milliseconds
HUNG = {"silent", "stuck"}

logger = structlog.get_logger()

read_request = msgspec.msgpack.Decoder(Scale | Restart | ReadProcesses).decode
read_lost = msgspec.msgpack.Decoder(PeerLost).decode


class Supervisor:
    """One running system. `counts`: how many processes of a line, where it is not one. `compact`: see `run`.

    Raises:
        CannotStart: the Procfile names nothing.
        Failed: a count is not valid for its line.

    """

    def __init__(self, settings: Settings, path: Path, counts: Mapping[str, int], compact: Main | None) -> None:
        self._settings = msgspec.structs.replace(settings, system_id=secrets.token_hex(8))
        self._commands = procfile.compact(procfile.read(path)) if compact else procfile.read(path)
        self._actors = procfile.actors(self._commands)
        self._compact = compact
        self._forked: dict[Place, Forked] = {}
        procfile.check(self._commands, counts)
        self._counts = dict.fromkeys(self._commands, 1) | dict(counts)
        self._children: dict[Place, Child] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopping = asyncio.Event()
        self._fault: CannotStart | None = None

    def run(self) -> None:
        """Run the system until SIGTERM or SIGINT.

        Raises:
            AlreadyRunning: another supervisor runs it.
            CannotStart: a process cannot work here, or a folder cannot be used.

        """
        writable_dir(self._settings.data_dir)
        private_dir(self._settings.runtime_dir)
        places = self._settings.supervisor_lock, self._settings.system_lock
        locks = [Lock(path, "Gasoline", *running.notes(self._settings)) for path in places]
        with _held(locks):
            self._locks = locks
            self._settings.stopped_file.unlink(missing_ok=True)
            with held_by_children(self._settings.runtime_dir / "children.lock") as self._held:
                self._log_mux = LogMux({procfile.GROUP})
                self._fork_all()
                asyncio.run(self._run())
        if self._fault is not None:
            raise self._fault

    async def _run(self) -> None:
        async with self._log_mux, Reaper(self._living) as self._reaper:
            await self._serve()

    async def _serve(self) -> None:
        registration = register(SERVICE, CAPACITY, peer_events=True)
        try:
            with _signals(self._stopping):
                async with (
                    asyncio.TaskGroup() as self._group,
                    Link(self._settings, registration, self._work, self._on_peer_lost) as self._link,
                ):
                    self._reconcile()
                    self._spawn(self._announce())
                    self._spawn(self._watch_broker())
                    self._spawn(self._watch_registrations())
                    self._spawn(self._watch_files())
                    await self._stopping.wait()
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

    # Processes

    def _reconcile(self) -> None:
        """Start what is wanted and does not run; stop what runs and is not wanted."""
        if self._stopping.is_set():  # what runs is about to be stopped, and nothing new begins
            return
        wanted = self._wanted()
        for place in wanted:
            if place not in self._children:
                actors = self._actors if place.line == procfile.GROUP else ()
                child = self._children[place] = Child(place, self._start, actors)
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
        self._stopping.set()

    def _wanted(self) -> list[Place]:
        return procfile.places(self._counts, self._actors)

    def _fork_all(self) -> None:
        """Start the processes of a compact system, each once: one that dies is started again by its command."""
        if self._compact is None or not forked.CAN_FORK:
            return
        for place in self._wanted():
            program, *arguments = shlex.split(self._commands[place.line])
            if program == "gasoline":
                stderr = self._log_mux.pipe(place.name)
                environ = self._environ(restarts=0)
                self._forked[place] = forked.start(self._compact, arguments, environ, stderr, self._held)

    async def _start(self, child: Child) -> Process:
        process: Process
        if child.place in self._forked:
            process = self._forked.pop(child.place)
        else:
            process = await self._execute(child)
        self._reaper.watch(process.pid)
        logger.info("process_started", name=child.place.name, pid=process.pid)
        return process

    async def _execute(self, child: Child) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            shutil.which("sh") or "/bin/sh",
            "-c",
            f"exec {self._commands[child.place.line]}",  # the shell of a Procfile line, which leaves no process behind
            env=self._environ(child.restarts),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=self._log_mux.pipe(child.place.name),
            pass_fds=self._held,
            start_new_session=True,  # a terminal's Ctrl+C reaches us alone: we stop them in order
        )

    def _environ(self, restarts: int) -> dict[str, str]:
        own = {"GASOLINE_LIFELINE_FD": str(self._held[0]), "GASOLINE_RESTARTS": str(restarts)}
        environ = dict(os.environ) | self._settings.environ() | own
        environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), environ.get("PATH", os.defpath)])
        return environ

    async def _stop_all(self) -> None:
        for line in reversed(list(self._commands)):
            children = [child for child in self._children.values() if child.place.line == line]
            await asyncio.gather(*(child.stop() for child in children))

    def _living(self) -> list[int]:
        return [child.pid for child in self._children.values() if child.pid]

    # Readiness

    async def _announce(self) -> None:
        begun = time.monotonic()
        try:
            await self._ready(READY_S + READY_EACH_S * len(self._children))
        except CannotStart as fault:
            self._end(fault)
            return
        logger.info("system_ready", took_ms=round((time.monotonic() - begun) * 1000))

    async def _ready(self, within_s: float) -> None:
        """Wait until the broker knows every process that is wanted, and no other one runs.

        Raises:
            CannotStart: it is not so after `within_s` seconds.

        """
        missing = list(self._children.values())
        try:
            async with asyncio.timeout(within_s):
                await self._link.registered()
                while missing:
                    with contextlib.suppress(Failed):  # the broker may just be starting again
                        known = _known(await read_status(self._link))
                        missing = [one for one in self._children.values() if not _is_ready(one, known)]
                    await asyncio.sleep(READY_CHECK_S)
        except TimeoutError:
            names = ", ".join(child.place.name for child in missing)
            text = f"Not ready after {within_s:.0f} s: {names}. `gasoline doctor` shows what is missing."
            raise CannotStart(text) from None

    # Hangs

    def _on_peer_lost(self, body: bytes) -> None:
        try:
            lost = read_lost(body)
        except MALFORMED:
            return
        if lost.reason in HUNG and not lost.remote:
            for child in self._children.values():
                if child.pid == lost.pid:
                    child.kill(lost.reason)

    async def _watch_broker(self) -> None:
        """Kill a broker that lives and sends nothing: no other process can report it."""
        watch = HangWatch(time.monotonic())
        while True:
            await asyncio.sleep(HANG_CHECK_S)
            broker = self._children.get(Place(BROKER))
            silent_s = self._link.silent_s() if self._link.connected else None
            if broker is not None and watch.is_hung(time.monotonic(), silent_s, broker.begun):
                broker.kill("silent")

    async def _watch_registrations(self) -> None:
        """Kill a child that lives and that the broker does not know: it hung before it registered."""
        watch = RegistrationWatch(time.monotonic())
        while True:
            await asyncio.sleep(REGISTERED_CHECK_S)
            known = dict[int, set[str]]()
            if self._link.connected:
                with contextlib.suppress(Failed):
                    known = _known(await read_status(self._link))
            living = {child.pid: child for child in self._children.values() if child.pid and not child.stopping}
            for pid in watch.expired(time.monotonic(), set(living), set(known)):
                living[pid].kill("unregistered")

    # Files

    async def _watch_files(self) -> None:
        """Make locks again whose folder has vanished, and keep the log short."""
        log_file = LogFile(self._settings.log_file, sys.stderr.fileno())
        while True:
            await asyncio.sleep(FILES_CHECK_S)
            log_file.rotate()
            for lock in self._locks:
                self._keep_lock(lock)

    def _keep_lock(self, lock: Lock) -> None:
        try:
            if lock.is_lost:
                private_dir(self._settings.data_dir)
                private_dir(self._settings.runtime_dir)
                lock.take_again()
                logger.warning("lock_made_again")
            lock.write()
        except (AlreadyRunning, CannotStart, OSError) as fault:
            logger.warning("lock_lost", reason=str(fault))

    # Requests

    async def _work(self, step: Step) -> tuple[Kind, Answer]:
        try:
            message = read_request(step.envelope.itinerary[step.envelope.position].message)
        except MALFORMED as fault:
            failure = Failure("invalid_params", f"The supervisor does not understand this: {fault}")
            return Kind.FAILURE, Answer(pack(failure))
        try:
            if isinstance(message, Scale):
                await self._scale(message.counts, step.until)
            elif isinstance(message, Restart):
                await self._restart(message.name, step.until)
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

    async def _restart(self, name: str, until: float) -> None:
        logger.info("restarted", name=name)
        children = {child.place.name: child for child in self._children.values()}
        if child := children.get(name):
            await child.restart()
        elif name in self._actors:
            await self._link.ask(stop(procfile.GROUP, RestartActor(name)), ttl_s=max(0.0, until - time.monotonic()))
        else:
            valid = [*children, *self._actors]
            fail("invalid_params", f"{name} is no process of this system.", f"Valid: {', '.join(valid)}.", valid=valid)
        await self._ready(max(0.0, until - time.monotonic()))

    def _processes(self) -> ProcessesRead:
        now, lines = time.monotonic(), list(self._commands)
        children = sorted(self._children.values(), key=lambda child: (lines.index(child.place.line), child.place))
        return ProcessesRead([child.status(now) for child in children])


def _known(status: StatusRead) -> dict[int, set[str]]:
    """Return the services of each process that the broker knows, and itself."""
    known: dict[int, set[str]] = {status.pid: set()}
    for peer in status.peers:
        known.setdefault(peer.pid, set()).add(peer.service)
    return known


def _is_ready(child: Child, known: Mapping[int, set[str]]) -> bool:
    """Return whether the broker knows all that this process is to be."""
    return not child.stopping and child.pid in known and known[child.pid].issuperset(child.actors)


@contextlib.contextmanager
def _held(locks: list[Lock]) -> Iterator[None]:
    with contextlib.ExitStack() as stack:
        for lock in locks:
            lock.take()
            stack.callback(lock.release)
        yield


@contextlib.contextmanager
def _signals(stopping: asyncio.Event) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    try:
        yield
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)


def run(settings: Settings, path: Path, counts: Mapping[str, int] | None = None, compact: Main | None = None) -> None:
    """Run the supervisor's process. Raises as Supervisor and its `run` do.

    `compact`: runs a `gasoline` command in this process; given, the system is compact: its workers are actors of one
    process, and its processes are forks of this one.
    """
    log.configure(settings, SERVICE)
    Supervisor(settings, path, counts or {}, compact).run()
