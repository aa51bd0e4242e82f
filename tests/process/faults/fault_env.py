"""The environment of the fault tests: processes that start in milliseconds and come back when they end."""

import asyncio
import contextlib
import itertools
import os
import socket
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import msgspec

import forks
from forks import Fork
from gasoline_broker.actor.client import Link, register
from gasoline_broker.keys import Keys
from gasoline_broker.messages import StatusRead
from gasoline_broker.settings import Settings
from process.faults.load import MIXED, Kind, Load
from process.faults.proxy import Proxy
from process.processes import Processes, within

HERE = Path(__file__).parent
COMMANDS = {
    "broker": [str(HERE.parent / "start.py"), "broker"],
    "worker_app": [str(HERE / "worker_app.py")],
    "asker": [str(HERE / "asker.py")],
}

FAULT_S = float(os.environ.get("FAULT_S", "2"))  # how long each fault lasts: 2 s in CI, 60 s by hand
FIRST_S = 0.2  # before the first fault, and after the last one: some load without it


class Children:
    """The processes of an env, forked in 5 ms each."""

    def __init__(self, errors: Path) -> None:
        self._errors = errors
        self._starting: set[asyncio.Task[Fork]] = set()
        self._children: list[Fork] = []

    async def close(self) -> None:
        """End every process."""
        async with within():
            await asyncio.gather(*self._starting)
        for child in self._children:
            child.kill()
        await asyncio.gather(*(child.ended() for child in self._children))

    async def start(self, settings: Settings, what: str, *arguments: str) -> Fork:
        """Start a process; it may not be registered yet."""
        starting = asyncio.ensure_future(self._start(settings, what, arguments))
        self._starting.add(starting)
        starting.add_done_callback(self._starting.discard)
        async with within():
            return await asyncio.shield(starting)  # `close` waits for it, also if its own waiter ends

    async def _start(self, settings: Settings, what: str, arguments: tuple[str, ...]) -> Fork:
        with self._errors.open("ab") as stderr:
            child = await forks.start([*COMMANDS[what], *arguments], os.environ | settings.environ(), stderr)
        self._children.append(child)
        return child


class Kept:
    """A process that is started again at once, however it ends, until it is let go."""

    def __init__(self, start: Callable[[], "asyncio.Future[Fork]"], child: Fork) -> None:
        self._start = start
        self.child = child
        self.deaths: list[float] = []  # monotonic, s
        self._keeping = asyncio.ensure_future(self._keep())

    async def _keep(self) -> None:
        while True:
            await asyncio.shield(self.child.code)
            self.deaths.append(time.monotonic())
            self.child = await self._start()

    def kill(self) -> None:
        self.child.kill()

    def let_go(self) -> None:
        self._keeping.cancel()


