"""Answers kept for askers that may send their ask again, and the ids of asks whose answer is lost.

Rules of this file:
- An answer is kept where the asker may not receive it, and where repeating the ask is harmful or far.
- An ask is doubtful when it may have been executed and its answer is not here.
- Both tables are bounded; an answer that has to go makes its ask doubtful.
"""

from collections import OrderedDict
from typing import NamedTuple

from gasoline_broker.actor.wire import Envelope
from gasoline_broker.hub.events import Frames
from gasoline_broker.hub.limits import Limits


class Reply(NamedTuple):
    """An answer that was sent to `asker`, which may not have received it."""

    asker: bytes
    envelope: Envelope
    frames: Frames
    size_bytes: int


class Replies:
    """The answers of one broker life."""

    __slots__ = ("doubtful", "kept", "limits", "size_bytes")

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.kept: OrderedDict[bytes, Reply] = OrderedDict()
        self.size_bytes = 0
        self.doubtful: OrderedDict[bytes, None] = OrderedDict()

    def keep(self, ask_id: bytes, asker: bytes, envelope: Envelope, frames: Frames) -> None:
        """Keep an answer, in place of an earlier one with this id."""
        size_bytes = sum(map(len, frames))
        if size_bytes > self.limits.reply_bytes:
            self.doubt(ask_id)
            return
        if before := self.kept.pop(ask_id, None):
            self.size_bytes -= before.size_bytes
        self.kept[ask_id] = Reply(asker, envelope, frames, size_bytes)
        self.size_bytes += size_bytes
        while len(self.kept) > self.limits.replies or self.size_bytes > self.limits.replies_bytes:
            oldest, reply = self.kept.popitem(last=False)
            self.size_bytes -= reply.size_bytes
            self.doubt(oldest)

    def doubt(self, ask_id: bytes) -> None:
        """Remember that this ask may have been executed, in case it is sent again."""
        self.doubtful[ask_id] = None
        if len(self.doubtful) > self.limits.doubtful:
            self.doubtful.popitem(last=False)
