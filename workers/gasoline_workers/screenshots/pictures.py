"""Decodes pictures and makes smaller ones of them; it stores nothing."""

import hashlib
import io
from typing import NamedTuple

from PIL import Image, UnidentifiedImageError

from gasoline_broker.errors import fail
from gasoline_workers.screenshots.png import PIXELS_MAX, check

MODEL_EDGE_PX, MODEL_BYTES = 1_568, 200_000  # SPEC.md, Replies
THUMBNAIL_EDGE_PX = 320
QUALITIES = (85, 75, 60, 45, 30)
HASHED_ROWS = 64  # at a time: a copy of all pixels costs more than their hash
SHRINK = 0.8  # each side, when the lowest quality is still too large
PNG, JPEG = "image/png", "image/jpeg"

Image.MAX_IMAGE_PIXELS = PIXELS_MAX
BROKEN = (OSError, SyntaxError, ValueError, EOFError, UnidentifiedImageError, Image.DecompressionBombError)


class Coded(NamedTuple):
    """A picture as bytes of a MIME type."""

    data: bytes
    mime_type: str


def decode(picture: bytes) -> Image.Image:
    """Decode a whole PNG.

    Raises:
        Failed: it is none, or is too large, or its end is missing.

    """
    check(picture)
    try:
        image = Image.open(io.BytesIO(picture), formats=("PNG",))
        image.load()
    except BROKEN as fault:
        reason = str(fault)[:100]
        fail("screenshot_failed", f"The picture is damaged ({reason}). Nothing was stored.", "Take it again.")
    return image


def pixel_hash(image: Image.Image) -> str:
    """Return the SHA-256 of the decoded pixels and the size: equal for what looks the same, however it is coded."""
    width, height = image.size
    seen = _opaque(image)
    found = hashlib.sha256(f"{width}x{height}".encode())
    for top in range(0, height, HASHED_ROWS):
        found.update(seen.crop((0, top, width, min(top + HASHED_ROWS, height))).tobytes())
    return found.hexdigest()


def _opaque(image: Image.Image) -> Image.Image:
    """Return the picture as RGB, or as RGBA if anything shines through."""
    if image.mode == "RGB":
        return image
    flat = image.convert("RGBA")
    return flat.convert("RGB") if flat.getchannel("A").getextrema() == (255, 255) else flat


def for_model(picture: bytes, decoded: Image.Image | None = None) -> Coded:
    """Return a picture that a model may be sent: the PNG itself where it is small enough, which needs no pixels."""
    if len(picture) <= MODEL_BYTES and max(check(picture)) <= MODEL_EDGE_PX:
        return Coded(picture, PNG)
    image = decoded or decode(picture)
    small = _fitted(image, MODEL_EDGE_PX)
    while True:
        for quality in QUALITIES:
            if len(coded := _jpeg(small, quality)) <= MODEL_BYTES:
                return Coded(coded, JPEG)
        small = _fitted(small, max(1, int(max(small.size) * SHRINK)))


def thumbnail(image: Image.Image) -> Coded:
    """Return a small picture, to be recognized by people."""
    return Coded(_jpeg(_fitted(image, THUMBNAIL_EDGE_PX), QUALITIES[0]), JPEG)


def as_png(image: Image.Image) -> bytes:
    """Return a picture that was made here as PNG."""
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def _fitted(image: Image.Image, edge_px: int) -> Image.Image:
    """Return the picture on white, no longer than that on its longer side."""
    flat = image.convert("RGBA")
    white = Image.new("RGBA", flat.size, "white")
    white.alpha_composite(flat)
    longest = max(flat.size)
    if longest <= edge_px:
        return white.convert("RGB")
    size = [max(1, round(side * edge_px / longest)) for side in flat.size]
    return white.convert("RGB").resize((size[0], size[1]), Image.Resampling.LANCZOS)


def _jpeg(image: Image.Image, quality: int) -> bytes:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=quality)
    return out.getvalue()
