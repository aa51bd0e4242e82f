"""Secrets that sentences and command lines give away: codes in messages, seed phrases, `curl -u`.

All is asked of the text in lower case, which is four times as fast as ignoring the case in the pattern. A
pattern begins with characters where it can: what is asked before the first one is asked at each place.
"""

import base64
import binascii
import re
from collections.abc import Iterator

from gasoline_workers.redaction import seed_words, values
from gasoline_workers.redaction.matching import Rule, Rules, is_unmarked
from gasoline_workers.redaction.names import Meaning, at_most, is_harmless_code, meaning
from gasoline_workers.redaction.spans import Span, lowered

BEARER = re.compile(r"b(?:earer|asic)(?:\s|%20|\+){1,4}(?P<a>[\w.~+/=-]{8,})")

SIGN = r"(?: (?:for|to) [\w .]{1,40})?(?P<sign> is|:| =)? {0,3}[\"'*]{0,2}"
CODE = re.compile("code" + SIGN + r"(?P<a>[a-z]{0,3}-?\d[\d -]{2,9}\d)(?![\w/-]|\.\d)")
PASSCODE = re.compile(
    r"\b(?:otp|passcode|one[- ]time (?:pin|password|passcode))" + SIGN + r"(?P<a>\d[\d -]{2,9}\d)(?![\w/-]|\.\d)",
)
LEADING_CODE = re.compile(
    r"(?P<a>\d(?<![\w.].)\d\d[ -]?\d{1,5}) (?:is|as) (?:your|the|a) "
    r"[\w ]{0,40}?(?:code|pin|passcode|password)(?![\w-])",
)
WORDS_BEFORE = re.compile(r"[a-z]+[- ]?")

SEED = re.compile(
    r"(?:phrase|mnemonic|seed|words)(?: is|:| =|\n){1,2}\s{0,4}[\"']?"
    r"(?P<a>[a-z]{3,8}(?:[ ,\n]{1,2}[a-z]{3,8}){11}(?:(?:[ ,\n]{1,2}[a-z]{3,8}){3}){0,4})(?![a-z])",
)
BARE_SEED = re.compile(r"\A\s{0,8}(?P<a>[a-z]{3,8}(?: [a-z]{3,8}){11}(?:(?: [a-z]{3,8}){3}){0,4})\s{0,8}\Z")
"""BIP 39: 12, 15, 18, 21 or 24 words of 3 to 8 letters; prose of that length has a word of two letters, or a point."""

CURL_USER = re.compile(r"(?<!\S)(?:-u|--user|--proxy-user)[ =][\"']?[^\s:\"']{1,64}:(?P<a>[^\s\"']+)")
MYSQL = re.compile(r"\b(?:mysql\w{0,8}|sshpass)\s[^\n]{0,120}?(?<=\s)-p ?(?P<a>[^\s-]\S*)")
NETRC = re.compile(
    r"\bmachine\s{1,8}\S{1,128}\s{1,8}login\s{1,8}\S{1,128}\s{1,8}password\s{1,8}"
    r"(?P<a>[a-z]{2,12}(?: (?!machine \S{1,64} login)[a-z]{2,12}){3,23}(?!\S)|\S+)",
)
WIFI = re.compile(r"wifi:[^\n]{0,128}?p:(?P<a>(?:[^;\\\n]|\\.){1,128})")

PASSWORD_FIELD = re.compile(
    r"<input\b(?=[^<>]{0,512}?\btype=\\{0,8}[\"']?password)[^<>]{0,512}?"
    r"\bvalue=\\{0,8}(?P<quote>[\"'])(?P<a>[^<>\n]{1,512}?)\\{0,8}(?P=quote)",
)
"""A net under the reading of HTML, for a field that stands inside the broken quotes of another tag."""


BLOCK = re.compile(
    r"(?:variable|parameter|output|secret|param|env)\s{1,4}[\"'](?P<name>[\w.-]{2,64})[\"']\s{0,4}[{(][^{}\"']{0,160}?"
    r"\b(?:default|value|data|content)\s{0,8}[=:]\s{0,8}[\"'](?P<a>[^\"'\n]{4,512})[\"']",
)
"""A declaration with its value further on in its block, as in Terraform."""

DOTTED = re.compile(r"(?<![\w./-])(?P<name>[a-z][\w-]{2,40})\.(?P<a>[\w-]{8,512})(?![\w.(-])")
"""A name and a value in one word, as subprotocols of WebSockets carry them."""

