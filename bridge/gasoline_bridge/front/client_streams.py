"""The two streams between a client's connection and the SDK: lines in, lines out, without a task in between.

The SDK's own way, a stream in memory and a task at either end, costs a fifth of all that the SDK does for a call.
"""

import asyncio
import contextlib
from typing import Self

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from gasoline_bridge.front.calls import Calls
from gasoline_bridge.front.open_requests import OpenRequests

LAST_ANSWERS_S = 1.0  # how long a client that has ended its input is still answered, but for its calls


class _Stream:
    """What the SDK does with every stream; the connection is not its to close."""

    async def aclose(self) -> None:
        """Leave the connection open."""

    async def __aenter__(self) -> Self:
        """Give the stream."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Leave the connection open."""


class Incoming(_Stream):
    """The client's messages, as the SDK reads them: straight from its lines, without a task in between."""

    def __init__(self, calls: Calls, reader: asyncio.StreamReader, unanswered: OpenRequests) -> None:
        self._calls = calls
        self._reader = reader
        self._unanswered = unanswered

    def __aiter__(self) -> Self:
        """Give the messages one by one."""
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        """Give the next message, or why a line is none; it ends with the client's input, once that is answered."""
        line = b""
        with contextlib.suppress(ValueError, ConnectionError):  # a line over the limit ends the session
            line = await self._reader.readline()
        if not line:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LAST_ANSWERS_S):
                    await self._unanswered.settled(self._calls.session)
            raise StopAsyncIteration
        if self._unanswered.closing:
            await asyncio.Event().wait()
        try:
            message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
        except (ValidationError, ValueError) as fault:
            return fault
        self._unanswered.note_read(self._calls.session, message)
        return SessionMessage(message)

    async def receive(self) -> SessionMessage | Exception:
        """Give the next message.

        Raises:
            anyio.EndOfStream: there is none any more.

        """
        try:
            return await anext(self)
        except StopAsyncIteration:
            raise anyio.EndOfStream from None


class Outgoing(_Stream):
    """What the SDK answers: written as lines by the task that answers."""

    def __init__(self, calls: Calls, writer: asyncio.StreamWriter, unanswered: OpenRequests) -> None:
        self._calls = calls
        self._writer = writer
        self._unanswered = unanswered

    async def send(self, item: SessionMessage, /) -> None:
        """Write a message."""
        message = item.message
        if self._unanswered.closing and _is_cut_off(message):
            return
        self._writer.write(message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
        self._unanswered.note_written(self._calls.session, message)
        with contextlib.suppress(ConnectionError):
            await self._writer.drain()
        self._calls.log_ended()


def _is_cut_off(message: types.JSONRPCMessage) -> bool:
    """Whether the SDK reports that of a request that its session's end cut off: at our stop the shim knows better."""
    return isinstance(message, types.JSONRPCError) and message.error.code == types.CONNECTION_CLOSED
