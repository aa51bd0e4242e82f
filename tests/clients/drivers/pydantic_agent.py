"""pydantic-ai: an agent whose model is a function, which sees what a model would."""

import asyncio
from typing import Any

from fastmcp.client.transports import StdioTransport
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from steps import COMMAND, ENVIRON, drive, say


async def main() -> None:
    tools: list[str] = []
    wanted: list[Any] = []
    seen: list[str] = []

    def model(messages: list[Any], info: AgentInfo) -> ModelResponse:
        tools[:] = [one.name for one in info.function_tools]
        last = messages[-1].parts[-1]
        if last.part_kind == "user-prompt":
            return ModelResponse(parts=[ToolCallPart(*wanted)])
        seen.append(
            f"{last.part_kind}: {last.model_response()}" if last.part_kind == "retry-prompt" else str(last.content)
        )
        return ModelResponse(parts=[TextPart("done")])

    toolset = MCPToolset(StdioTransport(COMMAND, ["mcp"], env=ENVIRON))
    agent = Agent(FunctionModel(model), toolsets=[toolset])
    async with agent:

        async def call(name: str, arguments: dict[str, Any]) -> str:
            wanted[:] = [name, arguments]
            await agent.run("go")
            return seen[-1]

        first = await call("observe", {"what": "status"})
        assert first
        say("listed", tools=len(tools))

        async def bounded(name: str, arguments: dict[str, Any], timeout: float) -> str:  # noqa: ASYNC109 - the driver's
            return await asyncio.wait_for(call(name, arguments), timeout)

        await drive(call, bounded, None)


asyncio.run(main())
