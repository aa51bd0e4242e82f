"""The shape of what `observe(what:"status")` answers, and how it is made of the broker's status."""

from typing import Any

import msgspec

from gasoline_bridge.chrome.messages import ExtensionRead
from gasoline_broker.messages import StatusRead

Reply = dict[str, Any]


class ProcessShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """A process of the system: what it works on now, what it has answered, and for how long it is up (seconds)."""

    service: str
    pid: int
    up_s: float
    running: int = 0
    done: int = 0


class StatusShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """The status of the system.

    `waiting`: asks by service; `in_flight`: asks under way; `restarts`: by process; `counts`: what went wrong.
    """

    version: str
    extension: ExtensionRead
    processes: list[ProcessShown]
    waiting: dict[str, int] = {}
    in_flight: int = 0
    restarts: dict[str, int] = {}
    counts: dict[str, int] = {}


def shown(status: StatusRead, restarts: dict[str, int]) -> Reply:
    """Give the processes and the figures that are not zero."""
    broker = ProcessShown("broker", status.pid, status.up_s)
    peers = [ProcessShown(peer.service, peer.pid, peer.up_s, peer.running, peer.done) for peer in status.peers]
    reply: Reply = msgspec.to_builtins({"processes": [broker, *peers]})
    more = {
        "waiting": {one.service: one.waiting for one in status.services if one.waiting},
        "in_flight": status.in_flight,
        "restarts": restarts,
        "counts": status.counts,
    }
    return reply | {name: value for name, value in more.items() if value}
