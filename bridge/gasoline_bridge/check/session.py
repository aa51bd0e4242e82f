"""Calls the tools of a running front, as an MCP client does, over its socket; it judges no answer.

Written by hand: the MCP package takes most of a second to import, and three messages are needed here.
"""

import asyncio
import itertools
import json
from typing import Any, Self

from gasoline_broker.product import NAME, VERSION
from gasoline_broker.settings import Settings

LINE_BYTES = 64_000_000
PROTOCOL = "2025-06-18"

Reply = dict[str, Any]
"""The reply of a tool: JSON."""


class CallFailedError(Exception):
    """A call was refused, or failed: the front's words for it."""


class Session:
    """One client's session."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._numbers = itertools.count(1)

    @classmethod
    async def open(cls, settings: Settings) -> Self:
        """Connect, and introduce the client.

        Raises:
            OSError: there is no front yet.

        """
        session = cls(*await asyncio.open_unix_connection(settings.mcp_socket, limit=LINE_BYTES))
        client = {"name": f"{NAME} check", "version": VERSION}
        await session._ask("initialize", protocolVersion=PROTOCOL, capabilities={}, clientInfo=client)
        await session._send({"method": "notifications/initialized"})
        return session

    async def call(self, tool: str, **arguments: object) -> Reply:
        """Call a tool, and return its reply.

        Raises:
            CallFailedError: it failed.

        """
        result = await self._ask("tools/call", name=tool, arguments=arguments)
        reply: Reply = json.loads(result["content"][0]["text"])
        if result.get("isError"):
            error = reply.get("error", {})
            raise CallFailedError(f"{error.get('message', '')} {error.get('recovery', '')}".strip() or str(reply))
        return reply

    async def close(self) -> None:
        """End the session."""
        self._writer.close()

    async def _ask(self, method: str, **params: object) -> Reply:
        number = next(self._numbers)
        await self._send({"id": number, "method": method, "params": params})
        while text := await self._reader.readline():
            message: Reply = json.loads(text)
            if message.get("id") != number:
                continue
            if fault := message.get("error"):
                raise CallFailedError(str(fault.get("message", fault)))
            result: Reply = message["result"]
            return result
        raise CallFailedError("The system ended during the call.")

    async def _send(self, message: Reply) -> None:
        self._writer.write(json.dumps({"jsonrpc": "2.0"} | message).encode() + b"\n")
        await self._writer.drain()
