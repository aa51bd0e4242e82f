"""Secrets that are recognizable by themselves: the formats of issuers, cards and private keys."""

import re
from collections.abc import Iterator
from functools import cache

from gasoline_workers.redaction import issuers, private_keys, values
from gasoline_workers.redaction.issuers import Kind
from gasoline_workers.redaction.spans import Span

CARD = re.compile(r"(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{5})(?![\w-]|\.\d)")
ISSUER = re.compile(
    r"4\d{12}(?:\d{3}){0,2}|(?:5[1-5]|2[2-7]|6[024589]|35|62)\d{14}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|5[06-8]\d{14}",
)
"""Number ranges of Visa, Mastercard, Discover, Maestro, JCB, UnionPay, American Express and Diners, with their
lengths."""

IMAGE = re.compile(
    r"data:(?:image|audio|video|font)/[\w.+-]{1,40}(?:;[\w=.-]{1,40}){0,3};base64,"
    r"(?:iVBOR|/9j/|R0lGOD|UklGR|d09GM|AAAB|PHN2Zy|Qk|SUQz|T2dnU)[A-Za-z0-9+/=]*+",
)
"""Binary data that say themselves what they are (magic numbers in Base64); nothing is looked for in them."""

ENDING = re.compile(r"\.{0,8}(?:\.(?:png|jpe?g|gif|svg|webp|woff2?|css|js|map|json|html?|txt))?$")
"""What ends a sentence, or a file's name, after a token whose form may have dots in it."""

DISTINCT = 5
"""The fewest different characters of a token's random part: `xxxxxxxx` and `00000000` are examples."""


def find_issued(text: str, numbers: tuple[int, ...]) -> Iterator[Span]:
    """Find the secrets of the kinds that may occur in `text`, by their numbers in the table."""
    for number in numbers:
        kind = issuers.kinds()[number]
        for match in _matches(text, kind, _pattern(number)):
            if is_issued(match[0], kind):
                yield Span(match.start(), match.start() + len(ENDING.sub("", match[0])), kind=kind.name)


def _matches(text: str, kind: Kind, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Find the matches of a format, by its first literal if it begins with one: `re` looks at each character."""
    literal = kind.parts[0].literal
    if not literal:
        yield from pattern.finditer(text)
        return
    place = text.find(literal)
    while place >= 0:
        match = pattern.match(text, place)
        if match:
            yield match
        place = text.find(literal, match.end() if match else place + 1)


def issued_kind(secret: str) -> str:
    """Return the name of the format that a secret has from its beginning to its end, or nothing."""
    for number in range(len(issuers.kinds())):
        match = _pattern(number).fullmatch(secret)
        if match and is_issued(secret, issuers.kinds()[number]):
            return issuers.kinds()[number].name
    return ""


def is_issued(token: str, kind: Kind) -> bool:
    """Return whether a text that has the form of `kind` is a token and no example, class name or word."""
    body = token.removeprefix(kind.parts[0].literal)
    if len(set(body)) < DISTINCT:
        return False
    return not kind.random or values.is_random(body) or _is_mixed(body)


def find_cards(text: str) -> Iterator[Span]:
    """Find the numbers of payment cards in `text`."""
    for match in CARD.finditer(text):
        before = text[match.start() - 1 : match.start()]
        if not (before.isalnum() or before in ("_", ".", "-")) and is_card(match[0]):
            yield Span(*match.span(), kind="card")


def find_keys(text: str) -> Iterator[Span]:
    """Find the private keys in `text`."""
    return private_keys.find(text)


def is_card(number: str) -> bool:
    """Return whether `number`, with spaces or dashes, is that of a payment card."""
    digits = number.replace(" ", "").replace("-", "")
    return ISSUER.fullmatch(digits) is not None and values.passes_luhn(digits)


def _is_mixed(body: str) -> bool:
    """Return whether a text has letters of both cases and digits, as no class name has that begins like a token."""
    return any(map(str.isdigit, body)) and any(map(str.isupper, body)) and any(map(str.islower, body))


@cache
def _pattern(number: int) -> re.Pattern[str]:
    return re.compile(issuers.kinds()[number].pattern)
