"""The messages of the redaction worker; the only file of this package that others may import."""

import msgspec


class RedactAnswer(msgspec.Struct, frozen=True, tag=True):
    """Ask: hide the secrets in what the stop before answered. Answered by the same shape, clean."""


Request = RedactAnswer
