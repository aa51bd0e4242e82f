"""Recovery phrases that nothing names: a dozen or more words in a row of the list that wallets take them from (BIP 39).

They need no name: of 400 MB of documents, code and translations no place has so many of these words in a row, but for
lists in their order, chains of CSS properties and repetitions, which are left. A page that shows a phrase often has
each word in an element of its own: then they stand in a row of items, or of one of their fields.
The list: https://github.com/bitcoin/bips/blob/master/bip-0039/english.txt (bip39_words.txt).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

from gasoline_workers.redaction.automaton import Finder
from gasoline_workers.redaction.spans import Span

WORDS = Path(str(files("gasoline_workers.redaction"))) / "bip39_words.txt"

FEWEST = 12
"""Words of the shortest phrase. The longest has 24, but two may stand beside each other."""

BETWEEN = r"(?:[ \t\r\n,;|.)(:*+0-9\"'\\]|- ){1,8}"
"""What separates words: spaces, commas, quotes, numbers of a list; a hyphen joins words of another kind."""

RUN = rf"(?i)[a-z]{{3,8}}(?:{BETWEEN}[a-z]{{3,8}}){{{FEWEST - 1}}}"
"""In RE2's syntax: `re` takes forty times as long."""

SHORTEST = FEWEST * 3 + FEWEST - 1
WORD = re.compile(r"[A-Za-z]+")
SEPARATOR = re.compile(BETWEEN)

ITEM = re.compile(r"\W{0,4}\d{0,2}\W{0,3}(?:(?P<word>[A-Za-z]{3,8})\W{0,2})?")
"""A word by itself, with its number perhaps, or the number alone."""

ITEM_LENGTH = 16
ITEMS = None
"""What stands for the field where items are words themselves; cells of rows have their place."""

MOST_COLUMNS = 16

DISTINCT = 0.8
"""The least part of different words: of 24 drawn at random 0.1 is the same as another."""

ORDERED = 0.8
"""The part of neighbours in alphabetical order from which on words are a list: of those drawn at random half are."""


def occurs(text: str) -> bool:
    """Return whether `text` has so many words in a row that a phrase may be among them; quick, and never a false no."""
    return len(text) >= SHORTEST and next(_runs().places(text), None) is not None


def find(text: str) -> Iterator[Span]:
    """Find the recovery phrases in `text`, in order."""
    row: list[re.Match[str]] = []
    for word in (*WORD.finditer(text), None):
        apart = not row or word is None or not SEPARATOR.fullmatch(text, row[-1].end(), word.start())
        known = word is not None and word[0].lower() in _words()
        if row and (apart or not known):
            if _is_phrase([one[0].lower() for one in row]):
                yield Span(row[0].start(), row[-1].end(), kind="recovery-phrase")
            row = []
        if word is not None and known:
            row.append(word)


class Apart:
    """The words of the phrases in one body whose words stand apart, and the fields that they stand in."""

    def __init__(self) -> None:
        self._words: set[str] = set()
        self._fields: set[object] = set()

    def __bool__(self) -> bool:
        """Return whether there is any."""
        return bool(self._words)

    def look(self, items: Sequence[object]) -> None:
        """Find the phrases whose words are items of their own, or one field of each item."""
        fields = {field for item in items[FEWEST - 1 :: FEWEST] for field in _word_fields(item)}
        for field in fields:
            self._add(_in_row(_field(item, field) for item in items), field)

    def look_in(self, fields: Mapping[object, object]) -> None:
        """Find the phrases whose words are the values of fields, one after the other."""
        if words := set(_in_row(fields.values())):
            self._add(words, *(field for field, value in fields.items() if word_of(value) in words))

    def _add(self, words: Iterable[str], *fields: object) -> None:
        if found := set(words):
            self._words |= found
            self._fields.update(fields)

    def hidden(self, value: object, mark: Callable[[str], str], *fields: object) -> object:
        """Return `value`, which stands in these fields, with `mark` made of each of the words in such a field."""
        if isinstance(value, str):
            is_meant = not self._fields.isdisjoint(fields) and word_of(value) in self._words
            return mark(value) if is_meant else value
        if isinstance(value, dict):
            return {name: self.hidden(part, mark, name) for name, part in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(self.hidden(part, mark, ITEMS, place) for place, part in enumerate(value))
        return value


def word_of(item: object) -> str | None:
    """Return the word of the list that an item is, in lower case; empty for a number alone, None for all else."""
    if not isinstance(item, str) or len(item) > ITEM_LENGTH or not (found := ITEM.fullmatch(item)):
        return None
    word = (found["word"] or "").lower()
    return word if not word or word in _words() else None


def _word_fields(item: object) -> Iterator[object]:
    """Return the fields of an item that are a word or its number, ITEMS for the item itself."""
    if word_of(item) is not None:
        yield ITEMS
    elif isinstance(item, Mapping):
        yield from (key for key, value in item.items() if word_of(value) is not None)
    elif isinstance(item, list | tuple):
        yield from (place for place, value in enumerate(item[:MOST_COLUMNS]) if word_of(value) is not None)


def _field(item: object, field: object) -> object:
    if field is ITEMS:
        return item
    if isinstance(item, Mapping):
        return item.get(field)
    if isinstance(item, list | tuple) and isinstance(field, int) and field < len(item):
        return item[field]
    return None


def _in_row(items: Iterable[object]) -> Iterator[str]:
    """Return the words of the phrases among items that are each a word, or its number."""
    row: list[str] = []
    for word in (*map(word_of, items), None):
        if word is None:
            if _is_phrase(row):
                yield from row
            row = []
        elif word:
            row.append(word)


def _is_phrase(words: list[str]) -> bool:
    """Judge words of the list that stand in a row: one part of it is drawn; a page may show a phrase twice."""
    return any(_is_drawn(words[first : first + FEWEST]) for first in range(len(words) - FEWEST + 1))


def _is_drawn(words: list[str]) -> bool:
    """Return whether words may be drawn at random: hardly one is there twice, and they are in no order."""
    if len({*words}) < DISTINCT * len(words):
        return False
    return sum(one < other for one, other in pairwise(words)) < ORDERED * (len(words) - 1)


@cache
def _words() -> frozenset[str]:
    return frozenset(WORDS.read_text().split())


@cache
def _runs() -> Finder:
    return Finder((RUN,))
