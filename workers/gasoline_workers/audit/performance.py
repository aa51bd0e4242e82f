"""Judges the performance evidence of a page by its rules, each with a published source; the summary has the vitals.

What was not measured is in the summary's `unknown`, and no rule takes it for zero.
"""

from collections import Counter
from collections.abc import Callable

from gasoline_workers.audit import document, fonts, images, loading, reports, vitals
from gasoline_workers.audit.findings import Slow, performance
from gasoline_workers.audit.found import Found
from gasoline_workers.audit.measured import Measured, read
from gasoline_workers.audit.messages import SEVERITIES
from gasoline_workers.diff.reading import rounded

RULES: tuple[Callable[[Measured], Slow | None], ...] = (
    vitals.largest_paint,
    vitals.lazy_paint,
    vitals.layout_shifts,
    vitals.interaction,
    vitals.first_paint,
    vitals.first_byte,
    vitals.long_tasks,
    loading.render_blocking,
    loading.redirects,
    loading.compression,
    loading.caching,
    loading.total_bytes,
    loading.third_parties,
    loading.preloads,
    loading.protocol,
    images.oversized,
    images.offscreen,
    images.unsized,
    fonts.invisible_text,
    document.size,
    loading.failed,
    images.stretched,
    document.quirks,
    document.charset,
    document.viewport,
    reports.blocked,
    reports.deprecated,
)


def judge(evidence: object, _scope: str) -> Found:
    """Return the findings and the vitals in numbers."""
    page = read(evidence)
    slow = [found for rule in RULES if (found := rule(page))]
    counts = Counter(one.severity for one in slow)
    summary = {severity: counts[severity] for severity in SEVERITIES if counts[severity]}
    measured = {
        "passed": len(RULES) - len(slow),
        "total_rules": len(RULES),
        "vitals": _vitals(page),
    }
    unknown = {"unknown": page.unknown} if page.unknown else {}
    return Found([performance(one) for one in slow], summary | measured | unknown)


def _vitals(page: Measured) -> dict[str, float]:
    """Return the vitals that were measured: ms, and the score of the layout shifts."""
    values = {
        "lcp_ms": page.paint.ms,
        "inp_ms": page.interaction.ms,
        "fcp_ms": page.navigation.paint_ms,
        "ttfb_ms": page.navigation.ttfb_ms,
    }
    shift = {} if page.layout_shift is None else {"cls": rounded(page.layout_shift, 3)}
    return {name: rounded(value) for name, value in values.items() if value is not None} | shift
