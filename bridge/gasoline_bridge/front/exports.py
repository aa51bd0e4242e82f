"""Saves what `generate` makes, in the folder of exports or in the named file; no other user can read it."""

import contextlib
import os
import time
from pathlib import Path
from typing import Any

from gasoline_bridge.front import save_places
from gasoline_bridge.front.replies import Reply, encode
from gasoline_broker.errors import CannotStart, fail
from gasoline_broker.settings import private_dir

FOLDER = "exports"
KEPT = 50  # files of our own names; the oldest go
OURS = "????????-??????-??????.*"


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
