"""The secrets of a session that were seen once, as keyed hashes: found again wherever they stand bare.

Rules of this file:
- A secret is kept as hashes of its first characters and of all of it and its length, under a key that is drawn at the
  start and never stored. The values themselves stay until all processes have their hashes: milliseconds.
- All processes of redaction receive each other's notes in one order (hub/sharing.py), and take the first note's key; a
  process that knows secrets gives up its key only for one under which more are known, or as many and that is older: it
  forgets them all.
- Only what looks random, or has three kinds of characters, is kept: a password that is a word must not erase that word.
"""

import base64
import binascii
import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import islice
from typing import NamedTuple
from urllib.parse import unquote

import msgspec

from gasoline_workers.redaction import patterns, phrases, prose, values
from gasoline_workers.redaction.messages import MARKED, handle
from gasoline_workers.redaction.spans import Span

WINDOW = re.compile(r"(?<![A-Za-z0-9])(?=([A-Za-z0-9][!-~]{7}))")
"""The first characters of what may be a known secret: a letter or digit that begins a word, and seven more."""

WINDOW_OF_WORDS = re.compile("(?<![A-Za-z0-9])(?=([a-z][a-z ,]{7}))")
"""The same of a phrase."""

SECRET = re.compile(r"[^A-Za-z0-9]*(?P<a>[A-Za-z0-9](?:(?![\"'<>{}\\,;`])[!-~]){7,})")
"""What is kept, beside phrases: no JSON, no element, no list; it begins where WINDOW looks."""

FOLD = re.compile(r"\\?\r?\n[ \t]+")
"""Where a line is folded."""

QUERY = re.compile(r"(?P<a>[^?]+)\?\w+=")
"""What stands before a query: a parameter of a path."""

PHRASE_WORDS, SEED_WORDS = 4, 12
"""The fewest words of a phrase that is kept, and of one that nobody guesses (BIP-39)."""

START = 8
DOTS = re.compile(r"(?<=[!-~])(?:\.{2,}|\u2026)")
LONGEST = 2_048
LENGTHS = 4
"""Secrets with the same beginning and other lengths: each costs a digest wherever the beginning stands."""

CERTAIN = frozenset(("card", "iban", "email"))
"""What is no word of any page, by its check digit or its form."""

SHORTEST_RANDOM = 12
SHORTEST_PASSWORD = 10
CUT = 16
"""Characters by which a secret is known of which a page shows the beginning and dots."""

UNSPELLED = re.compile("[^a-z0-9]+")

MOST = 2_000
"""Secrets of a session; the oldest go first."""

MOST_AT_ONCE = 500
"""Secrets of one body: a page that invents them must neither push out all others nor keep the broker busy."""

KEPT_S = 24 * 3600.0
IN_ONE_NOTE = 500
"""Secrets of one note: about 45 KB."""


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """One secret: hashes of its first START and CUT characters and of all of it. `at`: s since the epoch.

    `kind` and `number` are those of its handle. `has_words`: it is a phrase.
    """

    start: bytes
    cut: bytes
    whole: bytes
    length: int
    kind: str
    number: int
    at: float
    has_words: bool = False


class Note(msgspec.Struct, frozen=True, array_like=True):
    """What the processes of redaction share: secrets, under a key, and the last number of each kind.

    `known`: how many secrets its sender has agreed on with the others.
    """

    key: bytes
    entries: list[Entry]
    last: dict[str, int]
    known: int = 0


class Open(NamedTuple):
    """A secret that the others do not know yet, or have not agreed on."""

    secret: str
    kind: str


