"""Secrets found in one place of a body that are repeated in another, where no rule knows them.

A cookie or a token seen once may be printed bare in a console line, a title or a selector. With many secrets a string
is read once, window by window, so that the cost does not grow with their number.
"""

import base64
import html
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import quote, quote_plus, unquote_plus

from gasoline_workers.redaction import phrases, values
from gasoline_workers.redaction.ledger import ECHO_LENGTH, Ledger
from gasoline_workers.redaction.messages import MARKER
from gasoline_workers.redaction.names import Meaning, meaning
from gasoline_workers.redaction.spans import Span, between_markers, merge, splice
from gasoline_workers.redaction.structure import AUTOCOMPLETE

FEW = 24
"""Up to so many forms, asking for each in turn is faster than reading window by window (measured on 20 KB)."""


TELLING = 3
"""The fewest letters and digits of a secret that is looked for elsewhere: the gaps of broken JSON have none."""

COMPARISON = 32
"""What one comparison costs, in characters read: ten times what is measured, for only secrets made to begin alike cost
many."""


WINDOWS = 4
"""How many windows are looked up in the time that one character is read in for the first time (measured)."""


class Echoes:
    """The secrets of one body in every form in which a page repeats them. `mark`: what stands in a secret's place."""

    def __init__(self, ledger: Ledger, mark: Callable[[str], str]) -> None:
        self._ledger = ledger
        self._mark = mark
        self._forms = {
            form: secret for secret in sorted(ledger.secrets) if _is_telling(secret) for form in _forms(secret)
        }
        self._starts: dict[str, list[str]] = defaultdict(list)
        for form in sorted(self._forms, key=len, reverse=True):
            self._starts[form[:ECHO_LENGTH]].append(form)

    def __bool__(self) -> bool:
        """Return whether there is anything to look for."""
        return bool(self._forms)

    def hide(self, text: str) -> str:
        """Return `text` without the secrets that it repeats, even if it is cut off within one."""
        if len(text) < ECHO_LENGTH or (len(self._starts) <= FEW and not any(start in text for start in self._starts)):
            return text
        return between_markers(text, self._hide)

    def _hide(self, text: str) -> str:
        spans = merge(list(self._find(text)))
        self._ledger.count += len(spans)
        return splice(text, spans) if spans else text

    def _find(self, text: str) -> Iterator[Span]:
        core = text.rstrip(".…")
        for start in self._candidates(text):
            for form in self._starts[text[start : start + ECHO_LENGTH]]:
                self._ledger.spend(COMPARISON)
                if end := _match(text, core, start, form):
                    yield Span(start, end, self._mark(self._forms[form]))
                    break

    def _candidates(self, text: str) -> Iterable[int]:
        """Find where a secret may begin."""
        if len(self._starts) > FEW:
            self._ledger.spend(len(text) // WINDOWS)
            return [n for n in range(len(text) - ECHO_LENGTH + 1) if text[n : n + ECHO_LENGTH] in self._starts]
        return [n for start in self._starts if start in text for n in _places(text, start)]


def _match(text: str, core: str, start: int, form: str) -> int:
    """Return where `form` ends that begins at `start`, or 0; a form that the text's end cuts off ends there."""
    if text.startswith(form, start):
        end = start + len(form)
        return 0 if form.isalnum() and _is_inside_word(text, start, end, form) else end
    return len(core) if len(core) < start + len(form) and form.startswith(core[start:]) and core[start:] else 0


def _is_inside_word(text: str, start: int, end: int, form: str) -> bool:
    """Return whether a form of letters only, or of digits only, is part of a longer word or number."""
    if not (form.isalpha() or form.isdigit()):
        return False
    return text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()


def _places(text: str, part: str) -> Iterator[int]:
    place = text.find(part)
    while place >= 0:
        yield place
        place = text.find(part, place + 1)


def _is_telling(secret: str) -> bool:
    """Return whether a secret is not also a word of the page's own language: a type, a name, a part of the marker."""
    folded = secret.strip().casefold()
    if sum(map(str.isalnum, secret)) < TELLING:
        return False
    if folded in values.STOP_WORDS or folded in AUTOCOMPLETE or secret in MARKER:
        return False
    return any(map(str.isdigit, secret)) or meaning(secret) is Meaning.HARMLESS


def _forms(secret: str) -> Iterator[str]:
    """Spell a secret as pages do: as it is, decoded, encoded for a URL, for JSON, for HTML, and without its scheme."""
    plain = unquote_plus(secret)
    bare = values.credentials(plain)
    spelled = {
        secret,
        plain,
        bare,
        quote(plain, safe="", errors="replace"),
        quote_plus(plain, errors="replace"),
        json.dumps(plain)[1:-1],
        html.escape(plain),
        html.unescape(plain),
    }
    if phrases.is_basic(bare):
        spelled.add(base64.b64decode(bare + "=" * (-len(bare) % 4)).decode("ascii").partition(":")[2])
    return (form for form in spelled if len(form) >= ECHO_LENGTH and form not in MARKER)
