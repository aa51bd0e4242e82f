"""HTML and XML in a string, whole or cut off: finds each tag and the places of its attributes, without a tree.

One pass. A regular expression over whole tags takes minutes on a few thousand unclosed ones (measured), so quotes are
closed by `str.find`, which is not asked again for a quote that the rest of the text does not have.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

TAG = re.compile(r"<(?P<tag>[A-Za-z][\w:.-]{0,63})")
ATTRIBUTE = re.compile(
    r"[\s/]*+(?P<name>[^\s\"'<>/=\\]{1,128})(?P<equals>\s{0,8}=\s{0,8}(?P<quote>\\{0,8}[\"'])?(?P<bare>[^\s\"'<>]*+))?",
)

CDATA = "<![CDATA["

LONGEST = 4096
"""Characters of an attribute without its closing quote, and of an element's text, that belong to it."""


class Attribute(NamedTuple):
    """An attribute's name and where its value stands; `closed` unless its closing quote is missing."""

    name: str
    start: int
    end: int
    closed: bool


class Tag(NamedTuple):
    """An opening tag, where it begins, its attributes, and where the text after it stands, up to the next tag."""

    name: str
    begin: int
    attributes: tuple[Attribute, ...]
    start: int
    end: int


class _Quotes:
    """Finds closing quotes, and remembers which the rest of a text does not have."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._absent: set[str] = set()

    def closing(self, quote: str, start: int) -> int:
        """Return where the next `quote` stands, or -1."""
        if quote in self._absent:
            return -1
        found = self._text.find(quote, start)
        if found < 0:
            self._absent.add(quote)
        return found


def tags(text: str) -> Iterator[Tag]:
    """Find the opening tags in `text`, in order."""
    quotes = _Quotes(text)
    position = 0
    while begin := TAG.search(text, position):
        attributes, position = _attributes(text, begin.end(), quotes)
        yield Tag(begin["tag"], begin.start(), attributes, *_content(text, position))


def _content(text: str, position: int) -> tuple[int, int]:
    """Return where the text stands that follows a tag ending at `position`."""
    start = position + 1 if text.startswith(">", position) else position
    closer = "<"
    if text.startswith(CDATA, start):
        start, closer = start + len(CDATA), "]]>"
    end = text.find(closer, start, start + LONGEST)
    return start, end if end >= 0 else min(len(text), start + LONGEST)


def _attributes(text: str, position: int, quotes: _Quotes) -> tuple[tuple[Attribute, ...], int]:
    """Read the attributes from `position`; return them and the next position."""
    found = []
    while match := ATTRIBUTE.match(text, position):
        quote = match["quote"]
        if not quote:
            position = match.end()
            found.append(
                Attribute(
                    match["name"], *(match.span("bare") if match["equals"] else (position, position)), closed=True
                )
            )
            continue
        start = match.start("bare")
        end = quotes.closing(quote, start)
        if end < 0:
            found.append(Attribute(match["name"], start, min(len(text), start + LONGEST), closed=False))
            return tuple(found), start
        found.append(Attribute(match["name"], start, end, closed=True))
        position = end + len(quote)
    return tuple(found), position
