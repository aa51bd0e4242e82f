"""Edits one table of a TOML file in place: what it does not change keeps its every byte; pure.

Rules of this file:
- The standard library's parser decides what a statement is: lines belong to one until they parse by themselves.
- A change is made only if the result, parsed, is what was wanted: a form of writing that is not understood is refused.
- Removing what was appended gives the text as it was: a text without a last line break gets a table without one.
"""

import copy
import json
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

BOM = "\ufeff"


class Malformed(ValueError):  # noqa: N818 - reads as a sentence where it is raised
    """The text is no TOML, or has the table in a form that cannot be edited."""


class Statement(NamedTuple):
    """A header or a key with its value, an empty line or a comment. `table`: of a header, its path."""

    start: int
    end: int
    parsed: dict[str, Any]
    table: tuple[str, ...] | None


def parse(text: str) -> dict[str, Any]:
    """Parse a text.

    Raises:
        Malformed: it is not TOML.

    """
    try:
        return tomllib.loads(text.removeprefix(BOM))
    except tomllib.TOMLDecodeError as fault:
        raise Malformed(str(fault)) from None


def get(text: str, path: Sequence[str]) -> Any:  # noqa: ANN401 - a TOML value
    """Give the value at a path; None if there is none."""
    value: Any = parse(text)
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def merge(text: str, path: Sequence[str], value: Mapping[str, Any]) -> str:
    """Set the table at a path; of one that is there already, only the keys that differ.

    Raises:
        Malformed: the text cannot be parsed, or has the table in a form that cannot be edited.

    """
    found = get(text, path)
    if found is None:
        changed = _append(text, path, value)
    else:
        changed = text
        for key, part in value.items():
            changed = _set(changed, path, key, part)
    wanted = copy.deepcopy(parse(text))
    _merge_into(_descend(wanted, path), value)
    return _checked(changed, wanted, path)


def remove(text: str, path: Sequence[str]) -> str:
    """Remove the table at a path, with all below it.

    Raises:
        Malformed: the text cannot be parsed, or has the table in a form that cannot be edited.

    """
    if get(text, path) is None:
        return text
    changed = text
    while block := _block(changed, path, below=True):
        changed = _cut(changed, *block)
    wanted = copy.deepcopy(parse(text))
    _descend(wanted, path[:-1]).pop(path[-1], None)
    return _checked(changed, wanted, path)


def _descend(tables: dict[str, Any], path: Sequence[str]) -> dict[str, Any]:
    for key in path:
        tables = tables.setdefault(key, {})
        if not isinstance(tables, dict):
            raise Malformed(f"{key} is not a table")
    return tables


def _merge_into(table: dict[str, Any], value: Mapping[str, Any]) -> None:
    for key, part in value.items():
        if isinstance(part, dict) and isinstance(table.get(key), dict):
            table[key] = table[key] | part
        else:
            table[key] = part


def _checked(changed: str, wanted: dict[str, Any], path: Sequence[str]) -> str:
    try:
        same = _without_empty(parse(changed), path) == _without_empty(wanted, path)
    except Malformed:
        same = False
    if not same:
        name = ".".join(path)
        raise Malformed(f"{name} is not written as a table [{name}], and only that can be edited")
    return changed


def _without_empty(parsed: dict[str, Any], path: Sequence[str]) -> dict[str, Any]:
    """Drop the outer table when it has lost its only member."""
    return {key: part for key, part in parsed.items() if key != path[0] or part}


def _append(text: str, path: Sequence[str], value: Mapping[str, Any]) -> str:
    line = _newline(text)
    table = line.join([f"[{'.'.join(path)}]", *(f"{key} = {_literal(part)}" for key, part in value.items())])
    body = text.removeprefix(BOM)
    if not body:
        return text + table + line
    return f"{text}{line}{table}{line}" if body.endswith("\n") else f"{text}{line}{line}{table}"


def _set(text: str, path: Sequence[str], key: str, part: Any) -> str:  # noqa: ANN401 - a TOML value
    old = get(text, [*path, key])
    if isinstance(part, dict) and isinstance(old, dict):
        if _block(text, [*path, key], below=False):
            for name, one in part.items():
                text = _set(text, [*path, key], name, one)
            return text
        part = old | part
    if old == part:
        return text
    block = _block(text, path, below=False)
    if block is None:
        return text  # `_checked` refuses it
    new = f"{key} = {_literal(part)}"
    statements = [one for one in _statements(text) if block[0] <= one.start < block[1]]
    same = next((one for one in statements if one.table is None and list(one.parsed) == [key]), None)
    if same:
        ending = text[len(text[: same.end].rstrip("\r\n")) : same.end]
        return text[: same.start] + new + ending + text[same.end :]
    ends_line = text[: block[1]].endswith("\n")
    added = new + _newline(text) if ends_line else _newline(text) + new
    return text[: block[1]] + added + text[block[1] :]


def _block(text: str, path: Sequence[str], *, below: bool) -> tuple[int, int] | None:
    """Give where the table begins and where its last key ends; with `below` also of a table within it."""
    block = None
    for one in _statements(text):
        if one.table is not None:
            if block:
                return block
            if one.table == tuple(path) or (below and one.table[: len(path)] == tuple(path)):
                block = one.start, one.end
        elif block and one.parsed:
            block = block[0], one.end
    return block


def _cut(text: str, start: int, end: int) -> str:
    """Cut a table, and the empty line before it; from the end of a text without a last line break two."""
    before = text[:start]
    if before.endswith(("\n\n", "\n\r\n")):
        for _ in range(1 if text[:end].endswith("\n") else 2):
            before = before.removesuffix("\n").removesuffix("\r")
    return before + text[end:]


def _statements(text: str) -> list[Statement]:
    found: list[Statement] = []
    start = at = len(text) - len(text.removeprefix(BOM))
    for line in text[at:].split("\n"):
        at = min(at + len(line) + 1, len(text))
        try:
            parsed = tomllib.loads(text[start:at])
        except tomllib.TOMLDecodeError:
            continue
        if at > start:
            found.append(Statement(start, at, parsed, _table(text[start:at], parsed)))
        start = at
    return found


def _table(statement: str, parsed: dict[str, Any]) -> tuple[str, ...] | None:
    if not statement.lstrip().startswith("["):
        return None
    path: list[str] = []
    inner: object = parsed
    while isinstance(inner, dict) and inner:
        ((key, inner),) = inner.items()
        path.append(key)
    return tuple(path)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _literal(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_literal(part)}" for key, part in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)
