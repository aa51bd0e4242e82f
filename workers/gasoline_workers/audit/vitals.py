"""Judges the Web Vitals of a load and names which part of each is the late one.

The thresholds are those that web.dev publishes: good up to the first, poor above the second
(https://web.dev/articles/vitals, https://web.dev/articles/fcp, https://web.dev/articles/ttfb).
"""

from gasoline_workers.audit import places
from gasoline_workers.audit.findings import Slow
from gasoline_workers.audit.measured import Measured, Paint, Task
from gasoline_workers.audit.messages import Affected, Severity

LCP_MS = (2500, 4000)
CLS = (0.1, 0.25)
INP_MS = (200, 500)
FCP_MS = (1800, 3000)
TTFB_MS = (800, 1800)

TBT_MS = (200, 600)
"""https://web.dev/articles/tbt: under 200 ms is good; Lighthouse calls more than 600 poor."""

BLOCKING_MS = 50
"""What of a task is longer blocks (https://w3c.github.io/longtasks/)."""

QUIET_MS = 5000
"""Total blocking time ends when the page is interactive: 5 s of quiet (https://web.dev/articles/tti)."""

LCP_FIXES = {
    "ttfb": "Answer the document faster: cache it, save redirects",
    "load delay": "Have the browser find it in the HTML: an <img>, not lazy, or a preload with fetchpriority=high",
    "load time": "Make it smaller: its size on the screen, AVIF or WebP, a cache nearer to the user",
    "render delay": "Remove what blocks rendering: styles and scripts in the head, rendering by script",
}
"""By the part that takes longest (https://web.dev/articles/optimize-lcp)."""

INP_FIXES = {
    "input delay": "Break up the long tasks that run when the user acts",
    "processing": "Do less in the event's handler: yield before what need not be seen at once",
    "presentation": "Change less of the page at once: fewer elements, content-visibility, no forced layout",
}
"""By the part that takes longest (https://web.dev/articles/optimize-inp)."""


def largest_paint(page: Measured) -> Slow | None:
    """Return a late largest paint, with its element and the part that makes it late."""
    paint = page.paint
    severity = _severity(paint.ms, LCP_MS)
    if paint.ms is None or not severity:
        return None
    parts = _paint_parts(paint)
    worst = max(parts, key=lambda name: parts[name])
    return Slow(
        "lcp",
        severity,
        f"Largest Contentful Paint after {_s(paint.ms)}; most of it {worst}, {_s(parts[worst])}",
        LCP_FIXES[worst],
        "https://web.dev/articles/optimize-lcp",
        {"value_ms": paint.ms, **{f"{name.replace(' ', '_')}_ms": ms for name, ms in parts.items()}}
        | ({"url": places.shown(paint.address, page.url)} if paint.address else {}),
        {"ms": min(paint.ms - LCP_MS[0], parts[worst])},
        [Affected(selector=paint.selector)] if paint.selector else (),
    )


def lazy_paint(page: Measured) -> Slow | None:
    """Return a largest paint that is an image with loading=lazy (https://web.dev/articles/lcp-lazy-loading)."""
    if not page.paint.is_lazy:
        return None
    return Slow(
        "lcp-lazy",
        "medium",
        "The largest image of the first screen is loaded lazily, so that it waits for the layout",
        "Remove loading=lazy from it",
        "https://web.dev/articles/lcp-lazy-loading",
        {"load_delay_ms": page.paint.delay_ms},
        {"ms": page.paint.delay_ms},
        [Affected(selector=page.paint.selector)],
    )


def layout_shifts(page: Measured) -> Slow | None:
    """Return layout shifts that add up, with what moved."""
    severity = _severity(page.layout_shift, CLS)
    if page.layout_shift is None or not severity:
        return None
    moved = [shift for shift in sorted(page.shifts, key=lambda shift: -shift.score) if shift.selector]
    selectors = list(dict.fromkeys(shift.selector for shift in moved))
    return Slow(
        "cls",
        severity,
        f"Cumulative Layout Shift of {page.layout_shift:.2f}: content moves after it was shown",
        "Reserve the room: width and height on images, min-height for what comes late, transform for animations",
        "https://web.dev/articles/optimize-cls",
        {"value": page.layout_shift, "shifts": len(page.shifts)},
        {},
        [Affected(selector=selector) for selector in selectors],
    )


