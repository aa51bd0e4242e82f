"""The marker and the pieces of a text that it replaces; cut and joined."""

from collections.abc import Callable
from typing import NamedTuple

from gasoline_workers.redaction.messages import MARKED, MARKER


def is_marker(text: str) -> bool:
    """Return whether `text` is what stands where a secret stood, and nothing else."""
    return text == MARKER or MARKED.fullmatch(text) is not None


class Span(NamedTuple):
    """Where a text changes: the characters from `start` to `end` become `replacement`; `kind`: what was found there."""

    start: int
    end: int
    replacement: str = MARKER
    kind: str = "secret"


def splice(text: str, spans: list[Span]) -> str:
    """Return `text` with each of the disjoint, ordered `spans` replaced; every other character stays as it is."""
    pieces: list[str] = []
    position = 0
    for start, end, replacement, _kind in spans:
        pieces += (text[position:start], replacement)
        position = end
    return "".join((*pieces, text[position:]))


def between_markers(text: str, change: Callable[[str], str]) -> str:
    """Return `text` with `change` made to each part that is no marker."""
    pieces: list[str] = []
    position = 0
    for marker in MARKED.finditer(text):
        pieces += (change(text[position : marker.start()]), marker[0])
        position = marker.end()
    return "".join((*pieces, change(text[position:])))


def lowered(text: str) -> str:
    """Return `text` in lower case if that moves no character (the Turkish dotted capital I does), else as it is."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text


def merge(spans: list[Span]) -> list[Span]:
    """Return `spans` in order and disjoint: where several overlap, one marker covers all of them.

    A respelled piece swallows the markers within it: the text is read again, and their secrets found then.
    """
    merged: list[Span] = []
    for span in sorted(spans):
        if not merged or span.start >= merged[-1].end:
            merged.append(span)
            continue
        last = merged.pop()
        if last.replacement != MARKER == span.replacement and span.end <= last.end and span != last:
            merged.append(last if (span.start, span.end) != (last.start, last.end) else span)
        elif span.replacement != MARKER == last.replacement and span.start == last.start and span.end > last.end:
            merged.append(span)
        else:
            merged.append(Span(last.start, max(last.end, span.end), kind=last.kind))
    return merged
