"""Runs the day of an application: its server, each task in a tab of its own, and the verdicts."""

import asyncio
import contextlib
import json
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from apps.install import install
from apps.ours import Ours
from apps.place import Place
from apps.tasks import Day, Ground, Refused, Result, Task, Untried, judge
from gasoline_bridge.devtools import ChromiumError
from gasoline_demo.site import free_port

TASK_S: Final = 120.0
AT_REST_S: Final = 3.0
"""How long the application may take, after the last reply, until what was wanted is so."""

Serve = Callable[[Path, Path, int], contextlib.AbstractAsyncContextManager[Path]]
"""Starts an application, from its installed folder, in a folder for its data, on a port; gives its log."""


@dataclass(frozen=True)
class Application:
    """An application that we did not write: how it is served, and a user's day on it."""

    name: str
    title: str
    serve: Serve
    day: Day


@contextlib.asynccontextmanager
async def served(application: Application) -> AsyncIterator[tuple[str, Path, Path]]:
    """Run an application, and give its address, its data and its log."""
    home = install(application.name)
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="gs-app-", ignore_cleanup_errors=True) as folder:
        async with application.serve(home, Path(folder), port) as log:
            yield f"http://127.0.0.1:{port}/", Path(folder), log


async def run_day(
    application: Application, place: Place, tasks: list[Task], report: Callable[[Result, Ours], None]
) -> list[Result]:
    """Do the tasks of an application one after the other."""
    results = []
    async with served(application) as (address, folder, log):
        for task in tasks:
            tools = place.tools()
            result = await _run(application, place, task, tools, (address, folder, log))
            report(result, tools)
            results.append(result)
    return results


async def _run(application: Application, place: Place, task: Task, tools: Ours, at: tuple[str, Path, Path]) -> Result:
    """Do a task in a tab of its own, and judge it."""
    address, folder, log = at
    for file in place.downloads.iterdir():
        file.unlink()
    async with place.tab() as tab:
        ground = Ground(address, folder, log, place.downloads, tab)
        if task.prepare:
            await task.prepare(ground)
        if task.page != "about:blank":
            await tab.navigate(address + task.page)
            await tab.until(f"Boolean({task.ready})")
        await place.leave(tab)
        before = await task.truth(ground)
        begun = time.monotonic()
        concluded = await _concluded(task, tools)
        seconds = time.monotonic() - begun
        after = await _at_rest(task, ground)
    verdict, what = judge(task, before, concluded, after, led=tools.led > 0)
    return Result(application.name, task.name, verdict, what, tools.calls, tools.sent, tools.received, seconds)


async def _concluded(task: Task, tools: Ours) -> Any:
    """Give what the script concludes, or its refusal; a reply that lacks what the script reads is a conclusion too."""
    try:
        async with asyncio.timeout(TASK_S):
            return await task.script(tools)
    except (Refused, Untried) as refused:
        return refused
    except (KeyError, IndexError) as missing:
        return tools.lacks(missing)


async def _at_rest(task: Task, ground: Ground) -> Any:
    """Read the truth once it is what was wanted, or once it has had the time for that."""
    until = time.monotonic() + (AT_REST_S if task.wanted is not None else 0)
    while True:
        after = None
        with contextlib.suppress(ChromiumError, json.JSONDecodeError):  # a file may be half written
            after = await task.truth(ground)
            if after == task.wanted:
                return after
        if time.monotonic() > until:
            return after
        await asyncio.sleep(0.1)
