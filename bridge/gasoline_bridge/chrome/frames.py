"""Decodes the binary messages of WebSockets that are JSON, text, MessagePack or Jupyter's; stores no bytes; pure.

It runs before redaction, which reads what was decoded as it reads every text of a page.
"""

import itertools
import json
import struct
from typing import Any, Final

import msgspec

DECODED_MAX: Final = 4 << 10  # seed 002, Limits: 4 KB of a message
PRINTED_SHARE: Final = 0.95  # a text has hardly any other characters: control codes
JUPYTER_PARTS: Final = 5  # channel, header, parent header, metadata, content; then buffers

COUNT: Final = struct.Struct("<Q")

Event = dict[str, Any]


def decoded(event: Event) -> Event:
    """Return an event with `decoded` and `format` in the place of its `bytes`, where these are known."""
    if "bytes" not in event:
        return event
    rest = {name: value for name, value in event.items() if name != "bytes"}
    try:
        found = _read(bytes.fromhex(event["bytes"]))
    except (TypeError, ValueError):
        return rest
    if found is None:
        return rest
    kind, text = found
    return (
        rest
        | {"format": kind, "decoded": text[:DECODED_MAX]}
        | ({"truncated": True} if len(text) > DECODED_MAX else {})
    )


def _read(data: bytes) -> tuple[str, str] | None:
    """Return the format and the text of a message, None for one of another format."""
    return _json(data) or _jupyter(data) or _text(data) or _msgpack(data)


def _json(data: bytes) -> tuple[str, str] | None:
    try:
        if data.lstrip()[:1] in (b"{", b"[") and msgspec.json.decode(data) is not None:
            return "json", data.decode()
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        pass
    return None


def _text(data: bytes) -> tuple[str, str] | None:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    printed = sum(character.isprintable() or character in "\r\n\t" for character in text.rstrip("\0"))
    return ("text", text.rstrip("\0")) if text and printed >= PRINTED_SHARE * len(text.rstrip("\0")) > 0 else None


def _msgpack(data: bytes) -> tuple[str, str] | None:
    """Read a map or a list: nearly every byte alone is a number in MessagePack."""
    try:
        value = msgspec.msgpack.decode(data)
        return (
            ("msgpack", json.dumps(value, default=str, ensure_ascii=False)) if isinstance(value, dict | list) else None
        )
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError, TypeError, ValueError):
        return None


def _jupyter(data: bytes) -> tuple[str, str] | None:
    """Read `v1.kernel.websocket.jupyter.org`: how many offsets, the offsets, and the parts between them.

    https://jupyter-server.readthedocs.io/en/latest/developers/websocket-protocols.html
    """
    (count,) = COUNT.unpack_from(data) if len(data) >= COUNT.size else (0,)
    if not JUPYTER_PARTS < count < len(data) // COUNT.size:
        return None
    offsets = struct.unpack_from(f"<{count}Q", data, COUNT.size)
    parts = [data[begin:end] for begin, end in itertools.pairwise(offsets)]
    try:
        header, content = msgspec.json.decode(parts[1], type=dict[str, Any]), msgspec.json.decode(parts[4])
        whole = {"channel": parts[0].decode(), "msg_type": header["msg_type"], "content": content}
        return "jupyter", json.dumps(whole, ensure_ascii=False)
    except (msgspec.MsgspecError, RecursionError, KeyError, IndexError, UnicodeDecodeError):
        return None
