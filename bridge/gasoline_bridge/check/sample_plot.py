"""Draws the loads of a metric, then and now, as an inline SVG; pure."""

import statistics
from collections.abc import Sequence
from html import escape

WIDTH, HEIGHT, EDGE, RADIUS = 220, 36, 8, 3.5
ROWS = {"then": 11, "later": 25}
MIDDLE = 8  # half the height of the median's line

Samples = Sequence[int | float]


def plot(then: Samples, now: Samples) -> str:
    """Return the plot: a row of circles for the baseline, below it a row of discs for what is compared."""
    if not then and not now:
        return ""
    least, most = min([*then, *now]), max([*then, *now])
    words = f"baseline {_words(then)}; now {_words(now)}"
    rows = "".join(_row(values, name, least, most) for name, values in (("then", then), ("later", now)) if values)
    axis = f'<line class="axis" x1="{EDGE}" x2="{WIDTH - EDGE}" y1="{HEIGHT / 2:g}" y2="{HEIGHT / 2:g}"/>'
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    return f'<svg role="img" aria-label="{escape(words)}" {size}>{axis}{rows}</svg>'


def _row(values: Samples, name: str, least: float, most: float) -> str:
    def x(value: float) -> str:
        share = (value - least) / (most - least) if most > least else 0.5
        return f"{EDGE + share * (WIDTH - 2 * EDGE):.1f}"

    y = ROWS[name]
    dots = "".join(f'<circle class="{name}" cx="{x(value)}" cy="{y}" r="{RADIUS}"/>' for value in values)
    at = x(statistics.median(values))
    return dots + f'<line class="middle {name}" x1="{at}" x2="{at}" y1="{y - MIDDLE}" y2="{y + MIDDLE}"/>'


def _words(values: Samples) -> str:
    return ", ".join(f"{value:g}" for value in values) or "not measured"
