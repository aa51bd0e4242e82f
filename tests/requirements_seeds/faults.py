"""What holds under faults and against attackers; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("faults-001", "faults", "Doors", "The extension sends nothing, and follows no command, before the program on the port has proved that it has the token; the token itself is never sent."),
    Requirement("faults-002", "faults", "Doors", "The server proves itself to a caller that shows nothing yet: HMAC-SHA-256 over the role, the port and the nonces of both."),
    Requirement("faults-003", "faults", "Doors", "A proof is of use once, for ten seconds, on one port and for one role."),
    Requirement("faults-004", "faults", "Doors", "A program that took the port, another user's included, is named by `up` and `doctor` and in the popup, and gets no token."),
    Requirement("faults-005", "faults", "Doors", "A program that takes the port between the proof and the connection gets nothing either."),
    Requirement("faults-006", "faults", "Lines", "A line that is no message gets the error that JSON-RPC names, with its id where one can be read, and the session lives."),
    Requirement("faults-007", "faults", "Lines", "A call that acts, cut off by the front's death, is a result with `outcome_unknown`; a cancelled one is forgotten."),
    Requirement("faults-008", "faults", "Lines", "A request but a call that is followed by the end of input is answered."),
    Requirement("faults-009", "faults", "Sessions", "No outage ends a client's session: a system that was stopped is started by the next call, or, held, by `gasoline up` alone; until then calls get `system_stopped`."),
    Requirement("faults-010", "faults", "Sessions", "Where only the front is away, no shim starts a system; of many that want one, one starts it."),
)
