"""The processes of each test: a short runtime folder of its own, and processes that end with the test."""

import contextlib
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

import system
from gasoline_broker.actor.client import Link, register
from gasoline_broker.settings import Settings
from process.processes import Processes, Started

LOG_CHARACTERS = 3_000


@contextlib.asynccontextmanager
async def _made() -> AsyncIterator[Processes]:
    home = Path(tempfile.mkdtemp(prefix="gp-"))  # short: a socket's path has 107 bytes
    settings = Settings(data_dir=home / "data", runtime_dir=home / "run", config_dir=home / "config")
    settings.data_dir.mkdir()
    settings.runtime_dir.mkdir(mode=0o700)
    processes = Processes(settings)
    try:
        yield processes
    finally:
        await processes.close()
        for started in processes.started:
            print(f"--- {started.pid}\n{started.log[-LOG_CHARACTERS:]}")  # noqa: T201 - shown if the test fails
        shutil.rmtree(home)


async def _serve(processes: Processes) -> Processes:
    await processes.broker()
    await processes.link(Link(processes.settings, register("front")))
    return processes


@pytest.fixture
async def no_processes() -> AsyncIterator[Processes]:
    """Return an empty set of processes."""
    async with _made() as processes:
        yield processes


@pytest.fixture
async def processes(no_processes: Processes) -> Processes:
    """Return a set of processes with a broker, and a link to it."""
    return await _serve(no_processes)


@pytest.fixture(scope="module")
async def shared() -> AsyncIterator[Processes]:
    """Return the processes of all tests of a file that end nothing in it: as `processes`."""
    async with _made() as processes:
        yield await _serve(processes)


@pytest.fixture(scope="module")
async def echo(shared: Processes) -> Started:
    """Return the one actor of the shared processes."""
    return await shared.echo()


@pytest.fixture(scope="session")
def whole_system() -> Iterator[Settings]:
    """Run the system, for the tests of all files that leave it serving: what it has stored may be another test's."""
    with system.settings() as made, system.running(made) as up:
        yield up
