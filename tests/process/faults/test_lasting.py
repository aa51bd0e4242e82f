"""A system that is changed, loaded and started twice while it runs stays what it was."""

import logging
import signal
import time

import pytest

from gasoline_broker.actor.wire import Delivery, stop
from gasoline_broker.errors import CANNOT_START
from gasoline_broker.hub.limits import Limits
from process.faults.accounts import STALL_MS, assert_all_accounted, assert_none_stalled
from process.faults.fault_env import FAULT_S, FaultEnv, Kept, descriptors, memory_bytes, pass_by, repeat
from process.faults.load import Result
from process.faults.worker_app import Work, Worked
from process.processes import until

LOADED_S = 2 * FAULT_S
GROWTH = 1.05  # the broker's memory, under the same load for as long again
NOISE_BYTES = 4 << 20  # what malloc keeps or gives back between two looks, 0.2 to 2 MB measured
CACHED_BYTES = Limits().replies_bytes  # answers of commands, which are kept up to here for askers that lost theirs

logger = logging.getLogger("faults")


async def _replace(env: FaultEnv, kept: Kept) -> None:
    """Stop a process, and wait until its successor serves."""
    before = kept.child
    before.signal(signal.SIGTERM)
    assert 0 == await before.ended()
    await until(lambda: kept.child is not before)
    if kept is not env.broker:
        await env.processes.registered(kept.child.pid)


@pytest.mark.requirement("hub-040")
async def test_everything_stopped_in_turn_loses_nothing(env: FaultEnv) -> None:
    folder, askers = env.settings.data_dir, []
    until_s = time.monotonic() + FAULT_S

    async with await env.load(per_s=300) as load:
        while time.monotonic() < until_s:
            askers.append(await env.children.start(env.peers, "asker", str(folder), "100"))
            await until((folder / f"asked.{askers[-1].pid}").exists)
            for worker in env.workers:
                await _replace(env, worker)
            await _replace(env, env.broker)
            await env.all_registered()
            askers[-1].signal(signal.SIGTERM)
            assert 0 == await askers[-1].ended()

    assert_all_accounted(load.result)
    assert {} == load.result.failed
    assert load.result.max_ms <= STALL_MS
    for asker in askers:
        result = Result.read(folder, asker.pid)
        assert_all_accounted(result)
        assert {} == result.failed
        assert result.max_ms <= STALL_MS


@pytest.mark.requirement("hub-041")
async def test_a_long_load_leaves_the_broker_as_small_as_it_was(env: FaultEnv) -> None:
    async with await env.load(per_s=300) as load:
        await pass_by(LOADED_S / 2)
        await repeat(LOADED_S / 6, env.kill_next, LOADED_S / 6)
        await env.all_registered()
        before = memory_bytes(env.broker.child.pid), descriptors(env.broker.child.pid)
        await pass_by(LOADED_S / 2)
        after = memory_bytes(env.broker.child.pid), descriptors(env.broker.child.pid)

    logger.info("memory %s, open files %s", *zip(before, after, strict=True))
    assert_all_accounted(load.result)
    assert {} == load.result.of(Delivery.QUERY).failed
    assert after[0] <= before[0] * GROWTH + NOISE_BYTES + CACHED_BYTES
    assert before[1] == after[1]
    await env.all_back()


@pytest.mark.requirement("hub-042")
async def test_a_second_broker_ends_with_an_error_and_the_first_serves_on(env: FaultEnv) -> None:
    async with await env.load(per_s=200) as load:
        second = await env.processes.broker()
        assert CANNOT_START == await second.exit_code()

    assert f"{env.broker.child.pid}" in second.log
    assert_all_accounted(load.result)
    assert {} == load.result.failed
    assert_none_stalled(load.result)


@pytest.mark.requirement("hub-042")
async def test_what_a_killed_broker_has_left_hinders_no_other(bare: FaultEnv) -> None:
    killed = await bare.children.start(bare.settings, "broker")
    await until(bare.settings.broker_socket.exists)
    killed.kill()
    await killed.ended()
    bystander = await bare.processes.start("-c", "import signal; signal.pause()")
    (bare.settings.runtime_dir / "broker.lock").write_text(f"{bystander.pid}\n")  # its pid is another's by now

    await bare.serve(workers=1)

    answer = await bare.processes.ask(stop("worker_app", Work(7)))
    assert [7] == answer.read(Worked).numbers
