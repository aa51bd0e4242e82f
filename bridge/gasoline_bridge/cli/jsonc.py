"""Edits JSON with comments and trailing commas in place: what it does not change keeps its every byte; pure.

Rules of this file:
- Removing what was inserted gives the text as it was. For that the shape of the text states what was there before:
  an object that `merge` makes has space behind its brace; into an empty object that was there the member goes
  directly behind the brace. The outermost object is never removed.
- Of a key that occurs twice the last one counts, as for JSON.parse.
"""

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

DEPTH_MAX = 200  # of nesting; configurations have less than ten

_SPACE = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_SAME_LINE = re.compile(r"(?:[ \t]*(?://[^\r\n]*|/\*.*?\*/))*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_ATOM = re.compile(r"[-+.\w]+")
_INDENT = re.compile(r"(\r?\n)([ \t]*)$")


class Malformed(ValueError):  # noqa: N818 - reads as a sentence where it is raised
    """The text is no JSON, or not of the shape that is needed; the message has the line."""


class Node(NamedTuple):
    """A value with its place. `members`: of an object, in order."""

    start: int
    end: int
    value: Any
    members: "list[Member] | None" = None


class Member(NamedTuple):
    """A member of an object. `comma`: where the comma after it is; -1: there is none."""

    key: str
    start: int
    node: Node
    comma: int


def parse(text: str) -> Node:
    """Parse a text.

    Raises:
        Malformed: it is not JSON with comments.

    """
    start = _skip(text, 1 if text.startswith("\ufeff") else 0)
    node = _value(text, start, 0)
    if _skip(text, node.end) != len(text):
        raise _malformed(text, _skip(text, node.end), "something follows the end")
    return node


def get(text: str, path: Sequence[str]) -> Any:  # noqa: ANN401 - a JSON value
    """Give the value at a path; None if there is none."""
    node: Node | None = parse(text)
    for key in path:
        node = _find(node, key) if node else None
    return node.value if node else None


def merge(text: str, path: Sequence[str], value: Any) -> str:  # noqa: ANN401 - a JSON value
    """Set the value at a path; of an object that is there already, only the members that differ.

    Raises:
        Malformed: the text cannot be parsed, or something on the path is no object.

    """
    node = parse(text)
    for depth, key in enumerate(path):
        if node.members is None:
            raise _malformed(text, node.start, f"{_name(path[:depth])} is not an object")
        found = _find(node, key)
        if found is None:
            missing = value
            for name in reversed(path[depth + 1 :]):
                missing = {name: missing}
            return _insert(text, node, key, missing, makes=depth < len(path) - 1)
        node = found
    if node.members is None or not isinstance(value, dict):
        return text if node.value == value else text[: node.start] + _flat(value) + text[node.end :]
    for key, part in value.items():
        text = merge(text, [*path, key], part)
    return text


def remove(text: str, path: Sequence[str]) -> str:
    """Remove the member at a path, and an object on the path that `merge` made for it.

    Raises:
        Malformed: the text cannot be parsed.

    """
    nodes = [parse(text)]
    for key in path:
        found = _find(nodes[-1], key)
        if found is None:
            return text
        nodes.append(found)
    depth = len(path) - 1
    while depth > 0 and _is_made(text, nodes[depth]):
        depth -= 1
    return _cut(text, nodes[depth], path[depth])


def _name(path: Sequence[str]) -> str:
    return f'"{path[-1]}"' if path else "the outermost value"


def _find(node: Node, key: str) -> Node | None:
    return next((member.node for member in reversed(node.members or []) if member.key == key), None)


# Writing


def _insert(text: str, parent: Node, key: str, value: object, *, makes: bool) -> str:
    """Insert a member; `makes`: its value is an object that holds the wanted one, and is made for it."""
    members = parent.members or []
    if not members:
        return _insert_first(text, parent, key, value, makes=makes)
    last = members[-1]
    before = _INDENT.search(text, 0, last.start)
    end = last.comma + 1 if last.comma >= 0 else last.node.end
    comma = "," if last.comma >= 0 else ""
    if before is None:
        added = f" {_padded(key, value) if makes else _member(key, value)}{comma}"
    else:
        end = _same_line(text, end)
        added = before[0] + _block(key, value, before[0], _unit(text)) + comma
    text = text[:end] + added + text[end:]
    return text if comma else text[: last.node.end] + "," + text[last.node.end :]


def _insert_first(text: str, parent: Node, key: str, value: object, *, makes: bool) -> str:
    at, line = parent.start + 1, _newline(text) + _unit(text)
    if not makes:
        return text[:at] + _member(key, value) + text[at:]
    block = _block(key, value, line, _unit(text))
    if parent.end == parent.start + 2:
        return text[:at] + line + block + _newline(text) + text[at:]
    return text[:at] + block + text[at:]


def _same_line(text: str, at: int) -> int:
    """Give the end of the comments that follow on the line."""
    found = _SAME_LINE.match(text, at)
    return found.end() if found else at


def _cut(text: str, parent: Node, key: str) -> str:
    members = parent.members or []
    at = max(place for place, member in enumerate(members) if member.key == key)
    ours, previous = members[at], members[at - 1] if at else None
    end, rest = ours.node.end, text[ours.node.end :]
    if ours.comma >= 0:
        rest = text[end : ours.comma] + text[ours.comma + 1 :]
    if len(members) == 1:
        return _cut_only(text, parent, ours, rest)
    before = text[: _before(text, ours.start)]
    if previous and ours.comma < 0:
        before = before[: previous.comma] + before[previous.comma + 1 :]
    return before + rest


def _cut_only(text: str, parent: Node, ours: Member, rest: str) -> str:
    inside = text[parent.start + 1 : ours.start], text[ours.node.end : parent.end - 1]
    if inside[0].strip() or inside[1].strip(" \t\r\n,"):
        return text[: _before(text, ours.start)] + rest  # comments stay
    if not inside[0]:
        return text[: ours.start] + rest
    return text[: parent.start + 1] + text[parent.end - 1 :]


def _before(text: str, start: int) -> int:
    """Give where the line break and the indentation before a member begin."""
    found = _INDENT.search(text, 0, start)
    return found.start() if found else len(text[:start].rstrip(" \t"))


def _is_made(text: str, node: Node) -> bool:
    """Whether an object has one member with nothing but space around it: so `merge` makes them."""
    if node.members is None or len(node.members) != 1:
        return False
    (only,) = node.members
    before, after = text[node.start + 1 : only.start], text[only.node.end : node.end - 1]
    return bool(before) and not before.strip() and not after.strip()


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _unit(text: str) -> str:
    """Give what one level is indented by: as the first indented member is."""
    found = re.search(r'\n([ \t]+)"', text)
    return found[1] if found else "  "


def _block(key: str, value: object, line: str, unit: str) -> str:
    """Write a member on lines of its own; `line` is a line break with the member's indentation."""
    if not isinstance(value, dict) or not value:
        return _member(key, value)
    inner = line + unit
    members = ",".join(inner + _block(name, part, inner, unit) for name, part in value.items())
    return f"{_flat(key)}: {{{members}{line}}}"


def _member(key: str, value: object) -> str:
    return f"{_flat(key)}: {_flat(value)}"


def _padded(key: str, value: object) -> str:
    """Write a member whose value is an object, on one line, with space behind its brace."""
    return f"{_flat(key)}: {{ {_flat(value)[1:-1]} }}"


def _flat(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


# Reading


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _value(text: str, at: int, depth: int) -> Node:
    if depth > DEPTH_MAX:
        raise _malformed(text, at, f"more than {DEPTH_MAX} levels")
    if text.startswith("{", at):
        return _object(text, at, depth)
    if text.startswith("[", at):
        return _array(text, at, depth)
    found = (_STRING if text.startswith('"', at) else _ATOM).match(text, at)
    if found is None:
        raise _malformed(text, at, "a value is missing")
    try:
        return Node(at, found.end(), json.loads(found[0]))
    except ValueError:
        raise _malformed(text, at, f"{found[0][:40]} is no value") from None


def _object(text: str, start: int, depth: int) -> Node:
    members: list[Member] = []
    at = _skip(text, start + 1)
    while not text.startswith("}", at):
        key = _STRING.match(text, at)
        if key is None:
            raise _malformed(text, at, 'a "key" or } is missing')
        colon = _skip(text, key.end())
        if not text.startswith(":", colon):
            raise _malformed(text, colon, "a : is missing")
        node = _value(text, _skip(text, colon + 1), depth + 1)
        at, comma = _next(text, node.end, "}")
        members.append(Member(_value(text, key.start(), depth).value, key.start(), node, comma))
    return Node(start, at + 1, {member.key: member.node.value for member in members}, members)


def _array(text: str, start: int, depth: int) -> Node:
    items: list[Any] = []
    at = _skip(text, start + 1)
    while not text.startswith("]", at):
        node = _value(text, at, depth + 1)
        at, _ = _next(text, node.end, "]")
        items.append(node.value)
    return Node(start, at + 1, items)


def _next(text: str, end: int, closing: str) -> tuple[int, int]:
    """Give where the next part begins after a value, and where the comma between is (-1: there is none)."""
    at = _skip(text, end)
    if text.startswith(",", at):
        return _skip(text, at + 1), at
    if not text.startswith(closing, at):
        raise _malformed(text, at, f"a , or {closing} is missing")
    return at, -1


def _malformed(text: str, at: int, what: str) -> Malformed:
    return Malformed(f"line {text.count(chr(10), 0, at) + 1}: {what}")
