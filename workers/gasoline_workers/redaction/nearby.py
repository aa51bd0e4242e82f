"""Values that stand behind a telling name with nothing of their own between: signs, tags, and words that only point on.

The grammars of `assignments` and `apart` know how a name and its value are written; new ones are made every day. So
this asks only that nothing else lies between, and that the value looks like a secret by itself.
"""

import re
from typing import NamedTuple

from gasoline_workers.redaction import values
from gasoline_workers.redaction.names import Meaning, at_most, kind_of
from gasoline_workers.redaction.randomness import is_improbable
from gasoline_workers.redaction.spans import Span, is_marker

POINTING = (
    "value|values|val|set|setting|fill|type|typed|enter|send|keys|string|str|text|varchar|char|bytes|byte|s|b|S|B"
    "|securestring|secure|plain|plaintext|default|data|content|input|env|environment|to|is|as|was|be|of|the|your|this|some"
    "|just|ok|new|old|current|name|key|field|property|entry|item|option|param|parameter|variable|var|record"
    "|body|row|cell|td|th|tr|dd|dt|li|div|span|code|pre|strong|em|true|false|null|nil|none|required|optional"
)
"""Words between a name and its value that say nothing else, types of values and names of elements among them."""

GAP = re.compile(
    r"(?:<<[-~]?[\"']?[A-Za-z_]\w{0,31}[\"']?\r?\n"
    r"|</?[A-Za-z][\w:-]{0,32}(?:[\s/][^<>\n]{0,96})?>"
    rf"|(?<![A-Za-z0-9])(?:{POINTING}|[0-9]{{1,4}})(?![A-Za-z0-9])"
    r"|\\{1,4}[nrt](?=[^A-Za-z])|[^\w\n<⟦⟧]|_|<|\r?\n[ \t]{0,64}){1,64}+",
    re.IGNORECASE,
)
"""What may stand between: a heredoc's mark, tags, pointing words, numbers, signs."""

LONGEST_GAP = 256
MOST_LINES = 2

VALUE = re.compile(r"[^\s\"'`<>|,;()\[\]{}\\\x00-\x1f]{8,512}")
NAMED = re.compile(r"([\w.$-]{1,64})(?:[:?]|=(?!=?\Z))")
"""A name with a sign: what follows is its value, not that of the name before."""

ENCODED = re.compile(r"%[0-9A-Fa-f]{2}")
"""What is read once it is decoded."""

CLOSERS = ".,:;!?"
SURE = re.compile(r"[=:|\t>\u2192\x00]|<<|\?\?|[ ]{3}|\b(?:value|fill|set|type|enter|send|default)\b")
"""What binds a value to its name; words in a row with a number are hidden after it."""

DIGIT = re.compile("[0-9]")
MORE = re.compile(r"[ \t]+[a-z]")
"""What follows a value that is a word of a sentence."""

NAME = re.compile(r"[A-Za-z_$][\w.$]*")
ASSIGNS = re.compile(r"(?:\[\w*\])?[ \t]{0,4}:?=(?!=)")
"""What follows a name that is given a value, so that it is none itself."""

PATH_SIGNS = frozenset("/+-")
"""What stands after a name that is part of a path, or of Base64."""

SYMBOLS = "!@#$%^&*?"
"""A password may begin with them, and a gap ends with them."""


class Candidate(NamedTuple):
    """What stands behind a name, and the gap before it."""

    value: str
    gap: str
    start: int
    end: int


def candidate(text: str, end: int) -> Candidate | None:
    """Return what may be the value of a name that ends at `end`, if nothing else lies between."""
    gap = GAP.match(text, end, _last(text, end))
    if gap is None or gap[0][0] in PATH_SIGNS or gap[0].count("\n") > MOST_LINES:
        return None
    match = VALUE.match(text, gap.end())
    if match is None or "://" in match[0] or ENCODED.search(match[0]):
        return None
    value = match[0].rstrip(CLOSERS)
    if NAME.fullmatch(match[0]) and ASSIGNS.match(text, match.end()):
        return None
    if is_marker(value) or (DIGIT.search(value) is None and not is_improbable(value)):
        return None
    if MORE.match(text, match.end()) and SURE.search(gap[0]) is None:
        return None
    start = gap.end() - (len(gap[0]) - len(gap[0].rstrip(SYMBOLS)))
    return Candidate(value, gap[0], max(start, end + 1), match.start() + len(value))


def _last(text: str, end: int) -> int:
    """Return where a gap ends at the latest: behind a line more than it may have, which is enough to refuse it."""
    last = end + LONGEST_GAP
    at = end
    for _ in range(MOST_LINES + 1):
        if (at := text.find("\n", at, last) + 1) == 0:
            return last
    return at


def judged(found: Candidate, kind: Meaning) -> list[Span]:
    """Return the place of what stands behind a name that means `kind`, if it looks like a secret."""
    if not Meaning.TOKEN <= kind <= Meaning.MASKED or not _looks(found.value, kind, found.gap):
        return []
    return [Span(found.start, found.end, kind=kind_of(kind))]


def _looks(value: str, kind: Meaning, gap: str) -> bool:
    """Return whether a value looks like a secret; one that assigns another name a value is read where that stands."""
    if (named := NAMED.match(value)) and not values.is_random(named[1]):
        return False
    if values.hides(value, at_most(kind, Meaning.TOKEN)):
        return True
    if kind < Meaning.CODE or not values.is_strong(value):
        return False
    return values.WORDS_IN_A_ROW.fullmatch(value) is None or SURE.search(gap) is not None
