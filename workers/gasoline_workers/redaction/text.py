"""Hides the secrets in one string: JSON, HTML and encodings in it, then names and patterns."""

import re

from gasoline_workers.redaction import (
    assignments,
    elements,
    json_text,
    nested,
    patterns,
    phrases,
    selectors,
    values,
)
from gasoline_workers.redaction.ledger import Walk
from gasoline_workers.redaction.spans import MARKER, Span, lowered, merge, splice

SHORTEST = 6
"""The fewest characters in which a name and a secret can stand: `pw=abc`."""

LENGTH_LIMIT = 2**20
"""Characters of the longest string that is read; SPEC.md (Limits) stores 64 KB of a page's string, a longer one is no
text."""

ROUNDS = 4
"""How often a string may be read again after it changed, so that what is answered would not change any more."""

ENCODED = re.compile(r"%[0-9A-Fa-f]{2}|&(?:#|quot|lt|amp)|\\[ux][0-9a-fA-F]")


class UnsettledError(Exception):
    """A string still changed after ROUNDS readings."""


class TooLongError(Exception):
    """A string is longer than LENGTH_LIMIT."""


def clean(text: str, walk: Walk) -> str:
    """Return `text` with every secret in it replaced by the marker.

    Raises:
        TooLongError: it is not read at all.
        UnsettledError: each reading found more.

    """
    if len(text) > LENGTH_LIMIT:
        raise TooLongError
    for _ in range(ROUNDS):
        before = walk.ledger.count
        cleaned = _read(text, walk) if is_suspicious(text) else text
        if cleaned == text:
            walk.ledger.count = before  # what was found stood there hidden already
            return text
        text = cleaned
    raise UnsettledError


def is_suspicious(text: str) -> bool:
    """Return whether anything can be found in `text`; most strings of a page end here."""
    if len(text) < SHORTEST:
        return False
    return bool(assignments.STEM.search(lowered(text)) or patterns.may_hold(text) or ENCODED.search(text))


def _read(text: str, walk: Walk) -> str:
    walk.ledger.spend(len(text))
    if ";base64," in text and (images := list(patterns.IMAGE.finditer(text))):
        return _around(text, images, walk)
    if json_text.START.search(text):
        text, whole = _json(text, walk)
        if whole:
            return text
    if "<" in text:
        text = splice(text, merge(elements.find(text, walk, is_suspicious)))
    elif "&" in text:
        text = nested.entities(text, walk.text)
    return _plain(text, walk)


def _around(text: str, images: list[re.Match[str]], walk: Walk) -> str:
    """Read the text around binary data that are recognizable by themselves."""
    pieces: list[str] = []
    position = 0
    for image in images:
        pieces += (walk.text(text[position : image.start()]), image[0])
        position = image.end()
    return "".join((*pieces, walk.text(text[position:])))


def _json(text: str, walk: Walk) -> tuple[str, bool]:
    """Read the JSON in `text`; return it without its secrets, and whether it was one document and nothing else."""
    spans: list[Span] = []
    position, whole = 0, False
    while begin := json_text.START.search(text, position):
        start = begin.end() - 1 if text[begin.start()].isspace() else begin.start()
        known = json_text.valid(text, start)
        if position == 0:
            whole = known is not None and not text[:start].strip() and not text[known[1] :].strip()
        if known and _is_clean(known[0], walk):
            position = known[1]
            continue
        value, place = json_text.read(text, start)
        spans += json_text.changes(value, walk.value(value), place)
        position = max(place.end, begin.end())
    return splice(text, merge(spans)), whole


def _is_clean(value: object, walk: Walk) -> bool:
    """Return whether a document holds no secret, so that the places of its parts need not be known."""
    before = walk.ledger.count
    walk.value(value)
    clean, walk.ledger.count = walk.ledger.count == before, before
    return clean


def _plain(text: str, walk: Walk) -> str:
    found = [
        *patterns.find(text),
        *phrases.find(text),
        *assignments.find(text),
        *nested.multipart(text),
        *nested.base64_json(text, walk.text),
    ]
    found += nested.percent(text, walk.text)
    if "[" in text:
        found += selectors.find(text)
    spans = merge(found)
    for span in spans:
        if span.replacement == MARKER:
            secret = text[span.start : span.end]
            walk.ledger.found(secret, echoes=not values.is_word(secret))
    return splice(text, spans)
