"""Reads the JSON lines that clients post (seed 002, Log Entry Format) into a chunk of events; pure.

A body is one entry a line, or a JSON array of entries. The first that is wrong refuses the whole body and is named:
what is half stored could not be sent again.
"""

import hashlib
import itertools
import re
import secrets
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from gasoline_bridge.chrome.link import Chunk

STRING_MAX = 64 << 10  # SPEC.md, Limits: every string from a page that is stored
TEXT_MAX, REQUEST_MAX, RESPONSE_MAX = 4 << 10, 8 << 10, 16 << 10  # seed 002, Limits
ENTRIES_MAX = 5_000
CHUNK_BYTES = 64 << 10  # as much as the extension's
BOM = b"\xef\xbb\xbf"
NO_LOAD = "00000000"
SENSITIVE = re.compile(r"^(authorization|cookie|set-cookie|x-api-key)$|token|secret|key|password", re.IGNORECASE)
FAULTS = (msgspec.MsgspecError, RecursionError, UnicodeError)

Text = Annotated[str, Meta(max_length=STRING_MAX)]
Ts = (
    Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$")]
    | Annotated[float, Meta(ge=0)]
)
TabId = Annotated[int, Meta(ge=0, lt=1 << 31)]

Event = dict[str, Any]


class LineError(Exception):
    """A body is not in the format; the text names the line, the field and what is valid."""


class LogLine(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, tag="log", kw_only=True):
    """A line of POST /logs: a line of the console."""

    ts: Ts = ""
    level: Literal["debug", "log", "info", "warn", "error"] = "log"
    message: Text
    url: Text = ""
    source: Text = ""
    stack: Text = ""
    tab_id: TabId = msgspec.field(name="tabId", default=0)

    def as_event(self) -> Event:
        """Give the event of the journal."""
        event = {"level": self.level, "args": [self.message], "source": self.source, "stack": self.stack}
        return {"type": "console", "ts": self.ts} | {name: value for name, value in event.items() if value}


class WebSocketLine(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, tag="websocket", kw_only=True):
    """A line of POST /websocket-events."""

    ts: Ts = ""
    event: Literal["open", "message", "close", "error"]
    id: Annotated[str, Meta(min_length=1, max_length=100)]
    url: Text = ""
    direction: Literal["incoming", "outgoing", ""] = ""
    data: str = ""
    size: Annotated[int, Meta(ge=0, lt=1 << 53)] = 0
    truncated: bool = False
    code: Annotated[int, Meta(ge=0, le=4999)] = 0
    reason: Text = ""
    tab_id: TabId = msgspec.field(name="tabId", default=0)

    def as_event(self) -> Event:
        """Give the event of the journal, its message cut to what is kept."""
        event = _named(self)
        if len(self.data) > TEXT_MAX:
            event |= {"data": self.data[:TEXT_MAX], "truncated": True}
        return event


class BodyLine(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, tag="network_body", kw_only=True):
    """A line of POST /network-bodies."""

    ts: Ts = ""
    method: Annotated[str, Meta(min_length=1, max_length=32)]
    url: Text
    status: Annotated[int, Meta(ge=0, le=999)]
    request_body: str | None = msgspec.field(name="requestBody", default=None)
    response_body: str | None = msgspec.field(name="responseBody", default=None)
    request_headers: dict[str, Text] = msgspec.field(name="requestHeaders", default_factory=dict)
    response_headers: dict[str, Text] = msgspec.field(name="responseHeaders", default_factory=dict)
    content_type: Text | None = msgspec.field(name="contentType", default=None)
    duration: Annotated[float, Meta(ge=0)] = 0
    truncated: bool = False
    tab_id: TabId = msgspec.field(name="tabId", default=0)

    def as_event(self) -> Event:
        """Give the event of the journal, its bodies cut to what is kept and without headers that hold secrets."""
        event = _named(self) | {"requestBody": None, "responseBody": None}
        event |= {"contentType": self.content_type, "duration": self.duration}
        for name, body, most in (
            ("requestBody", self.request_body, REQUEST_MAX),
            ("responseBody", self.response_body, RESPONSE_MAX),
        ):
            if body is not None:
                event[name] = body[:most]
                event |= {"truncated": True} if len(body) > most else {}
        for name, headers in (("requestHeaders", self.request_headers), ("responseHeaders", self.response_headers)):
            event |= (
                {name: {key: value for key, value in headers.items() if not SENSITIVE.search(key)}} if headers else {}
            )
        return event


