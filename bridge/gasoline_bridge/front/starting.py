"""Connects to the front, and starts the system if none runs."""

import errno
import os
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from gasoline_broker import running
from gasoline_broker.errors import CannotStart
from gasoline_broker.lock import hold
from gasoline_broker.settings import Settings, private_dir

START_S = 20.0
RETRY_S = 0.02


def connect(settings: Settings, options: Sequence[str] = ()) -> socket.socket | None:
    """Connect to the front; start the system (with these options) when none runs. None: it does not start.

    Of many that want it, one starts it: the others wait for its front, as all do where only the front is away.
    """
    if link := _try(settings.mcp_socket):
        return link
    turn = os.open(private_dir(settings.runtime_dir) / "start.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        return _start_and_connect(settings, options, turn)
    finally:
        os.close(turn)


def _start_and_connect(settings: Settings, options: Sequence[str], turn: int) -> socket.socket | None:
    system = None
    until = time.monotonic() + START_S
    while time.monotonic() < until:
        if link := _try(settings.mcp_socket):
            return link
        if system is None and running.find(settings) is None and hold(turn, 0):
            system = _start(settings.log_file, options)
        if system is not None and system.poll() not in (None, 0):  # 0: another one runs it already
            return _try(settings.mcp_socket)  # the processes may have been started by another runner
        time.sleep(RETRY_S)
    return None


def _try(mcp_socket: Path) -> socket.socket | None:
    link = socket.socket(socket.AF_UNIX)
    try:
        link.connect(str(mcp_socket))
    except OSError:
        link.close()
        return None
    return link


def _start(log_file: Path, options: Sequence[str]) -> "subprocess.Popen[bytes]":
    """Start `gasoline up` in a session of its own: it outlives this client, and serves the next."""
    fd = _log(log_file)
    try:
        return subprocess.Popen(  # noqa: S603 - the options are our own command line's
            [sys.executable, "-P", "-m", "gasoline_bridge.cli.entry", "up", *options],
            stdin=subprocess.DEVNULL,
            stdout=fd,
            stderr=fd,
            start_new_session=True,
            cwd="/",
        )
    finally:
        os.close(fd)


def _log(log_file: Path) -> int:
    """Open the log; on a disk without room for it, nothing is logged.

    Raises:
        CannotStart: the folder cannot be written.

    """
    try:
        log_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return os.open(log_file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    except OSError as fault:
        if fault.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise CannotStart(f"{log_file} cannot be written: {fault.strerror}.") from None
        return os.open(os.devnull, os.O_WRONLY)
