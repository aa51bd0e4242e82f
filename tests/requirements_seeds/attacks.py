"""What each attacker tries, and what stops him; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("attacks-001", "attacks", "Switch", "After the switch is put off, the call of a script that waits is answered and none begins; `docs/extension.md` states what cannot be ended."),
    Requirement("attacks-002", "attacks", "Dependencies", "Every dependency has an upper bound, and what is installed stands in the lock file, without addresses."),
    Requirement("attacks-003", "attacks", "Port", "No request that hides in another one, follows a refused one or is spelled otherwise is served."),
    Requirement("attacks-004", "attacks", "Port", "What is small to send and large to read costs the bridge no more memory than its limits, and its own connection alone."),
    Requirement("attacks-005", "attacks", "Port", "Nothing that a page or a client nests, to any depth, ends the link or a process; an event has 50 levels at most."),
    Requirement("attacks-006", "attacks", "Readers", "Random bodies, messages, lines, arguments, cursors, envelopes and proofs, 100,000 each by hand, are read or refused by name."),
    Requirement("attacks-007", "attacks", "Others", "Another user reads no file and reaches no socket, another extension is refused, and no process shows the token."),
    Requirement("attacks-008", "attacks", "Clients", "No client acts or reads as another one: by a name, an argument, a cursor or a tool's name."),
    Requirement("attacks-009", "attacks", "Answers", "What a page writes stays text in its field, and a falsified answer is refused whole."),
    Requirement("attacks-010", "attacks", "Pages", "A page gets nothing from the port and the extension, leaves nothing there, pretends to be no user, and its orders change nothing."),
    Requirement("attacks-011", "attacks", "Document", "`docs/security.md` lists each attack with what stops it and its test, and what is not stopped."),
)
