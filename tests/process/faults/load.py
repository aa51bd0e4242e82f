"""A steady load of asks of all kinds, and its accounts: what became of each ask, and what was done twice."""

import asyncio
import contextlib
import itertools
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import msgspec

from gasoline_broker.actor.client import Link
from gasoline_broker.actor.wire import Delivery, Priority, Stop, stop
from gasoline_broker.errors import Failed
from process.faults.worker_app import Work, Worked, noted
from process.processes import BOUND_S

WINDOW = 200  # open asks of one link; a broker refuses more than 256
LATE_S = 1.0  # after its deadline an ask that is not settled hangs, if we were not late ourselves
TURN_S = 0.005
SESSIONS = 7


class Kind(NamedTuple):
    """One kind of ask: its stops, and the bytes of the blob that each of them adds."""

    delivery: Delivery
    stops: int = 1
    blob_bytes: int = 0
    priority: Priority = Priority.INTERACTIVE


QUERIES = (
    Kind(Delivery.QUERY),
    Kind(Delivery.QUERY, stops=2),
    Kind(Delivery.QUERY, blob_bytes=20_000),
    Kind(Delivery.QUERY, stops=2, blob_bytes=100_000),
    Kind(Delivery.QUERY, priority=Priority.BACKGROUND),
)
COMMANDS = (
    Kind(Delivery.COMMAND, priority=Priority.BACKGROUND),
    Kind(Delivery.COMMAND, blob_bytes=20_000),
    Kind(Delivery.COMMAND, stops=2),
)
MIXED = tuple(itertools.chain.from_iterable(itertools.zip_longest(QUERIES, COMMANDS, fillvalue=QUERIES[0])))


class Outcome(NamedTuple):
    """What became of one ask. `code`: its failure's, empty when it was answered. Times: monotonic, s."""

    number: int
    delivery: Delivery
    code: str
    begun: float
    ended: float
    until: float


