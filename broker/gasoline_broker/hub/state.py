"""What routing remembers of peers, services and the asks on their way; it decides nothing."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from gasoline_broker.actor.wire import Delivery, Envelope, Label, Priority, is_remote
from gasoline_broker.hub import labels
from gasoline_broker.hub.fairness import FairQueue, Share
from gasoline_broker.hub.latency import Times
from gasoline_broker.messages import Register

Frames = Sequence[Any]  # body and blobs, as they came; never looked into


class Limits(NamedTuple):
    """The bounds of one broker. Times in seconds, counts in asks; the sources are in docs/design.md, Broker."""

    queue: int = 2_000  # places per service, of what waits, runs or is still to come to it
    window: int = 256  # open asks of one peer: below the socket's 1,000 messages, so that no answer can be dropped
    events: int = 256  # events that a reader was sent and has not said it took; the same reason
    stops: int = 8
    ttl_ms: int = 24 * 3600 * 1000
    id_bytes: int = 32
    name_characters: int = 256  # of a session, a trace, a topic, a service
    services: int = 256  # names that are remembered
    topics: int = 64  # of one process
    holds: int = 10_000  # of one process: more than a mailbox remembers
    asked_bytes: int = 64 << 20  # of one peer's open asks
    ping_every_s: float = 1.0
    dead_after_s: float = 4.0
    ping_remote_every_s: float = 2.0
    dead_remote_after_s: float = 8.0
    suspect_s: float = 2.0  # how long a link that was cut may take to come back
    stuck_s: float = 5.0  # how long an ask that is over may keep its place in a process
    claim_s: float = 1.0  # how long processes may take to say what they hold, after the broker's start
    forgotten_s: float = 600.0  # after so long without a process a service's figures are forgotten
    absent_s: float = 3.0  # a supervisor has a dead process back within 1 s; after three nobody is coming
    absent_remote_s: float = (
        30.0  # the last one was another machine's, and its link may heal; an ask's own time ends sooner
    )
    absent_ask_s: float = 1.0  # but every ask waits this long: the process may just be being started
    hopeful: float = 0.8  # an ask whose predicted wait is above this share of its time is refused at once
    replies: int = 5_000  # answers kept for askers whose link was cut
    replies_bytes: int = 16 << 20
    reply_bytes: int = 64 << 10
    calls: int = 1_000  # ended calls that can be looked at
    dead_letters: int = 100
    dropped: int = 5_000  # commands remembered that were given out and whose asker left before they were answered
    unread_bytes: int = 32 << 20  # answers that a peer may leave unread before it is refused more; pinged at a quarter


class Service:
    """One name that can be asked, and the processes that answer to it."""

    __slots__ = (
        "absent_since",
        "cut_off",
        "failed",
        "gives",
        "name",
        "queue",
        "share",
        "takes_raw",
        "waited",
        "worked",
        "workers",
    )

    def __init__(self, name: str, places: int, now: float) -> None:
        self.name = name
        row = labels.row(name)
        self.takes_raw = Label.RAW in row.takes
        self.gives = row.gives
        self.workers: list[Peer] = []
        self.queue: FairQueue[Task] = FairQueue()
        self.share = Share(places)
        self.waited = Times()
        self.worked = Times()
        self.failed = 0
        self.absent_since = now
        self.cut_off = False  # its last process was another machine's, and took no leave: it may come back

    @property
    def slots(self) -> int:
        """How many asks its processes hold at a time, together."""
        return sum(peer.told.capacity for peer in self.workers)

    @property
    def remembers(self) -> bool:
        """Whether its commands may be given again to another of its processes."""
        return any(peer.told.remembers for peer in self.workers)


class Peer:
    """One connected process, from its registration until it is lost; `key` is its address."""

    __slots__ = (
        "asked",
        "asked_bytes",
        "away",
        "capacity",
        "claims",
        "done",
        "draining",
        "heard_at",
        "inherited",
        "key",
        "met",
        "missed",
        "pinged_at",
        "pinged_bytes",
        "remote",
        "running",
        "served",
        "service",
        "since",
        "suspect",
        "told",
        "unanswered_since",
        "unread",
        "unread_bytes",
        "unsure",
        "window",
        "zombies",
    )

    def __init__(self, key: bytes, told: Register, service: Service, window: int, now: float) -> None:
        self.key = key
        self.told = told
        self.capacity = told.capacity
        self.service = service
        self.remote = is_remote(key)
        self.since = self.heard_at = self.pinged_at = now
        self.window = Share(window)
        self.asked: set[bytes] = set()
        self.asked_bytes = 0
        self.running: set[bytes] = set()
        self.zombies: dict[bytes, float] = {}  # asks that are over, but keep their place until this time
        self.inherited: set[bytes] = set()  # of these, what it held when it came: nobody has ended it yet
        self.unsure: dict[bytes, int] = {}  # asks (and their stop) that another got because this one is suspect
        self.claims: set[tuple[bytes, int]] = set()  # what it held when it registered
        self.done = 0
        self.met = 0  # the number of its registration
        self.served = 0  # when it was last given something, in gives
        self.unread = self.missed = 0
        self.unread_bytes = 0  # answers sent to it that no PONG has told read
        self.pinged_bytes = 0  # of these, how many were sent before the last ping
        self.unanswered_since = 0.0  # the first ping that it has not answered; 0.0: none
        self.draining = False
        self.suspect = False
        self.away = False  # one of both: it is given nothing now

    def leaves_off(self, number: bytes) -> bool:
        """Tell whether it was told to leave off this ask, and has not said yet that it did."""
        return number in self.zombies and number not in self.inherited


class Leg(msgspec.Struct, frozen=True, gc=False):
    """What happened at one stop, in one attempt; times are monotonic, in s."""

    service: str
    pid: int
    attempt: int
    queued_at: float
    given_at: float
    left_at: float
    outcome: str


class Task(msgspec.Struct, eq=False):
    """One ask on its way: where it is, what its next stop is given, and how clean that is. Times as in Leg."""

    number: bytes
    asker: Peer
    envelope: Envelope
    frames: Frames
    label: Label
    services: tuple[Service, ...]
    session: str
    priority: Priority
    began_at: float
    expires_at: float
    resent: bool
    size_bytes: int
    position: int = 0
    attempt: int = 1
    cuts: int = 0
    queued_at: float = 0.0
    given_at: float = 0.0
    failed: bool = False
    waiting: bool = False
    worker: Peer | None = None
    handed: bool = False  # its worker may have had it before it was last sent there
    legs: list[Leg] = []

    @property
    def service(self) -> Service:
        """The service of the stop it waits for or is at."""
        return self.services[self.position]

    @property
    def delivery(self) -> Delivery:
        """What may be done if the process dies that works on it."""
        return self.envelope.itinerary[self.position].delivery

    def leave(self, now: float, outcome: str) -> None:
        """Write down that it leaves the process that it is at."""
        if self.worker is not None:
            name, pid = self.service.name, self.worker.told.pid
            self.legs.append(Leg(name, pid, self.attempt, self.queued_at, self.given_at, now, outcome))
            self.worker = None


class Reply(NamedTuple):
    """An answer that was sent, for an asker that may not have got it."""

    asker: bytes
    envelope: Envelope
    frames: Frames
    size_bytes: int


class Ended(msgspec.Struct, frozen=True, gc=False):
    """A call that is over."""

    trace: str
    session: str
    asker: str
    began_at: float
    ended_at: float
    outcome: str
    legs: list[Leg]


class Letter(NamedTuple):
    """A call that was given up after its last attempt."""

    trace: str
    service: str
    stops: tuple[str, ...]
    pids: tuple[int, ...]
    died_at: float
