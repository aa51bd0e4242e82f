"""Tries patterns on a text, each only where a cheap word shows that it can match."""

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

from gasoline_workers.redaction import values
from gasoline_workers.redaction.automaton import Automaton
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


class Rules:
    """Rules that are tried together: one pass over a text shows which of them can match."""

    def __init__(self, *rules: Rule) -> None:
        self._rules = rules
        self._words = sorted({word for rule in rules for word in rule.words})
        self._always = frozenset(number for number, rule in enumerate(rules) if not rule.words)

    @property
    def stems(self) -> tuple[str, ...]:
        """Return patterns of which one occurs in every text in which a rule that has words finds something."""
        return tuple(map(re.escape, self._words))

    def find(self, text: str, searched: str) -> Iterator[Span]:
        """Find the secrets in `searched`, which is `text` itself or `text` in lower case."""
        numbers = set(self._always).union(*map(self._users.__getitem__, self._occurring.occurring(searched)))
        for number in sorted(numbers):
            pattern, _words, judge, kind = self._rules[number]
            for match in pattern.finditer(searched):
                start, end = match.span("a" if "a" in pattern.groupindex else match.lastgroup or 0)
                span = Span(start, end, kind=kind)
                if judge(text, match, span):
                    yield span

    @cached_property
    def _occurring(self) -> Automaton:
        return Automaton(list(self.stems))

    @cached_property
    def _users(self) -> list[frozenset[int]]:
        return [frozenset(n for n, rule in enumerate(self._rules) if word in rule.words) for word in self._words]
