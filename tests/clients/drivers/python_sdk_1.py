"""The Python SDK 1.x: mcp.ClientSession over stdio."""

import asyncio
from datetime import timedelta
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from steps import COMMAND, ENVIRON, drive, say


async def main() -> None:
    server = StdioServerParameters(command=COMMAND, args=["mcp"], env=ENVIRON)
    progress: list[Any] = []

    async def heard(*values: Any) -> None:
        progress.append(values)

    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        begun = await session.initialize()
        say("listed", tools=len((await session.list_tools()).tools), era=begun.protocolVersion)

        async def call(name: str, arguments: dict[str, Any], timeout: float | None = None) -> str:  # noqa: ASYNC109 - the driver's
            limit = timedelta(seconds=timeout) if timeout else None
            result = await session.call_tool(name, arguments, limit, heard)
            return f"{'isError ' if result.isError else ''}{result.content[0].text}"

        await drive(call, call, progress)


asyncio.run(main())
