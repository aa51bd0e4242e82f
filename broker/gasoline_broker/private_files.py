"""Changes small files of an installation: each is replaced as a whole, and by one process at a time."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from gasoline_broker.errors import CannotStart
from gasoline_broker.lock import hold

CHANGED_S = 5.0  # for another process to finish its change, which takes milliseconds


@contextlib.contextmanager
def written(folder: Path, text: str) -> Iterator[Path]:
    """Yield a temporary file with this text, readable by its owner alone, to be renamed as a whole."""
    fd, name = tempfile.mkstemp(dir=folder)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(os.fsencode(text))
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


@contextlib.contextmanager
def changing(lock: Path) -> Iterator[None]:
    """Hold the lock during a change.

    Raises:
        CannotStart: another process holds it for too long.

    """
    fd = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        if not hold(fd, CHANGED_S):
            raise CannotStart(f"Another process has been changing {lock.parent} for {CHANGED_S:g} s.")
        yield
    finally:
        os.close(fd)
