"""The table of error codes, read from error_codes.json, which the extension's build reads too.

Rules of this file:
- A code is in the table exactly when some source uses it: tests/unit/test_error_codes.py compares both.
- A failure's own recovery wins; the table's is for those that have nothing more specific to advise.
"""

from pathlib import Path
from typing import Any, Literal

import msgspec

from gasoline_broker.errors import Failure


class ErrorCode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a code means, what the caller does next, and whether the same call can succeed later.

    `retry`: `yes`, as it is; `after_fix`, once the recovery is done; `after_look`, once the page shows that it was not
    done already; `no`.
    """

    meaning: str
    recovery: str
    retry: Literal["yes", "after_fix", "after_look", "no"]


FILE = Path(__file__).with_suffix(".json")  # importlib.resources would cost every process 10 ms of its start
CODES: dict[str, ErrorCode] = msgspec.json.decode(FILE.read_bytes(), type=dict[str, ErrorCode])


def recovery_of(failure: Failure) -> str:
    """Give what the caller does next: the failure's own advice, else its code's."""
    code = CODES.get(failure.code)  # one of a newer extension is in no table of ours
    return failure.recovery or (code.recovery if code is not None else "")


def as_error(failure: Failure) -> dict[str, Any]:
    """Give the failure as every client reads it; parts that are empty are left out."""
    error = {
        "code": failure.code,
        "message": failure.text,
        "details": failure.details,
        "recovery": recovery_of(failure),
    }
    return {name: value for name, value in error.items() if value}
