"""Runs the smallest server on the official SDK before the bare extension: a call goes on over a WebSocket, and returns.

It checks nothing, keeps nothing and redacts nothing: what a client pays for it, it pays for every server of that SDK.
"""

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator
from typing import Any

import mcp_types as types
from aiohttp import web
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

TOOLS = ("query", "page", "controls", "eval", "click", "form", "refresh", "navigate", "debugged", "attaching")


async def main(port: int) -> None:
    """Answer a client from the extension that connects to the port, until the client ends."""

    async def list_tools(_context: object, _params: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[types.Tool(name=name, input_schema={"type": "object"}) for name in TOOLS])

    async def call_tool(_context: object, params: types.CallToolRequestParams) -> types.CallToolResult:
        text = await ask(await connected, params.name)
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)])

    server: Server[Any] = Server("bare", version="1", on_list_tools=list_tools, on_call_tool=call_tool)
    server.middleware.clear()
    async with listening(port) as connected, stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


@contextlib.asynccontextmanager
async def listening(port: int) -> AsyncIterator[asyncio.Future[web.WebSocketResponse]]:
    """Listen for the extension, and promise its connection."""
    connected: asyncio.Future[web.WebSocketResponse] = asyncio.get_running_loop().create_future()

    async def serve(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        connected.set_result(socket)
        await asyncio.Event().wait()
        return socket

    app = web.Application()
    app.router.add_get("/", serve)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    yield connected
    await runner.cleanup()


async def ask(socket: web.WebSocketResponse, name: str) -> str:
    """Ask the extension for something, and give its answer."""
    await socket.send_str(json.dumps({"name": name}))
    while len(text := str((await socket.receive()).data)) <= len("{}"):
        pass  # by which the extension stays alive
    return text


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