class Result:
    """The accounts of a load. `sent` asks have these outcomes, and these numbers were noted by the workers."""

    def __init__(
        self, sent: int, outcomes: Sequence[Outcome], done: Counter[int], withheld: int = 0, lags: Sequence[float] = ()
    ) -> None:
        self.sent = sent
        self.outcomes = outcomes
        self.withheld = withheld  # not sent: too many were open
        self._done = done
        self._lags = lags

    @classmethod
    def read(cls, folder: Path, pid: int) -> "Result":
        """Read the accounts that another process has left behind (asker.py)."""
        accounts, log = folder / f"accounts.{pid}", folder / f"asked.{pid}"
        kind = tuple[int, list[Outcome], list[float]]
        sent, outcomes, lags = msgspec.json.decode(accounts.read_bytes(), type=kind)
        return cls(sent, outcomes, Counter(noted(log)), lags=lags)

    def of(self, delivery: Delivery) -> "Result":
        """Return the accounts of one kind of ask; none of them can be unaccounted for."""
        outcomes = [one for one in self.outcomes if one.delivery is delivery]
        return Result(len(outcomes), outcomes, self._done, lags=self._lags)

    @property
    def answered(self) -> int:
        return sum(not one.code for one in self.outcomes)

    @property
    def failed(self) -> dict[str, int]:
        """How many failed, by code."""
        return dict(Counter(one.code for one in self.outcomes if one.code))

    @property
    def unaccounted(self) -> int:
        return self.sent - self.answered - sum(self.failed.values())

    @property
    def doubled(self) -> int:
        """How many stops of commands were begun more than once."""
        return sum(times > 1 for times in self._done.values())

    @property
    def undone(self) -> int:
        """How many commands were answered, but never begun."""
        done = {number // 10 for number in self._done}
        return sum(not one.code and one.number not in done for one in self.of(Delivery.COMMAND).outcomes)

    @property
    def failed_but_done(self) -> int:
        """How many commands failed after they were begun."""
        failed = {one.number for one in self.outcomes if one.code}
        return len(failed & {number // 10 for number in self._done})

    @property
    def hung(self) -> int:
        """How many were settled long after their deadline."""
        late_s = LATE_S + max(self._lags, default=0.0)
        return sum(one.ended > one.until + late_s for one in self.outcomes)

    @property
    def noise_ms(self) -> float:
        """How late the asker's own turns were, 99 in 100 of them: the machine's noise."""
        lags = sorted(self._lags)
        return lags[int(len(lags) * 0.99)] * 1000 if lags else 0.0

    def quantile_ms(self, part: float, code: str = "") -> float:
        """Return how long the fastest `part` of what was answered (or failed with this code) took at most."""
        took_s = sorted(one.ended - one.begun for one in self.outcomes if one.code == code)
        return took_s[min(len(took_s) - 1, int(len(took_s) * part))] * 1000 if took_s else 0.0

    @property
    def p99_ms(self) -> float:
        return self.quantile_ms(0.99)

    @property
    def max_ms(self) -> float:
        return self.quantile_ms(1.0)

    def stalls_ms(self, faults: Iterable[float]) -> list[float]:
        """Return for each of these times how long after it the first ask was answered that was asked after it."""
        answered = [one for one in self.outcomes if not one.code]
        ends = ([one.ended - at for one in answered if one.begun >= at] for at in faults)
        return [min(after) * 1000 for after in ends if after]

    def __repr__(self) -> str:
        figures: dict[str, Any] = {
            "sent": self.sent,
            "answered": self.answered,
            "failed": self.failed,
            "unaccounted": self.unaccounted,
            "doubled": self.doubled,
            "failed_but_done": self.failed_but_done,
            "hung": self.hung,
            "withheld": self.withheld,
        }
        quantiles = (("p50", 0.5), ("p99", 0.99), ("max", 1.0))
        figures |= {f"{name}_ms": round(self.quantile_ms(part), 1) for name, part in quantiles}
        figures["noise_ms"] = round(self.noise_ms, 1)
        return f"Result({', '.join(f'{name}={value}' for name, value in figures.items())})"


class Load:
    """Asks `per_s` asks a second through these links while it is entered; `result` is complete afterwards."""

    def __init__(
        self,
        links: Sequence[Link],
        log: Path,
        *,
        kinds: Sequence[Kind] = MIXED,
        per_s: float = 400.0,
        ttl_s: float = 20.0,
        took_ms: float = 1.0,
        service: str = "worker_app",
    ) -> None:
        self._links = links
        self._log = log
        self._kinds = itertools.cycle(kinds)
        self._per_s = per_s
        self._ttl_s = ttl_s
        self._took_ms = took_ms
        self._service = service
        self._numbers = itertools.count(1)
        self._open: Counter[Link] = Counter()
        self._asking: set[asyncio.Task[None]] = set()
        self._stopped = asyncio.Event()
        self.outcomes: list[Outcome] = []
        self.lags: list[float] = []
        self.sent = self.withheld = 0

    async def __aenter__(self) -> Self:
        """Begin to ask."""
        self._running = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *_: object) -> None:
        """Leave off asking, and wait for what is open: an ask that never ends is unaccounted for."""
        self.stop()
        await self._running
        if self._asking:
            await asyncio.wait(self._asking, timeout=self._ttl_s + BOUND_S)

    def stop(self) -> None:
        self._stopped.set()

    @property
    def open(self) -> int:
        return len(self._asking)

    @property
    def result(self) -> Result:
        return Result(self.sent, self.outcomes, Counter(noted(self._log)), self.withheld, self.lags)

    async def _run(self) -> None:
        begun, wanted = time.monotonic(), 0
        while not self._stopped.is_set():
            for wanted in range(wanted + 1, int((time.monotonic() - begun) * self._per_s) + 1):  # noqa: B020 - goes on
                self._begin(wanted)
            due = time.monotonic() + TURN_S
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopped.wait(), TURN_S)
            self.lags.append(max(0.0, time.monotonic() - due))

    def _begin(self, wanted: int) -> None:
        link = self._links[wanted % len(self._links)]
        if self._open[link] >= WINDOW:
            self.withheld += 1
            return
        self.sent += 1
        self._open[link] += 1
        task = asyncio.create_task(self._ask(link, next(self._numbers), next(self._kinds)))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _ask(self, link: Link, number: int, kind: Kind) -> None:
        begun = time.monotonic()
        code = await self._settle(link, number, kind)
        self._open[link] -= 1
        self.outcomes.append(Outcome(number, kind.delivery, code, begun, time.monotonic(), begun + self._ttl_s))

    async def _settle(self, link: Link, number: int, kind: Kind) -> str:
        """Ask, and give the code of the failure, empty when it is answered."""
        numbers = [number * 10 + at for at in range(kind.stops)]
        session = f"session {number % SESSIONS}"
        try:
            answer = await link.ask(
                *self._stops(numbers, kind), ttl_s=self._ttl_s, session=session, priority=kind.priority
            )
            right = numbers == answer.read(Worked).numbers
            right &= [kind.blob_bytes] * kind.stops == [len(blob) for blob in answer.blobs] or not kind.blob_bytes
        except Failed as fault:
            return fault.failure.code
        except Exception as fault:  # noqa: BLE001 - whatever it is, it is accounted for
            return type(fault).__name__
        return "" if right else "wrong_answer"

    def _stops(self, numbers: Sequence[int], kind: Kind) -> list[Stop]:
        log = str(self._log) if kind.delivery is Delivery.COMMAND else ""
        return [stop(self._service, Work(one, self._took_ms, kind.blob_bytes, log), kind.delivery) for one in numbers]
