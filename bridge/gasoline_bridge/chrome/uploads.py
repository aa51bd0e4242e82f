"""Reads the user's files for a page; what they hold goes to the extension alone, never into an error or a log.

Rules of this file:
- A page is given only what lies below a folder that the user has allowed, after every link is resolved.
- What is checked is what is read: the path without links is opened step by step, and a link that has come since is
  refused. A file that Chrome opens itself, by its address, is checked by its name alone.
"""

import base64
import mimetypes
import os
import re
import shlex
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import msgspec

from gasoline_bridge.folders import holds_keys, is_open
from gasoline_broker.errors import Failed, Failure

BYTES_MAX = 7 << 20  # of all files: in Base64 they stay below the 10 MB of an HTTP body (SPEC, Limits)
AGAIN = {
    "files": "files takes absolute paths of ordinary files that you may read.",
    "url": "The address of a file is like file:///home/ada/page.html.",
}
UNREAL = [Path("/proc"), Path("/sys")]  # these look like files, and show the secrets of processes
PICTURES = {".jpeg", ".jpg", ".png", ".webp"}
SHOWN = 500  # characters of a path that an error repeats
FOLDER = os.O_CLOEXEC | os.O_DIRECTORY | os.O_NOFOLLOW | getattr(os, "O_PATH", os.O_RDONLY)
FILE = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_RDONLY  # a pipe without a writer would block
ADDRESS = re.compile(
    r"\s*file://(?:localhost)?(?P<path>/(?!/)[^?#\\\x00-\x1f]*)(?P<rest>(?:\?[^#\x00-\x1f]*)?(?:#[^\x00-\x1f]*)?)",
    re.IGNORECASE,
)


class Sent(msgspec.Struct, frozen=True):
    """A file as the extension gets it: `data` in Base64."""

    name: str
    type: str
    modified_ms: int
    data: str


class Rights(NamedTuple):
    """What the user has allowed: `folders`; of `ours`, the folder of this installation's keys, pictures alone."""

    folders: Sequence[Path]
    ours: Path


class _Asked(NamedTuple):
    """A path as it was asked for, and the parameter that has it."""

    text: str
    parameter: str

    def refused(self, why: str) -> Failed:
        details = {"parameter": self.parameter, "value": self.text[:SHOWN]}
        text = f"{self.parameter}: {self.text[:SHOWN]!r} {why}."
        return Failed(Failure("invalid_params", text, AGAIN[self.parameter], details))

    def closed(self, file: Path) -> Failed:
        """Refuse what the user has not allowed, or cannot allow."""
        details = {"parameter": self.parameter, "value": self.text[:SHOWN], "folder": str(file.parent)}
        text = f"{self.parameter}: {self.text[:SHOWN]!r} is in no folder that the user has allowed."
        recovery = f"Ask the user to run `gasoline allow {shlex.quote(str(file.parent))}`, then call again."
        if file.name.startswith(".") or holds_keys(file):
            text = f"{self.parameter}: {self.text[:SHOWN]!r} is closed to pages: such files hold keys and settings."
            recovery = "Ask the user to choose it by hand."
        return Failed(Failure("file_not_allowed", text, recovery, details))


def read(paths: Sequence[str], rights: Rights) -> list[Sent]:
    """Read these files.

    Raises:
        Failed: `file_not_allowed`; `invalid_params` names the path that is none; `payload_too_large`.

    """
    read_, left = [], BYTES_MAX
    for path in paths:
        data, modified_ms = _content(_Asked(path, "files"), rights, left)
        left -= len(data)
        kind, packed = mimetypes.guess_type(path)
        type_ = "" if packed or not kind else kind
        read_.append(Sent(Path(path).name, type_, modified_ms, base64.b64encode(data).decode()))
    return read_


def is_address(url: str) -> bool:
    """Whether a page to be loaded is a file."""
    return url.strip().lower().startswith("file:")


def address(url: str, rights: Rights) -> str:
    """Give the address of a file or folder that a tab may show, without links in it.

    Raises:
        Failed: `file_not_allowed`; `invalid_params` for one that is not there.

    """
    asked = _Asked(url, "url")
    found = ADDRESS.fullmatch(url.rstrip())
    if found is None:
        raise asked.refused("is not the address of a file")
    file = _allowed(unquote(found["path"], errors="surrogateescape"), asked, rights)
    if not file.exists():
        raise asked.refused("does not exist")
    return file.as_uri() + found["rest"]


def _allowed(path: str, asked: _Asked, rights: Rights) -> Path:
    """Give the path without links of what a page may be given."""
    if not Path(path).is_absolute():
        raise asked.refused("is no absolute path")
    try:
        file = Path(path).resolve()
        is_ours = any(_is_same(folder, rights.ours) for folder in (file, *file.parents))
    except (OSError, RuntimeError, ValueError):
        raise asked.refused("cannot be read") from None
    if is_ours:
        if file.suffix not in PICTURES:  # a picture is a screenshot
            raise asked.refused("belongs to Gasoline itself, which gives its keys to no page")
        return file
    if not is_open(file, rights.folders):
        raise asked.closed(file)
    if any(file.is_relative_to(folder) for folder in UNREAL):
        raise asked.refused("is no ordinary file")
    return file


def _is_same(one: Path, other: Path) -> bool:
    """Whether two paths lead to one folder, however it is written or mounted."""
    return one.exists() and other.exists() and one.samefile(other)


def _content(asked: _Asked, rights: Rights, most: int) -> tuple[bytes, int]:
    """Give what a file holds, and when it was changed (ms)."""
    file = _allowed(asked.text, asked, rights)
    try:
        with os.fdopen(open_without_links(file), "rb") as opened:
            status = os.fstat(opened.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise asked.refused("is no ordinary file")
            data = opened.read(most + 1)
    except FileNotFoundError:
        raise asked.refused("does not exist") from None
    except IsADirectoryError:
        raise asked.refused("is a directory") from None
    except OSError:
        raise asked.refused("cannot be read") from None
    if len(data) > most:
        raise _too_large(asked.text)
    return data, status.st_mtime_ns // 1_000_000


def open_without_links(file: Path) -> int:
    """Open a path that has no links in it; one that has come since is an OSError."""
    folder = os.open(file.anchor, FOLDER)
    try:
        for name in file.parts[1:-1]:
            inner = os.open(name, FOLDER, dir_fd=folder)
            os.close(folder)
            folder = inner
        return os.open(file.name, FILE, dir_fd=folder)
    finally:
        os.close(folder)


def _too_large(path: str) -> Failed:
    text = f"files: with {path[:SHOWN]!r} they have more than {BYTES_MAX >> 20} MB together."
    recovery = "Upload less at a time, or ask the user to choose a large file by hand."
    details = {"parameter": "files", "value": path[:SHOWN], "limit_bytes": BYTES_MAX}
    return Failed(Failure("payload_too_large", text, recovery, details))
