"""Secrets that a name announces in running text: `name=value`, `"name": "value"`, cookies, also in invalid text.

It starts at the sensitive word and looks around it, so the text may be broken or foreign, and reads each character a
bounded number of times.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple
from urllib.parse import unquote_plus

from gasoline_workers.redaction import cookies, extents, nearby, prose, values
from gasoline_workers.redaction.automaton import Finder
from gasoline_workers.redaction.names import (
    Meaning,
    at_most,
    begins_with_verb,
    counts,
    header_meaning,
    kind_of,
    meaning,
    stems,
)
from gasoline_workers.redaction.randomness import is_improbable
from gasoline_workers.redaction.spans import Span, is_marker, lowered


@cache
def _stems() -> Finder:
    """Return what finds some part of every name that `names` finds meaning in."""
    return Finder(stems())


NAME_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.-[]%"
NAME_LENGTH = 64
NAME_REST = re.compile(r"(?:[\w$.\-\[\]]|%(?!3[AaDd]|2[026])){0,64}")

FIRST_WORD = re.compile(r"(?:\A|[(\[=:,])[\"'(\[`*]{0,4}([^\W\d_]{1,40})\Z")
"""The first word of a name, with what sets the name off: `getByLabel('API key')`."""

BORDER = re.compile(r"[^\w$.\[\]-]")
"""What stands before a name that was percent-encoded with it."""

HINTS = frozenset("\n,(")
"""Characters of signs that only suggest that a value follows, as no sign at all does: it must look random."""

LITERAL = re.compile(r"[^\n;'\"`{}]{0,80}?(?P<quote>[\"'`])(?P<value>[^\"'`\s]{8,256})(?P=quote)")
"""The first string further on in a statement whose value begins with code."""

TYPES = frozenset(("string", "str", "text", "bytes", "final", "const", "secretstr", "char", "varchar"))
"""What stands between a name and its value in a typed language."""

LONGEST_TYPE = max(map(len, TYPES))

SETTER = re.compile(
    r"(?:set|put|append|add|header|register|define|store|configure|property|param|option|env)\w*\([\"'`]$",
    re.IGNORECASE,
)
"""A call with a first argument that names the second."""

SETTER_LENGTH = 32
"""Characters before a name in which the call is looked for that it is the first argument of."""

TYPED = re.compile(r"[ ]{0,4}=[ ]{0,4}(?P<quote>[\"'`])(?P<value>[^\"'`\n]{4,512})(?P=quote)")
"""The value after a type: `password: string = "..."`."""

CHANGED = re.compile(
    r"(?P<quote>[\"'`]?)[ \t]{0,8}(?:->|=>|\u2192)[ \t]{0,8}"
    r"(?P=quote)(?P<value>[^\"'`\n\s]{4,512})(?P=quote)(?=[\s,;]|\Z)"
)
"""What a value is changed to, as plans and audits write it: `"old" -> "new"`."""

CONTINUATION = re.compile(r"[\"'`]\s{0,16}\+\s{0,16}(?P<quote>[\"'`])(?P<value>[^\"'`\n]{1,512})(?=(?P=quote))")
CONTINUED = 16
"""Literals that are joined to one that is hidden."""

FOLDED = re.compile(r"\r?\n(?P<indent>[ \t]{1,64})(?P<word>[\w.~+/=%!@#$^&*-]{2,512})(?=[ \t]{0,8}(?:\r?\n|\Z))")
"""A line that a value goes on in, as YAML folds scalars (YAML 1.2, 7.3.3) and mail folds headers (RFC 5322, 2.2.3)."""

NAMES_BEFORE = re.compile(
    r"(?:(?:\A|\n)[ \t]{0,64}(?:(?:const|var|let|final|val|my|local)[ \t])?|(?<![\w)])[(\[])"
    r"(?P<names>(?:[\w.$]{1,64},[ ]?){0,7})\Z"
)
NAMES_AFTER = re.compile(
    r"(?P<names>(?:,[ ]?[\w.$]{1,64}){0,7})[)\]]?(?:[ ](?:string|str))?[ ]{0,4}:?=[ ]{0,4}[(\[]?(?=[\"'`])"
)
STRINGS = re.compile(r"(?P<quote>[\"'`])(?P<value>[^\"'`\n]{0,512})(?P=quote)(?:[ ]{0,4},[ ]{0,4})?")
NAMES_LENGTH = 256
"""Characters before a name in which others are looked for: `user, password = "ada", "..."`."""

PHRASE_NAME = re.compile(r"(?i)(?:phrase|(?<!pass)words?|seed|mnemonic)[\"'\])]*$")
COMPARISONS = ("==", "===", "!=", "!==")


class Assignment(NamedTuple):
    """What a name means, and where in the text the value stands that it announces."""

    name: str
    meaning: Meaning
    start: int
    end: int
    sign: str
    quoted: bool
    name_start: int
    query: bool  # after `?` or `&`, or at the start of a text: prose and code do not stand there


def find(text: str) -> Iterator[Span]:
    """Find the values that sensitive names announce in `text`, in order."""
    position = line = 0
    for hit, hit_end in _stems().places(lowered(text)):
        if hit < position:
            continue
        start, position = _name_around(text, hit, hit_end, position)
        found = _assignment(text, start, position, line)
        if found is not None and found.meaning is Meaning.COOKIES:
            if start < line:
                continue  # a cookie string is read once, however often the word occurs
            line = found.end
        spans = _judge(text, found) if found and not _is_count(text, found) else []
        if spans := spans or _nearby(text, start, position):
            yield from spans
            position = max(position, spans[-1].end)


def _is_count(text: str, found: Assignment) -> bool:
    value = text[found.start : found.end]
    return value.isdecimal() and counts(found.name, int(value))


def _nearby(text: str, start: int, end: int) -> list[Span]:
    found = nearby.candidate(text, end)
    if found is None:
        return []
    own = text[start:end]
    own = BORDER.split(unquote_plus(own))[-1] if "%" in own else own
    name = _words_before(text, start) + own
    if begins_with_verb(own) or begins_with_verb(name):
        return []
    return nearby.judged(found, meaning(name))


def _name_around(text: str, hit: int, end: int, floor: int) -> tuple[int, int]:
    before = text[max(floor, hit - NAME_LENGTH) : hit]
    rest = NAME_REST.match(text, end)
    return hit - len(before) + len(before.rstrip(NAME_CHARACTERS)), rest.end() if rest else end


def _assignment(text: str, start: int, end: int, line: int) -> Assignment | None:
    """Read the sign and the value after a name; None if it is no name of a value, or means nothing.

    `line`: where the last string of cookies ends.
    """
    if (text.startswith(",", end) or text[max(0, start - 2) : start].rstrip(" ")[-1:] == ",") and (
        found := _in_parallel(text, start, end)
    ):
        return found
    separator = _separator(text, start, end)
    if separator is None or separator["sign"].startswith("%3"):  # what is encoded is read once it is decoded
        return None
    query = text.startswith("=", end) if start == 0 else text[start - 1] in "?&#"
    start += 2 * text.startswith("-D", start)  # a property of a Java program
    own = text[start:end]
    name = own if query else _words_before(text, start) + own
    sign, begin, quote = separator["sign"].strip(" \t"), separator.end(), separator["open"]
    kind = _meaning(name, own, sign, query=query)
    if kind is Meaning.HARMLESS and name != own and begins_with_verb(name):  # of a sentence, not of the name
        tight = sign == "=" and text.startswith("=", end)
        bare = _meaning(own, own, sign, query=query)
        kind = bare if tight else at_most(bare, Meaning.TOKEN)
    if kind is Meaning.HARMLESS:
        return None
    if kind is Meaning.COOKIES and not quote:
        value_end = line if start < line else extents.line_end(text, begin, len(text))
    else:
        value_end = extents.value_end(text, begin, quote, query=query)
    if (
        not quote
        and text[begin : min(value_end, begin + LONGEST_TYPE + 1)].casefold() in TYPES
        and (typed := TYPED.match(text, value_end))
    ):
        return Assignment(name, kind, *typed.span("value"), "=", quoted=True, name_start=start, query=False)
    return Assignment(name, kind, begin, value_end, sign, quote is not None, start, query)


def _in_parallel(text: str, start: int, end: int) -> Assignment | None:
    """Read the value of one of a list of names, which is at its own place in a list of strings."""
    before = NAMES_BEFORE.search(text[max(0, start - NAMES_LENGTH) : start])
    after = NAMES_AFTER.match(text, end) if before else None
    if before is None or after is None or not (before["names"] or after["names"]):
        return None
    position, value = after.end(), None
    for _ in range(before["names"].count(",") + 1):
        value = STRINGS.match(text, position)
        if value is None:
            return None
        position = value.end()
    kind = meaning(text[start:end])
    if value is None or not Meaning.HARMLESS < kind <= Meaning.MASKED:
        return None
    return Assignment(text[start:end], kind, *value.span("value"), "=", quoted=True, name_start=start, query=False)


def _separator(text: str, start: int, end: int) -> re.Match[str] | None:
    separator = extents.SEPARATOR.match(text, end)
    if separator is None:
        return extents.FLAG.match(text, end) if text.startswith("--", start) else None
    if separator["sign"] == "," and text[max(0, start - 2) : start - 1] not in ("(", "["):
        return None  # a list of names; only a call's, or a pair's, first item names the second
    return separator


def _words_before(text: str, start: int) -> str:
    """Return up to three plain words before a name: `one time code`, `API key` mean more than their last word."""
    if start > 1 and text[start - 1] in "'\u2019":  # `d'accès`
        start = text.rfind(" ", max(0, start - 6), start) + 1
    if start == 0 or text[start - 1] != " ":
        return ""
    words = text[max(0, start - 40) : start].rpartition("\n")[2].split(" ")[-4:-1]
    kept: list[str] = []
    for word in reversed(words):
        first = FIRST_WORD.search(word)
        if first is None:
            break
        kept.insert(0, first[1] + " ")
        if first[1] != word:
            break
    return "".join(kept)


def _meaning(name: str, own: str, sign: str, *, query: bool) -> Meaning:
    if name[:2] in ("X-", "x-") and sign == ":":
        return header_meaning(name)
    kind = meaning(name)
    if own != name and begins_with_verb(own) and meaning(own) is Meaning.HARMLESS:
        return Meaning.HARMLESS  # `forgotPassword` is no password, whatever stands before it
    if kind is Meaning.TOKEN and query and name.lower().endswith(("token", "jwt", "sid")):
        return Meaning.CREDENTIAL
    return kind if kind <= Meaning.COOKIES else Meaning.HARMLESS


def _judge(text: str, found: Assignment) -> list[Span]:
    value = text[found.start : found.end]
    if found.meaning is Meaning.COOKIES:
        is_string = found.sign in (":", "=") and (found.quoted or not prose.EXPRESSION.match(value))
        return cookies.find(text, found.start, found.end) if is_string else []
    if words := _phrase(text, found):
        hidden = Span(*words.span(), kind="recovery-phrase")
        return [] if prose.is_sentence(words[0]) else [hidden, *_continued(text, found, hidden.end)]
    blank = prose.is_blank(value)
    if blank or (not found.quoted and _is_harmless(text, found, value)):
        return _literal(text, found) if blank or found.sign in (":", "=", ":=") else []
    certainty = _certainty(text, found, value)
    if not (values.hides(value, certainty) or (is_spelled(value) and values.hides(unquote_plus(value), certainty))):
        return _literal(text, found) if value.casefold() in TYPES else []
    if found.quoted:
        return [Span(found.start, found.end, kind=kind_of(found.meaning)), *_continued(text, found, found.end)]
    end = extents.whole_end(text, found.start, found.end, query=found.query)
    return [Span(found.start, _folded_end(text, found, end), kind=kind_of(found.meaning))]


def _folded_end(text: str, found: Assignment, end: int) -> int:
    """Return where a value ends that goes on in lines that are indented deeper than its own, one word in each."""
    if ":" not in found.sign and "=" not in found.sign:
        return end
    line = text[text.rfind("\n", 0, found.name_start) + 1 : found.name_start]
    indent = len(line) - len(line.lstrip(" \t"))
    while (folded := FOLDED.match(text, end)) and len(folded["indent"]) > indent:
        before = text[found.start : end].rsplit(maxsplit=1)[-1]
        if folded["word"].isalpha() and not values.is_random(before + folded["word"]):
            break
        end = folded.end()
    return end


def _phrase(text: str, found: Assignment) -> re.Match[str] | None:
    """Find the words that follow a name for a phrase: a phrase, or a sentence."""
    words = prose.PHRASE.match(text, found.start) if found.meaning is Meaning.PASSWORD else None
    if words is None or not PHRASE_NAME.search(found.name):
        return None
    if found.sign in ("is", "was") and text[words.end() : words.end() + 2].strip() not in ("", ".", "!"):
        return None
    return words if not found.quoted or words.end() == found.end else None


def _continued(text: str, found: Assignment, end: int) -> Iterator[Span]:
    """Find the literals that are joined to one that is hidden: of a phrase or a password they are the rest."""
    changed = CHANGED.match(text, end)
    if changed and not is_marker(changed["value"]):
        yield Span(*changed.span("value"), kind=kind_of(found.meaning))
        return
    for _ in range(CONTINUED if found.quoted and found.meaning is Meaning.PASSWORD else 0):
        piece = CONTINUATION.match(text, end)
        if piece is None:
            return
        yield Span(*piece.span("value"), kind=kind_of(found.meaning))
        end = piece.end("value")


def _certainty(text: str, found: Assignment, value: str) -> Meaning:
    """Weaken the meaning of a name that only hints at the value, strengthen that of a bare `key` in a query."""
    if (not found.sign or not HINTS.isdisjoint(found.sign)) and not _is_sure(text, found, value):
        return found.meaning if _is_quoted_password(found, value) else at_most(found.meaning, Meaning.TOKEN)
    if found.meaning is Meaning.KEY and found.query and len(value) >= 16:  # noqa: PLR2004 - 80 bits, the shortest API keys
        return Meaning.TOKEN
    return found.meaning


def _is_sure(text: str, found: Assignment, value: str) -> bool:
    """Return whether what only hints at a value does so here for sure: a call that sets, a flag, a block, a label."""
    if found.sign == ",":
        return SETTER.search(text, max(0, found.name_start - SETTER_LENGTH), found.name_start) is not None
    if found.sign == "" and (text.startswith("--", found.name_start) or found.quoted):
        flag = text.startswith("--", found.name_start) and not value.startswith("-")
        return flag or (found.meaning >= Meaning.CREDENTIAL and values.is_strong(value))
    if "$" in found.sign or ("|" in found.sign and "\n" in found.sign):  # RESP's length, a block of YAML
        return True
    alone = found.name_start == 0 or text[found.name_start - 1] == "\n"
    whole = text[found.end : found.end + 1] in ("", "\n", "\r")
    return alone and whole and "\n" in found.sign and found.meaning is Meaning.PASSWORD and values.is_strong(value)


def is_spelled(value: str) -> bool:
    """Return whether a value may be written as in a form."""
    return "%" in value or "+" in value


def _is_quoted_password(found: Assignment, value: str) -> bool:
    """Return whether a sentence quotes a password: `password 'hunter2' was rejected`."""
    named = found.sign == "" and found.meaning is Meaning.PASSWORD and found.name[-4:].lower() != "pass"
    return named and not (value.isalpha() or " " in value)


def _literal(text: str, found: Assignment) -> list[Span]:
    """Find a secret written out later in a statement: `token: string = "…"`, `secret = process.env.X || "…"`."""
    literal = LITERAL.match(text, found.end)
    if literal is None or found.meaning is Meaning.KEY:
        return []
    value = literal["value"]
    strong = found.meaning is Meaning.PASSWORD and any(map(str.isdigit, value)) and not values.STRONG.isdisjoint(value)
    hidden = strong or values.is_random(value)
    return [Span(*literal.span("value"), kind=kind_of(found.meaning))] if hidden else []


def _is_harmless(text: str, found: Assignment, value: str) -> bool:
    """Return whether an unquoted value is code or prose; in a query or a form it is neither."""
    if found.query and found.sign == "=":
        return False
    if found.sign in COMPARISONS or value.casefold() == found.name.casefold():
        return True
    is_variable = "_" in found.name and found.name.isupper() and found.sign == "="  # of an environment
    if found.name[-4:].lower() == "pass" and value.isalpha() and not is_variable:  # the first pass, a test's pass
        return True
    spaced = found.sign == "=" and text[found.start - 1] == " "
    after = text[found.end : found.end + 2].strip()[:1]
    if is_improbable(value) or values.is_row(value):
        return False
    if found.meaning is Meaning.CREDENTIAL and value.isalpha() and (found.sign != "=" or spaced or after == ","):
        return True
    following = text[found.start : found.end + 60]
    is_minified = text[found.start - 1] == ":" and prose.is_minified(value)
    return is_minified or prose.is_code(value, after, spaced=spaced) or prose.is_prose(value, found.sign, following)
