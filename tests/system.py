"""Starts the real system for a test, in folders and on a port of its own; it simulates nothing."""

import asyncio
import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from mcp import Client, StdioServerParameters
from mcp_types import ImageContent, Implementation, TextContent

import forks
import reply_fields
from forked_shim import shim
from gasoline_bridge import installed
from gasoline_broker.settings import Settings
from gasoline_demo.site import free_port

if TYPE_CHECKING:
    import subprocess

    from mcp.client._transport import Transport

GASOLINE = str(Path(sys.executable).with_name("gasoline"))
READY_S = 30.0
ROWED = (
    "logs",
    "errors",
    "actions",
    "network_waterfall",
    "websocket_events",
)  # tests/browser/test_rows.py reads the rows


@contextlib.contextmanager
def settings() -> Iterator[Settings]:
    """Give settings with folders of their own, which are removed afterwards."""
    home = Path(tempfile.mkdtemp(prefix="gs-"))  # short: a socket's path has 107 bytes
    try:
        yield Settings(port=free_port(), data_dir=home / "data", runtime_dir=home / "run", config_dir=home / "config")
    finally:
        shutil.rmtree(home, ignore_errors=True)


def gasoline(settings: Settings, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end."""
    return forks.run([GASOLINE, *arguments], os.environ | settings.environ(), timeout_s=60)


@contextlib.contextmanager
def running(settings: Settings, *, compact: bool = True) -> Iterator[Settings]:
    """Run the system while the block runs: the compact one, as a client starts it, or one of many processes."""
    started = gasoline(settings, "up", "--detach", *(["--compact"] if compact else []))
    assert started.returncode == 0, started.stderr + settings.log_file.read_text()
    try:
        yield settings
    finally:
        stopped = gasoline(settings, "down")
        assert stopped.returncode == 0, stopped.stderr


@contextlib.asynccontextmanager
async def assistant(
    settings: Settings, mode: str = "auto", name: str = "test", *, by_command: bool = False
) -> AsyncIterator["Assistant"]:
    """Connect a real client of that name over a `gasoline mcp`, forked or started by its command."""
    server: StdioServerParameters | Transport = StdioServerParameters(
        command=GASOLINE, args=["mcp"], env=settings.environ()
    )
    if not by_command:
        server = shim(GASOLINE, os.environ | settings.environ())
    async with Client(server, mode=mode, client_info=Implementation(name=name, version="1")) as client:
        yield Assistant(client)


class Assistant:
    """A client's session."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.images: list[ImageContent] = []

    async def text(self, tool: str, **arguments: Any) -> tuple[str, bool]:
        """Call a tool, and give the text of its reply and whether it is an error."""
        result = await self.client.call_tool(tool, arguments)
        content = result.content[0]
        assert isinstance(content, TextContent)
        self.images = [one for one in result.content[1:] if isinstance(one, ImageContent)]
        assert 1 + len(self.images) == len(result.content)
        assert result.structured_content is None
        if not result.is_error:
            reply_fields.note_reply(tool, arguments, msgspec.json.decode(content.text))
        return content.text, bool(result.is_error)

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must succeed, and give its reply; of a list that has rows, its objects."""
        if tool == "observe" and arguments.get("what") in ROWED:
            arguments = {"verbose": True} | arguments
        text, failed = await self.text(tool, **arguments)
        assert not failed, text
        reply: dict[str, Any] = msgspec.json.decode(text)
        return reply

    async def error(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must fail, and give its error."""
        text, failed = await self.text(tool, **arguments)
        assert failed, text
        error: dict[str, Any] = msgspec.json.decode(text)["error"]
        return error

    async def pids(self) -> dict[str, int]:
        """Give the process of each service."""
        status = await self.call("observe", what="status")
        return {row["service"]: row["pid"] for row in status["processes"]}

    async def all_pids(self, services: Iterable[str]) -> dict[str, int]:
        """Give them as soon as all of these are there: a new broker hears of its processes one by one."""
        async with asyncio.timeout(READY_S):
            while not set(services) <= set(pids := await self.pids()):  # noqa: ASYNC110 - the broker's books are another process's
                await asyncio.sleep(0.02)
        return pids

    async def connected(self) -> None:
        """Wait until Chrome is connected."""
        async with asyncio.timeout(READY_S):
            while not (await self.call("observe", what="status"))["extension"].get("connected"):  # noqa: ASYNC110 - its state is another process's
                await asyncio.sleep(0.02)


def token(settings: Settings) -> str:
    """Give the token of this installation."""
    return installed.token(settings)
