"""Gives each test a world of its own: a short runtime folder, and processes that end with the test."""

import contextlib
import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gasoline_broker.actor.client import Link, register
from gasoline_broker.settings import Settings
from process.worlds import Started, World


@contextlib.asynccontextmanager
async def _made() -> AsyncIterator[World]:
    home = Path(tempfile.mkdtemp(prefix="gp-"))  # short: a socket's path has 107 bytes
    settings = Settings(data_dir=home / "data", runtime_dir=home / "run")
    settings.data_dir.mkdir()
    settings.runtime_dir.mkdir(mode=0o700)
    world = World(settings)
    try:
        yield world
    finally:
        await world.close()
        shutil.rmtree(home)


async def _serve(world: World) -> World:
    await world.broker()
    await world.link(Link(world.settings, register("front")))
    return world


@pytest.fixture
async def empty_world() -> AsyncIterator[World]:
    """Give a world without any process."""
    async with _made() as world:
        yield world


@pytest.fixture
async def world(empty_world: World) -> World:
    """Give a world with a broker, and a link to it."""
    return await _serve(empty_world)


@pytest.fixture(scope="module")
async def shared() -> AsyncIterator[World]:
    """Give the world of all tests of a file that end nothing in it: as `world`."""
    async with _made() as world:
        yield await _serve(world)


@pytest.fixture(scope="module")
async def echo(shared: World) -> Started:
    """Give the one actor of the shared world."""
    return await shared.echo()
