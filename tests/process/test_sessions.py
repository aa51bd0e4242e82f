"""A client's session outlives what happens to the system: it is stopped, held, and wanted by many at once."""

import asyncio
import os
import signal
from collections.abc import Iterator

import pytest

import system
from gasoline_broker.lock import holder
from gasoline_broker.settings import Settings
from system import assistant, gasoline

MANY = 12


@pytest.fixture(scope="module")
def stopped_at_the_end() -> Iterator[Settings]:
    """Give the settings of one system, which each test finds running or not: a start costs 4 s of CPU."""
    with system.settings() as settings:
        try:
            yield settings
        finally:
            gasoline(settings, "down")


@pytest.mark.requirement("faults-009")
async def test_down_is_true_and_the_next_call_of_a_session_starts_the_system(stopped_at_the_end: Settings) -> None:
    settings = stopped_at_the_end
    async with assistant(settings) as client:
        before = await client.pids()

        down = await asyncio.to_thread(gasoline, settings, "down")
        running_after_down = holder(settings.supervisor_lock)
        after = await client.pids()

    assert "gasoline is stopped; `gasoline up`, or the next call, starts it again.\n" == down.stdout
    assert 0 == running_after_down
    assert not {*before.values()} & {*after.values()}


@pytest.mark.requirement("faults-009")
async def test_a_system_that_is_held_is_started_by_up_alone_and_the_session_goes_on(
    stopped_at_the_end: Settings,
) -> None:
    settings = stopped_at_the_end
    async with assistant(settings) as client:
        await asyncio.to_thread(gasoline, settings, "down", "--hold")
        held = [await client.error("observe", what="status"), await client.error("interact", action="list")]
        newcomer = await asyncio.to_thread(gasoline, settings, "mcp")
        still = holder(settings.supervisor_lock)
        await asyncio.to_thread(gasoline, settings, "up", "--detach")

        assert await client.pids()
    assert ["system_stopped"] * 2 == [error["code"] for error in held]
    assert all("gasoline up" in error["recovery"] for error in held)
    assert (1, True) == (newcomer.returncode, "Run `gasoline up`." in newcomer.stderr)
    assert 0 == still


@pytest.mark.requirement("faults-010")
async def test_of_many_clients_one_starts_the_system_and_none_where_only_the_front_is_away(
    stopped_at_the_end: Settings,
) -> None:
    settings = stopped_at_the_end
    await asyncio.to_thread(gasoline, settings, "down")
    logged = len(settings.log_file.read_text()) if settings.log_file.exists() else 0
    ready = asyncio.Barrier(MANY + 1)
    pids: list[dict[str, int]] = []
    again: list[dict[str, int]] = []

    async def session() -> None:
        async with assistant(settings) as client:
            pids.append(await client.pids())
            await ready.wait()
            await ready.wait()
            again.append(await client.pids())

    async with asyncio.TaskGroup() as group:
        for _ in range(MANY):
            group.create_task(session())
        await ready.wait()
        os.kill(pids[0]["front"], signal.SIGKILL)
        await ready.wait()

    log = settings.log_file.read_text()[logged:]
    assert 1 == len({one["broker"] for one in [*pids, *again]})
    assert MANY == len(again)
    assert "already running" not in log
