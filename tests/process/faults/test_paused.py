"""Processes that are stopped for a while, or hang for ever, delay no other."""

import ast
import asyncio
import contextlib
import logging
import os
import signal
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import msgspec
import pytest

import gasoline_broker
from gasoline_broker.actor.client import Link, register
from gasoline_broker.actor.wire import Delivery, Kind, stop
from gasoline_broker.errors import Failed
from gasoline_broker.messages import PeerLost, Register, StatusRead
from process.faults.accounts import STALL_MS, assert_all_accounted, unknown
from process.faults.fault_env import FAULT_S, FIRST_S, FaultEnv, pass_by
from process.faults.load import Load, Result
from process.faults.raw import Heard, Raw
from process.faults.worker_app import Cling, Hog, Spin, noted
from process.processes import HERE, Processes, until

SHORT_S, LONG_S = 1.5, max(5.5, min(FAULT_S, 10.0))  # before and after a silent peer is taken for dead
SILENT_MS = 5_000.0  # four seconds of silence after the last second's word
CAPACITY = 8  # so that commands are among what a process holds when it stands still
HUNG_S = 2.0 + 5.0  # how long those asks may take, and how long after that their processes are killed
STARTED_S = 5.0  # a second would do; the machine may be busy

logger = logging.getLogger("faults")


@pytest.fixture
async def env(bare: FaultEnv) -> FaultEnv:
    """Return an env with a broker and three actors that take many asks each."""
    await bare.serve(capacity=CAPACITY)
    return bare


async def pause(child_signal: Callable[[signal.Signals], None], for_s: float) -> None:
    """Let a process stand still."""
    await pass_by(FIRST_S)
    child_signal(signal.SIGSTOP)
    await pass_by(for_s)
    child_signal(signal.SIGCONT)
    await pass_by(FIRST_S)


@pytest.mark.parametrize("paused_s", [SHORT_S, LONG_S])
@pytest.mark.requirement("hub-030")
async def test_a_worker_that_stands_still_costs_no_query_an_error(env: FaultEnv, paused_s: float) -> None:
    async with await env.load() as load:
        await pause(env.workers[0].child.signal, paused_s)

    assert_all_accounted(load.result)
    assert unknown(load.result) <= (CAPACITY if paused_s > SHORT_S else 0)
    assert load.result.max_ms <= min(paused_s * 1000, SILENT_MS) + STALL_MS
    await env.all_back()


@pytest.mark.parametrize("paused_s", [LONG_S])
@pytest.mark.requirement("hub-030")
async def test_a_stopped_broker_costs_no_ask_an_error_and_no_process(env: FaultEnv, paused_s: float) -> None:
    async with await env.load(per_s=200) as load:  # all that waits has a place, also if a busy machine goes on late
        await pause(env.broker.child.signal, paused_s)

    assert_all_accounted(load.result)
    assert {} == load.result.failed
    assert load.result.max_ms <= paused_s * 1000 + STALL_MS
    assert_nobody_lost(await env.all_back())


def assert_nobody_lost(status: StatusRead) -> None:
    assert {} == {what: times for what, times in status.counts.items() if what in {"lost_peers", "silent_peers"}}


@pytest.mark.requirement("hub-030")
async def test_a_stopped_asker_gets_its_answers_and_disturbs_no_other(env: FaultEnv) -> None:
    folder = env.settings.data_dir
    asker = await env.children.start(env.peers, "asker", str(folder), "100")

    async with await env.load(per_s=200) as load:
        await until((folder / f"asked.{asker.pid}").exists)
        await pause(asker.signal, LONG_S)
    asker.signal(signal.SIGTERM)
    await asker.ended()

    assert_all_accounted(load.result)
    assert {} == load.result.failed
    result = Result.read(folder, asker.pid)
    assert_all_accounted(result)
    assert {} == result.of(Delivery.QUERY).failed
    assert {"outcome_unknown", "cancelled"} >= set(result.of(Delivery.COMMAND).failed)
    await env.all_back()


@pytest.mark.requirement("hub-035")
async def test_a_suspended_machine_loses_no_process_and_no_ask(env: FaultEnv) -> None:
    children = [env.broker.child, *(worker.child for worker in env.workers)]

    def all_of_them(number: signal.Signals) -> None:
        for child in children:
            child.signal(number)

    async with await env.load(per_s=200) as load:  # all that waits has a place, also if a busy machine goes on late
        await pause(all_of_them, LONG_S)

    assert_all_accounted(load.result)
    assert {} == load.result.failed
    assert_nobody_lost(await env.all_back())


