"""Decides by its first bytes whether something may be a PNG of a bearable size; it decodes nothing. Pure.

The format: https://www.w3.org/TR/png-3/, 5 and 11.2.1.
"""

import struct
from typing import NamedTuple

from gasoline_broker.errors import fail

SIGNATURE = b"\x89PNG\r\n\x1a\n"
HEADER = struct.Struct(">8sI4sII")
FILE_BYTES_MAX = 10 << 20  # Chrome's pictures are 2 MB at most (SPEC.md, Limits); annotated ones may grow
PIXELS_MAX = 64_000_000  # 256 MB decoded; a page of 16,384 px at a width of 3,840 has 63 million


class Size(NamedTuple):
    """A size in pixels."""

    width: int
    height: int


def check(picture: bytes) -> Size:
    """Return the size that a picture states.

    Raises:
        Failed: `payload_too_large`, or `screenshot_failed` for what is no PNG.

    """
    if len(picture) > FILE_BYTES_MAX:
        text = f"The picture has {len(picture)} bytes; the store takes {FILE_BYTES_MAX} at most."
        fail("payload_too_large", text, "Take one element, or the viewport.", size_bytes=len(picture))
    if len(picture) < HEADER.size:
        _refuse("is no PNG")
    signature, _length, kind, width, height = HEADER.unpack_from(picture)
    if signature != SIGNATURE or kind != b"IHDR" or not width or not height:
        _refuse("is no PNG")
    if width * height > PIXELS_MAX:
        text = f"The picture has {width}x{height} pixels; the store takes {PIXELS_MAX} at most."
        fail("payload_too_large", text, "Take one element, or the viewport.", width=width, height=height)
    return Size(width, height)


def _refuse(what: str) -> None:
    fail("screenshot_failed", f"What came as a picture {what}. Nothing was stored.")
