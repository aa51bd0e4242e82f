"""Turns an event of extension/src/shared/events.ts into a row of the journal; a value of a wrong type loses no event.

Redaction may have put a marker (a string) in the place of any value, and a page may have written anything.
"""

import datetime as dt
import re
from typing import Any, NamedTuple

import msgspec

from gasoline_workers.journal import fingerprints
from gasoline_workers.journal.limits import ring_of

LATEST_MS = 253_402_300_799_000  # the end of 9999: of later years neither ISO 8601 nor datetime can write the date
STATUS_MAX = 1 << 31
CUT_CHARS = 4_000  # no text is cut to less (SPEC, Limits: 4 KB of a message)
WORD_CHARS = 200  # as much of it as most keys have
HALF_A_WORD = re.compile(r"[\w+/=.~%-]+\Z")

NAMES = {
    "dropped": "of",
    "websocket": "event",
    "audit": "action",
    "effect": "id",
    "network": "api",
    "resource": "initiator",
    "request": "api",
}  # which field is the name, where it is not `name`

encode = msgspec.json.Encoder(enc_hook=str).encode


class Place(NamedTuple):
    """The origin of an event: the tab (0: none), the frame, the page load, and the page's address."""

    tab: int
    frame: int
    load: str
    page: str


class Row(NamedTuple):
    """A row without its position, in the order of the table's columns. `at`, `stored`: s since the epoch."""

    ring: str
    kind: str
    tab: int
    frame: int
    load: str
    page: str
    at: float
    stored: float
    url: str
    level: str | None
    method: str | None
    status: int | None
    connection: str | None
    direction: str | None
    name: str | None
    key: bytes | None
    text: str | None
    data: bytes


def row(event: object, place: Place, now: float) -> Row | None:
    """Return the row of an event, None for what is none."""
    if not isinstance(event, dict) or not isinstance(kind := event.get("type"), str):
        return None
    ring = ring_of(kind, event.get("entry"))
    if ring is None:
        return None
    if event.get("truncated") is True:
        event = {name: _without_half_a_word(value) for name, value in event.items()}
    text = _text(kind, event)
    return Row(
        ring=ring,
        kind=kind,
        **place._asdict(),
        at=seconds(event.get("ts"), now),
        stored=now,
        url=_word(event.get("url")) or place.page,
        level=_word(event.get("level")),
        method=_word(event.get("method")),
        status=whole(event.get("status")),
        connection=_word(event.get("id")) if kind == "websocket" else None,
        direction=_word(event.get("direction")),
        name=_word(event.get(NAMES.get(kind, "name"))),
        key=_key(kind, event, place, text or ""),
        text=text,
        data=encode(_without_arguments(event) if kind == "console" else event),
    )


def seconds(ts: object, now: float) -> float:
    """Read when an event began: ms since the epoch, or ISO 8601; `now` for anything else."""
    ms = _iso_ms(ts) if isinstance(ts, str) else ts
    if isinstance(ms, int | float) and not isinstance(ms, bool) and 0 < ms < LATEST_MS:
        return ms / 1_000
    return now


def _iso_ms(text: str) -> float | None:
    try:
        read = dt.datetime.fromisoformat(text)
        return (read if read.tzinfo else read.replace(tzinfo=dt.UTC)).timestamp() * 1_000
    except (ValueError, OverflowError):
        return None


def whole(value: object) -> int | None:
    """Return a whole number that a column can hold, None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not -STATUS_MAX < value < STATUS_MAX:
        return None
    return int(value)


def line(arguments: object) -> str:
    """Write the arguments of a console call as one line: strings as they are, others as compact JSON."""
    if not isinstance(arguments, list):
        return _as_text(arguments)
    return " ".join(map(_as_text, arguments))


def _without_half_a_word(value: Any) -> Any:  # noqa: ANN401 - JSON
    """Drop the word at which a long text was cut: the first half of a key is a secret that no rule knows."""
    if isinstance(value, list):
        return [_without_half_a_word(part) for part in value]
    if not isinstance(value, str) or len(value) < CUT_CHARS:
        return value
    return value[:-WORD_CHARS] + HALF_A_WORD.sub("", value[-WORD_CHARS:])


def _without_arguments(event: dict[str, Any]) -> dict[str, Any]:
    """Leave out what the line has already."""
    return {name: value for name, value in event.items() if name != "args"}


def _as_text(value: object) -> str:
    return value if isinstance(value, str) else encode(value).decode()


def _word(value: object) -> str | None:
    return None if value is None else _as_text(value)


def _text(kind: str, event: dict[str, Any]) -> str | None:
    if kind == "console":
        return line(event.get("args", []))
    match kind:
        case "error":
            return _word(event.get("message"))
        case "network":
            return _word(event.get("error")) or None
        case _:
            return None


def _key(kind: str, event: dict[str, Any], place: Place, text: str) -> bytes | None:
    def word(name: str) -> str:
        return _word(event.get(name)) or ""

    if kind == "console":
        return fingerprints.of_line(word("level"), text, word("source"))
    if kind == "error":
        return fingerprints.of_error(word("kind"), word("name"), text, word("stack"))
    if kind in {"network", "resource", "request"}:
        return fingerprints.of_request(place.tab, word("url"))
    return f"{place.tab}/{place.load}".encode() if kind in {"vital", "performance"} else None
