"""What `gasoline install` and `uninstall` do: change our entry in an MCP client's configuration, and nothing else."""

import difflib
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from gasoline_bridge.cli import config_file, jsonc, toml_tables
from gasoline_bridge.cli.clients import CLIENTS, Client, Entry, bases, entry, project_file, user_file
from gasoline_bridge.cli.tables import table
from gasoline_broker.errors import GasolineError, SettingsRefused
from gasoline_broker.product import NAME
from gasoline_broker.settings import PREFIX, Settings

FOLDERS = {"data_dir": "XDG_DATA_HOME", "runtime_dir": "XDG_RUNTIME_DIR"}
"""The folders of ours that the environment moves: a client that hands none on would start us in others."""

OF_ONE_PROCESS = {"system_id", "restarts", "lifeline_fd", "broker", "broker_key", "chromium"}
"""Settings that no assistant's session reads."""


class Target(NamedTuple):
    """A client's file, and what is to be in it."""

    client: Client
    path: Path
    entry: Entry

    @property
    def keys(self) -> list[str]:
        """The path of the entry within the file."""
        return [self.client.key, NAME]

    @property
    def format(self) -> Any:  # noqa: ANN401 - one of two modules with the same functions
        """The module that edits the file."""
        return toml_tables if self.client.format == "toml" else jsonc

    def merged(self, text: str) -> str:
        """Give the file's text with our entry; an empty file becomes one with nothing else."""
        if self.client.format == "jsonc" and not text.removeprefix("\ufeff").strip():
            text = f"{text.rstrip()}{{}}\n"
        return str(self.format.merge(text, self.keys, self.entry))

    def without(self, text: str) -> str:
        """Give the file's text without our entry."""
        return text if not text.strip() else str(self.format.remove(text, self.keys))


class State(msgspec.Struct, frozen=True):
    """One client as the list shows it. `state`: yes, no, changed, or why the file cannot be read."""

    client: str
    state: str
    file: str


def target(
    name: str, settings: Settings, environ: Mapping[str, str], *, project: bool, removes: bool = False
) -> Target:
    """Give the file of a client, and what is to be in it: nothing, if it `removes` our entry.

    Raises:
        SettingsRefused: there is no such file, or no command to write into it.

    """
    client = CLIENTS[name]
    path = project_file(client, Path.cwd()) if project else user_file(client, sys.platform, bases(_home(), environ))
    return Target(client, path, {} if removes else entry(name, str(command()), variables(settings, environ)))


def command() -> Path:
    """Give the command of this installation: beside its Python, in a checkout as with pip, pipx and uv.

    Raises:
        SettingsRefused: there is none that will last.

    """
    path = Path(sys.executable).absolute().with_name("gasoline.exe" if sys.platform == "win32" else "gasoline")
    if "archive-v0" in path.parts:  # where uvx keeps an environment until its cache is cleaned
        raise SettingsRefused(f"{path} is in a cache: run `uv tool install {NAME}`, then `gasoline install` from it.")
    if not path.is_file():
        raise SettingsRefused(f"{path} is missing: install Gasoline again (pip install --force-reinstall {NAME}).")
    return path


def variables(settings: Settings, environ: Mapping[str, str]) -> dict[str, str]:
    """Give the variables without which a process would read other settings than these."""
    usual = Settings()
    found = {}
    for field in msgspec.structs.fields(Settings):
        name, value = PREFIX + field.name.upper(), getattr(settings, field.name)
        moved = field.name in FOLDERS and bool(environ.get(FOLDERS[field.name])) and not _is_usual(field.name, value)
        if field.name not in OF_ONE_PROCESS and (value != getattr(usual, field.name) or moved):
            found[name] = str(value)
    return found


def _is_usual(name: str, folder: Path) -> bool:
    """Whether a process without XDG_* variables has this folder (XDG Base Directory; /run/user of systemd)."""
    if name == "data_dir":
        return folder == Path(os.path.expanduser("~/.local/share")) / NAME  # noqa: PTH111 - no fault without a home
    return folder == Path("/run/user") / str(os.getuid()) / NAME


def _home() -> Path:
    try:
        home = Path.home()
    except RuntimeError:
        raise SettingsRefused("There is no home folder: set HOME, or use --project.") from None
    if not home.is_dir():
        raise SettingsRefused(f"The home folder {home} does not exist: set HOME, or use --project.")
    return home


def install(to: Target, *, backup: bool) -> str:
    """Write our entry; give what was done, and what the user does next.

    Raises:
        SettingsRefused: the file cannot be changed.

    """
    if not config_file.replace(to.path, to.merged, backup=backup):
        return f"{to.client.title} is set up already: {to.path}"
    return f"{to.client.title} is set up: {to.path}\n{to.client.after}"


def uninstall(to: Target, *, backup: bool) -> str:
    """Remove our entry; give what was done.

    Raises:
        SettingsRefused: the file cannot be changed.

    """
    if not config_file.replace(to.path, to.without, backup=backup):
        return f"{to.client.title} has no entry for {NAME}: {to.path}"
    return f"{to.client.title} no longer starts {NAME}: {to.path}"


def as_diff(to: Target, *, removes: bool) -> str:
    """Give what would change in the file, as a unified diff; "" if nothing would."""
    before, after = config_file.changed(to.path, to.without if removes else to.merged)
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), str(to.path), str(to.path), lineterm="")
    return "\n".join(lines)


def states(settings: Settings, environ: Mapping[str, str], *, project: bool) -> list[State]:
    """Give each client's file, and whether we are in it."""
    names = [name for name, client in CLIENTS.items() if client.project or not project]
    found = [(name, target(name, settings, environ, project=project)) for name in names]
    return [State(name, _state(to), str(to.path)) for name, to in found]


def _state(to: Target) -> str:
    try:
        before, after = config_file.changed(to.path, to.merged)
        if before == after:
            return "yes"
        return "changed" if before.strip() and to.format.get(before, to.keys) is not None else "no"
    except GasolineError:
        return "unreadable"


def as_text(found: list[State]) -> str:
    """Give the clients as a table."""
    rows = [(one.client, one.state, one.file) for one in found]
    return "\n".join([*table(("client", "set up", "file"), rows, left=3), "", "gasoline install CLIENT sets one up."])


def as_json(found: list[State]) -> str:
    """Give the clients as JSON."""
    return msgspec.json.encode(found).decode()
