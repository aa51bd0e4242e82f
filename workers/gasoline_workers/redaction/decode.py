"""Encodings within a text: decodes each piece, has it read, and writes what changed back in the same encoding.

A piece whose secrets cannot be written back (it was compressed) is hidden whole. Each piece is decoded one level; the
walk that reads it decodes the next one, counts the levels and bounds the work.
"""

import base64
import binascii
import functools
import html
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import quote, quote_plus, unquote, unquote_plus

from gasoline_workers.redaction.automaton import Finder
from gasoline_workers.redaction.messages import HANDLE, MARKED
from gasoline_workers.redaction.spans import Span, between_markers, splice

Clean = Callable[[str], str]
CleanBytes = Callable[[bytes], bytes]

PERCENT_RUN = re.compile(rf"(?:{HANDLE.pattern}|[^\s=&\"'<>#?])++")
PERCENT_PART = re.compile(r"(?:%[0-9A-Fa-f]{2})+|.", re.DOTALL)
UNSPELLED = "[]/:,;@*()!~$"
"""What is not encoded again, so that the marker can be read."""

PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
ESCAPED_RUN = re.compile(r"\S++")
ESCAPE = re.compile(r"\\(?:u(?P<u>[0-9a-fA-F]{4})|x(?P<x>[0-9a-fA-F]{2}))")

HEX = re.compile(r"(?<![\w])(?:0x)?(?P<a>(?:[0-9a-fA-F]{2}){8,}|[0-9a-fA-F]{2}(?: [0-9a-fA-F]{2}){7,})(?!\w)")
SOFT_BREAK = re.compile(r"=[ \t]{0,8}\r?\n")
SOFT_LINES = re.compile(r"^(?:[^\n]{0,998}=[ \t]{0,8}\r?\n){1,64}[^\n]{0,998}", re.MULTILINE)
"""Lines that soft breaks join; one of mail has at most 998 characters (RFC 5322, 2.1.1), one of a bundle more."""

PRINTABLE = re.compile(r"(?P<bytes>(?:=[0-9A-Fa-f]{2})+)|=[ \t]{0,8}\r?\n")
"""What quoted-printable writes otherwise: bytes, and breaks of a line that are none."""

PADDED = re.compile(r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]++=?$")
LONGEST_RUN = 512
SHORTEST_PADDED = 15
"""Characters of Base64 before its padding: shorter ones are words of quoted-printable text too."""

