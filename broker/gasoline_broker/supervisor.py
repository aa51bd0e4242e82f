"""Starts every process of the Procfile, restarts the one that dies, and ends them all with itself.

Rules of this file:
- One for one: a process that dies is started again alone, after a pause that doubles while it keeps dying.
- A process that says it cannot start here (CANNOT_START), or dies too often, ends the system: a half is of no use.
- Started in the Procfile's order, the first one first; stopped in the reverse order, each given time to drain.
- Every child holds the reading end of one pipe, the lifeline: it ends when this process does, even by kill -9.
- Every child holds one locked file, too: who starts the system anew waits until the last of the former one is gone.
"""

import asyncio
import contextlib
import os
import shutil
import signal
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from pathlib import Path

import honcho.environ
import msgspec
import structlog

from gasoline_broker import log
from gasoline_broker.client import Link, register
from gasoline_broker.errors import CannotStart, Failed
from gasoline_broker.lock import Lock, hold
from gasoline_broker.messages import ReadStatus, StatusRead
from gasoline_broker.settings import Settings, private_dir
from gasoline_broker.wire import MALFORMED, stop

CANNOT_START = 78  # EX_CONFIG of sysexits.h: what a process exits with when starting it again is futile
DEATHS, WITHIN_S = 8, 20.0  # more deaths of one process within this time end the system
PAUSE_S, PAUSE_MAX_S = 0.05, 2.0
LIVED_S = 5.0  # a process that lived this long has its pause reset
STOP_S = 8.0  # longer than an actor drains and then lingers (5 s and 2 s)
FORMER_S = 6.0  # longer than an orphan lives (5 s)
LAST_WORDS_S = 1.0
READY_S = 15.0

logger = structlog.get_logger()


class Deaths:
    """How often one process died lately; decides the pause before its next start."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=DEATHS)
        self._pause_s = 0.0

    def pause_s(self, now: float, lived_s: float) -> float:
        """Note a death and give the pause, in seconds.

        Raises:
            CannotStart: it died too often.

        """
        if len(self._times) == DEATHS and now - self._times[0] < WITHIN_S:
            raise CannotStart(f"it died {DEATHS + 1} times within {WITHIN_S:g} s.")
        self._times.append(now)
        grown = self._pause_s * 2 if self._pause_s else PAUSE_S
        self._pause_s = 0.0 if lived_s >= LIVED_S else min(grown, PAUSE_MAX_S)
        return self._pause_s


class Supervisor:
    """One running system."""

    def __init__(self, settings: Settings, procfile: Path) -> None:
        self._settings = settings
        self._commands = _commands(procfile)
        self._children: dict[str, asyncio.subprocess.Process] = {}
        self._told = asyncio.Event()
        self._fault: CannotStart | None = None

    async def run(self, *, announce: bool = True) -> None:
        """Run the system until SIGTERM or SIGINT.

        Raises:
            AlreadyRunning: another supervisor runs it.
            CannotStart: a process cannot do its work here.

        """
        private_dir(self._settings.data_dir)
        lock = Lock(private_dir(self._settings.runtime_dir) / "supervisor.lock", "Gasoline")
        lock.take()
        try:
            with _held_by_children(self._settings.runtime_dir / "children.lock") as held:
                async with _relayed(self._commands) as stderr:
                    await self._serve(held, stderr, announce=announce)
        finally:
            lock.release()
        if self._fault is not None:
            raise self._fault

    async def _serve(self, held: tuple[int, int], stderr: Mapping[str, int], *, announce: bool) -> None:
        try:
            with _signals(self._told):
                async with asyncio.TaskGroup() as group:
                    tasks = [group.create_task(self._keep(name, held, stderr[name])) for name in self._commands]
                    if announce:
                        tasks.append(group.create_task(self._announce()))
                    await self._told.wait()
                    for task in tasks:
                        task.cancel()
        finally:
            await self._stop_all()

    async def _keep(self, name: str, held: tuple[int, int], stderr: int) -> None:
        """Keep one process running."""
        deaths = Deaths()
        while True:
            begun = time.monotonic()
            child = self._children[name] = await self._start(name, held, stderr)
            code = await child.wait()
            now = time.monotonic()
            try:
                if code == CANNOT_START:
                    raise CannotStart("it cannot do its work here; its own words are above.")  # noqa: TRY301 - one place ends the system
                pause_s = deaths.pause_s(now, now - begun)
            except CannotStart as fault:
                self._end(CannotStart(f"{name} was not started again: {fault}"))
                return
            logger.warning("process_died", name=name, code=code, pause_s=pause_s)
            await asyncio.sleep(pause_s)

    def _end(self, fault: CannotStart) -> None:
        self._fault = fault
        self._told.set()

    async def _start(self, name: str, held: tuple[int, int], stderr: int) -> asyncio.subprocess.Process:
        environ = dict(os.environ) | self._settings.environ() | {"GASOLINE_LIFELINE_FD": str(held[0])}
        environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), environ.get("PATH", os.defpath)])
        child = await asyncio.create_subprocess_exec(
            shutil.which("sh") or "/bin/sh",
            "-c",
            f"exec {self._commands[name]}",  # the shell of a Procfile line, which leaves no process of its own behind
            env=environ,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=stderr,
            pass_fds=held,
            start_new_session=True,  # a terminal's Ctrl+C reaches us alone: we stop them in order
        )
        logger.info("process_started", name=name, pid=child.pid)
        return child

    async def _announce(self) -> None:
        begun = time.monotonic()
        try:
            await ready(self._settings, set(self._commands) - {"broker"})
        except CannotStart as fault:
            self._end(fault)
            return
        logger.info("system_ready", took_ms=round((time.monotonic() - begun) * 1000))

    async def _stop_all(self) -> None:
        for name in reversed(list(self._commands)):
            child = self._children.get(name)
            if child is not None and child.returncode is None:
                await _stop(name, child)


async def _stop(name: str, child: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        child.terminate()
        try:
            async with asyncio.timeout(STOP_S):
                await child.wait()
        except TimeoutError:
            logger.warning("process_killed", name=name)
            child.kill()
            await child.wait()


async def ready(settings: Settings, services: set[str], within_s: float = READY_S) -> StatusRead:
    """Wait until all these services are registered with the broker.

    Raises:
        CannotStart: some are not, after `within_s` seconds.

    """
    missing = services
    try:
        async with asyncio.timeout(within_s), Link(settings, register("cli")) as link:
            await link.registered()
            while True:
                with contextlib.suppress(Failed):  # the broker may just be starting again
                    status = await read_status(link)
                    missing = services - {peer.service for peer in status.peers}
                    if not missing:
                        return status
                await asyncio.sleep(0.02)
    except TimeoutError:
        names = ", ".join(sorted(missing))
        raise CannotStart(f"Not ready after {within_s:g} s: {names}. `gasoline doctor` says what is missing.") from None


async def read_status(link: Link) -> StatusRead:
    """Ask the broker what is connected, waiting and running.

    Raises:
        Failed: the broker did not answer.

    """
    answer = await link.ask(stop("broker", ReadStatus()), ttl_s=2.0)
    try:
        status: StatusRead = answer.read(StatusRead)
    except msgspec.ValidationError as fault:
        raise CannotStart(f"The running broker is of another version ({fault}): run `gasoline down` first.") from None
    return status


def _commands(procfile: Path) -> Mapping[str, str]:
    try:
        commands: Mapping[str, str] = honcho.environ.parse_procfile(procfile.read_text()).processes
    except OSError as fault:
        raise CannotStart(f"{procfile} cannot be read: {fault.strerror}.") from None
    if not commands:
        raise CannotStart(f"{procfile} names no process.")
    return commands


@contextlib.contextmanager
def _held_by_children(path: Path) -> Iterator[tuple[int, int]]:
    """Give what every child holds: the lifeline's reading end, and the file that is locked while one of them lives."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    reading, writing = os.pipe()
    try:
        if not hold(file, FORMER_S):
            logger.warning("former_process_remains")  # what it holds, a port or a lock, will say so itself
        yield reading, file
    finally:
        for fd in (file, reading, writing):
            os.close(fd)


