"""Decides whether something may be a PNG of a bearable size, and whether all of it has come; it decodes nothing. Pure.

The format: https://www.w3.org/TR/png-3/, 5 and 11.2.
"""

import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from gasoline_broker.errors import fail

SIGNATURE = b"\x89PNG\r\n\x1a\n"
HEADER = struct.Struct(">8sI4sII")
CHUNK = struct.Struct(">I4s")
CRC = struct.Struct(">I")
CHUNKS_MAX = 100_000  # Chrome's are of 8 KB
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
    if len(picture) < HEADER.size + 5:
        _refuse("is no PNG")
    signature, _length, kind, width, height = HEADER.unpack_from(picture)
    if signature != SIGNATURE or kind != b"IHDR" or not width or not height:
        _refuse("is no PNG")
    if width * height > PIXELS_MAX:
        text = f"The picture has {width}x{height} pixels; the store takes {PIXELS_MAX} at most."
        fail("payload_too_large", text, "Take one element, or the viewport.", width=width, height=height)
    return Size(width, height)


def check_whole(picture: bytes) -> Size:
    """Return the size of a picture all of whose chunks are there, each with its checksum.

    Nothing is inflated, which would take 10 ms for a picture of 1280 x 720: what comes from an encoder whole has all
    of its pixels, and what is decoded is checked for them then.

    Raises:
        Failed: as `check`; `screenshot_failed`: a part is missing or was changed.

    """
    size = check(picture)
    seen = set()
    for kind in _chunks(memoryview(picture)):
        if kind == b"IEND":
            break
        seen.add(kind)
    else:
        _refuse("is damaged: its end is missing")
    if b"IDAT" not in seen:
        _refuse("is damaged: it has no pixels")
    return size


def _chunks(view: memoryview) -> Iterator[bytes]:
    """Give the names of the chunks, as far as they are whole."""
    at = len(SIGNATURE)
    for _ in range(CHUNKS_MAX):
        if at + CHUNK.size + CRC.size > len(view):
            return
        length, kind = CHUNK.unpack_from(view, at)
        end = at + CHUNK.size + length
        if end + CRC.size > len(view):
            return
        if zlib.crc32(view[at + 4 : end]) != CRC.unpack_from(view, end)[0]:
            _refuse("is damaged")
        yield kind
        at = end + CRC.size


def _refuse(what: str) -> NoReturn:
    fail("screenshot_failed", f"What came as a picture {what}. Nothing was stored.")
