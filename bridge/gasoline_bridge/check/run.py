"""Checks pages, some at a time: makes a baseline where there is none, else compares; it writes no report.

Rules of this file:
- Each job has a session of its own, and a window of its own for each page: a tab behind another is not painted.
- Pages of one baseline are checked one after another: the first of them makes it.
- Pages that are checked at a time disturb each other's times and memory. So a baseline is made while nothing else runs,
  and a page whose times or memory seem to have changed is checked again in this way: that verdict counts.
- With a folder of baselines, those in it are the only ones; a baseline that is made or approved is written to it.
- What is approved is approved after all pages: each is compared with the baseline that was there.
"""

import asyncio
import signal
import time
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from gasoline_bridge.check.exchange import approve, export, take_in
from gasoline_bridge.check.own_system import Started, Wanted, started
from gasoline_bridge.check.results import Checked, Outcome, is_disturbed
from gasoline_bridge.check.session import CallFailedError, Reply, Session
from gasoline_bridge.cli.query import linked
from gasoline_bridge.devtools import ChromiumError, Tab
from gasoline_broker.actor.client import Link
from gasoline_broker.actor.wire import stop
from gasoline_broker.errors import Failed
from gasoline_broker.settings import Settings
from gasoline_workers.regression.messages import BaselineFound, BaselineRead, FindBaseline, ReadBaseline

ASK_S = 10.0
WAIT_S = 2
BUDGET = 1_000  # of a reply whose details are read from the store

Report = Callable[[str, str], None]
"""Takes the address of the page that is checked, and how far that is; "" at its end."""

Page = tuple[str, str]
"""The address of a page, and the name of its baseline."""


class How(NamedTuple):
    """How pages are checked: loads of each, pages at a time, the folder of the baselines, and the browser's sandbox.

    `approve`: what is judged as changed becomes the baseline.
    """

    runs: int = 5
    jobs: int = 1
    folder: Path | None = None
    sandbox: bool = True
    approve: bool = False


class Turns(NamedTuple):
    """What one page at a time does: open its tab, of all; use its baseline, of those that share it."""

    opening: asyncio.Lock
    baselines: defaultdict[str, asyncio.Lock]


class Checker(NamedTuple):
    """What a job works with; `alone`: no other job runs."""

    own: Started
    session: Session
    turns: Turns
    runs: int
    report: Report
    alone: bool


def run(settings: Settings, pages: Sequence[Page], how: How, report: Report) -> list[Checked]:
    """Check all pages, and return what came of each.

    Raises:
        CannotStart: the system or the browser did not start.
        SettingsRefused: a file of the folder of baselines is damaged.

    """
    return asyncio.run(_run(settings, pages, how, report))


async def _run(settings: Settings, pages: Sequence[Page], how: How, report: Report) -> list[Checked]:
    task = asyncio.current_task()
    if task:  # CI ends a job by this signal: the browser and the system must end too
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    jobs = min(how.jobs, len(pages))
    wanted = Wanted(jobs, how.sandbox, own_baselines=how.folder is not None)
    async with started(settings, wanted) as own:
        if how.folder and how.folder.is_dir():
            async with linked(own.settings) as link:
                await take_in(link, how.folder)
        checked = await _all(own, pages, how, jobs, report)
        if how.approve:
            async with linked(own.settings) as link:
                checked = [await _approved(link, one) for one in checked]
        new = sorted({one.name for one in checked if one.outcome in ("made", "approved")})
        if how.folder and new:
            async with linked(own.settings) as link:
                await export(link, how.folder, new)
        return checked


async def _approved(link: Link, one: Checked) -> Checked:
    """Make what a compare judged as changed the baseline; what is inconclusive stays as it is."""
    if one.outcome not in ("regression_detected", "improved"):
        return one
    try:
        done = await approve(link, one.name)
    except Failed as fault:
        return msgspec.structs.replace(one, outcome="error", text=f"not approved: {fault.failure.text}")
    return msgspec.structs.replace(one, outcome="approved", text=f"{', '.join(done.parts)}: {one.text}")


