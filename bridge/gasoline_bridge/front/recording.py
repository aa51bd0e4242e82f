"""Asks the front's own server what it answers to every client alike, once for each version of the protocol."""

import sys
from collections.abc import Iterator
from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.shared.message import SessionMessage
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from gasoline_bridge.front.recorded_answers import VERSION_KEY

PACKAGES = ("gasoline_bridge", "gasoline_broker", "gasoline_workers", "mcp", "mcp_types")
CLIENT = {"name": "gasoline", "version": "0"}
META = {"io.modelcontextprotocol/clientInfo": CLIENT, "io.modelcontextprotocol/clientCapabilities": {}}

Results = dict[str, dict[str, str]]


async def record(server: Server[Any]) -> Results:
    """Return the results by method and version, as JSON."""
    results: Results = {"initialize": {}, "server/discover": {}, "tools/list": {}}
    for version in HANDSHAKE_PROTOCOL_VERSIONS:
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT}
        initialize = types.JSONRPCRequest(jsonrpc="2.0", id=0, method="initialize", params=params)
        done = types.JSONRPCNotification(jsonrpc="2.0", method="notifications/initialized")
        await _record(server, version, results, [initialize, done, _request("tools/list", {})])
    for version in MODERN_PROTOCOL_VERSIONS:
        params = {"_meta": {VERSION_KEY: version, **META}}
        await _record(server, version, results, [_request("server/discover", params), _request("tools/list", params)])
    return results


def sources() -> Iterator[str]:
    """Return the files that these results are made of: all of these packages that are loaded."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in PACKAGES and getattr(module, "__file__", None):
            yield str(module.__file__)


def _request(method: str, params: dict[str, Any]) -> types.JSONRPCRequest:
    return types.JSONRPCRequest(jsonrpc="2.0", id=0, method=method, params=params)


async def _record(
    server: Server[Any],
    version: str,
    results: Results,
    messages: list[types.JSONRPCRequest | types.JSONRPCNotification],
) -> None:
    """Have one session, and note the results of its requests; one that is refused is in none."""
    incoming, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as group, incoming, outgoing:
        group.start_soon(server.run, read, write, server.create_initialization_options(NotificationOptions()))
        for message in messages:
            await incoming.send(SessionMessage(message))
            if isinstance(message, types.JSONRPCRequest):
                answer = (await outgoing.receive()).message
                if isinstance(answer, types.JSONRPCResponse):
                    whole = answer.model_dump_json(by_alias=True, exclude_unset=True)
                    results[message.method][version] = _result_of(whole)
        group.cancel_scope.cancel()


def _result_of(answer: str) -> str:
    """Return the JSON of the result in an answer, as the front would write it."""
    return answer.partition('"result":')[2][:-1]
