"""JSON in a string, whole, cut off or broken: reads it with the place of each value, without repair.

One pass with a stack, no recursion, so that the cost is linear and the depth harmless. What is no JSON between values
is passed over. JavaScript's object notation (bare keys, single quotes) is read too.
"""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from gasoline_workers.redaction.spans import Span

DEPTH_LIMIT = 64
"""Levels of nesting that are told apart; what lies deeper is read as a document of its own."""

START = re.compile(
    r"\A\s{0,8}\"|\"[\w$.-]{1,64}\"\s{0,8}:|[{\[]\s{0,8}[\"'{\[]|\{\s{0,8}[\w$-]{1,64}\s{0,8}:|\[\s{0,8}(?:-?\d[\d.eE+-]{0,24}|null|true|false|-?Infinity|NaN)\s{0,8}[,\]]",
)
"""Where JSON may begin; a word in brackets, as in a log line, is not it. A bare field is in an object cut off in
front."""

FIELD = re.compile(r"\"[\w$.-]{1,64}\"\s{0,8}:")

TOKEN = re.compile(
    r"\s*+(?:(?P<mark>[{}\[\]:,])"
    r"|(?:\"(?P<double>(?:[^\"\\\n]++|\\.)*+)\"?|'(?P<single>(?:[^'\\\n]++|\\.)*+)'?|(?P<bare>[^\s{}\[\]:,\"']++))"
    r"(?:\s*+(?P<after>[:,]))?)",
    re.DOTALL,
)
PASSED_OVER = re.compile(r"(?:\s*+(?:[^\s{}\[\]:,\"']++(?!\s*+:)|,))++")
"""Words without quotes that are no keys, where a key is to come: most of JavaScript's code."""

ESCAPE = re.compile(r"\\(?:u(?P<u>[0-9a-fA-F]{4})|x(?P<x>[0-9a-fA-F]{2})|(?P<c>.))", re.DOTALL)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0"}
LITERALS = {"true": True, "false": False}
"""Words without quotes that are values."""

NUMBER_BEGINS = frozenset("-0123456789")
NUMBER = re.compile(r"-?\d{1,20}(?P<real>(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?)")


class Place(NamedTuple):
    """Where a value stands: the inside of a string, or the whole of anything else; then its keys' and parts' places."""

    start: int
    end: int
    quote: str = ""
    keys: tuple["Place", ...] = ()
    parts: tuple["Place", ...] = ()


def _name(value: object) -> str:
    """Return what a value means as a key; of containers only `[key]` is one."""
    if isinstance(value, list):
        return value[0] if len(value) == 1 and isinstance(value[0], str) else ""
    return "" if isinstance(value, dict) else str(value)


def _unrepeated(name: str, fields: dict[str, object]) -> str:
    """Return `name`, marked if it is repeated: a second value must not hide the first."""
    return f"{len(fields)}\0{name}" if name in fields else name


