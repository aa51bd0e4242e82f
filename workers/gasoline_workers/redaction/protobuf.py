"""Messages of Protocol Buffers without their schema: the texts of their fields, read and written in their places.

The wire format (https://protobuf.dev/programming-guides/encoding/) tells a field's number and length, not whether its
bytes are a text or a message: what is printable is a text, and what can be read as a message to its last byte is one.
"""

from collections.abc import Callable
from typing import NamedTuple

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5
LONGEST_VARINT = 10
DEPTH_LIMIT = 16
PREFIX = 5
"""gRPC over HTTP/2, length-prefixed message: one byte of flags, four of the length."""

Pair = Callable[[str, str], str]
String = Callable[[str], str]


class _Field(NamedTuple):
    """A field: its number, its bytes as they are with tag and length, and what a field with a length holds."""

    number: int
    raw: bytes
    tag: bytes = b""
    text: str | None = None
    parts: "tuple[_Field, ...] | None" = None


def clean(raw: bytes, string: String, pair: Pair) -> bytes | None:
    """Return a message, or gRPC's frame around one, without its secrets, or None if it is neither.

    `pair` is asked for a text whose neighbour, of the number before, may be its name: entries of maps are such.
    """
    if len(raw) > PREFIX and raw[0] == 0 and int.from_bytes(raw[1:PREFIX]) == len(raw) - PREFIX:
        inner = clean(raw[PREFIX:], string, pair)
        return None if inner is None else b"\0" + len(inner).to_bytes(4) + inner
    fields = _fields(raw, 0)
    if fields is None or not _has_text(fields):
        return None
    return _written(fields, string, pair)


def _written(fields: tuple[_Field, ...], string: String, pair: Pair) -> bytes:
    pieces = []
    before: _Field | None = None
    for field in fields:
        piece = field.raw
        if field.parts is not None:
            piece = _with_length(field.tag, _written(field.parts, string, pair))
        elif field.text is not None:
            named = before is not None and before.text is not None and before.number + 1 == field.number
            text = pair(before.text, field.text) if named and before and before.text else string(field.text)
            piece = field.raw if text == field.text else _with_length(field.tag, text.encode())
        pieces.append(piece)
        before = field
    return b"".join(pieces)


def _fields(raw: bytes, depth: int) -> tuple[_Field, ...] | None:
    fields, position = [], 0
    while position < len(raw):
        field = _field(raw, position, depth)
        if field is None:
            return None
        fields.append(field)
        position += len(field.raw)
    return tuple(fields) if fields else None


def _field(raw: bytes, start: int, depth: int) -> _Field | None:
    tag, position = _varint(raw, start)
    number, wire = tag >> 3, tag & 7
    if position < 0 or number == 0:
        return None
    if wire == LENGTH:
        size, begin = _varint(raw, position)
        if begin < 0 or begin + size > len(raw):
            return None
        held = raw[begin : begin + size]
        text = _text(held)
        parts = _fields(held, depth + 1) if text is None and depth < DEPTH_LIMIT else None
        return _Field(number, raw[start : begin + size], raw[start:position], text, parts)
    if wire == VARINT:
        _, end = _varint(raw, position)
    else:
        end = position + {FIXED64: 8, FIXED32: 4}.get(wire, len(raw) + 1)
    return _Field(number, raw[start:end]) if 0 <= end <= len(raw) else None


def _varint(raw: bytes, start: int) -> tuple[int, int]:
    """Return a number and where it ends, or -1."""
    value = 0
    for place, byte in enumerate(raw[start : start + LONGEST_VARINT]):
        value |= (byte & 127) << 7 * place
        if byte < 128:  # noqa: PLR2004 - the last byte of a number
            return value, start + place + 1
    return 0, -1


def _with_length(tag: bytes, held: bytes) -> bytes:
    size, length = len(held), bytearray()
    while size > 127:  # noqa: PLR2004 - as above
        length.append(size & 127 | 128)
        size >>= 7
    return tag + bytes((*length, size)) + held


def _text(held: bytes) -> str | None:
    try:
        text = held.decode()
    except UnicodeDecodeError:
        return None
    return text if text and all(one.isprintable() or one in "\t\r\n" for one in text) else None


def _has_text(fields: tuple[_Field, ...]) -> bool:
    return any(field.text is not None or (field.parts is not None and _has_text(field.parts)) for field in fields)
