"""The transport of a client whose `gasoline mcp` is forked: the real shim, started in milliseconds."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Mapping

import anyio
import mcp_types as types
from mcp.client._transport import TransportStreams
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

import forks

LINE_BYTES_MAX = 16 << 20


@contextlib.asynccontextmanager
async def shim(command: str, environ: Mapping[str, str]) -> AsyncIterator[TransportStreams]:
    """Start `gasoline mcp`, and give the streams of its client; it ends as its standard input does."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = await forks.start([command, "mcp"], environ, pipe=theirs)
    reader, writer = await asyncio.open_unix_connection(sock=ours, limit=LINE_BYTES_MAX)
    incoming, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, outgoing = anyio.create_memory_object_stream[SessionMessage](0)

    async def pump_in() -> None:
        async with incoming:
            with contextlib.suppress(anyio.BrokenResourceError, ConnectionError):  # the client has gone, or the shim
                while line := await reader.readline():
                    await incoming.send(_parse(line))

    async def pump_out() -> None:
        async with outgoing:
            with contextlib.suppress(ConnectionError):  # the shim has gone: what is read ends
                async for item in outgoing:
                    writer.write(item.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
                    await writer.drain()
                writer.write_eof()

    try:
        async with anyio.create_task_group() as group:
            group.start_soon(pump_in)
            group.start_soon(pump_out)
            async with read, write:
                yield read, write
        await process.ended()
    finally:
        process.kill()
        writer.close()


def _parse(line: bytes) -> SessionMessage | Exception:
    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except (ValidationError, ValueError) as fault:
        return fault
