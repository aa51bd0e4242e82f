"""How patient the supervisor is with what dies and with what is silent; it decides, and looks at no clock itself."""

from collections import deque

from gasoline_broker.errors import CannotStart

DEATHS, WITHIN_S = 8, 20.0  # more deaths of one process within this time end the system
PAUSE_S, PAUSE_MAX_S = 0.05, 2.0
LIVED_S = 5.0  # a process that lived this long has its pause reset
LOOK_S = 1.0  # how often the broker's silence is looked at
SILENT_S = 5.0  # the broker says something at least once a second: five are lost
UNLINKED_S = 10.0  # a broker starts, and every link stands, within 1 s; a busy machine is given ten times that

LOOK_ABSENT_S = 2.0  # how often it is looked who the broker does not know
ABSENT_S = 30.0  # sixty processes that start at once on two cores take half of it


class Deaths:
    """How often one process died lately; decides the pause before its next start."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=DEATHS)
        self._pause_s = 0.0

    def pause_s(self, now: float, lived_s: float) -> float:
        """Note a death and give the pause, in seconds.

        Raises:
            CannotStart: it died too often.

        """
        if len(self._times) == DEATHS and now - self._times[0] < WITHIN_S:
            raise CannotStart(f"it died {DEATHS + 1} times within {WITHIN_S:g} s.")
        self._times.append(now)
        grown = self._pause_s * 2 if self._pause_s else PAUSE_S
        self._pause_s = 0.0 if lived_s >= LIVED_S else min(grown, PAUSE_MAX_S)
        return self._pause_s


class Absences:
    """Notes which of our processes the broker does not know; decides who is absent for too long."""

    def __init__(self, now: float) -> None:
        self._looked_at = now
        self._since: dict[int, float] = {}

    def over(self, now: float, living: set[int], known: set[int]) -> list[int]:
        """Give who is absent for too long; to be asked every LOOK_ABSENT_S. Without a broker, or late, blame nobody."""
        late, self._looked_at = now - self._looked_at > 3 * LOOK_ABSENT_S, now
        if late or not known:
            self._since = {}
            return []
        self._since = {pid: self._since.get(pid, now) for pid in living - known}
        return [pid for pid, since in self._since.items() if now - since >= ABSENT_S]


class Vigil:
    """Watches over the broker's silence; decides whether it lasted too long while we were awake to hear a word."""

    def __init__(self, now: float) -> None:
        self._looked_at = self._awake_since = self._heard_at = now

    def is_over(self, now: float, silent_s: float | None, begun: float) -> bool:
        """Tell whether the broker is to be killed; to be asked every LOOK_S. Who is late itself blames nobody.

        `silent_s`: how long the link has heard nothing, None while there is none; `begun`: when the broker was started.
        """
        if now - self._looked_at > 2 * LOOK_S:
            self._awake_since = now
        self._looked_at = now
        if silent_s is not None:
            self._heard_at = now - silent_s
        limit_s = UNLINKED_S if silent_s is None else SILENT_S
        return now - max(self._heard_at, self._awake_since, begun) >= limit_s
