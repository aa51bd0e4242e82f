"""The bridge's HTTP endpoints: checks the caller, moves messages, and decides nothing else.

Beside the extension's WebSocket are the endpoints of seed 002, for a client that only polls. Page data leaves through
them only after redaction, as everywhere.
"""

import asyncio
import os
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Annotated, Any, NamedTuple

import msgspec
from aiohttp import hdrs, web

from gasoline_bridge.chrome import http_errors, link_socket, posted_drawings
from gasoline_bridge.chrome.commands import Commands
from gasoline_bridge.chrome.drawn_pictures import DrawnPictures, with_picture
from gasoline_bridge.chrome.guard import BAD, PROOF_HEADER, TOKEN_HEADER, Guard
from gasoline_bridge.chrome.intake import Intake
from gasoline_bridge.chrome.link import ABSENT, PROOF_PROTOCOL, PROTOCOL, Fault, Result, Welcome
from gasoline_bridge.chrome.link_socket import LinkSocket
from gasoline_bridge.chrome.messages import QueryDom, RunAccessibilityAudit
from gasoline_bridge.chrome.posted_events import LineError, chunks_of
from gasoline_bridge.chrome.proof import Proofs, is_nonce
from gasoline_bridge.chrome.rare_log import RareLog
from gasoline_bridge.chrome.visitors import Visitors
from gasoline_broker.error_codes import as_error
from gasoline_broker.errors import Failed, Failure
from gasoline_broker.messages import StatusRead
from gasoline_broker.product import NAME, VERSION

BODY_BYTES_MAX = 10 << 20  # SPEC.md, Limits
WAIT_MAX_S = 25.0  # of one long poll: below what clients and proxies cut
KEPT_S, KEPT = 60.0, 100  # how long, and how many, results of POST /query-dom and /run-a11y-audit wait to be fetched
AUDIT_S, AUDIT_CACHED_S = 30, 30  # seed 002, Feature 4, Limits
POSTED_BYTES_MAX = 2 * BODY_BYTES_MAX  # of posts that are not stored yet
STORED_S = 10.0  # how long a client that posts events waits for them to be stored
LINES = ("application/json", "application/x-ndjson", "application/jsonl")
KEY_HEADER = "Idempotency-Key"  # draft-ietf-httpapi-idempotency-key-header: a body that is posted again is stored once
AGAIN = f"They may be, later: post them again only with the same {KEY_HEADER} as before. `gasoline doctor` helps."
POSTED = {"/logs": "log", "/websocket-events": "websocket", "/network-bodies": "network_body"}  # seed 002

PROOF_PATH = "/proof"

