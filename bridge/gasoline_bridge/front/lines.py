"""Reads the lines of a client as JSON-RPC messages, and answers those that are none; pure, with hardly an import.

The codes are those of JSON-RPC 2.0, section 5.1. An answer has the request's id where one can be read, else null.
"""

import json
from typing import Any, Final, NamedTuple

BYTES_MAX: Final = 16 << 20
DEPTH_MAX: Final = 100
"""Arrays and objects within each other; the front's reader of JSON stops at 200."""

PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32600, -32602, -32603

Message = dict[str, Any]


class Refusal(NamedTuple):
    """Why a line is no message that the front can answer."""

    code: int
    text: str
    id: str | int | None = None

    def line(self) -> bytes:
        """Give the answer as a line."""
        error = {"code": self.code, "message": self.text}
        return json.dumps({"jsonrpc": "2.0", "id": self.id, "error": error}, separators=(",", ":")).encode() + b"\n"


def read(line: bytes) -> Message | Refusal | None:
    """Read a line: a message, why it is none, or None for what JSON-RPC leaves unanswered (an empty line)."""
    if not line.strip():
        return None
    try:
        message = json.loads(line.decode("utf-8", "replace"))
    except RecursionError:
        return _too_deep(None)
    except ValueError as fault:
        return Refusal(PARSE_ERROR, f"Parse error: the line is no JSON ({fault}).")
    if not isinstance(message, dict):
        what = "Send each message on a line of its own." if isinstance(message, list) else "A message is an object."
        return Refusal(INVALID_REQUEST, f"Invalid request. {what}")
    return _fault_of_text(line, message) or _fault_of_message(message) or message


def _fault_of_text(line: bytes, message: Message) -> Refusal | None:
    """Name what the front's reader would not take of a line."""
    number = id_of(message)
    if len(line) > BYTES_MAX:
        return Refusal(INVALID_REQUEST, f"Invalid request: a message has at most {BYTES_MAX >> 20} MB.", number)
    if not _is_utf_8(line):
        return Refusal(PARSE_ERROR, "Parse error: the line is not UTF-8.", number)
    if line.count(b"{") + line.count(b"[") > DEPTH_MAX and _depth(message) > DEPTH_MAX:
        return _too_deep(number)
    if b"\\ud" in line.lower() and not _has_whole_characters(message):
        return Refusal(PARSE_ERROR, "Parse error: a text has half of a surrogate pair, such as a cut emoji.", number)
    return None


def _fault_of_message(message: Message) -> Refusal | None:
    """Name what is wrong with the members that JSON-RPC has."""
    number = id_of(message)
    if message.get("jsonrpc") != "2.0":
        return Refusal(INVALID_REQUEST, 'Invalid request: `jsonrpc` is "2.0".', number)
    if "method" not in message and ("result" in message or "error" in message):
        return None  # an answer of the client
    if not isinstance(message.get("method"), str):
        return Refusal(INVALID_REQUEST, "Invalid request: `method` is text.", number)
    if "id" in message and number is None:
        return Refusal(INVALID_REQUEST, "Invalid request: `id` is text or a whole number.")
    if "id" in message and not isinstance(message.get("params", {}), dict):
        return Refusal(INVALID_PARAMS, "Invalid params: `params` is an object.", number)
    return None


def id_of(message: Message) -> str | int | None:
    """Give the id of a message, None without one that MCP allows."""
    number = message.get("id")
    return number if isinstance(number, str | int) and not isinstance(number, bool) else None


def _too_deep(number: str | int | None) -> Refusal:
    text = f"Parse error: arrays and objects within each other go {DEPTH_MAX} deep at most."
    return Refusal(PARSE_ERROR, text, number)


def _is_utf_8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _has_whole_characters(message: Message) -> bool:
    try:
        json.dumps(message, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _depth(message: Message) -> int:
    depth = 0
    level: list[dict[str, Any] | list[Any]] = [message]
    while level:
        depth += 1
        level = [
            part
            for whole in level
            for part in (whole.values() if isinstance(whole, dict) else whole)
            if isinstance(part, dict | list)
        ]
    return depth
