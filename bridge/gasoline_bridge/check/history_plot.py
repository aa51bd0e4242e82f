"""Draws the course of a metric over time as an inline SVG; shapes state what colors do; pure."""

from collections.abc import Iterator, Sequence
from html import escape

from gasoline_bridge.check.drawing import Axis, line, svg
from gasoline_bridge.check.results import WORDS
from gasoline_bridge.check.trend import Point, Series
from gasoline_bridge.report_page import count
from gasoline_workers.regression.messages import HistoryEntry

WIDTH, HEIGHT = 640, 170
LEFT, RIGHT, TOP, BOTTOM = 80, 16, 12, 28
RADIUS = 4

STYLE = """
.range { fill: var(--range); stroke: none; } .course { fill: none; stroke: var(--now); stroke-width: 1.5; }
.event { stroke: var(--then); stroke-dasharray: 3 3; }
svg text { fill: var(--text); font: 12px system-ui, sans-serif; }
svg .dot { fill: var(--now); stroke: none; }
svg .dot.made { fill: var(--back); stroke: var(--now); stroke-width: 1.5; }
svg .dot.regression_detected { fill: var(--bad); } svg .dot.improved { fill: var(--good); }
svg .dot.inconclusive { fill: var(--back); stroke: var(--open); stroke-width: 1.5; }
"""


def plot(one: Series, entries: Sequence[HistoryEntry]) -> str:
    """Draw the range of a metric, its medians, and when the baseline was made or approved."""
    x = Axis(0, len(entries) - 1, LEFT, WIDTH - RIGHT)
    least, most = min(point.least for point in one.points), max(point.most for point in one.points)
    y = Axis(least, most, HEIGHT - BOTTOM, TOP)
    marks = (_mark_of(one, point, float(x.at(point.number)), float(y.at(point.median))) for point in one.points)
    drawn = [*_scale(least, most, y), *_events(entries, x), *_course(one.points, x, y), *marks, *_dates(one.points, x)]
    return svg(WIDTH, HEIGHT, _summary(one), "".join(drawn))


def mark(kind: str, x: float, y: float, words: str = "") -> str:
    """Draw one value: a triangle up for a regression, down for an improvement, a square for what is inconclusive."""
    title = f"<title>{escape(words)}</title>" if words else ""
    named, size = f'class="dot {kind}"', 2 * RADIUS + 2
    half = size / 2
    match kind:
        case "regression_detected":
            return f'<path {named} d="M{x - half:.1f} {y + half:.1f}h{size}l{-half:g} {-size}z">{title}</path>'
        case "improved":
            return f'<path {named} d="M{x - half:.1f} {y - half:.1f}h{size}l{-half:g} {size}z">{title}</path>'
        case "inconclusive":
            at = f'x="{x - RADIUS:.1f}" y="{y - RADIUS:.1f}"'
            return f'<rect {named} {at} width="{2 * RADIUS}" height="{2 * RADIUS}">{title}</rect>'
        case _:
            return f'<circle {named} cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}">{title}</circle>'


def _scale(least: float, most: float, y: Axis) -> Iterator[str]:
    for value in dict.fromkeys((least, most)):
        yield line("axis", (LEFT, WIDTH - RIGHT), (y.at(value), y.at(value)))
        place = f'x="{LEFT - 8}" y="{y.at(value)}" text-anchor="end" dominant-baseline="middle"'
        yield f"<text {place}>{number(value)}</text>"


def _events(entries: Sequence[HistoryEntry], x: Axis) -> Iterator[str]:
    for place, entry in enumerate(entries):
        if entry.kind != "compared":
            yield line("event", (x.at(place), x.at(place)), (TOP - 6, HEIGHT - BOTTOM))


def _course(points: Sequence[Point], x: Axis, y: Axis) -> Iterator[str]:
    upper = [f"{x.at(point.number)},{y.at(point.most)}" for point in points]
    lower = [f"{x.at(point.number)},{y.at(point.least)}" for point in reversed(points)]
    medians = [f"{x.at(point.number)},{y.at(point.median)}" for point in points]
    yield f'<polygon class="range" points="{" ".join(upper + lower)}"/>'
    yield f'<polyline class="course" points="{" ".join(medians)}"/>'


def _dates(points: Sequence[Point], x: Axis) -> Iterator[str]:
    first, last = points[0], points[-1]
    for point, anchor in ((first, "start"), (last, "end")) if len(points) > 1 else ((first, "middle"),):
        place = f'x="{x.at(point.number)}" y="{HEIGHT - 8}" text-anchor="{anchor}"'
        yield f"<text {place}>{escape(point.name)}</text>"


def _mark_of(one: Series, point: Point, x: float, y: float) -> str:
    verdict = one.verdict(point)
    spread = f" ({number(point.least)} to {number(point.most)})" if point.least != point.most else ""
    words = f"{point.name}: {number(point.median)}{spread}, {WORDS[verdict]}"
    return mark(verdict, x, y, words)


def _summary(one: Series) -> str:
    """State what a plot shows to those who cannot see it; the table beside it has all values."""
    first, last = one.points[0], one.points[-1]
    worse = sum(one.verdict(point) == "regression_detected" for point in one.points)
    times = f"{count(len(one.points), 'value')} from {first.name} to {last.name}"
    return (
        f"{one.label}: {times}; first {number(first.median)}, last {number(last.median)}, {count(worse, 'regression')}"
    )


def number(value: float) -> str:
    """Write a value as a person reads it: `1,234.5`."""
    return f"{value:,.4f}".rstrip("0").rstrip(".")
