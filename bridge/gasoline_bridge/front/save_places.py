"""Decides where a file may be saved that an assistant names, and writes it there: it overwrites nothing.

Rules of this file:
- A file is new, and lies below a root of the client, or in the folder of exports: what else the data folder has
  decides what an assistant may do.
- Below a root, what begins with a dot stays closed, and so do folders of keys (folders.py). Links are followed before
  that is looked at, and not when the file is opened.
- Its ending is one of those that the kind of file has.
"""

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NoReturn

from gasoline_bridge.folders import is_open
from gasoline_broker.errors import fail

SHOWN = 5  # roots in an error


def choose(asked: str, suffixes: Sequence[str], roots: Sequence[Path], own: Path) -> Path:
    """Give the path of a file that may be written.

    Raises:
        Failed: `invalid_params`: it may not be, with the reason.

    """
    path = Path(asked)
    if "\0" in asked or ".." in path.parts or asked.endswith("/"):
        _refuse(f"{asked!r} is no name of a file: leave .. out, and end with the file's name.", roots)
    if not path.name.endswith(tuple(suffixes)) or path.name in suffixes:
        _refuse(f"The name of this file ends with {' or '.join(suffixes)}.", roots)
    if not path.is_absolute() and len(roots) > 1:
        _refuse("Your client has several roots, so the path must be absolute.", roots)
    whole = path if path.is_absolute() else (roots[0] if roots else own) / path
    try:
        folder = whole.parent.resolve(strict=True)
    except (OSError, RuntimeError):
        folder = None
    if folder is None or not folder.is_dir():
        _refuse(f"There is no folder {str(whole.parent)!r}; it is not made.", roots)
    if not is_open(folder / whole.name, [root.resolve() for root in (*roots, own)]):
        text = "is not below a root of your client" if roots else "is not below a root, for your client has none"
        _refuse(f"{str(whole)!r} {text}, or is hidden, or lies where keys are kept.", roots)
    return folder / whole.name


def write(path: Path, text: bytes) -> None:
    """Write a new file, which its user alone can read.

    Raises:
        Failed: `invalid_params`: there is one; `store_failed`: it could not be written.

    """
    try:
        with _opened(path.parent) as folder:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
            with os.fdopen(os.open(path.name, flags, 0o600, dir_fd=folder), "wb") as file:
                file.write(text)
    except FileExistsError:
        fail("invalid_params", f"{path} is there already.", "Choose another name.", parameter="save_to")
    except OSError as fault:
        fail("store_failed", f"The file could not be written: {fault}.")


@contextlib.contextmanager
def _opened(folder: Path) -> Iterator[int]:
    """Open a folder step by step: a link that comes after its path was decided on is not followed."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
    opened = os.open(folder.anchor, flags)
    try:
        for part in folder.parts[1:]:
            inner = os.open(part, flags, dir_fd=opened)
            os.close(opened)
            opened = inner
        yield opened
    finally:
        os.close(opened)


def _refuse(text: str, roots: Sequence[Path]) -> NoReturn:
    named = ", ".join(map(str, roots[:SHOWN]))
    where = f"below {named}" if roots else "nowhere else: leave save_to out, or name a file alone"
    fail("invalid_params", text, f"Save {where}.", parameter="save_to")
