"""Saves what `generate` makes, in the folder of exports or in the named file; no other user can read it."""

import contextlib
import os
import re
import time
from pathlib import Path
from typing import Any, NamedTuple

from gasoline_bridge.front import save_places
from gasoline_bridge.front.replies import Reply, encode
from gasoline_broker.errors import CannotStart, fail
from gasoline_broker.settings import private_dir

FOLDER = "exports"
KEPT = 50  # files of our own names; the oldest go
OURS = "????????-??????-??????.*"
NAME = re.compile(r"\d{8}-\d{6}-\d{6}\.(?P<kind>[a-z]+)(\.[a-z]+)?")  # of a file that has no other name
MIME = {"html": "text/html", "har": "application/json", "sarif": "application/json"}
PLAIN = "text/plain"  # a test
FILE_BYTES_MAX = 8 * 1024 * 1024  # that a client is given


class Saved(NamedTuple):
    """A file in the folder of exports."""

    name: str
    mime_type: str
    size_bytes: int


class Exports:
    """The folder of exports, and the file that a call may have named instead."""

    def __init__(self, data_dir: Path, named: Path | None = None) -> None:
        self._data_dir = data_dir
        self._named = named

    def sarif(self, document: dict[str, Any]) -> Reply:
        """Write a SARIF document, and give where it is and what it holds.

        Raises:
            Failed: it could not be written.

        """
        (run,) = document["runs"]
        rules = run["tool"]["driver"]["rules"]
        return self._saved("sarif", encode(document)) | {"rules": len(rules), "results": len(run["results"])}

    def har(self, document: dict[str, Any]) -> Reply:
        """Write an HTTP archive, and give where it is and what it holds.

        Raises:
            Failed: it could not be written.

        """
        log = document["log"]
        return self._saved("har", encode(document)) | {"requests": len(log["entries"]), "pages": len(log["pages"])}

    def test(self, suffix: str, text: str) -> Reply:
        """Write a test, and give where it is.

        Raises:
            Failed: it could not be written.

        """
        return self._saved(suffix, text.encode())

    def report(self, text: str) -> Reply:
        """Write a report, and give where it is.

        Raises:
            Failed: it could not be written.

        """
        return self._saved("html", text.encode("utf-8", "replace"))

    def _saved(self, suffix: str, text: bytes) -> Reply:
        if self._named:
            save_places.write(self._named, text)
        path = self._named or self._write(suffix, text)
        return {"path": str(path), "bytes": len(text)}

    def _write(self, suffix: str, text: bytes) -> Path:
        name = f"{time.strftime('%Y%m%d-%H%M%S')}-{time.monotonic_ns() % 1_000_000:06}.{suffix}"
        try:
            folder = private_dir(private_dir(self._data_dir) / FOLDER)
            path = folder / name
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(text)
        except (OSError, CannotStart) as fault:
            fail("store_failed", f"The file could not be written: {fault}.")
        for old in sorted(folder.glob(OURS))[:-KEPT]:
            with contextlib.suppress(OSError):
                old.unlink()
        return path


def listed(data_dir: Path) -> list[Saved]:
    """List the files that `generate` has saved under names of its own, newest first."""
    found = []
    for path in sorted((data_dir / FOLDER).glob(OURS), reverse=True):
        with contextlib.suppress(OSError):  # it may just have gone
            if NAME.fullmatch(path.name) and not path.is_symlink():
                found.append(Saved(path.name, mime_type(path.name), path.stat().st_size))
    return found


def read(data_dir: Path, name: str) -> str:
    """Give the text of such a file.

    Raises:
        Failed: `not_found`: there is none of this name; `payload_too_large`; `store_failed`: it cannot be read.

    """
    if not NAME.fullmatch(name):
        fail("not_found", f"There is no report {name[:80]!r}.", "List the resources for those that there are.")
    path = data_dir / FOLDER / name
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
            text = file.read(FILE_BYTES_MAX + 1)
    except FileNotFoundError:
        fail("not_found", f"There is no report {name!r} any more.", f"The last {KEPT} are kept: make it again.")
    except OSError as fault:
        fail("store_failed", f"The report could not be read: {fault}.")
    if len(text) > FILE_BYTES_MAX:
        fail("payload_too_large", f"The report has more than {FILE_BYTES_MAX} bytes.", f"Read the file {path}.")
    return text.decode("utf-8", "replace")


def mime_type(name: str) -> str:
    """Give the media type of such a file, by its ending."""
    return MIME.get(name.rpartition(".")[2], PLAIN)
