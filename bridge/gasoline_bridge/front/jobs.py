"""Runs what goes on after its call was answered, and gives the outcome to whoever asks for it by its id.

Rules of this file:
- The journal has a job before its caller learns the id, and before it acts in the page; what reads begins meanwhile.
- Whoever waits has the outcome as soon as there is one; the journal stores it meanwhile.
- What ended with its front is run again by the next, once it is asked for. A job that acts in the page fails then: it
  may have acted.
- What the journal cannot store is kept here, as long as this process lives.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeVar

import msgspec
import structlog

from gasoline_bridge.front.replies import Reply
from gasoline_broker.actor.client import Link
from gasoline_broker.actor.wire import Delivery, pack, stop
from gasoline_broker.errors import Failed, Failure, fail
from gasoline_workers.journal import messages as journal

RUNNING_MAX = 16  # the bridge has 32 places, for everything
KEPT_S = 600.0  # as the journal
STORE_S = 10.0
BACK_S = 35.0  # a service worker that Chrome has ended is back with the next event, or with its alarm, each 30 s

AWAY = ("extension_disconnected", "deadline_exceeded")
"""How work fails whose service worker has ended: before it was asked, and while it ran (nothing states that then)."""

Done = TypeVar("Done")

logger = structlog.get_logger()

Work = Callable[[dict[str, Any]], Awaitable[Reply]]
"""Does what a request asks for."""


class Run(NamedTuple):
    """Does what a request asks for: the first time, and where it may have been begun before. `acts`: in the page."""

    first: Work
    again: Work
    acts: bool = False


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of a job: its reply, or why there is none."""

    reply: Reply | None = None
    failure: Failure | None = None


CANCELLED = Outcome(failure=Failure("cancelled", "The analysis was cancelled."))


class Running(NamedTuple):
    """A job that runs, until its outcome is stored, and the outcome, which is there before that."""

    task: asyncio.Task[None]
    outcome: asyncio.Future[Outcome]


class Kept(NamedTuple):
    """An outcome that the journal could not store, and until when it is kept (monotonic, s)."""

    outcome: Outcome
    until: float


