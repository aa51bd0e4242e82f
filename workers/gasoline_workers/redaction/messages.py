"""The messages of the redaction worker; the only file of this package that others may import."""

import msgspec


class RedactAnswer(msgspec.Struct, frozen=True, tag=True):
    """Ask: hide the secrets in what the stop before answered. Answered by the same shape, clean."""


class PassPicture(msgspec.Struct, frozen=True, tag=True):
    """Ask: hide the secrets in what the stop before answered, and pass its one picture on, which the page has masked.

    The body's `masked` states that it has: how many fields were hidden. Without it the picture ends here.
    A failure, which has no picture, is redacted as any other.
    """


Request = RedactAnswer | PassPicture
