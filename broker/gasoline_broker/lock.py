"""A file lock that one process holds; it ends with the process, in every kind of death."""

import errno
import fcntl
import os
import time
from pathlib import Path
from typing import NamedTuple

from gasoline_broker.errors import AlreadyRunning

TEXT_BYTES_MAX = 10_000  # two paths of the longest kind
LOOK_S = 0.05  # `holder` looks by holding the lock for an instant: waited out, it is not "already running"


class Holder(NamedTuple):
    """The process that holds a lock, and the lines that it wrote after its pid."""

    pid: int
    notes: tuple[str, ...]


NOBODY = Holder(0, ())


class Lock:
    """A pid file under flock(2). The pid in it is true exactly while the lock is held.

    `notes`: more lines, for a process that finds it held.
    """

    def __init__(self, path: Path, what: str, *notes: str) -> None:
        self._path = path
        self._what = what
        self._notes = notes
        self._fd = -1

    def take(self) -> None:
        """Take the lock and write our pid.

        Raises:
            AlreadyRunning: another process holds it.

        """
        fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if not hold(fd, LOOK_S):
            pid = _read(fd).pid
            os.close(fd)
            raise AlreadyRunning(self._what, pid)
        self._fd = fd
        self.write()

    def write(self) -> None:
        """Write who holds it, if that is not done yet; a disk that is full now may have room later."""
        text = "".join(f"{line}\n" for line in (os.getpid(), *self._notes)).encode()
        if os.pread(self._fd, TEXT_BYTES_MAX, 0) == text:
            return
        try:
            os.pwrite(self._fd, text, 0)
            os.ftruncate(self._fd, len(text))  # afterwards: on a full disk the room of the former text is all there is
        except OSError as fault:
            if fault.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            os.ftruncate(self._fd, 0)

    @property
    def is_lost(self) -> bool:
        """Whether the file that is held was deleted: the lock is not found then, and another process could take it."""
        try:
            return not os.path.samestat(self._path.stat(), os.fstat(self._fd))
        except (FileNotFoundError, NotADirectoryError):
            return True

    def take_again(self) -> None:
        """Make the file again, and take the lock in it.

        Raises:
            AlreadyRunning: another process has been faster.

        """
        lost = self._fd
        self.take()
        os.close(lost)

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
    return held(path).pid


def held(path: Path) -> Holder:
    """Return the process that holds the lock, with its notes; the pid is 0 without one."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return NOBODY
    try:
        fcntl.flock(
            fd, fcntl.LOCK_SH | fcntl.LOCK_NB
        )  # shared: two processes that look do not take each other for the holder
    except BlockingIOError:
        return _read(fd)
    else:
        return NOBODY
    finally:
        os.close(fd)


def _read(fd: int) -> Holder:
    pid, *notes = os.fsdecode(os.pread(fd, TEXT_BYTES_MAX, 0)).split("\n")
    return Holder(int(pid) if pid.isdigit() else 0, tuple(filter(None, notes)))
