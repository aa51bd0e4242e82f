"""A front for clients that take no command: MCP over HTTP (Streamable HTTP), in both eras of the protocol.

Rules of this file:
- It listens on 127.0.0.1 alone. A page can send requests there, so Host, Origin and the token are checked first
  (`chrome/guard.py`), before a byte of the body is read.
- Up to 2025-11-25 a session is the SDK's; since 2026-07-28 there is none, and all requests of one client name are one.
- A session that is unused for half an hour ends, as its client may be gone without a word.
"""

import asyncio
import contextlib
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any

import structlog
import uvicorn
from mcp.server.streamable_http import MCP_SESSION_ID_HEADER
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gasoline_bridge.chrome.guard import Guard
from gasoline_bridge.front import lines
from gasoline_bridge.front.calls import Calls
from gasoline_bridge.front.jobs import Jobs
from gasoline_bridge.front.mcp_server import Session, make_server
from gasoline_broker.actor.actor import Actor
from gasoline_broker.errors import CannotStart
from gasoline_broker.settings import Settings

HOST = "127.0.0.1"
PATH = "/mcp"
SESSIONS_MAX = 100
IDLE_S = 1800.0  # also the SDK's own limit
LOOK_S = 30.0  # between two looks for sessions that are unused
FINISH_S = 4  # how long a front that is stopping waits for its calls: less than it has for stopping
USED = "gasoline.used"  # where a request's scope has the sessions that it uses

logger = structlog.get_logger()


def address(port: int) -> str:
    """Give the address for clients."""
    return f"http://{HOST}:{port}{PATH}"


