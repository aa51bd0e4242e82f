"""Keeps the log of a system in the background short: its file is set aside when it is large, and another begun."""

import contextlib
import os
from pathlib import Path

LOG_BYTES_MAX = 10_000_000
KEPT = 3  # files that were set aside: `.1` is the newest


class LogFile:
    """The log file that a descriptor writes to, if it does; else nothing is done."""

    def __init__(self, path: Path, fd: int, most_bytes: int = LOG_BYTES_MAX) -> None:
        self._path = path
        self._fd = fd
        self._most_bytes = most_bytes
        self._is_ours = self._is_written()

    def rotate(self) -> None:
        """Begin another file if this one is too large or was deleted; what is read-only or full stays as it is."""
        if not self._is_ours or (self._is_written() and os.fstat(self._fd).st_size <= self._most_bytes):
            return
        with contextlib.suppress(OSError):
            for number in range(KEPT, 0, -1):
                with contextlib.suppress(FileNotFoundError):
                    self._numbered(number - 1).rename(self._numbered(number))
            new = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            os.dup2(new, self._fd)
            os.close(new)

    def _is_written(self) -> bool:
        try:
            return os.path.samestat(self._path.stat(), os.fstat(self._fd))
        except OSError:
            return False

    def _numbered(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}") if number else self._path
