"""The bounds of one broker."""

from typing import NamedTuple


class Limits(NamedTuple):
    """The bounds of one broker. Times in seconds, counts in asks; the sources are in docs/design.md, Broker."""

    queue: int = 2_000  # places per service, of asks that wait, run or are still to come to it
    window: int = 256  # open asks of one peer: below the socket's 1,000 messages, so that no answer can be dropped
    stops: int = 8
    ttl_ms: int = 24 * 3600 * 1000
    id_bytes: int = 32
    name_characters: int = 256  # of a session, a trace, a service
    services: int = 256  # names that are remembered
    holds: int = 10_000  # of one process: more than a mailbox remembers
    asked_bytes: int = 64 << 20  # of one peer's open asks
    ping_every_s: float = 1.0
    dead_after_s: float = 4.0
    ping_remote_every_s: float = 2.0
    dead_remote_after_s: float = 8.0
    suspect_s: float = 2.0  # how long a link that was cut may take to come back
    stuck_s: float = 5.0  # how long an ask that is over may keep its place in a process
    claim_s: float = 1.0  # how long after the broker's start processes may take to report what they hold
    forgotten_s: float = 600.0  # after so long without a process a service's latencies are forgotten
    absent_s: float = 6.0  # a supervisor restarts a dead process within 1 s, on a busy machine within 5
    absent_remote_s: float = 30.0  # the last process was on another machine, and its link may heal
    absent_ask_s: float = 1.0  # but every ask waits this long: the process may just be starting
    hopeful: float = 0.8  # an ask whose predicted wait is above this share of its time is refused at once
    replies: int = 5_000  # answers kept for askers whose link was cut
    replies_bytes: int = 16 << 20
    reply_bytes: int = 64 << 10
    doubtful: int = 5_000  # ids kept of asks that may have been executed and whose answer is not here
    notes: int = 400  # kept for each service that shares; less than a socket's HIGH_WATER_MARK, for they go out at once
    notes_bytes: int = 1 << 20
    note_bytes: int = 64 << 10
    calls: int = 1_000  # ended calls that can be inspected
    dead_letters: int = 100
    unread_bytes: int = 32 << 20  # answers that a peer may leave unread before it is refused more; pinged at a quarter
