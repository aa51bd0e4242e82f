"""The entry: takes any body from a page and returns it without its secrets.

The walk goes by structure first, because a name or a neighbour proves more than any pattern; strings are read for what
they hold; and what was found anywhere is then looked for everywhere. What cannot be judged is hidden: too deep,
too long, too costly, or any fault.
"""

from collections.abc import Callable, Iterable, Sequence

from gasoline_workers.redaction import binary, cookies, patterns, prefixed, seed_words, structure, text, values
from gasoline_workers.redaction.echo import Echoes
from gasoline_workers.redaction.handles import Handles
from gasoline_workers.redaction.known import Known
from gasoline_workers.redaction.ledger import Ledger
from gasoline_workers.redaction.messages import MARKER, unnumbered
from gasoline_workers.redaction.names import Meaning, counts, kind_of
from gasoline_workers.redaction.policy import NONE, Policy
from gasoline_workers.redaction.spans import Span, is_marker, splice
from gasoline_workers.redaction.text import ROUNDS, UnsettledError

DEPTH_LIMIT = 64
"""Levels of a body, decoded strings included; `query_dom` has at most 15, and Python's own stack ends at about 1,000
frames."""

SHORTEST_CARD = 10**12
"""The least number that can be that of a payment card."""

SHORTEST_KEY = 12
"""The fewest characters of a key that may hold a secret itself."""


class TooDeepError(Exception):
    """The body is nested deeper than DEPTH_LIMIT."""


def redact(
    body: object, policy: Policy = NONE, known: Known | None = None, handles: Handles | None = None
) -> tuple[object, int]:
    """Return `body` with every secret replaced by a marker, and how many there were.

    `policy`: a user's own rules. `known`: the secrets that were seen before, which are hidden anywhere. `handles`: what
    numbers those that are known from now on; without it MARKER is all that stands where a secret stood.

    The shape stays: containers keep their length, order and keys (a key that is a secret itself becomes the marker);
    strings and bytes stay such. Only a number that is a secret becomes a string. `body` itself is not changed.
    """
    clean, ledger = redact_listing(body, policy, known, handles)
    return clean, ledger.count


def redact_listing(
    body: object, policy: Policy = NONE, known: Known | None = None, handles: Handles | None = None
) -> tuple[object, Ledger]:
    """Return what `redact` does, with the ledger of what was found."""
    walk = _Walk(policy, Known() if known is None else known, handles)
    try:
        return walk.body(body), walk.ledger
    except Exception:  # noqa: BLE001 - fails closed: a fault outside any value hides them all
        hidden = Ledger()
        hidden.found("")
        return _marker_for(body), hidden


