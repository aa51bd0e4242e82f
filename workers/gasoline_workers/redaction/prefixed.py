"""Tokens of any issuer, by how they are built: words that say what it is, then a long run that was drawn at random.

Issuers whose formats no table has build theirs so, since it became usual (GitHub and Stripe did first). Identifiers of
records are built alike; they are shorter, or their first word says what they identify. A longer run without any word
is hidden too, where it stands by itself and no name says that it identifies something.
"""

import base64
import functools
import re
from collections.abc import Iterator

from gasoline_workers.redaction import values
from gasoline_workers.redaction.automaton import Finder
from gasoline_workers.redaction.names import Meaning, meaning, word_set
from gasoline_workers.redaction.randomness import is_improbable
from gasoline_workers.redaction.spans import Span

SHORTEST = 24
"""The fewest characters of a token with what it begins with."""

TELLING = word_set(
    """sk rk key apikey api tok token secret sec pat live prod auth oauth access refresh bearer priv private svc pass
    cred psk wsk tkn ak""",
)
"""Words of a prefix that name a secret; 20 random characters are enough then, hexadecimal ones too."""

HARMLESS = word_set(
    """pk pub public publishable sha sha1 sha224 sha256 sha384 sha512 md5 etag hash digest integrity rev commit chunk
    css img cache req request trace span msg resp rs fc call chatcmpl asst thread run file user usr org id uid uuid
    build event evt price cus pi seti upload batch image cursor node test example web npub cdn asset assets module""",
)
"""Words of a prefix that name a record, a digest or a public key."""

WORD = re.compile(r"(?:[A-Za-z]{1,12}|[A-Za-z]{1,8}\d{1,3})")
BODY = 20
LONG_BODY = 30
"""The fewest random characters after a prefix that says nothing; the identifiers of records have up to 27."""

DOTTED_PART = 24
RANDOM_PART = 0.5
"""The part of a token in several pieces that must be random."""

HEX = re.compile("[0-9a-fA-F]+")
BEFORE = frozenset("/.+=%@\\#-_")
"""What stands before a part of a path, of Base64, of an address; after the first two a word that tells is enough."""

AFTER_WORD = frozenset("/=")

ALONE = 32
"""The fewest characters of a random run that stands by itself."""

TEXT_PART = 0.7
"""The part of Base64's bytes that is printable if they are a text; of random ones it is 0.37."""

GZIP = b"\x1f\x8b"

AROUND = ("", " ", "\t", "\n", "\r", '"', "'", "`", ",", ";", "<", ">", "(", ")", "!")
NAME_LENGTH = 48
NAMED = re.compile(r"([A-Za-z_-]{1,40})[\"'`\]]?\s{0,4}(?:[:=,(]\s{0,4}|\s)[\"'`]?\Z")
IDENTIFIES = re.compile(
    r"(?i)(?:id|ids|hash|sha|etag|digest|integrity|cursor|checksum|version|commit|address|nonce|class|fingerprint|sitekey"
    r"|site|public|publickey|public_key|pubkey|data|src|href|url|uri|file|path|name|cache|rev|ref|uid|uuid|guid|index|trace"
    r"|request|build|slug|kid|jti|thumbprint|after|before|next|prev|previous|continuation|image|avatar|icon|svg|blob|wasm"
    r"|content|body|html|mac|md5|crc|salt|(?:\A|[^a-z])[xyn])\Z"
)
"""Endings of names of what is no secret though it looks like one."""

ASSIGNED = re.compile(r"(?:\A|[\s;,\"'`(])[A-Za-z][\w.-]{1,39}=\Z")
"""A name and its sign, of no parameter of an address."""

DIGIT = re.compile("[0-9]")
PADDING = 2
"""The most signs that fill up Base64."""

PRINTABLE = range(32, 127)
MOST_PARTS = 4
"""Pieces of a token; a host or a member of an object may have more."""

AFTER = re.compile(r"\.\w|[/+=(@%]")


