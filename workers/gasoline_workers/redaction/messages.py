"""The messages of the redaction worker, and what stands where a secret stood; all that others may import of it."""

import re

import msgspec

MARKER = "[REDACTED]"
"""The word of seed 000, the same for every kind: of what could be guessed, or is not known again."""

HANDLE = re.compile("⟦[a-z][a-z0-9-]{0,31}#[1-9][0-9]{0,6}⟧")
"""Of a secret that is known: its kind and its number, which states nothing about its value."""

MARKED = re.compile(rf"\[REDACTED\]|{HANDLE.pattern}")


class RedactAnswer(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """Ask: hide the secrets in what the stop before answered. Answered by the same shape, clean.

    `numbered` false: by MARKER alone, for what outlives the session that numbers count in.
    """

    numbered: bool = True


class PassPicture(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """Ask: hide the secrets in what the stop before answered, and pass its one picture on, which the page has masked.

    The body's `masked` states that it has: how many fields were hidden. Without it the picture ends here.
    A failure, which has no picture, is redacted as any other.
    """

    numbered: bool = True


Request = RedactAnswer | PassPicture


class ShownSecret(msgspec.Struct, frozen=True):
    """What a handle stands for, and the origin of a page that showed it."""

    handle: str
    value: str
    origin: str

    def __repr__(self) -> str:
        """Show no secret, wherever a message or a fault of one is printed."""
        return f"ShownSecret({self.handle}, {self.origin})"


class KeepSecrets(msgspec.Struct, frozen=True, tag=True):
    """Ask of redaction to the bridge alone: keep these in memory, to type them there. Answered by SecretsKept."""

    secrets: list[ShownSecret]


class SecretsKept(msgspec.Struct, frozen=True, tag=True):
    """Answer: they are kept."""


def handle(kind: str, number: int) -> str:
    """Write the handle of a secret."""
    return f"⟦{kind}#{number}⟧"


def unnumbered(text: str) -> str:
    """Return `text` with MARKER for each handle: for comparisons, and for what is read as an address."""
    return HANDLE.sub(MARKER, text) if "⟦" in text else text


def is_marked(text: str) -> bool:
    """Return whether something in `text` was hidden."""
    return MARKER in text or ("⟦" in text and HANDLE.search(text) is not None)
