"""Changes a file of another program: as a whole, only if nothing else has changed it meanwhile.

Rules of this file:
- A link is followed: its target is replaced, the link stays.
- The file keeps its mode, its line ends and its byte-order mark. A file that is made is the user's alone.
- A file that cannot be understood, or is read-only, is left as it is.
"""

import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

from gasoline_broker.errors import SettingsRefused

TRIES = 5  # a client writes its file within milliseconds
BYTES_MAX = 64 << 20  # a configuration has kilobytes; that of Claude Code, with its history, some megabytes

Change = Callable[[str], str]


def read(path: Path) -> str:
    """Give the text of a file; "" if there is none.

    Raises:
        SettingsRefused: it is no file, cannot be read, or is not UTF-8.

    """
    return _decode(path, _bytes_of(path) or b"")


def changed(path: Path, change: Change) -> tuple[str, str]:
    """Give the text of a file as it is, and as the change would have it.

    Raises:
        SettingsRefused: the file cannot be read, or the change does not understand it.

    """
    text = read(path)
    try:
        return text, change(text)
    except ValueError as fault:
        raise SettingsRefused(f"{path} is left as it is: {fault}. Correct it, then run this again.") from None


def replace(path: Path, change: Change, *, backup: bool = False) -> bool:
    """Change a file; give whether there was something to change.

    Raises:
        SettingsRefused: the file cannot be read, understood or written, or another program does not stop changing it.

    """
    target = Path(os.path.realpath(path))
    for _ in range(TRIES):
        before, after = changed(path, change)
        if before == after:
            return False
        if _replaced(target, before, after, backup=backup):
            return True
    raise SettingsRefused(f"{path} is changed by another program at the same time: close it, then run this again.")


def _replaced(target: Path, before: str, after: str, *, backup: bool) -> bool:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o600
        if not mode & 0o200:
            raise SettingsRefused(f"{target} is read-only: make it writable, then run this again.")
        if backup and target.exists():
            _write(target.with_name(f"{target.name}.bak"), before, mode)
        return _write(target, after, mode, only_if=before)
    except OSError as fault:
        raise SettingsRefused(f"{target} cannot be written: {fault.strerror}. It is left as it is.") from None


def _write(target: Path, text: str, mode: int, only_if: str | None = None) -> bool:
    """Write a file as a whole; with `only_if` only where it still has this text."""
    fd, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    new = Path(name)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(fd)
        new.chmod(mode)
        if only_if is not None and (_bytes_of(target) or b"") != only_if.encode():
            return False
        new.replace(target)
        return True
    finally:
        new.unlink(missing_ok=True)


def _bytes_of(path: Path) -> bytes | None:
    try:
        if path.exists() and not path.is_file():
            raise SettingsRefused(f"{path} is no file: remove it, then run this again.")
        with path.open("rb") as file:
            content = file.read(BYTES_MAX + 1)
    except FileNotFoundError:
        return None
    except OSError as fault:
        raise SettingsRefused(f"{path} cannot be read: {fault.strerror}.") from None
    if len(content) > BYTES_MAX:
        raise SettingsRefused(f"{path} has more than {BYTES_MAX >> 20} MB: it is left as it is.")
    return content


def _decode(path: Path, content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as fault:
        line = content.count(b"\n", 0, fault.start) + 1
        raise SettingsRefused(f"{path} is left as it is: line {line} is not UTF-8.") from None