@functools.cache
def _places() -> Finder:
    return Finder((f"[A-Za-z0-9_.-]{{{SHORTEST},}}",))


def find(text: str) -> Iterator[Span]:
    """Find the tokens in `text` that are built so, in order."""
    for begin, end in _places().places(text):
        run = text[begin:end].rstrip(".-_")
        if DIGIT.search(run) is None:
            continue
        stop, is_told = begin + len(run), _is_told(run)
        while is_told and stop < begin + len(run) + PADDING and text.startswith("=", stop):
            stop += 1
        before = text[begin - 1] if begin else " "
        if before.isalnum() or AFTER.match(text, stop):
            continue
        is_part = before in BEFORE and not (before in AFTER_WORD and is_told)
        if (not is_part and (_is_dotted(run) if "." in run else _is_prefixed(run))) or _is_alone(
            text, begin, run, stop
        ):
            yield Span(begin, stop, kind="token")


def is_lone(run: str) -> bool:
    """Return whether a run is hidden where it stands by itself, unless a name says that it identifies something."""
    if len(run) < ALONE or not run.isascii() or not values.is_issued(run) or _is_encoded(run):
        return False
    return HARMLESS.isdisjoint(_split(run)[0])


def _is_alone(text: str, begin: int, run: str, end: int) -> bool:
    """Return whether a run stands by itself and was drawn, with no name before it that says what it identifies."""
    if not is_lone(run) or text[end : end + 1] not in AROUND:
        return False
    if text[begin - 1 : begin] not in AROUND and ASSIGNED.search(text, max(0, begin - NAME_LENGTH), begin) is None:
        return False
    named = NAMED.search(text, max(0, begin - NAME_LENGTH), begin)
    return named is None or not _identifies(named[1])


def _identifies(name: str) -> bool:
    return IDENTIFIES.search(name) is not None or (name[-3:].lower() == "key" and meaning(name) is Meaning.HARMLESS)


def _is_told(run: str) -> bool:
    """Return whether one of the first words of a run names a secret."""
    return not TELLING.isdisjoint([*_split(run)[0][:2], run.partition(".")[0].lower()])


def _is_encoded(run: str) -> bool:
    """Return whether a run is Base64 of something: of a text, or of what is compressed."""
    raw = base64.urlsafe_b64decode(run[: len(run) // 4 * 4])
    printable = sum(byte in PRINTABLE for byte in raw)
    return printable >= TEXT_PART * len(raw) or raw[:2] == GZIP


def _is_prefixed(run: str) -> bool:
    words, body = _split(run)
    if not words or not HARMLESS.isdisjoint(words):
        return False
    if not TELLING.isdisjoint(words):
        return len(body) >= BODY and _is_drawn(body)
    return len(body) >= LONG_BODY and values.is_plainly_random(body)


def _split(run: str) -> tuple[list[str], str]:
    """Return the words that a token begins with, in lower case, and what follows them."""
    words, place = list[str](), 0
    while word := WORD.match(run, place):
        if run[word.end() : word.end() + 1] not in ("_", "-"):
            break
        words.append(word[0].lower())
        place = word.end() + 1
    return words, run[place:]


def _is_drawn(body: str) -> bool:
    """Return whether a text is one random run, or nearly: words in it would make it a name."""
    bare = body.replace("-", "").replace("_", "")
    if HEX.fullmatch(bare):
        return any(map(str.isdigit, bare)) and any(map(str.isalpha, bare))
    return is_improbable(bare) and any(map(str.isdigit, bare))


def _is_dotted(run: str) -> bool:
    parts = run.split(".")
    if len(parts) > MOST_PARTS or parts[-1].isalpha():  # a host, a file, a member of an object
        return False
    drawn = [len(part) for part in parts if len(part) >= DOTTED_PART and values.is_plainly_random(part)]
    if len(drawn) == 1 and not parts[0][-1:].isdigit() and parts[0].lower() not in TELLING:  # a name and its value
        return False
    return sum(drawn) >= RANDOM_PART * len(run)
