"""Names and values that running text keeps apart: in two lines, in a sentence, in brackets, in the columns of SQL.

Where nothing but its place ties a value to a name, it must look like a secret too: no word is hidden.
"""

import re
from collections.abc import Callable, Iterator
from itertools import accumulate

from gasoline_workers.redaction import prose, values
from gasoline_workers.redaction.matching import Rule, Rules
from gasoline_workers.redaction.names import Meaning, at_most, kind_of, meaning, stronger
from gasoline_workers.redaction.spans import Span, lowered

PHRASE = r"[a-z]{2,12}(?: [a-z]{2,12}){3,23}"
PHRASES_BEFORE = re.compile(rf"(?:[Uu]se |^|\n)(?P<a>{PHRASE})\Z")
PHRASE_NAME = re.compile(r"(?i)(?:phrase|(?<!pass)words|seed|mnemonic)")
"""What is called so may be words in lower case (BIP 39)."""

SIGN = r"[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?"
NAMED_LINE = re.compile(
    rf"(?:\A|[\s{{,;\"'-])\w{{0,24}}(?:name|key|id|field|variable|setting|option|parameter|header|property){SIGN}"
    r"(?P<name>[\w.-]{2,64})[\"']?[,;]?[ \t\r]{0,8}\Z",
    re.IGNORECASE,
)
TYPE_LINE = re.compile(r"[ \t]{0,64}[\"']?type[\"']?[ \t]{0,4}[:=]", re.IGNORECASE)
VALUE_LINE = re.compile(
    r"\n[ \t]{0,64}[\"']?(?:value|val|content|data|default|text|currentvalue|newvalue)"
    + SIGN
    + r"(?P<a>[^\s\"'][^\n\"']{2,510}[^\s\"',;])",
)
"""A pair in two lines, as the lists of Kubernetes and of Compose have them."""

SAID = re.compile(r" (?:is|as) (?:your|my|our|the|its|an?)(?: new)? (?P<name>[\w.-]{2,48}(?: [\w.-]{2,48}){0,2})")
WORD_BEFORE = re.compile(r"[\"'`]?(?P<a>[^\s\"'`(=:,]{6,512}={0,2})[\"'`]?\Z")
"""The value before its name: `use … as the API key`, `… is your password`."""

NEXT = re.compile(
    r":[ \t]{0,4}\r?\n(?:[ \t]{0,8}\r?\n)?[ \t]{0,16}[\"'`]?"
    rf"(?P<a>[^\s\"'`]{{6,512}}|{PHRASE})[\"'`]?[ \t]{{0,4}}(?=[\r\n]|\Z)",
)
"""A line that ends with a colon, and one word alone after it, or after an empty line."""

BRACKETS = re.compile(rf" \[(?P<a>[\w.+/@#$%!*-]{{6,512}}={{0,2}}|{PHRASE})\]")
LONGEST = 512
LINE = 160
"""Characters before a value in which its name is looked for."""

WORD = re.compile(r"[^\W\d_][\w.-]*")
NAME_WORDS = 3

INSERT = re.compile(
    r"(?:insert|replace)\s{1,4}(?:or\s\w{1,16}\s)?into\s{1,4}[\w.\"`\[\]]{1,128}\s{0,4}\((?P<columns>[^()]{1,2048})\)\s{0,8}values?\s{0,8}"
)
COPY = re.compile(r"copy\s[\w.\"]{1,128}\s\((?P<columns>[^()]{1,2048})\)\sfrom\sstdin[^\n]{0,64}\n")
FIELD = re.compile(
    r"\s*+(?:[nexb]?'(?P<text>(?:[^']|'')*+)'|(?P<bare>[^,()']{0,512}(?:\([^()]{0,512}\)[^,()']{0,64})?))\s*+(?P<after>[,)])"
)
Reader = Callable[[str, str, re.Match[str]], tuple[list[Span], int]]
"""Reads the values after the head of a statement: what is secret of them, and where they end."""

BETWEEN_ROWS = re.compile(r"\s{0,8},?\s{0,8}\(")


def find(text: str) -> Iterator[Span]:
    """Find the values that names further off announce in `text`, in any order."""
    searched = lowered(text)
    yield from _RULES.find(text, searched)
    if any(verb in searched for verb in (" is ", " as ")):
        yield from _said(text, searched)
    if "into" in searched:
        yield from _statements(text, searched, INSERT, _rows)
    if "from stdin" in searched:
        yield from _statements(text, searched, COPY, _lines)


def _statements(text: str, searched: str, head: re.Pattern[str], read: Reader) -> Iterator[Span]:
    """Read the values of each statement; what looks like one within another's values is none."""
    position = 0
    for statement in head.finditer(searched):
        if statement.start() >= position:
            found, position = read(text, searched, statement)
            yield from found


