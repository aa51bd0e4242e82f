"""What issue 20 asks of redaction, as far as it is built; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("redact-001", "redact", "Deliver", "Prefilters are derived from the rules: every rule's example and every name that means a secret passes its prefilter."),
    Requirement("redact-002", "redact", "Deliver", "Issuers are a data table of at least 200 kinds, with one set automaton over all of them."),
    Requirement("redact-003", "redact", "Deliver", "One decode stage for every string: percent, entities, base64 and base64url, hex, JSON in strings, quoted-printable, gzip in base64; a secret inside is hidden at its place in the outer text."),
)