class Known:
    """What one process of redaction knows."""

    def __init__(self) -> None:
        self._key = time.time_ns().to_bytes(8) + secrets.token_bytes(32)  # the older, the smaller
        self._entries: OrderedDict[bytes, Entry] = OrderedDict()
        self._lengths: dict[bytes, tuple[int, ...]] = {}
        self._cuts: set[bytes] = set()
        self._numbers: dict[tuple[str, int], bytes] = {}
        self._last: dict[str, int] = {}
        self._open: dict[bytes, Open] = {}
        self._has_phrases = False
        self._lock = threading.RLock()  # long bodies are cleaned in a thread, notes come in the loop

    def __len__(self) -> int:
        """Return how many secrets are known."""
        return len(self._entries)

    def find(self, text: str) -> Iterator[Span]:
        """Find the known secrets in `text`, also one that its end cuts off."""
        if not self._lengths:
            return
        for window in {*WINDOW.findall(text), *(WINDOW_OF_WORDS.findall(text) if self._has_phrases else ())}:
            if lengths := self._lengths.get(self._digest(window, 8)):
                for match in re.finditer(rf"(?<![A-Za-z0-9]){re.escape(window)}", text):
                    yield from self._at(text, match.start(), lengths)

    def finds(self, text: str) -> bool:
        """Return whether a known secret stands in `text`."""
        return bool(self._lengths) and any(True for _ in self.find(text))

    def learn(self, found: Iterable[tuple[str, str]], now: float) -> None:
        """Keep the secrets of one body, each with its kind, that are worth it and not known; `pending` shares them."""
        kept = ((bare, kind) for secret, kind in found for bare in _forms(secret, kind) if is_lasting(bare, kind))
        with self._lock:
            for bare, kind in islice(kept, MOST_AT_ONCE):
                self._met(bare, kind, now)

    def entry(self, secret: str, kind: str, now: float, *, draws: bool) -> tuple[Entry, bool] | None:
        """Return what is known of a secret, and whether that is new; None if it has no number.

        `draws`: one that is not known yet is kept, and the next number drawn.
        """
        form = next(_forms(secret, kind), "")
        with self._lock:
            entry = self._entries.get(self._digest(form, 16))
            if not form or not is_unguessable(form, kind if entry is None else entry.kind):
                return None
            if entry is None:
                entry = self._met(form, kind, now) if draws and is_lasting(form, kind) else None
                return None if entry is None else (entry, True)
            return self._met(form, kind, now) or entry, False

    def is_whole(self, entry: Entry, secret: str) -> bool:
        """Return whether `entry` is of all of a secret, and not only of what is looked for elsewhere."""
        return self._digest(secret, 16) == entry.whole

    def handle(self, whole: bytes) -> str:
        """Return the handle of the secret with this hash, nothing if it is not known."""
        entry = self._entries.get(whole)
        return "" if entry is None else handle(entry.kind, entry.number)

    def are_open(self, wholes: Iterable[bytes]) -> bool:
        """Return whether the number of one of these is not agreed on yet."""
        with self._lock:
            return any(whole in self._open for whole in wholes)

    def pending(self) -> Iterator[bytes]:
        """Return, as notes, what has not come back from the broker yet."""
        with self._lock:
            return self._notes([self._entries[whole] for whole in self._open])

    def everything(self) -> Iterator[bytes]:
        """Return, as notes, all that is agreed on: for a broker that has just started."""
        with self._lock:
            return self._notes([entry for whole, entry in self._entries.items() if whole not in self._open])

    def receive(self, raw: bytes, now: float) -> bool:
        """Take in a note of any process of redaction; return whether there is to be shared again what is known here.

        Raises:
            msgspec.DecodeError: it is none.

        """
        note = _read(raw)
        with self._lock:
            return self._take(note, now)

    def _take(self, note: Note, now: float) -> bool:
        adopts = note.key != self._key
        if adopts:
            known = self._agreed()
            if known and (-note.known, note.key) > (-known, self._key):
                return False  # its sender has just started, receives our notes too, and shares its own again
            self._adopt(note.key)
        for kind, number in note.last.items():
            self._last[kind] = max(number, self._last.get(kind, 0))
        redrawn = [self._settle(entry) for entry in note.entries]
        self._forget(now)
        return any(redrawn) or (adopts and bool(self._open))

    def _agreed(self) -> int:
        return len(self._entries) - len(self._open)

    def _settle(self, entry: Entry) -> bool:
        """Agree on the number of one secret: the first note in the broker's order holds; what lost draws again."""
        own = self._entries.get(entry.whole)
        if own is not None and entry.whole not in self._open:
            self._entries.move_to_end(entry.whole)
            self._entries[entry.whole] = msgspec.structs.replace(own, at=max(own.at, entry.at))
            return False
        holder = self._numbers.get((entry.kind, entry.number), entry.whole)
        if holder != entry.whole and holder not in self._open:
            return False  # its sender has received the holder's note too, and draws again
        if own is not None:
            self._drop(own)
        if holder != entry.whole:
            self._redraw(holder)
        self._add(entry)
        self._open.pop(entry.whole, None)
        return holder != entry.whole

    def _redraw(self, whole: bytes) -> None:
        entry = self._entries[whole]
        del self._numbers[entry.kind, entry.number]
        again = msgspec.structs.replace(entry, number=self._next(entry.kind))
        self._entries[whole] = again
        self._numbers[again.kind, again.number] = whole

    def _next(self, kind: str) -> int:
        self._last[kind] = self._last.get(kind, 0) + 1
        return self._last[kind]

    def _notes(self, entries: list[Entry]) -> Iterator[bytes]:
        parts = [entries[first : first + IN_ONE_NOTE] for first in range(0, len(entries), IN_ONE_NOTE)]
        return iter([_pack(Note(self._key, part, self._last, self._agreed())) for part in parts])

    def _met(self, form: str, kind: str, now: float) -> Entry | None:
        """Keep a secret, or keep it for longer; return what is kept of it, None if nothing is."""
        entry = self._entries.get(self._digest(form, 16))
        if entry is None:
            kind = _handle_kind(patterns.issued_kind(form) or kind)
            entry = self._entry(form, kind, self._next(kind), now)
            if not self._add(entry):
                return None
            self._open[entry.whole] = Open(form, kind)
        elif entry.at < now - KEPT_S / 24 and entry.whole not in self._open:
            self._entries[entry.whole] = entry = msgspec.structs.replace(entry, at=now)
            self._open[entry.whole] = Open(form, entry.kind)
        return entry

    def _adopt(self, key: bytes) -> None:
        if key == self._key:
            return
        self._key = key
        kept = [(one, self._entries[whole]) for whole, one in self._open.items()]
        self._entries.clear()
        self._numbers.clear()
        self._open.clear()
        self._lengths, self._cuts = {}, set()
        for one, entry in kept:
            again = self._entry(one.secret, one.kind, entry.number, entry.at)
            self._add(again)
            self._open[again.whole] = one

    def _at(self, text: str, start: int, lengths: tuple[int, ...]) -> Iterator[Span]:
        for length in lengths:
            entry = self._entries.get(self._digest(text[start : start + length], 16))
            if entry is not None:
                yield Span(start, start + length, kind=entry.kind)
                return
        dots = DOTS.search(text, start + CUT, start + lengths[0] + 1)  # the second dot may follow
        if dots and self._digest(text[start : start + CUT], 8) in self._cuts:
            yield Span(start, dots.start())

    def _add(self, entry: Entry) -> bool:
        """Keep a secret; return whether it is new."""
        lengths = {*self._lengths.get(entry.start, ()), entry.length}
        if entry.whole in self._entries or len(lengths) > LENGTHS:
            return False
        self._entries[entry.whole] = entry
        self._numbers[entry.kind, entry.number] = entry.whole
        self._cuts.add(entry.cut)
        self._has_phrases |= entry.has_words
        self._lengths[entry.start] = tuple(sorted(lengths, reverse=True))
        return True

    def _forget(self, now: float) -> None:
        """Forget what is old, or too much; a beginning stays as long as any entry, for others may have it too."""
        before = len(self._entries)
        while self._entries and (len(self._entries) > MOST or next(iter(self._entries.values())).at < now - KEPT_S):
            self._drop(next(iter(self._entries.values())))
        if len(self._entries) < before:
            kept: dict[bytes, set[int]] = {}
            for entry in self._entries.values():
                kept.setdefault(entry.start, set()).add(entry.length)
            self._lengths = {start: tuple(sorted(lengths, reverse=True)) for start, lengths in kept.items()}
            self._cuts = {entry.cut for entry in self._entries.values()}

    def _drop(self, entry: Entry) -> None:
        del self._entries[entry.whole]
        self._open.pop(entry.whole, None)
        if self._numbers.get((entry.kind, entry.number)) == entry.whole:
            del self._numbers[entry.kind, entry.number]

    def _entry(self, secret: str, kind: str, number: int, now: float) -> Entry:
        start, cut = (self._digest(secret[:length], 8) for length in (START, CUT))
        return Entry(start, cut, self._digest(secret, 16), len(secret), kind, number, now, " " in secret)

    def _digest(self, text: str, size: int) -> bytes:
        return blake2b(text.encode("utf-8", "surrogatepass"), key=self._key, digest_size=size).digest()


