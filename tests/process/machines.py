"""A hub that listens for other machines, and those machines: each has folders, and so keys, of its own."""

import asyncio
import contextlib
import itertools
import socket
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Self

import msgspec

from gasoline_broker.actor.client import Link, register
from gasoline_broker.actor.wire import Delivery, stop
from gasoline_broker.errors import Failed
from gasoline_broker.keys import Keys
from gasoline_broker.messages import StatusRead
from gasoline_broker.settings import Settings
from process.echo import Note
from process.faults.proxy import Proxy
from process.processes import HERE, Processes, Started, until

HOST = "127.0.0.1"
EVERY_S = 0.1  # between two asks of a load: 12 s without answers leave 120 open, and a session may have about 200
TTL_S = 300.0


def free_port(host: str = HOST) -> int:
    with socket.socket() as one:
        one.bind((host, 0))
        port: int = one.getsockname()[1]
        return port


class Machines:
    """The hub's processes and the other machines. `inside`: the commands by which the hub's processes start."""

    def __init__(self, processes: Processes, address: str, inside: tuple[str, ...] = ()) -> None:
        processes.settings = msgspec.structs.replace(processes.settings, listen=address)
        self.processes = processes
        self.address = address
        self.keys = Keys(processes.settings)
        self._inside = inside
        self._numbers = itertools.count()

    async def serve(self) -> Started:
        """Start the broker, and link to it on its own machine."""
        broker = await self.processes.start(str(HERE / "start.py"), "broker", inside=self._inside)
        await self.processes.link(Link(self.processes.settings, register("front")))
        return broker

    def other(self, *, let_in: bool = True, address: str = "") -> Settings:
        """Return the settings of another machine."""
        number = next(self._numbers)
        home = self.processes.settings.data_dir / f"machine{number}"
        there = Settings(
            data_dir=home / "data",
            runtime_dir=home / "run",
            broker=address or self.address,
            broker_key=self.keys.own().public.hex(),
        )
        if let_in:
            self.keys.allow(f"machine{number}", Keys(there).own().public.hex())
        return there

    async def begin(
        self, there: Settings, service: str = "echo", capacity: int = 1, inside: tuple[str, ...] = ()
    ) -> Started:
        """Start an actor on another machine."""
        return await self.processes.start(str(HERE / "echo.py"), service, str(capacity), settings=there, inside=inside)

    async def echo(
        self,
        there: Settings | None = None,
        service: str = "echo",
        capacity: int = 1,
        inside: tuple[str, ...] = (),
    ) -> Started:
        """Start an actor on another machine, and wait until it is registered."""
        echo = await self.begin(there or self.other(), service, capacity, inside)
        assert (await self.processes.registered(echo.pid)).remote
        return echo

    @contextlib.asynccontextmanager
    async def bad_link(self) -> AsyncIterator[tuple[Proxy, Settings]]:
        """Return a link to the hub that can go bad, and the settings of a machine at its end."""
        near = HOST, free_port()
        there = self.other(address=f"tcp://{HOST}:{near[1]}")
        async with Proxy(near, (HOST, int(self.address.rpartition(":")[2]))) as proxy:
            yield proxy, there


class Load:
    """Queries and commands by turns, from when it is entered until it is left; then all are waited for."""

    def __init__(self, processes: Processes, service: str = "echo", asking: Link | None = None) -> None:
        self._asking = asking or processes.asking
        self._service = service
        self._log = processes.settings.data_dir / f"noted-{service}"
        self._numbers = itertools.count()
        self._asks: list[asyncio.Task[None]] = []
        self._answered: set[int] = set()
        self.failed: Counter[tuple[Delivery, str]] = Counter()

    async def __aenter__(self) -> Self:
        self._feeding = asyncio.create_task(self._feed())
        await until(lambda: len(self._answered) > 1)
        return self

    async def __aexit__(self, *_: object) -> None:
        await until(lambda: {number + 1 for number in self._answered} & {len(self._asks), len(self._asks) - 1})
        self._feeding.cancel()
        async with asyncio.timeout(TTL_S / 10):
            await asyncio.gather(*self._asks)

    async def _feed(self) -> None:
        while True:
            self._asks.append(asyncio.create_task(self._ask(next(self._numbers))))
            await asyncio.sleep(EVERY_S)

    async def _ask(self, number: int) -> None:
        delivery = Delivery.COMMAND if number % 2 else Delivery.QUERY
        try:
            await self._asking.ask(stop(self._service, Note(str(self._log), number), delivery), ttl_s=TTL_S)
        except Failed as fault:
            self.failed[delivery, fault.failure.code] += 1
        else:
            self._answered.add(number)

    @property
    def sent(self) -> int:
        return len(self._asks)

    @property
    def doubled(self) -> list[int]:
        """The commands that were done more than once."""
        return [number for number, times in _noted(self._log).items() if number % 2 and times > 1]

    @property
    def undone(self) -> set[int]:
        """What was answered without being done."""
        return self._answered - set(_noted(self._log))

    @property
    def unknown(self) -> int:
        """How many commands ended with an unknown outcome."""
        return self.failed.pop((Delivery.COMMAND, "outcome_unknown"), 0)


def nothing_came_in(status: StatusRead) -> bool:
    """Return whether routing has seen no peer but the hub's own link."""
    return ["front"] == [peer.service for peer in status.peers] and {"refused"} >= set(status.counts)


def _noted(log: Path) -> Counter[int]:
    return Counter(map(int, log.read_text().split()))
