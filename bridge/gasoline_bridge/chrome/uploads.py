"""Reads the user's files for a page; what they hold goes to the extension alone, never into an error or a log."""

import base64
import mimetypes
import stat
from collections.abc import Sequence
from pathlib import Path

import msgspec

from gasoline_broker.errors import Failed, Failure, fail

BYTES_MAX = 7 << 20  # of all files: in Base64 they stay below the 10 MB of an HTTP body (SPEC, Limits)
AGAIN = "files takes absolute paths of ordinary files that you may read."
UNREAL = [Path("/proc"), Path("/sys")]  # these look like files, and show the secrets of processes
PICTURES = {".jpeg", ".jpg", ".png", ".webp"}


class Sent(msgspec.Struct, frozen=True):
    """A file as the extension gets it: `data` in Base64."""

    name: str
    type: str
    modified_ms: int
    data: str


def read(paths: Sequence[str], ours: Path) -> list[Sent]:
    """Read these files; of `ours`, the folder with the keys of this installation, pictures alone: screenshots.

    Raises:
        Failed: `invalid_params` names the path that is none; `payload_too_large`.

    """
    read_, left = [], BYTES_MAX
    for path in paths:
        file = _checked(path, ours)
        data = _bytes(file, path, left)
        left -= len(data)
        kind, packed = mimetypes.guess_type(file.name)
        type_ = "" if packed or not kind else kind
        modified_ms = file.stat().st_mtime_ns // 1_000_000
        read_.append(Sent(file.name, type_, modified_ms, base64.b64encode(data).decode()))
    return read_


def _checked(path: str, ours: Path) -> Path:
    file = Path(path)
    if not file.is_absolute():
        raise _wrong(path, "is no absolute path")
    try:
        mode = file.stat().st_mode
    except FileNotFoundError:
        raise _wrong(path, "does not exist") from None
    except (OSError, ValueError):
        raise _wrong(path, "cannot be read") from None
    if stat.S_ISDIR(mode):
        raise _wrong(path, "is a directory")
    real = file.resolve()
    if not stat.S_ISREG(mode) or any(real.is_relative_to(folder) for folder in UNREAL):
        raise _wrong(path, "is no ordinary file")
    if real.is_relative_to(ours.resolve()) and real.suffix not in PICTURES:
        raise _wrong(path, "belongs to Gasoline itself, which gives its keys to no page")
    return file


def _bytes(file: Path, path: str, most: int) -> bytes:
    try:
        with file.open("rb") as opened:
            data = opened.read(most + 1)
    except OSError:
        raise _wrong(path, "cannot be read") from None
    if len(data) > most:
        text = f"files: with {path[:500]!r} they have more than {BYTES_MAX >> 20} MB together."
        recovery = "Upload less at a time, or ask the user to choose a large file by hand."
        fail("payload_too_large", text, recovery, parameter="files", value=path[:500], limit_bytes=BYTES_MAX)
    return data


def _wrong(path: str, why: str) -> Failed:
    details = {"parameter": "files", "value": path[:500]}
    return Failed(Failure("invalid_params", f"files: {path[:500]!r} {why}.", AGAIN, details))
