"""Pairs a packed copy of the extension, as from a store, with this machine: it has another id, and no token beside it.

The user gives its id to `gasoline extension pair`, and the code that this prints to the extension. The ids let a copy's
Origin through the bridge's guard; the token in the code is what lets it in.
"""

import re

from gasoline_bridge import installed
from gasoline_broker.errors import CannotStart, SettingsRefused
from gasoline_broker.settings import Settings

ID = re.compile("[a-p]{32}")  # Chrome's ids: hex digits, written as a to p
IDS_MAX = 16  # copies of one user: browsers and profiles


def pair(settings: Settings, extension: str) -> str:
    """Let the copy with this id through the guard, also of a bridge that runs, and give the code to paste into it.

    Raises:
        CannotStart: the ids or the token can be neither read nor written.
        SettingsRefused: it is no id of an extension, is that of the installed folder, or too many are paired.

    """
    require_id(extension)
    if extension == installed.own_id():
        raise SettingsRefused(
            f"{extension} is the folder of `gasoline extension install`: it has its token, and needs no pairing."
        )
    token = installed.token(settings)
    before = paired(settings)
    if extension not in before:
        if len(before) >= IDS_MAX:
            raise SettingsRefused(f"{IDS_MAX} copies are paired: take one away by `gasoline extension unpair ID`.")
        _write(settings, [*before, extension])
    return f"gasoline-{settings.port}-{token}"


def unpair(settings: Settings, extension: str) -> bool:
    """Let it through no more, from its next connection on; whether it was paired.

    Raises:
        CannotStart: the ids can be neither read nor written.
        SettingsRefused: it is no id of an extension.

    """
    require_id(extension)
    before = paired(settings)
    _write(settings, [one for one in before if one != extension])
    return extension in before


def require_id(extension: str) -> None:
    """Refuse what is no id of an extension.

    Raises:
        SettingsRefused: it has not 32 letters from a to p.

    """
    if not ID.fullmatch(extension):
        raise SettingsRefused(
            f"ID must be 32 letters from a to p, as chrome://extensions shows it, not {extension[:40]!r}."
        )


def paired(settings: Settings) -> list[str]:
    """List the paired ids.

    Raises:
        CannotStart: the file cannot be read.

    """
    try:
        lines = settings.paired_file.read_text(errors="replace").split()
    except FileNotFoundError:
        return []
    except OSError as fault:
        raise CannotStart(f"{settings.paired_file} cannot be read: {fault.strerror}.") from None
    return [line for line in lines[:IDS_MAX] if ID.fullmatch(line)]


def is_paired(settings: Settings, origin: str) -> bool:
    """Whether an Origin is that of a paired copy; of a file that cannot be read it is not."""
    scheme, _, extension = origin.partition("://")
    try:
        return scheme == "chrome-extension" and extension in paired(settings)
    except CannotStart:
        return False


def _write(settings: Settings, ids: list[str]) -> None:
    try:
        installed.write_private(settings.paired_file, "".join(f"{one}\n" for one in ids).encode())
    except OSError as fault:
        raise CannotStart(f"{settings.paired_file} cannot be written: {fault.strerror}.") from None