def _said(text: str, searched: str) -> Iterator[Span]:
    for verb in SAID.finditer(searched):
        before = text[max(0, verb.start() - LONGEST) : verb.start()]
        word = before.rsplit(None, 1)[-1:]
        value = PHRASES_BEFORE.search(before) or (word and WORD_BEFORE.search(before, len(before) - len(word[0])))
        if value:
            start = verb.start() - len(before)
            span = Span(start + value.start("a"), start + value.end("a"))
            if _is_said(text, verb, span):
                yield span


def _rows(text: str, searched: str, statement: re.Match[str]) -> tuple[list[Span], int]:
    kinds, position, found = _columns(text, statement), statement.end(), list[Span]()
    while any(kinds) and (opening := BETWEEN_ROWS.match(searched, position)):
        position = opening.end()
        for kind in kinds:
            field = FIELD.match(searched, position)
            if field is None:
                return found, position
            span = field.span("text" if field["text"] is not None else "bare")
            if field["text"] is not None or field["bare"].strip().isdigit():
                found += _judged(text, *span, kind)
            position = field.end()
            if field["after"] == ")":
                break
    return found, position


def _lines(text: str, _searched: str, statement: re.Match[str]) -> tuple[list[Span], int]:
    kinds, position, found = _columns(text, statement), statement.end(), list[Span]()
    while any(kinds) and position < len(text) and not text.startswith("\\.", position):
        end = text.find("\n", position) + 1 or len(text) + 1
        cells = text[position : end - 1].split("\t")
        starts = accumulate((len(cell) + 1 for cell in cells), initial=position)
        for kind, cell, start in zip(kinds, cells, starts, strict=False):
            found += _judged(text, start, start + len(cell), kind)
        position = end
    return found, position


def _columns(text: str, statement: re.Match[str]) -> list[Meaning]:
    names = text[slice(*statement.span("columns"))].split(",")
    kinds = (meaning(name.strip(' \t\r\n"`[]')) for name in names)
    return [kind if Meaning.KEY < kind <= Meaning.MASKED else Meaning.HARMLESS for kind in kinds]


def _judged(text: str, start: int, end: int, kind: Meaning) -> Iterator[Span]:
    if values.hides(text[start:end].replace("\\N", ""), kind):
        yield Span(start, end, kind=kind_of(kind))


def _is_named(text: str, match: re.Match[str], span: Span) -> bool:
    lines = text[max(0, match.start() - 2 * LINE) : match.start()].split("\n")
    line = lines[-2] if len(lines) > 1 and TYPE_LINE.match(lines[-1]) else lines[-1]
    named = NAMED_LINE.search(line)
    return named is not None and values.hides(text[span.start : span.end], meaning(named["name"]))


def _is_said(text: str, match: re.Match[str], span: Span) -> bool:
    """Judge a value before its name: of the words that follow, up to three are the name."""
    words = text[slice(*match.span("name"))].split(" ")
    kinds = (meaning(" ".join(words[:count])) for count in range(1, len(words) + 1))
    return _looks(text[span.start : span.end], max(map(_plain, kinds)), " ".join(words))


def _is_announced(text: str, match: re.Match[str], span: Span) -> bool:
    """Judge a value by the name in the rest of its line, or in the line before it."""
    line = text[max(0, match.start() + 1 - LINE) : match.start() + 1].rpartition("\n")[2]
    words = WORD.findall(line)[-24:]
    kind = Meaning.HARMLESS
    for place in range(len(words)):
        for count in range(1, NAME_WORDS + 1):
            kind = stronger(kind, _plain(meaning(" ".join(words[place : place + count]))))
    return _looks(text[span.start : span.end], kind, line)


def _is_bracketed(text: str, match: re.Match[str], span: Span) -> bool:
    words = WORD.findall(text[max(0, match.start() + 1 - LINE) : match.start() + 1].rpartition("\n")[2])[-NAME_WORDS:]
    kinds = [_plain(meaning(" ".join(words[place:]))) for place in range(len(words))]
    return _looks(text[span.start : span.end], max(kinds, default=Meaning.HARMLESS), " ".join(words))


def _plain(kind: Meaning) -> Meaning:
    return kind if kind <= Meaning.MASKED else Meaning.HARMLESS


def _looks(value: str, kind: Meaning, name: str) -> bool:
    """Return whether a value looks like what a name that stands apart from it announces."""
    if " " in value:
        return kind >= Meaning.PASSWORD and PHRASE_NAME.search(name) is not None and prose.is_phrase(value)
    bare = value.rstrip(".,;:!?)")
    return values.hides(bare, at_most(kind, Meaning.TOKEN)) or (kind >= Meaning.CREDENTIAL and values.is_strong(bare))


_RULES = Rules(
    Rule(VALUE_LINE, ("value", "val", "content", "data", "default", "text"), _is_named),
    Rule(NEXT, (":\n", ":\r\n", ": \n"), _is_announced),
    Rule(BRACKETS, (" [",), _is_bracketed),
)
