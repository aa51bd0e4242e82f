"""Finds the values in cookie strings, of either header or of `document.cookie`."""

import re

from gasoline_workers.redaction.names import word_set
from gasoline_workers.redaction.spans import Span, is_marker

ATTRIBUTES = word_set("path domain expires max-age samesite httponly secure partitioned priority")
"""RFC 6265bis, 4.1.1: what stands in a Set-Cookie beside the cookie itself."""

COOKIE = re.compile(r"(?<![^=;,\s\"'])(?P<name>[^=;,\s\"']+)=(?P<value>[^;\r\n]*)")


def find(text: str, start: int, end: int) -> list[Span]:
    """Find the values between `start` and `end`: `session_id=…; theme=…`, or one cookie with its attributes."""
    pairs = COOKIE.finditer(text, start, end)
    found = (Span(*pair.span("value"), kind="cookie") for pair in pairs if pair["name"].lower() not in ATTRIBUTES)
    return [span for span in found if (value := text[span.start : span.end].strip()) and not is_marker(value)]