@pytest.mark.requirement("hub-035")
def test_no_deadline_and_no_silence_is_measured_by_a_clock_that_can_be_set() -> None:
    """The wall clock is for what people read; a wait measured by it is wrong by every hour that it is set."""
    package = Path(str(gasoline_broker.__file__)).parent
    paths = [path for folder in ("actor", "hub", "supervisor") for path in (package / folder).glob("*.py")]
    read = {
        f"{path.stem}.{node.attr}"
        for path in paths
        if path.stem != "store"  # a stored id's age is counted in days, over restarts
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        if node.value.id in {"time", "datetime"}
    }

    assert {"client.monotonic", "server.monotonic"} <= read
    assert set() == {one for one in read if one.split(".")[1] in {"time", "time_ns", "now", "utcnow", "today"}}


# Processes that hang for ever, under the supervisor


@pytest.fixture
async def supervised(no_processes: Processes) -> AsyncIterator[Processes]:
    """Return a set of processes with a supervisor, a broker, four actors, and one that works in a thread of its own."""
    worker_app = Path(__file__).parent / "worker_app.py"
    workers = {f"worker_app{at}": f"python {worker_app} worker_app 1" for at in "1234"} | {
        "think": f"python {worker_app} think 1 computes"
    }
    commands = {"broker": f"python {HERE / 'start.py'} broker"} | workers
    procfile = no_processes.settings.data_dir / "Procfile"
    procfile.write_text("".join(f"{name}: {command}\n" for name, command in commands.items()))
    await no_processes.up(procfile)
    await no_processes.link(Link(no_processes.settings, register("front")))
    await no_processes.status(lambda status: len(_worker_pids(status)) == 5)
    yield no_processes
    _kill(noted(no_processes.settings.data_dir / "hung"), str(worker_app))


def _kill(pids: list[int], program: str) -> None:
    """Kill what is left: a process that holds the interpreter's lock for ever does not end with its supervisor."""
    for pid in pids:
        with contextlib.suppress(OSError):
            if program in Path(f"/proc/{pid}/cmdline").read_text():
                os.kill(pid, signal.SIGKILL)


def _worker_pids(status: StatusRead) -> set[int]:
    return {peer.pid for peer in status.peers if peer.service in {"worker_app", "think"}}


@pytest.mark.requirement("hub-031")
async def test_processes_that_hang_are_killed_and_started_again_and_the_others_serve_on(supervised: Processes) -> None:
    hung, log = supervised.settings.data_dir / "hung", supervised.settings.data_dir / "commands"
    before = _worker_pids(await supervised.status())
    begun = time.monotonic()
    ways = [stop("worker_app", kind(str(hung))) for kind in (Spin, Hog, Cling)] + [stop("think", Spin(str(hung)))]
    asking = [asyncio.create_task(supervised.ask(way, ttl_s=2.0)) for way in ways]
    await until(lambda: len(noted(hung)) == len(ways))

    async with Load([supervised.asking], log, per_s=50) as load:
        told = await asyncio.gather(*asking, return_exceptions=True)
        told_after_s = time.monotonic() - begun
        after = await supervised.status(
            lambda status: len(_worker_pids(status)) == 5 and not _worker_pids(status) & set(noted(hung))
        )
        back_after_s = time.monotonic() - begun

    logger.info("told after %.2f s, back after %.2f s", told_after_s, back_after_s)
    assert_all_accounted(load.result)
    assert {} == load.result.failed
    assert ["deadline_exceeded"] * 4 == [fault.failure.code for fault in told if isinstance(fault, Failed)]
    assert 4 == len(set(noted(hung))), "whose deadline has passed is given to nobody again"
    assert before - set(noted(hung)) == before & _worker_pids(after)
    assert back_after_s <= HUNG_S + STARTED_S


async def test_a_listener_receives_which_process_was_lost_and_the_reason(env: FaultEnv) -> None:
    heard: list[Heard] = []
    silent, killed = env.workers[0].child, env.workers[1].child
    async with Raw(env.settings, heard.append) as hearer:
        await hearer.register(Register("hearer", 0, 1, "", peer_events=True))

        killed.kill()
        silent.signal(signal.SIGSTOP)
        await until(lambda: len(heard) == 2)
        silent.kill()

    lost = [msgspec.msgpack.decode(one.frames[0], type=PeerLost) for one in heard]
    assert [Kind.PEER_LOST] * 2 == [one.envelope.kind for one in heard]
    gone = PeerLost("worker_app", killed.pid, "gone", remote=False)
    assert [gone, PeerLost("worker_app", silent.pid, "silent", remote=False)] == lost
