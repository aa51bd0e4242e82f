"""Gives each fault test an env of its own, on this machine's sockets unless it asks for others."""

from collections.abc import AsyncIterator

import pytest

from process.faults.fault_env import FaultEnv, fault_env
from process.processes import Processes


@pytest.fixture(params=["ipc"])
async def bare(no_processes: Processes, request: pytest.FixtureRequest) -> AsyncIterator[FaultEnv]:
    """Return an env without any process."""
    async with fault_env(no_processes, request.param) as env:
        yield env


@pytest.fixture
async def env(bare: FaultEnv) -> FaultEnv:
    """Return an env with a broker and three actors that take two asks each."""
    await bare.serve()
    return bare
