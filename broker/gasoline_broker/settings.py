"""The settings, with units and defaults; the only module that reads the environment."""

import math
import os
import re
import stat
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import platformdirs

from gasoline_broker.errors import CannotStart, SettingsRefused
from gasoline_broker.product import NAME

PREFIX = "GASOLINE_"
SCREENSHOTS_MAX = 1_000_000  # megabytes, days
IPC_PATH_BYTES_MAX = 107  # sun_path of a Unix socket is 108 bytes with its end (unix(7))

ADDRESS = re.compile(r"tcp://(\[[0-9a-fA-F:.%\w]+\]|\w[\w.-]*):\d{1,5}", re.ASCII)
KEY = re.compile(r"[0-9a-f]{64}")


def _runtime_dir() -> Path:
    """Return the platform's folder for sockets. Without one platformdirs finds a safe place in /tmp, and warns."""
    with warnings.catch_warnings(action="ignore"):
        try:
            return platformdirs.user_runtime_path(NAME)
        except PermissionError as fault:
            raise SettingsRefused(f"No folder for sockets: {fault}. Set GASOLINE_RUNTIME_DIR.") from None


class Settings(msgspec.Struct, frozen=True):
    """Everything that can be set. `GASOLINE_PORT=7891` sets `port`, and so on for each field."""

    port: int = 7890  # where Chrome's extension finds the bridge, on 127.0.0.1
    data_dir: Path = msgspec.field(default_factory=lambda: platformdirs.user_data_path(NAME))
    runtime_dir: Path = msgspec.field(default_factory=_runtime_dir)
    config_dir: Path = msgspec.field(default_factory=lambda: platformdirs.user_config_path(NAME))  # redaction.toml
    baselines_dir: str = ""  # where baselines and pictures are kept; empty: in the data folder
    log_level: str = "info"  # debug, info, warning or error
    call_timeout_s: float = 10.0  # a query's time from the assistant's call to its answer (seed 002)
    chromium: str = ""  # the browser that `make demo` opens; empty: the first one found
    screenshots_mb: int = 1_024  # what the pictures may take on the disk; the oldest that nothing needs go first
    screenshots_days: int = 30  # and how long they are kept
    listen: str = ""  # where the broker meets workers on other machines, such as tcp://10.0.0.5:7891; empty: nowhere
    broker: str = ""  # for a worker on another machine: its broker's `listen`
    broker_key: str = ""  # and that machine's public key, as its `gasoline keys` prints it
    system_id: str = ""  # set by the supervisor, for one life of the system; "": another program starts the processes
    restarts: int = 0  # set by the supervisor: how often it has started this process again
    lifeline_fd: int = -1  # set by the supervisor: a pipe that ends when it dies; -1: none

    @classmethod
    def from_environ(cls, environ: Mapping[str, str] = os.environ) -> "Settings":
        """Read the settings.

        Raises:
            SettingsRefused: a variable with our prefix is unknown or has a value of the wrong type or range.

        """
        texts = {name.removeprefix(PREFIX).lower(): text for name, text in environ.items() if name.startswith(PREFIX)}
        fields = {field.name: field.type for field in msgspec.structs.fields(cls)}
        for name in texts:
            if name not in fields:
                known = ", ".join(sorted(PREFIX + field.upper() for field in fields))
                raise SettingsRefused(f"{PREFIX}{name.upper()} is not a setting of {NAME}; the settings are {known}.")
        settings = cls(**{name: _convert(name, text, fields[name]) for name, text in texts.items()})
        return settings._checked()

    def _checked(self) -> "Settings":
        if not 0 < self.port < 1 << 16:
            raise SettingsRefused(f"GASOLINE_PORT is {self.port}; it must be 1 to 65535.")
        if self.log_level not in LOG_LEVELS:
            raise SettingsRefused(f"GASOLINE_LOG_LEVEL is {self.log_level!r}; it must be {', '.join(LOG_LEVELS)}.")
        for name, address in (("LISTEN", self.listen), ("BROKER", self.broker)):
            if address and not (ADDRESS.fullmatch(address) and 0 < int(address.rpartition(":")[2]) < 1 << 16):
                raise SettingsRefused(f"GASOLINE_{name} is {address!r}; it must be like tcp://10.0.0.5:7891.")
        if self.broker and not KEY.fullmatch(self.broker_key):
            raise SettingsRefused(
                "GASOLINE_BROKER needs GASOLINE_BROKER_KEY: the 64 hex digits of its `gasoline keys`."
            )
        for name, value in (("MB", self.screenshots_mb), ("DAYS", self.screenshots_days)):
            if not 0 < value <= SCREENSHOTS_MAX:
                raise SettingsRefused(f"GASOLINE_SCREENSHOTS_{name} is {value}; it must be 1 to {SCREENSHOTS_MAX}.")
        if not 0 < self.call_timeout_s < math.inf:
            raise SettingsRefused(f"GASOLINE_CALL_TIMEOUT_S is {self.call_timeout_s}; it must be more than 0.")
        longest = max((self.broker_socket, self.mcp_socket), key=lambda path: len(bytes(path)))
        if len(bytes(longest)) > IPC_PATH_BYTES_MAX:
            text = f"{longest} is too long for a socket's path ({IPC_PATH_BYTES_MAX} bytes)"
            raise SettingsRefused(f"{text}: set GASOLINE_RUNTIME_DIR to a shorter folder.")
        return self

    def environ(self) -> dict[str, str]:
        """Return the variables that make another process read these very settings."""
        kept = msgspec.structs.asdict(self) | {"restarts": 0, "lifeline_fd": -1}
        return {PREFIX + name.upper(): str(value) for name, value in kept.items()}

    @property
    def broker_socket(self) -> Path:
        """The socket on which the broker meets every other process."""
        return self.runtime_dir / "broker.sock"

    @property
    def broker_address(self) -> str:
        """Where this process meets its broker, as ZeroMQ writes it."""
        return self.broker or self.local_address

    @property
    def local_address(self) -> str:
        """Where a broker meets the processes of its own machine."""
        return f"ipc://{self.broker_socket}"

    @property
    def mcp_socket(self) -> Path:
        """The socket on which the front meets `gasoline mcp`."""
        return self.runtime_dir / "mcp.sock"

    @property
    def supervisor_lock(self) -> Path:
        """What the supervisor holds, with its process id, while the system runs."""
        return self.runtime_dir / "supervisor.lock"

    @property
    def system_lock(self) -> Path:
        """What the supervisor holds as well: the runtime folder may vanish under it."""
        return self.data_dir / "system.lock"

    @property
    def broker_lock(self) -> Path:
        """What the broker holds, with its process id."""
        return self.runtime_dir / "broker.lock"

    @property
    def stopped_file(self) -> Path:
        """What `gasoline down` leaves until the next start: how long the system stays stopped."""
        return self.runtime_dir / "stopped"

    @property
    def pictures_dir(self) -> Path:
        """Where baselines and pictures are kept: several systems may use one such folder."""
        return Path(self.baselines_dir).expanduser().absolute() if self.baselines_dir else self.data_dir

    @property
    def extension_dir(self) -> Path:
        """The copy of the extension that Chrome loads."""
        return self.data_dir / "extension"

    @property
    def token_file(self) -> Path:
        """The secret that the installed extension shares with the bridge."""
        return self.data_dir / "token"

    @property
    def paired_file(self) -> Path:
        """The ids of packed copies of the extension that the user has paired, one a line."""
        return self.data_dir / "paired"

    @property
    def client_token_file(self) -> Path:
        """The secret that a client of MCP over HTTP shows."""
        return self.data_dir / "client_token"

    @property
    def log_file(self) -> Path:
        """Where a system that was started in the background writes its log."""
        return self.data_dir / "gasoline.log"

    @property
    def hide_personal(self) -> Path:
        """What is there while the switch of Chrome's settings page hides personal data."""
        return self.data_dir / "hide-personal-data"


