"""openai-agents: its MCP server, and what a tool gives to a model."""

import asyncio
import json
from typing import Any

from agents import RunContextWrapper
from agents.mcp import MCPServerStdio, MCPUtil
from steps import COMMAND, ENVIRON, SLOW_S, drive, say


async def main() -> None:
    params = {"command": COMMAND, "args": ["mcp"], "env": ENVIRON}
    async with (
        MCPServerStdio(params=params, client_session_timeout_seconds=60) as server,
        MCPServerStdio(params=params, client_session_timeout_seconds=SLOW_S) as hasty,
    ):
        tools = {tool.name: tool for tool in await server.list_tools()}
        await hasty.list_tools()
        say("listed", tools=len(tools))

        async def by(one: MCPServerStdio, name: str, arguments: dict[str, Any]) -> str:
            output = await MCPUtil.invoke_mcp_tool(one, tools[name], RunContextWrapper(None), json.dumps(arguments))
            return str(output)

        async def call(name: str, arguments: dict[str, Any]) -> str:
            return await by(server, name, arguments)

        async def bounded(name: str, arguments: dict[str, Any], _timeout: float) -> str:
            return await by(hasty, name, arguments)

        await drive(call, bounded, None)


asyncio.run(main())
