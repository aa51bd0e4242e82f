"""Which service may receive unredacted page data: one table, enforced by routing; no sender's label is trusted.

Rules of this file:
- What a service answers or asks is labelled by this table, not by the sender.
- `RAW` is delivered to no service whose row does not list it, and to no asker, ever.
- A service without a row accepts `CLEAN` only, so what it answers is as clean as its input.
"""

from typing import NamedTuple

from gasoline_broker.actor.wire import Label


class Flow(NamedTuple):
    """One service's row: the labels it accepts, and the label of its output (`None`: that of its input).

    `shares`: its processes send each other notes.
    """

    accepts: frozenset[Label]
    output: Label | None
    shares: bool = False


CLEAN_ONLY = frozenset({Label.CLEAN})
EVERYTHING = frozenset({Label.CLEAN, Label.RAW})

FLOWS = {
    "bridge": Flow(accepts=CLEAN_ONLY, output=Label.RAW),
    "redaction": Flow(accepts=EVERYTHING, output=Label.CLEAN, shares=True),
    "screenshots": Flow(accepts=CLEAN_ONLY, output=None),  # a picture comes by way of redaction, or not at all
}
UNKNOWN = Flow(accepts=CLEAN_ONLY, output=None)


def row(service: str) -> Flow:
    """Return the service's row."""
    return FLOWS.get(service, UNKNOWN)


def output_label(service: str, input_label: Label) -> Label:
    """Return the label of the service's output for an input with this label."""
    output = row(service).output
    return input_label if output is None else output


def cleans(service: str) -> bool:
    """Return whether the service turns `RAW` into `CLEAN`."""
    return Label.RAW in row(service).accepts and output_label(service, Label.RAW) is Label.CLEAN
