"""The shapes of what the journal's replies hold: for the reference and its tests alone; it decides nothing.

What a page wrote is marked `PageText`: untrusted data, never an instruction.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from gasoline_bridge.chrome.messages import AnnotatedDescribed, Number, PageText, SavedFile
from gasoline_workers.regression import messages as regression

Ts = str  # ISO 8601, UTC, with milliseconds


class Omitted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What found no room, or is beyond `limit`."""

    count: int
    cursor: str


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Of every item: its position, when it began, and what was cut to fit the budget."""

    seq: int
    ts: Ts
    truncated: bool = False
    cut: list[str] = []


class Item(Entry, frozen=True, kw_only=True):
    """Of most items: the tab, with `all_tabs`."""

    tab: int = 0


class Log(Item, frozen=True, kw_only=True):
    """A line of the console; `count`: how often, `ts` and `seq` then being the last one's; `page`: if another."""

    level: Literal["debug", "log", "info", "warn", "error"]
    text: PageText
    page: PageText = ""
    count: int = 1
    method: str = ""
    source: PageText = ""
    stack: PageText = ""


class Around(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What happened from 3 s before an error to 1 s after it, in its tab."""

    seq: int
    ts: Ts
    type: Literal["console", "network", "resource", "navigation", "action"]
    text: PageText


class Error(Item, frozen=True, kw_only=True):
    """Errors of one cause; `target`: what could not be loaded, or was blocked; `directive`: of the policy."""

    kind: Literal["error", "rejection", "resource", "csp"]
    message: PageText
    name: PageText = ""
    count: int = 1
    first_ts: Ts = ""
    source: PageText = ""
    stack: PageText = ""
    target: PageText = ""
    tag: PageText = ""
    directive: PageText = ""
    report_only: bool = False
    page: PageText = ""
    around: list[Around] = []


class Request(Item, frozen=True, kw_only=True):
    """A request. `type`: what asked for it; times in ms; `kb`: transferred; `status` 0: there was no answer.

    `open`: it has none yet, since `age_ms`. `failed`: by its `status`, or by its `error`.
    """

    url: PageText
    method: str = ""
    open: bool = False
    age_ms: Number = 0
    failed: bool = False
    status: int = 0
    type: str = ""
    start: Number = 0
    duration: Number = 0
    ttfb: Number = 0
    kb: Number = 0
    cached: bool = False
    protocol: str = ""
    render_blocking: bool = False
    error: PageText = ""
    request_headers: dict[PageText, PageText] = {}
    response_headers: dict[PageText, PageText] = {}


class Body(Item, frozen=True, kw_only=True):
    """A request with its bodies (seed 002); `value` or `path_error` instead of `responseBody` with `body_path`."""

    type: Literal["network_body"]
    method: str
    url: PageText
    status: int
    requestBody: PageText | None = None  # noqa: N815 - the seed's own name, as those below
    responseBody: PageText | None = None  # noqa: N815 - the same
    contentType: PageText | None = None  # noqa: N815 - the same
    duration: Number = 0
    requestHeaders: dict[PageText, PageText] = {}  # noqa: N815 - the same
    responseHeaders: dict[PageText, PageText] = {}  # noqa: N815 - the same
    value: Annotated[Any, msgspec.Meta(extra={"page": True})] = None
    path_error: str = ""


class SocketEvent(Entry, frozen=True, kw_only=True):
    """An event of a WebSocket (seed 002); `id`: of the connection, `size` in bytes; `decoded`: of a binary message.

    `tabId`: where it opens, and with `all_tabs`.
    """

    type: Literal["websocket"]
    event: Literal["open", "message", "close", "error"]
    id: PageText
    url: PageText = ""
    tabId: int = 0  # noqa: N815 - the seed's own name
    direction: str = ""
    data: PageText = ""
    format: Literal["json", "jupyter", "text", "msgpack", ""] = ""
    decoded: PageText = ""
    size: int = 0
    code: int = 0
    reason: PageText = ""


class Vital(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Web Vital: ms, or a score (CLS), and what caused it."""

    value: Number
    rating: Literal["good", "needs-improvement", "poor"]
    element: PageText = ""
    interaction: str = ""


class Load(Item, frozen=True, kw_only=True):
    """The vitals of a page load."""

    url: PageText
    LCP: Vital | None = None
    CLS: Vital | None = None
    INP: Vital | None = None
    FCP: Vital | None = None
    TTFB: Vital | None = None


class Timing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Milliseconds since the navigation; null where nothing was painted."""

    ttfb: Number
    fcp: Number | None
    lcp: Number | None
    domContentLoaded: Number  # noqa: N815 - seed 001's own name
    load: Number


class Snapshot(Item, frozen=True, kw_only=True):
    """A page load in numbers (seed 001, PageLoadMetrics); `transferSize` in bytes, `totalBlockingTime` in ms."""

    url: PageText
    navigation: str
    timing: Timing
    cls: Number
    transferSize: Number  # noqa: N815 - seed 001's own names
    requestCount: int  # noqa: N815 - the same
    longTaskCount: int  # noqa: N815 - the same
    totalBlockingTime: Number  # noqa: N815 - the same
    hidden: bool = False


class Mark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mark (seed 001), ms since the navigation."""

    name: PageText
    time: Number


class Measure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A measure (seed 001), in ms."""

    name: PageText
    duration: Number
    start: Number


class UserTiming(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the page itself has marked and measured in the newest load."""

    marks: list[Mark]
    measures: list[Measure]
    omitted: int = 0


class Action(Item, frozen=True, kw_only=True):
    """What the user did, or (`navigation`) which page or route began."""

    action: str = ""
    selector: PageText = ""
    tag: PageText = ""
    text: PageText = ""
    value: PageText = ""
    key: str = ""
    x: Number = 0
    y: Number = 0
    navigation: str = ""
    url: PageText = ""
    from_: PageText = msgspec.field(name="from", default="")


class Window(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Of every reply from the journal.

    `seq`: the journal's end, for since_seq; `tab`: the one that was read; `dropped`: not captured, too many a second;
    `evicted_through`: what came before was new to you, and is gone.
    """

    seq: int
    tab: int = 0
    dropped: dict[str, int] = {}
    evicted_through: int = 0
    hint: str = ""
    omitted: Omitted | None = None


class Rows(Window, frozen=True, kw_only=True):
    """Of a list of rows, without `verbose`: `columns` names the values of a row; `same`: what all rows have.

    `ms` of a row is since `first_ts`; an address that begins with `/` is below `origin`. `status` 200, `method` GET,
    `level` log, `kind` error and `event` message are left out, and `source` and `stack` of a line that is no error.
    """

    columns: list[str] = []
    first_ts: Ts = ""
    origin: PageText = ""
    same: dict[str, Any] = {}


class LogsReply(Rows, frozen=True):
    """Reply of `logs`. `page`: of the newest line."""

    logs: list[Log]
    page: PageText = ""


class ErrorsReply(Rows, frozen=True):
    """Reply of `errors`."""

    errors: list[Error]


class RequestsReply(Rows, frozen=True):
    """Reply of `network_waterfall`."""

    requests: list[Request]


class BodiesReply(Window, frozen=True):
    """Reply of `network_bodies`, and of get_network_bodies."""

    bodies: list[Body]


class SocketsReply(Rows, frozen=True):
    """Reply of `websocket_events`, and of get_websocket_events."""

    events: list[SocketEvent]


class Redaction(Item, frozen=True, kw_only=True):
    """What was hidden in a channel, by `kind`: how often; `secrets`: how many of those with a handle."""

    channel: str
    kind: str
    count: int
    secrets: int = 0


class RedactionsReply(Window, frozen=True):
    """Reply of `redactions`."""

    redactions: list[Redaction]


class VitalsReply(Window, frozen=True):
    """Reply of `vitals`."""

    loads: list[Load]


class PerformanceReply(Window, frozen=True):
    """Reply of `performance`."""

    snapshots: list[Snapshot]
    user_timing: UserTiming | None = None


class ActionsReply(Rows, frozen=True):
    """Reply of `actions`."""

    actions: list[Action]


class EffectRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request. `kind`: what wanted it; without `duration_ms` it has not ended.

    `seen_before`: how often the page made it in the 30 s before the action (a poll, perhaps).
    """

    url: PageText
    after_ms: Number
    method: str = ""
    kind: str = ""
    status: int = 0
    duration_ms: Number = 0
    error: PageText = ""
    seen_before: int = 0


class EffectLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Lines of the console that are the same; `after_ms`: of the last."""

    after_ms: Number
    level: str
    text: PageText
    source: PageText = ""
    count: int = 1


class EffectError(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Errors of one cause; `after_ms`: of the last."""

    after_ms: Number
    message: PageText
    kind: str = ""
    name: PageText = ""
    source: PageText = ""
    target: PageText = ""
    count: int = 1


class EffectRoute(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page or a route that began."""

    after_ms: Number
    navigation: str
    url: PageText
    from_: PageText = msgspec.field(name="from", default="")


class EffectFrame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A message of a WebSocket, its text cut; of a binary one, what was decoded."""

    after_ms: Number
    direction: str
    data: PageText


class EffectSocket(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The messages of a connection: how many of each direction, and the last ones. `opened`, `closed`: it was, then."""

    id: PageText
    url: PageText = ""
    sent: int = 0
    received: int = 0
    opened: bool = False
    closed: bool = False
    frames: list[EffectFrame] = []


class EffectStorage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Names under which the page stores something. `late`: after the reply; `omitted`: so many more names."""

    area: Literal["localStorage", "sessionStorage", "cookie"]
    change: Literal["set", "changed", "removed"]
    names: list[PageText]
    omitted: int = 0
    late: bool = False


class LateDom(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What changed in the page after the reply, from when to when, and where first; `cut`: there was more."""

    summary: str
    first_ms: Number
    last_ms: Number
    places: list[PageText] = []
    cut: bool = False


class EffectReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an action caused, newest first; times in ms since it began: beyond `settled_ms` is after its reply.

    `opened_tabs`, `blocked`: tabs and windows that it opened, and what Chrome did not do for the page, also late.
    `open`: more may come; else it was followed for `window_ms`. What the page does by itself meanwhile is among it.
    """

    effect: str
    action: str
    tab: int
    ts: Ts
    settled_ms: Number
    open: bool = False
    window_ms: Number = 0
    requests: list[EffectRequest] = []
    requests_omitted: int = 0
    console: list[EffectLine] = []
    errors: list[EffectError] = []
    routes: list[EffectRoute] = []
    websockets: list[EffectSocket] = []
    storage: list[EffectStorage] = []
    downloads: list[SavedFile] = []
    opened_tabs: list[int] = []
    blocked: list[PageText] = []
    late_dom: LateDom | None = None
    hint: str = ""
    omitted: Omitted | None = None


class Cleared(msgspec.Struct, frozen=True):
    """Reply of `clear`."""

    success: bool
    cleared: int
    seq: int


class Saved(msgspec.Struct, frozen=True):
    """Reply of `sarif`: the file, and how many rules and results it has."""

    path: str
    bytes: int
    rules: int
    results: int


class ArchiveSaved(msgspec.Struct, frozen=True):
    """Reply of `har`: the file, and how many requests and page loads it has."""

    path: str
    bytes: int
    requests: int
    pages: int


class LeftOut(msgspec.Struct, frozen=True):
    """What was done and is no step of a test, with the reason, and how often."""

    what: str
    count: int


class TestSaved(msgspec.Struct, frozen=True, omit_defaults=True):
    """Reply of `test` and `reproduction`: the file, and how many steps it has.

    `environment`: the variables that it needs: for secrets, files and long texts, which stand in no file. `left_out`:
    also a comment at its place in the file. `error`: of a reproduction, the one that it leads to.
    """

    path: str
    bytes: int
    steps: int
    environment: list[str] = []
    left_out: list[LeftOut] = []
    error: str = ""
    hint: str = ""


class ReportSaved(msgspec.Struct, frozen=True, omit_defaults=True):
    """Reply of `report`: the page, and how many actions, faults, pictures and findings it shows."""

    path: str
    bytes: int
    actions: int
    faults: int
    pictures: int
    findings: int
    hint: str = ""


class Pending(msgspec.Struct, frozen=True, omit_defaults=True):
    """Reply while an analysis runs on, its `status` being pending; `correlation_id` is for analyze_result.

    `stage`: how far one is that loads the page again and again.
    """

    correlation_id: str = ""
    stage: str = ""


class RegressionReply(Pending, frozen=True, omit_defaults=True, kw_only=True):
    """Reply about a baseline that was made, compared with, listed or deleted.

    `truncated`: the budget has no room for the comparison. Compared with a page of `against`, `baseline` is about that.
    """

    status: Literal["success", "partial", "pending", ""] = ""
    action: Literal["regression", ""] = ""
    scope: Literal["baseline", "compare", "visual", ""] = ""
    duration_ms: Number = 0
    url: PageText = ""
    verdict: regression.Verdict | Literal[""] = ""
    summary: PageText = ""
    baseline: regression.Baseline | UnsetType = UNSET
    replaced: bool = False
    comparison: regression.Comparison | UnsetType = UNSET
    picture: regression.PictureCompared | UnsetType = UNSET
    warnings: list[PageText] = []
    truncated: bool = False
    baselines: list[regression.Baseline] = []
    success: bool = False
    name: PageText = ""


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rectangle of the viewport, in CSS pixels."""

    x: float
    y: float
    width: float
    height: float


class Spot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A point of the viewport, in CSS pixels."""

    x: float
    y: float


class Annotation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a person has drawn and written (seed 004); `rect` when it was drawn, `timestamp` in ms since the epoch.

    `shape`: absent for a rectangle; an arrow's tip is at `to`, a freehand line has a `path` of [x, y]; `rect` is around
    it. `selector`, `element_summary`: of the element that is meant; `correlation_id`: for annotation_detail.
    """

    id: str
    rect: Place
    text: PageText
    kind: Literal["bug", "suggestion", "question"]
    timestamp: int
    page_url: PageText
    correlation_id: str
    shape: Literal["arrow", "freehand"] | None = None
    from_: Spot | None = msgspec.field(name="from", default=None)
    to: Spot | None = None
    path: list[list[float]] = []
    element_summary: PageText = ""
    selector: PageText = ""
    status: Literal["open", "acknowledged", "resolved", "dismissed", ""] = ""
    reply: str = ""


class Verdict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What became of an annotation's element; each difference is what it was and what it is.

    `size`: width and height; `moved`: px right and down; `picture`: the part of its pixels that differ, `not
    compared` of what was out of sight then or is now. `unknown`: there is nothing to compare with, and
    `reason` states why. `hovered`, `focused`: was it then,
    and is it now, where that may be the cause.
    """

    correlation_id: str
    text: PageText
    verdict: Literal["changed", "unchanged", "gone", "unknown"]
    styles: dict[str, list[PageText]] = {}
    tag: list[str] = []
    text_content: list[PageText] = []
    size: list[list[float]] = []
    moved: list[float] = []
    picture: float | Literal["not compared"] = 0
    reason: str = ""
    hovered: list[bool] = []
    focused: list[bool] = []


class DrawnPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A page of several that were drawn on under one name; `image`: which of the reply's images is its picture."""

    page_url: PageText
    count: int
    warning: str = ""
    screenshot_path: str = ""
    screenshot_failed: str = ""
    image: int = 0


class AnnotationsReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The annotations of the last session of Draw Mode. `duration_ms`: how long it was open.

    `status` `waiting`: the person still draws, `resume` is the call that waits on; `timeout`: the person forgot it, and
    these are the annotations until then. `warning` `page_navigated`: the page was left in the middle.
    `screenshot_path`: the picture of the page with what was drawn, which comes as image content too; without it
    `screenshot_failed` states why. With `verify` it has `verdicts` in the place of `annotations`, and the picture shows
    what differs, then and now; `pictures_unavailable` states why none were compared.
    """

    status: Literal["success", "waiting", "timeout"]
    count: int = 0
    annotations: list[Annotation] = []
    verdicts: list[Verdict] = []
    pictures_unavailable: PageText = ""
    pages: list[DrawnPage] = []
    page_url: PageText = ""
    duration_ms: int = 0
    tab_id: int = 0
    screenshot_path: str = ""
    screenshot_failed: str = ""
    warning: str = ""
    message: str = ""
    hint: str = ""
    resume: str = ""
    correlation_id: str = ""
    omitted: Omitted | None = None


class AnnotationDetail(AnnotatedDescribed, frozen=True, tag=None, kw_only=True, omit_defaults=True):
    """The element of an annotation as it is now. `warning` `element_changed`: `element_summary` is as it was drawn."""

    correlation_id: str
    element_summary: PageText = ""
    warning: str = ""


class StepFailed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The error of a batch's step."""

    code: str
    message: PageText
    details: dict[str, Any] = {}
    recovery: str = ""


class BatchReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the steps of a batch answered, each without what repeats; `failed_at`: the step that failed, from 0."""

    success: bool
    action: Literal["batch"]
    steps: list[dict[str, Any]]
    seq: int = 0
    journal_unavailable: str = ""
    failed_at: int = 0
    error: StepFailed | None = None


class ScreenshotReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A picture that was taken; it comes as image content too, 1,568 px and 200 KB at most. `path`: as it was taken.

    `scale`: pixels for each of the page's, if not 1. `masked`: secret fields that were hidden in it. `reduced`: it was
    made smaller, to have 2 MB at most. `truncated`: the page goes on below. Also gasoline://screenshots/ID.
    """

    id: str
    path: str
    width: int
    height: int
    scale: Number = 1
    masked: int = 0
    reduced: bool = False
    truncated: bool = False


class KeptScreenshot(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A picture that is kept; `pinned`: something needs it, so neither age nor quota removes it."""

    id: str
    ts: Ts
    kind: Literal["viewport", "full_page", "element", "annotated", "unannotated", "comparison"]
    url: PageText
    title: PageText
    width: int
    height: int
    size_bytes: int
    pinned: bool = False


class ScreenshotsReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The pictures that are kept, newest first; how many, and the bytes of all."""

    screenshots: list[KeptScreenshot]
    count: int
    size_bytes: int
    omitted: Omitted | None = None


OBSERVED: dict[str, type[msgspec.Struct]] = {
    "logs": LogsReply,
    "errors": ErrorsReply,
    "network_waterfall": RequestsReply,
    "network_bodies": BodiesReply,
    "websocket_events": SocketsReply,
    "vitals": VitalsReply,
    "performance": PerformanceReply,
    "actions": ActionsReply,
    "redactions": RedactionsReply,
    "effects": EffectReply,
}
"""The replies of `observe` that are read from the journal, by mode."""
