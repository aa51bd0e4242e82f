"""A file lock that one process holds; it ends with the process, in every kind of death."""

import fcntl
import os
import time
from pathlib import Path

from gasoline_broker.errors import AlreadyRunning

LOOK_S = 0.05  # `holder` looks by holding the lock for an instant: waited out, it is not "already running"


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
        if not hold(fd, LOOK_S):
            pid = _read_pid(fd)
            os.close(fd)
            raise AlreadyRunning(self._what, pid)
        os.ftruncate(fd, 0)
        os.pwrite(fd, f"{os.getpid()}\n".encode(), 0)
        self._fd = fd

    def release(self) -> None:
        """Release the lock; nothing happens when it isn't held."""
        if self._fd >= 0:
            os.ftruncate(self._fd, 0)
            os.close(self._fd)
            self._fd = -1


def hold(fd: int, within_s: float) -> bool:
    """Lock an open file until every copy of its descriptor is closed; False when others still hold it after a while."""
    until = time.monotonic() + within_s
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                return False
            time.sleep(0.01)
        else:
            return True


def holder(path: Path) -> int:
    """Return the pid of the process that holds the lock, 0 without one."""
    try:
        fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return 0
    try:
        fcntl.flock(
            fd, fcntl.LOCK_SH | fcntl.LOCK_NB
        )  # shared: two processes that look do not take each other for the holder
    except BlockingIOError:
        return _read_pid(fd)
    else:
        return 0
    finally:
        os.close(fd)


def _read_pid(fd: int) -> int:
    text = os.pread(fd, 32, 0).strip()
    return int(text) if text.isdigit() else 0
