"""Whether a value is secret, given what its name means; one value at a time.

Entropy alone spoils a quarter of harmless browser data (measured), so no value is judged without a name's meaning.
"""

import re
from itertools import pairwise

from gasoline_workers.redaction.names import Meaning, word_set
from gasoline_workers.redaction.randomness import is_improbable
from gasoline_workers.redaction.spans import is_marker

CREDENTIAL_LENGTH = 4
"""The fewest characters of a credential: `accesskey="s"` is a keyboard shortcut, and no system issues three
characters."""

QUOTES = " \t\r\n\"'`\\"
"""What may stand around a value that is a string of JSON once more."""

LONGEST_CODE = 24
"""Characters of a card number with spaces."""

ONE_CASE = 28
"""The fewest letters of one case, with digits, that no identifier is; a ULID has 26."""

KEY_LENGTH = 14
"""The fewest characters of a key of something."""

RANDOM_LENGTH = 8
"""The fewest characters of which randomness can be said."""

STOP_WORDS = word_set(
    """true false null none undefined nil nan yes no on off required optional include omit same-origin use-credentials
    value values data user string number boolean object function str int bytes bool dict list char bearer
    basic digest token key auth authorization cookie invalid incorrect expired missing empty wrong
    valid unknown old previous any anonymous basicauth oauth oauth2 disabled enabled default ok pass passed fail failed
    success
    error changed updated weak medium strong must should cannot is are was the a an and or for in of to with not too
    granted denied hidden visible text n/a tbd todo sha256 s256 plain hs256 rs256 es256 your this that will has have
    can does do if when please enter forgot reset new current confirm accepted rejected all required. invalid.
    incorrect. expired. required! changed. successfully generated copied created revoked refreshed stored saved
    deleted removed found received sent verified""",
)
"""Words that stand beside a sensitive name without being its secret: states, types, the beginnings of prose."""

STRONG = frozenset("!@#$%^&*?")
"""Symbols of a password that identifiers, paths and messages do not have."""

COMPLAINTS = word_set(
    """required short long character characters match matches invalid incorrect wrong blank empty must expired weak
    forgot forgotten enter confirm reset change choose contain contains password passwords missing field your""",
)
"""Words of what sites say about a password: with a second word beside one, it is a message or a label."""

SCHEME = re.compile(
    r"(?i)(?:bearer|basic|digest|token|apikey|negotiate|ntlm|oauth|hawk|mac|aws4-hmac-sha256)\s+(\S.*)", re.DOTALL
)
"""An Authorization value (RFC 9110, 11.4): scheme, then credentials."""

