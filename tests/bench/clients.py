"""Measures what many clients at once cost, each a `gasoline mcp` of its own, on a running system with a real browser.

A client asks for an element, or for a line of the console, that only it knows of, and looks whether its answer is of
that one. Times are medians; a shim's own memory is what no other process shares (`Private_*` in its smaps), the rest
PSS.
"""

import asyncio
import contextlib
import json
import os
import re
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import system
from bench.start import CLIENT, pss_kb
from browser import scene
from browser.user import number_of
from gasoline_bridge import installed
from gasoline_bridge.devtools import Browser
from gasoline_broker.settings import Settings
from gasoline_demo import stage
from gasoline_demo.site import free_port

CLIENTS = 1, 8, 64
SHIMS = 1, 16
SPAWNED = 20
LASTS_S = 8.0
PAGE = """
document.body.innerHTML = Array.from({ length: 64 }, (_, n) => `<b data-n=${n}>client ${n}</b>`).join('');
for (let n = 0; n < 64; n++) console.log(`client ${n} says hello`); 0
"""
TARGETS_MS = {"answer": 50.0, "crowd": 120.0}
COMMON: dict[str, tuple[str, dict[str, Any]]] = {
    "status": ("observe", {"what": "status"}),
    "tabs": ("observe", {"what": "tabs"}),
    "page info": ("get_page_info", {}),
    "outline": ("observe", {"what": "outline"}),
    "logs": ("observe", {"what": "logs"}),
    "query_dom, one element": ("query_dom", {"selector": "[data-n='1']"}),
    "click": ("interact", {"action": "click", "selector": "[data-n='1']"}),
}


class Session:
    """A client's session: one request at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.bytes = 0
        self._id = 0

    async def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Give the result of a request; what is no reply to it is passed over."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._id += 1
        line = {"jsonrpc": "2.0", "id": self._id, "method": method, "params": params}
        self.process.stdin.write(json.dumps(line).encode() + b"\n")
        while True:
            answer = json.loads(await self.process.stdout.readline())
            if answer.get("id") == self._id and "method" not in answer:
                result: dict[str, Any] = answer["result"]
                return result

    async def call(self, tool: str, **arguments: Any) -> str:
        """Give the text of a tool's reply."""
        result = await self.ask("tools/call", {"name": tool, "arguments": arguments})
        text: str = result["content"][0]["text"]
        assert not result.get("isError"), text
        return text


@contextlib.asynccontextmanager
async def session(settings: Settings) -> AsyncIterator[Session]:
    """Start a client's process; it ends with the block."""
    process = await asyncio.create_subprocess_exec(
        system.GASOLINE,
        "mcp",
        env=os.environ | settings.environ(),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=1 << 24,
    )
    try:
        yield Session(process)
    finally:
        await process.communicate(b"")


@contextlib.asynccontextmanager
async def sessions(settings: Settings, count: int) -> AsyncIterator[list[Session]]:
    """Start that many, each greeted."""
    async with contextlib.AsyncExitStack() as stack:
        made = [await stack.enter_async_context(session(settings)) for _ in range(count)]
        await asyncio.gather(*(one.ask("initialize", CLIENT) for one in made))
        yield made


async def took_ms(work: Callable[[], Awaitable[object]]) -> float:
    """Give how long it takes."""
    begun = time.perf_counter()
    await work()
    return (time.perf_counter() - begun) * 1_000


async def spawned(settings: Settings) -> None:
    """Print how long a new client waits on a running system."""
    greeted: list[float] = []
    answered: list[float] = []
    for _ in range(SPAWNED):
        begun = time.perf_counter()
        async with session(settings) as one:
            await one.ask("initialize", CLIENT)
            greeted.append((time.perf_counter() - begun) * 1_000)
            await one.call("observe", what="status")
            answered.append((time.perf_counter() - begun) * 1_000)
    print(
        f"From its start a shim greets after {statistics.median(greeted):.0f} ms, "
        f"and answers its first call after {statistics.median(answered):.0f} ms (goal {TARGETS_MS['answer']:.0f})."
    )


CALLS: dict[str, Callable[[int], tuple[str, dict[str, Any]]]] = {
    "query_dom": lambda number: ("query_dom", {"selector": f"[data-n='{number}']"}),
    "observe(logs)": lambda number: ("observe", {"what": "logs", "text": f"client {number} says"}),
}


async def crowd(settings: Settings, tab: int, count: int, name: str) -> None:
    """Print calls a second and how long one takes, while that many clients call without a pause."""
    waits: list[float] = []
    async with sessions(settings, count) as made:

        async def client(number: int, one: Session) -> None:
            mine = re.compile(rf"client {number}\b")
            tool, arguments = CALLS[name](number)
            while time.perf_counter() < until:
                begun = time.perf_counter()
                text = await one.call(tool, **arguments, tab_id=tab)
                waits.append((time.perf_counter() - begun) * 1_000)
                assert mine.search(text), f"client {number} got: {text}"
                assert text.count("client ") == 1, text

        await made[0].call("query_dom", selector="b", tab_id=tab)
        until = time.perf_counter() + LASTS_S
        await asyncio.gather(*(client(number, one) for number, one in enumerate(made)))
    high = statistics.quantiles(waits, n=20)[-1]
    print(f"{name:<16}{count:>8}{len(waits) / LASTS_S:>10.0f}{statistics.median(waits):>9.0f}{high:>9.0f}", flush=True)


def own_kb(pid: int) -> int:
    """Give what a process shares with none."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))


async def memory(settings: Settings, count: int) -> None:
    """Print the memory of that many shims, and of the process that answers them."""
    shown = json.loads(system.gasoline(settings, "status", "--json").stdout)
    front = next(one["pid"] for one in shown["processes"] if one["name"].startswith("front"))
    async with sessions(settings, count) as made:
        await asyncio.gather(*(one.call("observe", what="status") for one in made))
        own = statistics.median(own_kb(one.process.pid) for one in made) / 1_000
        print(f"{count:>8}{own:>12.1f}{pss_kb(front) / 1_000:>12.1f}")


async def replies(settings: Settings) -> None:
    """Print the bytes of the list of tools and of common replies."""
    async with sessions(settings, 1) as (one,):
        tools = await one.ask("tools/list", {})
        print(f"{'tools/list':<26}{len(json.dumps(tools, separators=(',', ':'), ensure_ascii=False).encode()):>8}")
        for name, (tool, arguments) in COMMON.items():
            print(f"{name:<26}{len((await one.call(tool, **arguments)).encode()):>8}")


async def main() -> None:
    """Print a table for each."""
    port = free_port()
    runner = await scene.serve_pages(port)
    with system.settings() as settings, system.running(settings) as live:
        async with await Browser.launch(installed.install(live)) as browser, system.assistant(live) as assistant:
            await assistant.connected()
            await stage.switch_on(browser, stage.PILOT)
            tab = await browser.new_tab(f"http://127.0.0.1:{port}/blank.html")
            await tab.evaluate(PAGE)
            number = await number_of(assistant, tab)
            await spawned(live)
            head = f"{'calls/s':>10}{'p50 ms':>9}{'p95 ms':>9}   (goal of 64: {TARGETS_MS['crowd']:.0f})"
            print(f"\n{'':<16}{'clients':>8}{head}")
            for name in CALLS:
                for count in CLIENTS:
                    await crowd(live, number, count, name)
            print(f"\n{'clients':>8}{'shim MB':>12}{'front MB':>12}   (goal of a shim: 10)")
            for count in SHIMS:
                await memory(live, count)
            print(f"\n{'reply':<26}{'bytes':>8}")
            await replies(live)
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(main())
