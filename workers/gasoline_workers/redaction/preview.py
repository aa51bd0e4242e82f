"""What redaction would hide in a text, where and why, and a list of its rules: for the user, not for the service."""

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import accumulate
from typing import NamedTuple

from gasoline_workers.redaction import issuers, patterns, personal
from gasoline_workers.redaction.decode import same
from gasoline_workers.redaction.messages import MARKER
from gasoline_workers.redaction.policy import Policy
from gasoline_workers.redaction.rules import redact_listing
from gasoline_workers.redaction.spans import Span, splice

REASONS = {
    "password": "a name for a password",
    "credential": "a name for a credential, or a user in an address",
    "authorization": "the credentials after an authorization scheme",
    "token": "a name for a token, and a random value",
    "key": "the name key, and a value that can only be random",
    "code": "a name for a code, or a message with one",
    "cookie": "the value of a cookie",
    "stored-value": "a stored value or a header's",
    "field-value": "a value that a selector repeats of a sensitive field",
    "recovery-phrase": "words of a recovery phrase",
    "capability-url": "an address that lets anyone in",
    "card": "the number of a payment card",
    "private-key": "a private key",
    "secret": "a secret in an encoding, or one that stands elsewhere too",
}
"""What stands beside the issuers' formats."""

PERSONAL = "personal data"
OWN = "your rule"


class Hidden(NamedTuple):
    """One place: where it begins, as a line and column from 1 too, what is hidden there, its kind, what shows that."""

    start: int
    line: int
    column: int
    text: str
    kind: str
    reason: str


class RuleRow(NamedTuple):
    """One rule: what it finds, where the rule is from, how that looks, and whether it is on."""

    kind: str
    source: str
    form: str
    on: bool


def preview(text: str, policy: Policy) -> tuple[str, list[Hidden]]:
    """Return `text` as a model would see it, and the places that are hidden, in order."""
    after, ledger = redact_listing(text, policy)
    shown = after if isinstance(after, str) else MARKER
    reasons = _reasons(policy)
    found = [
        Hidden(
            start,
            text.count("\n", 0, start) + 1,
            start - (text.rfind("\n", 0, start) + 1) + 1,
            text[start:end],
            kind := _kind(text[start:end], ledger.kinds),
            reasons.get(kind, OWN),
        )
        for start, end in _places(text, shown, ledger.kinds)
    ]
    return shown, found


def rules(policy: Policy) -> list[RuleRow]:
    """List the rules: the user's own, personal data, the built-in kinds, and the issuers' formats."""
    own = [RuleRow(rule.name, OWN, _own_form(rule.pattern, rule.fields), on=True) for rule in policy.rules]
    data = [RuleRow(kind, PERSONAL, "", kind in policy.personal_kinds) for kind in personal.KINDS if kind != "card"]
    built_in = [RuleRow(kind, "built in", reason, on=True) for kind, reason in REASONS.items()]
    formats = [RuleRow(kind.name, kind.issuer, kind.form, on=True) for kind in issuers.kinds()]
    return own + data + built_in + formats


def _reasons(policy: Policy) -> dict[str, str]:
    formats = {kind.name: f"a format of {kind.issuer}" for kind in issuers.kinds()}
    data = dict.fromkeys(policy.personal_kinds - {"card"}, PERSONAL)
    return formats | REASONS | data | {rule.name: OWN for rule in policy.rules}


def _own_form(pattern: object, fields: frozenset[str]) -> str:
    shown = [str(getattr(pattern, "pattern", ""))] if pattern is not None else []
    return "; ".join([*shown, *([f"fields {', '.join(sorted(fields))}"] if fields else [])])


def _kind(text: str, kinds: dict[str, str]) -> str:
    """Return what a hidden text is: itself, or the secret in it."""
    found = kinds.get(text) or kinds.get(text.strip())
    return patterns.issued_kind(text) or found or next((k for s, k in kinds.items() if s and s in text), "secret")


def _places(before: str, after: str, kinds: dict[str, str]) -> Iterator[tuple[int, int]]:
    """Find what was hidden where in `before`, line by line as far as the lines are the same."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0, *accumulate(map(len, old))]
    same_lines = SequenceMatcher(lambda line: MARKER in line, old, new, autojunk=False)
    for tag, i, i_end, j, j_end in same_lines.get_opcodes():
        if tag == "equal":
            continue
        if i_end - i == j_end - j:
            pieces = [(starts[i + n], old[i + n], new[j + n]) for n in range(i_end - i)]
        else:
            pieces = [(starts[i], "".join(old[i:i_end]), "".join(new[j:j_end]))]
        for start, was, is_ in pieces:
            yield from ((start + begin, start + end) for begin, end in _within(was, is_, kinds))


def _within(before: str, after: str, kinds: dict[str, str]) -> list[tuple[int, int]]:
    """Find what each marker of `after` stands for; if an encoding was respelled, the part that differs."""
    found = list(_marked(before, after, kinds))
    if splice(before, [Span(*place) for place in found]) == after:
        return [place for place in found if before[slice(*place)] != MARKER]
    start = same(before, after)
    return [(start, len(before) - same(before[start:][::-1], after[start:][::-1]))]


def _marked(before: str, after: str, kinds: dict[str, str]) -> Iterator[tuple[int, int]]:
    secrets = sorted(filter(None, kinds), key=len, reverse=True)
    first, *pieces = after.split(MARKER)
    place = len(first)
    for number, piece in enumerate(pieces):
        end = len(before) - len(piece) if number == len(pieces) - 1 else _hidden_end(before, place, piece, secrets)
        yield place, max(place, end)
        place = max(place, end) + len(piece)


def _hidden_end(before: str, start: int, piece: str, secrets: list[str]) -> int:
    """Return where the text ends that is hidden from `start` on, for the piece that follows it."""
    for secret in secrets:
        if before.startswith(secret, start) and before.startswith(piece, start + len(secret)):
            return start + len(secret)
    return before.find(piece, start + 1) if piece else start
