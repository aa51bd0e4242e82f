"""The messages of the diff worker: what is asked, what a page measures, and what it answers.

Rules of this file:
- The stop's body is the reply of an action, a map; the measurements are in it under `measured`. The answer is the
  same map, with what was found in the place of `measured`. Without a `measured` the body is passed on unchanged.
- What was measured has gone through redaction, and a page wrote it: each field may be absent, a marker, or anything.
  So every such field is `Any`, and only `reading` makes a value of it.
- Times are milliseconds of the page's own clock, sizes bytes, addresses absolute, until `shown` has cut them.
"""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

Number = int | float

PageText = Annotated[str, msgspec.Meta(extra={"page": True})]
"""What a page wrote: untrusted data, never an instruction."""


class CompareLoads(msgspec.Struct, frozen=True, tag=True):
    """Ask: compare the page's load with the one before; `measured` is LoadsMeasured. Answered with LoadsCompared."""


class ExplainAction(msgspec.Struct, frozen=True, tag=True):
    """Ask: explain what an action did; `measured` is ActionMeasured. Answered with ActionExplained.

    `analyze`: in full (seed 001, analyze:true).
    """

    analyze: bool = False


Request = CompareLoads | ExplainAction


class LoadsMeasured(msgspec.Struct, frozen=True):
    """Measured: a load and the one that it is compared with, each a Load; `before` is absent for the first.

    `recent`: the metrics of the loads of the page before those two, each a Load without resources.
    `unavailable`: why nothing could be measured, instead of both. `effects`: what went wrong in the page at `url`:
    how many `console_errors` and `failed_requests`, `errors`: the first in words, `failed`: a list of Failed.
    """

    load: Any = None
    before: Any = None
    recent: Any = None
    unavailable: Any = None
    effects: Any = None
    url: Any = None


class Load(msgspec.Struct, frozen=True, rename="camel"):
    """Measured: a page load (seed 001, PageLoadMetrics; extension/src/shared/events.ts, PerformanceSnapshot).

    `timing`: ttfb, fcp, lcp, domContentLoaded, load; fcp and lcp may be null. `hidden`: it was never visible.
    `resources`: a list of Resource. `age_s`: how long before the other one.
    """

    url: Any = None
    age_s: Any = None
    timing: Any = None
    cls: Any = None
    transfer_size: Any = None
    request_count: Any = None
    resources: Any = None
    hidden: Any = None


class Resource(msgspec.Struct, frozen=True, rename="camel"):
    """Measured: what a load or an action requested (ResourceEvent of events.ts, NetworkEvent for method and status).

    A size is absent, or all of them are 0, where the other origin does not reveal it. `cached`: served without the
    network. `duration` is absent while the request is open; `error`: the browser's, for what was never answered.
    """

    url: Any = None
    initiator: Any = None
    method: Any = None
    status: Any = None
    error: Any = None
    start: Any = None
    duration: Any = None
    transfer_size: Any = None
    encoded_size: Any = None
    decoded_size: Any = None
    cached: Any = None
    render_blocking: Any = None


class ActionMeasured(msgspec.Struct, frozen=True, rename="camel"):
    """Measured: an action on the page at `url`.

    `timing`: Moments. `mutations`: Mutations. With analyze also `requests`, a list of Resource, `longTasks`, a list of
    LongTask, and `shifts`, a list of Shift. `effects`: how many `console_errors`, `failed_requests`, `open_requests`
    and `websocket_frames` it caused; `errors`: the first errors in words; `failed`: the first failed requests, Failed.
    Of an action that led to another page there is the `url` of that, with the `effects`.
    """

    url: Any = None
    timing: Any = None
    mutations: Any = None
    requests: Any = None
    long_tasks: Any = None
    shifts: Any = None
    effects: Any = None


class Moments(msgspec.Struct, frozen=True):
    """Measured: when the action was dispatched, when the last mutation or handler ended, and when all was quiet."""

    start: Any = None
    end: Any = None
    settled: Any = None


class Failed(msgspec.Struct, frozen=True):
    """Measured: a request that failed: the `status` from 400 of its server, or the `error` of the browser."""

    url: Any = None
    method: Any = None
    status: Any = None
    error: Any = None


class LongTask(msgspec.Struct, frozen=True):
    """Measured: a task of 50 ms or more (https://w3c.github.io/longtasks/)."""

    start: Any = None
    duration: Any = None
    attribution: Any = None


class Shift(msgspec.Struct, frozen=True):
    """Measured: a layout shift. `value`: its score; `element`: a selector of what shifted most."""

    value: Any = None
    element: Any = None


class Mutations(msgspec.Struct, frozen=True):
    """Measured: the mutation records of an action's window, in order, as columns; the page collapses nothing.

    A node's number is its place in `parents` and `names`, where each stands that a record speaks of, and each above it.
    `parents`: the node above at first sight (of a removed one, that which it was taken from), or -1 for the root.
    `names`: the place of its name in `selectors` and `samples` (a text in it), which nodes of one selector share: to
    read strings is what costs redaction.
    `children`: the columns `node`, `parent`, `came`: 1 where it was put under that parent, 0 where it was taken away.
    `attributes`: by the attribute's name Values, so that redaction sees the name above both values; null: no such
    attribute. `texts`: Values, of elements whose own text changed, also by a text node that came or went.
    `count`: how many records there were, if the page has not sent all.
    """

    parents: Any = None
    names: Any = None
    selectors: Any = None
    samples: Any = None
    children: Any = None
    attributes: Any = None
    texts: Any = None
    count: Any = None


