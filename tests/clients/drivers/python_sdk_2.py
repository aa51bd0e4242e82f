"""The Python SDK 2.x: mcp.Client."""

import asyncio
from typing import Any

from mcp import Client, StdioServerParameters
from steps import COMMAND, ENVIRON, drive, say


async def main() -> None:
    server = StdioServerParameters(command=COMMAND, args=["mcp"], env=ENVIRON)
    progress: list[Any] = []

    async def heard(*values: Any) -> None:
        progress.append(values)

    async with Client(server) as client:
        say("listed", tools=len((await client.list_tools()).tools), era=str(client.protocol_version))

        async def call(name: str, arguments: dict[str, Any], timeout: float | None = None) -> str:  # noqa: ASYNC109 - the driver's
            result = await client.call_tool(name, arguments, read_timeout_seconds=timeout, progress_callback=heard)
            return f"{'is_error ' if result.is_error else ''}{result.content[0].text}"

        await drive(call, call, progress)


asyncio.run(main())
