"""Draws the loads of a metric, then and now, as an inline SVG; pure."""

import statistics

from gasoline_bridge.check.drawing import Axis, Values, line, svg

WIDTH, HEIGHT, EDGE, RADIUS = 220, 36, 8, 3.5
ROWS = {"then": 11, "later": 25}
MIDDLE = 8  # half the height of the median's line

STYLE = """
.then { fill: none; stroke: var(--then); stroke-width: 1.5; } .later { fill: var(--now); stroke: none; }
.middle { stroke-width: 2; }
svg .middle.then { stroke: var(--then); } svg .middle.later { stroke: var(--now); }
"""


def plot(then: Values, now: Values) -> str:
    """Return the plot: a row of circles for the baseline, below it a row of discs for what is compared."""
    if not then and not now:
        return ""
    axis = Axis(min([*then, *now]), max([*then, *now]), EDGE, WIDTH - EDGE)
    words = f"baseline {_words(then)}; now {_words(now)}"
    rows = "".join(_row(values, name, axis) for name, values in (("then", then), ("later", now)) if values)
    return svg(WIDTH, HEIGHT, words, line("axis", (EDGE, WIDTH - EDGE), (HEIGHT / 2, HEIGHT / 2)) + rows)


def _row(values: Values, name: str, axis: Axis) -> str:
    y, at = ROWS[name], axis.at(statistics.median(values))
    dots = "".join(f'<circle class="{name}" cx="{axis.at(value)}" cy="{y}" r="{RADIUS}"/>' for value in values)
    return dots + line(f"middle {name}", (at, at), (y - MIDDLE, y + MIDDLE))


def _words(values: Values) -> str:
    return ", ".join(f"{value:g}" for value in values) or "not measured"
