"""Decides which pictures go: what is too old, then the oldest until the rest fits; never a pinned one. Pure.

What was drawn on goes last: its annotations are still talked about.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple


class Kept(NamedTuple):
    """A picture of the store; several may share one file."""

    seq: int
    sha256: str
    size_bytes: int
    at: float
    pinned: bool
    drawn: bool = False


def to_remove(kept: Sequence[Kept], quota_bytes: int, before: float) -> list[int]:
    """Return the positions of the pictures that go. `kept`: all, oldest first; `before`: what is older goes."""
    users = Counter(one.sha256 for one in kept)
    total = sum({one.sha256: one.size_bytes for one in kept}.values())
    removed: list[int] = []
    free = [one for one in kept if not one.pinned]
    for one in sorted(free, key=lambda one: (one.at >= before, one.drawn, one.seq)):
        if one.at >= before and total <= quota_bytes:
            break
        removed.append(one.seq)
        users[one.sha256] -= 1
        total -= 0 if users[one.sha256] else one.size_bytes
    return removed
