"""What the plots share: values placed on an axis, and an SVG that is read out as words; pure."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

Values = Sequence[int | float]


class Axis(NamedTuple):
    """Places values of a range on the pixels from `begin` to `end`; where all are equal, in the middle."""

    least: float
    most: float
    begin: float
    end: float

    def at(self, value: float) -> str:
        """Return the place of a value."""
        share = (value - self.least) / (self.most - self.least) if self.most > self.least else 0.5
        return f"{self.begin + share * (self.end - self.begin):.1f}"


def svg(width: int, height: int, words: str, drawn: str) -> str:
    """Return what was drawn as an image that is read out as these words."""
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg role="img" aria-label="{escape(words)}" {size}>{drawn}</svg>'


def line(kind: str, x: tuple[float | str, float | str], y: tuple[float | str, float | str]) -> str:
    """Draw a line from the first to the second of both places."""
    return f'<line class="{kind}" x1="{x[0]}" x2="{x[1]}" y1="{y[0]}" y2="{y[1]}"/>'
