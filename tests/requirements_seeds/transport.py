"""How clients reach the front beside a command: MCP over HTTP; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("transport-001", "transport", "HTTP", "`gasoline mcp --http` serves clients that take no command in both eras of the protocol, with the same tools, replies and errors; it starts the system, names a taken port, and at its end answers what was asked."),
    Requirement("transport-002", "transport", "HTTP", "On 127.0.0.1 alone, who shows no token, a foreign Host or any Origin but its own is refused without a body; what is no message costs nothing but itself; the token lasts, and only its user reads it."),
    Requirement("transport-003", "transport", "Conformance", "The official conformance suite runs against our front over HTTP: every scored check of 2025-11-25 and of 2026-07-28 passes."),
    Requirement("transport-004", "transport", "Tasks", "To a client that declares the extension io.modelcontextprotocol/tasks an analysis that runs on is a task: created, read, with the whole result of its call once completed, cancelled; found by the next front; others get no task, and -32021 for its methods."),
)