PROSE = re.compile(r"[A-Za-z][\w'\u2019-]*+[,;:]?(?:\s++[\w'\u2019\"()&/-]++[,;:]?)++[.!?…:]*+")
WORD = re.compile(r"[A-Za-z_.$\[\]:-]*")
WORDS = re.compile("[a-z]+")
URL = re.compile(r"https?://")
DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?")
UUID = re.compile(r"(?i)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
HEX = re.compile(r"(?i)(?:0x)?[0-9a-f]+")
RUN = re.compile(r"[A-Za-z0-9]+")
DIGITS = re.compile("[0-9]+")
TOKEN = re.compile(r"[\w.~+/=:%|,!@$&;*?^-]+")
"""What tokens are spelled with: RFC 6750 (2.1), and what issuers add; no brackets, quotes or regular expressions."""

NUMBERED_WORD = re.compile(r"(?i)[a-z]{2,}\d{1,4}|\d{1,4}[a-z]{1,3}")
ADDRESS = re.compile(
    r"(?:https?:|wss?:)//|\.{0,2}/[a-z][a-z-]*(?:/(?![\w/+-]*=$)|$)|#[0-9a-fA-F]{3,8}$|(?:rgb|hsl)a?\(|data:|sha(?:1|256|384|512)[-:]"
)
FOLDER = re.compile(r"(?:/[\w.-]+){2,}/?|[A-Z]:\\[\w\\ .-]+")
"""What `pwd` means to a shell."""

FILE = re.compile(r"[\w./@-]+\.(?:js|mjs|css|png|jpe?g|gif|svg|webp|woff2?|html?|json|map|tsx?|jsx|php|ico|txt|md)")
CODE = re.compile(r"\d[\d -]{2,22}|(?=\S*\d)[A-Za-z0-9]{4,}|(?=\S*\d)[A-Za-z0-9]{2,}(?:-[A-Za-z0-9]{2,})+")
WORDS_IN_A_ROW = re.compile(r"[a-z]{3,12}(?:([-_.])[a-z]{3,12})(?:\1[a-z]{3,12}){0,6}\1?\d{2,4}")
VOWELLESS = re.compile(r"[bcdfghjklmnpqrstvwxz]{5}")

CLASSES = (str.islower, str.isupper, str.isdigit, lambda character: not character.isalnum())

PLACE = re.compile(r"[.:/]|@\d|\d-\d")
"""What an address, a version, a date or a line of a file has: no page may have those hidden as its password."""

KINDS_ASKED = 3
"""Of the four kinds of characters, as many as sites ask of a password."""

SHORTEST_COMPLEX = 10
SHORTEST_CHOSEN = 8
SHORTEST_ROW = 24
"""Letters in a row that no word of a page has."""


def hides(value: str, meaning: Meaning) -> bool:
    """Return whether `value` is to be hidden beside a name of that `meaning`."""
    stripped = value.strip(QUOTES)
    if not stripped or is_marker(stripped) or meaning > Meaning.MASKED:
        return False
    if meaning >= Meaning.STORED:
        return True
    return stripped.casefold() not in STOP_WORDS and _TESTS[meaning](stripped)


def hides_number(number: float, meaning: Meaning) -> bool:
    """Return whether a number is a secret: codes and passwords are, a token's count or a key's index is not."""
    if meaning in (Meaning.CODE, Meaning.PASSWORD, Meaning.STORED, Meaning.MASKED):
        return True
    return meaning is Meaning.CREDENTIAL and abs(number) >= 10**5


def is_random(value: str) -> bool:
    """Return whether `value` looks issued by a machine: no word, path, date, version, size or class name does."""
    if value.startswith("--"):  # an option of a command, or a property of CSS
        return is_plainly_random(value.lstrip("-"))
    if not TOKEN.fullmatch(value) or DATE.fullmatch(value) or ADDRESS.match(value) or FILE.fullmatch(value):
        return False
    runs = RUN.findall(value)
    return any(map(_random_run, runs)) or _many_mixed(value) or is_improbable("".join(runs))


def is_plainly_random(value: str) -> bool:
    """Return whether `value` can only be a secret: long, of all three kinds of character, and no digest or UUID."""
    bare = value.replace("-", "").replace("_", "")
    if len(bare) < 24 or not bare.isalnum() or HEX.fullmatch(bare) or not is_random(value):  # noqa: PLR2004 - 143 bits
        return False
    return any(map(str.islower, bare)) and any(map(str.isupper, bare)) and any(map(str.isdigit, bare))


def is_issued(value: str) -> bool:
    """Return whether `value` can only be issued by a machine: plainly random, or longer and of one case; no digest."""
    if is_plainly_random(value):
        return True
    bare = value.replace("-", "").replace("_", "")
    return len(bare) >= ONE_CASE and HEX.fullmatch(bare) is None and _is_mixed(bare) and is_random(value)


def is_long_and_random(value: str) -> bool:
    """Return whether `value` is what the key of something may be: digits of a digest too, or a UUID."""
    return len(value) >= KEY_LENGTH and not value.isdigit() and (is_random(value) or UUID.fullmatch(value) is not None)


def _is_mixed(run: str) -> bool:
    return run.isalnum() and any(map(str.isdigit, run)) and any(map(str.isalpha, run))


def has_echoes(value: str, meaning: Meaning) -> bool:
    """Return whether a hidden value is worth looking for elsewhere: a cookie's `en-US` is everywhere."""
    if meaning in (Meaning.PASSWORD, Meaning.MASKED):
        return True
    bare = credentials(value)
    begins_as_path = bare.startswith("/") and is_plainly_random("".join(RUN.findall(bare)))
    return is_random(bare) or is_complex(bare) or begins_as_path


def is_complex(value: str) -> bool:
    """Return whether what a name calls secret is no word: of three kinds of characters and a symbol, or a long row."""
    if len(value) < SHORTEST_CHOSEN or not value.isprintable() or " " in value or PLACE.search(value):
        return False
    if STRONG.isdisjoint(value):
        return is_row(value)
    kinds = kinds_of_characters(value)
    return kinds == len(CLASSES) or (kinds >= KINDS_ASKED and len(value) >= SHORTEST_COMPLEX)


def is_chosen(value: str) -> bool:
    """Return whether a value is spelled as people choose passwords: with a digit and a symbol, or a symbol within."""
    if STRONG.isdisjoint(value) or not any(map(str.isalpha, value)):
        return False
    digits = any(map(str.isdigit, value))
    return (len(value) >= SHORTEST_CHOSEN and digits) or (
        len(value) >= SHORTEST_COMPLEX and not STRONG.isdisjoint(value[1:-1])
    )


def is_row(value: str) -> bool:
    """Return whether `value` is so many letters of one case in a row that it is no word."""
    return len(value) >= SHORTEST_ROW and value.isascii() and value.isalpha() and (value.islower() or value.isupper())


def kinds_of_characters(value: str) -> int:
    """Return how many classes of characters a value has: small and capital letters, digits, others."""
    return sum(any(map(among, value)) for among in CLASSES)


def is_strong(value: str) -> bool:
    """Return whether a value is one word that nothing but a password is: with a digit, and a symbol or both cases.

    Or it is words in a row with a number at the end, as generators of passwords write them.
    """
    if not 8 <= len(value) <= 64 or not value.isprintable() or " " in value or not any(map(str.isdigit, value)):  # noqa: PLR2004 - as sites ask for
        return False
    mixed = value != value.lower() and value != value.upper() and value.isalnum()
    return mixed or not STRONG.isdisjoint(value) or WORDS_IN_A_ROW.fullmatch(value) is not None


def is_word(value: str) -> bool:
    """Return whether `value` is spelled as a word or a name in code: what running text calls secret may be one."""
    return WORD.fullmatch(value) is not None


def complains(text: str) -> bool:
    """Return whether `text` has a word in it that messages about passwords have."""
    return not COMPLAINTS.isdisjoint(WORDS.findall(text.lower()))


def credentials(value: str) -> str:
    """Return what follows the scheme in an Authorization value, or the whole of another value."""
    match = SCHEME.fullmatch(value)
    return match[1] if match else value


def passes_luhn(digits: str) -> bool:
    """Check the last digit of a card number (ISO/IEC 7812-1, annex B)."""
    doubled = [sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2]]
    return (sum(doubled) + sum(map(int, digits[::-2]))) % 10 == 0


