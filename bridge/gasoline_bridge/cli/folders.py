"""What `gasoline allow` changes and shows: the folders whose files pages may be given."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from gasoline_bridge.folders import Folders
from gasoline_broker.errors import SettingsRefused
from gasoline_broker.settings import Settings


def change(settings: Settings, names: Sequence[str], *, remove: bool) -> list[Path]:
    """Allow these folders, or no longer; give all that are allowed now.

    Raises:
        SettingsRefused: one is no folder, holds keys, or was not allowed.

    """
    folders = Folders(settings)
    if remove and not names:
        raise SettingsRefused("--remove needs a folder; `gasoline allow` lists those that are allowed.")
    if remove:
        folders.remove(names)
    elif names:
        folders.allow(names)
    return sorted(folders.allowed())


def as_json(allowed: Sequence[Path]) -> str:
    """Give the folders as one JSON object."""
    return msgspec.json.encode({"folders": [str(folder) for folder in allowed]}).decode()


def as_text(allowed: Sequence[Path]) -> str:
    """Give the folders as text for a person."""
    if not allowed:
        return "No folder is allowed: assistants can upload no file. `gasoline allow DIR` allows one."
    return "\n".join(["Assistants may upload the files of these folders:", *(f"  {folder}" for folder in allowed)])