LOG_LEVELS = ("debug", "info", "warning", "error")


def _convert(name: str, text: str, kind: object) -> Any:  # noqa: ANN401 - a field's value has the field's type
    if kind is Path:
        if not text:  # it would mean the current folder, which would then be closed to other users
            raise SettingsRefused(f"{PREFIX}{name.upper()} is empty; it must name a folder.")
        return Path(text).expanduser().absolute()
    try:
        return msgspec.convert(text, kind, strict=False)
    except msgspec.ValidationError as fault:
        raise SettingsRefused(f"{PREFIX}{name.upper()} is {text!r}: {fault}.") from None


def private_dir(path: Path) -> Path:
    """Make sure that the folder exists, is ours and is closed to other users (0700).

    Raises:
        CannotStart: the folder belongs to another user or cannot be made.

    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        seen = path.stat()
    except OSError as fault:
        raise CannotStart(f"{path} cannot be used: {fault.strerror}.") from None
    if seen.st_uid != os.geteuid():
        raise CannotStart(f"{path} belongs to another user: set another folder or remove it.")
    if stat.S_IMODE(seen.st_mode) & 0o077:
        try:
            path.chmod(0o700)
        except OSError as fault:
            raise CannotStart(f"{path} is open to others, and cannot be closed: {fault.strerror}.") from None
    return path


def writable_dir(path: Path) -> Path:
    """Make sure of a private folder, and that it can be written to.

    Raises:
        CannotStart: it cannot, or it is none of ours.

    """
    if not os.access(private_dir(path), os.W_OK | os.X_OK):
        raise CannotStart(f"{path} is read-only: make it writable, or set GASOLINE_DATA_DIR to another folder.")
    return path
