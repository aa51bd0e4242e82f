"""Makes PNG files for tests: small ones, and ones that are not what they state."""

import io
import random
import struct
import zlib

from PIL import Image


def png(colour: str = "red", width: int = 8, height: int = 6) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(out, "PNG")
    return out.getvalue()


def noise(width: int, height: int, seed: int = 1) -> bytes:
    """Return a PNG that no coder makes much smaller."""

    pixels = random.Random(seed).randbytes(width * height * 3)  # noqa: S311 - no secret
    out = io.BytesIO()
    Image.frombytes("RGB", (width, height), pixels).save(out, "PNG")
    return out.getvalue()


def stating(width: int, height: int, data: bytes = b"") -> bytes:
    """Return a PNG whose header states a size, with other data behind it."""
    return _with(struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0), data)


def _with(header: bytes, data: bytes) -> bytes:
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(data)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks
    )
