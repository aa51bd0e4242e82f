"""An analysis that runs on, as a task of the protocol's extension, for a client that understands tasks."""

import os
import signal
from collections.abc import Sequence
from typing import Any, Literal

import msgspec
import pytest
from mcp import Client
from mcp.client.extension import ClaimContext, ClientExtension, ResultClaim
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, Implementation, RequestParams, Result, TextContent
from mcp.types import Request as McpRequest
from pydantic import ConfigDict

from browser.assisted import Scene, at
from forked_shim import shim
from gasoline_bridge.devtools import Browser, until
from gasoline_bridge.front.protocol_tasks import EXTENSION, MISSING_CAPABILITY
from gasoline_broker.settings import Settings
from system import GASOLINE, Assistant

AUDIT = {"action": "audit", "scope": "accessibility", "budget": 40_000}
HUNT = {"action": "memory", "scope": "leak", "iterations": 50, "steps": [{"action": "click", "selector": "h1"}]}


class Created(Result):
    """The result that names a task."""

    result_type: Literal["task"]
    task_id: str
    status: str
    ttl_ms: int
    poll_interval_ms: int


class TaskParams(RequestParams):
    task_id: str


class Ask(McpRequest[TaskParams, str]):
    method: str
    params: TaskParams


class State(Result):
    model_config = ConfigDict(extra="allow")


class Kept(ClientExtension):
    """Declares the extension; what it is given is kept, and the call answered with the task's name."""

    identifier = EXTENSION

    def claims(self) -> Sequence[ResultClaim[Any]]:
        return [ResultClaim(result_type="task", model=Created, resolve=self.resolve)]

    async def resolve(self, created: Created, _context: ClaimContext) -> CallToolResult:
        return CallToolResult(content=[TextContent(type="text", text=created.model_dump_json())])


async def ask(client: Client, method: str, task: str) -> dict[str, Any]:
    """Send a request of the extension, and give its whole result."""
    request = Ask(method=f"tasks/{method}", params=TaskParams(task_id=task))
    answer = await client.session.send_request(request, State)
    return answer.model_dump(mode="json", by_alias=True)


async def begin(client: Client, here: Scene, analysis: dict[str, Any]) -> dict[str, Any]:
    """Begin an analysis, and give the task that it is."""
    result = await client.call_tool("analyze", analysis | {"tab_id": here.number, "wait_s": 0})
    content = result.content[0]
    assert isinstance(content, TextContent)
    task: dict[str, Any] = msgspec.json.decode(content.text)
    return task


async def ended(client: Client, task: str) -> dict[str, Any]:
    """Ask until a task has ended."""

    async def look() -> dict[str, Any] | None:
        state = await ask(client, "get", task)
        return None if state["status"] == "working" else state

    return await until(look, "the task to end", 60)


def client_of(live: Settings) -> Client:
    """Make a client that declares the extension."""
    server = shim(GASOLINE, os.environ | live.environ())
    return Client(server, client_info=Implementation(name="tasks", version="1"), extensions=[Kept()])


@pytest.mark.requirement("transport-004")
async def test_an_analysis_is_a_task_that_completes_with_the_reply_of_its_call(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}audited.html") as here, client_of(live) as client:
        task = await begin(client, here, AUDIT)
        working = await ask(client, "get", task["task_id"])
        completed = await ended(client, task["task_id"])
        named = {"what": "analyze_result", "correlation_id": task["task_id"], "budget": 40_000}
        fetched = await Assistant(client).call("observe", **named)
        os.kill((await here.client.pids())["front"], signal.SIGKILL)
        kept = await ended(client, task["task_id"])

    assert ("task", "working") == (task["result_type"], task["status"])
    assert working["status"] in {"working", "completed"}
    assert working["taskId"] == task["task_id"]
    assert "completed" == completed["status"]
    (text,) = completed["result"]["content"]
    assert fetched == msgspec.json.decode(text["text"])
    assert fetched["summary"]
    assert not completed["result"].get("isError")
    assert "completed" == kept["status"]
    assert fetched["summary"] == msgspec.json.decode(kept["result"]["content"][0]["text"])["summary"]


@pytest.mark.requirement("transport-004")
async def test_a_task_is_cancelled_and_one_that_is_unknown_or_not_declared_is_refused(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}small.html") as here, client_of(live) as client:
        task = await begin(client, here, HUNT)
        acknowledged = await ask(client, "cancel", task["task_id"])
        state = await ended(client, task["task_id"])
        again = await ask(client, "cancel", task["task_id"])
        error = await Assistant(client).error("observe", what="analyze_result", correlation_id=task["task_id"])
        failing = await begin(client, here, HUNT | {"steps": [{"action": "click", "selector": "#none"}]})
        failed = await ended(client, failing["task_id"])
        codes = []
        for one, method, name in [
            (client, "get", "0" * 16),
            (client, "cancel", "no such task"),
            (client, "get", "x" * 100),
            (here.client.client, "get", task["task_id"]),
            (here.client.client, "cancel", task["task_id"]),
        ]:
            with pytest.raises(MCPError) as refused:
                await ask(one, method, name)
            codes.append(refused.value.code)

    assert {"resultType": "complete"} == {name: acknowledged[name] for name in acknowledged if name == "resultType"}
    assert "taskId" not in acknowledged
    assert acknowledged == again
    assert ("cancelled", "cancelled") == (state["status"], error["code"])
    assert ("completed", True) == (failed["status"], failed["result"]["isError"])
    assert "element_not_found" in failed["result"]["content"][0]["text"]
    assert [-32602] * 3 + [MISSING_CAPABILITY] * 2 == codes
