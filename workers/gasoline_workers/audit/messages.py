"""The messages of the audit worker: what is judged, and the findings that it answers with.

Rules of this file:
- The stop's body is what the extension's `analyze` answered, after redaction: `page`, `evidence` by part, `failures` by
  part, `warnings`, `duration_ms`, `cached`. A page wrote the evidence: each part's module reads it as values, and what
  is unusable there is left out.
- Fields that are empty are left out of an answer. Text of a page is cut at TEXT_CHARS.
"""

from typing import Annotated, Any, Literal

import msgspec

Number = int | float
PageText = Annotated[str, msgspec.Meta(extra={"page": True})]

TEXT_CHARS = 200  # of a page's text in a finding (seed 002, Feature 4, Limits: "HTML snippet truncation: 200 chars")

ITERATIONS_MIN = 6
"""Of a flow that is repeated: chance orders one in 720 of them upwards."""

Severity = Literal["critical", "high", "medium", "low", "info"]
Category = Literal[
    "accessibility",
    "performance",
    "seo",
    "best_practices",
    "memory",
    "headers",
    "cookies",
    "storage",
    "content",
]
Verdict = Literal["leak", "no_leak", "unclear"]
Impact = Literal["critical", "serious", "moderate", "minor", ""]
"""How badly a rule of axe is broken, in axe's words; empty: not stated."""

SEVERITIES: tuple[Severity, ...] = ("critical", "high", "medium", "low", "info")
"""The worst first."""


class Judge(msgspec.Struct, frozen=True, tag=True):
    """Ask: judge the evidence of an analysis (seed 000). Answered by Judged."""

    action: str
    scope: str


class ReportAccessibility(msgspec.Struct, frozen=True, tag=True):
    """Ask: report the accessibility evidence in the shape of seed 002. Answered by AccessibilityReported."""

    include_passes: bool = False


class ExportSarif(msgspec.Struct, frozen=True, tag=True):
    """Ask: write the reply of an analysis, the stop's body, as SARIF 2.1.0. Answered by that document, a map."""


class ReadLoad(msgspec.Struct, frozen=True, tag=True):
    """Ask: the numbers of a load, from its performance evidence. Answered by LoadRead."""


Request = Judge | ReportAccessibility | ExportSarif | ReadLoad


class Affected(msgspec.Struct, frozen=True, omit_defaults=True):
    """An element with the fault: where it is (`>>>`: in a shadow root or a frame), its HTML, and what to change.

    Of what could not be decided, `fix` is why.
    """

    selector: PageText
    html: PageText = ""
    fix: PageText = ""


class Reference(msgspec.Struct, frozen=True, omit_defaults=True):
    """What demands it: the success criterion of WCAG and its level, or another document."""

    url: str = ""
    wcag: str = ""
    level: Literal["A", "AA", "AAA", ""] = ""


class Finding(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A fault of the page. `count`: how often it is there; `affected`: the first of these places, or names.

    `evidence`: the numbers that it rests on; `gain`: what its fix saves, estimated, in ms or bytes. `id` is the rule's;
    security findings have `issue` and `guidance` (seed 000), memory findings `likely_cause`.
    """

    severity: Severity
    category: Category | Literal[""] = ""
    message: PageText
    id: str = ""
    issue: str = ""
    count: int = 0
    affected: list[Affected | PageText] = []
    evidence: dict[str, Any] = {}
    gain: dict[str, Number] = {}
    fix: PageText = ""
    guidance: str = ""
    likely_cause: PageText = ""
    reference: Reference | None = None


class Failed(msgspec.Struct, frozen=True):
    """Why a part of an analysis has no evidence."""

    code: str
    message: PageText


class Judged(msgspec.Struct, frozen=True, tag=True, omit_defaults=True, kw_only=True):
    """Answer: the findings, the worst first, and the summary, which counts all of them.

    `status` is partial if a part failed (`failures`), or if there are `warnings` (page_navigated, timeout, …). It is
    pending, from the front, while there is no result.
    `cached`: it is the result of the same call a moment ago. `duration_ms`: of the analysis, without the wait for its
    turn. `snapshot`, `baseline`, `current`, `delta`: of memory. `verdict`, `iterations`, `growth`: of a flow that was
    repeated; of what was counted the growth per iteration, and how steady it was (-1 to 1).
    """

    status: Literal["success", "partial", "pending"]
    action: str
    scope: str
    duration_ms: Number
    cached: bool
    url: PageText
    summary: dict[str, Any] = {}
    snapshot: dict[str, Any] = {}
    baseline: dict[str, Any] = {}
    current: dict[str, Any] = {}
    delta: dict[str, Any] = {}
    verdict: Verdict | Literal[""] = ""
    iterations: int = 0
    growth: dict[str, Any] = {}
    findings: list[Finding]
    failures: dict[str, Failed] = {}
    warnings: list[str] = []


class ReportedNode(msgspec.Struct, frozen=True, omit_defaults=True, rename={"failure_summary": "failureSummary"}):
    """An element that breaks a rule of axe (seed 002)."""

    selector: PageText
    html: PageText = ""
    failure_summary: PageText = ""
    fix: PageText = ""


class ReportedRule(
    msgspec.Struct,
    frozen=True,
    omit_defaults=True,
    kw_only=True,
    rename={"help_url": "helpUrl", "node_count": "nodeCount"},
):
    """A rule of axe and where it is broken (seed 002): 10 nodes at most, `nodeCount` if there are more."""

    id: str
    impact: Impact = ""
    description: str
    help_url: str = ""
    wcag: list[str] = []
    nodes: list[ReportedNode] = []
    node_count: int = 0


class PassedRule(msgspec.Struct, frozen=True, rename={"node_count": "nodeCount"}):
    """A rule of axe that holds, and for how many elements."""

    id: str
    description: str
    node_count: int


class AccessibilityReported(msgspec.Struct, frozen=True, tag=True, omit_defaults=True, kw_only=True):
    """Answer: what axe found, in the shape of seed 002, the worst first. `summary` counts rules.

    `passes`: with include_passes. `cached`: it is the result of `timestamp`; `warnings`: what is missing, and why.
    """

    url: PageText
    timestamp: str
    summary: dict[str, int]
    cached: bool = False
    warnings: list[str] = []
    violations: list[ReportedRule]
    incomplete: list[ReportedRule] = []
    passes: list[PassedRule] = []


class LoadRead(msgspec.Struct, frozen=True, tag=True):
    """Answer: what one load measured, by the names of LOAD_METRICS; what is unknown of it is left out.

    `viewport`: its width and height in CSS px; `scale`: device pixels for each of them. `hidden`: nothing was painted.
    """

    url: PageText
    metrics: dict[str, Number]
    viewport: tuple[int, int]
    scale: Number
    hidden: bool


LOAD_METRICS = ("lcp_ms", "fcp_ms", "ttfb_ms", "load_ms", "tbt_ms", "cls", "bytes", "requests")
"""In all of them lower is better. `bytes`: encoded, so that a cached resource counts as one that is transferred."""
