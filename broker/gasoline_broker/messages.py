"""What the broker itself understands and answers; everything else only passes through it."""

import msgspec


class Register(msgspec.Struct, frozen=True, tag=True):
    """Tell: this process serves `service`, up to `capacity` asks at a time (0: it only asks)."""

    service: str
    capacity: int
    pid: int
    version: str


class ReadStatus(msgspec.Struct, frozen=True, tag=True):
    """Ask: what is connected, waiting and running. Answered by StatusRead."""


class PeerStatus(msgspec.Struct, frozen=True):
    """One connected process. `up_s`: seconds since it registered; `done`: asks it has answered."""

    service: str
    pid: int
    capacity: int
    running: int
    done: int
    up_s: float
    version: str


class StatusRead(msgspec.Struct, frozen=True, tag=True):
    """Answer: the processes; asks waiting, by service; what went wrong since the start, by its word."""

    pid: int
    version: str
    up_s: float
    peers: list[PeerStatus]
    waiting: dict[str, int]
    counts: dict[str, int]
