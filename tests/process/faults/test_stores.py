"""What is stored: acknowledged is present, once, whatever happens to the process and to the disk."""

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
from process.faults import shelf
from process.faults.grounds import FAULT_S
from process.faults.shelf import Keep, Kept
from process.worlds import Started, World

ASKERS = 4
KILL_EVERY_S = 0.4


async def started(world: World, *arguments: str) -> Started:
    """Start a shelf."""
    one = await world.start(str(Path(shelf.__file__)), *arguments)
    await world.registered(one.pid)
    return one


async def keep(world: World, number: int, padding_bytes: int = 100) -> None:
    """Have a number kept, and acknowledged."""
    answer = await world.ask(stop("shelf", Keep(number, padding_bytes), Delivery.STORE), ttl_s=20)
    assert Kept(number) == answer.read(Kept)


async def refused(world: World, number: int, padding_bytes: int = 100) -> str:
    """Have a number refused, and give why."""
    with pytest.raises(Failed) as told:
        await keep(world, number, padding_bytes)
    assert "store_failed" == told.value.failure.code
    assert told.value.failure.recovery
    return told.value.failure.text


@pytest.mark.requirement("hub-039")
async def test_a_store_that_is_killed_in_its_commits_keeps_what_it_acknowledged_and_nothing_twice(world: World) -> None:
    acknowledged: list[int] = []
    numbers = itertools.count()
    living = [await started(world), await started(world)]  # the one that lives takes over; both write one file
    ended = asyncio.Event()

    async def keep_on() -> None:
        while not ended.is_set():
            number = next(numbers)
            await keep(world, number)
            acknowledged.append(number)

    async def kill_one() -> None:
        one = living.pop(0)
        one.kill()
        await one.exit_code()
        living.append(await started(world))

    async with asyncio.TaskGroup() as group:
        for _ in range(ASKERS):
            group.create_task(keep_on())
        until = time.monotonic() + FAULT_S
        while time.monotonic() < until:
            await asyncio.sleep(KILL_EVERY_S)
            await kill_one()
        ended.set()

    present = shelf.kept(shelf.path(world.settings))
    assert sorted(acknowledged) == present
    assert len(present) > 100


@pytest.mark.requirement("hub-039")
async def test_what_a_power_cut_leaves_holds_what_was_acknowledged(world: World, tmp_path: Path) -> None:
    await started(world)
    file = shelf.path(world.settings)
    for number in range(50):
        await keep(world, number)
        if number % 10 == 0:  # the disk as it is at this instant, with whatever is only in the log yet
            for part in file.parent.glob(f"{file.name}*"):
                shutil.copy(part, tmp_path)
            assert list(range(number + 1)) == shelf.kept(tmp_path / file.name)


@pytest.mark.requirement("hub-038")
async def test_a_full_disk_is_told_and_loses_nothing_of_what_was_acknowledged(world: World) -> None:
    await started(world, "40")  # pages of 4 KB
    for number in range(4):
        await keep(world, number, 10_000)

    why = await refused(world, 99, 1_000_000)

    assert "full" in why
    await keep(world, 5)
    assert [0, 1, 2, 3, 5] == shelf.kept(shelf.path(world.settings))


@pytest.mark.requirement("hub-038")
async def test_a_file_that_another_has_locked_is_told_after_two_seconds(world: World) -> None:
    await started(world)
    other = sqlite3.connect(shelf.path(world.settings), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    assert "locked" in await refused(world, 1)

    other.close()
    await keep(world, 1)
    assert [1] == shelf.kept(shelf.path(world.settings))


@pytest.mark.requirement("hub-038")
async def test_a_file_that_cannot_be_used_is_told_at_the_start(empty_world: World) -> None:
    shelf.path(empty_world.settings).mkdir()

    one = await empty_world.start(str(Path(shelf.__file__)))

    assert await one.exit_code()
    assert "shelf.sqlite cannot be used" in one.log


@pytest.mark.requirement("hub-038")
def test_a_folder_that_is_read_only_is_told_at_the_start(tmp_path: Path) -> None:
    """In a user namespace, where root has no more rights than the folder's mode gives its owner."""
    code = "import pathlib, sys, gasoline_broker.actor.store as s; s.Store(pathlib.Path(sys.argv[1]), '').open()"
    tmp_path.chmod(0o500)

    told = subprocess.run(
        ["unshare", "--user", sys.executable, "-c", code, str(tmp_path / "shelf.sqlite")],  # noqa: S607 - of util-linux
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert 1 == told.returncode
    assert "CannotStart" in told.stderr
    assert "shelf.sqlite cannot be used: [Errno 13] Permission denied" in told.stderr
