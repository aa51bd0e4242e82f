"""The exceptions of Gasoline, as one tree, and the failure that an ask may be answered with.

GasolineError
├── Failed           an ask was answered by a Failure: its code, text and recovery are for the caller
├── SettingsRefused  an environment variable is unknown or has a wrong value
├── Damaged          a file is no longer a valid SQLite file: its process begins another, or stops
├── AlreadyRunning   another process holds the lock: names its pid
├── NotRunning       there is no system to ask
└── CannotStart      a process cannot work here (a taken port, another user's folder): starting again is futile
"""

from typing import Any, NoReturn

import msgspec

CANNOT_START = 78  # EX_CONFIG of sysexits.h: what a process exits with when starting it again is futile
FAILURE_TEXT_BYTES = 10_000  # the longest error that every MCP client passes on whole (docs/design.md, Limits)


class Failure(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """Answer: why an ask failed. `code` may be matched by a client, `recovery` is what to do next."""

    code: str
    text: str
    recovery: str = ""
    details: dict[str, Any] = msgspec.field(default_factory=dict)


class GasolineError(Exception):
    """The root: everything that Gasoline raises on purpose."""


class Failed(GasolineError):  # noqa: N818 - an ask that was answered by a Failure
    """An ask was answered by a Failure."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(f"{failure.code}: {failure.text}")
        self.failure = failure


class SettingsRefused(GasolineError):  # noqa: N818 - reads as a sentence where it is raised
    """An environment variable is unknown or has a wrong value."""


class Damaged(GasolineError):  # noqa: N818 - the same
    """A file is no longer a valid SQLite file, or contradicts itself."""


class AlreadyRunning(GasolineError):  # noqa: N818 - the same
    """Another process holds the lock."""

    def __init__(self, what: str, pid: int) -> None:
        super().__init__(f"{what} is already running (process {pid}).")
        self.pid = pid


class NotRunning(GasolineError):  # noqa: N818 - the same
    """There is no system to ask."""


class CannotStart(GasolineError):  # noqa: N818 - the same
    """A process cannot do its work here; starting it again is futile."""


def fail(code: str, text: str, recovery: str = "", /, **details: object) -> NoReturn:
    """Answer the current ask with a Failure; a detail may have any name, `text` too.

    Raises:
        Failed: always.

    """
    raise Failed(Failure(code, text, recovery, details))
