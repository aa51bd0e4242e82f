"""Encodings inside a text: percent, HTML entities, Base64 of JSON, multipart."""

import base64
import binascii
import html
import re
from collections.abc import Callable, Iterator
from urllib.parse import quote_plus, unquote_plus

from gasoline_workers.redaction import values
from gasoline_workers.redaction.names import meaning
from gasoline_workers.redaction.spans import Span

Clean = Callable[[str], str]

PERCENT_RUN = re.compile(r"[^\s=&\"'<>#?]++")
PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
BASE64_JSON = re.compile(r"(?<![\w+/.-])(?:eyJ|eyA|ewo|W3s|WyJ)[\w+/-]{8,}={0,2}(?![.\w])")
"""Base64 that begins with `{"`, `{ `, `[{` or `["`."""

PART = re.compile(r"(?i)form-data;[ ]*name=\\*\"(?P<name>[^\"\r\n\\]{1,128})\\*\"[^\r\n]{0,256}(?:\r?\n|\\r\\n)")
BLANK = re.compile(r"(?:[^\r\n]{1,256}\r?\n){0,8}?(?:\r?\n|\\r\\n)")
BOUNDARY = re.compile(r"(?:\r?\n|\\r\\n)--")


def percent(text: str, clean: Clean) -> Iterator[Span]:
    """Find the percent-encoded pieces of `text` that hold secrets."""
    if not PERCENT.search(text):
        return
    for run in PERCENT_RUN.finditer(text):
        if "%" in run[0] and (decoded := unquote_plus(run[0])) != run[0] and (cleaned := clean(decoded)) != decoded:
            yield Span(*run.span(), quote_plus(cleaned, safe="[]/:,;@*()!~$", errors="replace"))


def base64_json(text: str, clean: Clean) -> Iterator[Span]:
    """Find the Base64 of JSON in `text` that holds secrets."""
    for run in BASE64_JSON.finditer(text):
        decoded = _decoded(run[0])
        if decoded and clean(decoded) != decoded:
            yield Span(*run.span())


def entities(text: str, clean: Clean) -> str:
    """Return `text` with the secrets in what its HTML entities spell replaced."""
    plain = html.unescape(text)
    cleaned = clean(plain) if plain != text else plain
    return text if cleaned == plain else html.escape(cleaned)


def multipart(text: str) -> Iterator[Span]:
    """Find the secret fields of a multipart form (RFC 7578)."""
    for part in PART.finditer(text) if "form-data" in text else ():
        blank = BLANK.match(text, part.end())
        boundary = BOUNDARY.search(text, blank.end()) if blank else None
        if blank and values.hides(text[blank.end() : boundary.start() if boundary else None], meaning(part["name"])):
            yield Span(blank.end(), boundary.start() if boundary else len(text))
        if boundary is None:
            return


def _decoded(encoded: str) -> str:
    standard = encoded.rstrip("=").replace("-", "+").replace("_", "/")
    standard = standard[: len(standard) - (len(standard) % 4 == 1)]
    try:
        return base64.b64decode(standard + "=" * (-len(standard) % 4)).decode("utf-8", "ignore")
    except (binascii.Error, ValueError):
        return ""
