"""A running system gets more processes of a worker, and fewer, without losing what they hold."""

import asyncio
import os
import signal

import pytest

from gasoline_broker.actor.client import Link, register
from gasoline_broker.actor.wire import stop
from gasoline_broker.errors import Failed
from gasoline_broker.messages import ProcessesRead, Scale
from process.processes import Processes, Started, gone, until
from process.systems import is_alive, pids, procfile, read_processes
from system import gasoline

REDACTION = "gasoline worker redaction"


@pytest.fixture
async def system(no_processes: Processes) -> Started:
    """Start a system with a worker in it, and wait until it serves."""
    started = await no_processes.up(procfile(no_processes, redaction=REDACTION))
    await no_processes.link(Link(no_processes.settings, register("front")))
    await pids(no_processes)
    return started


async def scaled(processes: Processes, **counts: int) -> dict[str, int]:
    """Scale, and give the pids by name."""
    read: ProcessesRead = (await processes.ask(stop("supervisor", Scale(counts)))).read(ProcessesRead)
    assert {"running"} == {one.state for one in read.processes}
    return {one.name: one.pid for one in read.processes}


async def test_more_are_started_and_registered_when_it_answers(system: Started, no_processes: Processes) -> None:
    told = await scaled(no_processes, redaction=3)

    assert ["broker", "echo", "redaction", "redaction.2", "redaction.3"] == list(told)
    peers = (await no_processes.status()).peers
    assert {told["redaction"], told["redaction.2"], told["redaction.3"]} == {
        peer.pid for peer in peers if peer.service == "redaction"
    }
    assert system.running


async def test_the_highest_numbers_are_stopped_and_the_others_stay(system: Started, no_processes: Processes) -> None:
    before = await scaled(no_processes, redaction=3)

    after = await scaled(no_processes, redaction=1)

    assert before["redaction"] == after["redaction"]
    assert [False, False] == [is_alive(before[name]) for name in ("redaction.2", "redaction.3")]
    assert "process_died" not in system.log
    assert "process_killed" not in system.log


async def test_none_and_then_one_again_is_a_new_process(system: Started, no_processes: Processes) -> None:
    before = await scaled(no_processes)

    assert "redaction" not in await scaled(no_processes, redaction=0)
    assert before["redaction"] != (await scaled(no_processes, redaction=1))["redaction"]
    assert system.running


async def test_what_is_wanted_last_holds_when_several_ask_at_once(system: Started, no_processes: Processes) -> None:
    asking = [asyncio.create_task(scaled(no_processes, redaction=count)) for count in (4, 1, 2)]

    await asyncio.gather(*asking, return_exceptions=True)
    told = await scaled(no_processes)

    assert ["redaction", "redaction.2"] == [name for name in told if name.startswith("redaction")]
    assert system.running


async def test_each_of_them_is_started_again_alone(system: Started, no_processes: Processes) -> None:
    before = await scaled(no_processes, redaction=2)

    os.kill(before["redaction.2"], signal.SIGKILL)
    await gone(before["redaction.2"])
    after = await scaled(no_processes)

    assert [name for name, pid in after.items() if before[name] != pid] == ["redaction.2"]
    assert '"process":"redaction.2"' in system.log, "each line says whose it is"


async def test_what_cannot_be_is_refused_in_words_and_nothing_changes(system: Started, no_processes: Processes) -> None:
    before = await read_processes(no_processes)

    with pytest.raises(Failed, match="broker holds a lock") as caught:
        await scaled(no_processes, redaction=2, broker=2)

    assert "invalid_params" == caught.value.failure.code
    assert "These can be scaled: redaction; from 0 to 64." == caught.value.failure.recovery
    assert [one.pid for one in before.processes] == [one.pid for one in (await read_processes(no_processes)).processes]
    assert system.running


async def test_all_of_them_end_with_the_system(system: Started, no_processes: Processes) -> None:
    running = await scaled(no_processes, redaction=3)

    system.terminate()

    assert 0 == await system.exit_code()
    assert [] == [name for name, pid in running.items() if is_alive(pid)]


async def test_without_our_supervisor_scale_names_the_other_runner(processes: Processes) -> None:
    scaled = await asyncio.to_thread(gasoline, processes.settings, "scale", "redaction=2")
    shown = await asyncio.to_thread(gasoline, processes.settings, "status")

    assert (3, 0) == (scaled.returncode, shown.returncode)
    assert "The system was not started by `gasoline up`" in scaled.stderr
    assert ["broker", "-"] == [row[at] for row in [shown.stdout.splitlines()[1].split()] for at in (0, 5)]


async def test_a_system_starts_with_the_given_counts(no_processes: Processes) -> None:
    system = await no_processes.up(procfile(no_processes, redaction=REDACTION), "redaction=2")
    await no_processes.link(Link(no_processes.settings, register("front")))

    await until(lambda: "system_ready" in system.log)

    assert 2 == len([peer for peer in (await no_processes.status()).peers if peer.service == "redaction"])
