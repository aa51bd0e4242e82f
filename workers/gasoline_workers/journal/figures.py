"""Checks the figure of an annotation, which comes from a page: an arrow's ends, a freehand line's points; pure."""

from typing import Annotated

import msgspec

from gasoline_workers.journal.messages import Item

FIELDS = ("shape", "from", "to", "path")
PATH_POINTS = 64  # as in extension/src/shared/annotations.ts
FARTHEST = 1 << 24  # CSS pixels; Chrome's own boxes end at 2^25 (LayoutUnit)

Pixels = Annotated[float, msgspec.Meta(ge=-FARTHEST, le=FARTHEST)]


class Point(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place in the viewport, in CSS pixels."""

    x: Pixels
    y: Pixels


class Arrow(msgspec.Struct, frozen=True, tag_field="shape", tag="arrow", forbid_unknown_fields=True):
    """An arrow: its tip is at `to`."""

    to: Point
    from_: Point = msgspec.field(name="from")


class Freehand(msgspec.Struct, frozen=True, tag_field="shape", tag="freehand", forbid_unknown_fields=True):
    """A line, as the points of its path."""

    path: Annotated[list[tuple[Pixels, Pixels]], msgspec.Meta(min_length=1, max_length=PATH_POINTS)]


def figure(given: Item) -> Item:
    """Return what an annotation states of its figure; nothing for a rectangle, and nothing of what is no figure."""
    stated = {name: given[name] for name in FIELDS if name in given}
    try:
        msgspec.convert(stated, Arrow | Freehand)
    except msgspec.ValidationError:
        return {}
    return stated