DOTTED_LENGTH = 16
"""The fewest characters of such a value that is judged by its randomness: shorter ones are members of objects."""


def stems() -> tuple[str, ...]:
    """Return the words of which one occurs in every text in which something is found, but for a bare seed phrase."""
    return _RULES.stems


def is_bare_seed(text: str) -> bool:
    """Return whether `text` is nothing but the words of a seed phrase."""
    return BARE_SEED.match(text) is not None


def find(text: str) -> Iterator[Span]:
    """Find the secrets in `text` that are worded, in any order."""
    return _RULES.find(text, lowered(text))


def is_basic(credentials: str) -> bool:
    """Return whether `credentials` are those of Basic authentication (RFC 7617): user and password in Base64."""
    try:
        decoded = base64.b64decode(credentials + "=" * (-len(credentials) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False
    return b":" in decoded and decoded.isascii()


def _is_credential(text: str, _match: re.Match[str], span: Span) -> bool:
    secret = text[span.start : span.end]
    return values.is_random(secret) or is_basic(secret)


def _is_confirmation(text: str, match: re.Match[str], span: Span) -> bool:
    """Judge a number after `code`: the words before show which code it is; else it has a sign and 6 to 8 digits."""
    before = WORDS_BEFORE.findall(text[max(0, match.start() - 32) : match.start()].lower())[-3:]
    if meaning("".join(before) + " code") is Meaning.CODE:
        return True
    digits = sum(map(str.isdigit, text[span.start : span.end]))
    return bool(match["sign"]) and 6 <= digits <= 8 and not (before and is_harmless_code(before[-1].strip(" -")))  # noqa: PLR2004


def _is_drawn(text: str, _match: re.Match[str], _span: Span) -> bool:
    """Judge a text of nothing but words: they are in lower case, and hardly one of them is there twice."""
    words = text.split()
    return text.islower() and len({*words}) >= seed_words.DISTINCT * len(words)


def _is_named(text: str, match: re.Match[str], span: Span) -> bool:
    """Judge a value by the name that stands elsewhere."""
    return values.hides(text[span.start : span.end], meaning(text[slice(*match.span("name"))]))


def _is_named_and_random(text: str, match: re.Match[str], span: Span) -> bool:
    named = meaning(text[slice(*match.span("name"))])
    value = text[span.start : span.end]
    if named >= Meaning.CREDENTIAL and _is_text_in_base64(value):
        return True
    mixed = any(map(str.isdigit, value)) and value != value.upper() != value.lower()
    return mixed and len(value) >= DOTTED_LENGTH and values.hides(value, at_most(named, Meaning.TOKEN))


def _is_text_in_base64(value: str) -> bool:
    """Return whether a value is printable text in Base64, as no word is that stands after a point."""
    try:
        decoded = base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))
    except (binascii.Error, ValueError):
        return False
    return len(decoded) >= 6 and decoded.isascii() and decoded.decode().isprintable()  # noqa: PLR2004 - one word in 400


_RULES = Rules(
    Rule(BLOCK, ("variable", "parameter", "output", "secret", "param", "env"), _is_named),
    Rule(
        DOTTED,
        ("token.", "key.", "secret.", "auth.", "bearer.", "jwt.", "session.", "pass.", "password.", "seed."),
        _is_named_and_random,
    ),
    Rule(BEARER, ("bearer", "basic"), _is_credential, "authorization"),
    Rule(CODE, ("code",), _is_confirmation, "code"),
    Rule(PASSCODE, ("otp", "passcode", "one-time", "one time"), kind="code"),
    Rule(LEADING_CODE, (" is your ", " is the ", " is a ", " as your ", " as the ", " as a "), kind="code"),
    Rule(SEED, ("phrase", "mnemonic", "seed", "words"), kind="recovery-phrase"),
    Rule(BARE_SEED, judge=_is_drawn, kind="recovery-phrase"),
    Rule(CURL_USER, ("curl",), is_unmarked, "password"),
    Rule(MYSQL, ("mysql", "sshpass"), is_unmarked, "password"),
    Rule(NETRC, ("machine ",), is_unmarked, "password"),
    Rule(WIFI, ("wifi:",), is_unmarked, "password"),
    Rule(PASSWORD_FIELD, ("<input",), is_unmarked, "password"),
)
