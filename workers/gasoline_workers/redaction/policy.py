"""A user's own rules: what is hidden beside what the built-in rules find, and what is kept in spite of them; pure."""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from gasoline_workers.redaction import personal, values
from gasoline_workers.redaction.automaton import SURROGATE
from gasoline_workers.redaction.messages import MARKED
from gasoline_workers.redaction.spans import Span

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W_]+")
"""The words of a field's name, which a page may also join otherwise."""

LONGEST_MARKER = 48
"""Characters; a handle has 42 at most."""


class OwnRule(NamedTuple):
    """One rule of the user's: its name, a pattern compiled by RE2 (or None), and the fields that it hides."""

    name: str
    pattern: Any = None
    fields: frozenset[str] = frozenset()

    def find(self, text: str) -> Iterator[Span]:
        """Find what the pattern's group `secret`, or its first group, or all of it matches in `text`."""
        if self.pattern is None:
            return
        group = self.pattern.groupindex.get("secret", min(1, self.pattern.groups))
        for match in self.pattern.finditer(text):
            start, end = match.span(group)
            if start < end:
                yield from _unmarked(text, start, end, self.name)


class Policy:
    """All rules of one user.

    `kept`: values that are shown although a built-in rule finds them; `kept_patterns`: the same, compiled by RE2, for a
    whole value. `personal`: the kinds of personal data that are hidden.
    """

    def __init__(
        self,
        rules: tuple[OwnRule, ...] = (),
        kept: frozenset[str] = frozenset(),
        kept_patterns: tuple[Any, ...] = (),
        personal_kinds: frozenset[str] = frozenset(),
    ) -> None:
        self.rules = rules
        self.personal_kinds = personal_kinds
        self._kept = kept
        self._kept_patterns = kept_patterns

    def with_personal(self) -> "Policy":
        """Return these rules with all kinds of personal data."""
        return Policy(self.rules, self._kept, self._kept_patterns, frozenset(personal.KINDS))

    def __bool__(self) -> bool:
        """Return whether anything is hidden that the built-in rules do not hide."""
        return bool(self.rules or self.personal_kinds)

    def find(self, text: str) -> Iterator[Span]:
        """Find what the user's rules hide in `text`."""
        plain = text if text.isascii() else SURROGATE.sub("\ufffd", text)
        for rule in self.rules:
            yield from rule.find(plain)
        for rule in self._named_in_text:
            yield from rule.find(plain)
        for kind, start, end in personal.find(text, self.personal_kinds):
            yield from _unmarked(text, start, end, kind)

    def finds(self, text: str) -> bool:
        """Return whether any of the user's rules hides something in `text`."""
        return bool(self) and any(True for _ in self.find(text))

    def field_rule(self, name: object) -> str:
        """Return the rule, or the kind of personal data, that hides the value of a field of that name, or nothing."""
        return self._fields.get(_flat(name), "") if isinstance(name, str) and self._fields else ""

    def hides_number(self, number: float) -> bool:
        """Return whether a number, as it is written, is wholly what the user's rules hide."""
        text = str(number)
        return bool(self) and any((span.start, span.end) == (0, len(text)) for span in self.find(text))

    def keeps(self, value: str) -> bool:
        """Return whether the user wants to see this whole value although a built-in rule would hide it."""
        if not (self._kept or self._kept_patterns):
            return False
        stripped = values.credentials(value.strip(values.QUOTES))
        if stripped in self._kept:
            return True
        plain = stripped if stripped.isascii() else SURROGATE.sub("\ufffd", stripped)
        return any(pattern.fullmatch(plain) for pattern in self._kept_patterns)

    @cached_property
    def _fields(self) -> dict[str, str]:
        named = {_flat(field): rule.name for rule in self.rules for field in rule.fields}
        return {_flat(field): kind for kind in self.personal_kinds for field in personal.FIELDS.get(kind, ())} | named

    @cached_property
    def _named_in_text(self) -> tuple[OwnRule, ...]:
        """Make, for each rule with fields, one that finds `name=value` and `"name": "value"` in running text."""
        import re2  # noqa: PLC0415 - as in automaton

        named = {rule.name: rule.fields for rule in self.rules if rule.fields}
        kinds = {kind: personal.FIELDS[kind] for kind in sorted(self.personal_kinds) if kind in personal.FIELDS}
        return tuple(OwnRule(name, re2.compile(_assignment(sorted(f)))) for name, f in (named | kinds).items())


NONE = Policy()
"""The built-in rules alone."""


def _assignment(fields: list[str]) -> str:
    names = "|".join("[-_ ]?".join(map(re.escape, WORD.findall(field))) for field in fields)
    return rf"(?i)(?:^|[^\w])(?:{names})[\"']?\s*[:=]\s*[\"']?(?P<secret>[^\s\"'&,;<>{{}}\[\]()]+)"


def _flat(name: object) -> str:
    return str(name).replace("_", "").replace("-", "").replace(" ", "").lower()


def _unmarked(text: str, start: int, end: int, kind: str) -> Iterator[Span]:
    """Cut a place into its parts outside of markers: a page may write them, and no rule hides one."""
    for marker in MARKED.finditer(text, max(0, start - LONGEST_MARKER), end + LONGEST_MARKER):
        if marker.end() > start and marker.start() < end:
            if start < marker.start():
                yield Span(start, marker.start(), kind=kind)
            start = marker.end()
    if start < end:
        yield Span(start, end, kind=kind)
