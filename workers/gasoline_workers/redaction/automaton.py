"""Asks of a text which of many patterns occur in it, or where one of them does, in one pass; never with a false no."""

import re
from collections.abc import Iterator
from typing import Any

SURROGATE = re.compile("[\ud800-\udfff]")
"""What RE2 cannot be asked about."""


STATES_BYTES = 1 << 25
"""What the states may take that are made while texts are read; beyond it all are forgotten, and made again for each
text: 8 MB are too few for the words of thirty languages, and fifteen times as slow."""


class AutomatonError(Exception):
    """The automaton gave no answer, as when its memory is used up; what it was asked of must be hidden."""


class Automaton:
    """A set of patterns in RE2's syntax (https://github.com/google/re2/wiki/Syntax), compiled once.

    Linear in the text whatever the patterns are. A pattern that matches every text is added last: an automaton that
    runs out of memory answers with nothing, which must not read as "nothing found".
    """

    def __init__(self, patterns: list[str]) -> None:
        import re2  # noqa: PLC0415 - 3 MB, which a system that reads no page yet does not pay

        options = re2.Options()
        options.log_errors = False
        options.never_capture = True
        options.max_mem = STATES_BYTES
        self._set = re2.Set.SearchSet(options)
        for pattern in (*patterns, ""):
            self._set.Add(pattern)
        self._set.Compile()
        self._size = len(patterns)

    def occurring(self, text: str) -> list[int]:
        """Return the numbers of the patterns that occur in `text`, in order; lone surrogates match none.

        Raises:
            AutomatonError: there is no answer.

        """
        found: list[int] = sorted(self._set.Match(text.encode("utf-8", "surrogatepass")))
        if not found or found.pop() != self._size:
            raise AutomatonError
        return found


class Finder:
    """Patterns in RE2's syntax of which each place is found; of names twenty times as fast as by `re` (measured).

    None of them matches the empty text. The compiled pattern is asked itself: the package's match objects, and its
    places in a text that is not ASCII, take longer than RE2.
    """

    def __init__(self, patterns: tuple[str, ...]) -> None:
        import re2  # noqa: PLC0415 - as above

        self._any = _Places(re2, "|".join(patterns))
        self._in_ascii = _Places(re2, "|".join(filter(str.isascii, patterns)))

    def places(self, text: str) -> Iterator[tuple[int, int]]:
        """Find where any of the patterns occurs in `text`, in order; lone surrogates match none."""
        if text.isascii():
            return self._in_ascii.of(text.encode())
        return _in_characters(self._any, SURROGATE.sub("\ufffd", text).encode())


class _Places:
    """Where a pattern occurs in bytes of UTF-8, one place after the other."""

    def __init__(self, re2: Any, pattern: str) -> None:  # noqa: ANN401 - it ships without types
        self._match = re2.compile(pattern)._regexp.Match  # noqa: SLF001 - without a match object for each place: half of the time
        self._anywhere = re2._Anchor.UNANCHORED  # noqa: SLF001 - the anchor that `Match` asks for, which the package keeps to itself

    def of(self, raw: bytes) -> Iterator[tuple[int, int]]:
        match, anywhere, size = self._match, self._anywhere, len(raw)
        start, end = match(anywhere, raw, 0, size)[0]
        while end > 0:
            yield start, end
            start, end = match(anywhere, raw, end, size)[0]


def _in_characters(places: _Places, raw: bytes) -> Iterator[tuple[int, int]]:
    """Count in characters what is counted in bytes."""
    position = characters = 0
    for start, end in places.of(raw):
        first = characters + len(raw[position:start].decode())
        position, characters = end, first + len(raw[start:end].decode())
        yield first, characters
