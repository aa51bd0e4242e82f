"""The user's rules as they are now: read again when `redaction.toml` or the switch of the settings page changes.

A file that becomes wrong changes nothing: the rules before it hold until it is mended, and the log states the fault.
"""

from pathlib import Path

import structlog

from gasoline_broker.errors import CannotStart
from gasoline_broker.settings import Settings
from gasoline_workers.redaction import policy_file
from gasoline_workers.redaction.policy import Policy

Stamp = tuple[int, int, bool]
"""When the file was written and its size, 0 without one, and whether the switch is on."""

logger = structlog.get_logger()


class OwnRules:
    """Gives the rules that hold now; a look costs two calls of the system."""

    def __init__(self, settings: Settings) -> None:
        """Read the rules.

        Raises:
            CannotStart: they are wrong; the sentence names the rule and the field.

        """
        self._folder, self._switch = settings.config_dir, settings.hide_personal
        self._stamp = self._stamp_now()
        self._policy = self._read(self._stamp)

    def now(self) -> Policy:
        """Return the rules, read again if they have changed."""
        if (stamp := self._stamp_now()) != self._stamp:
            self._stamp = stamp
            try:
                self._policy = self._read(stamp)
            except CannotStart as fault:
                logger.warning("own_rules_wrong", fault=str(fault))
        return self._policy

    def _read(self, stamp: Stamp) -> Policy:
        found = policy_file.load(self._folder)
        return found.with_personal() if stamp[2] else found

    def _stamp_now(self) -> Stamp:
        written = _written(self._folder / policy_file.FILE)
        return (*written, self._switch.exists())


def _written(file: Path) -> tuple[int, int]:
    try:
        found = file.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size
