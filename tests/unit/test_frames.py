"""A binary message of a WebSocket is decoded where its format is known, and its bytes are never kept."""

import struct
from typing import Any

import msgspec
import pytest

from gasoline_bridge.chrome.frames import decoded

pytestmark = pytest.mark.requirement("applications-047")

PARTS = (b"shell", b'{"msg_type": "execute_request"}', b"{}", b"{}", b'{"code": "1 + 1"}', b"a buffer")


def message(data: bytes) -> dict[str, Any]:
    """Make the event of a binary message."""
    return {"type": "websocket", "data": f"[Binary: {len(data)} bytes]", "bytes": data.hex()}


def jupyter(parts: tuple[bytes, ...]) -> bytes:
    """Write a message of Jupyter's protocol."""
    first = 8 * (len(parts) + 2)
    offsets = [first + sum(map(len, parts[:at])) for at in range(len(parts) + 1)]
    return struct.pack(f"<{len(offsets) + 1}Q", len(offsets), *offsets) + b"".join(parts)


@pytest.mark.parametrize(
    ("data", "kind", "text"),
    [
        (b'{"op": "save"}', "json", '{"op": "save"}'),
        (
            msgspec.msgpack.encode({"op": "sparen", "größe": [1, None]}),
            "msgpack",
            '{"op": "sparen", "größe": [1, null]}',
        ),
        (b"SEND\ndestination:/orders\n\nfour\0", "text", "SEND\ndestination:/orders\n\nfour"),
        (
            jupyter(PARTS),
            "jupyter",
            '{"channel": "shell", "msg_type": "execute_request", "content": {"code": "1 + 1"}}',
        ),
    ],
)
def test_a_message_of_a_known_format_is_decoded(data: bytes, kind: str, text: str) -> None:
    event = decoded(message(data))

    assert (kind, text, False) == (event["format"], event["decoded"], "bytes" in event)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x05",  # a number in MessagePack, and of anything else
        b"\x0a\x03abc\x10\x96\x01\xff",  # protobuf
        b"\x82\xa2op",  # MessagePack that is cut
        b"\x91" * 4_000,  # lists in lists
        b"\xff" * 64,
        struct.pack("<9Q", 8, *range(100, 108)),  # offsets to nothing
    ],
)
def test_what_is_of_no_known_format_stays_a_size(data: bytes) -> None:
    event = decoded(message(data))

    assert {"type": "websocket", "data": f"[Binary: {len(data)} bytes]"} == event


def test_bytes_that_are_no_digits_are_dropped() -> None:
    assert {"data": "x"} == decoded({"data": "x", "bytes": "zz"}) == decoded({"data": "x", "bytes": 7})


@pytest.mark.parametrize("levels", [100, 900, 950, 990, 2_000])
def test_a_message_that_is_nested_to_any_depth_is_none_of_jupyter_or_is_cut(levels: int) -> None:
    content = b"[" * levels + b"]" * levels
    event = decoded(message(jupyter((b"shell", b'{"msg_type": "a"}', b"{}", b"{}", content))))

    assert "bytes" not in event
