"""Which fields of the documented replies a real page has filled in this run; a whole run fails for the others."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import pytest

from gasoline_bridge.chrome import messages
from gasoline_bridge.front.reference import ANSWERS, LEFT_OUT, LIKE
from gasoline_bridge.front.tools import TOOLS

EMPTY: tuple[object, ...] = (None, "", [], {})

_LOGS_ALONE = "a page loses other kinds by chance, and they are counted as lines are: tests/unit/journal/test_file.py"
_COUNTS = "counts by kind and channel are few and short: tests/unit/journal"
UNSEEN: dict[str, str] = {
    "ExtensionRead.problem": "no browser is connected while it is filled: tests/process/test_doors.py",
    "StatusShown.waiting": "a queue is not empty for an instant alone: tests/unit/test_cli_status.py",
    "Request.cached": "Chrome may load again what it has: tests/unit/journal/test_reads.py",
    "ActionsReply.dropped": _LOGS_ALONE,
    "BodiesReply.dropped": _LOGS_ALONE,
    "ErrorsReply.dropped": _LOGS_ALONE,
    "PerformanceReply.dropped": _LOGS_ALONE,
    "RequestsReply.dropped": _LOGS_ALONE,
    "SocketsReply.dropped": _LOGS_ALONE,
    "VitalsReply.dropped": _LOGS_ALONE,
    "Redaction.cut": _COUNTS,
    "Redaction.truncated": _COUNTS,
    "RedactionsReply.dropped": _LOGS_ALONE,
    "RedactionsReply.evicted_through": _COUNTS,
    "RedactionsReply.omitted": _COUNTS,
    "Baseline.damaged": "no page damages the file of the baselines: tests/unit/regression/test_file.py",
    "TestSaved.hint": "no page has more than 1,000 steps in a test: tests/unit/journal/test_recording.py",
    "ReportSaved.hint": "no page has 5,000 actions: tests/unit/journal/test_recording.py",
    "SecurityCompared.reason": "no page keeps security alone from its evidence: tests/unit/regression/test_verdict.py",
}
"""The fields that no page can fill, each with the reason and the test that has it filled."""

PARTIAL = ("keyword", "markexpr", "lf", "stepwise", "deselect", "ignore", "ignore_glob", "collectonly")
"""The options of pytest with which not every test is run."""

seen: set[str] = set()
"""As `Struct.field`, of this process."""

noting = False
"""Whether the test that runs has a real browser."""


def note_reply(tool: str, arguments: dict[str, Any], reply: object) -> None:
    """Note the fields of a reply to a client."""
    key = TOOLS[tool].key if tool in TOOLS else ""
    mode = str(arguments.get(key) or "") if key else ""
    first = next((group[0] for group in LIKE.values() if mode in group), mode) if tool == "interact" else mode
    for shape in _shapes(ANSWERS.get((tool, first), ())):
        _note(shape, reply)
    if isinstance(reply, dict) and first == "batch":
        for step in reply.get("steps", []):
            note_reply("interact", {"action": step["action"]}, step)


def note_answer(command: str, answer: object) -> None:
    """Note the fields of what the extension answered, before it is redacted and judged."""
    if shape := messages.ANSWERS.get(command):
        _note(shape, answer)


def _note(shape: type[msgspec.Struct], reply: object) -> None:
    if noting:
        seen.update(_filled(shape, reply))


def is_whole(session: pytest.Session) -> bool:
    """Return whether every test was run: after a part of them, nothing is known of the other fields."""
    if session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS or session.shouldstop or session.shouldfail:
        return False
    is_over = session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
    return is_over and not any(session.config.getoption(name, None) for name in PARTIAL)


def faults(filled: set[str]) -> list[str]:
    """State what is wrong with the documented fields after a whole run that has seen these filled."""
    named = documented()
    unseen = sorted(named - filled - UNSEEN.keys())
    stale = sorted(name for name in UNSEEN if name not in named)  # a page may fill it by chance
    found = [f"{len(unseen)} documented fields were filled on no real page: {' '.join(unseen)}"] if unseen else []
    return found + ([f"tests/reply_fields.py: drop the reasons of {' '.join(stale)}"] if stale else [])


def documented() -> set[str]:
    """Give every field of docs/tools.md."""
    return {name for answer in ANSWERS.values() for shape in _shapes(answer) for name in _fields(shape, set())}


def _shapes(answer: Any) -> tuple[type[msgspec.Struct], ...]:
    return answer if isinstance(answer, tuple) else (answer,)


def _fields(struct: type[msgspec.Struct], visited: set[type]) -> Iterator[str]:
    if struct in visited:
        return
    visited.add(struct)
    for field in msgspec.structs.fields(struct):
        if field.name not in LEFT_OUT:
            yield f"{struct.__name__}.{field.name}"
            for inner in _structs(msgspec.inspect.type_info(field.type)):
                yield from _fields(inner, visited)


def _structs(info: Any) -> Iterable[type[msgspec.Struct]]:
    match info:
        case msgspec.inspect.StructType(cls=struct):
            return [struct]
        case msgspec.inspect.ListType(item_type=item) | msgspec.inspect.Metadata(type=item):
            return _structs(item)
        case msgspec.inspect.DictType(value_type=value):
            return _structs(value)
        case msgspec.inspect.UnionType(types=types):
            return [struct for one in types for struct in _structs(one)]
        case _:
            return []


def _filled(struct: type[msgspec.Struct], value: object) -> Iterator[str]:
    if not isinstance(value, dict):
        return
    for field in msgspec.structs.fields(struct):
        part = value.get(field.encode_name)
        if part in EMPTY:
            continue
        yield f"{struct.__name__}.{field.name}"
        for inner in _structs(msgspec.inspect.type_info(field.type)):
            for one in _values(part):
                yield from _filled(inner, one)


def _values(part: object) -> Iterable[object]:
    """Give the part itself, or what a list or a map of it holds."""
    if isinstance(part, list):
        return part
    return [part, *part.values()] if isinstance(part, dict) else [part]
