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
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # by the type of colour
DEPTHS = (1, 2, 4, 8, 16)
WHOLE = ((0, 0, 1, 1),)  # where the pixels of a pass begin, and how far apart they are: x, y, x, y
ADAM7 = (
    (0, 0, 8, 8),
    (4, 0, 8, 8),
    (0, 4, 4, 8),
    (2, 0, 4, 4),
    (0, 2, 2, 4),
    (1, 0, 2, 2),
    (0, 1, 1, 2),
)
PIECE = 1 << 18  # inflated at a time
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
    """Return the size of a picture all of which is there: each chunk with its checksum, and every byte of the pixels.

    It takes half the time of decoding, and no memory for the pixels.

    Raises:
        Failed: as `check`; `screenshot_failed`: a part is missing or was changed.

    """
    size = check(picture)
    view = memoryview(picture)
    missing, inflating = _pixel_bytes(view), zlib.decompressobj()
    for kind, content in _chunks(view):
        if kind == b"IEND":
            break
        rest: bytes | memoryview = content if kind == b"IDAT" else b""
        while rest and missing > 0:
            try:
                missing -= len(inflating.decompress(rest, min(missing, PIECE)))
            except zlib.error:
                _refuse("is damaged")
            rest = inflating.unconsumed_tail
    else:
        _refuse("is damaged: its end is missing")
    if missing > 0:
        _refuse("is damaged: a part of its pixels is missing")
    return size


def _pixel_bytes(view: memoryview) -> int:
    """Return how many bytes the pixels of a picture have before they are compressed (7.2, 8.2, 11.2.1)."""
    _, _, _, width, height = HEADER.unpack_from(view)
    depth, colour, _, _, interlaced = view[HEADER.size : HEADER.size + 5].tolist()
    if colour not in CHANNELS or depth not in DEPTHS:
        _refuse("is damaged")
    total = 0
    for left, top, right, down in ADAM7 if interlaced else WHOLE:
        columns, rows = -((left - width) // right), -((top - height) // down)
        if columns > 0 < rows:
            total += rows * (1 + (columns * CHANNELS[colour] * depth + 7) // 8)
    return total


def _chunks(view: memoryview) -> Iterator[tuple[bytes, memoryview]]:
    """Give the chunks, as far as they are whole."""
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
        yield kind, view[at + CHUNK.size : end]
        at = end + CRC.size


def _refuse(what: str) -> NoReturn:
    fail("screenshot_failed", f"What came as a picture {what}. Nothing was stored.")