INVISIBLE = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]+|\x1b\\[[0-9;:?]{0,32}[ -/]{0,4}[@-~]")
"""What is not seen in a text: characters without width, and what colours a terminal (ECMA-48, 5.4)."""

WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
"""Full-width forms of ASCII (Unicode, block Halfwidth and Fullwidth Forms)."""

SIGN = r"(?:[ \t\r\n]{0,16}(?:\+|\.{1,2}|&|\|\||<>|~)[ \t\r\n]{0,16}|[ \t]{0,16}\r?\n[ \t]{0,16})"
"""What joins two literals: a sign of some language, or, in C and Python, nothing but the end of a line."""

JOINT = rf"(?:\\{{0,4}}[\"'`]{SIGN}\\{{0,4}}[\"'`]|\\\r?\n[ \t]{{0,16}})"
PIECE = r"[\w+/.=!#@$%^&*:-]{2,512}+"
ARRAY = re.compile(
    r"\[[ \t\r\n]{0,16}(?P<quote>[\"'`])"
    r"(?P<pieces>[^\"'`\n]{2,512}(?:(?P=quote)[ ]{0,4},[ \t\r\n]{0,16}(?P=quote)[^\"'`\n]{2,512}){1,16}+)"
    r"(?P=quote)[ \t\r\n,]{0,16}\]\.join\((?:\"\"|''|``)?\)",
)
"""A literal in pieces that an array joins."""

BETWEEN = re.compile(r"[\"'`][ ]{0,4},[ \t\r\n]{0,16}[\"'`]")

JOINED = re.compile(rf"(?P<first>{PIECE})(?:{JOINT}{PIECE}){{1,16}}+")
PIECE_BEFORE = re.compile(r"\A[\w+/.=!#@$%^&*:-]{2,512}")
JOINT_ALONE = re.compile(JOINT)
JOINT_SIGN = re.compile(rf"[\"'`]{SIGN}\\{{0,4}}[\"'`]|\\\r?\n")
"""What each joint has, without its escapes: it begins with characters that `re` looks for quickly."""

INLINE = re.compile(
    r"<(?:b|strong|code|em|i|kbd|samp|tt|mark|span|u|font|var|output)(?:\s[^<>]{0,256})?>"
    r"[ \t\r\n]{0,8}(?P<a>[^<>]{4,256}?)[ \t\r\n]{0,8}</",
    re.IGNORECASE,
)
ANNOUNCES = re.compile(r"(?:\b(?:is|was|are|use)|[:=\u2013\u2014-])[ \t\r\n]{0,8}\Z", re.IGNORECASE)
ANY_TAG = re.compile(r"<[^<>]{0,256}>|[^<>]{0,256}>|<[^<>]{0,256}\Z")
JOINED_BEFORE = 96
"""Characters before a literal that are read with it, for its name."""

TEXT_PART = 0.9
"""The part of the decoded characters that must be text; of random bytes a third are."""

FRAME_PART = 0.75
"""The part of a binary protocol's frame that is text where it has names and values."""

LARGEST = 2**20
"""Bytes that are unpacked of one piece of compressed data."""

PADDING = ("", "===", "==", "=")
"""By the characters over a multiple of four."""

GZIP = b"\x1f\x8b"
ZLIB = (b"\x78\x9c", b"\x78\xda", b"\x78\x01", b"\x78\x5e")


@functools.cache
def _base64_places() -> Finder:
    return Finder((r"[A-Za-z0-9+/_-]{16,}={0,2}",))


@functools.cache
def _hex_places() -> Finder:
    """Return what finds some part of all that HEX finds: RE2 passes over the rest ten times as fast."""
    return Finder(("[0-9a-fA-F]{16}", "(?:[0-9a-fA-F]{2} ){7}[0-9a-fA-F]{2}"))


def percent(text: str, clean: Clean) -> Iterator[Span]:
    """Find the percent-encoded pieces of `text` that have secrets."""
    for run in PERCENT_RUN.finditer(text):
        piece = run[0]
        if "%" not in piece or not PERCENT.search(piece):
            continue
        decoded = unquote_plus(piece) if "+" in piece else unquote(piece)
        if decoded != piece and (cleaned := clean(decoded)) != decoded:
            spell = quote_plus if "+" in piece else quote
            quoted = functools.partial(spell, safe=UNSPELLED, errors="replace")
            around = functools.partial(between_markers, change=quoted)
            spelled = _in_place(_percent_pieces(piece), decoded, cleaned, around)
            yield Span(*run.span(), spelled)


def entities(text: str, clean: Clean) -> str:
    """Return `text` with the secrets in what its entities spell replaced; without a secret it stays as it is."""
    if not ENTITY.search(text):
        return text
    plain = html.unescape(text)
    cleaned = clean(plain) if plain != text else plain
    return text if cleaned == plain else _in_place(_pieces(text, ENTITY, _entity), plain, cleaned, html.escape)


def escapes(text: str, clean: Clean) -> Iterator[Span]:
    """Find the pieces of `text` in the escapes of JavaScript that have secrets; JSON is read before."""
    for run in ESCAPED_RUN.finditer(text):
        if not ESCAPE.search(run[0]):
            continue
        plain = _unescaped(run[0])
        if (cleaned := clean(plain)) != plain:
            yield Span(*run.span(), cleaned)


def base64_runs(text: str, clean: CleanBytes) -> Iterator[Span]:
    """Find the Base64, of either alphabet, in `text` that has secrets."""
    for begin, stop in _base64_places().places(text):
        if begin and not text[begin - 1].isascii() and text[begin - 1].isalnum():
            continue  # within a word of another script
        run = text[begin:stop]
        for start, end in _candidates(run):
            if span := _base64(run[start:end], begin + start, clean):
                yield span
                break


def hex_runs(text: str, clean: Clean) -> Iterator[Span]:
    """Find the text written as hexadecimal digits in `text` that has secrets."""
    if not any(True for _ in _hex_places().places(text)):
        return
    for run in HEX.finditer(text):
        digits = run["a"]
        plain = as_text(bytes.fromhex(digits))
        if plain and (cleaned := clean(plain)) != plain:
            yield Span(*run.span("a"), cleaned.encode().hex(" ") if " " in digits else cleaned.encode().hex())


def quoted_printable(text: str, clean: Clean) -> str:
    """Return `text` without the secrets that quoted-printable lines (RFC 2045, 6.7) spell, decoded if there are any.

    A text that is named so, or has an encoded `=`, is read whole; of any other, as code has lines that end with `=`
    too, only the lines that are joined.
    """
    if "quoted-printable" in text or ("=3D" in text and any(map(_is_soft, SOFT_BREAK.finditer(text)))):
        return _printable(text, clean)
    return splice(text, list(_soft_lines(text, clean)))


def _soft_lines(text: str, clean: Clean) -> Iterator[Span]:
    for lines in SOFT_LINES.finditer(text):
        if any(map(_is_soft, SOFT_BREAK.finditer(text, *lines.span()))):
            cleaned = _printable(lines[0], clean)
            if cleaned != lines[0]:
                yield Span(*lines.span(), cleaned)


def _printable(text: str, clean: Clean) -> str:
    plain = PRINTABLE.sub(_meant, text)
    cleaned = clean(plain) if plain != text else plain
    spell = functools.partial(between_markers, change=_as_printable)
    return text if cleaned == plain else _in_place(_pieces(text, PRINTABLE, _meant), plain, cleaned, spell)


def _meant(printable: re.Match[str]) -> str:
    return binascii.a2b_qp(printable[0]).decode("utf-8", "replace") if printable["bytes"] else ""


def _as_printable(text: str) -> str:
    plain = {*map(chr, range(32, 127)), *"\t\r\n"} - {"="}
    return "".join(one if one in plain else "".join(f"={byte:02X}" for byte in one.encode()) for one in text)


def invisible(text: str, clean: Clean) -> str:
    """Return `text` without the secrets that what is not seen interrupts."""
    plain = INVISIBLE.sub("", text)
    cleaned = clean(plain) if plain != text else plain
    return text if cleaned == plain else _in_place(_pieces(text, INVISIBLE, lambda _: ""), plain, cleaned, str)


def wide(text: str, clean: Clean) -> str:
    """Return `text` without the secrets under names in full-width letters."""
    plain = text.translate(WIDE)
    cleaned = clean(plain) if plain != text else plain
    return text if cleaned == plain else _in_place(((one, one.translate(WIDE)) for one in text), plain, cleaned, str)


def joined(text: str, clean: Clean) -> Iterator[Span]:
    """Find the literals that are written in pieces, and have a secret together."""
    position = 0
    for sign in JOINT_SIGN.finditer(text):
        if sign.start() < position:
            continue
        begin = max(0, sign.start() - LONGEST_RUN)
        before = text[begin : sign.start()].rstrip("\\")
        first = PIECE_BEFORE.search(before[::-1])
        run = JOINED.match(text, begin + len(before) - len(first[0])) if first else None
        if run is None:
            continue
        position = run.end()
        begin = max(0, run.start() - JOINED_BEFORE)
        begin = max(text.rfind("\n", begin, run.start()) + 1, begin)
        whole = JOINT_ALONE.sub("", run[0])
        variant = text[begin : run.start()] + whole + text[run.end() : run.end() + 1]
        if (cleaned := clean(variant)) != variant and whole not in cleaned:
            yield Span(begin, run.end() + len(text[run.end() : run.end() + 1]), cleaned)


def inline(text: str, clean: Clean) -> Iterator[Span]:
    """Find the values that an element within a sentence of HTML sets off: `Your password is <b>…</b>`."""
    for element in INLINE.finditer(text):
        before = text[max(0, element.start() - JOINED_BEFORE) : element.start()]
        if not ANNOUNCES.search(before[-16:]) or not (before := ANY_TAG.sub("", before)).strip():
            continue
        variant = before + element["a"]
        if (cleaned := clean(variant)) != variant and cleaned.startswith(before):
            yield Span(*element.span("a"), cleaned[len(before) :])


def arrays(text: str, clean: Clean) -> Iterator[Span]:
    """Find the arrays of pieces that are joined, and have a secret together; written as one literal then."""
    for run in ARRAY.finditer(text):
        begin = max(0, run.start() - JOINED_BEFORE, text.rfind("\n", 0, run.start()) + 1)
        whole = run["quote"] + BETWEEN.sub("", run["pieces"]) + run["quote"]
        variant = text[begin : run.start()] + whole
        if (cleaned := clean(variant)) != variant and whole not in cleaned:
            yield Span(begin, run.end(), cleaned)


def as_text(raw: bytes) -> str:
    """Return what bytes spell in UTF-8, or nothing if they are no text."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return ""
    shown = sum(map(str.isprintable, text)) + text.count("\n") + text.count("\r") + text.count("\t")
    return text if text and shown >= TEXT_PART * len(text) else ""


def unpacked(raw: bytes) -> bytes:
    """Return what compressed bytes hold, at most LARGEST of them, or nothing if they are not compressed."""
    if not raw.startswith((GZIP, *ZLIB)):
        return b""
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(raw, LARGEST)
    except zlib.error:
        return b""


def _percent_pieces(text: str) -> Iterator[tuple[str, str]]:
    """Split `text` into what is spelled in one piece, with what that means: a character, or `%C3%A4`."""
    plus = "+" in text
    for part in PERCENT_PART.finditer(text):
        meant = unquote(part[0])
        if len(meant) == len(part[0]) // 3:
            yield from zip((part[0][n : n + 3] for n in range(0, len(part[0]), 3)), meant, strict=True)
        else:
            yield part[0], " " if plus and part[0] == "+" else meant


def _is_soft(line_end: re.Match[str]) -> bool:
    """Return whether `=` at the end of a line is no padding of Base64."""
    run = PADDED.search(line_end.string[max(0, line_end.start() - LONGEST_RUN) : line_end.start()])
    length = len(run[0]) if run else 0
    return length < SHORTEST_PADDED or (length + 1) % 4 != 0


def _in_place(pieces: Iterable[tuple[str, str]], plain: str, cleaned: str, spell: Clean) -> str:
    """Return what `pieces` spell, each with what it means; where `plain` and `cleaned` differ, it is respelled."""
    known = list(pieces)
    if "".join(meant for _, meant in known) != plain:
        return spell(cleaned)
    start = same(plain, cleaned)
    end = len(plain) - same(plain[start:][::-1], cleaned[start:][::-1])
    place = 0
    before, after = list[str](), list[str]()
    for spelled, meant in known:
        if place + len(meant) <= start:
            before.append(spelled)
        elif place >= end:
            after.append(spelled)
        else:
            start, end = min(start, place), max(end, place + len(meant))
        place += len(meant)
    return "".join((*before, spell(cleaned[start : len(cleaned) - len(plain) + end]), *after))


def _pieces(text: str, spelled: re.Pattern[str], meant: Callable[[re.Match[str]], str]) -> Iterator[tuple[str, str]]:
    """Return each character of `text`, or what is `spelled` otherwise, with what it means."""
    position = 0
    for one in spelled.finditer(text):
        yield from ((character, character) for character in text[position : one.start()])
        yield one[0], meant(one)
        position = one.end()
    yield from ((character, character) for character in text[position:])


def _entity(match: re.Match[str]) -> str:
    return html.unescape(match[0])


def same(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def _unescaped(text: str) -> str:
    plain = ESCAPE.sub(lambda escape: chr(int(escape["u"] or escape["x"], 16)), text)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _candidates(run: str) -> Iterator[tuple[int, int]]:
    """Return where Base64 may stand in a run: all of it, or what follows the words of a path before it."""
    yield 0, len(run)
    for separator in "/-_":
        if 0 <= (place := run.find(separator)) < 32 and len(run) - place > 16:  # noqa: PLR2004 - as long as BASE64 asks for
            yield place + 1, len(run)


def _base64(run: str, start: int, clean: CleanBytes) -> Span | None:
    bare = run.rstrip("=")
    bare = bare[: len(bare) - (len(bare) % 4 == 1)]
    try:
        raw = binascii.a2b_base64(bare.replace("-", "+").replace("_", "/") + PADDING[len(bare) % 4])
    except (binascii.Error, ValueError):
        return None
    if inner := unpacked(raw):
        return Span(start, start + len(run)) if clean(inner) != inner else None
    if not _is_worth_reading(raw):
        return None
    cleaned = clean(raw)
    if cleaned == raw:
        return None
    if MARKED.fullmatch(whole := cleaned.decode("utf-8", "replace")):
        return Span(start, start + len(run), whole)
    spelled = base64.b64encode(cleaned).decode()
    if "-" in bare or "_" in bare:
        spelled = spelled.replace("+", "-").replace("/", "_")
    return Span(start, start + len(run), spelled.rstrip("=") if len(run) % 4 else spelled)


def _is_worth_reading(raw: bytes) -> bool:
    """Return whether bytes are text, or have as much of it as the frames of binary protocols do."""
    letters = len(raw.translate(None, _NO_TEXT))
    if b"\x00" in raw:  # UTF-16, which has one for each letter
        letters *= 2
    return letters >= FRAME_PART * len(raw)


_NO_TEXT = bytes(code for code in range(256) if not (32 <= code < 127 or code in (9, 10, 13)))  # noqa: PLR2004 - ASCII
