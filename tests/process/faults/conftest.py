"""Gives each fault test a ground of its own, on this machine's sockets unless it asks for others."""

from collections.abc import AsyncIterator

import pytest

from process.faults.grounds import Ground, grounds
from process.worlds import World


@pytest.fixture(params=["ipc"])
async def bare(empty_world: World, request: pytest.FixtureRequest) -> AsyncIterator[Ground]:
    """Give a ground without any process."""
    async with grounds(empty_world, request.param) as ground:
        yield ground


@pytest.fixture
async def ground(bare: Ground) -> Ground:
    """Give a ground with a broker and three actors that take two asks each."""
    await bare.serve()
    return bare
