"""What the redaction actor understands; the only file of this package that others may import, and it holds no logic."""

import msgspec


class RedactAnswer(msgspec.Struct, frozen=True, tag=True):
    """Ask: hide the secrets in what the stop before answered. Answered by the same shape, clean."""


Request = RedactAnswer
