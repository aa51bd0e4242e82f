"""A worker on another host serves over a real network, a stranger there does not, and a cut of 10 s loses nothing."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from gasoline_broker.actor.wire import stop
from process.echo import Said, Say
from process.machines import Load, Machines, nothing_came_in
from process.namespaces import ADDRESSES, FAR, HUB, Hosts
from process.processes import Processes, until

CUT_S = 10.0
CAPACITY = 4
FOUR, SIX = (f"tcp://{text}:7891" for text in (ADDRESSES[HUB][0], f"[{ADDRESSES[HUB][1]}]"))


@pytest.fixture
async def hosts() -> AsyncIterator[Hosts]:
    """Return two hosts that see nothing but each other."""
    async with Hosts() as hosts:
        yield hosts


@pytest.fixture
async def machines(no_processes: Processes, hosts: Hosts, request: pytest.FixtureRequest) -> Machines:
    """Return a hub that listens on its own host."""
    machines = Machines(no_processes, getattr(request, "param", FOUR), hosts.inside(HUB))
    await machines.serve()
    return machines


@pytest.mark.parametrize("machines", [FOUR, SIX], indirect=True)
@pytest.mark.requirement("hub-057")
async def test_a_worker_on_another_host_serves(machines: Machines, hosts: Hosts) -> None:
    worker = await machines.echo(inside=hosts.inside(FAR))

    answer = await machines.processes.ask(stop("echo", Say("from afar")))

    assert Said("from afar", [worker.pid], [1]) == answer.read(Said)


@pytest.mark.requirement("hub-058")
async def test_a_worker_on_another_host_without_a_key_is_refused(machines: Machines, hosts: Hosts) -> None:
    stranger = await machines.begin(machines.other(let_in=False), inside=hosts.inside(FAR))

    await until(lambda: "is not allowed" in stranger.log)

    assert nothing_came_in(await machines.processes.status(lambda status: status.counts.get("refused")))


@pytest.mark.requirement("hub-059")
async def test_a_cut_of_ten_seconds_heals_without_a_lost_ask(machines: Machines, hosts: Hosts) -> None:
    worker = await machines.echo(capacity=CAPACITY, inside=hosts.inside(FAR))

    async with Load(machines.processes) as load:
        await hosts.cut()
        await asyncio.sleep(CUT_S)
        await hosts.join()
        await machines.processes.registered(worker.pid)

    assert load.unknown <= CAPACITY, "what it was doing when it was given up, at most"
    assert ({}, [], set()) == (load.failed, load.doubled, load.undone)