EXCHANGE = "exchange"
"""Where a request has the nonces of its caller's proof."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
CleanQuery = Callable[[QueryDom | RunAccessibilityAudit], Coroutine[None, None, bytes]]
ReadBroker = Callable[[], Coroutine[None, None, StatusRead]]


class PolledResult(msgspec.Struct, frozen=True):
    """The body of POST /dom-result."""

    id: str
    result: msgspec.Raw = ABSENT
    error: Fault | None = None


class PostedAudit(msgspec.Struct, frozen=True):
    """The body of POST /run-a11y-audit: the arguments of the tool (seed 002, Feature 4)."""

    scope: Annotated[str, msgspec.Meta(pattern=r"\S")] | None = None
    tags: Annotated[list[str], msgspec.Meta(min_length=1, max_length=50)] | None = None
    include_passes: bool = False
    force_refresh: bool = False
    tab_id: Annotated[int, msgspec.Meta(ge=0, lt=1 << 31)] = 0


class PolledQuery(msgspec.Struct, frozen=True, rename={"kind": "type"}):
    """A row of GET /pending-queries."""

    id: str
    kind: str
    params: dict[str, Any]
    timeout_ms: int


class Services(NamedTuple):
    """What the endpoints use. `clean_query` runs a query and gives its redacted answer as JSON."""

    commands: Commands
    intake: Intake
    link: LinkSocket
    clean_query: CleanQuery
    read_broker: ReadBroker
    visitors: Visitors
    drawn: DrawnPictures


class Routes:
    """The endpoints of one bridge."""

    def __init__(self, guard: Guard, proofs: Proofs, services: Services) -> None:
        self._guard = guard
        self._proofs = proofs
        self._commands = services.commands
        self._intake = services.intake
        self._link = services.link
        self._clean_query = services.clean_query
        self._read_broker = services.read_broker
        self._visitors = services.visitors
        self._drawn = services.drawn
        self._log = RareLog()
        self._queries: dict[str, tuple[float, asyncio.Task[bytes]]] = {}
        self._posted_bytes = 0

    def application(self) -> web.Application:
        """Build the application; every request goes through the guard first."""
        app = web.Application(middlewares=[self._guarded], client_max_size=BODY_BYTES_MAX)
        app.on_response_prepare.append(_without_server_header)
        app.add_routes(
            [
                web.get(PROOF_PATH, self._prove, allow_head=False),
                web.get("/health", self._health, allow_head=False),
                web.get("/metrics", self._metrics, allow_head=False),
                web.get("/link", self._open_link, allow_head=False),
                web.get("/pending-queries", self._pending_queries, allow_head=False),
                web.post("/dom-result", self._dom_result),
                web.post("/query-dom", self._query_dom),
                web.get("/dom-result", self._fetch_result, allow_head=False),
                web.post("/run-a11y-audit", self._run_audit),
                web.get("/a11y-result", self._fetch_result, allow_head=False),
                *(web.post(path, self._post_events) for path in POSTED),
                web.post("/draw-mode-result", self._draw_mode_result),
                web.post("/annotation-detail-result", self._annotation_detail),
            ]
        )
        return app

    async def close(self) -> None:
        """Close the link to the extension, and end the queries that wait."""
        for _, task in self._queries.values():
            task.cancel()
        await self._link.close()

    @web.middleware
    async def _guarded(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        socket = request.path == "/link"
        hosts, origins = request.headers.getall(hdrs.HOST, []), request.headers.getall(hdrs.ORIGIN, [])
        self._visitors.has_asked(request.transport)
        if status := self._guard.refusal(hosts, origins, is_known=self._is_known(request), needs_origin=socket):
            self._log.warning("request_refused", status=status)
            return _last(web.Response(status=status))
        if request.path != PROOF_PATH:
            self._visitors.is_known(request.transport)
        valid = LINES if request.path in POSTED else LINES[:1]
        if request.method == hdrs.METH_POST and request.content_type not in valid:
            return _refused(415, http_errors.wrong_type(valid))
        try:
            return await handler(request)
        except Failed as fault:
            return _refused(400, fault.failure)
        except web.HTTPException as fault:
            return _refused(fault.status, http_errors.by_status(fault.status, BODY_BYTES_MAX))

    def _is_known(self, request: web.Request) -> bool:
        """Whether a caller shows that it has the token; GET /proof is for one that does not know yet whether we do."""
        if request.path == PROOF_PATH:
            return True
        if request.path != "/link" and PROOF_HEADER not in request.headers:
            return self._guard.knows(request.headers.get(TOKEN_HEADER, ""))
        request[EXCHANGE] = exchange = self._proofs.take(_proof_of(request))
        return exchange is not None

    async def _prove(self, request: web.Request) -> web.Response:
        client = request.query.get("nonce", "")
        return _last(_json(self._proofs.give(client)) if is_nonce(client) else web.Response(status=BAD))

    async def _health(self, _request: web.Request) -> web.Response:
        return _json({"name": NAME, "version": VERSION, "pid": os.getpid(), "connected": self._commands.connected})

    async def _metrics(self, _request: web.Request) -> web.Response:
        """Give the broker's figures to a Prometheus, which shows the token as every client does (`http_headers`)."""
        from gasoline_bridge.chrome import metrics  # noqa: PLC0415 - most systems are never asked for them

        try:
            status = await self._read_broker()
        except Failed as fault:
            return _refused(503, fault.failure)
        dropped = {"message": self._link.malformed, "chunk": self._intake.refused, "event": self._intake.malformed}
        return web.Response(body=metrics.text(status, dropped), headers={hdrs.CONTENT_TYPE: metrics.CONTENT_TYPE})

    async def _open_link(self, request: web.Request) -> web.StreamResponse:
        socket = link_socket.opened()
        if not socket.can_prepare(request).ok:
            return _refused(BAD, http_errors.not_a_websocket())
        welcome = Welcome(NAME, VERSION, self._proofs.welcome(request[EXCHANGE]))
        return await self._link.serve(request, socket, welcome)

    # The endpoints of seed 002

    async def _pending_queries(self, request: web.Request) -> web.Response:
        commands = await self._commands.poll(_wait_s(request, 0.0))
        return _json([PolledQuery(one.id, one.name, one.arguments, one.timeout_ms) for one in commands])

    async def _dom_result(self, request: web.Request) -> web.Response:
        posted = await _body(request, PolledResult)
        known = self._commands.finish(Result(posted.id, posted.result, posted.error))
        return web.Response() if known else _refused(404, http_errors.unknown("query"))

    async def _query_dom(self, request: web.Request) -> web.Response:
        return self._begin(await _body(request, QueryDom))

    async def _run_audit(self, request: web.Request) -> web.Response:
        posted = await _body(request, PostedAudit)
        named = {"selector": posted.scope, "tags": posted.tags, "include_passes": posted.include_passes}
        audit = RunAccessibilityAudit(
            arguments={name: value for name, value in named.items() if value is not None},
            timeout_ms=AUDIT_S * 1_000,
            cached_ms=0 if posted.force_refresh else AUDIT_CACHED_S * 1_000,
            tab_id=posted.tab_id,
        )
        return self._begin(audit)

    async def _draw_mode_result(self, request: web.Request) -> web.Response:
        posted = await _body(request, posted_drawings.PostedDrawing)
        key = request.headers.get(KEY_HEADER) or secrets.token_hex(16)
        drawing = posted_drawings.read(posted, time.time() * 1_000, key)
        try:
            if drawing.picture is not None:
                await self._drawn.store(drawing.session, with_picture(drawing.picture))
        except Failed as fault:
            is_wrong = fault.failure.code in {"screenshot_failed", "payload_too_large"}
            return _refused(400 if is_wrong else 503, fault.failure)
        if refused := await self._stored([self._intake.take_posted(drawing.chunk)]):
            return refused
        self._drawn.note_end()
        return _json({"stored": len(drawing.chunk.events[-1]["annotations"]), "correlation_id": drawing.session})

    async def _annotation_detail(self, request: web.Request) -> web.Response:
        body = await _body(request, dict[str, Any])
        named = body.pop("correlation_id", "")
        command = self._commands.asked_for("annotation_detail", correlation_id=named) if named else ""
        known = self._commands.finish(Result(command, msgspec.Raw(msgspec.json.encode(body)), None))
        return web.Response() if known else _refused(404, http_errors.unknown("query"))

    def _begin(self, query: QueryDom | RunAccessibilityAudit) -> web.Response:
        self._forget_old()
        if len(self._queries) >= KEPT:
            return _refused(429, http_errors.full(KEPT))
        query_id = secrets.token_hex(16)
        self._queries[query_id] = (time.monotonic(), asyncio.create_task(self._clean_query(query)))
        return _json({"id": query_id}, status=202)

    async def _fetch_result(self, request: web.Request) -> web.Response:
        query = self._queries.get(request.query.get("id", ""))
        if query is None:
            return _refused(404, http_errors.unknown("result"))
        done, _ = await asyncio.wait([query[1]], timeout=_wait_s(request, 0.0))
        if not done:
            return web.Response(status=204)
        try:
            return web.Response(body=await query[1], content_type="application/json")
        except Failed as fault:
            return _refused(502, msgspec.structs.replace(fault.failure, details={}))  # the page's, not redacted

    async def _post_events(self, request: web.Request) -> web.Response:
        is_packed = hdrs.CONTENT_ENCODING in request.headers  # then its length tells nothing
        size_bytes = (not is_packed and request.content_length) or BODY_BYTES_MAX
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
        if refused := await self._stored(taken):
            return refused
        return _json({"stored": sum(len(chunk.events) for chunk in chunks)})

    async def _stored(self, taken: list[asyncio.Future[bool]]) -> web.Response | None:
        """Wait until what was posted is stored; else give the answer that states why not."""
        if taken and (await asyncio.wait(taken, timeout=STORED_S))[1]:
            return _refused(503, Failure("worker_unavailable", "The events are not stored yet.", AGAIN))
        if not all(one.result() for one in taken):
            return _refused(500, Failure("internal_error", "The events could not be stored."))
        return None

    def _release(self, size_bytes: int) -> None:
        self._posted_bytes -= size_bytes

    def _forget_old(self) -> None:
        oldest = time.monotonic() - KEPT_S
        for query_id, (begun, task) in list(self._queries.items()):
            if begun < oldest:
                task.cancel()
                del self._queries[query_id]


