"""The bridge's HTTP and WebSocket doors: checks who is there, moves messages, and decides nothing else.

Beside the extension's WebSocket stand the endpoints of seed 002, for a client that only polls. Whatever a page said
leaves through them only after redaction, as through every other door.
"""

import asyncio
import os
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, NamedTuple

import msgspec
import structlog
from aiohttp import WSMsgType, hdrs, web

from gasoline_bridge.chrome import refusals
from gasoline_bridge.chrome.commands import Commands
from gasoline_bridge.chrome.guard import BAD, TOKEN_HEADER, Guard
from gasoline_bridge.chrome.intake import Intake
from gasoline_bridge.chrome.link import (
    ABSENT,
    PROTOCOL,
    TOKEN_PROTOCOL,
    Acknowledge,
    Alive,
    Chunk,
    Clear,
    Events,
    Fault,
    Hello,
    Pilot,
    Result,
    Stored,
    Welcome,
    read_chunk,
    read_up,
    write,
)
from gasoline_bridge.chrome.messages import QueryDom
from gasoline_bridge.chrome.posted_events import LineError, chunks_of
from gasoline_broker.actor.wire import MESSAGE_BYTES_MAX
from gasoline_broker.errors import Failed, Failure
from gasoline_broker.messages import StatusRead
from gasoline_broker.product import NAME, VERSION

BODY_BYTES_MAX = 10 << 20  # SPEC.md, Limits
ALIVE_S = 20.0  # a service worker dies after 30 s without a message
ANSWER_S = 1.0  # a worker that is alive answers `alive` in milliseconds
WAIT_MAX_S = 25.0  # of one long poll: below what clients and proxies cut
KEPT_S, KEPT = 60.0, 100  # how long, and how many, results of POST /query-dom wait to be fetched
TAKEN = 4009  # WebSocket close code: another browser is connected
BARRIER_S = 1.0  # how long the human's clear waits for the events that came before it
POSTED_BYTES_MAX = 2 * BODY_BYTES_MAX  # of posts that are not stored yet
STORED_S = 10.0  # how long a client that posts events waits to hear that they are stored
LINES = ("application/json", "application/x-ndjson", "application/jsonl")
KEY_HEADER = "Idempotency-Key"  # draft-ietf-httpapi-idempotency-key-header: a body that is posted again is stored once
AGAIN = f"They may be, later: post them again only with the same {KEY_HEADER} as before. `gasoline doctor` helps."
POSTED = {"/logs": "log", "/websocket-events": "websocket", "/network-bodies": "network_body"}  # seed 002

logger = structlog.get_logger()

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
CleanQuery = Callable[[QueryDom], Coroutine[None, None, bytes]]
ReadBroker = Callable[[], Coroutine[None, None, StatusRead]]
ClearEvents = Callable[[], Coroutine[None, None, object]]


class PolledResult(msgspec.Struct, frozen=True):
    """The body of POST /dom-result."""

    id: str
    result: msgspec.Raw = ABSENT
    error: Fault | None = None


class PolledQuery(msgspec.Struct, frozen=True, rename={"kind": "type"}):
    """A row of GET /pending-queries."""

    id: str
    kind: str
    params: dict[str, Any]
    timeout_ms: int


class Behind(NamedTuple):
    """What the doors lead to. `clean_query` runs a query and gives its redacted answer as JSON."""

    commands: Commands
    intake: Intake
    clean_query: CleanQuery
    read_broker: ReadBroker
    clear_events: ClearEvents


