"""The handles of one body's secrets: which stands where, and which of them others have yet to agree on."""

from gasoline_workers.redaction.known import MOST_AT_ONCE, Known
from gasoline_workers.redaction.messages import MARKER, handle


class Handles:
    """What numbers the secrets of one body. `now`: s since the epoch.

    `values`: what a handle stands for, if the body spells that as it is typed.
    """

    def __init__(self, known: Known, now: float) -> None:
        self._known = known
        self._now = now
        self._drawn = 0
        self.used: dict[bytes, str] = {}
        self.values: dict[str, str] = {}

    def mark(self, secret: str, kind: str) -> str:
        """Return the handle of a secret, or MARKER for what is too short or too much of a word to be known again.

        Of such a value a handle would state whether it is one that a page, or a model, guesses.
        """
        found = self._known.entry(secret, kind, self._now, draws=self._drawn < MOST_AT_ONCE)
        if found is None:
            return MARKER
        entry, is_new = found
        self._drawn += is_new
        written = self.used.setdefault(entry.whole, handle(entry.kind, entry.number))
        if self._known.is_whole(entry, secret):
            self.values[written] = secret
        return written

    def are_agreed(self) -> bool:
        """Return whether all processes give these secrets a number."""
        return not self._known.are_open(self.used)

    def are_right(self) -> bool:
        """Return whether those are the numbers that stand in the body."""
        return all(self._known.handle(whole) == written for whole, written in self.used.items())
