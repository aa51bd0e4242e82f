"""What each attacker tries, and what stops him; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("attacks-001", "attacks", "Switch", "After the switch is put off, a script that waits takes no further step by itself; `docs/extension.md` states what cannot be ended."),
    Requirement("attacks-002", "attacks", "Dependencies", "Every dependency has an upper bound, and what is installed stands in the lock file, without addresses."),
)
