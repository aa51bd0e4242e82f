"""Asks in one pass which rules can find anything in a text; what it asks for is derived from the rules themselves."""

import re
from functools import cache
from typing import NamedTuple

from gasoline_workers.redaction import issuers, phrases, seed_words, urls
from gasoline_workers.redaction.automaton import Automaton
from gasoline_workers.redaction.names import stems

NAMES = stems()
STAGES = {
    "names": "|".join(NAMES),
    "numbers": r"[0-9](?:[ -]?[0-9]){11}",
    "urls": "|".join(urls.STEMS),
    "phrases": "|".join(phrases.stems()),
    "keys": "private[ -]key",
    "percent": "%[0-9a-f]{2}",
    "entities": "&(?:#|[a-z]{2})",
    "escapes": r"\\[ux][0-9a-f]",
    "printable": "=[ \t]{0,8}\r?\n|quoted-printable",
    "hex": "[0-9a-f]{2} [0-9a-f]{2} [0-9a-f]{2} [0-9a-f]{2} ",
    "invisible": "[\u00ad\u200b-\u200d\u2060\ufeff]|\x1b\\[",
    "dumped": r"(?m)^[ \t]{0,8}(?:0x)?[0-9a-f]{4,16}:?[ \t]{1,4}[0-9a-f]{2}[0-9a-f ]{20}",
    "wide": "[\uff01-\uff5e]",
    "joined": r"[\"'`][ \t\r\n]{0,2}[+.&|<~]|[\"'`]\r?\n[ \t]*\\*[\"'`]|\\\r?\n|\]\.join\(",
}
"""What occurs in every text in which a stage can find something; asked without regard to case."""

RUN = re.compile("[A-Za-z0-9+/_-]{16}")
"""As long as Base64 and hexadecimal digits are that are decoded; within the automaton it would multiply the states."""

SHORTEST = 4
"""The fewest characters of a tag that names a secret: `<pw>`."""


class Found(NamedTuple):
    """The formats that may occur in a text, and the stages that may find something in it."""

    kinds: tuple[int, ...]
    stages: frozenset[str]


NOTHING = Found((), frozenset())


@cache
def _automaton(*, in_ascii: bool) -> Automaton:
    """Return the automaton for texts of nothing but ASCII, or for all: words of other scripts make many states."""
    needles = [kind.needle for kind in issuers.kinds()]
    stages = STAGES | ({"names": "|".join(filter(str.isascii, NAMES))} if in_ascii else {})
    return Automaton([*needles, *(f"(?i){pattern}" for pattern in stages.values())])


@cache
def _stages(numbers: tuple[int, ...], *, runs: bool, words: bool) -> frozenset[str]:
    names = tuple(STAGES)
    own = (name for name, occurs in (("runs", runs), ("words", words)) if occurs)
    return frozenset(("always", *(names[number] for number in numbers), *own))


def found(text: str) -> Found:
    """Return what may be found in `text`; most strings of a page end here."""
    if len(text) < SHORTEST:
        return NOTHING
    occurring = _automaton(in_ascii=text.isascii()).occurring(text)
    run = RUN.search(text) is not None
    words = seed_words.occurs(text)
    if not occurring and not run and not words and not phrases.is_bare_seed(text):
        return NOTHING
    border = len(issuers.kinds())
    split = next((place for place, number in enumerate(occurring) if number >= border), len(occurring))
    return Found(
        tuple(occurring[:split]), _stages(tuple(number - border for number in occurring[split:]), runs=run, words=words)
    )
