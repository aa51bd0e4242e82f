"""Finds the colour nearest to a given one that has enough contrast; pure.

Contrast and luminance are those of WCAG 2 (www.w3.org/TR/WCAG21/#dfn-contrast-ratio, #dfn-relative-luminance).
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

HEX = re.compile(r"#([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})(?:[fF]{2})?")
STEPS = 256  # on the way from a colour to black or white: no channel has more values
DARK, LIGHT = 0, 255
LINEAR_UP_TO = 0.04045  # of a channel of sRGB (IEC 61966-2-1); above, it follows a power


class Colour(NamedTuple):
    """An opaque colour of sRGB, each channel from 0 to 255."""

    red: int
    green: int
    blue: int

    def __str__(self) -> str:
        """Write it as CSS does."""
        return f"#{self.red:02x}{self.green:02x}{self.blue:02x}"


def colour(value: object) -> Colour | None:
    """Read a colour as axe writes it, #rrggbb; None for anything else."""
    found = HEX.fullmatch(value) if isinstance(value, str) else None
    return Colour(*(int(part, 16) for part in found.groups())) if found else None


def ratio(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def nearest(changed: Colour, kept: Colour, needed: float) -> Colour | None:
    """Return the colour nearest to `changed`, darker or lighter, that has the contrast with `kept`; None: none has."""
    found = [one for end in (DARK, LIGHT) if (one := _towards(changed, end, kept, needed)) is not None]
    return min(found, key=lambda one: _distance(one, changed), default=None)


def _towards(changed: Colour, end: int, kept: Colour, needed: float) -> Colour | None:
    return next((one for one in _way(changed, end) if ratio(one, kept) >= needed), None)


def _way(begin: Colour, end: int) -> Iterator[Colour]:
    for step in range(STEPS):
        yield Colour(*(round(part + (end - part) * step / (STEPS - 1)) for part in begin))


def _distance(one: Colour, other: Colour) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def _luminance(of: Colour) -> float:
    red, green, blue = map(_linear, of)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: int) -> float:
    part = channel / 255
    return part / 12.92 if part <= LINEAR_UP_TO else ((part + 0.055) / 1.055) ** 2.4
