"""The events that routing handles, and the action that it returns."""

from collections.abc import Sequence
from typing import Any

import msgspec

from gasoline_broker.actor.wire import Envelope

Frames = Sequence[Any]  # body and blobs as received; never decoded


class Received(msgspec.Struct, frozen=True, gc=False):
    """Event: a message from a peer."""

    peer: bytes
    envelope: Envelope
    frames: Frames


class Lost(msgspec.Struct, frozen=True, gc=False):
    """Event: a peer cannot be reached. `unsent`: the asks that could not be sent to it."""

    peer: bytes
    unsent: frozenset[bytes] = frozenset()


class Ticked(msgspec.Struct, frozen=True, gc=False):
    """Event: time has passed; `due()` returns when the next tick is wanted."""


class Drained(msgspec.Struct, frozen=True, gc=False):
    """Event: accept nothing more; `idle` is true when everything in flight has finished."""


Event = Received | Lost | Ticked | Drained


class Send(msgspec.Struct, frozen=True, gc=False):
    """Action: send this message to that peer."""

    peer: bytes
    envelope: Envelope
    frames: Frames = ()