def interaction(page: Measured) -> Slow | None:
    """Return the slowest interaction, if it is slow, with the part that makes it so and by which clock."""
    slowest = page.interaction
    severity = _severity(slowest.ms, INP_MS)
    if slowest.ms is None or not severity:
        return None
    parts = {"input delay": slowest.delay_ms, "processing": slowest.run_ms, "presentation": slowest.paint_ms}
    worst = max(parts, key=lambda name: parts[name])
    return Slow(
        "inp",
        severity,
        f"The slowest interaction took {_s(slowest.ms)}; most of it {worst}, {_s(parts[worst])}",
        INP_FIXES[worst],
        "https://web.dev/articles/optimize-inp",
        {
            "value_ms": slowest.ms,
            "event": slowest.event or None,
            **{f"{name.replace(' ', '_')}_ms": ms for name, ms in parts.items()},
            "script": places.shown(slowest.script, page.url) or None,
            "source": slowest.source,
        },
        {"ms": slowest.ms - INP_MS[0]},
        [Affected(selector=slowest.selector)] if slowest.selector else (),
    )


def first_paint(page: Measured) -> Slow | None:
    """Return a late first paint, unless the answer of the document is what was late."""
    paint, ttfb = page.navigation.paint_ms, page.navigation.ttfb_ms or 0
    severity = _severity(paint, FCP_MS)
    if paint is None or not severity or paint - ttfb <= FCP_MS[0] - TTFB_MS[0]:
        return None
    return Slow(
        "fcp",
        severity,
        f"First Contentful Paint after {_s(paint)}",
        "Load fewer styles and scripts before the first paint",
        "https://web.dev/articles/fcp",
        {"value_ms": paint, "ttfb_ms": ttfb},
        {"ms": paint - FCP_MS[0]},
    )


def first_byte(page: Measured) -> Slow | None:
    """Return a late answer of the document."""
    ttfb = page.navigation.ttfb_ms
    severity = _severity(ttfb, TTFB_MS)
    if ttfb is None or not severity:
        return None
    return Slow(
        "ttfb",
        severity,
        f"The first byte of the document came after {_s(ttfb)}",
        "Answer faster: cache the page or its data, send the head before the rest is known",
        "https://web.dev/articles/optimize-ttfb",
        {"value_ms": ttfb, "redirect_ms": page.navigation.redirect_ms or None},
        {"ms": ttfb - TTFB_MS[0]},
    )


def long_tasks(page: Measured) -> Slow | None:
    """Return long tasks of the load, by script."""
    tasks = _load_tasks(page)
    by_script: dict[str, float] = {}
    for task in tasks:
        name = " ".join(filter(None, (places.shown(task.script, page.url), task.run))) or "unattributed"
        by_script[name] = by_script.get(name, 0) + max(0, task.took_ms - BLOCKING_MS)
    total = sum(by_script.values())
    severity = _severity(total, TBT_MS)
    if not severity:
        return None
    worst = sorted(by_script, key=lambda name: -by_script[name])
    return Slow(
        "long-tasks",
        severity,
        f"Long tasks block the page for {_s(total)} of its load, most of all {worst[0]}",
        "Split the work, do it later, or in a worker",
        "https://web.dev/articles/optimize-long-tasks",
        {"total_blocking_ms": total, "tasks": len(tasks), "longest_ms": max(task.took_ms for task in tasks)},
        {"ms": total - TBT_MS[0]},
        [f"{name}: {round(by_script[name])} ms" for name in worst],
    )


def total_blocking_ms(page: Measured) -> float:
    """Return the total blocking time of the load (https://web.dev/articles/tbt)."""
    return sum(max(0, task.took_ms - BLOCKING_MS) for task in _load_tasks(page))


def _load_tasks(page: Measured) -> list[Task]:
    since, until = page.navigation.paint_ms or 0, (page.navigation.load_ms or 0) + QUIET_MS
    return [task for task in page.tasks if since <= task.start_ms + task.took_ms and task.start_ms <= until]


def _paint_parts(paint: Paint) -> dict[str, float]:
    return {
        "ttfb": paint.ttfb_ms,
        "load delay": paint.delay_ms,
        "load time": paint.load_ms,
        "render delay": paint.render_ms,
    }


def _severity(value: float | None, bounds: tuple[float, float]) -> Severity | None:
    """Poor is high, what needs improvement medium."""
    good, poor = bounds
    if value is None or value <= good:
        return None
    return "high" if value > poor else "medium"


def _s(ms: float) -> str:
    return f"{ms / 1000:.1f} s" if ms >= 1000 else f"{round(ms)} ms"  # noqa: PLR2004 - a second
