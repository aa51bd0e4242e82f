"""The folders whose files pages may be given: the user's own list; it opens none of the files.

Rules of this file:
- Nothing is allowed before the user has allowed it. A list that cannot be read allows nothing.
- Names are compared without regard to case, as some file systems have none.
- Below an allowed folder, what begins with a dot stays closed, and so do the folders in which a system keeps settings:
  they hold keys. Some of them can be allowed by themselves; those in SECRET cannot.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from gasoline_broker.errors import SettingsRefused
from gasoline_broker.private_files import changing, written
from gasoline_broker.settings import Settings, private_dir

SECRET = {".aws", ".azure", ".config", ".docker", ".gnupg", ".kube", ".mozilla", ".password-store", ".ssh"}
SETTINGS = {"library", "snap"}  # of a home folder: macOS and Snap keep browsers' profiles there


class Folders:
    """The list of one installation."""

    def __init__(self, settings: Settings) -> None:
        self._file = settings.data_dir / "allowed-folders"

    def allowed(self) -> list[Path]:
        """Return the allowed folders."""
        try:
            lines = os.fsdecode(self._file.read_bytes()).split("\n")
        except OSError:
            return []
        return [Path(line) for line in lines if line.startswith("/")]

    def allow(self, names: Sequence[str]) -> None:
        """Allow these folders, and all below them that is not closed.

        Raises:
            SettingsRefused: one is no folder, or holds keys.

        """
        folders = [_folder(name) for name in names]
        self._change(lambda allowed: allowed | set(folders))

    def remove(self, names: Sequence[str]) -> None:
        """Allow these folders no longer.

        Raises:
            SettingsRefused: one was not allowed.

        """
        folders = [Path(name).resolve() for name in names]
        if missing := [folder for folder in folders if folder not in self.allowed()]:
            raise SettingsRefused(f"{missing[0]} is not allowed; `gasoline allow` lists the folders that are.")
        self._change(lambda allowed: allowed - set(folders))

    def _change(self, change: Callable[[set[Path]], set[Path]]) -> None:
        folder = private_dir(self._file.parent)
        with changing(self._file.with_suffix(".lock")):
            changed = change(set(self.allowed()))
            with written(folder, "".join(f"{one}\n" for one in sorted(changed))) as file:
                file.replace(self._file)


def is_open(path: Path, folders: Sequence[Path]) -> bool:
    """Whether a page may be given what lies at this path, which has no links in it."""
    return any(path.is_relative_to(folder) and not _closed(path, folder) for folder in folders)


def _closed(path: Path, folder: Path) -> bool:
    if holds_keys(path):
        return True
    return any(part.name.startswith(".") or _is_of_settings(part) for part in _below(path, folder))


def _below(path: Path, folder: Path) -> Iterator[Path]:
    """Give the path, and the folders that it is in, below `folder`."""
    while path != folder:
        yield path
        path = path.parent


def holds_keys(path: Path) -> bool:
    """Whether a path lies in a folder of keys."""
    return any(part.casefold() in SECRET for part in path.parts)


def _is_of_settings(folder: Path) -> bool:
    return folder.parent == Path.home().resolve() and folder.name.casefold() in SETTINGS


def _folder(name: str) -> Path:
    folder = Path(name).resolve()
    if not folder.is_dir():
        raise SettingsRefused(f"{folder} is no folder.")
    if holds_keys(folder):
        raise SettingsRefused(f"{folder} cannot be allowed: it holds keys and settings.")
    if "\n" in str(folder):
        raise SettingsRefused("A folder with a line break in its name cannot be allowed.")
    return folder
