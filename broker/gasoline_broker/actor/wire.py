"""What travels between processes: the envelope and its frames. It holds no state and opens no socket.

Rules of this file:
- A message is `[envelope, body, blob…]`. The envelope is a MessagePack array; body and blobs are whatever the services
  agreed on, and nobody but they decodes them.
- An itinerary is the list of stops that a request makes. What one stop answers is the next one's body; the last answer
  goes back to whoever asked.
- Time travels as what remains of it (`ttl_ms`), re-stamped at every hop: no two processes share a clock.
"""

import enum
import itertools
import os

import msgspec

FRAMES_MAX = 16  # an envelope, a body, and a few blobs; more is no message of ours
MESSAGE_BYTES_MAX = 16 << 20  # above the 10 MB that one HTTP body may have (SPEC.md, Limits)
ENVELOPE_BYTES_MAX = 1 << 20  # what the stops are told, a script to run included; decoded by the broker at each hop
LEFT_OFF = 1
REMOTE = b"\x01"  # first byte of the address of a peer on another machine; identities of our own begin otherwise


class Kind(enum.IntEnum):
    """What a message is for. A REGISTER is answered by a REGISTER, a GOODBYE by a GOODBYE, a PING by a PONG.

    A broker that stops says CLOSING, which is answered by a CLOSING: new asks are kept for the broker that comes next.
    A GOODBYE with an ask's id says that this one came too late for it.
    An EVENT goes its itinerary, if it has one, and then to everybody who registered for its topic; nobody answers it,
    but each of them says TAKEN when it has read some: `position` is how many.
    """

    ASK = 1
    ANSWER = 2
    FAILURE = 3
    CANCEL = 4
    REGISTER = 5
    GOODBYE = 6
    PING = 7
    PONG = 8
    RESET = 9
    EVENT = 10
    TAKEN = 11
    CLOSING = 12


class Label(enum.IntEnum):
    """What a message may hold: `RAW` is what a page said, `CLEAN` went through redaction. See flow.py."""

    CLEAN = 0
    RAW = 1


class Delivery(enum.IntEnum):
    """What may be done about a stop whose process died while working on it. See routing.py."""

    QUERY = 0
    COMMAND = 1
    STORE = 2


class Priority(enum.IntEnum):
    """Who is served first where asks wait: somebody waits for an INTERACTIVE one, nobody for a BACKGROUND one."""

    INTERACTIVE = 0
    BACKGROUND = 1


class Stop(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One stop of an itinerary: the service, and what it is told besides the body (encoded, MessagePack)."""

    service: str
    message: msgspec.Raw
    delivery: Delivery = Delivery.QUERY


class Envelope(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The address of a message. `id` is the ask's, kept through all its stops, attempts and its answer.

    `position` is the stop's that is asked, or that answers. `attempt` counts from 1 what the broker gave to processes;
    in an ask that comes from its asker it is 1 when an earlier broker may have had it, 0 when not; in an answer it is
    LEFT_OFF when the work was cancelled, which answers nobody who still waits. A REGISTER's
    `position` counts the links of a process, its `id` in the broker's answer is the broker's life. `trace` is a W3C
    trace id, `missed` how many events before this one were dropped because their reader was too slow.
    """

    kind: Kind
    id: bytes = b""
    itinerary: tuple[Stop, ...] = ()
    position: int = 0
    ttl_ms: int = 0
    attempt: int = 0
    label: Label = Label.CLEAN
    session: str = ""
    trace: str = ""
    priority: Priority = Priority.INTERACTIVE
    topic: str = ""
    missed: int = 0


def stop(service: str, message: msgspec.Struct, delivery: Delivery = Delivery.QUERY) -> Stop:
    """Make the stop at which `service` is told `message`."""
    return Stop(service, msgspec.Raw(pack(message)), delivery)


def is_remote(peer: bytes) -> bool:
    """Tell whether this address, as the broker's process gives it to routing, is another machine's."""
    return peer[:1] == REMOTE


pack = msgspec.msgpack.Encoder().encode
read_envelope = msgspec.msgpack.Decoder(Envelope).decode
MALFORMED = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)  # all that msgspec raises on bytes of any kind


class Ids:
    """Makes the ids of one process's asks: 8 bytes of its life, drawn at random, and 8 of a counter."""

    def __init__(self) -> None:
        self._life = os.urandom(8)
        self._count = itertools.count(1)

    def next(self) -> bytes:
        """Give an id that no other ask of any process has."""
        return self._life + next(self._count).to_bytes(8)
