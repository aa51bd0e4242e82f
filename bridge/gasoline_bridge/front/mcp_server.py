"""The MCP server: what it lists, and which part of a session answers each request; it knows no transport."""

import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server

from gasoline_bridge.front import client_roots
from gasoline_bridge.front.calls import Called, Calls
from gasoline_bridge.front.completions import Completions
from gasoline_bridge.front.log_messages import LogMessages
from gasoline_bridge.front.progress import Progress
from gasoline_bridge.front.prompts import Prompts
from gasoline_bridge.front.protocol_tasks import EXTENSION, TaskParams, Tasks, is_declared
from gasoline_bridge.front.reading_tools import READING
from gasoline_bridge.front.resources import Resources
from gasoline_bridge.front.schema import flat_schema
from gasoline_bridge.front.subscriptions import Subscriptions
from gasoline_bridge.front.tools import INSTRUCTIONS, TOOLS, Observe, Tool
from gasoline_broker.product import NAME, VERSION

KEYWORDS = ("type", "description", "enum", "items", "properties")
"""What the list has of a parameter's schema: strict clients refuse other keywords, and an error names the bounds."""


COMMON = ("tab_id", "budget", "cursor")
"""What every tool takes: the first one of the list describes it, and so do the instructions."""


def _schema(tool: Tool) -> dict[str, Any]:
    """Give the schema of a tool as it is listed: of a stand-alone tool, names and types."""
    schema = flat_schema(tool.arguments)
    properties = {name: _brief(described) for name, described in schema["properties"].items()}
    bare = tool.listed or (() if tool.arguments is Observe else COMMON)
    for name in properties.keys() & {*bare}:
        properties[name].pop("description", None)
    listed = {name: properties[name] for name in tool.listed or properties}
    required = {"required": schema["required"]} if schema["required"] else {}
    return {"type": "object", "properties": listed} | required


def _brief(described: dict[str, Any]) -> dict[str, Any]:
    """Leave out of a schema what strict clients refuse, and what a model does not call better for."""
    brief = {key: described[key] for key in KEYWORDS if key in described}
    if "enum" in brief:
        brief |= {"type": "string", "enum": [value for value in brief["enum"] if value]}
    if "items" in brief:
        brief["items"] = _brief(brief["items"])
    if "properties" in brief:  # the description is that of the Struct
        brief.pop("description", None)
        brief["properties"] = {name: _brief(inner) for name, inner in brief["properties"].items()}
        brief |= {"required": described["required"]} if described.get("required") else {}
    return brief


def _hints(name: str, tool: Tool) -> types.ToolAnnotations | None:
    """Give what differs from the defaults of MCP: a tool writes, destroys, and does more when it is called again."""
    if name in READING:  # the other hints are about tools that write
        return types.ToolAnnotations(read_only_hint=True)
    return None if tool.destroys else types.ToolAnnotations(destructive_hint=False)


def listed(name: str, tool: Tool) -> types.Tool:
    """Describe a tool as the list has it."""
    return types.Tool(
        name=name,
        title=tool.title,
        description=" ".join((tool.arguments.__doc__ or "").split()),
        input_schema=_schema(tool),
        annotations=_hints(name, tool),
    )


TOOL_LIST = [listed(name, tool) for name, tool in TOOLS.items()]


def as_result(called: Called) -> types.CallToolResult:
    """Give an answer as the protocol has it."""
    images = [types.ImageContent(type="image", data=one.data, mime_type=one.mime_type) for one in called.images]
    text = types.TextContent(type="text", text=called.text.decode())
    return types.CallToolResult(content=[text, *images], is_error=called.failed)


class Session:
    """What answers one client."""

    def __init__(self, calls: Calls) -> None:
        self.calls = calls
        self.subscriptions = Subscriptions(calls)
        self.resources = Resources(calls)
        self.completions = Completions(calls)
        self.prompts = Prompts()
        self.log_messages = LogMessages(calls)
        self.tasks = Tasks(calls, as_result)

    async def list_tools(self, _context: Any, _params: Any) -> types.ListToolsResult:  # noqa: ANN401 - the SDK's own types
        """List the tools."""
        return types.ListToolsResult(tools=TOOL_LIST)

    async def call_tool(
        self,
        context: Any,  # noqa: ANN401 - the SDK's own type
        params: types.CallToolRequestParams,
    ) -> types.CallToolResult | types.InputRequiredResult | dict[str, Any]:
        """Answer a tool call; one that saves a file asks the client for its folders first.

        An analysis that runs on is a task, for a client that declares these.
        """
        if "save_to" in (params.arguments or {}):
            roots = await client_roots.ask(context, params)
            if isinstance(roots, types.InputRequiredResult):
                return roots
            self.calls.note_roots(roots)
        client_params = context.session.client_params
        client = client_params.client_info.name if client_params is not None else ""
        trace = (params.meta or {}).get("traceparent", "")
        progress = Progress(params.name)
        wanted = "progress_token" in (params.meta or {})
        reported = progress.reported(context.session.report_progress) if wanted else contextlib.nullcontext()
        async with self.log_messages.during(context), reported:
            called = await self.calls.call(params.name, params.arguments or {}, trace, client, progress)
        if called.pending and params.name == "analyze" and is_declared(context):
            return self.tasks.created(called.pending, params.arguments or {})
        return as_result(called)

    def stop_watching(self) -> None:
        """Send nothing more that was not asked for."""
        self.subscriptions.close()
        self.log_messages.close()

    async def close(self) -> None:
        """Watch nothing more, and stop what acts."""
        self.stop_watching()
        await self.calls.close()


SessionOf = Callable[[Any], Session]
"""Gives the session of a request, by the SDK's context of it."""

Handler = Callable[[Any, Any], Awaitable[Any]]


def make_server(session_of: SessionOf) -> Server[Any]:
    """Make a server whose every request is answered by the session that it is of."""

    def by(part: Callable[[Session], Handler]) -> Handler:
        async def answer(context: Any, params: Any) -> Any:  # noqa: ANN401 - the SDK's own types
            return await part(session_of(context))(context, params)

        return answer

    server: Server[Any] = Server(
        NAME,
        version=VERSION,
        instructions=INSTRUCTIONS,
        on_list_tools=by(lambda session: session.list_tools),
        on_call_tool=by(lambda session: session.call_tool),
        on_list_resources=by(lambda session: session.resources.list),
        on_list_resource_templates=by(lambda session: session.resources.templates),
        on_read_resource=by(lambda session: session.resources.read),
        on_subscribe_resource=by(lambda session: session.subscriptions.subscribe),
        on_unsubscribe_resource=by(lambda session: session.subscriptions.unsubscribe),
        on_subscriptions_listen=by(lambda session: session.subscriptions.listen),
        on_list_prompts=by(lambda session: session.prompts.list),
        on_get_prompt=by(lambda session: session.prompts.get),
        on_completion=by(lambda session: session.completions.complete),
    )
    set_level = by(lambda session: session.log_messages.set_level)
    server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, set_level)  # as an argument it warns
    server.extensions[EXTENSION] = {}
    server.add_request_handler("tasks/get", TaskParams, by(lambda session: session.tasks.get))
    server.add_request_handler("tasks/update", TaskParams, by(lambda session: session.tasks.update))
    server.add_request_handler("tasks/cancel", TaskParams, by(lambda session: session.tasks.cancel))
    server.middleware.clear()  # the telemetry span, which has no consumer
    return server
