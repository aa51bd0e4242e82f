"""Measures what faults cost the calls of an assistant: each kind of process killed, ended and paused, again and again.

A row is one process and one fault, again and again, under CALLS calls: five sessions call as fast as they are answered,
one acts and four read. The page itself keeps count of what was done to it and prints lines meanwhile, so each row can
state what was reported as done and was not, what was reported as failed and was done, what was done twice, and which
lines were lost or doubled. All of these are to be 0; a call may end as `outcome_unknown`.
"""

import asyncio
import contextlib
import itertools
import os
import signal
import sqlite3
import statistics
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec

sys.path.insert(0, str(Path(__file__).parents[1]))

import system
from browser import scene
from browser.user import number_of, pilot
from gasoline_bridge import installed
from gasoline_bridge.devtools import Browser, Tab
from gasoline_broker import running
from gasoline_broker.settings import Settings
from gasoline_demo.site import free_port
from system import Assistant, assistant

CALLS = 500
EVERY_S = {"supervisor": 12.0}  # a whole system starts
OFTEN_S = 6.0  # a process that lived for 5 s is started again at once, and nine deaths within 20 s end the system
FAULTS_LEAST = 5
PAUSED_S = 1.5
LINES_MS = 200  # a row has fewer than the 1,000 that are kept
READERS = 4
SERVICES = ("broker", "redaction", "diff", "journal", "bridge", "front", "supervisor")
UNKNOWN = "outcome_unknown"

HEADS = (
    "process",
    "fault",
    "times",
    "calls",
    "unknown",
    "other failures",
    "reported, not done",
    "failed, but done",
    "done twice",
    "lines lost and doubled",
    "p50, most ms",
)

PRINTING = (
    "globalThis.printed = 0;"
    f" globalThis.printing = setInterval(() => console.log(`line ${{printed++}}`), {LINES_MS}); 0"
)

Fault = Callable[[int], Awaitable[None]]


class Act(NamedTuple):
    """What became of an act: its number, and the code of its failure, empty when it was reported as done."""

    number: int
    code: str


async def kill(pid: int) -> None:
    """End a process at once."""
    os.kill(pid, signal.SIGKILL)


async def end(pid: int) -> None:
    """Ask a process to end."""
    os.kill(pid, signal.SIGTERM)


async def pause(pid: int) -> None:
    """Let a process stand still for a while."""
    os.kill(pid, signal.SIGSTOP)
    await asyncio.sleep(PAUSED_S)
    os.kill(pid, signal.SIGCONT)


FAULTS: dict[str, Fault] = {"kill -9": kill, "SIGTERM": end, f"pause {PAUSED_S:g} s": pause}


