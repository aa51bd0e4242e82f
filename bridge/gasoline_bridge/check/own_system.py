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
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from gasoline_bridge import installed
from gasoline_bridge.check.session import Session
from gasoline_bridge.devtools import Browser, EndedAtOnceError, find_executable
from gasoline_broker.errors import CannotStart
from gasoline_broker.settings import Settings

PREFIX = "gasoline-check-"
BROWSERS_SOCKET = "org.chromium.Chromium.xxxxxx/SingletonSocket"  # the longest path: Chromium aborts if it is too long
RANDOM_CHARACTERS = 8  # that mkdtemp adds to it
SHORT = (Path("/tmp"), Path("/var/tmp"))  # noqa: S108 - the folder in it has a name of its own, and is private
START_S = 30.0
END_S = 10.0
POLL_S = 0.05
SIZE = (1440, 900)
SOCKET_BYTES_MAX = 107  # sun_path of a Unix socket is 108 bytes with its end (unix(7))
SPREAD = ("regression", "screenshots")  # the workers that compare: as many as pages are checked at a time
NO_SANDBOX = (
    "it finds no sandbox here (it has none for root, nor in most containers): run the check as another user, or with"
    " --no-sandbox if you trust the pages"
)
PILOT_ON = "chrome.storage.sync.set({ aiWebPilotEnabled: true })"


class Wanted(NamedTuple):
    """How to run: how many pages at a time, whether the browser has its sandbox, whether baselines are its own."""

    jobs: int = 1
    sandbox: bool = True
    own_baselines: bool = False


class Started(NamedTuple):
    """What runs: the settings of the system, and its browser."""

    settings: Settings
    browser: Browser


@contextlib.asynccontextmanager
async def started(settings: Settings, wanted: Wanted) -> AsyncIterator[Started]:
    """Run a system and a browser while the block runs.

    Raises:
        CannotStart: the system did not start, or the browser did not start or connect.
        ChromiumError: there is no browser.

    """
    find_executable(settings.chromium)  # before anything is started
    async with contextlib.AsyncExitStack() as stack:
        home, sockets = Path(tempfile.mkdtemp(prefix=PREFIX)), sockets_dir(settings)
        for folder in (home, sockets):
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
        own = apart(settings, home, sockets, _free_port(), own_baselines=wanted.own_baselines)
        extension = installed.install(own)
        session = await stack.enter_async_context(_system(own, wanted.jobs))
        try:
            launched = await Browser.launch(
                extension, executable=settings.chromium, size=SIZE, sandbox=wanted.sandbox, temporary=sockets
            )
        except EndedAtOnceError as fault:
            raise CannotStart(f"{fault} Perhaps {NO_SANDBOX}." if wanted.sandbox else str(fault)) from None
        browser = await stack.enter_async_context(launched)
        await _until(session, "the extension to connect", lambda extension: extension.get("connected"))
        worker = await browser.service_worker()
        await worker.evaluate(PILOT_ON)  # the user, who runs this command, owns this browser's profile
        await worker.detach()
        await _until(session, "AI Web Pilot to be on", lambda extension: extension.get("ai_web_pilot"))
        yield Started(own, browser)


def sockets_dir(settings: Settings) -> Path:
    """Make a private folder with paths that are short enough for sockets: where files are temporary, if that is.

    Raises:
        CannotStart: there is no such folder.

    """
    for parent in (Path(tempfile.gettempdir()), settings.runtime_dir, *SHORT):
        longest = parent / f"{PREFIX}{'x' * RANDOM_CHARACTERS}" / BROWSERS_SOCKET
        if len(bytes(longest)) <= SOCKET_BYTES_MAX:
            with contextlib.suppress(OSError):
                return Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
    raise CannotStart("There is no folder for sockets with a short path: set TMPDIR to one.")


def apart(settings: Settings, home: Path, sockets: Path, port: int, *, own_baselines: bool) -> Settings:
    """Return settings of a system in `home`, with the user's baselines and pictures, or with its own."""
    return msgspec.structs.replace(
        settings,
        data_dir=home / "data",
        runtime_dir=sockets,
        baselines_dir="" if own_baselines else str(settings.pictures_dir),
        port=port,
        listen="",
    )


@contextlib.asynccontextmanager
async def _system(settings: Settings, jobs: int) -> AsyncIterator[Session]:
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    with settings.log_file.open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            str(Path(sys.executable).with_name("gasoline")),
            "up",
            *(f"--scale={name}={jobs}" for name in SPREAD if jobs > 1),
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


async def _until(session: Session, what: str, holds: Callable[[dict[str, Any]], object]) -> None:
    until = time.monotonic() + START_S
    while not holds((await session.call("observe", what="status"))["extension"]):
        if time.monotonic() > until:
            raise CannotStart(f"The check waited {START_S:g} s for {what}, in vain.")
        await asyncio.sleep(POLL_S)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
