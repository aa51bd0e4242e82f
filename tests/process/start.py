"""Starts one of the broker's own processes for a test: `start.py broker`, `start.py up PROCFILE [NAME=COUNT…]`."""

import sys
from pathlib import Path

from gasoline_broker.errors import CANNOT_START, AlreadyRunning, CannotStart
from gasoline_broker.hub import server
from gasoline_broker.settings import Settings
from gasoline_broker.supervisor import procfile, supervisor


def main(what: str, path: str = "", *counts: str) -> None:
    """Be that process."""
    settings = Settings.from_environ()
    if what == "broker":
        server.run(settings)
    else:
        supervisor.run(settings, Path(path), procfile.read_counts(counts))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (CannotStart, AlreadyRunning) as fault:
        sys.stderr.write(f"{fault}\n")
        sys.exit(CANNOT_START)
