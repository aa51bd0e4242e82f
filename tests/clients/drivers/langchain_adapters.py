"""langchain-mcp-adapters: its tools, as an agent of LangChain calls them."""

import asyncio
from typing import Any

from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools
from steps import COMMAND, ENVIRON, drive, say


async def main() -> None:
    server = {"command": COMMAND, "args": ["mcp"], "env": ENVIRON, "transport": "stdio"}
    client = MultiServerMCPClient({"gasoline": server})
    async with client.session("gasoline") as session:
        tools = {tool.name: tool for tool in await load_mcp_tools(session)}
        say("listed", tools=len(tools))

        async def call(name: str, arguments: dict[str, Any]) -> str:
            message = {"name": name, "args": arguments, "id": "1", "type": "tool_call"}
            result = await tools[name].ainvoke(message)
            return f"{result.status} {result.content}"

        async def bounded(name: str, arguments: dict[str, Any], timeout: float) -> str:  # noqa: ASYNC109 - the driver's
            return await asyncio.wait_for(call(name, arguments), timeout)

        await drive(call, bounded, None)


asyncio.run(main())
