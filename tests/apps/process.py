"""Starts an application's server on 127.0.0.1, waits until it answers, and ends it; it judges nothing."""

import asyncio
import contextlib
import os
import signal
from asyncio.subprocess import DEVNULL, STDOUT
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import aiohttp

READY_S = 120.0
END_S = 10.0


@contextlib.asynccontextmanager
async def server(
    command: Sequence[str | Path], address: str, log: Path, *, folder: Path, environ: dict[str, str] | None = None
) -> AsyncIterator[None]:
    """Run a server in `folder` while the block runs; its output goes to `log`."""
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=folder,
            env=os.environ | (environ or {}),
            stdin=DEVNULL,
            stdout=output,
            stderr=STDOUT,
            start_new_session=True,
        )
    try:
        await _answers(address, process, log)
        yield
    finally:
        await _end(process)


async def _answers(address: str, process: asyncio.subprocess.Process, log: Path) -> None:
    async with aiohttp.ClientSession() as session, asyncio.timeout(READY_S):
        while True:
            assert process.returncode is None, _text(log)
            with contextlib.suppress(aiohttp.ClientError):
                async with session.get(address) as response:
                    if response.status < 500:
                        return
            await asyncio.sleep(0.1)


async def _end(process: asyncio.subprocess.Process) -> None:
    """End the server's own process group, politely first."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(END_S):
            await process.wait()
            return
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


def _text(log: Path) -> str:
    return log.read_text(errors="replace")