class HttpFront(Actor[Any]):
    """Answers assistants over HTTP; asks the other processes."""

    service = "front"

    def __init__(self, settings: Settings, port: int, token: str, ready: Callable[[], None]) -> None:
        super().__init__(settings)
        self._port = port
        self._guard = Guard(f"{HOST}:{port}", f"http://{HOST}:{port}", token)
        self._ready = ready

    async def started(self) -> None:
        """Listen on the port.

        Raises:
            CannotStart: another program listens on it.

        """
        self._jobs = Jobs(self.link)
        self._sessions = Sessions(lambda: self.session(Calls(self.link, self.settings, self._jobs)))
        config = uvicorn.Config(
            self.application(),
            host=HOST,
            port=self._port,
            log_config=None,
            access_log=False,
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=FINISH_S,
        )
        self._server = _Server(config)
        self._serving = asyncio.create_task(self._server.serve(sockets=[_bound(self._port)]))
        self._keeping = asyncio.create_task(self._end_unused())
        self._ready()

    def session(self, calls: Calls) -> Session:
        """Make what answers one client."""
        return Session(calls)

    def application(self) -> ASGIApp:
        """Make what answers the port."""
        return _guarded(_counted(_application(self._sessions, self._port), self._sessions), self._guard)

    async def _end_unused(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            self._sessions.end_unused(time.monotonic() - IDLE_S)

    async def leaving(self) -> None:
        """Answer what was read, and end every session."""
        self._keeping.cancel()
        self._server.should_exit = True
        await self._serving
        await self._sessions.close()
        await self._jobs.close()


class _Server(uvicorn.Server):
    """A server in a process that has signal handlers already."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals alone."""
        yield


class _Used:
    """A session, how many requests it has open, and when the last one ended."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.open = 0
        self.at = time.monotonic()


class Sessions:
    """The sessions by their key: the SDK's id of one, or since 2026-07-28 the client's name."""

    def __init__(self, make: Callable[[], Session]) -> None:
        self._make = make
        self._used: dict[tuple[str, str], _Used] = {}
        self._ending: set[asyncio.Task[None]] = set()

    def of(self, context: Any) -> Session:  # noqa: ANN401 - the SDK's own type
        """Give the session of a request."""
        key = _key(context)
        if key not in self._used:
            self._make_room()
            self._used[key] = _Used(self._make())
            logger.info("session_begun", session=self._used[key].session.calls.session, open=len(self._used))
        self._note(context.request.scope[USED], self._used[key])
        return self._used[key].session

    @contextlib.contextmanager
    def counted(self, scope: Scope) -> Iterator[None]:
        """Count a request while it runs: of the session that it names, and of those that it gets."""
        used: list[_Used] = []
        scope[USED] = used
        if named := self._used.get(("id", Headers(scope=scope).get(MCP_SESSION_ID_HEADER, ""))):
            self._note(used, named)
        try:
            yield
        finally:
            for one in used:
                one.open -= 1
                one.at = time.monotonic()
                one.session.calls.log_ended()

    def _note(self, used: list[_Used], one: _Used) -> None:
        if one not in used:
            used.append(one)
            one.open += 1

    def end(self, session_id: str) -> None:
        """End a session that the client has ended."""
        self._end([("id", session_id)])

    def end_unused(self, since: float) -> None:
        """End the sessions without a request since then."""
        self._end([key for key, one in self._used.items() if not one.open and one.at < since])

    async def close(self) -> None:
        """End all."""
        self._end([*self._used])
        if self._ending:
            await asyncio.wait(self._ending)

    def _make_room(self) -> None:
        unused = sorted((one.at, key) for key, one in self._used.items() if not one.open)
        self._end([key for _, key in unused[: max(0, len(self._used) + 1 - SESSIONS_MAX)]])

    def _end(self, keys: list[tuple[str, str]]) -> None:
        for one in [self._used.pop(key) for key in keys if key in self._used]:
            task = asyncio.create_task(one.session.close())
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)
            logger.info("session_ended", session=one.session.calls.session, open=len(self._used))


def _key(context: Any) -> tuple[str, str]:  # noqa: ANN401 - the SDK's own type
    if session_id := context.request.headers.get(MCP_SESSION_ID_HEADER):
        return "id", session_id
    client = context.session.client_params
    return "client", client.client_info.name if client is not None else ""


def _application(sessions: Sessions, port: int) -> ASGIApp:
    """Make the SDK's own application; its default would let in any page of localhost."""
    server = make_server(sessions.of)
    address = f"{HOST}:{port}"
    return server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=lines.BYTES_MAX,
        session_idle_timeout=IDLE_S,
        max_sessions=SESSIONS_MAX,
        transport_security=TransportSecuritySettings(
            enable_dns_rebinding_protection=True, allowed_hosts=[address], allowed_origins=[f"http://{address}"]
        ),
    )


def _counted(app: ASGIApp, sessions: Sessions) -> ASGIApp:
    """Have the sessions know of their requests, and of their end."""

    async def counting(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        status = 0

        async def sent(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        with sessions.counted(scope):
            await app(scope, receive, sent)
        if scope["method"] == "DELETE" and status == 200:  # noqa: PLR2004 - the status of HTTP
            sessions.end(Headers(scope=scope).get(MCP_SESSION_ID_HEADER, ""))

    return counting


def _guarded(app: ASGIApp, guard: Guard) -> ASGIApp:
    """Refuse what shows no token, or comes from a page."""

    async def guarding(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        scheme, _, token = headers.get("authorization", "").partition(" ")
        is_known = scheme.lower() == "bearer" and guard.knows(token)
        if status := guard.refusal(headers.getlist("host"), headers.getlist("origin"), is_known=is_known):
            logger.warning("request_refused", status=status)
            await Response(status_code=status, headers={"Connection": "close"})(scope, receive, send)
            return
        await app(scope, receive, send)

    return guarding


def _bound(port: int) -> socket.socket:
    """Give a socket that listens on the port.

    Raises:
        CannotStart: another program has it.

    """
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
        listening.listen()  # who connects from now on waits for the server
    except OSError as fault:
        listening.close()
        reason = f"{HOST}:{port} cannot be used: {fault.strerror}. Choose another by --port."
        raise CannotStart(reason) from None
    return listening