def _random_run(run: str) -> bool:
    if is_improbable(run):
        return True
    if run.isdigit() or NUMBERED_WORD.fullmatch(run):
        return run.isdigit() and len(run) >= 20  # noqa: PLR2004 - no identifier or time in nanoseconds has as many
    if run.isalpha():
        return False
    groups = DIGITS.findall(run)
    scattered = len(groups) > 1 or len(groups[0]) > 2  # noqa: PLR2004 - `OAuth2`, `V2` have one or two digits
    return len(run) >= RANDOM_LENGTH and (scattered or _unpronounceable(run))


def _unpronounceable(letters: str) -> bool:
    """Return whether letters change case as no camelCase does, or pile up consonants as no word does."""
    humps = sum(a.islower() and b.isupper() for a, b in pairwise(letters))
    return humps * 5 > len(letters) or (letters.islower() and VOWELLESS.search(letters) is not None)


def _many_mixed(value: str) -> bool:
    runs = [run for run in RUN.findall(value) if not run.isalpha() and not run.isdigit()]
    return len(runs) > 2 and not any(map(NUMBERED_WORD.fullmatch, runs))  # noqa: PLR2004 - two may be a name with a version


def _is_credential(value: str) -> bool:
    if SCHEME.fullmatch(value):
        return True
    if len(value) < CREDENTIAL_LENGTH or URL.match(value) or DATE.fullmatch(value) or PROSE.fullmatch(value):
        return False
    if value.count(" ") >= 2:  # noqa: PLR2004 - a sentence in any script; a phrase of words has a name of its own
        return False
    return not value.isdigit() or len(value) > 5  # noqa: PLR2004 - a row's number


def _is_password(value: str) -> bool:
    if FOLDER.fullmatch(value):
        return False
    return SCHEME.fullmatch(value) is not None or not (PROSE.fullmatch(value) and complains(value))


def _is_token(value: str) -> bool:
    return is_random(bare := credentials(value)) or UUID.fullmatch(value) is not None or is_row(bare)


def _is_code(value: str) -> bool:
    if len(value) <= LONGEST_CODE and CODE.fullmatch(value) is not None:
        return True
    return is_strong(value) or is_random(value)


_TESTS = {
    Meaning.HARMLESS: lambda _value: False,
    Meaning.KEY: is_issued,
    Meaning.KEY_OF: is_long_and_random,
    Meaning.TOKEN: _is_token,
    Meaning.CODE: _is_code,
    Meaning.CREDENTIAL: _is_credential,
    Meaning.PASSWORD: _is_password,
}
