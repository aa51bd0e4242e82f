"""Private keys as text (RFC 7468), whole or cut off at either end; a header without a body is none."""

import re
from collections.abc import Iterator

from gasoline_workers.redaction.spans import Span

BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
CUT = re.compile(r"(?=[\"'<>`{}])")
"""Where a key ends that was cut off: no character of it stands there."""

BODY = re.compile("[A-Za-z0-9+/]{12}")
HEAD = re.compile(r"[A-Za-z0-9+/=\s\\]*+")


def find(text: str) -> Iterator[Span]:
    """Find the private keys in `text`, in order."""
    position = 0
    end = END.search(text)
    if end and not BEGIN.search(text, 0, end.start()):
        position = end.end()
        yield Span(_body_start(text, end.start()), position, kind="private-key")
    while begin := BEGIN.search(text, position):
        end = END.search(text, begin.end()) if end else None  # after none there is none
        close = end or CUT.search(text, begin.end())
        position = close.end() if close else len(text)
        if BODY.search(text, begin.end(), position):
            yield Span(begin.start(), position, kind="private-key")


def _body_start(text: str, end: int) -> int:
    """Return where the Base64 begins that stops at `end`."""
    body = HEAD.match(text[:end][::-1])
    return end - (body.end() if body else 0)
