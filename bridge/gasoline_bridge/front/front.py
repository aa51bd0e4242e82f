"""The front's process: keeps the MCP server loaded, and serves every assistant that connects to its Unix socket.

Rules of this file:
- `import mcp` costs half a second: it happens here alone, once.
- Each connection is a session of its own, and its end cancels what it had asked for.
- A line that is no message ends nothing; the shim has answered it (`lines.py`), and passes on none.
- A front that is stopping reads no further request, answers those that it has read, and then ends its sessions: the
  shim repeats to the next front what its client sent meanwhile, and accounts for what was not finished.
"""

import asyncio
import contextlib
import os
from typing import Any

import anyio
import mcp_types as types
import structlog
from mcp.server.lowlevel import NotificationOptions
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from gasoline_bridge.front import lines, recorded_answers, recording
from gasoline_bridge.front.calls import Calls
from gasoline_bridge.front.jobs import Jobs
from gasoline_bridge.front.mcp_server import Session, make_server
from gasoline_bridge.front.session_folders import Folders
from gasoline_broker.actor.actor import Actor
from gasoline_broker.errors import AlreadyRunning, CannotStart
from gasoline_broker.lock import Lock
from gasoline_broker.settings import private_dir

FILES_CHECK_S = 1.0  # how often it is looked whether the socket is still there
LAST_ANSWERS_S = 1.0  # how long a client that has ended its input is still answered, but for its calls
FINISH_S = 4.0  # how long a front that is stopping waits for its calls: less than it has for stopping

logger = structlog.get_logger()


class Front(Actor[Any]):
    """Answers assistants; asks the other processes."""

    service = "front"

    async def started(self) -> None:
        """Listen on the socket.

        Raises:
            AlreadyRunning: another front listens on it.

        """
        self._lock = Lock(private_dir(self.settings.runtime_dir) / "front.lock", "The front")
        self._lock.take()
        self._sessions: set[asyncio.Task[None]] = set()
        self._open = OpenRequests()
        self._jobs = Jobs(self.link)
        await self._listen()
        self._keeping = asyncio.create_task(self._keep_files())
        self._recording = asyncio.create_task(self._record())

    async def _record(self) -> None:
        """Have the next clients answered while a system starts: write down what every client is answered alike."""
        path = Folders(str(self.settings.data_dir), str(self.settings.runtime_dir)).answers_file
        if recorded_answers.load(path) is None:
            session = Session(Calls(self.link, self.settings, self._jobs))
            results = await recording.record(make_server(lambda _context: session))
            recorded_answers.store(path, results, recording.sources())

    async def _listen(self) -> None:
        path = self.settings.mcp_socket
        path.unlink(missing_ok=True)  # left by one that was killed
        before = os.umask(0o177)
        try:
            self._server = await asyncio.start_unix_server(self._connected, path, limit=lines.BYTES_MAX)
        finally:
            os.umask(before)

    async def _keep_files(self) -> None:
        """Make the lock and the socket again if they were deleted; sessions stay."""
        while True:
            await asyncio.sleep(FILES_CHECK_S)
            try:
                if self._lock.is_lost:
                    private_dir(self.settings.runtime_dir)
                    self._lock.take_again()
                if not self.settings.mcp_socket.exists():
                    self._server.close()
                    await self._listen()
                    logger.warning("socket_made_again")
            except (AlreadyRunning, CannotStart, OSError) as fault:
                logger.warning("file_lost", reason=str(fault))

    async def leaving(self) -> None:
        """Stop listening, answer what was read, and end every session."""
        self._keeping.cancel()
        self._recording.cancel()
        self._server.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FINISH_S):
                await self._open.closed()
        for task in self._sessions:
            task.cancel()
        if self._sessions:
            await asyncio.wait(self._sessions)
        await self._jobs.close()

    async def stopping(self) -> None:
        """Make room for the next front."""
        self.settings.mcp_socket.unlink(missing_ok=True)
        self._lock.release()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None:
            return
        self._sessions.add(task)
        calls = Calls(self.link, self.settings, self._jobs)
        log = logger.bind(session=calls.session)
        log.info("session_begun", open=len(self._sessions))
        try:
            await serve(calls, reader, writer, self._open)
        except (ConnectionError, asyncio.CancelledError):
            pass  # a client that goes is no fault; on our own stop the session ends here
        finally:
            self._sessions.discard(task)
            self._open.forget(calls.session)
            writer.close()
            await calls.close()
            log.info("session_ended", open=len(self._sessions))