def is_lasting(secret: str, kind: str) -> bool:
    """Return whether a secret is none of a page's own words, so that it may be hidden wherever it stands."""
    if len(secret) > LONGEST:
        return False
    if is_unguessable(secret, kind) or values.is_complex(secret):
        return True
    if prose.is_phrase(secret):
        return secret.count(" ") >= PHRASE_WORDS - 1
    return kind == "password" and values.is_chosen(secret) and not values.PLACE.search(secret)


def is_unguessable(secret: str, kind: str) -> bool:
    """Return whether a secret may have a number: of one that is guessed, the number would state that it is right."""
    if kind in CERTAIN:
        return True
    if prose.is_phrase(secret):
        return secret.count(" ") >= SEED_WORDS - 1
    if values.is_random(secret):
        return len(secret) >= SHORTEST_RANDOM
    if values.is_row(secret):
        return True
    symbols = kind == "password" or values.is_complex(secret)
    mixed = values.kinds_of_characters(secret) >= values.KINDS_ASKED
    return symbols and mixed and len(secret) >= SHORTEST_PASSWORD and not values.PLACE.search(secret)


def _forms(secret: str, kind: str) -> Iterator[str]:
    """Return what is kept of a secret: its credentials without their scheme and what stands around them."""
    bare = values.credentials(secret.strip(values.QUOTES))
    forms = [bare if kind != "card" else bare.replace(" ", "").replace("-", "")]
    if phrases.is_basic(bare):
        forms.append(base64.b64decode(bare + "=" * (-len(bare) % 4)).decode("ascii").partition(":")[2])
    elif decoded := _decoded(bare):
        forms.append(decoded)
    if FOLD.search(bare):
        forms.insert(0, FOLD.sub("", bare))
    if before := QUERY.match(bare):
        forms.append(before["a"])
    for form in forms:
        if prose.is_phrase(words := form.replace("+", " ")):
            yield words
        plain = _unquoted(form)
        if not MARKED.search(plain) and "://" not in plain and (match := SECRET.fullmatch(plain)):
            yield match["a"]


def _decoded(form: str) -> str:
    """Return what Base64 spells, if that is one word of ASCII."""
    try:
        raw = base64.b64decode(form + "=" * (-len(form) % 4), validate=True)
    except (binascii.Error, ValueError):
        return ""
    return raw.decode() if raw.isascii() and raw.decode().isprintable() else ""


def _unquoted(form: str) -> str:
    """Decode what is percent-encoded; in a password `%86` may be itself."""
    try:
        return unquote(form, errors="strict")
    except UnicodeDecodeError:
        return form


def _handle_kind(kind: str) -> str:
    """Return a kind as a handle has it: a user may call a rule anything."""
    return UNSPELLED.sub("-", kind.lower()).strip("-0123456789")[:32].rstrip("-") or "secret"


_pack = msgspec.msgpack.Encoder().encode
_read = msgspec.msgpack.Decoder(Note).decode
