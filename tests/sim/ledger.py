"""The ledger of a run: what was asked, done and answered; a broken promise is an AssertionError."""

from collections import Counter

import msgspec

from gasoline_broker.actor.mailbox import GRACE_S
from gasoline_broker.actor.wire import Delivery, Envelope, Kind
from gasoline_broker.errors import Failure

SECRET = b"the page said"
LATE_S = 0.05  # how much later than its bound an asker may learn it: a message's way


class Asked(msgspec.Struct):
    """One ask, as its asker knows it; times are virtual."""

    until: float
    settled: int = 0
    given_up: bool = False
    orphaned: bool = False
    slack_s: float = 0.0  # how long its asker could not look, or how far its clock was set


class Ledger:
    """The books of one run."""

    def __init__(self) -> None:
        self.asked: dict[bytes, Asked] = {}
        self.outcomes: Counter[str] = Counter()
        self.done: Counter[tuple[bytes, int]] = Counter()
        self._served: dict[tuple[str, int, str], set[str]] = {}
        self._waiting: Counter[tuple[str, int, str]] = Counter()

    def __repr__(self) -> str:
        return repr((self.asked, self.outcomes, self.done))

    def settled(self, ask_id: bytes, kind: Kind, frames: list[bytes], now: float) -> None:
        """Note an answer: it is the only one, it is in time, and it holds no page data."""
        one = self.asked[ask_id]
        one.settled += 1
        assert 1 == one.settled, "an ask is settled once"
        assert not one.given_up, "an ask that was given up is not settled"
        assert now <= one.until + GRACE_S + one.slack_s + LATE_S, ("an ask is settled in time", now, one)
        assert SECRET not in b"".join(frames), "no page data reaches an asker unredacted"
        failed = kind is Kind.FAILURE
        outcome = msgspec.msgpack.decode(frames[0], type=Failure).code if failed else "answered"
        assert outcome != "cancelled", "an ask that is still open is not answered as cancelled"
        self.outcomes[outcome] += 1

    def began(self, envelope: Envelope, frames: list[bytes]) -> None:
        """Note that a stop was assigned to a process: page data comes to redaction alone."""
        stop = envelope.itinerary[envelope.position]
        assert SECRET not in b"".join(frames) or stop.service == "redaction", stop.service

    def did(self, envelope: Envelope) -> None:
        """Note that a stop's work had its effect: a command's has it once."""
        step_key = envelope.id, envelope.position
        self.done[step_key] += 1
        if envelope.itinerary[envelope.position].delivery is Delivery.COMMAND:
            assert 1 == self.done[step_key], "a command is done once"

    def forget_turns(self) -> None:
        """Start over with the turns."""
        self._served.clear()

    def waits(self, waiting: Counter[tuple[str, int, str]]) -> None:
        """Note how many of each session wait for what: a new one has had no turn of others to wait for."""
        self._waiting = waiting
        self._served = {key: self._served.get(key, set()) for key in waiting}

    def turn(self, service: str, priority: int, session: str) -> None:
        """Note a session's turn: none has a second one while another waits for the first."""
        mine = service, priority, session
        for key, served in self._served.items():
            if key[:2] == mine[:2] and key != mine:
                assert session not in served, f"{session} was served twice while {key[2]} waited for {service}"
                served.add(session)
        self._waiting[mine] -= 1
        if self._waiting[mine]:
            self._served[mine] = set()
        else:
            del self._served[mine]

    def close(self) -> None:
        """Find every ask settled, unless its asker was gone."""
        for ask_id, one in self.asked.items():
            assert one.settled or one.given_up or one.orphaned, (ask_id, one)
