"""Finds the folders of the system by the environment alone, for the shim; it imports almost nothing.

Rules of this file:
- It gives the folders that `Settings` would give, or None: then the settings, which load more, decide or refuse.
- Only the folders' values are read; the values of all other settings are checked by what the system starts.
"""

import os
import stat
import sys
from collections.abc import Mapping
from typing import NamedTuple

from gasoline_broker.product import NAME

PREFIX = "GASOLINE_"
KNOWN = {
    "PORT",
    "DATA_DIR",
    "RUNTIME_DIR",
    "CONFIG_DIR",
    "BASELINES_DIR",
    "LOG_LEVEL",
    "CALL_TIMEOUT_S",
    "CHROMIUM",
    "SCREENSHOTS_MB",
    "SCREENSHOTS_DAYS",
    "LISTEN",
    "BROKER",
    "BROKER_KEY",
    "SYSTEM_ID",
    "RESTARTS",
    "LIFELINE_FD",
}
"""The settings; a test compares them with those of `Settings`."""

UNTIL_CALL, UNTIL_UP = "until_call", "until_up"
"""How long a system that was stopped on purpose stays so; what `gasoline down` writes."""


class Folders(NamedTuple):
    """The two folders of a system, and the files in them that a session needs."""

    data: str
    runtime: str

    @property
    def mcp_socket(self) -> str:
        """The socket on which the front meets `gasoline mcp`."""
        return f"{self.runtime}/mcp.sock"

    @property
    def answers_file(self) -> str:
        """What the front answers to every client alike (recorded_answers.py)."""
        return f"{self.data}/answers.json"

    @property
    def log_file(self) -> str:
        """The log of a system that a client has started."""
        return f"{self.data}/{NAME}.log"

    def stopped(self) -> str:
        """Give how long the system stays stopped: UNTIL_CALL, UNTIL_UP, "" if it was not stopped."""
        try:
            with open(f"{self.runtime}/stopped") as file:  # noqa: PTH123 - pathlib is a sixth of this start
                written = file.read()
        except OSError:
            return ""
        return UNTIL_UP if written == UNTIL_UP else UNTIL_CALL


def find(environ: Mapping[str, str]) -> Folders | None:
    """Return the folders, or None where only the settings know them."""
    if any(name.startswith(PREFIX) and name.removeprefix(PREFIX) not in KNOWN for name in environ):
        return None
    data = environ.get(f"{PREFIX}DATA_DIR", _data_dir(environ))
    runtime = environ.get(f"{PREFIX}RUNTIME_DIR", _runtime_dir(environ))
    if not (data.startswith("/") and runtime.startswith("/")):
        return None
    return Folders(data, runtime)


def _data_dir(environ: Mapping[str, str]) -> str:
    """Return the usual folder of Linux, as platformdirs has it; "" where it may be another one."""
    home = environ.get("HOME", "")
    base = environ.get("XDG_DATA_HOME") or (f"{home}/.local/share" if home.startswith("/") else "")
    return f"{base}/{NAME}" if sys.platform == "linux" and base else ""


def _runtime_dir(environ: Mapping[str, str]) -> str:
    """Return the usual folder of Linux, which no other user can have made; "" where platformdirs looks further."""
    base = f"/run/user/{os.geteuid()}"
    if sys.platform != "linux" or environ.get("XDG_RUNTIME_DIR", base) != base:
        return ""
    try:
        seen = os.lstat(base)
    except OSError:
        return ""
    is_ours = stat.S_ISDIR(seen.st_mode) and seen.st_uid == os.geteuid() and stat.S_IMODE(seen.st_mode) == 0o700  # noqa: PLR2004 - a mode
    return f"{base}/{NAME}" if is_ours else ""
