"""Starts one of the broker's own processes for a test: `python start.py broker`, `python start.py up PROCFILE`."""

import sys
from pathlib import Path

from gasoline_broker import server, supervisor
from gasoline_broker.errors import AlreadyRunning, CannotStart
from gasoline_broker.settings import Settings


def main(what: str, procfile: str = "") -> None:
    """Be that process."""
    settings = Settings.from_environ()
    if what == "broker":
        server.run(settings)
    else:
        supervisor.run(settings, Path(procfile))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (CannotStart, AlreadyRunning) as fault:
        sys.stderr.write(f"{fault}\n")
        sys.exit(supervisor.CANNOT_START)