class FaultEnv:
    """A processes for faults, over one transport."""

    def __init__(self, processes: Processes, transport: str) -> None:
        self.processes = processes
        self.transport = transport
        self.settings = self.peers = processes.settings  # the broker's, and those of its peers
        if transport == "tcp":
            self.settings, self.peers = _between_machines(processes.settings)
        self.log = processes.settings.data_dir / "commands"
        self.children = Children(processes.settings.data_dir / "children.log")
        self._closing = contextlib.AsyncExitStack()
        self.workers: list[Kept] = []
        self._turns = itertools.count()

    async def close(self) -> None:
        await self._closing.aclose()
        await self.children.close()

    # Processes

    async def keep(self, what: str, *arguments: str, settings: Settings | None = None) -> Kept:
        """Start a process, and start it again whenever it ends."""
        given = settings or (self.settings if what == "broker" else self.peers)

        def start() -> "asyncio.Future[Fork]":
            return asyncio.ensure_future(self.children.start(given, what, *arguments))

        kept = Kept(start, await start())
        self._closing.callback(kept.let_go)
        return kept

    async def serve(self, workers: int = 3, capacity: int = 2) -> None:
        """Start a broker and actors, open a link that looks on, and wait until all are registered."""
        self.broker = await self.keep("broker")
        await self.processes.link(Link(self.processes.settings, register("onlooker")))
        await self.worker_app(workers, capacity)

    async def worker_app(self, count: int, capacity: int = 2, settings: Settings | None = None) -> None:
        """Start so many more actors, and wait until they are registered."""
        started = [await self.keep("worker_app", "worker_app", str(capacity), settings=settings) for _ in range(count)]
        self.workers += started
        for worker in started:
            await self.processes.registered(worker.child.pid)

    def kill_next(self) -> None:
        """Kill one of the actors, each in its turn."""
        self.workers[next(self._turns) % len(self.workers)].kill()

    async def all_registered(self) -> StatusRead:
        """Wait until every process that should be is registered."""
        return await self.processes.status(self._complete)

    async def all_back(self) -> StatusRead:
        """Wait until every process is registered, and nothing is in flight."""

        def settled(status: StatusRead) -> bool:
            return self._complete(status) and not status.in_flight and not any(peer.running for peer in status.peers)

        return await self.processes.status(settled)

    def _complete(self, status: StatusRead) -> bool:
        pids = {peer.pid for peer in status.peers if peer.service == "worker_app"}
        return pids == {worker.child.pid for worker in self.workers}

    # Links

    async def link(self, settings: Settings | None = None) -> Link:
        """Open a link that asks, and wait until it is registered."""
        link = await self._closing.enter_async_context(Link(settings or self.peers, register("front")))
        async with within():
            await link.registered()
        return link

    async def load(
        self,
        *,
        kinds: tuple[Kind, ...] = MIXED,
        per_s: float = 400.0,
        ttl_s: float = 20.0,
        took_ms: float = 1.0,
        settings: Settings | None = None,
    ) -> Load:
        """Make a load from two links, to be entered."""
        links = [await self.link(settings) for _ in range(2)]
        return Load(links, self.log, kinds=kinds, per_s=per_s, ttl_s=ttl_s, took_ms=took_ms)

    async def proxy(self) -> tuple[Proxy, Settings]:
        """Return a link that can go bad, and the settings of the process that uses it."""
        if self.transport == "tcp":
            host, port = "127.0.0.1", free_port()
            far = msgspec.structs.replace(self.peers, broker=f"tcp://{host}:{port}")
            proxy = Proxy((host, port), (host, int(self.settings.listen.rpartition(":")[2])))
        else:
            runtime_dir = self.settings.runtime_dir / "far"
            runtime_dir.mkdir(mode=0o700)
            far = msgspec.structs.replace(self.settings, runtime_dir=runtime_dir)
            proxy = Proxy(far.broker_socket, self.settings.broker_socket)
        return await self._closing.enter_async_context(proxy), far


async def pass_by(for_s: float) -> None:
    """Let a load go on by itself."""
    await asyncio.sleep(for_s)


async def repeat(every_s: float, fault: Callable[[], object], for_s: float = FAULT_S) -> list[float]:
    """Do something again and again, and give the times of it (monotonic, s)."""
    times = []
    until = time.monotonic() + for_s
    await asyncio.sleep(FIRST_S)
    while time.monotonic() < until:
        times.append(time.monotonic())
        fault()
        await asyncio.sleep(every_s)
    await asyncio.sleep(FIRST_S)
    return times


@contextlib.asynccontextmanager
async def fault_env(processes: Processes, transport: str) -> AsyncIterator[FaultEnv]:
    """Return an env, and end everything on it."""
    env = FaultEnv(processes, transport)
    try:
        yield env
    finally:
        await env.close()


def _between_machines(settings: Settings) -> tuple[Settings, Settings]:
    """Return the settings of a broker that listens on TCP, and of a peer that has its key and is let in."""
    address, keys = f"tcp://127.0.0.1:{free_port()}", Keys(settings)
    key = keys.own().public.hex()
    keys.allow("peer", key)
    listening = msgspec.structs.replace(settings, listen=address)
    return listening, msgspec.structs.replace(settings, broker=address, broker_key=key)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def memory_bytes(pid: int) -> int:
    """Return the resident memory of a process."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    (size,) = [line.split()[1] for line in lines if line.startswith("VmRSS:")]
    return int(size) * 1024


def descriptors(pid: int) -> int:
    """Count the open files of a process."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))
