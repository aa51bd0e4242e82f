"""The messages of the broker and of the supervisor."""

import msgspec


class HeldStop(msgspec.Struct, frozen=True, array_like=True):
    """A stop that a process works on, for `left_ms` at most, or (`done`) whose answer it still remembers."""

    id: bytes
    position: int
    done: bool = False
    left_ms: int = 0


class Register(msgspec.Struct, frozen=True, tag=True):
    """Registers a process that serves `service`, up to `capacity` asks at a time (0: it only asks).

    `peer_events`: it receives each PeerLost. `holds`: the work that an earlier broker assigned to it. `remembers`: its
    commands may be assigned again to another process of its kind, because their executor (the extension) knows their
    ids by itself.
    """

    service: str
    capacity: int
    pid: int
    version: str
    peer_events: bool = False
    holds: tuple[HeldStop, ...] = ()
    remembers: bool = False


class PeerLost(msgspec.Struct, frozen=True, tag=True):
    """Event: the broker lost a process. `reason`: `gone` (its link broke), `silent`, or `stuck` on one ask."""

    service: str
    pid: int
    reason: str
    remote: bool


class ReadStatus(msgspec.Struct, frozen=True, tag=True):
    """Ask: read what is connected, waiting and running. Answered by StatusRead."""


class PeerStatus(msgspec.Struct, frozen=True):
    """One connected process. `up_s`: seconds since it registered; `done`: asks it has answered."""

    service: str
    pid: int
    capacity: int
    running: int
    done: int
    up_s: float
    version: str
    remote: bool = False
    suspect: bool = False


class Spread(msgspec.Struct, frozen=True):
    """How long something took: quantiles of the last one to two minutes, count and sum since the start."""

    count: int = 0
    sum_s: float = 0.0
    p50_ms: float = 0.0
    p95_ms: float = 0.0
    p99_ms: float = 0.0


class ServiceStatus(msgspec.Struct, frozen=True):
    """One service: asks waiting and running now, how long they waited and were worked on, how many failed."""

    service: str
    waiting: int
    running: int
    waited: Spread
    worked: Spread
    failed: int = 0


class DeadLetter(msgspec.Struct, frozen=True):
    """An ask that failed after its last attempt. `stops`: its services; `pids`: the processes that worked on it."""

    trace: str
    service: str
    stops: tuple[str, ...]
    pids: tuple[int, ...]
    age_s: float


class StatusRead(msgspec.Struct, frozen=True, tag=True):
    """Answer: the processes, the services, and the counts of what went wrong since the start."""

    pid: int
    version: str
    up_s: float
    in_flight: int
    peers: list[PeerStatus]
    services: list[ServiceStatus]
    counts: dict[str, int]
    dead_letters: list[DeadLetter] = []


class ReadCalls(msgspec.Struct, frozen=True, tag=True):
    """Ask: read the last calls whose trace begins with `trace`, newest first. Answered by CallsRead."""

    trace: str = ""
    limit: int = 20


class Hop(msgspec.Struct, frozen=True):
    """One attempt at one stop of a call. `at_ms`: since the call arrived.

    `outcome`: `answered`, `failed`, `lost`, `cut` (its link; another process has it), `late` or `cancelled`.
    """

    service: str
    pid: int
    attempt: int
    at_ms: float
    waited_ms: float
    worked_ms: float
    outcome: str


class Call(msgspec.Struct, frozen=True):
    """One call that has ended, and its hops. `outcome`: `answered`, or the code of its failure."""

    trace: str
    session: str
    asker: str
    age_s: float
    took_ms: float
    outcome: str
    hops: list[Hop]


class CallsRead(msgspec.Struct, frozen=True, tag=True):
    """Answer: the calls that the broker remembers, newest first."""

    calls: list[Call]


class Scale(msgspec.Struct, frozen=True, tag=True):
    """Ask the supervisor: run so many processes of these lines of the Procfile. Answered by ProcessesRead."""

    counts: dict[str, int]


class Restart(msgspec.Struct, frozen=True, tag=True):
    """Ask the supervisor: stop this process, or this actor of several in one process, and start it again.

    `name`: a process, as in ProcessStatus. Answered by ProcessesRead when it is registered again.
    """

    name: str


class RestartActor(msgspec.Struct, frozen=True, tag=True):
    """Ask a process of several actors: stop this one alone, and start it again. Answered by ActorRestarted."""

    service: str


class ActorRestarted(msgspec.Struct, frozen=True, tag=True):
    """Answer: the actor is registered again."""


class ReadProcesses(msgspec.Struct, frozen=True, tag=True):
    """Ask the supervisor: list its processes. Answered by ProcessesRead."""


class ProcessStatus(msgspec.Struct, frozen=True):
    """One process of the supervisor. `name`: its line in the Procfile, numbered from the second one on.

    `state`: `running`, `waiting` (until it is started again) or `stopping`. `actors`: the services of a process that
    runs several.
    """

    name: str
    pid: int
    state: str
    restarts: int
    up_s: float
    actors: tuple[str, ...] = ()


class ProcessesRead(msgspec.Struct, frozen=True, tag=True):
    """Answer: every process of the supervisor's, in the Procfile's order."""

    processes: list[ProcessStatus]
