"""Checks the figure of an annotation, which comes from a page: an arrow's ends, a freehand line's points; pure."""

import msgspec

from gasoline_workers.journal.messages import Arrow, Freehand, Item

FIELDS = ("shape", "from", "to", "path")


def figure(given: Item) -> Item:
    """Return what an annotation states of its figure; nothing for a rectangle, and nothing of what is no figure."""
    stated = {name: given[name] for name in FIELDS if name in given}
    try:
        msgspec.convert(stated, Arrow | Freehand)
    except msgspec.ValidationError:
        return {}
    return stated
