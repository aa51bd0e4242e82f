"""The messages of the regression worker: baselines that are kept, and what has become worse since.

Rules of this file:
- The body of MakeBaseline, CompareBaseline and ComparePages is what the audit worker judged in the page that had
  settled (audit.messages.Judged); the loads are audit.messages.LoadRead.metrics of each.
- Nothing of a page is here that was not redacted.
- Fields that are empty are left out of an answer.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec

from gasoline_workers.audit.messages import Number, Severity

PageText = Annotated[str, msgspec.Meta(extra={"page": True})]
Verdict = Literal["regression_detected", "improved", "no_change", "inconclusive"]

LEAST_LOADS = 4
"""On a side; of fewer even the clearest difference has p = 0.05 (3 and 3: 1 of 20 orders)."""

MORE_LOADS = 5
"""Taken before a change of a time is claimed."""


EXPORT_FORMAT = 1
"""Of the files that `gasoline baseline export` writes."""

BAR_PX = 100
"""Chrome's bar about a debugger takes 40 px of the viewport's height, and comes and goes with it."""


def is_same_viewport(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return whether two viewports are as wide, and as high but for Chrome's bar."""
    return one[0] == other[0] and abs(one[1] - other[1]) <= BAR_PX


class Conditions(msgspec.Struct, frozen=True):
    """What loads were made with. `viewport`: width and height in CSS px; `version`: of Gasoline."""

    browser: str
    version: str
    viewport: tuple[int, int]
    scale: Number


def differences(before: Conditions, now: Conditions) -> Iterator[tuple[str, str]]:
    """Yield in what the conditions differ, and that in words."""
    if before.browser != now.browser:
        yield "browser", f"The baseline was made with {before.browser}; this is {now.browser}."
    if not is_same_viewport(before.viewport, now.viewport) or before.scale != now.scale:
        yield "viewport", f"The baseline was made in a viewport of {_size(before)}; this one has {_size(now)}."


def _size(conditions: Conditions) -> str:
    width, height = conditions.viewport
    return f"{width}x{height} at scale {conditions.scale}"


MACHINE = "machine_ms"
"""Beside a load's metrics: how long a fixed piece of work took before and after it (their geometric mean)."""


class Loads(msgspec.Struct, frozen=True):
    """Loads of one page, and what they were made with. `warnings`: what was wrong with them.

    `metrics`: of each load, those of LOAD_METRICS that are known, and MACHINE but in what earlier versions made.
    """

    url: str
    conditions: Conditions
    metrics: list[dict[str, Number]]
    warnings: list[str] = []


class Pictures(msgspec.Struct, frozen=True):
    """Ids of two pictures of one state of a page: what differs between them moves by itself.

    `reason`: why there are none. `ignored`: parts of the page that are not compared, as the caller named them.
    """

    ids: tuple[str, ...] = ()
    reason: str = ""
    ignored: tuple[str, ...] = ()


class MakeBaseline(msgspec.Struct, frozen=True, tag=True):
    """Ask: keep what a page is like, by this name, or by its address if that is empty. Answered by BaselineMade.

    The body is what the audit worker judged in it (audit.messages.Judged); `earlier`: at a look before, if any.
    """

    name: str
    loads: Loads
    pictures: Pictures = Pictures()
    earlier: dict[str, Any] = {}


class FindBaseline(msgspec.Struct, frozen=True, tag=True):
    """Ask: the baseline of this name, or of this address if that is empty. Answered by BaselineFound."""

    name: str
    url: str


class ReadBaseline(msgspec.Struct, frozen=True, tag=True):
    """Ask: the baseline of this name with its loads, and what was last compared with it. Answered by BaselineRead."""

    name: str


class CheckLoads(msgspec.Struct, frozen=True, tag=True):
    """Ask: how many more loads are needed before they can be compared with a baseline. Answered by LoadsChecked."""

    name: str
    loads: Loads


class CheckFindings(msgspec.Struct, frozen=True, tag=True):
    """Ask: whether another look is to confirm what seems to have changed since the baseline.

    The body is what the audit worker judged in the page. Answered by FindingsChecked.
    """

    name: str
    loads: Loads


class FindingsChecked(msgspec.Struct, frozen=True, tag=True):
    """Answer: whether another look is needed."""

    again: bool


class CheckPages(msgspec.Struct, frozen=True, tag=True):
    """Ask: how many more loads two pages need before they can be compared. Answered by LoadsChecked."""

    before: Loads
    loads: Loads


