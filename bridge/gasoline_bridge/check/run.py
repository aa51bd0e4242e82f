"""Checks pages one after another: makes a baseline where there is none, else compares; it writes no report."""

import asyncio
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from gasoline_bridge.check.own_system import Started, started
from gasoline_bridge.check.results import Checked, Outcome
from gasoline_bridge.check.session import CallFailedError
from gasoline_bridge.cli.query import linked
from gasoline_bridge.devtools import ChromiumError
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


def run(settings: Settings, pages: Sequence[Page], runs: int, report: Report) -> list[Checked]:
    """Check all pages, and return what came of each.

    Raises:
        CannotStart: the system or the browser did not start.

    """
    return asyncio.run(_run(settings, pages, runs, report))


async def _run(settings: Settings, pages: Sequence[Page], runs: int, report: Report) -> list[Checked]:
    task = asyncio.current_task()
    if task:  # CI ends a job by this signal: the browser and the system must end too
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    async with started(settings) as own:
        return [await _check(own, page, runs, report) for page in pages]


async def _check(own: Started, page: Page, runs: int, report: Report) -> Checked:
    url, name = page
    begun = time.monotonic()
    try:
        outcome, text, read = await _judged(own, page, runs, report)
        picture = await asyncio.to_thread(_picture, read)
        seen = read.compared.url if read.compared else read.baseline.url  # redacted
        return Checked(seen, read.baseline.name, outcome, text, time.monotonic() - begun, read, picture)
    except Failed as fault:
        return Checked(url, name, "error", fault.failure.text, time.monotonic() - begun)
    except (CallFailedError, ChromiumError, TimeoutError) as fault:
        return Checked(url, name, "error", str(fault), time.monotonic() - begun)
    finally:
        report(url, "")


async def _judged(own: Started, page: Page, runs: int, report: Report) -> tuple[Outcome, str, BaselineRead]:
    url, name = page
    known = await _find(own.settings, name, url)
    before = await _tabs(own)
    tab = await own.browser.new_tab(url)
    try:
        await tab.activate()
        (number,) = await _tabs(own) - before
        scope = "compare" if known else "baseline"
        reply = await own.session.call(
            "analyze",
            action="regression",
            scope=scope,
            tab_id=number,
            runs=runs,
            budget=BUDGET,
            wait_s=WAIT_S,
            **({"name": known or name} if known or name else {}),
        )
        while reply.get("status") == "pending":
            report(url, str(reply.get("stage", "")))
            job = reply["correlation_id"]
            reply = await own.session.call(
                "observe", what="analyze_result", correlation_id=job, wait_s=WAIT_S, budget=BUDGET
            )
    finally:
        await tab.close()
    read = await _read(own.settings, known or reply["baseline"]["name"])
    if read.compared is None:
        return "made", f"{read.baseline.name!r} of {read.baseline.runs} loads", read
    return read.compared.verdict, read.compared.summary, read


async def _tabs(own: Started) -> set[int]:
    reply = await own.session.call("observe", what="tabs")
    return {one["id"] for one in reply["tabs"]}


async def _find(settings: Settings, name: str, url: str) -> str:
    """Return the name of the baseline of a page, empty if there is none.

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
        return ""
    return found.baseline.name


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
