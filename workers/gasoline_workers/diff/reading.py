"""Reads what a page measured as values; unusable data is dropped or unknown, and nothing here raises."""

import math
from typing import Any, TypeVar

import msgspec

from gasoline_workers.diff.messages import Number

GREATEST = 10**12
"""No time (ms: 30 years), size (bytes: 1 TB) or count is above; what is, was not measured."""

LEAST = 1e-6
"""Nothing is measured finer: a page that states it would make a percentage infinite. It is 0."""

Read = TypeVar("Read")


def number(value: object) -> Number | None:
    """Return a finite number from 0 to GREATEST, None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not 0 <= value <= GREATEST:
        return None
    return value if value >= LEAST else 0


def whole(value: object) -> int:
    """Return a count, 0 for anything that is none."""
    return int(number(value) or 0)


def text(value: object) -> str:
    """Return a text, empty for anything else."""
    return value if isinstance(value, str) else ""


def struct(value: object, kind: type[Read]) -> Read:
    """Return a map as a Struct whose fields all have a default; the empty one for anything else."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return kind()


def items(value: object, kind: Any, instead: Any = None) -> list[Any]:  # noqa: ANN401 - a type that msgspec converts to
    """Return the items of a list that are of this kind; with `instead`, that one in the place of each that is not."""
    try:
        return msgspec.convert(value, list[kind])
    except msgspec.ValidationError:
        found = (_item(item, kind, instead) for item in value) if isinstance(value, list | tuple) else ()
        return [item for item in found if item is not None]


def _item(value: object, kind: Any, instead: Any) -> Any:  # noqa: ANN401 - as above
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return instead


def rounded(value: float, digits: int = 0) -> Number:
    """Round as JavaScript's Math.round does, halves up, to so many digits; a whole number is an int."""
    scale: int = 10**digits
    units = math.floor(value * scale + 0.5)
    return units // scale if units % scale == 0 else units / scale


def kb(size_bytes: float) -> Number:
    """Return bytes as KB of 1,024, to a tenth."""
    return rounded(size_bytes / 1024, 1)