class OpenRequests:
    """The requests of every session that were read and are not answered yet."""

    def __init__(self) -> None:
        self._requests: dict[tuple[str, types.RequestId], str] = {}
        self._changed = asyncio.Event()
        self.closing = False

    def note_read(self, session: str, message: types.JSONRPCMessage) -> None:
        """Take in a message of the client; its answers to our questions have ids of ours."""
        match message:
            case types.JSONRPCRequest():
                self._requests[session, message.id] = message.method
            case types.JSONRPCNotification(method="notifications/cancelled", params=dict(params)):
                self._requests.pop((session, params.get("requestId", "")), None)
            case _:
                return
        self._changed.set()

    def note_written(self, session: str, message: types.JSONRPCMessage) -> None:
        """Take in a message to the client: what is answered is open no longer."""
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError) and message.id is not None:
            self._requests.pop((session, message.id), None)
            self._changed.set()

    def forget(self, session: str) -> None:
        """Wait for nothing of a session that has ended."""
        self._requests = {request: method for request, method in self._requests.items() if request[0] != session}
        self._changed.set()

    async def settled(self, session: str) -> None:
        """Wait until all of a session is answered but its calls, which end with it."""
        while any(of == session and method != "tools/call" for (of, _), method in self._requests.items()):
            self._changed.clear()
            await self._changed.wait()

    async def closed(self) -> None:
        """Have nothing more read, and wait until everything is answered."""
        self.closing = True
        while self._requests:
            self._changed.clear()
            await self._changed.wait()


async def serve(
    calls: Calls, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, unanswered: OpenRequests
) -> None:
    """Serve one session, in the client's era of the protocol, until it ends."""
    session = Session(calls)
    server = make_server(lambda _context: session)
    options = server.create_initialization_options(NotificationOptions())
    incoming, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, outgoing = anyio.create_memory_object_stream[SessionMessage](0)

    async with anyio.create_task_group() as group:

        async def pump_in() -> None:
            async with incoming:
                with contextlib.suppress(ValueError, ConnectionError):  # a line over the limit ends the session
                    while line := await reader.readline():
                        if unanswered.closing:
                            await asyncio.Event().wait()
                        received = _parse(line)
                        if isinstance(received, SessionMessage):
                            unanswered.note_read(calls.session, received.message)
                        await incoming.send(received)
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(LAST_ANSWERS_S):
                            await unanswered.settled(calls.session)

        async def pump_out() -> None:
            async with outgoing:
                async for item in outgoing:
                    if unanswered.closing and _is_cut_off(item.message):
                        continue
                    writer.write(item.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
                    with contextlib.suppress(ConnectionError):
                        await writer.drain()
                    unanswered.note_written(calls.session, item.message)
                    calls.log_ended()

        group.start_soon(pump_in)
        group.start_soon(pump_out)
        try:
            await server.run(read, write, options)
        finally:
            session.stop_watching()
        group.cancel_scope.cancel()


def _is_cut_off(message: types.JSONRPCMessage) -> bool:
    """Whether the SDK reports that of a request that its session's end cut off: at our stop the shim knows better."""
    return isinstance(message, types.JSONRPCError) and message.error.code == types.CONNECTION_CLOSED


def _parse(line: bytes) -> SessionMessage | Exception:
    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except (ValidationError, ValueError) as fault:
        return fault
