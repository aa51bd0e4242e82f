"""Who may see what a page said: one table, enforced by routing. It trusts no label that a sender wrote.

Rules of this file:
- What a service answers or asks is labelled by this table, not by the sender.
- `RAW` is delivered to no service whose row does not say so, and to nobody who asked, ever.
- A service without a row takes `CLEAN` only, so what it answers is as clean as what it was given.
"""

from typing import NamedTuple

from gasoline_broker.actor.wire import Label


class Flow(NamedTuple):
    """One service's row: the labels it may be given, and the label of what it says (`None`: that of its input)."""

    takes: frozenset[Label]
    gives: Label | None


CLEAN_ONLY = frozenset({Label.CLEAN})
EVERYTHING = frozenset({Label.CLEAN, Label.RAW})

FLOWS = {
    "bridge": Flow(takes=CLEAN_ONLY, gives=Label.RAW),
    "redaction": Flow(takes=EVERYTHING, gives=Label.CLEAN),
}
UNKNOWN = Flow(takes=CLEAN_ONLY, gives=None)


def row(service: str) -> Flow:
    """Give the service's row."""
    return FLOWS.get(service, UNKNOWN)


def may_take(service: str, label: Label) -> bool:
    """Tell whether a message with this label may be delivered to the service."""
    return label in row(service).takes


def said_by(service: str, given: Label) -> Label:
    """Label what the service says after it was given a message with the label `given`."""
    gives = row(service).gives
    return given if gives is None else gives


def cleans(service: str) -> bool:
    """Tell whether the service turns `RAW` into `CLEAN`."""
    return Label.RAW in row(service).takes and said_by(service, Label.RAW) is Label.CLEAN
