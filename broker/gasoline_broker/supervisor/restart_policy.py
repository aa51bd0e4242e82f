"""When the supervisor restarts a process, and when it kills one that hangs."""

from collections import deque

from gasoline_broker.errors import CannotStart

DEATHS_MAX, WITHIN_S = 8, 20.0  # more deaths of one process within this time end the system
PAUSE_S, PAUSE_MAX_S = 0.05, 2.0
LIVED_S = 5.0  # a process that lived this long has its pause reset
HANG_CHECK_S = 1.0  # how often the broker's silence is checked
SILENT_S = 5.0  # the broker sends something at least once a second: five are lost
UNLINKED_S = 10.0  # a broker starts, and every link is up, within 1 s; a busy machine gets ten times that

REGISTERED_CHECK_S = 2.0  # how often it is checked which processes the broker does not know
UNREGISTERED_S = 30.0  # sixty processes that start at once on two cores take half of it


class RestartBudget:
    """The recent deaths of one process; decides the pause before its next start."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=DEATHS_MAX)
        self._pause_s = 0.0

    def pause_s(self, now: float, lived_s: float) -> float:
        """Record a death and return the pause, in seconds.

        Raises:
            CannotStart: it died too often.

        """
        if len(self._times) == DEATHS_MAX and now - self._times[0] < WITHIN_S:
            raise CannotStart(f"it died {DEATHS_MAX + 1} times within {WITHIN_S:g} s.")
        self._times.append(now)
        grown = self._pause_s * 2 if self._pause_s else PAUSE_S
        self._pause_s = 0.0 if lived_s >= LIVED_S else min(grown, PAUSE_MAX_S)
        return self._pause_s


class RegistrationWatch:
    """Finds the processes that live and that the broker has not known for too long."""

    def __init__(self, now: float) -> None:
        self._checked_at = now
        self._since: dict[int, float] = {}

    def expired(self, now: float, living: set[int], known: set[int]) -> list[int]:
        """Return the processes to kill; call it every REGISTERED_CHECK_S. Without a broker, or when late, none is."""
        late, self._checked_at = now - self._checked_at > 3 * REGISTERED_CHECK_S, now
        if late or not known:
            self._since = {}
            return []
        self._since = {pid: self._since.get(pid, now) for pid in living - known}
        return [pid for pid, since in self._since.items() if now - since >= UNREGISTERED_S]


class HangWatch:
    """Decides whether the broker was silent for too long while this process was awake to notice."""

    def __init__(self, now: float) -> None:
        self._checked_at = self._awake_since = self._last_received_at = now

    def is_hung(self, now: float, silent_s: float | None, begun: float) -> bool:
        """Return whether the broker is to be killed; call it every HANG_CHECK_S. When this is late, it is not.

        `silent_s`: how long the link has received nothing, None while there is none; `begun`: when the broker started.
        """
        if now - self._checked_at > 2 * HANG_CHECK_S:
            self._awake_since = now
        self._checked_at = now
        if silent_s is not None:
            self._last_received_at = now - silent_s
        limit_s = UNLINKED_S if silent_s is None else SILENT_S
        return now - max(self._last_received_at, self._awake_since, begun) >= limit_s
