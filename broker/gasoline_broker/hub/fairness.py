"""The queues in which asks wait and the places they take: bounded, and fair between sessions.

Rules of this file:
- INTERACTIVE before BACKGROUND; within each, sessions take turns, one ask a turn; within a session, first come first
  served. What was begun before goes first.
- A session may hold at most four times the places that are still free, so that one that floods leaves a fifth to the
  others, two that flood a ninth, and a newcomer always finds one (dynamic thresholds: Choudhury and Hahne, IEEE/ACM
  Transactions on Networking 6(2), 1998). No ask is evicted for it.
"""

from collections import OrderedDict
from typing import Generic, Protocol, TypeVar

from gasoline_broker.actor.wire import Priority

GREED = 4


class Waiting(Protocol):
    """What can wait."""

    ask_id: bytes
    session: str
    priority: Priority


W = TypeVar("W", bound=Waiting)


class Share:
    """A bounded number of places that sessions share."""

    __slots__ = ("_by_session", "bound", "taken")

    def __init__(self, bound: int) -> None:
        self.bound = bound
        self.taken = 0
        self._by_session: dict[str, int] = {}

    def admits(self, session: str, places: int = 1) -> bool:
        """Return whether this session may take so many more places."""
        return self._by_session.get(session, 0) + places - 1 < GREED * (self.bound - self.taken - places + 1)

    def take(self, session: str) -> None:
        """Take a place."""
        self.taken += 1
        self._by_session[session] = self._by_session.get(session, 0) + 1

    def give_back(self, session: str) -> None:
        """Return a place."""
        self.taken -= 1
        left = self._by_session[session] - 1
        if left:
            self._by_session[session] = left
        else:
            del self._by_session[session]


class FairQueue(Generic[W]):
    """The asks that wait for one service."""

    __slots__ = ("_lines", "_sizes", "size")

    def __init__(self) -> None:
        self._lines: tuple[OrderedDict[str, OrderedDict[bytes, W]], ...] = tuple(OrderedDict() for _ in Priority)
        self._sizes = [0 for _ in Priority]
        self.size = 0

    def push(self, one: W, *, first: bool = False) -> None:
        """Add an ask; `first`: before all others of its priority."""
        line = self._lines[one.priority]
        queue = line.get(one.session)
        if queue is None:
            queue = line[one.session] = OrderedDict()
        queue[one.ask_id] = one
        self._sizes[one.priority] += 1
        self.size += 1
        if first:
            queue.move_to_end(one.ask_id, last=False)
            line.move_to_end(one.session, last=False)

    def head(self) -> W | None:
        """Return the ask whose turn it is, without removing it."""
        for line in self._lines:
            for queue in line.values():
                return next(iter(queue.values()))
        return None

    def serve(self, one: W) -> None:
        """Remove an ask because it is served: its session has had its turn."""
        self.remove(one)
        line = self._lines[one.priority]
        if one.session in line:
            line.move_to_end(one.session)

    def remove(self, one: W) -> None:
        """Remove an ask."""
        line = self._lines[one.priority]
        queue = line[one.session]
        del queue[one.ask_id]
        self._sizes[one.priority] -= 1
        self.size -= 1
        if not queue:
            del line[one.session]

    def ahead(self, session: str, priority: Priority) -> int:
        """Return how many asks would be served before a new one of this session, at most."""
        line = self._lines[priority]
        turns = len(line.get(session, ())) + 1
        return sum(self._sizes[:priority]) + min(self._sizes[priority], turns * len(line))

    def all(self) -> list[W]:
        """Return all asks that wait."""
        return [one for line in self._lines for queue in line.values() for one in queue.values()]
