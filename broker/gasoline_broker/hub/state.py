"""What one broker life remembers of peers, services and asks in flight: the tables that every part of routing shares.

Nothing here outlives the broker. Times are monotonic, in s.
"""

from collections import Counter, deque
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from gasoline_broker.actor.wire import Delivery, Envelope, Kind, Label, Priority, is_remote, pack
from gasoline_broker.errors import Failure
from gasoline_broker.hub import labels
from gasoline_broker.hub.events import Frames, Send
from gasoline_broker.hub.fairness import FairQueue, Share
from gasoline_broker.hub.latency import Times
from gasoline_broker.hub.limits import Limits
from gasoline_broker.hub.replies import Replies
from gasoline_broker.messages import Register

PING, FAILURE = Kind.PING, Kind.FAILURE


class Service:
    """One name that can be asked, and the processes that answer for it."""

    __slots__ = (
        "absent_since",
        "accepts_raw",
        "failed",
        "lost_remote",
        "name",
        "notes",
        "notes_bytes",
        "output_label",
        "queue",
        "share",
        "waited",
        "worked",
        "workers",
    )

    def __init__(self, name: str, places: int, now: float) -> None:
        self.name = name
        row = labels.row(name)
        self.accepts_raw = Label.RAW in row.accepts
        self.output_label = row.output
        self.workers: list[Peer] = []
        self.notes: deque[bytes] = deque()  # what its processes have sent each other, for those that come later
        self.notes_bytes = 0
        self.queue: FairQueue[Task] = FairQueue()
        self.share = Share(places)
        self.waited = Times()
        self.worked = Times()
        self.failed = 0
        self.absent_since = now
        self.lost_remote = False  # its last process was on another machine and did not sign off: it may come back

    @property
    def slots(self) -> int:
        """How many asks its processes hold at a time, together."""
        return sum(peer.capacity for peer in self.workers)

    @property
    def remembers(self) -> bool:
        """Whether its commands may be assigned again to another of its processes."""
        return any(peer.registration.remembers for peer in self.workers)


class Peer:
    """One connected process, from its registration until it is lost; `key` is its address."""

    __slots__ = (
        "asked",
        "asked_bytes",
        "assigned_last",
        "capacity",
        "claims",
        "done",
        "draining",
        "inherited",
        "key",
        "last_seen_at",
        "link_number",
        "overdue",
        "pinged_at",
        "pinged_bytes",
        "reassigned",
        "registered_at",
        "registration",
        "remote",
        "running",
        "service",
        "suspect",
        "unanswered_since",
        "unavailable",
        "unread_bytes",
        "window",
    )

    def __init__(self, key: bytes, registration: Register, service: Service, window: int, now: float) -> None:
        self.key = key
        self.registration = registration
        self.capacity = registration.capacity
        self.service = service
        self.remote = is_remote(key)
        self.registered_at = self.last_seen_at = self.pinged_at = now
        self.window = Share(window)
        self.asked: set[bytes] = set()
        self.asked_bytes = 0
        self.running: set[bytes] = set()
        self.overdue: dict[bytes, float] = {}  # asks that are over, but keep their place until this time
        self.inherited: set[bytes] = set()  # of these, the ones it held when it registered: not cancelled yet
        self.reassigned: dict[bytes, int] = {}  # asks (and their stop) that another process has, as this one is suspect
        self.claims: set[tuple[bytes, int]] = set()  # the stops it held when it registered
        self.done = 0
        self.link_number = 0  # counts the links of the process, as its registration states it
        self.assigned_last = 0  # the number of the last assignment it received
        self.unread_bytes = 0  # answers sent to it that no PONG has confirmed
        self.pinged_bytes = 0  # of these, how many were sent before the last ping
        self.unanswered_since = 0.0  # the first ping that it has not answered; 0.0: none
        self.draining = False
        self.suspect = False
        self.unavailable = False  # draining or suspect: it is assigned nothing now

    def is_cancelling(self, ask_id: bytes) -> bool:
        """Return whether it was asked to cancel this ask and has not confirmed it yet."""
        return ask_id in self.overdue and ask_id not in self.inherited


class Attempt(msgspec.Struct, frozen=True, gc=False):
    """What happened at one stop, in one process. `number` counts the attempts at that stop."""

    service: str
    pid: int
    number: int
    queued_at: float
    assigned_at: float
    ended_at: float
    outcome: str