def _proof_of(request: web.Request) -> str:
    if request.path != "/link":
        return request.headers.get(PROOF_HEADER, "")
    offered = [one.strip() for one in request.headers.get(hdrs.SEC_WEBSOCKET_PROTOCOL, "").split(",")]
    proofs = [one.removeprefix(PROOF_PROTOCOL) for one in offered if one.startswith(PROOF_PROTOCOL)]
    return proofs[0] if len(proofs) == 1 and PROTOCOL in offered else ""


async def _body(request: web.Request, kind: Any) -> Any:  # noqa: ANN401 - the caller names the type it gets
    try:
        return msgspec.json.decode(await request.read(), type=kind)
    except (msgspec.MsgspecError, UnicodeError) as fault:
        raise Failed(http_errors.malformed(str(fault))) from None
    except RecursionError:
        raise Failed(http_errors.malformed("it is nested too deep")) from None


def _wait_s(request: web.Request, default: float) -> float:
    try:
        wait_s = float(request.query.get("wait", default))
    except ValueError:
        raise Failed(http_errors.wrong_wait(WAIT_MAX_S)) from None
    if not 0 <= wait_s <= WAIT_MAX_S:
        raise Failed(http_errors.wrong_wait(WAIT_MAX_S))
    return wait_s


def _refused(status: int, failure: Failure) -> web.Response:
    """Answer with an error of the one shape that every other has (docs/tools.md)."""
    return _json({"status": "error", "error": as_error(failure)}, status)


def _json(content: object, status: int = 200) -> web.Response:
    return web.Response(body=msgspec.json.encode(content), content_type="application/json", status=status)


def _last(response: web.Response) -> web.Response:
    """Close the connection after this answer: a stranger keeps none."""
    response.force_close()
    return response


async def _without_server_header(_request: web.Request, response: web.StreamResponse) -> None:
    """Leave out the name and version of the HTTP server."""
    response.headers.pop(hdrs.SERVER, None)
