"""Holds a file so that one process alone does a thing; it ends with the process, however that dies."""

import fcntl
import os
from pathlib import Path

from gasoline_broker.errors import AlreadyRunning


class Lock:
    """A pid file under flock(2). The pid in it is true exactly while the lock is held."""

    def __init__(self, path: Path, what: str) -> None:
        self._path = path
        self._what = what
        self._fd = -1

    def take(self) -> None:
        """Take the lock and write our pid.

        Raises:
            AlreadyRunning: another process holds it.

        """
        fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pid = _read_pid(fd)
            os.close(fd)
            raise AlreadyRunning(self._what, pid) from None
        os.ftruncate(fd, 0)
        os.pwrite(fd, f"{os.getpid()}\n".encode(), 0)
        self._fd = fd

    def release(self) -> None:
        """Give the lock back; nothing happens when it isn't held."""
        if self._fd >= 0:
            os.ftruncate(self._fd, 0)
            os.close(self._fd)
            self._fd = -1


def holder(path: Path) -> int:
    """Give the pid of the process that holds the lock, 0 when nobody does."""
    try:
        fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return 0
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return _read_pid(fd)
    else:
        return 0
    finally:
        os.close(fd)


def _read_pid(fd: int) -> int:
    text = os.pread(fd, 32, 0).strip()
    return int(text) if text.isdigit() else 0
