"""A store whose file several processes open as they need it: one at a time creates it, or sets a damaged one aside.

SQLite locks out those that switch a new file to its write-ahead log at the same time, however long they would wait.
"""

import contextlib
import fcntl
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from gasoline_broker.actor.store import Store, file_failure
from gasoline_broker.errors import CannotStart, Failed
from gasoline_broker.settings import private_dir

LOCK_MODE = 0o600


class SharedStore:
    """One file; `rows` are its tables. `what`: how a failure to open it begins."""

    def __init__(self, path: Path, schema: str, what: str) -> None:
        self.rows = Store(path, schema, disposable=True)
        self._path = path
        self._what = what
        self._is_open = False

    def ready(self) -> bool:
        """Open the file, unless it is open. Return whether it was opened now.

        Raises:
            Failed: `store_failed`: its folder cannot be used now.

        """
        if self._is_open and not self.rows.is_lost:
            return False
        self.close()
        with self.translated(self._what):
            private_dir(self._path.parent)
            with self._alone():
                self.rows.try_open()
        self._is_open = True
        return True

    def renew(self) -> None:
        """Set a damaged file aside, and begin an empty one."""
        with self._alone():
            self.rows.replace()

    def close(self) -> None:
        """Close the file."""
        if self._is_open:
            self.rows.close()
        self._is_open = False

    @contextlib.contextmanager
    def translated(self, what: str) -> Iterator[None]:
        """Translate a fault of the disk into a `store_failed` that names the file and its space."""
        try:
            yield
        except (OSError, sqlite3.Error, CannotStart) as fault:
            raise Failed(file_failure(self._path, what, fault)) from None

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the file's lock, which ends with its process."""
        fd = os.open(self._path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, LOCK_MODE)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            yield
        finally:
            os.close(fd)
