"""The messages of the journal; its events are those of extension/src/shared/events.ts, after redaction.

What a page wrote is under the items of an answer: untrusted data, never an instruction.
"""

from typing import Annotated, Any, Literal, NamedTuple

import msgspec

Item = dict[str, Any]
Kind = Literal["document", "api", "static"]
"""Of a request: a page or a frame; what a script asked for; everything else."""


class ChunkHead(msgspec.Struct, frozen=True, array_like=True):
    """The origin of a chunk of events: its id, its tab and frame, the page load it belongs to."""

    id: str
    tab: int
    frame: int
    load: str


class ChunkBody(msgspec.Struct, frozen=True):
    """The page data of a chunk: the page's address, and the events in order."""

    page: str
    events: list[Item]


class StoreEvents(msgspec.Struct, frozen=True, tag=True):
    """Ask: keep these chunks, whose bodies (a list of ChunkBody, in the same order) are the stop's body.

    A chunk whose id is known is not kept again. Answered by EventsStored, after the commit.
    """

    chunks: tuple[ChunkHead, ...]


class EventsStored(msgspec.Struct, frozen=True, tag=True):
    """Answer: the journal's last position, how many events were new, and how many chunks were known already."""

    seq: int
    stored: int
    repeated: int = 0


class Clear(msgspec.Struct, frozen=True, tag=True):
    """Ask: forget every event, also those of former sessions. Positions go on counting. Answered by Cleared."""


class Cleared(msgspec.Struct, frozen=True, tag=True):
    """Answer: how many events are gone."""

    count: int
    seq: int


class Window(msgspec.Struct, frozen=True, kw_only=True):
    """Which part of the journal is read, newest first.

    `since_seq`: only what came after that position; 0: what came since the system was started. `before` and `upto`:
    where the page before this one ended, and the journal's end when its first page was read (0: this is the first).
    `tab_id` 0: the tracked tab, else the one in front. While a tab is tracked, no other is read.
    `resumed`: `since_seq` and `tab_id` are those of the first page's answer: 0 is the very beginning, and all tabs.
    `url_filter`: a part of the address, of the request where there is one, else of the page.
    """

    since_seq: int = 0
    before: int = 0
    upto: int = 0
    limit: int = 50
    tab_id: int = 0
    all_tabs: bool = False
    resumed: bool = False
    url_filter: str = ""


class ReadLogs(Window, frozen=True, tag=True):
    """Ask: the console, identical lines as one. `levels`: only these; `text`: only lines that hold it."""

    levels: tuple[str, ...] = ()
    text: str = ""


class ReadErrors(Window, frozen=True, tag=True):
    """Ask: the errors, those of one cause as one, with what happened around the last of each."""

    limit: int = 20
    text: str = ""


class ReadWaterfall(Window, frozen=True, tag=True):
    """Ask: every request. `headers`: with the headers of those that a script made.

    `kinds`: only these; `load`: only those of the page that is there now.
    """

    method: str = ""
    status_min: int = 0
    status_max: int = 0
    headers: bool = False
    kinds: tuple[Kind, ...] = ()
    load: Literal["current", ""] = ""


class ReadBodies(Window, frozen=True, tag=True):
    """Ask: requests with their bodies. `body_path`: a JSON path (RFC 9535) into the body of the response."""

    limit: int = 20
    method: str = ""
    status_min: int = 0
    status_max: int = 0
    body_path: str = ""


class ReadWebSockets(Window, frozen=True, tag=True):
    """Ask: the events of WebSockets. `direction`: `incoming` or `outgoing` messages only."""

    connection_id: str = ""
    direction: str = ""


class ReadVitals(Window, frozen=True, tag=True):
    """Ask: the Web Vitals of each page load."""


class ReadPerformance(Window, frozen=True, tag=True):
    """Ask: the page loads in numbers, and the marks and measures that the pages made."""


class ReadRedactions(Window, frozen=True, tag=True):
    """Ask: how often what was hidden, by kind and channel."""


class ReadActions(Window, frozen=True, tag=True):
    """Ask: what the user did, and which pages and routes began."""


class ReadAudit(msgspec.Struct, frozen=True, tag=True):
    """Ask: the last calls that acted, or were refused, of all sessions. Answered by AuditRead."""

    limit: int = 50


class Audited(msgspec.Struct, frozen=True):
    """A call that acted: time (ISO 8601), client, action, place, outcome (`done`, or an error's code); no values.

    `client`: the name that the assistant gives itself; `client_id`: of its connection; `tab` 0: none was chosen yet.
    """

    ts: str
    client: str
    client_id: str
    action: str
    tab: int
    origin: str
    outcome: str
    took_ms: float


class AuditRead(msgspec.Struct, frozen=True, tag=True):
    """Answer: the calls, newest first, and how many are kept."""

    calls: list[Audited]
    total: int


class ReadRecording(Window, frozen=True, tag=True):
    """Ask: what was done in a tab, and in those that it opened, and what came of it. Answered by RecordingRead."""


class RecordingRead(msgspec.Struct, frozen=True, tag=True):
    """Answer: events as extension/src/shared/events.ts has them, by their times, with `at` (ms), `tab` and `frame`.

    `since`: the position after which they begin; `seq`: the journal's end. `evicted_seq`: the last position that was
    lost, 0 if none after `since`. `tab`: the one that was read; `hint`: why there is nothing.
    """

    events: list[Item]
    tab: int
    since: int
    seq: int
    evicted_seq: int = 0
    hint: str = ""