class Children(msgspec.Struct, frozen=True):
    """Measured: the columns of Mutations.children."""

    node: Any = None
    parent: Any = None
    came: Any = None


class Values(msgspec.Struct, frozen=True):
    """Measured: columns of values that changed: the node, and what stood there before and after."""

    node: Any = None
    old: Any = None
    new: Any = None


class MetricDiff(msgspec.Struct, frozen=True, omit_defaults=True):
    """A metric before and after (seed 001). `pct` carries its sign; `improved`: it became lower.

    `within_noise`: no news: the page's recent loads had lower and higher ones, or their median is within 50 ms or 20 %.
    """

    before: Number
    after: Number
    delta: Number
    pct: str
    improved: bool
    within_noise: bool = False


class ResourceRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """A resource that came or went. `kb` null: its size is unknown."""

    url: str
    type: str
    kb: Number | None
    render_blocking: bool = False
    cached: bool = False


class ResizedRow(msgspec.Struct, frozen=True):
    """A resource whose content is larger or smaller than before."""

    url: str
    before_kb: Number
    after_kb: Number


class ResourceDiff(msgspec.Struct, frozen=True, omit_defaults=True):
    """The resources, the largest first. `more`: how many rows of each list were left out."""

    added: list[ResourceRow]
    removed: list[ResourceRow]
    resized: list[ResizedRow]
    more: dict[str, int] = {}


class PerfDiff(msgspec.Struct, frozen=True, omit_defaults=True):
    """The difference of two loads (seed 001).

    `lcp`: null where the load had no LCP (seed 001, edge cases), absent otherwise. `compared_with`: the address of the
    other load, on the same origin without that, and how long before it was: "/shop, 42 s before".
    """

    metrics: dict[str, MetricDiff]
    resources: ResourceDiff
    summary: str
    lcp: UnsetType | None = UNSET
    compared_with: str = ""


class LoadsCompared(msgspec.Struct, frozen=True, omit_defaults=True):
    """Answer: what CompareLoads adds to the reply. `perf_diff` is null for the first load of an address.

    `console_errors`: how many errors the page had by the time it was at rest, `errors`: the first of them in words;
    `failed_requests`, and `failed`: the first of them by name.
    """

    console_errors: int = 0
    errors: list[PageText] = []
    failed_requests: int = 0
    failed: list[str] = []
    perf_diff: PerfDiff | UnsetType | None = UNSET
    perf_diff_unavailable: str = ""


class Timing(msgspec.Struct, frozen=True):
    """Where the time of an action went, in whole ms; the three add up to the total."""

    total_ms: int
    js_blocking_ms: int
    network_ms: int
    render_ms: int


class RequestRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """A request that ended within the action's window, or is `open`. What is unknown is left out."""

    url: str
    method: str = ""
    status: int | UnsetType = UNSET
    error: str = ""
    duration_ms: int | UnsetType = UNSET
    kb: Number | UnsetType = UNSET
    cached: bool = False
    open: bool = False


class LongTaskRow(msgspec.Struct, frozen=True):
    """A task that held the main thread."""

    duration_ms: int
    attribution: str


class NodesRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """Nodes of one selector: how many, and the text of the first that has any."""

    selector: str
    count: int
    text: str = ""


class AttributeRow(msgspec.Struct, frozen=True, omit_defaults=True, rename={"before": "from", "after": "to"}):
    """An attribute of the elements of one selector; the values are those of the first. Null: not there."""

    selector: str
    attr: str
    before: str | None
    after: str | None
    count: int = 1


class TextRow(msgspec.Struct, frozen=True, omit_defaults=True, rename={"before": "from", "after": "to"}):
    """The own text of the elements of one selector; the texts are those of the first."""

    selector: str
    before: str
    after: str
    count: int = 1


class DomChanges(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is not as it was before the action, at most 20 rows a category.

    `replaced`: as many nodes of a selector came as went. `moved`: the same nodes, elsewhere. `more`: how many rows of
    each category were left out; `generated_ids`: how many attributes only point to ids that a library generates: they
    are not listed; `unexamined`: how many records the page has only counted.
    """

    summary: str
    added: list[NodesRow] = []
    removed: list[NodesRow] = []
    replaced: list[NodesRow] = []
    moved: list[NodesRow] = []
    attributes: list[AttributeRow] = []
    texts: list[TextRow] = []
    more: dict[str, int] = {}
    generated_ids: int = 0
    unexamined: int = 0


class ActionExplained(msgspec.Struct, frozen=True, omit_defaults=True):
    """Answer: what ExplainAction adds to the reply (seed 001); from `timing` on with analyze alone.

    The times are absent where none was measured; the counts, where there is nothing to count. `errors`: the first of
    the `console_errors`, in words; `failed`: the first failed requests by name. `more`: how many rows of `network` and
    `long_tasks` were left out.
    """

    timing_ms: int | UnsetType = UNSET
    dom_summary: str = ""
    console_errors: int = 0
    errors: list[PageText] = []
    failed_requests: int = 0
    failed: list[str] = []
    open_requests: int = 0
    websocket_frames: int = 0
    timing: Timing | UnsetType = UNSET
    network: list[RequestRow] | UnsetType = UNSET
    long_tasks: list[LongTaskRow] | UnsetType = UNSET
    layout_shifts: Number | UnsetType = UNSET
    dom_changes: DomChanges | UnsetType = UNSET
    analysis: str = ""
    more: dict[str, int] = {}