@contextlib.asynccontextmanager
async def _relayed(names: Iterable[str]) -> AsyncIterator[Mapping[str, int]]:
    """Give each name a pipe for what its processes log: passed on by line, so that lines of two never mix."""
    pipes = {name: os.pipe() for name in names}
    relays = [asyncio.create_task(_relay(name, reading)) for name, (reading, _) in pipes.items()]
    try:
        yield {name: writing for name, (_, writing) in pipes.items()}
    finally:
        for _, writing in pipes.values():
            os.close(writing)
        _, held = await asyncio.wait(relays, timeout=LAST_WORDS_S)  # by whatever a child has left behind
        for relay in held:
            relay.cancel()


async def _relay(name: str, reading: int) -> None:
    lines = asyncio.StreamReader()
    pipe = os.fdopen(reading, "rb")
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), pipe)
    show = _coloured if sys.stderr.isatty() else _plain
    try:
        while True:
            with contextlib.suppress(ValueError):  # a line longer than the stream's limit: dropped
                if not (line := await lines.readline()):
                    return
                sys.stderr.write(show(name, line))
                sys.stderr.flush()
    finally:
        transport.close()


def _plain(name: str, line: bytes) -> str:
    text = line.decode(errors="replace")
    if text.startswith("{"):
        return text
    said = msgspec.json.encode({"process": name, "event": "said", "text": text.rstrip()})
    return f"{said.decode()}\n"


def _coloured(name: str, line: bytes) -> str:
    colour = 31 + sum(name.encode()) % 6
    try:
        event = msgspec.json.decode(line)
        kept = {key: value for key, value in event.items() if key not in _HEAD}
        words = " ".join([str(event["event"]), *(f"{key}={value}" for key, value in kept.items())])
        text = f"{event['timestamp'][11:19]} {words}\n"
    except (*MALFORMED, KeyError, TypeError, AttributeError):
        text = line.decode(errors="replace")
    return f"\x1b[{colour}m{name:>10}\x1b[0m {text}"


_HEAD = {"event", "timestamp", "process", "level"}


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


def run(settings: Settings, procfile: Path) -> None:
    """Be the supervisor's process. Raises as Supervisor.run does."""
    log.configure(settings, "supervisor")
    asyncio.run(Supervisor(settings, procfile).run())
