"""Starts a system and a headless browser for one run, beside those of the user; both end with it.

The user's Chrome keeps its link: this system has a port, a token and sockets of its own. It shares the folder of
baselines and pictures alone, which several systems may use at a time.
"""

import asyncio
import contextlib
import os
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from gasoline_bridge import installed
from gasoline_bridge.check.session import Session
from gasoline_bridge.devtools import Browser, find_executable
from gasoline_broker.errors import CannotStart
from gasoline_broker.settings import Settings

START_S = 30.0
END_S = 10.0
POLL_S = 0.05
SIZE = (1440, 900)
PILOT_ON = "chrome.storage.sync.set({ aiWebPilotEnabled: true })"


class Started(NamedTuple):
    """What runs: the settings of the system, its browser, and a session."""

    settings: Settings
    browser: Browser
    session: Session


@contextlib.asynccontextmanager
async def started(settings: Settings) -> AsyncIterator[Started]:
    """Run a system and a browser while the block runs.

    Raises:
        CannotStart: the system did not start, or the browser did not connect.
        ChromiumError: there is no browser.

    """
    find_executable(settings.chromium)  # before anything is started
    async with contextlib.AsyncExitStack() as stack:
        home = Path(tempfile.mkdtemp(prefix="gasoline-check-"))
        stack.callback(shutil.rmtree, home, ignore_errors=True)
        own = apart(settings, home, _free_port())
        extension = installed.install(own)
        session = await stack.enter_async_context(_system(own))
        browser = await stack.enter_async_context(
            await Browser.launch(extension, executable=settings.chromium, size=SIZE)
        )
        await _connected(session)
        worker = await browser.service_worker()
        await worker.evaluate(PILOT_ON)  # the user, who runs this command, owns this browser's profile
        await worker.detach()
        yield Started(own, browser, session)


def apart(settings: Settings, home: Path, port: int) -> Settings:
    """Return settings of a system in `home` that shares the baselines and the pictures."""
    return msgspec.structs.replace(
        settings,
        data_dir=home / "data",
        runtime_dir=home / "run",
        baselines_dir=str(settings.pictures_dir),
        port=port,
        listen="",
    )


@contextlib.asynccontextmanager
async def _system(settings: Settings) -> AsyncIterator[Session]:
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    with settings.log_file.open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            str(Path(sys.executable).with_name("gasoline")),
            "up",
            "--compact",
            env=os.environ | settings.environ(),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,  # Ctrl+C is for this command, which ends the system
        )
    try:
        session = await _session(settings, process)
        yield session
        await session.close()
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        try:
            async with asyncio.timeout(END_S):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()


async def _session(settings: Settings, process: asyncio.subprocess.Process) -> Session:
    until = time.monotonic() + START_S
    while time.monotonic() < until and process.returncode is None:
        with contextlib.suppress(OSError):
            return await Session.open(settings)
        await asyncio.sleep(POLL_S)
    log = await asyncio.to_thread(settings.log_file.read_text, errors="replace")
    raise CannotStart(f"A system for the check did not start: {log.strip()[-1_000:]}")


async def _connected(session: Session) -> None:
    until = time.monotonic() + START_S
    while not (await session.call("observe", what="status"))["extension"].get("connected"):
        if time.monotonic() > until:
            raise CannotStart(f"The extension did not connect within {START_S:g} s.")
        await asyncio.sleep(POLL_S)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