async def _all(own: Started, pages: Sequence[Page], how: How, jobs: int, report: Report) -> list[Checked]:
    waiting, checked = deque(enumerate(pages)), dict[int, Checked]()
    turns = Turns(asyncio.Lock(), defaultdict(asyncio.Lock))

    async def job(*, alone: bool) -> None:
        session = await Session.open(own.settings)
        checker = Checker(own, session, turns, how.runs, report, alone)
        while waiting:
            number, page = waiting.popleft()
            one = await _check(checker, page)
            if one is not None:
                checked[number] = one
        await session.close()

    if jobs > 1:
        await asyncio.gather(*(job(alone=False) for _ in range(jobs)))
        again = [number for number in range(len(pages)) if number not in checked or is_disturbed(checked[number])]
        waiting.extend((number, pages[number]) for number in again)
    await job(alone=True)
    return [checked[number] for number in range(len(pages))]


async def _check(checker: Checker, page: Page) -> Checked | None:
    """Check a page; None: its baseline is to be made while nothing else runs."""
    url, name = page
    begun = time.monotonic()
    try:
        judged = await _judged(checker, page)
        if judged is None:
            return None
        outcome, text, read = judged
        picture = await asyncio.to_thread(_picture, read)
        seen = read.compared.url if read.compared else read.baseline.url  # redacted
        return Checked(seen, read.baseline.name, outcome, text, time.monotonic() - begun, read, picture)
    except Failed as fault:
        return Checked(url, name, "error", fault.failure.text, time.monotonic() - begun)
    except (CallFailedError, ChromiumError, TimeoutError) as fault:
        return Checked(url, name, "error", str(fault), time.monotonic() - begun)
    finally:
        checker.report(url, "")


async def _judged(checker: Checker, page: Page) -> tuple[Outcome, str, BaselineRead] | None:
    url, name = page
    settings = checker.own.settings
    shared, _ = await _find(settings, name, url)
    async with checker.turns.baselines[shared]:
        known, is_known = await _find(settings, name, url)
        if not is_known and not checker.alone:
            return None
        made = await _analyze(checker, url, known if is_known else name, is_known=is_known)
        read = await _read(settings, known if is_known else made["baseline"]["name"])
    if read.compared is None:
        return "made", f"{read.baseline.name!r} of {read.baseline.runs} loads", read
    return read.compared.verdict, read.compared.summary, read


async def _analyze(checker: Checker, url: str, name: str, *, is_known: bool) -> Reply:
    """Compare a page with its baseline, or make that; without a name the address as it is redacted gives it one."""
    tab, number = await _opened(checker, url)
    try:
        reply = await checker.session.call(
            "analyze",
            action="regression",
            scope="compare" if is_known else "baseline",
            tab_id=number,
            runs=checker.runs,
            budget=BUDGET,
            wait_s=WAIT_S,
            **({"name": name} if name else {}),
        )
        while reply.get("status") == "pending":
            checker.report(url, str(reply.get("stage", "")))
            job = reply["correlation_id"]
            reply = await checker.session.call(
                "observe", what="analyze_result", correlation_id=job, wait_s=WAIT_S, budget=BUDGET
            )
    finally:
        await tab.close()
    return reply


async def _opened(checker: Checker, url: str) -> tuple[Tab, int]:
    """Open a page in a window of its own; return its tab, and the id that the extension has for it."""
    async with checker.turns.opening:
        before = await _tabs(checker.session)
        tab = await checker.own.browser.new_tab(url, window=True)
        try:
            await tab.activate()
            (number,) = await _tabs(checker.session) - before
        except BaseException:
            await tab.close()
            raise
    return tab, number


async def _tabs(session: Session) -> set[int]:
    reply = await session.call("observe", what="tabs")
    return {one["id"] for one in reply["tabs"]}


async def _find(settings: Settings, name: str, url: str) -> tuple[str, bool]:
    """Return the name of the baseline of a page, and whether there is one.

    Raises:
        Failed: `store_failed`: it is damaged, or cannot be read.

    """
    try:
        async with linked(settings) as link:
            found: BaselineFound = (await link.ask(stop("regression", FindBaseline(name, url)), ttl_s=ASK_S)).read(
                BaselineFound
            )
    except Failed as fault:
        if fault.failure.code != "not_found":
            raise
        return str(fault.failure.details["value"]), False
    return found.baseline.name, True


async def _read(settings: Settings, name: str) -> BaselineRead:
    async with linked(settings) as link:
        read: BaselineRead = (await link.ask(stop("regression", ReadBaseline(name)), ttl_s=ASK_S)).read(BaselineRead)
        return read


def _picture(read: BaselineRead) -> bytes:
    path = read.compared.comparison.picture.screenshot_path if read.compared else ""
    try:
        return Path(path).read_bytes() if path else b""
    except OSError:  # it was pruned meanwhile
        return b""
