"""The tests' end of the fork server: Python processes that start in milliseconds, as `python ARGUMENTS` would.

What is forked has imported nothing itself: where that is the subject, or the processes that a system starts, a test
starts the real command.
"""

import asyncio
import atexit
import contextlib
import functools
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Any

import msgspec

ANSWER_BYTES = 32
ENDS_S = 30.0  # the machine may be busy
WAITING = 100  # the most that may be asked for at once, while the server still imports


File = IO[Any] | socket.socket | None
"""Where a process reads or writes; None: nowhere."""


class Fork:
    """A process of the fork server. `code` is its exit code as soon as it has ended."""

    def __init__(self, link: socket.socket, pid: int) -> None:
        self.pid = pid
        self.code: asyncio.Future[int] = asyncio.ensure_future(_code(link))

    def signal(self, number: signal.Signals) -> None:
        if not self.code.done():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.signal(signal.SIGKILL)

    async def ended(self) -> int:
        async with asyncio.timeout(ENDS_S):
            return await asyncio.shield(self.code)


async def start(
    arguments: list[str],
    environ: Mapping[str, str],
    stderr: File = None,
    *,
    pipe: File = None,
    umask: int = -1,
) -> Fork:
    """Start `python` with these arguments; its standard input and output are the pipe, if there is one."""
    link = _ask(arguments, environ, (pipe, pipe, stderr), umask)
    link.setblocking(False)  # noqa: FBT003 - its one parameter
    pid = int(await asyncio.get_running_loop().sock_recv(link, ANSWER_BYTES))
    return Fork(link, pid)


def run(arguments: list[str], environ: Mapping[str, str], timeout_s: float) -> "subprocess.CompletedProcess[str]":
    """Run `python` with these arguments to its end."""
    with (
        tempfile.TemporaryFile("w+") as stdout,
        tempfile.TemporaryFile("w+") as stderr,
        _ask(arguments, environ, (None, stdout, stderr)) as link,
    ):
        link.settimeout(timeout_s)
        link.recv(ANSWER_BYTES)
        code = int(link.recv(ANSWER_BYTES))
        stdout.seek(0)
        stderr.seek(0)
        return subprocess.CompletedProcess(arguments, code, stdout.read(), stderr.read())


def _ask(arguments: list[str], environ: Mapping[str, str], files: Iterable[File], umask: int = -1) -> socket.socket:
    link = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    link.connect(_server())
    request = msgspec.json.encode([arguments, dict(environ), str(Path.cwd()), umask])
    with Path(os.devnull).open("r+b") as nothing:
        socket.send_fds(link, [request], [(file or nothing).fileno() for file in files])
    return link


async def _code(link: socket.socket) -> int:
    with link:
        return int(await asyncio.get_running_loop().sock_recv(link, ANSWER_BYTES))


@functools.cache
def _server() -> str:
    """Start the fork server, which lives as long as we do, and give its address."""
    folder = tempfile.mkdtemp(prefix="gf-")
    address = f"{folder}/fork"
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(address)
        listener.listen(WAITING)
        server = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("fork_server.py")), str(listener.fileno())],
            stdin=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            pass_fds=[listener.fileno()],
        )
    atexit.register(_end, server, folder)
    return address


def _end(server: "subprocess.Popen[bytes]", folder: str) -> None:
    server.communicate(timeout=ENDS_S)
    shutil.rmtree(folder, ignore_errors=True)
