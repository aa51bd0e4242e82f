"""Gives each test a world of its own: a short runtime folder, and processes that end with the test."""

import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gasoline_broker.client import Link, register
from gasoline_broker.settings import Settings
from process.worlds import World


@pytest.fixture
async def empty_world() -> AsyncIterator[World]:
    """Give a world without any process."""
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


@pytest.fixture
async def world(empty_world: World) -> World:
    """Give a world with a broker, and a link to it."""
    await empty_world.broker()
    await empty_world.link(Link(empty_world.settings, register("front")))
    return empty_world
