"""The secret fields of multipart forms (RFC 7578) in a text."""

import re
from collections.abc import Iterator

from gasoline_workers.redaction import values
from gasoline_workers.redaction.names import kind_of, meaning
from gasoline_workers.redaction.spans import Span

PART = re.compile(r"(?i)form-data;[ ]*name=\\*\"(?P<name>[^\"\r\n\\]{1,128})\\*\"[^\r\n]{0,256}(?:\r?\n|\\r\\n)")
BLANK = re.compile(r"(?:[^\r\n]{1,256}\r?\n){0,8}?(?:\r?\n|\\r\\n)")
BOUNDARY = re.compile(r"(?:\r?\n|\\r\\n)--")


def find(text: str) -> Iterator[Span]:
    """Find the secret fields of a multipart form (RFC 7578)."""
    for part in PART.finditer(text) if "form-data" in text else ():
        blank = BLANK.match(text, part.end())
        boundary = BOUNDARY.search(text, blank.end()) if blank else None
        if blank and values.hides(text[blank.end() : boundary.start() if boundary else None], meaning(part["name"])):
            yield Span(blank.end(), boundary.start() if boundary else len(text), kind=kind_of(meaning(part["name"])))
        if boundary is None:
            return
