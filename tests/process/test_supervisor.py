"""The supervisor keeps a system running as one: nothing missing while it lives, nothing left when it ends."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from gasoline_broker.client import Link, register
from gasoline_broker.lock import holder
from gasoline_broker.messages import StatusRead
from gasoline_broker.supervisor import CANNOT_START
from gasoline_broker.wire import stop
from process.echo import Hang, Meet, Said, Say
from process.worlds import HERE, Started, World, gone, until

START, ECHO = HERE / "start.py", HERE / "echo.py"
ORPHANED_S = 5.0  # "no orphan five seconds after its death" (DESIGN.md)


def procfile(world: World, **more: str) -> Path:
    """Write a Procfile: a broker, an actor, and whatever more."""
    commands = {"broker": f"python {START} broker", "echo": f"python {ECHO} echo"} | more
    path = world.settings.data_dir / "Procfile"
    path.write_text("".join(f"{name}: {command}\n" for name, command in commands.items()))
    return path


async def pids(world: World) -> dict[str, int]:
    """Wait until the broker and the actor are there, and give their pids."""
    status = await world.status(_echoes)
    (echo,) = _echoes(status)
    return {"broker": status.pid, "echo": echo}


def _echoes(status: StatusRead) -> list[int]:
    return [peer.pid for peer in status.peers if peer.service == "echo"]


async def test_it_starts_what_the_procfile_names_and_says_when_all_is_ready(system: Started, world_of: World) -> None:
    running = await pids(world_of)

    await until(lambda: '"event":"system_ready"' in system.log.replace(" ", ""))

    assert [running["echo"]] == (await world_of.ask(stop("echo", Say("a")))).read(Said).pids
    assert system.pid == holder(world_of.settings.runtime_dir / "supervisor.lock")


@pytest.fixture
async def world_of(empty_world: World) -> World:
    """Give a world with a link that waits for a broker."""
    return empty_world


@pytest.fixture
async def system(world_of: World) -> Started:
    """Start a system, and wait until it serves."""
    started = await world_of.up(procfile(world_of))
    await world_of.link(Link(world_of.settings, register("front")))
    await pids(world_of)
    return started


async def test_a_killed_process_is_started_again_alone(system: Started, world_of: World) -> None:
    before = await pids(world_of)

    os.kill(before["echo"], signal.SIGKILL)
    after = (await world_of.ask(stop("echo", Say("a")))).read(Said).pids

    assert [before["echo"]] != after
    assert before["broker"] == (await pids(world_of))["broker"]
    assert system.running


async def test_a_killed_broker_is_started_again_and_the_others_stay(system: Started, world_of: World) -> None:
    before = await pids(world_of)

    os.kill(before["broker"], signal.SIGKILL)
    after = (await world_of.ask(stop("echo", Say("a")))).read(Said).pids

    assert [before["echo"]] == after
    assert before["broker"] != (await pids(world_of))["broker"]
    assert system.running


async def test_told_to_stop_it_lets_its_processes_finish_and_leaves_none(system: Started, world_of: World) -> None:
    running, gate = await pids(world_of), await world_of.gate()
    asking = asyncio.create_task(world_of.ask(stop("echo", Meet(gate.path))))
    visitor = await gate.visitor()

    system.terminate()
    await until(lambda: "service_stopping" in system.log)
    visitor.let_go()

    assert [running["echo"]] == (await asking).read(Said).pids
    assert 0 == await system.exit_code()
    for pid in running.values():
        await gone(pid)
    assert 0 == holder(world_of.settings.runtime_dir / "supervisor.lock")
    assert "broker_stopped" in system.log, "their last words are passed on"
    assert "process_died" not in system.log


async def test_a_second_supervisor_says_who_is_first_and_the_first_serves_on(system: Started, world_of: World) -> None:
    running = await pids(world_of)

    second = await world_of.up(procfile(world_of))

    assert CANNOT_START == await second.exit_code()
    assert f"Gasoline is already running (process {system.pid})." in second.log
    assert running == await pids(world_of)


async def test_a_process_that_cannot_start_ends_the_system_at_once(empty_world: World) -> None:
    starts = empty_world.settings.data_dir / "starts"
    more = procfile(empty_world, bad=f"python {ECHO} cannot-start {starts}")

    system = await empty_world.up(more)

    assert CANNOT_START == await system.exit_code()
    assert "bad was not started again: it cannot do its work here" in system.log
    assert "started\n" == starts.read_text()
    assert 0 == holder(empty_world.settings.runtime_dir / "broker.lock")


@pytest.mark.parametrize(("text", "said"), [(None, "cannot be read"), ("# nothing\n", "names no process")])
async def test_a_procfile_that_says_nothing_is_told_in_words(empty_world: World, text: str | None, said: str) -> None:
    path = empty_world.settings.data_dir / "Procfile"
    if text is not None:
        path.write_text(text)

    system = await empty_world.up(path)

    assert CANNOT_START == await system.exit_code()
    assert f"{path} {said}" in system.log


async def test_when_it_is_killed_its_processes_end_and_the_next_one_starts_after_them(
    system: Started, world_of: World
) -> None:
    before, gate = await pids(world_of), await world_of.gate()
    asking = asyncio.create_task(world_of.ask(stop("echo", Hang(gate.path))))
    visitor = await gate.visitor()
    visitor.let_go()  # and from here on its process hears nothing

    system.kill()
    ending = asyncio.create_task(seconds_until_gone(before))
    again = await world_of.up(procfile(world_of))
    await until(lambda: "process_started" in again.log)
    alive = [pid for pid in before.values() if is_alive(pid)]
    asking.cancel()

    assert [] == alive
    assert await ending < ORPHANED_S
    after = await pids(world_of)
    assert not set(before.values()) & set(after.values())
    assert [after["echo"]] == (await world_of.ask(stop("echo", Say("a")))).read(Said).pids
    assert "process_died" not in again.log


async def seconds_until_gone(running: dict[str, int]) -> float:
    begun = asyncio.get_running_loop().time()
    await asyncio.gather(*map(gone, running.values()))
    return asyncio.get_running_loop().time() - begun


def is_alive(pid: int) -> bool:
    """Tell whether it runs; what has ended may stay in the table until its parent looks."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


async def test_what_a_process_leaves_behind_delays_neither_its_restart_nor_the_stop(empty_world: World) -> None:
    left = empty_world.settings.data_dir / "left"
    leaving = f"sh -c 'sleep 300 & echo $! >> {left}; exec python {ECHO} echo'"
    system = await empty_world.up(procfile(empty_world, echo=leaving))
    await empty_world.link(Link(empty_world.settings, register("front")))
    before = await pids(empty_world)
    try:
        os.kill(before["echo"], signal.SIGKILL)
        after = (await empty_world.ask(stop("echo", Say("a")))).read(Said).pids
        system.terminate()

        assert [before["echo"]] != after
        assert 0 == await system.exit_code()
    finally:
        for pid in left.read_text().split():
            os.kill(int(pid), signal.SIGKILL)
