"""Bytes of a page: text in UTF-8 or UTF-16, or a frame of a binary protocol, whose strings are read in their places."""

import io
from collections.abc import Callable

import msgspec

from gasoline_workers.redaction import protobuf
from gasoline_workers.redaction.messages import unnumbered

UTF16_PART = 0.4
"""The part of the bytes that are zero, at every second place, in Latin text as UTF-16."""


Value = Callable[[object], object]
String = Callable[[str], str]

CBOR = frozenset((*range(0x80, 0xA0), *range(0xA0, 0xC0), 0xD9))
"""The first bytes of an array or a map of CBOR (RFC 8949, 3.1), and of what says to be CBOR (3.4.6)."""

CONTROL = frozenset(range(32)) - frozenset(b"\t\r\n")
"""Bytes that text does not have, and the lengths and tags of a message of Protocol Buffers are."""

FRAMES = frozenset(range(0x80, 0x90)) | {0xDE, 0xDF, 0xDC, 0xDD} | frozenset(range(0x90, 0xA0))
"""The first bytes of a MessagePack map or array."""


def clean(raw: bytes, value: Value, string: String) -> bytes:
    """Return `raw` without its secrets: in the same encoding, and of the same protocol."""
    if (encoding := _utf16(raw)) and (changed := _as(encoding, raw, string)) is not None:
        return changed
    if not CONTROL.isdisjoint(raw) and (message := protobuf.clean(raw, string, _pair(value))) is not None:
        return message
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return _frame(raw, value, string)
    return string(text).encode("utf-8", "surrogatepass")


def _as(encoding: str, raw: bytes, change: String) -> bytes | None:
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError:
        return None
    return change(text).encode(encoding)


def _utf16(raw: bytes) -> str:
    """Return the encoding of Latin text in UTF-16, or nothing."""
    if len(raw) < 8 or len(raw) % 2:  # noqa: PLR2004 - four characters
        return ""
    for encoding, first in (("utf-16-le", 1), ("utf-16-be", 0)):
        if raw[first::2].count(0) >= 2 * UTF16_PART * (len(raw) // 2) and not raw[1 - first :: 2].count(0):
            return encoding
    return ""


def _frame(raw: bytes, value: Value, string: String) -> bytes:
    """Read a frame of MessagePack as its data, of another protocol as text with lengths between its strings."""
    if raw[0] in FRAMES:
        try:
            data = msgspec.msgpack.decode(raw)
        except (msgspec.DecodeError, RecursionError, TypeError, ValueError):
            data = None
        if isinstance(data, dict | list):
            cleaned = value(data)
            return raw if cleaned == data else msgspec.msgpack.encode(cleaned)
    if raw[0] in CBOR and (changed := _cbor(raw, value)) is not None:
        return changed
    return unnumbered(string(raw.decode("latin-1"))).encode("latin-1", "replace")


def _cbor(raw: bytes, value: Value) -> bytes | None:
    import cbor2  # noqa: PLC0415 - 5 ms, which a system that reads no such frame does not pay

    stream = io.BytesIO(raw)
    try:
        data = cbor2.load(stream)
        if stream.read(1) or not isinstance(data, dict | list):
            return None
        cleaned = value(data)
        return raw if cleaned == data else cbor2.dumps(cleaned)
    except Exception:  # noqa: BLE001 - it is no CBOR, or has what cannot be written again: it is read as text
        return None


def _pair(value: Value) -> protobuf.Pair:
    def pair(name: str, text: str) -> str:
        cleaned = value([[name, text]])
        return cleaned[0][1] if isinstance(cleaned, list) else str(cleaned)

    return pair
