"""The wire format between processes: the envelope and its frames.

Rules of this file:
- A message is `[envelope, body, blob…]`. The envelope is a MessagePack array; only the services that exchange body and
  blobs decode them.
- An itinerary is the list of stops that a request makes. What one stop answers is the next one's body; the last answer
  goes back to the asker.
- Time travels as what remains of it (`ttl_ms`), re-stamped at every hop: no two processes share a clock.
"""

import enum
import itertools
import os

import msgspec

FRAMES_MAX = 16  # an envelope, a body, and a few blobs; more is no message of ours
MESSAGE_BYTES_MAX = 16 << 20  # above the 10 MB that one HTTP body may have (SPEC.md, Limits)
ENVELOPE_BYTES_MAX = 1 << 20  # the stops' messages, a script to run included; decoded by the broker at each hop
CANCELLED = 1  # `attempt` of an answer: see Envelope
ASKED_BEFORE, ADMITTED_BEFORE = 1, 2  # `attempt` of an ask from its asker
REMOTE = b"\x01"  # first byte of the address of a peer on another machine; identities of this one begin otherwise


class Kind(enum.IntEnum):
    """The purpose of a message. A REGISTER is answered by a REGISTER, a GOODBYE by a GOODBYE, a PING by a PONG.

    A broker that stops sends CLOSING, which is answered by a CLOSING: new asks are kept for the next broker. A GOODBYE
    with an ask's id means that the ask came too late for this broker. A PEER_LOST goes from the broker to each process
    that registered for it. A NOTE goes from a process to all of its service, by way of the broker. See hub/sharing.py.
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
    PEER_LOST = 10
    CLOSING = 11
    NOTE = 12


class Label(enum.IntEnum):
    """What a message may hold: `RAW` is page data, `CLEAN` went through redaction. See labels.py."""

    CLEAN = 0
    RAW = 1


class Delivery(enum.IntEnum):
    """What may be done about a stop whose process died while working on it. See hub/delivery.py."""

    QUERY = 0
    COMMAND = 1
    STORE = 2


class Priority(enum.IntEnum):
    """Which asks are served first: a person waits for an INTERACTIVE one, not for a BACKGROUND one."""

    INTERACTIVE = 0
    BACKGROUND = 1


class Stop(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One stop of an itinerary: the service, and its message besides the body (encoded, MessagePack)."""

    service: str
    message: msgspec.Raw
    delivery: Delivery = Delivery.QUERY


class Envelope(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The address of a message. `id` is the ask's, kept through all its stops, attempts and its answer.

    `position` is that of the stop that is asked, or that answers. `attempt` counts the broker's assignments from 1; in
    an ask from its asker it is ASKED_BEFORE when an earlier broker may have received it, ADMITTED_BEFORE when that one
    handed it back with a GOODBYE of the same `attempt`, and 0 when none has; in an answer it is CANCELLED
    when the work was cancelled, which is no answer to an asker that still waits. A REGISTER's `position` counts the
    links of a process; its `id` in the broker's answer is the broker's life. `trace` is a W3C trace id.
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


def stop(service: str, message: msgspec.Struct, delivery: Delivery = Delivery.QUERY) -> Stop:
    """Make the stop at which `service` receives `message`."""
    return Stop(service, msgspec.Raw(pack(message)), delivery)


def is_remote(peer: bytes) -> bool:
    """Return whether this address, as the broker's process passes it to routing, is that of another machine."""
    return peer[:1] == REMOTE


pack = msgspec.msgpack.Encoder().encode
read_envelope = msgspec.msgpack.Decoder(Envelope).decode
MALFORMED = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)  # all that msgspec raises on bytes of any kind


class Ids:
    """Generates the ids of one process's asks: 8 random bytes for its life, and 8 of a counter."""

    def __init__(self) -> None:
        self._life = os.urandom(8)
        self._count = itertools.count(1)

    def next(self) -> bytes:
        """Return an id that no other ask of any process has."""
        return self._life + next(self._count).to_bytes(8)
