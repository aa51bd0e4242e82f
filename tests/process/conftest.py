"""Gives each test a testbed of its own: a short runtime folder, and processes that end with the test."""

import contextlib
import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gasoline_broker.actor.client import Link, register
from gasoline_broker.settings import Settings
from process.processes import Started, Testbed


@contextlib.asynccontextmanager
async def _made() -> AsyncIterator[Testbed]:
    home = Path(tempfile.mkdtemp(prefix="gp-"))  # short: a socket's path has 107 bytes
    settings = Settings(data_dir=home / "data", runtime_dir=home / "run")
    settings.data_dir.mkdir()
    settings.runtime_dir.mkdir(mode=0o700)
    testbed = Testbed(settings)
    try:
        yield testbed
    finally:
        await testbed.close()
        shutil.rmtree(home)


async def _serve(testbed: Testbed) -> Testbed:
    await testbed.broker()
    await testbed.link(Link(testbed.settings, register("front")))
    return testbed


@pytest.fixture
async def empty_testbed() -> AsyncIterator[Testbed]:
    """Return a testbed without any process."""
    async with _made() as testbed:
        yield testbed


@pytest.fixture
async def testbed(empty_testbed: Testbed) -> Testbed:
    """Return a testbed with a broker, and a link to it."""
    return await _serve(empty_testbed)


@pytest.fixture(scope="module")
async def shared() -> AsyncIterator[Testbed]:
    """Return the testbed of all tests of a file that end nothing in it: as `testbed`."""
    async with _made() as testbed:
        yield await _serve(testbed)


@pytest.fixture(scope="module")
async def echo(shared: Testbed) -> Started:
    """Return the one actor of the shared testbed."""
    return await shared.echo()
