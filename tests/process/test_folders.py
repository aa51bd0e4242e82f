"""The folders of a running system: it outlives the loss of one, and is found by either."""

import asyncio
import os
import shutil
import signal
from collections.abc import Iterator

import msgspec
import pytest

import system
from gasoline_broker.lock import holder
from gasoline_broker.settings import Settings
from gasoline_broker.supervisor.log_file import LOG_BYTES_MAX
from process.processes import gone, until
from system import assistant, gasoline

SERVICES = ("broker", "redaction", "diff", "audit", "screenshots", "journal", "bridge", "front", "supervisor")


@pytest.fixture(scope="module")
def settings() -> Iterator[Settings]:
    """Return a system that has a large log already; the last test ends it."""
    with system.settings() as made:
        made.data_dir.mkdir(mode=0o700)
        with made.log_file.open("wb") as log:
            log.truncate(LOG_BYTES_MAX + 1)
        with system.running(made) as up:
            yield up


@pytest.mark.requirement("faults-016")
def test_up_states_whose_system_has_the_folder(settings: Settings) -> None:
    data = msgspec.structs.replace(settings, data_dir=settings.data_dir.with_name("other"))
    runtime = msgspec.structs.replace(settings, runtime_dir=settings.runtime_dir.with_name("other"))

    for other, mine, command in (
        (data, settings.data_dir, ["up", "--detach"]),
        (runtime, settings.runtime_dir, ["up"]),
    ):
        refused = gasoline(other, *command)
        assert 1 == refused.returncode, refused.stdout
        assert f"(process {holder(settings.supervisor_lock)})" in refused.stderr
        assert f"{mine}, not {mine.with_name('other')}" in refused.stderr


@pytest.mark.requirement("faults-014", "faults-018")
async def test_a_runtime_folder_that_vanishes_is_made_again_and_the_system_is_found_meanwhile(
    settings: Settings,
) -> None:
    async with assistant(settings) as client:
        before = await client.all_pids(SERVICES)
        shutil.rmtree(settings.runtime_dir)
        status = await asyncio.to_thread(gasoline, settings, "status", "--json")
        up = await asyncio.to_thread(gasoline, settings, "up", "--detach")
        async with assistant(settings) as newcomer:
            found = await newcomer.all_pids(SERVICES)
        os.kill(found["diff"], signal.SIGKILL)
        await until(lambda: holder(settings.supervisor_lock) == before["supervisor"])
        restarted = await client.all_pids({*SERVICES} - {"diff"})
        shutil.rmtree(settings.runtime_dir)
        settings.stopped_file.mkdir(parents=True)  # cannot be written, as on a full disk
        down = await asyncio.to_thread(gasoline, settings, "down")

    assert before["supervisor"] == msgspec.json.decode(status.stdout)["supervisor"]
    assert (0, True) == (status.returncode, msgspec.json.decode(status.stdout)["running"])
    assert (0, before) == (up.returncode, found)
    assert before["broker"] == restarted["broker"]
    assert (0, "gasoline is stopped;") == (down.returncode, down.stdout[:20])
    for pid in before.values():
        await gone(pid)
    assert settings.log_file.with_name("gasoline.log.1").stat().st_size > LOG_BYTES_MAX
    assert b"\0" not in settings.log_file.read_bytes()
