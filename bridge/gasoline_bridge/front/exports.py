"""Saves what `generate` makes: files of the user's own folder, which no other user can read."""

import contextlib
import os
import time
from pathlib import Path
from typing import Any

from gasoline_bridge.front.replies import Reply, encode
from gasoline_broker.errors import CannotStart, fail
from gasoline_broker.settings import private_dir

FOLDER = "exports"
KEPT = 50  # files; the oldest go


def save_sarif(data_dir: Path, document: dict[str, Any]) -> Reply:
    """Write a SARIF document, and give where it is and what it holds.

    Raises:
        Failed: `store_failed`: it could not be written.

    """
    (run,) = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    return _saved(data_dir, "sarif", document) | {"rules": len(rules), "results": len(run["results"])}


def save_har(data_dir: Path, document: dict[str, Any]) -> Reply:
    """Write an HTTP archive, and give where it is and what it holds.

    Raises:
        Failed: `store_failed`: it could not be written.

    """
    log = document["log"]
    return _saved(data_dir, "har", document) | {"requests": len(log["entries"]), "pages": len(log["pages"])}


def save_test(data_dir: Path, suffix: str, text: str) -> Reply:
    """Write a test, and give where it is.

    Raises:
        Failed: `store_failed`: it could not be written.

    """
    return _saved_text(data_dir, suffix, text.encode())


def _saved(data_dir: Path, suffix: str, document: dict[str, Any]) -> Reply:
    return _saved_text(data_dir, suffix, encode(document))


def _saved_text(data_dir: Path, suffix: str, text: bytes) -> Reply:
    name = f"{time.strftime('%Y%m%d-%H%M%S')}-{time.monotonic_ns() % 1_000_000:06}.{suffix}"
    return {"path": str(_write(data_dir, name, text)), "bytes": len(text)}


def _write(data_dir: Path, name: str, text: bytes) -> Path:
    try:
        folder = private_dir(private_dir(data_dir) / FOLDER)
        path = folder / name
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(text)
    except (OSError, CannotStart) as fault:
        fail("store_failed", f"The file could not be written: {fault}.")
    for old in sorted(folder.iterdir())[:-KEPT]:
        with contextlib.suppress(OSError):
            old.unlink()
    return path
