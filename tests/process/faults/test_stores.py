"""Stores under faults of the process and of the disk: what was acknowledged is present, once."""

import asyncio
import itertools
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gasoline_broker.actor.wire import Delivery, stop
from gasoline_broker.errors import Failed
from process.faults import store_app
from process.faults.fault_env import FAULT_S
from process.faults.store_app import Keep, Kept
from process.processes import Processes, Started

ASKERS = 4
KILL_EVERY_S = 0.4
ENOUGH = 100  # numbers that are kept while the stores are killed


async def started(processes: Processes, *arguments: str) -> Started:
    """Start a store_app."""
    one = await processes.start(str(Path(store_app.__file__)), *arguments)
    await processes.registered(one.pid)
    return one


async def keep(processes: Processes, number: int, padding_bytes: int = 100) -> None:
    """Have a number kept, and acknowledged."""
    answer = await processes.ask(stop("store_app", Keep(number, padding_bytes), Delivery.STORE), ttl_s=20)
    assert Kept(number) == answer.read(Kept)


async def refused(processes: Processes, number: int, padding_bytes: int = 100) -> str:
    """Have a number refused, and give why."""
    with pytest.raises(Failed) as told:
        await keep(processes, number, padding_bytes)
    assert "store_failed" == told.value.failure.code
    assert told.value.failure.recovery
    return told.value.failure.text


@pytest.mark.requirement("hub-039")
async def test_a_store_that_is_killed_in_its_commits_keeps_what_it_acknowledged_once(
    processes: Processes,
) -> None:
    acknowledged: list[int] = []
    numbers = itertools.count()
    living = [await started(processes), await started(processes)]  # the one that lives takes over; both write one file
    ended = asyncio.Event()

    async def keep_on() -> None:
        while not ended.is_set():
            number = next(numbers)
            await keep(processes, number)
            acknowledged.append(number)

    async def kill_one() -> None:
        one = living.pop(0)
        one.kill()
        await one.exit_code()
        living.append(await started(processes))

    async with asyncio.TaskGroup() as group:
        for _ in range(ASKERS):
            group.create_task(keep_on())
        until = time.monotonic() + FAULT_S
        while time.monotonic() < until or len(acknowledged) <= ENOUGH:  # fewer on a busy machine
            await asyncio.sleep(KILL_EVERY_S)
            await kill_one()
        ended.set()

    present = store_app.kept(store_app.path(processes.settings))
    assert sorted(acknowledged) == present
    assert len(present) > ENOUGH


@pytest.mark.requirement("hub-039")
async def test_what_a_power_cut_leaves_holds_what_was_acknowledged(processes: Processes, tmp_path: Path) -> None:
    await started(processes)
    file = store_app.path(processes.settings)
    for number in range(50):
        await keep(processes, number)
        if number % 10 == 0:  # the disk as it is at this instant, with what is only in the log yet
            for part in file.parent.glob(f"{file.name}*"):
                shutil.copy(part, tmp_path)
            assert list(range(number + 1)) == store_app.kept(tmp_path / file.name)


@pytest.mark.requirement("hub-038")
async def test_a_full_disk_is_reported_and_loses_nothing_acknowledged(processes: Processes) -> None:
    await started(processes, "40")  # pages of 4 KB
    for number in range(4):
        await keep(processes, number, 10_000)

    why = await refused(processes, 99, 1_000_000)

    assert "full" in why
    await keep(processes, 5)
    assert [0, 1, 2, 3, 5] == store_app.kept(store_app.path(processes.settings))


@pytest.mark.requirement("hub-038")
async def test_a_file_that_another_has_locked_is_reported_after_two_seconds(processes: Processes) -> None:
    await started(processes)
    other = sqlite3.connect(store_app.path(processes.settings), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    assert "locked" in await refused(processes, 1)

    other.close()
    await keep(processes, 1)
    assert [1] == store_app.kept(store_app.path(processes.settings))


@pytest.mark.requirement("hub-038")
async def test_a_file_that_cannot_be_used_is_refused_at_the_start(no_processes: Processes) -> None:
    store_app.path(no_processes.settings).mkdir()

    one = await no_processes.start(str(Path(store_app.__file__)))

    assert await one.exit_code()
    assert "store_app.sqlite cannot be used" in one.log


@pytest.mark.requirement("hub-038")
def test_a_folder_that_is_read_only_is_refused_at_the_start(tmp_path: Path) -> None:
    """In a user namespace, where root has no more rights than the folder's mode gives its owner."""
    code = "import pathlib, sys, gasoline_broker.actor.store as s; s.Store(pathlib.Path(sys.argv[1]), '').open()"
    tmp_path.chmod(0o500)

    told = subprocess.run(
        ["unshare", "--user", sys.executable, "-c", code, str(tmp_path / "store_app.sqlite")],  # noqa: S607 - of util-linux
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert 1 == told.returncode
    assert "CannotStart" in told.stderr
    assert "store_app.sqlite cannot be used: [Errno 13] Permission denied" in told.stderr
