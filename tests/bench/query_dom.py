"""Measures one `query_dom` from the assistant's call to its answer, and what each layer of its way costs.

Each row is a round trip that goes one layer deeper than the row above, all in one run and in turn, so that whatever
else the machine does hits every row alike; the last column is what the layer adds. Ratios hold between machines, times
do not.
"""

import asyncio
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from aiohttp import web

sys.path.insert(0, str(Path(__file__).parents[1]))

import system
from gasoline_bridge import installed
from gasoline_bridge.chrome.messages import QueryDom, ReadExtension
from gasoline_bridge.devtools import Browser
from gasoline_broker.actor.client import Link, register
from gasoline_broker.actor.status import read_status
from gasoline_broker.actor.wire import stop
from gasoline_broker.settings import Settings
from gasoline_workers.redaction.messages import RedactAnswer
from system import assistant

ROUNDS = 200
STARTS = 20
TTL_S = 10.0
PAGE = Path(__file__).parents[1] / "pages" / "small.html"
SELECTOR = "li.product"
WHOLE = "+ front, shim, client: the whole call"

Measured = Callable[[], Awaitable[object]]


async def main() -> None:
    """Print the table."""
    with system.settings() as settings, system.running(settings):
        runner, address = await _serve()
        async with (
            await Browser.launch(installed.install(settings)) as browser,
            assistant(settings) as client,
            Link(settings, register("cli")) as link,
        ):
            await client.connected()
            await (await browser.new_tab(address)).activate()
            await link.registered()
            redact = stop("redaction", RedactAnswer())
            rows: dict[str, Measured] = {
                "broker alone": lambda: read_status(link),
                "+ bridge and redaction": lambda: link.ask(stop("bridge", ReadExtension()), redact, ttl_s=TTL_S),
                "+ Chrome: worker, content script, page": lambda: link.ask(
                    stop("bridge", QueryDom(SELECTOR)), redact, ttl_s=TTL_S
                ),
                WHOLE: lambda: client.call("query_dom", selector=SELECTOR),
                "client, shim and front alone": lambda: client.error("query_dom"),
            }
            times = await _measure(rows)
        await runner.cleanup()
        _print(times)
        _print_start(settings)


async def _serve() -> tuple[web.AppRunner, str]:
    async def page(_request: web.Request) -> web.StreamResponse:
        return web.FileResponse(PAGE)

    app = web.Application()
    app.add_routes([web.get("/", page)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    return runner, f"http://127.0.0.1:{runner.addresses[0][1]}/"


async def _measure(rows: dict[str, Measured]) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in rows}
    for turn in range(ROUNDS + 20):
        for name, call in rows.items():
            begun = time.perf_counter()
            await call()
            if turn >= 20:  # the first ones warm up
                times[name].append((time.perf_counter() - begun) * 1000)
    return times


def _print(times: dict[str, list[float]]) -> None:
    whole = statistics.median(times[WHOLE])
    print(f"{'one round trip through':<42}{'p50 ms':>8}{'p95 ms':>8}{'of the whole':>14}{'adds ms':>9}")
    before = 0.0
    for name, taken in times.items():
        middle = statistics.median(taken)
        high = statistics.quantiles(taken, n=20)[-1]
        adds = f"{middle - before:>9.2f}" if not name.startswith("client") else ""
        print(f"{name:<42}{middle:>8.2f}{high:>8.2f}{middle / whole:>13.0%} {adds}")
        before = middle


def _print_start(settings: Settings) -> None:
    request = (
        b'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{'
        b'"io.modelcontextprotocol/protocolVersion":"2026-07-28",'
        b'"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},'
        b'"io.modelcontextprotocol/clientCapabilities":{}}}}\n'
    )
    times = []
    for _ in range(STARTS):
        begun = time.perf_counter()
        with subprocess.Popen(
            [system.GASOLINE, "mcp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=settings.environ(),
        ) as shim:
            assert shim.stdin is not None
            assert shim.stdout is not None
            shim.stdin.write(request)
            shim.stdin.flush()
            answer = shim.stdout.readline()
            times.append((time.perf_counter() - begun) * 1000)
            assert b'"tools"' in answer, answer
            shim.stdin.close()
    middle = statistics.median(times)
    print(f"\n`gasoline mcp`, from spawn to first answer: p50 {middle:.0f} ms, worst {max(times):.0f} ms of {STARTS}")


if __name__ == "__main__":
    asyncio.run(main())
