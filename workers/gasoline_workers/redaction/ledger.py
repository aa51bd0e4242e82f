"""What one body's redaction has found, and what it has cost so far."""

from typing import Protocol

from gasoline_workers.redaction.known import Known
from gasoline_workers.redaction.policy import Policy

WORK_LIMIT = 32 * 2**20
"""Characters that may be looked at for one body, nested decodings included: a body of 10 MB (SPEC.md, Limits) passes
once and half again. Work is counted, not timed, so that the same body always has the same answer."""

ECHO_LENGTH = 8
"""The fewest characters of a secret that is looked for elsewhere in the body: shorter ones stand in harmless words."""


class WorkSpentError(Exception):
    """Reading on would cost more than WORK_LIMIT; what is unread is hidden."""


class Ledger:
    """What one body has: the count of secrets hidden, the secrets (for their echoes) and their kinds, the work done."""

    def __init__(self) -> None:
        self.count = 0
        self.secrets: set[str] = set()
        self.kinds: dict[str, str] = {}
        self._work = 0

    def spend(self, characters: int) -> None:
        """Count work before it is done.

        Raises:
            WorkSpentError: the body has used up what it may cost.

        """
        self._work += characters
        if self._work > WORK_LIMIT:
            raise WorkSpentError

    def found(self, secret: str, kind: str = "secret", *, echoes: bool = True) -> None:
        """Count a secret of a kind, and remember it for its echoes if it may have some and is long enough."""
        self.count += 1
        self.kinds.setdefault(secret, kind)
        if echoes and len(secret) >= ECHO_LENGTH:
            self.secrets.add(secret)

    def kept(self) -> list[tuple[str, str]]:
        """Return each secret that may stand elsewhere, with its kind."""
        return [(secret, self.kinds[secret]) for secret in sorted(self.secrets)]


class Walk(Protocol):
    """What the readers of strings give decoded pieces to: the walk over the body, one level deeper."""

    ledger: Ledger
    policy: Policy
    known: Known

    def hide(self, secret: str, kind: str, *, echoes: bool) -> str:
        """Count a secret, remember it if it may have echoes, and return what stands in its place."""

    def text(self, text: str) -> str:
        """Hide the secrets in a decoded string."""

    def value(self, value: object) -> object:
        """Hide the secrets in decoded data."""

    def raw(self, raw: bytes) -> bytes:
        """Hide the secrets in decoded bytes."""