class Jobs:
    """The jobs of one process life, of all its sessions; `alone`: held by the one that loads a page for its times."""

    def __init__(self, link: Link) -> None:
        self.alone = asyncio.Lock()
        self._link = link
        self._running: dict[str, Running] = {}
        self._unstored: dict[str, Kept] = {}
        self._stages: dict[asyncio.Task[None], str] = {}
        self._cancelled: set[str] = set()

    async def begin(self, request: dict[str, Any], run: Run) -> str:
        """Begin a job, and give its id.

        Raises:
            Failed: too many run, or that it begins could not be stored.

        """
        if len(self._running) >= RUNNING_MAX:
            fail("overloaded", f"{RUNNING_MAX} analyses are running.", "Fetch the result of one of them first.")
        job = secrets.token_hex(8)
        begin = stop("journal", journal.BeginJob(job, request), Delivery.STORE)
        stored = asyncio.create_task(self._link.ask(begin, ttl_s=STORE_S))
        if run.acts:
            await stored
        self._start(job, run.first(request), stored)
        try:
            await stored
        except (Failed, asyncio.CancelledError):
            self.stop(job)
            raise
        return job

    def note(self, stage: str) -> None:
        """Note how far the job is that calls this."""
        task = next((one.task for one in self._running.values() if one.task is asyncio.current_task()), None)
        if task is not None:
            self._stages[task] = stage

    def stage(self, job: str) -> str:
        """Give how far a job is, "" for one that states nothing."""
        running = self._running.get(job)
        return "" if running is None else self._stages.get(running.task, "")

    def stop(self, job: str) -> None:
        """Stop a job, if it still runs."""
        if job in self._running:
            self._running[job].task.cancel()

    async def cancel(self, job: str) -> None:
        """Have a job end as cancelled, for whoever asks for it; one that has ended stays as it is.

        Raises:
            Failed: `not_found`: it is unknown, or older than 10 minutes.

        """
        running = self._running.get(job)
        if running is not None:
            if not running.outcome.done():  # else its outcome is being stored
                self._cancelled.add(job)
                running.task.cancel()
        elif self._kept(job) is None and (await self._read(job)).outcome is None:  # it ended with its front
            await self._link.ask(
                stop("journal", journal.EndJob(job), Delivery.STORE), ttl_s=STORE_S, body=pack(CANCELLED)
            )

    async def outcome(self, job: str, wait_s: float, run: Run) -> Reply | None:
        """Give the reply of a job, waiting for it if need be; None: it has not ended.

        Raises:
            Failed: it ended so; `not_found`: it is unknown, or older than 10 minutes.

        """
        running = self._running.get(job)
        if running is None:
            ended = self._kept(job) or await self._stored(job, run)
            if ended is not None:
                return _unwrapped(ended)
            running = self._running[job]
        await asyncio.wait({running.outcome}, timeout=wait_s)
        return _unwrapped(running.outcome.result()) if running.outcome.done() else None

    async def close(self) -> None:
        """Stop the jobs: the next front runs those again that it is asked for."""
        tasks = [one.task for one in self._running.values()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _start(self, job: str, work: Awaitable[Reply], begun: Awaitable[object] | None = None) -> None:
        known = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(self._run(job, work, known, begun))
        self._running[job] = Running(task, known)

        def over(ended: asyncio.Task[None]) -> None:
            self._running.pop(job, None)
            self._stages.pop(ended, None)
            self._cancelled.discard(job)
            if known.done():
                return
            if ended.cancelled():
                known.cancel()
            elif fault := ended.exception():
                known.set_exception(fault)

        task.add_done_callback(over)

    async def _run(
        self, job: str, work: Awaitable[Reply], known: asyncio.Future[Outcome], begun: Awaitable[object] | None
    ) -> None:
        """Do the work, then store its outcome. `begun`: the journal's word that it has the job."""
        try:
            outcome = Outcome(reply=await work)
        except Failed as fault:
            outcome = Outcome(failure=fault.failure)
        except asyncio.CancelledError:
            if job not in self._cancelled:
                raise
            outcome = CANCELLED
        except Exception as fault:  # noqa: BLE001 - it would be begun again whenever it is asked for, and break again
            logger.error("job_broke", fault=type(fault).__name__)  # noqa: TRY400 - its text may be a page's
            outcome = Outcome(failure=Failure("internal_error", "The analysis failed."))
        known.set_result(outcome)
        ended = stop("journal", journal.EndJob(job), Delivery.STORE)
        try:
            if begun is not None:
                await begun
            await self._link.ask(ended, ttl_s=STORE_S, body=pack(outcome))
        except Failed as fault:
            logger.warning("outcome_not_stored", reason=fault.failure.code)
            self._unstored[job] = Kept(outcome, time.monotonic() + KEPT_S)

    def _kept(self, job: str) -> Outcome | None:
        now = time.monotonic()
        self._unstored = {name: kept for name, kept in self._unstored.items() if kept.until > now}
        kept = self._unstored.get(job)
        return kept.outcome if kept else None

    async def _stored(self, job: str, run: Run) -> Outcome | None:
        """Give the outcome that the journal has; a job without one is lost, and begun again."""
        read = await self._read(job)
        if read.outcome is not None:
            return msgspec.convert(read.outcome, Outcome)
        if job not in self._running:  # another call may have asked for it meanwhile
            logger.info("job_begun_again")
            self._start(job, run.again(read.request))
        return None

    async def _read(self, job: str) -> journal.JobRead:
        answer = await self._link.ask(stop("journal", journal.ReadJob(job)), ttl_s=STORE_S)
        read: journal.JobRead = answer.read(journal.JobRead)
        return read


async def once_back(
    work: Callable[[], Awaitable[Done]], now: Callable[[], float] = time.monotonic, pause_s: float = 1.0
) -> Done:
    """Do what only reads, again while its browser is away: it was there when the job was begun.

    Raises:
        Failed: as the work; one of AWAY: the browser was away for BACK_S.

    """
    until = now() + BACK_S
    while True:
        try:
            return await work()
        except Failed as fault:
            if fault.failure.code not in AWAY or now() >= until:
                raise
        await asyncio.sleep(pause_s)


def _unwrapped(outcome: Outcome) -> Reply:
    if outcome.failure is not None:
        raise Failed(outcome.failure)
    return outcome.reply or {}
