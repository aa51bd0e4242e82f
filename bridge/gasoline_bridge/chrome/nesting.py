"""Measures how deep a value of JSON is nested; pure, without recursion, which ends where a page wants it to."""

from typing import Any


def is_deeper(value: object, levels: int) -> bool:
    """Whether more than so many objects and arrays are within each other."""
    level: list[Any] = [value] if isinstance(value, dict | list) else []
    for _ in range(levels):
        if not level:
            return False
        level = [
            part
            for whole in level
            for part in (whole.values() if isinstance(whole, dict) else whole)
            if isinstance(part, dict | list)
        ]
    return bool(level)
