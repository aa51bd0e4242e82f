"""Runs the demonstration: `python -m gasoline_demo`, or `make demo`."""

import sys

from gasoline_broker.settings import Settings
from gasoline_demo.run import run

sys.exit(run(Settings.from_environ()))
