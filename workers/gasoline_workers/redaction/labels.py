"""What a form's labels say, in thirty languages: a noun and what stands beside it, as `clé d'accès`, `Kod PIN`.

A name for a password alone is in `languages.toml`. Here two words mean something together wherever in a short label
they stand, and neither does alone: `label_words.toml` has both.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

SHORTEST_NOUN = 4
"""Characters of a Latin noun that may be part of a longer word."""

LONGEST_LABEL = 40
"""Characters of a label that is judged so."""

LINK = "(?:[- ]| d[aeiu]?s? | d'| per | til )"
FOREIGN_LINK = "(?:[- ]| d[aeiu]?s? | d['\u2019]| per | til | f[üö]r )"
"""What joins a noun and a short word after it: `jeton d'API`; text of nothing but ASCII is looked through by itself."""

ASIAN = "\u0590"
"""What the scripts begin with whose words have no borders, or other ones; Latin, Greek and Cyrillic are before."""


BORDER = 3
WORD = re.compile("[a-z0-9]+")


class _Borders(NamedTuple):
    beside: frozenset[str]
    begin: frozenset[str]
    end: frozenset[str]


class _Patterns(NamedTuple):
    nouns: dict[str, re.Pattern[str]]
    qualifier: re.Pattern[str]
    english: frozenset[str]


def nouns(label: str) -> list[str]:
    """Return what the nouns of `label` are that are qualified in it: `key`, `code`, `token`, `phrase`.

    English words beside each other are judged elsewhere and count for nothing here.
    """
    if len(label) > LONGEST_LABEL or (label.isascii() and not _may_be(label)):
        return []
    patterns, plain = _patterns(), _unaccented(label)
    found = [(kind, match[0]) for kind, noun in patterns.nouns.items() if (match := noun.search(plain))]
    if not found or not (qualifiers := patterns.qualifier.findall(plain)):
        return []
    english = patterns.english.issuperset(qualifiers)
    return [kind for kind, noun in found if not (english and noun in patterns.english)]


def _may_be(label: str) -> bool:
    """Decide at once for nearly all names in code, of which no word begins or ends as one in the table does."""
    words = WORD.findall(label.lower())
    borders = _borders()
    return any(word[:BORDER] in borders.beside for word in words) and any(
        word[:BORDER] in borders.begin or word[-BORDER:] in borders.end for word in words
    )


@cache
def _borders() -> _Borders:
    """Return how words of ASCII begin and end in the table; English ones count only beside others."""
    table = _table()
    beside = _words(word for words in table["qualifiers"].values() for word in words)
    kinds = _words(word for words in table["nouns"].values() for word in words)
    return _Borders(
        frozenset(words[0][:BORDER] for words in beside),
        frozenset(words[0][:BORDER] for words in kinds),
        frozenset(words[-1][-BORDER:] for words in kinds),
    )


def _words(names: Iterable[str]) -> list[list[str]]:
    return [words for name in names if (words := WORD.findall(_unaccented(name)))]


def stems() -> list[str]:
    """Return patterns of what occurs in every label that means something; short words only with what they qualify."""
    table = _table()
    english, short = set(table["english"]), table["qualifiers"]["other"]
    kinds = _spelled(word for words in table["nouns"].values() for word in words)
    beside = _spelled(word for words in table["qualifiers"].values() for word in words)
    short_ones = "|".join(map(re.escape, filter(str.isascii, short)))
    long = sorted((beside | kinds) - english - set(short), key=len, reverse=True)
    kept = sorted(kinds - english, key=len, reverse=True)
    together = [
        f"(?:{'|'.join(map(re.escape, some))}){link}(?:{short_ones})"
        for some, link in ((filter(str.isascii, kept), LINK), (kept, FOREIGN_LINK))
    ]
    return [*together, *(re.escape(word) for word in long if len(word) >= SHORTEST_NOUN or word[0] >= ASIAN)]


@cache
def _patterns() -> _Patterns:
    table = _table()
    kinds = {
        kind: re.compile("|".join(_noun(_unaccented(word)) for word in sorted(words, key=len, reverse=True)))
        for kind, words in table["nouns"].items()
    }
    alone = frozenset(map(_unaccented, table["qualifiers"]["other"]))
    words = {_unaccented(word) for words in table["qualifiers"].values() for word in words}
    beside = (
        rf"(?<![^\W_]){re.escape(word)}" + (r"(?![^\W_])" if word in alone else "") if word[0] < ASIAN else word
        for word in sorted(words, key=len, reverse=True)
    )
    return _Patterns(kinds, re.compile("|".join(beside)), frozenset(table["english"]))


def _noun(word: str) -> str:
    if word[0] >= ASIAN:
        return word
    return rf"(?<!\w){word}(?!\w)" if len(word) < SHORTEST_NOUN else rf"(?<!\w){word}|{word}(?!\w)"


def _spelled(words: Iterable[str]) -> set[str]:
    return {spelled for word in words for spelled in (word, _unaccented(word))}


def _unaccented(text: str) -> str:
    """Return a text in lower case and one spelling, without accents: labels have them, keys often do not."""
    spelled = unicodedata.normalize("NFKD", text.replace("\u2019", "'")).casefold()
    return unicodedata.normalize("NFKC", "".join(one for one in spelled if not "\u0300" <= one < "\u0370"))


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(files("gasoline_workers.redaction").joinpath("label_words.toml").read_text("utf-8"))
