"""Hides the secrets in one string: JSON, HTML and encodings in it, then names and patterns."""

import re
from collections.abc import Iterator

from gasoline_workers.redaction import (
    apart,
    assignments,
    decode,
    elements,
    hexdump,
    json_text,
    multipart,
    patterns,
    phrases,
    prefilter,
    prefixed,
    seed_words,
    selectors,
    tables,
    urls,
    values,
)
from gasoline_workers.redaction.ledger import Walk
from gasoline_workers.redaction.messages import MARKER
from gasoline_workers.redaction.prefilter import Found
from gasoline_workers.redaction.spans import Span, merge, splice

LENGTH_LIMIT = 2**20
"""Characters of the longest string that is read; SPEC.md (Limits) stores 64 KB of a page's string, a longer one is no
text."""

ROUNDS = 4
"""How often a string may be read again after it changed, so that what is answered would not change any more."""


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
        found = prefilter.found(text)
        cleaned = _read(text, walk, found) if any(found) or _is_own(text, walk) else text
        if cleaned == text:
            walk.ledger.count = before  # what was found stood there hidden already
            return text
        text = cleaned
    raise UnsettledError


def _read(text: str, walk: Walk, found: Found) -> str:
    walk.ledger.spend(len(text))
    if "joined" in found.stages:
        text = splice(text, merge([*decode.joined(text, walk.text), *decode.arrays(text, walk.text)]))
    if ";base64," in text and (images := list(patterns.IMAGE.finditer(text))):
        return _around(text, images, walk)
    if json_text.START.search(text):
        text, whole = _json(text, walk)
        if whole:
            return text
    if "<" in text:
        text = splice(text, list(decode.inline(text, walk.text)))
        text = splice(text, merge(elements.find(text, walk, lambda part: _is_suspicious(part, walk))))
    return _plain(_respelled(text, walk, found.stages), walk, found)


def _respelled(text: str, walk: Walk, stages: frozenset[str]) -> str:
    """Read `text` in the spellings that change all of it: entities, quoted-printable, invisible and wide letters."""
    if "entities" in stages and "<" not in text:
        text = decode.entities(text, walk.text)
    if "printable" in stages:
        text = decode.quoted_printable(text, walk.text)
    if "invisible" in stages:
        text = decode.invisible(text, walk.text)
    if "wide" in stages:
        text = decode.wide(text, walk.text)
    return text


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


def _is_suspicious(text: str, walk: Walk) -> bool:
    """Return whether anything can be found in `text`; most strings of a page end here."""
    return any(prefilter.found(text)) or _is_own(text, walk)


def _is_own(text: str, walk: Walk) -> bool:
    """Return whether `text` has what the user's rules hide, or a secret that was seen before."""
    return walk.policy.finds(text) or walk.known.finds(text)


def _plain(text: str, walk: Walk, found: Found) -> str:
    known = [span for span in _named(text, found) if not walk.policy.keeps(text[span.start : span.end])]
    own = (*walk.policy.find(text), *walk.known.find(text))
    spans = merge([*known, *_encoded(text, walk, found.stages), *own])
    return splice(text, [_marked(text, walk, span) if span.replacement == MARKER else span for span in spans])


def _marked(text: str, walk: Walk, span: Span) -> Span:
    secret = text[span.start : span.end]
    is_known_again = not values.is_word(secret) or values.is_random(secret) or values.is_complex(secret)
    return span._replace(replacement=walk.hide(secret, span.kind, echoes=is_known_again))


def _named(text: str, found: Found) -> Iterator[Span]:
    """Find the secrets that stand in `text` as they are."""
    yield from patterns.find_issued(text, found.kinds)
    if "phrases" in found.stages or phrases.is_bare_seed(text):
        yield from phrases.find(text)
    if "words" in found.stages:
        yield from seed_words.find(text)
    if "runs" in found.stages:
        yield from prefixed.find(text)
    yield from multipart.find(text)
    if "numbers" in found.stages:
        yield from patterns.find_cards(text)
    if "keys" in found.stages:
        yield from patterns.find_keys(text)
    if "urls" in found.stages:
        yield from urls.find(text)
    if "names" in found.stages:
        yield from assignments.find(text)
        yield from apart.find(text)
        if "\n" in text:
            yield from tables.find(text)
    if "[" in text:
        yield from selectors.find(text)


def _encoded(text: str, walk: Walk, stages: frozenset[str]) -> Iterator[Span]:
    """Find the pieces of `text` that have secrets once they are decoded."""
    if "percent" in stages:
        yield from decode.percent(text, walk.text)
    if "escapes" in stages:
        yield from decode.escapes(text, walk.text)
    if "runs" in stages:
        yield from decode.base64_runs(text, walk.raw)
    if "dumped" in stages:
        yield from hexdump.find(text, walk.text)
    if "runs" in stages or "hex" in stages:
        yield from decode.hex_runs(text, walk.text)
