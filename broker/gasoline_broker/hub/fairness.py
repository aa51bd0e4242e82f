"""Where asks wait, and how many may: bounded and fair between sessions. It knows no service, no peer and no clock.

Rules of this file:
- INTERACTIVE before BACKGROUND; within each, sessions take turns, one ask a turn; within a session, first come first
  served. What was begun before goes first.
- A session may hold at most four times the places that are still free, so that one that floods leaves a fifth to the
  others, two that flood a ninth, and a newcomer always finds one (dynamic thresholds: Choudhury and Hahne, IEEE/ACM
  Transactions on Networking 6(2), 1998). Nobody is pushed out for it.
"""

from collections import OrderedDict
from typing import Generic, Protocol, TypeVar

from gasoline_broker.actor.wire import Priority

GREED = 4


class Waiting(Protocol):
    """What can wait."""

    number: bytes
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
        """Tell whether this session may take so many more places."""
        return self._by_session.get(session, 0) + places - 1 < GREED * (self.bound - self.taken - places + 1)

    def take(self, session: str) -> None:
        """Take a place."""
        self.taken += 1
        self._by_session[session] = self._by_session.get(session, 0) + 1

    def give_back(self, session: str) -> None:
        """Give a place back."""
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
        """Let one wait; `first`: before all others of its priority."""
        line = self._lines[one.priority]
        queue = line.get(one.session)
        if queue is None:
            queue = line[one.session] = OrderedDict()
        queue[one.number] = one
        self._sizes[one.priority] += 1
        self.size += 1
        if first:
            queue.move_to_end(one.number, last=False)
            line.move_to_end(one.session, last=False)

    def head(self) -> W | None:
        """Give the one whose turn it is; it goes on waiting."""
        for line in self._lines:
            for queue in line.values():
                return next(iter(queue.values()))
        return None

    def serve(self, one: W) -> None:
        """Let one go because it is served: its session has had its turn."""
        self.remove(one)
        line = self._lines[one.priority]
        if one.session in line:
            line.move_to_end(one.session)

    def remove(self, one: W) -> None:
        """Let one go."""
        line = self._lines[one.priority]
        queue = line[one.session]
        del queue[one.number]
        self._sizes[one.priority] -= 1
        self.size -= 1
        if not queue:
            del line[one.session]

    def ahead(self, session: str, priority: Priority) -> int:
        """Tell how many would be served before one that this session added now, at most."""
        line = self._lines[priority]
        turns = len(line.get(session, ())) + 1
        return sum(self._sizes[:priority]) + min(self._sizes[priority], turns * len(line))

    def all(self) -> list[W]:
        """List all that wait."""
        return [one for line in self._lines for queue in line.values() for one in queue.values()]
