"""A compact system keeps the promises of one with many processes: its workers are actors of one process."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import msgspec
import pytest

import system
from gasoline_broker import running
from gasoline_broker.actor.client import Link, register
from gasoline_broker.actor.status import read_status
from gasoline_broker.actor.wire import pack, stop
from gasoline_broker.errors import CANNOT_START, Failed
from gasoline_broker.messages import PeerStatus, ProcessesRead, ProcessStatus, ReadProcesses, RestartActor, StatusRead
from gasoline_broker.settings import Settings
from gasoline_workers.redaction.messages import RedactAnswer
from process.echo import Meet, Said, Say
from process.group import Counted, End, Weigh, Weighed
from process.processes import HERE, Processes, until, within
from process.systems import reaper
from system import gasoline

WORKERS = ["redaction", "diff", "audit", "regression", "screenshots", "journal"]
SECRET = "AKIAIOSFODNN7EXAMPLE"


@pytest.fixture(scope="module")
def settings() -> Iterator[Settings]:
    with system.settings() as made, system.running(made) as up:
        yield up


@pytest.fixture
async def link(settings: Settings) -> AsyncIterator[Link]:
    async with Link(settings, register("front")) as link, within():
        await link.registered()
        yield link


async def peers(link: Link) -> dict[str, PeerStatus]:
    status: StatusRead = await read_status(link)
    return {peer.service: peer for peer in status.peers}


async def all_workers(link: Link) -> dict[str, PeerStatus]:
    """Wait until each worker is registered, and give them."""
    async with within():
        while not set(WORKERS) <= set(found := await peers(link)):  # noqa: ASYNC110 - another process's state
            await asyncio.sleep(0.02)
    return {name: found[name] for name in WORKERS}


async def redacted(link: Link) -> str:
    body = pack({"text": f"key {SECRET}"})
    answer = await link.ask(stop("redaction", RedactAnswer()), body=body, ttl_s=30)
    return str(answer.read(dict[str, str])["text"])


@pytest.mark.requirement("fast-001")
async def test_the_workers_are_one_process_and_each_has_a_place_at_the_broker(link: Link) -> None:
    found = await peers(link)

    (pid,) = {found[name].pid for name in [*WORKERS, "workers"]}
    assert 4 == len({pid, found["bridge"].pid, found["front"].pid, found["supervisor"].pid})
    assert SECRET not in await redacted(link)


@pytest.mark.requirement("fast-002")
async def test_status_and_doctor_state_that_the_system_is_compact(settings: Settings) -> None:
    shown, checked = gasoline(settings, "status"), gasoline(settings, "doctor")
    kept = msgspec.json.decode(gasoline(settings, "status", "--json").stdout)["processes"]

    rows = shown.stdout[: shown.stdout.index("\n\n")].splitlines()
    at = next(number for number, row in enumerate(rows) if row.startswith("workers"))
    pid = rows[at].split()[1]
    assert [[f"  {name}", pid] for name in WORKERS] == [
        [row[: len(name) + 2], row.split()[1]] for name, row in zip(WORKERS, rows[at + 1 :], strict=False)
    ]
    compact = f"compact: 6 workers are actors of one process, workers ({pid})"
    assert compact == rows[-1]
    assert f"system is running, {compact}" in checked.stdout
    assert ["broker", "workers", "bridge", "front"] == [one["name"] for one in kept]
    assert WORKERS == kept[1]["actors"]


@pytest.mark.requirement("fast-002")
async def test_the_log_names_the_actor_that_wrote_a_line(settings: Settings) -> None:
    lines = [msgspec.json.decode(line) for line in settings.log_file.read_text().splitlines()]

    ready = [one["process"] for one in lines if one["event"] == "service_ready"]
    assert {"workers", *WORKERS, "bridge", "front"} <= set(ready)


@pytest.mark.requirement("fast-003")
async def test_a_worker_is_restarted_by_name_and_the_others_stay(settings: Settings, link: Link) -> None:
    before = await all_workers(link)

    shown = await asyncio.to_thread(gasoline, settings, "restart", "diff", "--json")

    assert 0 == shown.returncode, shown.stderr
    after = await all_workers(link)
    assert {before["diff"].pid} == {peer.pid for peer in after.values()}
    assert ["diff"] == [name for name in WORKERS if after[name].up_s < before[name].up_s]
    assert {0} == {one.restarts for one in msgspec.json.decode(shown.stdout, type=list[ProcessStatus])}


@pytest.mark.requirement("fast-003")
async def test_an_unknown_name_is_refused_with_the_valid_ones(settings: Settings) -> None:
    shown = await asyncio.to_thread(gasoline, settings, "restart", "nothing")

    assert 1 == shown.returncode
    assert "nothing is no process of this system. Valid: broker, workers, bridge, front, redaction" in shown.stderr


@pytest.mark.requirement("fast-003")
async def test_a_process_is_restarted_by_name(settings: Settings, link: Link) -> None:
    before = await peers(link)

    shown = await asyncio.to_thread(gasoline, settings, "restart", "bridge")

    assert 0 == shown.returncode, shown.stderr
    after = await peers(link)
    assert before["bridge"].pid != after["bridge"].pid
    assert before["workers"].pid == after["workers"].pid
    assert '"event":"process_died"' not in settings.log_file.read_text().replace(" ", "")


@pytest.mark.requirement("fast-003")
async def test_a_restart_of_the_broker_prints_its_answer_and_nothing_else(settings: Settings) -> None:
    shown = await asyncio.to_thread(gasoline, settings, "restart", "broker", "--json")

    assert (0, "") == (shown.returncode, shown.stderr)
    assert "broker" in [one.name for one in msgspec.json.decode(shown.stdout, type=list[ProcessStatus])]


@pytest.mark.requirement("fast-004")
async def test_a_killed_process_of_workers_is_started_again_by_its_command(link: Link) -> None:
    before = await all_workers(link)

    os.kill(before["diff"].pid, signal.SIGKILL)
    assert SECRET not in await redacted(link)
    after = await all_workers(link)

    assert before["diff"].pid != after["diff"].pid
    assert 1 == len({peer.pid for peer in after.values()})


@pytest.mark.requirement("fast-002")
async def test_scale_adds_processes_beside_the_actor(settings: Settings) -> None:
    more = await asyncio.to_thread(gasoline, settings, "scale", "diff=2", "--json")
    none = await asyncio.to_thread(gasoline, settings, "scale", "diff=0")
    fewer = await asyncio.to_thread(gasoline, settings, "scale", "diff=1", "--json")

    names = [[one.name for one in msgspec.json.decode(text.stdout, type=list[ProcessStatus])] for text in (more, fewer)]
    assert [["broker", "workers", "diff.2", "bridge", "front"], ["broker", "workers", "bridge", "front"]] == names
    assert "diff is 0, which is out of range" in none.stderr
    assert "from 1 to 64" in none.stderr


@pytest.mark.requirement("fast-005")
def test_a_client_starts_the_compact_system() -> None:
    with system.settings() as made:

        async def names() -> list[str]:
            async with system.assistant(made) as client:
                await client.call("observe", what="status")
            async with Link(made, register("cli")) as link, within():
                await link.registered()
                read: ProcessesRead = (await link.ask(stop("supervisor", ReadProcesses()), ttl_s=10)).read(
                    ProcessesRead
                )
            return [one.name for one in read.processes]

        try:
            assert ["broker", "workers", "bridge", "front"] == asyncio.run(names())
        finally:
            gasoline(made, "down")
        assert running.find(made) is None


@pytest.mark.requirement("fast-006")
def test_it_takes_at_most_120_mb_of_memory() -> None:
    with system.settings() as made, system.running(made):
        shown = msgspec.json.decode(gasoline(made, "status", "--json").stdout)
        pids = [shown["supervisor"], reaper(shown["supervisor"]), *(one["pid"] for one in shown["processes"])]

        assert 120_000 > sum(map(pss_kb, pids))


def pss_kb(pid: int) -> int:
    """Return what a process takes of the memory, its part of what it shares with others included."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


