"""fastmcp: its Client over stdio."""

import asyncio
from typing import Any

from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from steps import COMMAND, ENVIRON, drive, say


async def main() -> None:
    progress: list[Any] = []

    async def heard(*values: Any) -> None:
        progress.append(values)

    async with Client(StdioTransport(COMMAND, ["mcp"], env=ENVIRON)) as client:
        say("listed", tools=len(await client.list_tools()))

        async def call(name: str, arguments: dict[str, Any], timeout: float | None = None) -> str:  # noqa: ASYNC109 - the driver's
            result = await client.call_tool(name, arguments, timeout=timeout, progress_handler=heard)
            return str(result.content[0].text)

        await drive(call, call, progress)


asyncio.run(main())
