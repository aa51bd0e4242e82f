"""The supervisor keeps a system running as one: nothing missing while it lives, nothing left when it ends."""

import asyncio
import os
import signal

import msgspec
import pytest

from gasoline_broker.actor.client import Link, register
from gasoline_broker.actor.wire import Delivery, stop
from gasoline_broker.errors import CANNOT_START, Failed
from gasoline_broker.lock import holder
from process.echo import Hang, Meet, Said, Say, Seize
from process.processes import Processes, Started, gone, until
from process.systems import ECHO, ORPHANED_S, is_alive, pids, procfile, read_processes, reaper, seconds_until_gone


@pytest.fixture
async def supervised(no_processes: Processes) -> Processes:
    """Return a set of processes with a link that waits for a broker."""
    return no_processes


@pytest.fixture
async def system(supervised: Processes) -> Started:
    """Start a system, and wait until it serves."""
    started = await supervised.up(procfile(supervised))
    await supervised.link(Link(supervised.settings, register("front")))
    await pids(supervised)
    return started


@pytest.mark.requirement("hub-046")
async def test_it_starts_what_the_procfile_names_and_logs_when_all_is_ready(
    system: Started, supervised: Processes
) -> None:
    running = await pids(supervised)

    await until(lambda: '"event":"system_ready"' in system.log.replace(" ", ""))

    assert [running["echo"]] == (await supervised.ask(stop("echo", Say("a")))).read(Said).pids
    assert system.pid == holder(supervised.settings.supervisor_lock)


@pytest.mark.requirement("hub-045")
async def test_a_killed_process_is_started_again_alone(system: Started, supervised: Processes) -> None:
    before = await pids(supervised)

    os.kill(before["echo"], signal.SIGKILL)
    after = (await supervised.ask(stop("echo", Say("a")))).read(Said).pids

    assert [before["echo"]] != after
    assert before["broker"] == (await pids(supervised))["broker"]
    assert system.running


async def test_a_killed_broker_is_started_again_and_the_others_stay(system: Started, supervised: Processes) -> None:
    before = await pids(supervised)

    os.kill(before["broker"], signal.SIGKILL)
    after = (await supervised.ask(stop("echo", Say("a")))).read(Said).pids

    assert [before["echo"]] == after
    assert before["broker"] != (await pids(supervised))["broker"]
    assert system.running


@pytest.mark.requirement("hub-046")
async def test_on_sigterm_it_lets_its_processes_finish_and_leaves_none(system: Started, supervised: Processes) -> None:
    running, gate = await pids(supervised), await supervised.gate()
    asking = asyncio.create_task(supervised.ask(stop("echo", Meet(gate.path))))
    visitor = await gate.visitor()

    system.terminate()
    await until(lambda: "service_stopping" in system.log)
    visitor.let_go()

    assert [running["echo"]] == (await asking).read(Said).pids
    assert 0 == await system.exit_code()
    for pid in running.values():
        await gone(pid)
    assert 0 == holder(supervised.settings.supervisor_lock)
    assert "broker_stopped" in system.log, "their last words are passed on"
    assert "process_died" not in system.log


async def test_a_second_supervisor_names_the_first_which_keeps_serving(system: Started, supervised: Processes) -> None:
    running = await pids(supervised)

    second = await supervised.up(procfile(supervised))

    assert CANNOT_START == await second.exit_code()
    assert f"Gasoline is already running (process {system.pid})." in second.log
    assert running == await pids(supervised)


@pytest.mark.requirement("hub-048")
async def test_two_that_are_started_at_once_are_one_system(no_processes: Processes) -> None:
    path = procfile(no_processes)
    both = await asyncio.gather(no_processes.up(path), no_processes.up(path))
    await no_processes.link(Link(no_processes.settings, register("front")))
    await pids(no_processes)

    await until(lambda: not all(one.running for one in both))

    (first,), (second,) = [one for one in both if one.running], [one for one in both if not one.running]
    assert CANNOT_START == await second.exit_code()
    assert first.pid == holder(no_processes.settings.supervisor_lock)


async def test_a_process_that_cannot_start_ends_the_system_at_once(no_processes: Processes) -> None:
    starts = no_processes.settings.data_dir / "starts"
    more = procfile(no_processes, bad=f"python {ECHO} cannot-start {starts}")

    system = await no_processes.up(more)

    assert CANNOT_START == await system.exit_code()
    assert "bad was not started again: it cannot work here" in system.log
    assert "started\n" == starts.read_text()
    assert 0 == holder(no_processes.settings.runtime_dir / "broker.lock")


@pytest.mark.parametrize(("text", "said"), [(None, "cannot be read"), ("# nothing\n", "names no process")])
async def test_an_empty_procfile_is_refused_by_name(no_processes: Processes, text: str | None, said: str) -> None:
    path = no_processes.settings.data_dir / "Procfile"
    if text is not None:
        path.write_text(text)

    system = await no_processes.up(path)

    assert CANNOT_START == await system.exit_code()
    assert f"{path} {said}" in system.log