# One process of several actors, apart from a whole system


async def group(processes: Processes, *kinds: str) -> int:
    started = await processes.start(str(HERE / "group.py"), *kinds)
    await processes.status(
        lambda status: {peer.service for peer in status.peers if peer.pid == started.pid} >= {*kinds}
    )
    return started.pid


@pytest.mark.requirement("fast-004")
async def test_an_actor_that_ends_by_a_fault_is_started_again_and_the_others_keep_their_work(
    processes: Processes,
) -> None:
    pid, gate = await group(processes, "echo", "fragile"), await processes.gate()
    held = asyncio.create_task(processes.ask(stop("echo", Meet(gate.path))))
    visitor = await gate.visitor()

    counted = (await processes.ask(stop("fragile", End()))).read(Counted)
    visitor.let_go()
    said = (await held).read(Said)

    assert Counted(2) == counted
    assert ([pid], [1]) == (said.pids, said.attempts)
    log = processes.started[-1].log
    assert '"actor_died"' in log
    assert "a secret of the page" not in log


@pytest.mark.requirement("fast-004")
async def test_an_actor_that_cannot_start_ends_the_process(processes: Processes) -> None:
    started = await processes.start(str(HERE / "group.py"), "echo", "futile")

    assert CANNOT_START == await started.exit_code()
    assert "This one cannot work here." in started.log


