"""What makes two events one item: the same line of the console, cause of an error, request.

Rules of this file:
- A page writes what is read here, and may write 64 KB of anything: each expression takes a time linear in the text.
"""

import hashlib
import re

VARIABLE = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"  # a UUID
    r"|(?<=[\w/.-])[?#][^\s'\"()]*"  # the query of a URL
    r"|\d+(?:\.\d+)?",
    re.IGNORECASE,
)
FRAME = re.compile(r"at\s.+|[^@]*@.+:\d+:\d+")  # of a line: as V8 writes it, and as the other engines do
LINES = 50  # of a stack in which its first frame is looked for: the message before it may have some
QUERY = re.compile(r"[?#][^\s:()]*")
MESSAGE_CHARS = 2_000  # of a message that identify a cause: no page needs more, and a page may write 64 KB


def of_line(level: str, text: str, source: str) -> bytes:
    """Return what identical lines of the console share."""
    return _hash(level, text, source)


def of_error(kind: str, name: str, message: str, stack: str) -> bytes:
    """Hash what errors of one cause share: numbers, UUIDs and queries of URLs may differ, and all but the top frame."""
    return _hash(kind, name, VARIABLE.sub("#", message[:MESSAGE_CHARS]), top_frame(stack))


def of_request(tab: int, url: str) -> bytes:
    """Return what a script's call and the browser's load share."""
    return _hash(str(tab), url)


def top_frame(stack: str) -> str:
    """Return the first frame of a stack, without the query of its address."""
    lines = (line.strip() for line in stack.split("\n", LINES)[:LINES])
    return QUERY.sub("", next(filter(FRAME.fullmatch, lines), ""))


def _hash(*parts: str) -> bytes:
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).digest()
