"""Finds the system that runs, for the commands; it starts and ends nothing.

Rules of this file:
- A supervisor holds a lock in its runtime folder and one in its data folder. Each names its pid and both folders, so
  it is found by either: a runtime folder may vanish (systemd-tmpfiles empties it), and is made again by the system.
"""

import time
from typing import NamedTuple

from gasoline_broker.lock import held, holder
from gasoline_broker.settings import Settings

MADE_AGAIN_S = 5.0  # the system looks for its files each second
LOOK_S = 0.05


class Running(NamedTuple):
    """A supervisor, and the folders of its system ("" where it did not write them)."""

    pid: int
    data_dir: str
    runtime_dir: str

    def difference(self, settings: Settings) -> str:
        """State which folder it has otherwise than these settings, "" if they are the same."""
        if self.data_dir not in ("", str(settings.data_dir)):
            return f"it has the data folder {self.data_dir}, not {settings.data_dir}"
        if self.runtime_dir not in ("", str(settings.runtime_dir)):
            return f"it has the runtime folder {self.runtime_dir}, not {settings.runtime_dir}"
        return ""


def find(settings: Settings) -> Running | None:
    """Find the system that has one of these folders."""
    for path in (settings.supervisor_lock, settings.system_lock):
        pid, notes = held(path)
        if pid:
            data_dir, runtime_dir, *_ = (*notes, "", "")
            return Running(pid, data_dir, runtime_dir)
    return None


def broker_pid(settings: Settings) -> int:
    """Give the broker's pid, 0 without one; wait for one whose lock the running system is about to make again."""
    until = time.monotonic() + MADE_AGAIN_S
    while not (pid := holder(settings.broker_lock)):
        if find(settings) is None or time.monotonic() > until:
            return 0
        time.sleep(LOOK_S)
    return pid


def notes(settings: Settings) -> tuple[str, str]:
    """Give what a supervisor writes after its pid."""
    return str(settings.data_dir), str(settings.runtime_dir)
