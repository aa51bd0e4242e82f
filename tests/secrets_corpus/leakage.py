"""What is left of a secret after redaction, in any spelling, and what was lost beside it; knows no rule of ours."""

import base64
import binascii
import gzip
import html
import quopri
import re
from collections.abc import Iterator
from urllib.parse import unquote_plus

WINDOW = 8
"""The fewest characters of a secret that count as a leak."""

BASE64 = re.compile(r"[A-Za-z0-9+/_-]{12,}={0,2}")
HEX = re.compile(r"(?:[0-9a-fA-F]{2} ?){8,}")
ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})")
JOINTS = re.compile(r"[\u200b\ufeff]|[\"']\s*[+,]?\s*[\"']|\\?\r?\n[ \t]*|=\r?\n|(?<=[0-9a-f]) (?=[0-9a-f]{2}\b)")
PUBLIC = re.compile(r"https?://[^/]+/(?:[a-z-]+/)*")
"""What anybody may know of a link that lets one in: its host, and the words before the first segment that was drawn."""

MOST = 200_000


def leaves(body: object) -> Iterator[str]:
    """Find the strings in a body, keys and bytes included."""
    if isinstance(body, dict):
        for pair in body.items():
            yield from leaves(list(pair))
    elif isinstance(body, list | tuple):
        for part in body:
            yield from leaves(part)
    elif isinstance(body, bytes):
        yield body.decode("latin-1")
        if b"\x00" in body:
            yield body.replace(b"\x00", b"").decode("latin-1")
    else:
        yield str(body)


def readings(text: str, depth: int = 4) -> Iterator[str]:
    """Read a text in every encoding that a reader of a leak would try."""
    yield text
    if depth == 0 or len(text) > MOST:
        return
    decoded = {
        unquote_plus(text),
        html.unescape(text),
        ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), text),
        text.replace('\\"', '"').replace("\\\\", "\\").replace("\\/", "/"),
        JOINTS.sub("", text),
    }
    if "=\r\n" in text or re.search("=[0-9A-F]{2}", text):
        decoded.add(quopri.decodestring(text.encode("utf-8", "replace")).decode("utf-8", "replace"))
    for run in BASE64.findall(text):
        decoded.update(_from_base64(run))
    for run in HEX.findall(text):
        decoded.update(_text(bytes.fromhex(run.replace(" ", "")[: len(run.replace(" ", "")) // 2 * 2])))
    for other in decoded - {text}:
        yield from readings(other, depth - 1)


def _text(raw: bytes) -> Iterator[str]:
    yield raw.decode("latin-1")


def _from_base64(run: str) -> Iterator[str]:
    bare = run.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        raw = base64.b64decode(bare + "=" * (-len(bare) % 4))
    except (binascii.Error, ValueError):
        return
    if raw[:2] == b"\x1f\x8b":
        try:
            raw = gzip.decompress(raw)
        except (OSError, EOFError):
            return
    if sum(32 <= byte < 127 or byte in (9, 10, 13) for byte in raw) > 0.7 * len(raw):
        yield from _text(raw)


def windows(secret: str) -> set[str]:
    """Return the pieces of a secret of which none may be left."""
    if len(secret) <= WINDOW:
        return {secret}
    start = min(12, len(secret) - WINDOW) if len(secret) > 30 else 0
    if address := PUBLIC.match(secret):
        start = min(address.end(), len(secret) - WINDOW)
    return {secret[n : n + WINDOW] for n in range(start, len(secret) - WINDOW + 1)}


def leaks(secret: str, body: object) -> bool:
    """Return whether 8 characters of `secret` can be read in `body`."""
    pieces = windows(secret)
    return any(piece in reading for leaf in leaves(body) for reading in readings(leaf) for piece in pieces)


def lost(secret: str, before: object, after: object) -> int:
    """Return how many characters beside `secret` are gone, of the strings that show it as it is."""
    total = 0
    for old, new in zip(leaves(before), leaves(after), strict=False):
        if old == new or secret not in old:
            continue
        start, end = old.index(secret), len(old) - old.rindex(secret) - len(secret)
        head = next((n for n in range(min(start, len(new))) if old[n] != new[n]), min(start, len(new)))
        tail = next((n for n in range(min(end, len(new))) if old[-1 - n] != new[-1 - n]), min(end, len(new)))
        total += start - head + end - tail
    return total