Line = LogLine | WebSocketLine | BodyLine
KINDS: dict[str, type[Line]] = {"log": LogLine, "websocket": WebSocketLine, "network_body": BodyLine}
_ARRAYS: dict[type[Line], Callable[[bytes], list[Any]]] = {
    LogLine: msgspec.json.Decoder(list[LogLine]).decode,
    WebSocketLine: msgspec.json.Decoder(list[WebSocketLine]).decode,
    BodyLine: msgspec.json.Decoder(list[BodyLine]).decode,
}
PLACE = re.compile(r"\$\[(\d+)\]")
"""How an error names an entry of an array."""


def chunks_of(kind: str, body: bytes, key: str = "") -> list[Chunk]:
    """Give the events of a body of `log`, `websocket` or `network_body` lines, in chunks of one tab and CHUNK_BYTES.

    `key`: the client's own: the same body under the same key has chunks of the same ids.

    Raises:
        LineError: it is no such body; the text names the line and the field.

    """
    lines = _entries(KINDS[kind], body.removeprefix(BOM))
    _check_count(len(lines))
    runs = itertools.groupby(lines, key=lambda line: (line.tab_id, line.url if isinstance(line, LogLine) else ""))
    parts = [(place, part) for place, run in runs for part in _parts([line.as_event() for line in run])]
    name = hashlib.sha256(b"\0".join((key.encode(), kind.encode(), body))).hexdigest() if key else ""
    return [
        Chunk(_id(name, number), tab, 0, NO_LOAD, page, events) for number, ((tab, page), events) in enumerate(parts)
    ]


def _parts(events: list[Event]) -> Iterator[list[Event]]:
    """Divide events, so that no chunk keeps the extension's waiting for long."""
    part: list[Event] = []
    size = 0
    for event in events:
        size += len(msgspec.json.encode(event))
        if part and size > CHUNK_BYTES:
            yield part
            part, size = [], len(msgspec.json.encode(event))
        part.append(event)
    yield part


def _id(name: str, number: int) -> str:
    return hashlib.sha256(f"{name}\0{number}".encode()).hexdigest()[:32] if name else secrets.token_hex(16)


def _entries(kind: type[Line], body: bytes) -> list[Line]:
    if body.lstrip().startswith(b"["):
        return _array(kind, body)
    lines = [(number, line) for number, line in enumerate(body.splitlines(), 1) if line.strip()]
    _check_count(len(lines))
    return [_read(kind, line, number) for number, line in lines]


def _array(kind: type[Line], body: bytes) -> list[Line]:
    """Read an array at once: what holds millions of numbers ends at the first, and costs no memory."""
    try:
        return _ARRAYS[kind](body)
    except FAULTS as fault:
        text = str(fault)
        if at := PLACE.search(text):
            raise LineError(f"Entry {int(at[1]) + 1}: {PLACE.sub('$', text)}.") from None
        raise LineError(f"The body is no JSON array: {text}.") from None


def _check_count(count: int) -> None:
    if count > ENTRIES_MAX:
        raise LineError(f"A body may have {ENTRIES_MAX} entries; this one has {count}.")


def _read(kind: type[Line], line: bytes, number: int) -> Line:
    try:
        return msgspec.json.decode(line, type=kind)
    except FAULTS as fault:
        raise LineError(f"Entry {number}: {fault}.") from None


def _named(line: Line) -> Event:
    """Give the entry as the seed writes it, without what is not set and without its tab."""
    event: Event = msgspec.to_builtins(line)
    event.pop("tabId", None)
    return event
