"""Ends every child soon after the supervisor's death: by a pipe that each child holds, and by the reaper process.

- Every child holds the reading end of one pipe, the lifeline: it ends itself when this process does, even by kill -9.
- The reaper (reaper.py) kills the one that cannot. Where the system has no process descriptors (macOS), the lifeline is
  the only means.
- Every child holds one locked file, too: the next supervisor waits until the last child of the former one is gone.
"""

import asyncio
import contextlib
import os
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Self

import structlog

from gasoline_broker.lock import hold
from gasoline_broker.supervisor import reaper

FORMER_S = 6.0  # longer than an orphan lives (5 s)
PAUSE_S = 0.2  # before a reaper that died is started again
ENDS_S = 1.0

logger = structlog.get_logger()


@contextlib.contextmanager
def held_by_children(path: Path) -> Iterator[tuple[int, int]]:
    """Yield the files of every child: the lifeline's reading end, and the one that is locked while a child lives."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    reading, writing = os.pipe()
    try:
        if not hold(file, FORMER_S):
            logger.warning(
                "former_process_remains"
            )  # the port or lock that it holds fails the start with its own error
        yield reading, file
    finally:
        for fd in (file, reading, writing):
            os.close(fd)


class Reaper:
    """Our end of the socket to the reaper. `children` returns the pids of all that live, for a reaper that restarts."""

    def __init__(self, children: Callable[[], Iterable[int]]) -> None:
        self._children = children
        self._ours = socket.socket(socket.AF_UNIX)
        self._closing = False

    async def __aenter__(self) -> Self:
        """Start the reaper."""
        self._keeping = asyncio.create_task(self._keep())
        return self

    async def __aexit__(self, *_: object) -> None:
        """End the reaper: when no child is left, it ends at once."""
        self._closing = True
        self._ours.close()
        await asyncio.wait([self._keeping], timeout=ENDS_S)
        self._keeping.cancel()

    async def _keep(self) -> None:
        while hasattr(os, "pidfd_open") and not self._closing:
            try:
                process = await self._start()
            except OSError as fault:  # the system has no process or file left
                logger.warning("reaper_not_started", reason=str(fault))
                await asyncio.sleep(PAUSE_S)
                continue
            code = await process.wait()
            if not self._closing:
                logger.warning("reaper_died", code=code)
                await asyncio.sleep(PAUSE_S)

    async def _start(self) -> asyncio.subprocess.Process:
        self._ours.close()
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._ours.settimeout(0.0)
        for (
            pid
        ) in self._children():  # the socket keeps them for a reaper that is still starting, should we die meanwhile
            self.watch(pid)
        with theirs:  # each end has one holder alone, so that its death is the socket's end
            return await asyncio.create_subprocess_exec(
                sys.executable,
                "-I",
                "-S",
                reaper.__file__,
                str(theirs.fileno()),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # a terminal's Ctrl+C must not end it before the others
            )

    def watch(self, pid: int) -> None:
        """Have this child killed if it outlives us."""
        with contextlib.suppress(OSError):  # the child has ended; or the reaper has, and the next one gets this child
            fd = os.pidfd_open(pid)
            try:
                socket.send_fds(self._ours, [b"c"], [fd])
            finally:
                os.close(fd)