async def test_a_restarted_actor_finishes_what_it_holds(processes: Processes) -> None:
    await group(processes, "echo", "fragile")
    gate = await processes.gate()
    held = asyncio.create_task(processes.ask(stop("echo", Meet(gate.path))))
    visitor = await gate.visitor()

    restarting = asyncio.create_task(processes.ask(stop("workers", RestartActor("echo"))))
    await until(lambda: "service_stopping" in processes.started[-1].log)
    visitor.let_go()

    assert [1] == (await held).read(Said).attempts
    await restarting
    assert "a" == (await processes.ask(stop("echo", Say("a")))).read(Said).text


async def test_an_actor_that_is_not_there_is_refused(processes: Processes) -> None:
    await group(processes, "echo", "fragile")

    with pytest.raises(Failed, match="nothing is no actor of this process") as caught:
        await processes.ask(stop("workers", RestartActor("nothing")))

    assert "Valid: echo, fragile." == caught.value.failure.recovery


async def test_all_actors_of_a_process_end_on_sigterm(processes: Processes) -> None:
    await group(processes, "echo", "fragile")

    processes.started[-1].terminate()

    assert 0 == await processes.started[-1].exit_code()
    assert 3 == processes.started[-1].log.count("service_stopping")


async def test_without_a_supervisor_restart_names_the_other_runner(processes: Processes) -> None:
    shown = await asyncio.to_thread(gasoline, processes.settings, "restart", "echo")

    assert 3 == shown.returncode
    assert "The system was not started by `gasoline up`" in shown.stderr


@pytest.mark.requirement("fast-011")
@pytest.mark.parametrize(("size_bytes", "thread"), [(900, "MainThread"), (1_001, "work")])
async def test_what_is_short_is_computed_at_once_and_all_else_in_the_thread(
    processes: Processes, size_bytes: int, thread: str
) -> None:
    await group(processes, "echo", "scale")

    for _ in range(3):
        weighed = (await processes.ask(stop("scale", Weigh()), body=b"a" * size_bytes)).read(Weighed)

        assert thread == weighed.thread
    with pytest.raises(Failed) as caught:
        await processes.ask(stop("scale", Weigh()), body=b"\xff" * size_bytes)
    assert "internal_error" == caught.value.failure.code
    assert "a" == (await processes.ask(stop("echo", Say("a")))).read(Said).text