class Row:
    """The calls of one row, and the page they are about."""

    def __init__(self, acting: Assistant, readers: list[Assistant], tab: Tab, number: int, journal: Path) -> None:
        self._acting = acting
        self._readers = readers
        self._tab = tab
        self._number = number
        self._journal = journal
        self._acts: list[Act] = []
        self._read: Counter[str] = Counter()
        self._took_ms: list[float] = []
        self._ended = False
        self.faults = 0

    @property
    def calls(self) -> int:
        """How many calls were answered."""
        return len(self._took_ms)

    async def play(self, fault: Callable[[], Awaitable[None]], calls: int, every_s: float) -> None:
        """Call until enough calls are made under enough faults."""
        await self._tab.evaluate(PRINTING)
        async with asyncio.TaskGroup() as group:
            group.create_task(self._act())
            for reader in self._readers:
                group.create_task(self._look(reader))
            while self.calls < calls or self.faults < FAULTS_LEAST:
                await asyncio.sleep(every_s)
                await fault()
                self.faults += 1
            self._ended = True

    async def _act(self) -> None:
        for number in itertools.count():
            if self._ended:
                return
            script = f"(globalThis.done ??= []).push({number}), {number}"
            code = await self._call(self._acting, "execute_javascript", script=script, tab_id=self._number)
            self._acts.append(Act(number, code))

    async def _look(self, reader: Assistant) -> None:
        while not self._ended:
            self._read[await self._call(reader, "get_page_info", tab_id=self._number)] += 1

    async def _call(self, client: Assistant, tool: str, **arguments: Any) -> str:
        begun = time.monotonic()
        text, failed = await client.text(tool, **arguments)
        self._took_ms.append((time.monotonic() - begun) * 1000)
        reply = msgspec.json.decode(text)
        return reply["error"]["code"] if failed else UNKNOWN if reply.get("outcome_unknown") else ""

    async def accounts(self) -> list[object]:
        """Give the cells of the row, once every line has arrived."""
        printed: int = await self._tab.evaluate("clearInterval(printing), printed")
        done = Counter(await self._tab.evaluate("globalThis.done ?? []"))
        reported = {act.number for act in self._acts if not act.code}
        failed = {act.number for act in self._acts if act.code and act.code != UNKNOWN}
        codes = Counter(act.code for act in self._acts if act.code) + self._read
        del codes[""]
        lost, doubled = await self._lines(printed)
        return [
            self.faults,
            self.calls,
            codes.pop(UNKNOWN, 0),
            ", ".join(f"{times} {code}" for code, times in codes.items()) or 0,
            len(reported - done.keys()),
            len(failed & done.keys()),
            sum(times > 1 for times in done.values()),
            f"{lost} and {doubled} of {printed}",
            f"{statistics.median(self._took_ms):.0f}, {max(self._took_ms):.0f}",
        ]

    async def _lines(self, printed: int) -> tuple[int, int]:
        """Give how many lines were lost, and how many came twice; the last ones may take a while."""
        seen: Counter[str] = Counter()
        for _ in range(50):
            seen = await asyncio.to_thread(self._heard)
            if seen[f"line {printed - 1}"]:
                break
            await asyncio.sleep(0.2)
        wanted = [f"line {number}" for number in range(printed)]
        return sum(not seen[line] for line in wanted), sum(seen[line] > 1 for line in wanted)

    def _heard(self) -> Counter[str]:
        """Read the page's lines from the journal's file: a system that starts again begins a new view of it."""
        with contextlib.closing(sqlite3.connect(f"file:{self._journal}?mode=ro", uri=True)) as rows:
            lines = "SELECT text, count(*) FROM events WHERE ring = 'console' AND tab = ? GROUP BY text"
            return Counter(dict(rows.execute(lines, (self._number,))))


@click.command()
@click.option("--calls", default=CALLS, show_default=True, help="How many calls a row has at least.")
@click.option("--service", "services", multiple=True, default=SERVICES, help="Which processes.")
def main(calls: int, services: tuple[str, ...]) -> None:
    """Print the table."""
    asyncio.run(_main(calls, services))


async def _main(calls: int, services: tuple[str, ...]) -> None:
    print("|", " | ".join(HEADS), "|\n" + "|---" * len(HEADS) + "|")
    port = free_port()
    runner = await scene.serve_pages(port)
    with system.settings() as settings, system.running(settings, compact=False):
        async with await Browser.launch(installed.install(settings)) as browser:
            async with assistant(settings) as client:
                await client.connected()
            await pilot(browser, on=True)
            for service, (name, fault) in itertools.product(services, FAULTS.items()):
                cells = await _row(settings, browser, f"http://127.0.0.1:{port}/small.html", service, fault, calls)
                print("|", " | ".join(map(str, [service, name, *cells])), "|", flush=True)
    await runner.cleanup()


async def _row(
    settings: Settings, browser: Browser, address: str, service: str, fault: Fault, calls: int
) -> list[object]:
    async with contextlib.AsyncExitStack() as stack:
        acting, *readers = [await stack.enter_async_context(assistant(settings)) for _ in range(1 + READERS)]
        tab = await browser.new_tab(f"{address}?{service}-{time.monotonic_ns()}")
        await tab.activate()
        row = Row(acting, readers, tab, await number_of(acting, tab), settings.data_dir / "journal.sqlite")

        async def strike() -> None:
            await fault(await _pid(settings, service))

        await row.play(strike, calls, EVERY_S.get(service, OFTEN_S))
        await acting.connected()
        cells = await row.accounts()
        await tab.close()
        return cells


async def _pid(settings: Settings, service: str) -> int:
    """Give a process of the system, as soon as there is one; the system itself may be unable to name it."""
    async with asyncio.timeout(system.READY_S):
        while True:
            found = running.find(settings)
            if found and service == "supervisor":
                return found.pid
            for pid in _children(found.pid) if found else ():
                if _is_called(pid, service):
                    return pid
            await asyncio.sleep(0.02)


def _is_called(pid: int, service: str) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().rstrip(b"\0").endswith(service.encode())
    return False


def _children(pid: int) -> list[int]:
    with contextlib.suppress(OSError):
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


if __name__ == "__main__":
    main()
