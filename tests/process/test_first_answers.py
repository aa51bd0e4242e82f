"""A client has the handshake and the tools at once, also while the system starts, and they are the front's own."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import system
from gasoline_broker.settings import Settings
from process.processes import within
from system import GASOLINE, gasoline

ERAS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]
CLIENT = {"name": "test", "version": "1"}
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {},
}
STATUS = {"name": "observe", "arguments": {"what": "status"}}


@pytest.fixture(scope="module")
def settings() -> Iterator[Settings]:
    """Return the settings of a system that has run once, and is started and stopped by each test."""
    with system.settings() as made:
        try:
            yield made
        finally:
            gasoline(made, "down")


class Session:
    """A client that was started by hand."""

    def __init__(self, process: asyncio.subprocess.Process, era: str) -> None:
        self._process = process
        self._modern = era == ERAS[-1]
        self._era = era
        self._id = 0

    async def ask(self, method: str, **params: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._id += 1
        meta = {"_meta": META} if self._modern else {}
        await self._send({"id": self._id, "method": method, "params": params | meta})
        async with within():
            answer = json.loads(await self._process.stdout.readline())
        assert self._id == answer["id"]
        return answer["result"]

    async def begin(self) -> list[Any]:
        """Shake hands and read the tools, and return what was answered."""
        if self._modern:
            return [await self.ask("server/discover"), await self.ask("tools/list")]
        first = await self.ask("initialize", protocolVersion=self._era, capabilities={}, clientInfo=CLIENT)
        await self._send({"method": "notifications/initialized"})
        return [first, await self.ask("tools/list")]

    async def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0"} | message).encode() + b"\n")
        await self._process.stdin.drain()

    async def end(self) -> str:
        assert self._process.stdin is not None
        assert self._process.stderr is not None
        self._process.stdin.close()
        async with within():
            said = (await self._process.stderr.read()).decode()
            await self._process.wait()
        return said


async def session(settings: Settings, era: str = ERAS[2]) -> Session:
    pipe = asyncio.subprocess.PIPE
    environ = os.environ | settings.environ()
    process = await asyncio.create_subprocess_exec(
        GASOLINE, "mcp", env=environ, stdin=pipe, stdout=pipe, stderr=pipe, limit=1 << 20
    )
    return Session(process, era)


@pytest.mark.requirement("fast-007", "fast-008")
@pytest.mark.parametrize("era", ERAS)
async def test_what_is_answered_while_the_system_starts_is_what_the_front_answers(settings: Settings, era: str) -> None:
    await asyncio.to_thread(gasoline, settings, "up", "--detach", "--compact")
    until_recorded = settings.data_dir / "answers.json"
    async with within():
        while not until_recorded.exists():  # noqa: ASYNC110 - another process's file
            await asyncio.sleep(0.02)
    warm = await session(settings, era)
    of_the_front = await warm.begin()
    await warm.end()
    await asyncio.to_thread(gasoline, settings, "down")

    cold = await session(settings, era)
    at_once = await cold.begin()
    had_started = settings.mcp_socket.exists()
    status = await cold.ask("tools/call", **STATUS)
    await cold.end()

    assert of_the_front == at_once
    assert not had_started
    assert "processes" in json.loads(status["content"][0]["text"])


@pytest.mark.requirement("fast-008")
async def test_a_system_that_does_not_start_is_an_error_of_the_call_that_states_why(
    settings: Settings,
) -> None:
    await asyncio.to_thread(gasoline, settings, "down")
    shutil.rmtree(settings.runtime_dir)
    settings.runtime_dir.write_text("no folder")
    client = await session(settings)
    begun = await client.begin()
    status = await client.ask("tools/call", **STATUS)
    settings.runtime_dir.unlink()
    again = await client.ask("tools/call", **STATUS)
    said = await client.end()

    assert begun
    assert status["isError"]
    error = json.loads(status["content"][0]["text"])["error"]
    assert "system_stopped" == error["code"]
    assert f"Gasoline does not start. {settings.runtime_dir} cannot be used" in error["message"]
    assert "gasoline doctor" in error["recovery"]
    assert f"{settings.runtime_dir} cannot be used" in said
    assert not again["isError"], "the next call tries again"


@pytest.mark.requirement("fast-010")
def test_the_shim_imports_neither_msgspec_nor_platformdirs() -> None:
    code = (
        "import sys; from gasoline_bridge.cli import entry; from gasoline_bridge.front import session_folders, shim;"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    loaded = set(shown.stdout.split())
    assert "gasoline_bridge" in loaded
    assert not loaded & {"msgspec", "platformdirs", "structlog", "click", "asyncio", "pathlib", "subprocess"}