async def test_when_it_is_killed_its_processes_end_and_the_next_one_starts_after_them(
    system: Started, supervised: Processes
) -> None:
    before, gate = await pids(supervised), await supervised.gate()
    asking = asyncio.create_task(supervised.ask(stop("echo", Hang(gate.path))))
    visitor = await gate.visitor()
    visitor.let_go()  # and from here on its process receives nothing

    system.kill()
    ending = asyncio.create_task(seconds_until_gone(*before.values()))
    again = await supervised.up(procfile(supervised))
    await until(lambda: "process_started" in again.log)
    alive = [pid for pid in before.values() if is_alive(pid)]
    asking.cancel()

    assert [] == alive
    assert await ending < ORPHANED_S
    after = await pids(supervised)
    assert not set(before.values()) & set(after.values())
    assert [after["echo"]] == (await supervised.ask(stop("echo", Say("a")))).read(Said).pids
    assert "process_died" not in again.log
    assert 0 == reaper(system.pid)


@pytest.mark.parametrize("name", ["broker", "echo"])
@pytest.mark.requirement("hub-047")
async def test_when_it_is_killed_a_stopped_process_ends_too(system: Started, supervised: Processes, name: str) -> None:
    running = await pids(supervised)

    os.kill(running[name], signal.SIGSTOP)
    system.kill()

    assert await seconds_until_gone(*running.values()) < ORPHANED_S


@pytest.mark.requirement("hub-047")
async def test_when_it_is_killed_a_process_that_holds_its_interpreter_is_gone_too(
    system: Started, supervised: Processes
) -> None:
    running, gate = await pids(supervised), await supervised.gate()
    asking = asyncio.create_task(supervised.ask(stop("echo", Seize(gate.path))))
    (await gate.visitor()).let_go()

    system.kill()

    assert await seconds_until_gone(*running.values()) < ORPHANED_S
    asking.cancel()


async def test_a_reaper_that_died_is_replaced_and_watches_the_children_of_before(
    system: Started, supervised: Processes
) -> None:
    running, first = await pids(supervised), reaper(system.pid)

    os.kill(first, signal.SIGKILL)
    await until(lambda: reaper(system.pid) not in (0, first))
    os.kill(running["echo"], signal.SIGSTOP)
    system.kill()

    assert await seconds_until_gone(*running.values()) < ORPHANED_S


async def test_a_stopped_process_is_killed_and_started_again(system: Started, supervised: Processes) -> None:
    before = await pids(supervised)

    os.kill(before["echo"], signal.SIGSTOP)
    after = (await supervised.ask(stop("echo", Say("a")))).read(Said).pids

    assert [before["echo"]] != after
    assert not is_alive(before["echo"])
    assert "silent" in killed(system)[0]


async def test_a_process_that_holds_its_interpreter_is_killed_and_started_again(
    system: Started, supervised: Processes
) -> None:
    before, gate = await pids(supervised), await supervised.gate()
    asking = asyncio.create_task(supervised.ask(stop("echo", Seize(gate.path), Delivery.COMMAND)))
    (await gate.visitor()).let_go()

    with pytest.raises(Failed, match="outcome_unknown"):
        await asking

    after = await pids(supervised)  # a busy machine takes longer to start it than an ask waits for it
    assert before["echo"] != after["echo"]
    assert [after["echo"]] == (await supervised.ask(stop("echo", Say("a")))).read(Said).pids
    assert not is_alive(before["echo"])
    assert "silent" in killed(system)[0]


async def test_a_stopped_broker_is_killed_and_started_again(system: Started, supervised: Processes) -> None:
    before = await pids(supervised)

    os.kill(before["broker"], signal.SIGSTOP)
    await gone(before["broker"])
    after = await pids(supervised)

    assert before["broker"] != after["broker"]
    assert before["echo"] == after["echo"]
    assert ["broker"] == [line["name"] for line in map(msgspec.json.decode, killed(system))]


def killed(system: Started) -> list[str]:
    return [line for line in system.log.splitlines() if "process_killed" in line]


async def test_it_lists_its_processes_and_their_restarts(system: Started, supervised: Processes) -> None:
    before = await pids(supervised)
    os.kill(before["echo"], signal.SIGKILL)
    await supervised.ask(stop("echo", Say("a")))
    after = await pids(supervised)

    told = (await read_processes(supervised)).processes

    assert [("broker", before["broker"], 0), ("echo", after["echo"], 1)] == [
        (one.name, one.pid, one.restarts) for one in told
    ]
    assert {"running"} == {one.state for one in told}
    assert system.running


async def test_what_a_process_leaves_behind_delays_neither_its_restart_nor_the_stop(no_processes: Processes) -> None:
    left = no_processes.settings.data_dir / "left"
    leaving = f"sh -c 'sleep 300 & echo $! >> {left}; exec python {ECHO} echo'"
    system = await no_processes.up(procfile(no_processes, echo=leaving))
    await no_processes.link(Link(no_processes.settings, register("front")))
    before = await pids(no_processes)
    try:
        os.kill(before["echo"], signal.SIGKILL)
        after = (await no_processes.ask(stop("echo", Say("a")))).read(Said).pids
        system.terminate()

        assert [before["echo"]] != after
        assert 0 == await system.exit_code()
    finally:
        for pid in left.read_text().split():
            os.kill(int(pid), signal.SIGKILL)
