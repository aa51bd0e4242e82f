"""A job's outcome does not wait for the journal, nor does a job that reads; its browser may be away for a moment."""

import asyncio
from typing import Any

import msgspec
import pytest

from gasoline_bridge.front.jobs import BACK_S, Jobs, Run, once_back
from gasoline_broker.actor.wire import Stop
from gasoline_broker.errors import Failed, Failure

AWAY = Failure("extension_disconnected", "No Chrome is connected.")
LOST = Failure("deadline_exceeded", "The bridge did not finish this call.")
FULL = Failure("store_full", "There is no space left.")


class Journal:
    """A journal that answers a message once the test lets it."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.answers = {name: asyncio.get_running_loop().create_future() for name in ("BeginJob", "EndJob")}

    async def ask(self, stop: Stop, **_: object) -> object:
        name = msgspec.msgpack.decode(stop.message)["type"]
        self.asked.append(name)
        return await self.answers[name]


@pytest.fixture
async def store() -> Journal:
    return Journal()


@pytest.fixture
async def jobs(store: Journal) -> Jobs:
    return Jobs(store)  # type: ignore[arg-type]  # all that jobs ask of a link


async def reply(_: dict[str, Any]) -> dict[str, Any]:
    return {"status": "success"}


class Work:
    """Fails so often, then answers; each attempt takes so long (s)."""

    def __init__(self, *failures: Failure, took_s: float = 1.0) -> None:
        self._failures = [*failures]
        self._took_s = took_s
        self.at = 0.0

    def now(self) -> float:
        return self.at

    async def do(self) -> dict[str, Any]:
        self.at += self._took_s
        if self._failures:
            raise Failed(self._failures.pop(0))
        return {"status": "success"}


@pytest.mark.requirement("analyze-009")
async def test_it_is_done_once_the_browser_is_back() -> None:
    work = Work(AWAY, LOST)

    assert {"status": "success"} == await once_back(work.do, work.now, pause_s=0)
    assert 3 == work.at


async def test_a_browser_that_stays_away_and_any_other_failure_end_it() -> None:
    gone, other = Work(*[AWAY] * 100), Work(Failure("analysis_timeout", "Too slow."))

    with pytest.raises(Failed, match="extension_disconnected"):
        await once_back(gone.do, gone.now, pause_s=0)
    with pytest.raises(Failed, match="analysis_timeout"):
        await once_back(other.do, other.now, pause_s=0)

    assert (BACK_S, 1) == (gone.at, other.at)


READS, ACTS = Run(reply, reply), Run(reply, reply, acts=True)


@pytest.mark.requirement("analyze-009")
async def test_the_outcome_is_given_before_it_is_stored_and_is_stored_after_the_job(jobs: Jobs, store: Journal) -> None:
    begun = asyncio.create_task(jobs.begin({}, READS))
    await asyncio.sleep(0.01)
    assert ["BeginJob"] == store.asked
    store.answers["BeginJob"].set_result(None)
    job = await begun

    assert {"status": "success"} == await jobs.outcome(job, 1, READS)
    assert ["BeginJob", "EndJob"] == store.asked
    assert not store.answers["EndJob"].done()
    assert {"status": "success"} == await jobs.outcome(job, 1, READS)


async def test_what_reads_begins_beside_its_entry_in_the_journal_and_what_acts_after_it(jobs: Jobs) -> None:
    done = []

    async def work(_: dict[str, Any]) -> dict[str, Any]:
        done.append(acts)
        return {}

    for acts in (False, True):
        begun = asyncio.create_task(jobs.begin({}, Run(work, work, acts)))
        await asyncio.sleep(0.01)
        begun.cancel()

    assert [False] == done


async def test_a_job_that_is_cancelled_again_while_its_end_is_stored_is_stored(jobs: Jobs, store: Journal) -> None:
    async def work(_: dict[str, Any]) -> dict[str, Any]:
        return dict(await asyncio.get_running_loop().create_future())

    store.answers["BeginJob"].set_result(None)
    job = await jobs.begin({}, Run(work, work))
    await asyncio.sleep(0.01)
    for _ in range(2):
        await jobs.cancel(job)
        await asyncio.sleep(0.01)

    assert ["BeginJob", "EndJob"] == store.asked
    assert not store.answers["EndJob"].cancelled()
    with pytest.raises(Failed, match="cancelled"):
        await jobs.outcome(job, 1, READS)


async def test_a_job_that_the_journal_refuses_is_stopped(jobs: Jobs, store: Journal) -> None:
    stopped = asyncio.Event()

    async def work(_: dict[str, Any]) -> dict[str, Any]:
        try:
            await asyncio.get_running_loop().create_future()
            return {}
        finally:
            stopped.set()

    begun = asyncio.create_task(jobs.begin({}, Run(work, work)))
    await asyncio.sleep(0.01)
    store.answers["BeginJob"].set_exception(Failed(FULL))

    with pytest.raises(Failed, match="store_full"):
        await begun
    await asyncio.wait_for(stopped.wait(), 1)


async def test_whoever_waits_for_a_job_that_is_stopped_waits_no_longer(jobs: Jobs, store: Journal) -> None:
    async def work(_: dict[str, Any]) -> dict[str, Any]:
        await asyncio.get_running_loop().create_future()
        return {}

    store.answers["BeginJob"].set_result(None)
    job = await jobs.begin({}, Run(work, work))
    waiting = asyncio.create_task(jobs.outcome(job, 5, READS))
    await asyncio.sleep(0.01)
    jobs.stop(job)

    with pytest.raises(asyncio.CancelledError):
        await waiting