class Task(msgspec.Struct, eq=False):
    """One ask in flight: where it is, what its next stop receives, and the label of that."""

    ask_id: bytes
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
    assigned_at: float = 0.0
    failed: bool = False
    waiting: bool = False
    worker: Peer | None = None
    maybe_received: bool = False  # its worker may have received it before it was last sent there
    attempts: list[Attempt] = []

    @property
    def service(self) -> Service:
        """The service of the stop it waits for or is at."""
        return self.services[self.position]

    @property
    def delivery(self) -> Delivery:
        """What may be done if the process that works on it dies."""
        return self.envelope.itinerary[self.position].delivery

    def end_attempt(self, now: float, outcome: str) -> None:
        """Record that it leaves the process that it is at."""
        if self.worker is not None:
            name, pid = self.service.name, self.worker.registration.pid
            self.attempts.append(Attempt(name, pid, self.attempt, self.queued_at, self.assigned_at, now, outcome))
            self.worker = None


class Ended(msgspec.Struct, frozen=True, gc=False):
    """A call that is over."""

    trace: str
    session: str
    asker: str
    began_at: float
    ended_at: float
    outcome: str
    attempts: list[Attempt]


class Letter(NamedTuple):
    """A call that failed after its last attempt."""

    trace: str
    service: str
    stops: tuple[str, ...]
    pids: tuple[int, ...]
    died_at: float


class Identity(NamedTuple):
    """Which broker this is: `life` is drawn at random for each start."""

    pid: int = 0
    version: str = ""
    life: bytes = b""


class State:
    """The tables of one broker life, and the messages that the current event has caused so far (`out`)."""

    __slots__ = (
        "assignments",
        "beat_at",
        "calls",
        "counts",
        "dead_letters",
        "draining",
        "due",
        "expiries",
        "identity",
        "limits",
        "listeners",
        "out",
        "overdue",
        "peers",
        "replies",
        "services",
        "started_at",
        "suspects",
        "tasks",
        "unclaimed",
        "unclosed",
    )

    def __init__(self, now: float, limits: Limits, identity: Identity) -> None:
        self.limits = limits
        self.identity = identity
        self.started_at = now
        self.peers: dict[bytes, Peer] = {}
        self.services: dict[str, Service] = {}
        self.tasks: dict[bytes, Task] = {}
        self.unclaimed: dict[bytes, Task] = {}  # commands that a process may still report as held
        self.replies = Replies(limits)
        self.listeners: list[Peer] = []  # the peers that receive PeerLost
        self.suspects: dict[bytes, float] = {}  # until when, in this order
        self.overdue: dict[tuple[bytes, bytes], float] = {}  # by peer and ask: until when it may keep its place
        self.unclosed: set[bytes] = set()  # peers that have not confirmed the CLOSING
        self.expiries: list[tuple[float, bytes]] = []  # a heap
        self.assignments = 0
        self.draining = False
        self.beat_at = self.due = now + limits.ping_every_s
        self.counts: Counter[str] = Counter()
        self.calls: deque[Ended] = deque(maxlen=limits.calls)
        self.dead_letters: deque[Letter] = deque(maxlen=limits.dead_letters)
        self.out: list[Send] = []

    def send(self, peer: bytes, envelope: Envelope, frames: Frames = ()) -> None:
        """Send a message when the current event has been handled."""
        self.out.append(Send(peer, envelope, frames))

    def send_failure(self, peer: bytes, envelope: Envelope, failure: Failure) -> None:
        """Answer an ask that was not admitted."""
        self.send(peer, Envelope(FAILURE, envelope.id, trace=envelope.trace), [pack(failure)])

    def send_ping(self, now: float, peer: Peer) -> None:
        """Ask a peer for a sign of life."""
        peer.pinged_at = now
        if not peer.unanswered_since:  # a PONG answers the first ping that is unanswered
            peer.unanswered_since = now
            peer.pinged_bytes = peer.unread_bytes
        self.send(peer.key, Envelope(PING))

    def wake(self, at: float) -> None:
        """Have a tick no later than this."""
        self.due = min(self.due, at)

    def service(self, name: str) -> Service | None:
        """Return the service of a name, a new one if needed; None when there are too many, or the name is too long."""
        if len(self.services) >= self.limits.services or len(name) > self.limits.name_characters:
            return self.services.get(name)
        return self.services.setdefault(name, Service(name, self.limits.queue, self.started_at))

    def tasks_of(self, ask_ids: Iterable[bytes]) -> list[Task]:
        """Return the tasks of these ids, in one order for every run."""
        return [task for one in sorted(ask_ids) if (task := self.tasks.get(one))]
