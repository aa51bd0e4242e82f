"""Runs the driver of one client against a running system whose page answers some calls, and notes what is cancelled."""

import asyncio
import contextlib
import json
import os
import signal
from collections import defaultdict
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp

from chrome_double import PAGE, link
from gasoline_broker.settings import Settings
from process.processes import gone

BOUND_S = 60.0
REACHES_S = 2.0
HELD = ("cancelled", "timeout", "killed")  # what the page never answers, by its selector

Said = dict[str, list[dict[str, Any]]]
"""What a driver has said, by step."""


class Page:
    """A page that answers `#p`, holds the rest, and notes which of those calls were cancelled."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._held: dict[str, str] = {}
        self._cancelled = {name: asyncio.Event() for name in HELD}

    async def is_cancelled(self, name: str) -> bool:
        """Whether a held call is cancelled, or will be within a moment."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(REACHES_S):
                await self._cancelled[name].wait()
        return self._cancelled[name].is_set()

    async def serve(self) -> None:
        async for message in self._socket:
            sent = json.loads(message.data)
            if sent["type"] == "cancel" and (name := self._held.get(sent["id"])):
                self._cancelled[name].set()
            if sent["type"] == "command" and sent["name"] == "query_dom":
                await self._answer(sent)

    async def _answer(self, command: dict[str, Any]) -> None:
        wanted = str(command["arguments"]["selector"]).removeprefix("#")
        if wanted in HELD:
            self._held[command["id"]] = wanted
        else:
            await self._socket.send_json({"type": "result", "id": command["id"], "result": PAGE})


@contextlib.asynccontextmanager
async def page(settings: Settings) -> AsyncIterator[Page]:
    async with link(settings) as socket:
        served = Page(socket)
        serving = asyncio.create_task(served.serve())
        try:
            yield served
        finally:
            serving.cancel()


async def drive(settings: Settings, command: list[str]) -> tuple[Said, dict[str, bool]]:
    """Run a driver until it hangs in its last call, kill it, and give what it said and whose end reached the page."""
    said: Said = defaultdict(list)
    reached: dict[str, bool] = {}
    async with page(settings) as served, asyncio.timeout(BOUND_S):
        process = await asyncio.create_subprocess_exec(
            *command, env=os.environ | settings.environ(), stdout=asyncio.subprocess.PIPE
        )
        try:
            assert process.stdout is not None
            async for line in process.stdout:
                one = json.loads(line)
                said[one.pop("step")].append(one)
                if "after" in said and not reached:
                    reached = {name: await served.is_cancelled(name) for name in ("cancelled", "timeout")}
                if "hanging" in said:
                    await _kill(process.pid)
                    reached["killed"] = await served.is_cancelled("killed")
            await process.wait()
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
    return said, reached


async def _kill(pid: int) -> None:
    """Kill a client, and wait until the shims that it has started are gone."""
    listed = await asyncio.to_thread(Path(f"/proc/{pid}/task/{pid}/children").read_text)
    os.kill(pid, signal.SIGKILL)
    for child in map(int, listed.split()):
        await gone(child)
