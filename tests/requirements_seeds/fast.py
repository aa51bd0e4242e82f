"""What the fast path promises of a start and of a call; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("fast-001", "fast", "Cold and small", "`gasoline up --compact` runs the workers as actors of one process behind the same broker: same labels, same itineraries."),
    Requirement("fast-002", "fast", "Cold and small", "Status, doctor, the log and `gasoline scale` state which workers are actors of one process."),
    Requirement("fast-003", "fast", "Cold and small", "Each worker of a compact system is restartable by name."),
    Requirement("fast-004", "fast", "Cold and small", "A crash of one actor does not take the others' work with it, beyond what the supervisor restarts."),
    Requirement("fast-005", "fast", "Cold and small", "The compact system is what a client starts by default; `gasoline up` and `--scale` give processes of their own."),
    Requirement("fast-006", "fast", "Cold and small", "Memory of the compact system is at most 120 MB (PSS)."),
    Requirement("fast-007", "fast", "Cold and small", "The shim answers `initialize` and `tools/list` itself from what the front wrote for this version, so a client sees the tools while the system starts, within 100 ms."),
    Requirement("fast-008", "fast", "Cold and small", "The promises of the shim hold meanwhile: both eras, cancel, a client that ends, and a system that does not start is an error that states why."),
    Requirement("fast-009", "fast", "Cold and small", "What it answers is never stale: a file of another version, or of files that have changed since, is not used."),
    Requirement("fast-010", "fast", "Cold and small", "The shim imports neither msgspec nor platformdirs where a system runs."),
    Requirement("fast-011", "fast", "The hub and the chain", "Small bodies are redacted and explained in the process's loop, large ones in its thread; no input holds the heartbeat."),
    Requirement("fast-012", "fast", "Python hops", "The front and the bridge write before they log."),
    Requirement("fast-013", "fast", "The hub and the chain", "`doctor` and the benchmark state which interpreter runs, optimised or not."),
)