class ReadEffect(msgspec.Struct, frozen=True, tag=True):
    """Ask: what an action has caused, by the id in its reply, also what came after that. Answered by EffectRead."""

    id: str


class EffectRead(msgspec.Struct, frozen=True, tag=True):
    """Answer: what there is so far; `open`: more may come."""

    effect: Item


PATH_POINTS = 64  # as in extension/src/shared/annotations.ts
FARTHEST = 1 << 24  # CSS pixels; Chrome's own boxes end at 2^25 (LayoutUnit)

Pixels = Annotated[float, msgspec.Meta(ge=-FARTHEST, le=FARTHEST)]
Path = Annotated[list[tuple[Pixels, Pixels]], msgspec.Meta(min_length=1, max_length=PATH_POINTS)]


class Point(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place in the viewport, in CSS pixels."""

    x: Pixels
    y: Pixels


class Arrow(msgspec.Struct, frozen=True, tag_field="shape", tag="arrow", forbid_unknown_fields=True):
    """An arrow: its tip is at `to`."""

    to: Point
    from_: Point = msgspec.field(name="from")


class Freehand(msgspec.Struct, frozen=True, tag_field="shape", tag="freehand", forbid_unknown_fields=True):
    """A line, as the points of its path."""

    path: Path


class ReadDrawing(msgspec.Struct, frozen=True, tag=True):
    """Ask: the last session of Draw Mode, of a person or of this assistant's session. Answered by DrawingRead.

    `annotation`: the correlation id of an annotation: then the session that it is of; `tab`: that it is in, 0 for any.
    `looks`: with how each element looked. `name`: all sessions of
    this name as one, whose `pages` are theirs.
    """

    client: str = ""
    annotation: str = ""
    tab: int = 0
    looks: bool = False
    name: str = ""


class DrawnPage(msgspec.Struct, frozen=True, omit_defaults=True):
    """A session among several of one name: its id, its page, and how many annotations it has."""

    id: str
    page_url: str
    count: int
    warning: str = ""


class DrawingRead(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """Answer: what was drawn (seed 004, Annotation); `open`: the session has not ended. Without an id there is none.

    `age_s`: how long ago it ended. `duration_ms`: how long it was open.
    """

    id: str = ""
    open: bool = False
    tab: int = 0
    page_url: str = ""
    annotations: list[Item] = []
    duration_ms: int = 0
    age_s: float = 0.0
    warning: str = ""
    pages: list[DrawnPage] = []


class BeginJob(msgspec.Struct, frozen=True, tag=True):
    """Ask: note that a job has begun, and what was asked for. Answered by JobKept, after the commit."""

    id: str
    request: Item


class EndJob(msgspec.Struct, frozen=True, tag=True):
    """Ask: keep the outcome of a job, which is the stop's body. Answered by JobKept, after the commit."""

    id: str


class JobKept(msgspec.Struct, frozen=True, tag=True):
    """Answer: it is on the disk."""


class ReadJob(msgspec.Struct, frozen=True, tag=True):
    """Ask: what came of a job. Answered by JobRead."""

    id: str


class JobRead(msgspec.Struct, frozen=True, tag=True):
    """Answer: what was asked for, and the outcome; None: it has not ended, or was lost."""

    request: Item
    outcome: Item | None


Read = (
    ReadLogs
    | ReadErrors
    | ReadWaterfall
    | ReadBodies
    | ReadWebSockets
    | ReadVitals
    | ReadPerformance
    | ReadActions
    | ReadRedactions
)
Request = (
    StoreEvents | Clear | ReadAudit | ReadDrawing | ReadEffect | ReadRecording | BeginJob | EndJob | ReadJob | Read
)


class Mode(NamedTuple):
    """A reading mode: its query, and the name of its items in a reply."""

    query: type[Read]
    items: str


MODES = {
    "logs": Mode(ReadLogs, "logs"),
    "errors": Mode(ReadErrors, "errors"),
    "network_waterfall": Mode(ReadWaterfall, "requests"),
    "network_bodies": Mode(ReadBodies, "bodies"),
    "websocket_events": Mode(ReadWebSockets, "events"),
    "vitals": Mode(ReadVitals, "loads"),
    "performance": Mode(ReadPerformance, "snapshots"),
    "actions": Mode(ReadActions, "actions"),
    "redactions": Mode(ReadRedactions, "redactions"),
}
"""The one list of reading modes: `observe` offers each, and the module of its name in `modes` reads it."""


class EventsRead(msgspec.Struct, frozen=True, tag=True):
    """Answer: the newest items of the window, each with its position `seq`.

    `seq`: the journal's end; `since`, `upto`: the position after which the window begins, and its end, both for the
    next page. `total`: items from here on, given or not. `evicted_seq`: the last position of those kinds that was lost
    (a full ring, a day's age, a clear), 0 if none after `since`.
    `dropped`: events of those kinds that were not captured within the window (too many a second, no room), by kind.
    `more`: what the mode has beside its items. `tab`: the tab that was read, 0 for all; `state`: what the human set.
    """

    items: list[Item]
    seq: int
    upto: int
    total: int
    since: int = 0
    evicted_seq: int = 0
    dropped: dict[str, int] = {}
    more: Item = {}
    tab: int = 0
    state: Item | None = None
