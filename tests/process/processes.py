"""The real processes of one test: started, waited for by events, and ended with the test."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import forks
from gasoline_broker.actor.client import Answer, Link
from gasoline_broker.actor.status import read_status
from gasoline_broker.errors import Failed
from gasoline_broker.lock import hold
from gasoline_broker.messages import PeerStatus, StatusRead
from gasoline_broker.settings import Settings

HERE = Path(__file__).parent
BOUND_S = 30.0  # the longest that a test waits for anything; the machine may be busy
LOOK_S = 0.02  # how often another process's state is polled, which has no event


def within(bound_s: float = BOUND_S) -> asyncio.Timeout:
    return asyncio.timeout(bound_s)


class Executed:
    """A process that was started by its command."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.pid = process.pid
        self.code: asyncio.Future[int] = asyncio.ensure_future(process.wait())

    def signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(number)


class Started:
    """One process, and the file with what it logs."""

    def __init__(self, process: forks.Fork | Executed, log: Path) -> None:
        self._process = process
        self._log = log
        self.pid = process.pid

    def signal(self, number: signal.Signals) -> None:
        self._process.signal(number)

    def kill(self) -> None:
        self.signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.signal(signal.SIGTERM)

    @property
    def running(self) -> bool:
        return not self._process.code.done()

    async def exit_code(self) -> int:
        async with within():
            return await asyncio.shield(self._process.code)

    @property
    def log(self) -> str:
        return self._log.read_text()

    async def end(self) -> None:
        if self.running:
            self.kill()
        await self.exit_code()


class Visitor:
    """One actor that works on a Meet: it waits at the gate until it is let go."""

    def __init__(self, pid: int, attempt: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.pid = pid
        self.attempt = attempt
        self._reader = reader
        self._writer = writer

    def let_go(self) -> None:
        self._writer.write(b"go\n")

    async def cancelled(self) -> bool:
        """Wait until it leaves by itself, and return whether it was cancelled: if it has died, it wasn't."""
        async with within():
            return await self._reader.readline() == b"cancelled\n"

    def close(self) -> None:
        self._writer.close()


class Gate:
    """Where actors wait for the test, and the test for actors."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)
        self._came: asyncio.Queue[Visitor] = asyncio.Queue()
        self._visitors: list[Visitor] = []

    async def open(self) -> None:
        self._server = await asyncio.start_unix_server(self._welcome, self.path)

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        pid, attempt = (await reader.readline()).split()
        visitor = Visitor(int(pid), int(attempt), reader, writer)
        self._visitors.append(visitor)
        self._came.put_nowait(visitor)

    async def visitor(self) -> Visitor:
        async with within():
            return await self._came.get()

    @property
    def visits(self) -> int:
        return len(self._visitors)

    async def close(self) -> None:
        self._server.close()
        for visitor in self._visitors:
            visitor.close()
        await self._server.wait_closed()


class Processes:
    """A runtime folder, and what runs in it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.started: list[Started] = []
        self._gates: list[Gate] = []
        self._links = contextlib.AsyncExitStack()

    async def start(
        self, *arguments: str, umask: int = -1, settings: Settings | None = None, inside: tuple[str, ...] = ()
    ) -> Started:
        """Start `python` with these arguments, by the fork server or by a command that runs it `inside` something."""
        log = self.settings.data_dir / f"{len(self.started)}.log"
        with log.open("wb") as stderr:
            environ = (
                os.environ
                | (settings or self.settings).environ()
                | {"PYTHONPATH": os.pathsep.join([str(HERE.parent), os.environ.get("PYTHONPATH", "")])}
            )
            process: forks.Fork | Executed
            if inside:
                process = Executed(
                    await asyncio.create_subprocess_exec(
                        *inside, sys.executable, *arguments, env=environ, stderr=stderr, umask=umask
                    )
                )
            else:
                process = await forks.start([*arguments], environ, stderr, umask=umask)
        self.started.append(Started(process, log))
        return self.started[-1]

    async def broker(self, *, umask: int = -1) -> Started:
        return await self.start(str(HERE / "start.py"), "broker", umask=umask)

    async def up(self, procfile: Path, *counts: str) -> Started:
        return await self.start(str(HERE / "start.py"), "up", str(procfile), *counts)

    async def echo(self, service: str = "echo", capacity: int = 1) -> Started:
        """Start an actor, and wait until it is registered."""
        echo = await self.start(str(HERE / "echo.py"), service, str(capacity))
        await self.registered(echo.pid)
        return echo

    async def gate(self) -> Gate:
        gate = Gate(self.settings.runtime_dir / f"gate{len(self._gates)}")
        self._gates.append(gate)
        await gate.open()
        return gate

    async def link(self, link: Link) -> Link:
        """Open a link, wait until it is registered, and ask by it from now on."""
        self.asking = await self._links.enter_async_context(link)
        async with within():
            await link.registered()
        return link

    async def ask(self, *itinerary: Any, ttl_s: float = 10 * BOUND_S, body: bytes = b"") -> Answer:
        async with within(2 * BOUND_S):
            return await self.asking.ask(*itinerary, ttl_s=ttl_s, body=body)

    async def status(self, until: Callable[[StatusRead], object] = bool) -> StatusRead:
        """Read the broker's status, again and again until it is as wanted."""
        async with within():
            while (status := await self._read_status()) is None or not until(status):  # noqa: ASYNC110 - another process's
                await asyncio.sleep(LOOK_S)
        return status

    async def _read_status(self) -> StatusRead | None:
        """Read the broker's status, if it answers: a busy machine may take longer to start it than one ask lasts."""
        try:
            return await read_status(self.asking)
        except Failed:
            return None

    async def registered(self, pid: int) -> PeerStatus:
        """Wait until this process is registered."""
        status = await self.status(lambda status: [peer for peer in status.peers if peer.pid == pid])
        return next(peer for peer in status.peers if peer.pid == pid)

    async def close(self) -> None:
        await self._links.aclose()
        for started in reversed(self.started):
            with contextlib.suppress(ProcessLookupError):
                started.signal(signal.SIGCONT)
            await started.end()
        await self._last_child_gone()
        for gate in self._gates:
            await gate.close()

    async def _last_child_gone(self) -> None:
        """Wait for what a killed supervisor has left running: it still removes its files."""
        path = self.settings.runtime_dir / "children.lock"
        if path.exists():
            with path.open("r+b") as file:
                assert await asyncio.to_thread(hold, file.fileno(), BOUND_S)


async def until(condition: Callable[[], object]) -> None:
    """Wait for a condition that has no event."""
    async with within():
        while not condition():  # noqa: ASYNC110 - it is another process's state
            await asyncio.sleep(LOOK_S)


async def gone(pid: int) -> None:
    """Wait until a process, ours or not, has ended."""
    try:
        fd = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    ended, loop = asyncio.Event(), asyncio.get_running_loop()
    loop.add_reader(fd, ended.set)
    try:
        async with within():
            await ended.wait()
    finally:
        loop.remove_reader(fd)
        os.close(fd)