class Doors:
    """The routes of one bridge."""

    def __init__(self, guard: Guard, behind: Behind) -> None:
        self._guard = guard
        self._commands = behind.commands
        self._intake = behind.intake
        self._clean_query = behind.clean_query
        self._read_broker = behind.read_broker
        self._clear_events = behind.clear_events
        self._asked: dict[str, tuple[float, asyncio.Task[bytes]]] = {}
        self._socket: web.WebSocketResponse | None = None
        self._heard_at = 0.0
        self._posted_bytes = 0
        self.malformed = 0

    def application(self) -> web.Application:
        """Build the application; every request goes through the guard first."""
        app = web.Application(middlewares=[self._guarded], client_max_size=BODY_BYTES_MAX)
        app.on_response_prepare.append(_unnamed)
        app.add_routes(
            [
                web.get("/health", self._health, allow_head=False),
                web.get("/metrics", self._metrics, allow_head=False),
                web.get("/link", self._link, allow_head=False),
                web.get("/pending-queries", self._pending_queries, allow_head=False),
                web.post("/dom-result", self._dom_result),
                web.post("/query-dom", self._query_dom),
                web.get("/dom-result", self._fetch_dom_result, allow_head=False),
                *(web.post(path, self._post_events) for path in POSTED),
            ]
        )
        return app

    async def close(self) -> None:
        """Tell the extension that we go, and end what waits."""
        for _, task in self._asked.values():
            task.cancel()
        if self._socket is not None:
            await self._socket.close(code=1001)

    @web.middleware
    async def _guarded(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        socket = request.path == "/link"
        shown = _token_of(request) if socket else request.headers.get(TOKEN_HEADER, "")
        hosts, origins = request.headers.getall(hdrs.HOST, []), request.headers.getall(hdrs.ORIGIN, [])
        if status := self._guard.refusal(hosts, origins, shown, needs_origin=socket):
            logger.warning("request_refused", status=status, method=request.method)
            return web.Response(status=status)
        valid = LINES if request.path in POSTED else LINES[:1]
        if request.method == hdrs.METH_POST and request.content_type not in valid:
            return _refused(415, refusals.kind(valid))
        try:
            return await handler(request)
        except Failed as fault:
            return _refused(400, fault.failure)
        except web.HTTPException as fault:
            return _refused(fault.status, refusals.by_status(fault.status, BODY_BYTES_MAX))

    async def _health(self, _request: web.Request) -> web.Response:
        return _json({"name": NAME, "version": VERSION, "pid": os.getpid(), "connected": self._commands.connected})

    async def _metrics(self, _request: web.Request) -> web.Response:
        """Give the broker's figures to a Prometheus, which shows the token as every client does (`http_headers`)."""
        from gasoline_bridge.chrome import metrics  # noqa: PLC0415 - most systems are never asked for them

        try:
            status = await self._read_broker()
        except Failed as fault:
            return _refused(503, fault.failure)
        dropped = {"message": self.malformed, "chunk": self._intake.refused}
        return web.Response(body=metrics.text(status, dropped), headers={hdrs.CONTENT_TYPE: metrics.CONTENT_TYPE})

    # The WebSocket

    async def _link(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse(protocols=[PROTOCOL], max_msg_size=MESSAGE_BYTES_MAX)
        if not socket.can_prepare(request).ok:
            return _refused(BAD, refusals.unopened())
        await socket.prepare(request)
        if await self._is_taken():
            logger.warning("extension_refused", reason="another browser is connected")
            await socket.close(code=TAKEN, message=b"Another browser is connected")
            return socket
        self._socket = socket
        outbox: asyncio.Queue[msgspec.Struct] = asyncio.Queue()
        try:
            async with asyncio.TaskGroup() as group:
                writing = group.create_task(self._write(socket, outbox))
                try:
                    await self._read(socket, outbox, group)
                finally:
                    writing.cancel()
        finally:
            self._commands.disconnect(outbox.put_nowait)
            if self._socket is socket:
                self._socket = None
            logger.info("extension_disconnected", code=socket.close_code)
        return socket

    async def _is_taken(self) -> bool:
        """Tell whether an extension that is alive holds the link; one that is not loses it."""
        held = self._socket
        if held is None or held.closed:
            return False
        asked_at = time.monotonic()
        try:
            await held.send_str(write(Alive()).decode())
        except ConnectionError:
            return False
        while time.monotonic() - asked_at < ANSWER_S and not held.closed:
            if self._heard_at >= asked_at:
                return True
            await asyncio.sleep(0.02)
        await held.close(code=TAKEN)
        return False

    async def _write(self, socket: web.WebSocketResponse, outbox: asyncio.Queue[msgspec.Struct]) -> None:
        await socket.send_str(write(Welcome(NAME, VERSION)).decode())
        while True:
            try:
                async with asyncio.timeout(ALIVE_S):
                    message = await outbox.get()
            except TimeoutError:
                message = Alive()
            try:
                await socket.send_str(write(message).decode())
            except ConnectionError:
                return  # the reading side sees it too; what is open is sent again after the reconnect

    async def _read(
        self, socket: web.WebSocketResponse, outbox: asyncio.Queue[msgspec.Struct], group: asyncio.TaskGroup
    ) -> None:
        async for frame in socket:
            self._heard_at = time.monotonic()
            if frame.type is not WSMsgType.TEXT:
                self._count_malformed("not text")
                continue
            try:
                message = read_up(frame.data)
            except (msgspec.MsgspecError, RecursionError, UnicodeError) as fault:
                self._count_malformed(type(fault).__name__)
                continue
            match message:
                case Hello():
                    logger.info("extension_connected", version=message.version, browser=message.browser)
                    await self._commands.connect(message, outbox.put_nowait)
                case Result():
                    group.create_task(self._finish(message, outbox))
                case Pilot(enabled):
                    self._commands.pilot = enabled
                case Events():
                    self._take(message, outbox)
                    await self._intake.room()
                case Clear():
                    group.create_task(self._clear(message, outbox))
                case Acknowledge() | Alive():
                    pass

    async def _finish(self, result: Result, outbox: asyncio.Queue[msgspec.Struct]) -> None:
        """Pass a result on after the events that came before it, or not at all: whoever reads it can read them.

        While they cannot be stored the call waits, until its time is up.
        """
        if failure := await self._intake.settled(self._commands.left_s(result.id)):
            result = Result(result.id, error=Fault(failure.code, failure.text, recovery=failure.recovery))
        self._commands.finish(result)
        outbox.put_nowait(Acknowledge(result.id))

    def _take(self, events: Events, outbox: asyncio.Queue[msgspec.Struct]) -> None:
        chunks = list(map(read_chunk, events.chunks))
        damaged = [chunk for chunk in chunks if isinstance(chunk, str)]
        if damaged:
            self._count_malformed("a chunk")
            outbox.put_nowait(Stored(damaged))  # it would come again after each reconnect
        good = [chunk for chunk in chunks if isinstance(chunk, Chunk)]
        ids = [chunk.id for chunk in good]
        taken = [self._intake.take(chunk) for chunk in good]
        if taken:  # they end in order
            taken[-1].add_done_callback(lambda _: outbox.put_nowait(Stored(ids)))

    async def _clear(self, asked: Clear, outbox: asyncio.Queue[msgspec.Struct]) -> None:
        await self._intake.settled(BARRIER_S)
        try:
            await self._clear_events()
        except Failed as fault:
            logger.warning("events_not_cleared", code=fault.failure.code)
            return
        outbox.put_nowait(Acknowledge(asked.id))

    def _count_malformed(self, reason: str) -> None:
        self.malformed += 1
        logger.warning("message_dropped", reason=reason, total=self.malformed)

    # The endpoints of seed 002

    async def _pending_queries(self, request: web.Request) -> web.Response:
        commands = await self._commands.poll(_wait_s(request, 0.0))
        return _json([PolledQuery(one.id, one.name, one.arguments, one.timeout_ms) for one in commands])

    async def _dom_result(self, request: web.Request) -> web.Response:
        told = await _body(request, PolledResult)
        known = self._commands.finish(Result(told.id, told.result, told.error))
        return web.Response() if known else _refused(404, refusals.unknown("query"))

    async def _query_dom(self, request: web.Request) -> web.Response:
        query = await _body(request, QueryDom)
        self._forget_old()
        if len(self._asked) >= KEPT:
            return _refused(429, refusals.full(KEPT))
        number = secrets.token_hex(16)
        self._asked[number] = (time.monotonic(), asyncio.create_task(self._clean_query(query)))
        return _json({"id": number}, status=202)

    async def _fetch_dom_result(self, request: web.Request) -> web.Response:
        asked = self._asked.get(request.query.get("id", ""))
        if asked is None:
            return _refused(404, refusals.unknown("result"))
        done, _ = await asyncio.wait([asked[1]], timeout=_wait_s(request, 0.0))
        if not done:
            return web.Response(status=204)
        try:
            return web.Response(body=await asked[1], content_type="application/json")
        except Failed as fault:
            return _refused(502, msgspec.structs.replace(fault.failure, details={}))  # the page's, not redacted

    async def _post_events(self, request: web.Request) -> web.Response:
        size_bytes = request.content_length or BODY_BYTES_MAX
        if self._posted_bytes and self._posted_bytes + size_bytes > POSTED_BYTES_MAX:
            return _refused(503, Failure("overloaded", "Too much waits to be stored.", "Wait, then post again."))
        self._posted_bytes += size_bytes
        taken: list[asyncio.Future[bool]] = []
        try:
            key = request.headers.get(KEY_HEADER, "")
            chunks = chunks_of(POSTED[request.path], await request.read(), key)
            taken += [self._intake.take_posted(chunk) for chunk in chunks]
        except LineError as fault:
            return _refused(400, Failure("invalid_params", str(fault), "Send that line again, corrected."))
        finally:
            asyncio.gather(*taken).add_done_callback(lambda _: self._release(size_bytes))
        if taken and (await asyncio.wait(taken, timeout=STORED_S))[1]:
            return _refused(503, Failure("worker_unavailable", "The events are not stored yet.", AGAIN))
        if not all(one.result() for one in taken):
            return _refused(500, Failure("internal_error", "The events could not be stored.", "`gasoline doctor`"))
        return _json({"stored": sum(len(chunk.events) for chunk in chunks)})

    def _release(self, size_bytes: int) -> None:
        self._posted_bytes -= size_bytes

    def _forget_old(self) -> None:
        oldest = time.monotonic() - KEPT_S
        for number, (begun, task) in list(self._asked.items()):
            if begun < oldest:
                task.cancel()
                del self._asked[number]


def _token_of(request: web.Request) -> str:
    offered = [one.strip() for one in request.headers.get(hdrs.SEC_WEBSOCKET_PROTOCOL, "").split(",")]
    tokens = [one.removeprefix(TOKEN_PROTOCOL) for one in offered if one.startswith(TOKEN_PROTOCOL)]
    return tokens[0] if len(tokens) == 1 and PROTOCOL in offered else ""


async def _body(request: web.Request, kind: Any) -> Any:  # noqa: ANN401 - the caller names the type it gets
    try:
        return msgspec.json.decode(await request.read(), type=kind)
    except (msgspec.MsgspecError, UnicodeError) as fault:
        raise Failed(refusals.body(str(fault))) from None
    except RecursionError:
        raise Failed(refusals.body("it is nested too deep")) from None


def _wait_s(request: web.Request, default: float) -> float:
    try:
        wait_s = float(request.query.get("wait", default))
    except ValueError:
        raise Failed(refusals.wait(WAIT_MAX_S)) from None
    if not 0 <= wait_s <= WAIT_MAX_S:
        raise Failed(refusals.wait(WAIT_MAX_S))
    return wait_s


def _refused(status: int, failure: Failure) -> web.Response:
    """Give a refusal as every other of the project reads (docs/tools.md): `details` where there are any."""
    error: dict[str, object] = {"code": failure.code, "message": failure.text, "recovery": failure.recovery}
    if failure.details:
        error["details"] = failure.details
    return _json({"status": "error", "error": error}, status)


def _json(content: object, status: int = 200) -> web.Response:
    return web.Response(body=msgspec.json.encode(content), content_type="application/json", status=status)


async def _unnamed(_request: web.Request, response: web.StreamResponse) -> None:
    """Say nothing of what serves here."""
    response.headers.pop(hdrs.SERVER, None)
