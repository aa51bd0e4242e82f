"""Tries patterns on a text, each only where a cheap word shows that it can match."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from gasoline_workers.redaction import values
from gasoline_workers.redaction.spans import Span, is_marker

Judge = Callable[[str, re.Match[str], Span], bool]
"""What else must hold of a match: asked with the text, the match, and the place of the secret in it."""


def always(_text: str, _match: re.Match[str], _span: Span) -> bool:
    """Accept every match."""
    return True


def is_random(text: str, _match: re.Match[str], span: Span) -> bool:
    """Accept a secret that looks issued by a machine."""
    return values.is_random(text[span.start : span.end])


def is_unmarked(text: str, _match: re.Match[str], span: Span) -> bool:
    """Accept what is not hidden already, and what only begins as if it were."""
    return not is_marker(text[span.start : span.end])


class Rule(NamedTuple):
    """A pattern (its group `a`, or all of it, is the secret), words of which it needs one, and what else must hold.

    `kind`: what is found.
    """

    pattern: re.Pattern[str]
    words: tuple[str, ...] = ()
    judge: Judge = always
    kind: str = "credential"


def matches(text: str, searched: str, rules: tuple[Rule, ...]) -> Iterator[Span]:
    """Find the secrets that `rules` know in `searched`, which is `text` itself or `text` in lower case."""
    for pattern, words, judge, kind in rules:
        if not words or any(word in searched for word in words):
            for match in pattern.finditer(searched):
                start, end = match.span("a" if "a" in pattern.groupindex else match.lastgroup or 0)
                span = Span(start, end, kind=kind)
                if judge(text, match, span):
                    yield span