def _fields(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        fields = {}
        for name, value in pairs:
            fields[_unrepeated(name, fields)] = value
    return fields


DECODER = json.JSONDecoder(object_pairs_hook=_fields)


class _Word(str):
    """A word without quotes: it may be a key, but as a value it is code, or null."""

    __slots__ = ()


class _Open:
    """A container that is still being read."""

    __slots__ = ("closer", "fields", "items", "keys", "name", "named", "parts", "start")

    def __init__(self, start: int, mark: str) -> None:
        self.start = start
        self.closer = "}" if mark == "{" else "]"
        self.fields: dict[str, object] = {}
        self.items: list[object] = []
        self.keys: list[Place] = []
        self.parts: list[Place] = []
        self.name: tuple[str, Place] | None = None
        self.named = False

    @property
    def value(self) -> object:
        return self.fields if self.closer == "}" else self.items

    @property
    def awaits_key(self) -> bool:
        return not self.named and self.closer == "}"

    def add(self, value: object, place: Place) -> None:
        if self.closer == "]":
            self.items.append(value if value.__class__ is not _Word else None)
            self.parts.append(place)
        elif self.named and self.name:
            self._set(*self.name, value if value.__class__ is not _Word else None, place)
        else:
            self.name = _name(value), place

    def punctuate(self, mark: str) -> None:
        self.named = mark == ":" and self.name is not None
        if not self.named:
            self.name = None

    def close(self, end: int) -> Place:
        return Place(self.start, end, "", tuple(self.keys), tuple(self.parts))

    def _set(self, name: str, key: Place, value: object, place: Place) -> None:
        self.fields[_unrepeated(name, self.fields)] = value
        self.keys.append(key)
        self.parts.append(place)
        self.name, self.named = None, False


def valid(text: str, start: int = 0) -> tuple[object, int] | None:
    """Read one well-formed document from `start`, without places: its value and its end, or None; ten times as fast."""
    if FIELD.match(text, start):
        return None
    try:
        value, end = DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return value, end


def changes(before: object, after: object, place: Place) -> Iterator[Span]:
    """Find where a text must change so that it reads `after` where it read `before`."""
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _key_changes(before, after, place)
        for part in zip(before.values(), after.values(), place.parts, strict=True):
            yield from changes(*part)
    elif isinstance(before, list) and isinstance(after, list):
        for part in zip(before, after, place.parts, strict=True):
            yield from changes(*part)
    elif isinstance(after, str) and before != after:
        yield Span(place.start, place.end, _written(after, place))


def _key_changes(before: dict[str, object], after: dict[str, object], place: Place) -> Iterator[Span]:
    for old, new, key in zip(before, after, place.keys, strict=True):
        if old != new:
            yield Span(key.start, key.end, _written(new.rpartition("\0")[2], key))


def _written(text: str, place: Place) -> str:
    """Spell `text` as JSON at its place; outside quotes it gets some, for a bare marker would read as a list."""
    has_surrogates = any("\ud800" <= character <= "\udfff" for character in text)
    spelled = json.dumps(text, ensure_ascii=has_surrogates)
    if place.quote == "'":
        return spelled[1:-1].replace('\\"', '"').replace("'", "\\'")
    return spelled[1:-1] if place.quote else spelled


def read(text: str, start: int) -> tuple[object, Place]:
    """Read one document from `start`, however broken: its value in plain Python, and the place of every part of it.

    What is still open at the end of the text ends there; what is nested too deep ends before.
    """
    stack = [_Open(start, "{")] if FIELD.match(text, start) else []
    position, match, pass_over = start, TOKEN.match, PASSED_OVER.match
    while True:
        if stack and stack[-1].awaits_key and (passed := pass_over(text, position)):
            position, stack[-1].name = passed.end(), None
        if not (token := match(text, position)):
            break
        mark, double, single, bare, after = token.groups()  # read here, without a call for each: half of the time
        if mark is None:
            value, place = _leaf(token, double, single, bare)
            if not stack:
                return value, place
            opened = stack[-1]
            opened.add(value, place)
            if after:
                opened.punctuate(after)
        elif mark in "{[" and len(stack) == DEPTH_LIMIT:
            break
        elif done := _take(stack, token, mark):
            return done
        position = token.end()
    return _close_all(stack, position) if stack else ("", Place(position, position))


def _take(stack: list[_Open], token: re.Match[str], mark: str) -> tuple[object, Place] | None:
    """Take a mark; return the document if it is complete."""
    if mark in "{[":
        stack.append(_Open(token.start("mark"), mark))
    elif mark in ":,":
        if stack:
            stack[-1].punctuate(mark)
    elif any(opened.closer == mark for opened in stack):
        while stack[-1].closer != mark:
            _pop(stack, token.start("mark"))
        return _pop(stack, token.end())
    return None


def _add(stack: list[_Open], value: object, place: Place) -> tuple[object, Place] | None:
    if not stack:
        return value, place
    stack[-1].add(value, place)
    return None


def _pop(stack: list[_Open], end: int) -> tuple[object, Place] | None:
    closed = stack.pop()
    return _add(stack, closed.value, closed.close(end))


def _close_all(stack: list[_Open], end: int) -> tuple[object, Place]:
    while len(stack) > 1:
        _pop(stack, end)
    return stack[0].value, stack[0].close(end)


def _leaf(token: re.Match[str], double: str | None, single: str | None, bare: str | None) -> tuple[object, Place]:
    if double is not None:
        return _unescaped(double) if "\\" in double else double, Place(*token.span("double"), '"')
    if single is not None:
        return _unescaped(single) if "\\" in single else single, Place(*token.span("single"), "'")
    place, word = Place(*token.span("bare")), str(bare)
    if word[0] in NUMBER_BEGINS and (number := NUMBER.fullmatch(word)):
        return float(word) if number["real"] else int(word), place
    return LITERALS.get(word, _Word(word)), place


def _unescaped(raw: str) -> str:
    text = ESCAPE.sub(_character, raw)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def _character(escape: re.Match[str]) -> str:
    if code := escape["u"] or escape["x"]:
        return chr(int(code, 16))
    return ESCAPES.get(escape["c"], escape["c"])
