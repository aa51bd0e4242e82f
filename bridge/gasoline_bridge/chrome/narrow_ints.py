"""Fits the integers of JSON, which have no bounds, to MessagePack's 64 bits; pure."""

from typing import Any


def narrow(value: Any) -> Any:  # noqa: ANN401 - JSON
    """Give the same with every integer beyond 64 bits as a float, or, beyond those, as a text."""
    if isinstance(value, dict):
        return {name: narrow(part) for name, part in value.items()}
    if isinstance(value, list):
        return [narrow(part) for part in value]
    if not isinstance(value, int) or -(1 << 63) <= value < 1 << 64:
        return value
    try:
        return float(value)
    except OverflowError:
        return "[Number]"
