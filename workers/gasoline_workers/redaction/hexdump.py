"""Dumps of bytes as `hexdump -C`, `xxd`, `tcpdump -X` and Wireshark write them: read as the bytes they show."""

import re
from collections.abc import Callable, Iterator
from itertools import accumulate, groupby, pairwise

from gasoline_workers.redaction.spans import Span

LINE = re.compile(
    r"^(?P<head>[ \t]{0,8}(?:0x)?[0-9a-fA-F]{4,16}:?[ \t]{1,4})"
    r"(?P<bytes>(?:[0-9a-fA-F]{4} ){1,7}[0-9a-fA-F]{2,4}(?=[ ]{2}|\r?$)"
    r"|(?:[0-9a-fA-F]{2}[ -]{1,2}){0,15}[0-9a-fA-F]{2}(?=\s|$))(?P<shown>[^\n]*)",
    re.MULTILINE,
)
"""An offset, up to 16 bytes alone or in pairs, and often the characters that they are."""


def find(text: str, clean: Callable[[str], str]) -> Iterator[Span]:
    """Find the lines of dumps that have secrets; they become one line, of what their bytes spell without them."""
    lines = list(LINE.finditer(text))
    joints = (int(line.start() != before.end() + 1) for before, line in pairwise(lines))
    for _, block in groupby(zip(accumulate(joints, initial=0), lines, strict=False), key=lambda pair: pair[0]):
        yield from _block([line for _, line in block], clean)


def _block(lines: list[re.Match[str]], clean: Callable[[str], str]) -> Iterator[Span]:
    pieces = [bytes.fromhex(line["bytes"].replace("-", " ")).decode("latin-1") for line in lines]
    plain = "".join(pieces)
    cleaned = clean(plain)
    if cleaned == plain:
        return
    ends = list(accumulate(map(len, pieces)))
    start = _common(plain, cleaned)
    same = _common(plain[start:][::-1], cleaned[start:][::-1])
    first = next(n for n, end in enumerate(ends) if end > min(start, len(plain) - 1))
    last = next(n for n, end in enumerate(ends) if end >= len(plain) - same)
    begin = ends[first] - len(pieces[first])
    spelled = cleaned[begin : len(cleaned) - len(plain) + ends[last]]
    shown = "".join(one if one.isprintable() else "." for one in spelled)
    yield Span(lines[first].start(), lines[last].end(), lines[first]["head"] + shown)


def _common(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    return next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