class PictureCompared(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """How a page looks then and now: what has changed, the greatest first; `more` changes are left out.

    A changed look is neither a regression nor an improvement: it has no part in the verdict of the whole. `seen_px`:
    pixels that differ to the eye; `ignored`: parts that move by themselves; `unmatched`: what was to be ignored and is
    on neither page; `truncated`: a page was higher than a picture can be, and the rest was not compared;
    `screenshot_path`: both side by side.
    """

    verdict: Literal["identical", "below_threshold", "changed", "shifted", "resized", "inconclusive"]
    changes: list[PageText] = []
    more: int = 0
    seen_px: int = 0
    rows_inserted: int = 0
    rows_removed: int = 0
    ignored: int = 0
    unmatched: list[PageText] = []
    truncated: bool = False
    screenshot_path: str = ""
    reason: str = ""


class CompareBaseline(msgspec.Struct, frozen=True, tag=True):
    """Ask: compare what a page is like with the baseline; its look is already. Answered by BaselineCompared.

    `pictures`: of the page as it is, where it looks different: what would be approved. The body is what the audit
    worker judged in the page; `earlier`: at a look before, if there was one: what only one of them has is no change.
    """

    name: str
    loads: Loads
    picture: PictureCompared
    pictures: Pictures = Pictures()
    earlier: dict[str, Any] = {}


class ApproveBaseline(msgspec.Struct, frozen=True, tag=True):
    """Ask: make what the last compare judged as changed the baseline. Answered by BaselineApproved."""

    name: str


class ReadHistory(msgspec.Struct, frozen=True, tag=True):
    """Ask: what became of a baseline, in order: made, compared, approved. Answered by HistoryRead."""

    name: str


class ExportBaseline(msgspec.Struct, frozen=True, tag=True):
    """Ask: a baseline as JSON that another store can take in. Answered by BaselineExported."""

    name: str


class ImportBaselines(msgspec.Struct, frozen=True, tag=True):
    """Ask: keep the baselines of the body, a list of BaselineExported.content, all or none. `pictures`: of each.

    Answered by BaselinesImported.
    """

    pictures: list[Pictures]


class ComparePages(msgspec.Struct, frozen=True, tag=True):
    """Ask: compare what a page is like with another one, loaded by turns with it. Answered by BaselineCompared.

    `before`, `judged`: the loads of the other page, and what the audit worker judged in it (audit.messages.Judged). The
    body is what it judged in this one; `earlier`: in the other page and in this one at a look before, if any.
    """

    before: Loads
    judged: dict[str, Any]
    loads: Loads
    picture: PictureCompared
    earlier: tuple[dict[str, Any], dict[str, Any]] | None = None


class ListBaselines(msgspec.Struct, frozen=True, tag=True):
    """Ask: which baselines there are. Answered by BaselinesListed."""


class ListHeld(msgspec.Struct, frozen=True, tag=True):
    """Ask: which pictures baselines and their last compares need. Answered by PicturesHeld."""


class PicturesHeld(msgspec.Struct, frozen=True, tag=True):
    """Answer: the ids of those pictures."""

    ids: frozenset[str]


class DeleteBaseline(msgspec.Struct, frozen=True, tag=True):
    """Ask: forget a baseline. Answered by BaselineDeleted."""

    name: str


Request = (
    MakeBaseline
    | FindBaseline
    | ReadBaseline
    | CheckLoads
    | CheckFindings
    | CompareBaseline
    | CheckPages
    | ComparePages
    | ApproveBaseline
    | ReadHistory
    | ExportBaseline
    | ImportBaselines
    | ListBaselines
    | ListHeld
    | DeleteBaseline
)


class Baseline(msgspec.Struct, frozen=True, omit_defaults=True):
    """A baseline: what it is of, when (`captured_at`), and what it was made with. `name`: "" of a page of `against`."""

    name: PageText
    url: PageText
    captured_at: str
    runs: int
    browser: str
    viewport: tuple[int, int]
    scale: Number
    version: str
    performance: dict[str, Number] = {}
    accessibility_issues: int | None = None
    security_findings: int | None = None
    damaged: bool = False


class BaselineMade(msgspec.Struct, frozen=True, tag=True, omit_defaults=True, kw_only=True):
    """Answer: the baseline that is kept; `replaced`: another was, by that name. `warnings`: what it lacks, and why.

    `dropped`: the pictures of the one that was replaced.
    """

    status: Literal["success", "partial"]
    action: Literal["regression"]
    scope: Literal["baseline"]
    baseline: Baseline
    replaced: bool = False
    warnings: list[PageText] = []
    dropped: tuple[str, ...] = ()


class BaselineFound(msgspec.Struct, frozen=True, tag=True):
    """Answer: the baseline, and its pictures."""

    baseline: Baseline
    pictures: Pictures


class LoadsChecked(msgspec.Struct, frozen=True, tag=True):
    """Answer: how many more loads are needed, 0: none."""

    more: int


class BaselinesListed(msgspec.Struct, frozen=True, tag=True):
    """Answer: the baselines, the newest first."""

    baselines: list[Baseline]


class BaselineDeleted(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """Answer: it is gone, and nothing needs its pictures (`dropped`)."""

    success: bool
    name: PageText
    dropped: tuple[str, ...] = ()


class Spread(msgspec.Struct, frozen=True):
    """A metric of some loads: median, least, greatest, and how many loads there are."""

    median: Number
    min: Number
    max: Number
    loads: int


class MetricCompared(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A metric then and now. `delta`: of a time the Hodges-Lehmann shift with its 95 % `interval`, else of the medians.

    `floor`: the least shift that counts; `p`: the probability of such a shift by chance (Mann-Whitney, exact).
    `reason`: why it is inconclusive.
    """

    verdict: Verdict
    baseline: Spread
    current: Spread | None = None
    delta: Number | None = None
    interval: tuple[Number, Number] | None = None
    floor: Number | None = None
    p: Number | None = None
    reason: str = ""


class Issue(msgspec.Struct, frozen=True, omit_defaults=True):
    """A rule of axe that is broken in more places than before, or fewer: how many, and the first of the elements."""

    id: str
    count: int
    severity: Severity
    elements: list[PageText] = []


class AccessibilityCompared(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The accessibility then and now; issues count elements, without those that axe could not decide."""

    verdict: Verdict
    baseline_issues: int | None = None
    current_issues: int | None = None
    new_issues: list[Issue] = []
    resolved_issues: list[Issue] = []
    reason: str = ""


class PerformanceCompared(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The loads then and now. `lcp_…`: as in `metrics`, which has every metric that was measured."""

    verdict: Verdict
    lcp_baseline_ms: Number | None = None
    lcp_current_ms: Number | None = None
    lcp_delta_ms: Number | None = None
    lcp_regression: bool | None = None
    metrics: dict[str, MetricCompared] = {}
    reason: str = ""


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """A security finding that is new, or resolved; `affected`: the names or elements of which that is true."""

    change: Literal["new", "resolved"]
    issue: str
    severity: Severity
    message: PageText
    affected: list[PageText] = []


class SecurityCompared(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The security findings then and now."""

    verdict: Verdict
    baseline_findings: int | None = None
    current_findings: int | None = None
    changes: list[Change] = []
    reason: str = ""


class MemoryCompared(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The memory of the settled page then and now; `delta` as of analyze(memory, compare)."""

    verdict: Verdict
    baseline: dict[str, Any] = {}
    current: dict[str, Any] = {}
    delta: dict[str, Number] = {}
    reason: str = ""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of a comparison."""

    accessibility: AccessibilityCompared
    performance: PerformanceCompared
    security: SecurityCompared
    memory: MemoryCompared
    picture: PictureCompared


class BaselineCompared(msgspec.Struct, frozen=True, tag=True, omit_defaults=True, kw_only=True):
    """Answer: what has changed since the baseline, the verdict, and both in one sentence.

    `status` is partial with `warnings`: a part without evidence, another browser or viewport. `dropped`: pictures that
    nothing needs any more.
    """

    status: Literal["success", "partial"]
    action: Literal["regression"]
    scope: Literal["compare"]
    url: PageText
    verdict: Verdict
    summary: PageText
    baseline: Baseline
    comparison: Comparison
    warnings: list[PageText] = []
    dropped: tuple[str, ...] = ()


class BaselineApproved(msgspec.Struct, frozen=True, tag=True, omit_defaults=True, kw_only=True):
    """Answer: what the baseline has taken from the last compare, which was made `at`.

    `parts`: those that were taken, none if nothing had changed; `changes`: in words; `left`: what the compare could not
    judge, and so was not taken, with the reason; `is_repeated`: this compare was approved before. `dropped`: pictures
    that nothing needs any more.
    """

    name: PageText
    url: PageText
    at: str
    parts: list[str] = []
    changes: list[PageText] = []
    left: list[PageText] = []
    is_repeated: bool = False
    dropped: tuple[str, ...] = ()


class BaselineExported(msgspec.Struct, frozen=True, tag=True):
    """Answer: a baseline without its pictures, and their ids."""

    content: dict[str, Any]
    pictures: Pictures


class BaselinesImported(msgspec.Struct, frozen=True, tag=True):
    """Answer: the baselines that are kept; `dropped`: pictures that nothing needs any more."""

    names: list[PageText]
    dropped: tuple[str, ...] = ()


class HistoryEntry(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What became of a baseline at one time, and the numbers of the page then.

    `verdicts`: of the metrics that were not `no_change`.
    """

    at: str
    kind: Literal["made", "compared", "approved"]
    summary: PageText
    verdict: Verdict | None = None
    browser: str = ""
    metrics: dict[str, Spread] = {}
    verdicts: dict[str, Verdict] = {}
    accessibility_issues: int | None = None
    security_findings: int | None = None
    heap_used_mb: Number | None = None
    seen_px: int | None = None


class HistoryRead(msgspec.Struct, frozen=True, tag=True):
    """Answer: a baseline, and what became of it, the oldest first."""

    name: PageText
    url: PageText
    entries: list[HistoryEntry]


class BaselineRead(msgspec.Struct, frozen=True, tag=True):
    """Answer: a baseline, the metrics of each of its loads, and the last compare with the metrics of its loads."""

    baseline: Baseline
    loads: list[dict[str, Number]]
    compared: BaselineCompared | None = None
    compared_loads: list[dict[str, Number]] = []
