"""What went wrong in a page: its errors in words, and its failed requests by name."""

from typing import Any, NamedTuple

from gasoline_workers.diff.addresses import shown
from gasoline_workers.diff.messages import Failed
from gasoline_workers.diff.reading import items, number, text, whole
from gasoline_workers.diff.sentences import cut

ERRORS = 3
ERROR = 240  # characters, its place among them
WORD = 32  # characters of a method


class Faults(NamedTuple):
    """How many errors and failed requests there were, and the first of each."""

    console_errors: int
    errors: list[str]
    failed_requests: int
    failed: list[str]


def found(effects: object, page: str) -> Faults:
    """Read what went wrong in the page at an address."""
    read: dict[str, Any] = effects if isinstance(effects, dict) else {}
    errors = read.get("errors")
    return Faults(
        whole(read.get("console_errors")),
        [cut(one, ERROR) for one in map(text, errors) if one][:ERRORS] if isinstance(errors, list) else [],
        whole(read.get("failed_requests")),
        [_failed(one, page) for one in items(read.get("failed"), Failed)],
    )


def _failed(one: Failed, page: str) -> str:
    """Name a failed request: `POST /api/save 500`."""
    status = number(one.status)
    parts = (
        text(one.method)[:WORD],
        shown(text(one.url), page),
        str(int(status)) if status else text(one.error)[:WORD],
    )
    return " ".join(part for part in parts if part)
