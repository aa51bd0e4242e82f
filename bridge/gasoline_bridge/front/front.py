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

import structlog
from mcp.server.lowlevel import NotificationOptions

from gasoline_bridge.front import lines, recorded_answers, recording
from gasoline_bridge.front.calls import Calls
from gasoline_bridge.front.client_streams import Incoming, Outgoing
from gasoline_bridge.front.jobs import Jobs
from gasoline_bridge.front.mcp_server import Session, make_server
from gasoline_bridge.front.open_requests import OpenRequests
from gasoline_bridge.front.session_folders import Folders
from gasoline_broker.actor.actor import Actor
from gasoline_broker.errors import AlreadyRunning, CannotStart
from gasoline_broker.lock import Lock
from gasoline_broker.settings import private_dir

FILES_CHECK_S = 1.0  # how often it is looked whether the socket is still there
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


async def serve(
    calls: Calls, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, unanswered: OpenRequests
) -> None:
    """Serve one session, in the client's era of the protocol, until it ends."""
    session = Session(calls)
    server = make_server(lambda _context: session)
    options = server.create_initialization_options(NotificationOptions())
    try:
        await server.run(Incoming(calls, reader, unanswered), Outgoing(calls, writer, unanswered), options)
    finally:
        session.stop_watching()