class _Walk:
    """Goes through one body, from the outside in."""

    def __init__(self, policy: Policy, known: Known, handles: Handles | None) -> None:
        self.ledger = Ledger()
        self._handles = handles
        self.known = known
        self.policy = policy
        self._depth = 0
        self._changed = False
        self._apart = seed_words.Apart()
        self._clean = {MARKER}
        self._cleaned: dict[tuple[str, int], tuple[str, int]] = {}
        self._shapes: dict[tuple[object, ...], structure.Shape] = {}

    def body(self, body: object) -> object:
        """Return the whole `body` without its secrets and their echoes; read again if what was evidence has changed."""
        for _ in range(ROUNDS):
            self._changed = False
            body = self.value(body)
            if echoes := Echoes(self.ledger, self._mark):
                body = self._without(echoes, body)
            if self._apart:
                body = self._apart.hidden(body, self._without_word)
            if not self._changed:
                return body
        raise UnsettledError

    def value(self, value: object, kind: Meaning = Meaning.HARMLESS) -> object:
        """Return `value`, whose name means `kind`, without its secrets."""
        if value is None or isinstance(value, bool) or (kind is Meaning.HARMLESS and self._is_plain(value)):
            return value
        self._depth += 1
        try:
            return self._value(value, kind)
        except Exception:  # noqa: BLE001 - fails closed: what cannot be judged is hidden, whatever the fault
            self.ledger.found("")
            return _marker_for(value)
        finally:
            self._depth -= 1

    def text(self, text: str) -> str:
        """Return a decoded string without its secrets, one level deeper."""
        self._depth += 1
        try:
            return self._read(text)
        finally:
            self._depth -= 1

    def raw(self, raw: bytes) -> bytes:
        """Return decoded bytes without their secrets, one level deeper."""
        self._depth += 1
        try:
            return binary.clean(raw, self.value, self._read)
        finally:
            self._depth -= 1

    def hide(self, secret: str, kind: str, *, echoes: bool) -> str:
        """Count a secret, remember it if it may have echoes, and return what stands in its place."""
        if is_marker(bare := values.credentials(secret.strip())):
            return bare
        kind = "authorization" if bare != secret.strip() else kind
        self.ledger.found(secret, kind, echoes=echoes)
        return self._mark(secret) if echoes else MARKER

    def _mark(self, secret: str) -> str:
        return MARKER if self._handles is None else self._handles.mark(secret, self.ledger.kinds[secret])

    def _without_word(self, string: str) -> str:
        """Hide a string that is one word of a recovery phrase."""
        self._changed = True
        return self.hide(string, "recovery-phrase", echoes=False)

    def _without(self, echoes: Echoes, body: object) -> object:
        def hide(string: str) -> str:
            try:
                hidden = echoes.hide(string)
            except Exception:  # noqa: BLE001 - fails closed, as above
                return MARKER
            self._changed = self._changed or hidden != string
            return hidden

        return _each_string(body, hide)

    def _value(self, value: object, kind: Meaning) -> object:
        if self._depth > DEPTH_LIMIT:
            raise TooDeepError
        if isinstance(value, str):
            return self._string(value, kind)
        if isinstance(value, dict):
            return self._fields(value, kind)
        if isinstance(value, list | tuple):
            return type(value)(self._items(value, kind))
        if isinstance(value, bytes):
            return binary.clean(value, self.value, lambda string: self._string(string, kind))
        if isinstance(value, int | float):
            return self._number(value, kind)
        raise TypeError

    def _fields(self, fields: dict[object, object], kind: Meaning) -> dict[object, object]:
        cleaned: dict[object, object] = {}
        has_rules = bool(self.policy)
        described = self._described(fields) if has_rules else ""
        columns = structure.columns(fields)
        if len(fields) >= seed_words.FEWEST:
            self._apart.look_in(fields)
        for (key, value), own in zip(fields.items(), self._meanings(fields, kind), strict=True):
            rule = has_rules and (
                self.policy.field_rule(key) or (described and structure.holds_value(key) and described)
            )
            name = key if isinstance(key, str) and len(key) < SHORTEST_KEY else self.value(key)
            part = self._by_rule(value, rule) if rule else self._field(key, value, own)
            if columns and key not in structure.COLUMN_FIELDS and structure.is_table(part, len(columns)):
                part = self._table(part, columns)
            if name != key or (key in structure.EVIDENCE and part != value):
                self._changed = True
            cleaned[_untaken(name, cleaned) if name in cleaned else name] = part
        return cleaned

    def _field(self, key: object, value: object, kind: Meaning) -> object:
        """Return a field's value without its secrets; a number under a plural counts them."""
        if isinstance(value, str):
            if kind is Meaning.HARMLESS and isinstance(key, str) and prefixed.is_lone(value):
                return self._named_run(key, value)
        elif isinstance(value, int) and isinstance(key, str) and counts(key, value):
            return value
        return self.value(value, kind)

    def _named_run(self, key: str, run: str) -> str:
        """Read a random run with its name, which says whether it identifies something."""
        begin = f"{key[-prefixed.NAME_LENGTH :]}: "
        read = self._read(begin + run)
        return read.removeprefix(begin) if read.startswith(begin) else self._string(run, Meaning.HARMLESS)

    def _described(self, fields: dict[object, object]) -> str:
        """Return the user's rule for the field that `fields` describe by its name: a pair, a form's field."""
        return next(filter(None, (self.policy.field_rule(fields.get(name)) for name in structure.NAME_FIELDS)), "")

    def _by_rule(self, value: object, rule: str) -> object:
        """Return the value of a field that a user's rule hides; what it holds is walked as any other."""
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            return self.value(value)
        string = str(value).strip()
        if not string or is_marker(string) or self.policy.keeps(string):
            return value
        return self.hide(string, rule, echoes=values.is_random(string))

    def _meanings(self, fields: dict[object, object], kind: Meaning) -> Iterable[Meaning]:
        if kind is not Meaning.HARMLESS:
            return structure.field_meanings(fields, kind)
        keys = tuple(fields)
        shape = self._shapes.get(keys) or self._shapes.setdefault(keys, structure.shape(keys))
        if shape.is_key or (shape.has_value and structure.evidence(fields) is not Meaning.HARMLESS):
            return structure.field_meanings(fields, kind)
        return shape.meanings

    def _items(self, items: Sequence[object], kind: Meaning) -> list[object]:
        if structure.are_pairs(items):
            return [self._pair(item, kind) for item in items if isinstance(item, list)]
        if known := structure.references(items):
            return [self._referred(item, own) for item, own in zip(items, known, strict=True)]
        if len(items) >= seed_words.FEWEST:
            self._apart.look(items)
        cleaned = list(map(self.value, items, structure.item_meanings(items, kind)))
        if columns := structure.head_row(items):
            cleaned[1:] = self._table(cleaned[1:], columns)
        self._changed = self._changed or any(
            isinstance(old, str) and old != new for old, new in zip(items, cleaned, strict=True)
        )
        return cleaned

    def _referred(self, item: object, kind: Meaning) -> object:
        """Return an item that others refer to by its number; the numbers stay."""
        if isinstance(item, dict):
            cleaned: dict[object, object] = {}
            for name, number in item.items():
                cleaned[_untaken(self.value(name), cleaned)] = number
            return cleaned
        if isinstance(item, list):
            return item
        return self.value(item, kind if kind <= Meaning.MASKED else Meaning.HARMLESS)

    def _table(self, rows: list[object], columns: Sequence[Meaning]) -> list[object]:
        """Return rows, or one row, judged by the names of their columns."""
        if not isinstance(rows[0], list):
            return list(map(self.value, rows, columns))
        return [list(map(self.value, row, columns)) for row in rows if isinstance(row, list)]

    def _pair(self, pair: Sequence[object], kind: Meaning) -> list[object]:
        name, value = pair
        if rule := self.policy.field_rule(name):
            return [self.value(name), self._by_rule(value, rule)]
        return [self.value(name), self.value(value, structure.pair_meaning(str(name), kind))]

    def _number(self, number: float, kind: Meaning) -> object:
        if (
            self.policy.hides_number(number)
            or values.hides_number(number, kind)
            or (isinstance(number, int) and patterns.is_card(str(number)))
        ):
            self.ledger.count += 1  # and looked for nowhere else: most numbers of its digits count something
            return MARKER
        return number

    def _string(self, string: str, kind: Meaning) -> str:
        if kind <= Meaning.MASKED and self.policy.keeps(string):
            return string
        if kind is Meaning.HARMLESS:
            return self._read(string)
        if values.hides(string, kind):
            return self.hide(string.strip(), kind_of(kind), echoes=values.has_echoes(string.strip(), kind))
        cleaned = self._read(self._cookies(string) if kind is Meaning.COOKIES else string)
        return MARKER if cleaned != string and values.hides(cleaned, kind) else cleaned

    def _cookies(self, string: str) -> str:
        found = cookies.find(string, 0, len(string))
        spans = [span for span in found if not self.policy.keeps(string[span.start : span.end])]
        return splice(string, [self._cookie(string, span) for span in spans])

    def _cookie(self, string: str, span: Span) -> Span:
        value = string[span.start : span.end]
        return span._replace(replacement=self.hide(value, "cookie", echoes=values.has_echoes(value, Meaning.STORED)))

    def _read(self, string: str) -> str:
        """Read a string at each depth once: a document is walked twice, so one in n others would be 2**n times."""
        if string in self._clean:
            return string
        place = (string, self._depth)
        if known := self._cleaned.get(place):
            self.ledger.count += known[1]
            return known[0]
        before = self.ledger.count
        cleaned = text.clean(string, self)
        self._clean.add(cleaned)
        if cleaned != string:
            self._cleaned[place] = cleaned, self.ledger.count - before
        return cleaned

    def _is_plain(self, value: object) -> bool:
        """Decide at once for most values that there is nothing to do: found clean before, or a number."""
        if isinstance(value, str):
            return value in self._clean
        return isinstance(value, (int, float)) and -SHORTEST_CARD < value < SHORTEST_CARD and not self.policy


def _each_string(value: object, change: Callable[[str], str]) -> object:
    """Return `value` with `change` made to each of its strings, keys included."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, bytes):
        return _as_text(value, change)
    if isinstance(value, dict):
        changed: dict[object, object] = {}
        for key, part in value.items():
            changed[_untaken(_each_string(key, change), changed)] = _each_string(part, change)
        return changed
    if isinstance(value, list | tuple):
        return type(value)(_each_string(part, change) for part in value)
    return value


def _as_text(value: bytes, change: Callable[[str], str]) -> bytes:
    """Return `value` changed as text: UTF-8, or else Latin-1, which any bytes are."""
    try:
        return change(value.decode()).encode()
    except UnicodeDecodeError:
        return unnumbered(change(value.decode("latin-1"))).encode("latin-1", "replace")


def _untaken(key: object, taken: dict[object, object]) -> object:
    """Return `key`, or if that is taken (two keys became the marker) one like it that is not."""
    while key in taken:
        key = f"{key}#{len(taken)}"
    return key


def _marker_for(value: object) -> object:
    return MARKER.encode() if isinstance(value, bytes) else MARKER
