"""Serves what a page can talk to: JSON, streams, events, sockets, failures, and what a test's page waits for."""

import asyncio
import contextlib
from collections import Counter
from typing import Final

from aiohttp import WSMessage, WSMsgType, web

FRESH: Final = {"Cache-Control": "no-store"}

GATES: Final = web.AppKey("gates", dict[str, asyncio.Event])
"""Streams that wait for `/api/open`, by the name that the page gave them."""


ATTACHED: Final = web.AppKey("attached", dict[str, str])
"""The pages that the extension's debugger is attached to, by the number of their tab."""

CHANGED: Final = web.AppKey("changed", asyncio.Condition)
"""Notified when it has attached or detached."""

HOLDS: Final = web.AppKey("holds", Counter[str])
"""How often each page was held for a dialog."""


async def echo(request: web.Request) -> web.Response:
    """Answer with the body and its type; `status` and `length=no` as asked."""
    body = await request.read()
    status = int(request.query.get("status", "200"))
    headers = {**FRESH, "Set-Cookie": "session=planted", "X-Auth-Token": "planted", "X-Request-Id": "r1"}
    kind: str = request.query.get("type") or request.headers.get("Content-Type") or "text/plain"
    return web.Response(body=body or b"{}", status=status, headers={**headers, "Content-Type": kind})


async def large(request: web.Request) -> web.StreamResponse:
    """Answer with `size` bytes of text; chunked, so without a length, unless `length` is asked for."""
    size = int(request.query["size"])
    headers = {**FRESH, "Content-Type": request.query.get("type", "text/plain")}
    if "length" in request.query:
        return web.Response(body=b"x" * size, headers=headers)
    response = web.StreamResponse(headers=headers)
    response.enable_chunked_encoding()
    await response.prepare(request)
    await response.write(b"x" * size)
    await response.write_eof()
    return response


async def stream(request: web.Request) -> web.StreamResponse:
    """Send a first part, and the second once `/api/open` was asked for with the same name."""
    gate = request.app[GATES].setdefault(request.query["name"], asyncio.Event())
    response = web.StreamResponse(headers={**FRESH, "Content-Type": request.query.get("type", "text/plain")})
    await response.prepare(request)
    await response.write(b"first,")
    async with asyncio.timeout(20):
        await gate.wait()
    await response.write(b"second")
    await response.write_eof()
    return response


async def held(request: web.Request) -> web.Response:
    """Answer once `/api/open` was asked for with the same name."""
    gate = request.app[GATES].setdefault(request.query["name"], asyncio.Event())
    async with asyncio.timeout(60):
        await gate.wait()
    return web.json_response({}, headers=FRESH)


async def open_gate(request: web.Request) -> web.Response:
    """Let a stream go on."""
    request.app[GATES].setdefault(request.query["name"], asyncio.Event()).set()
    return web.Response(headers=FRESH)


async def later(request: web.Request) -> web.Response:
    """Answer after `ms` milliseconds."""
    await asyncio.sleep(int(request.query["ms"]) / 1_000)
    return web.json_response({"late": True}, headers=FRESH)


async def events(request: web.Request) -> web.StreamResponse:
    """Send three server-sent events, and stay open."""
    response = web.StreamResponse(headers={**FRESH, "Content-Type": "text/event-stream"})
    await response.prepare(request)
    for number in range(3):
        await response.write(f"event: tick\nid: {number}\ndata: {number}\n\n".encode())
    await asyncio.sleep(20)
    return response


async def attached(request: web.Request) -> web.Response:
    """Note to which page of a tab the debugger is attached; without a page, to none (patient_dialog_hold.ts)."""
    async with request.app[CHANGED]:
        request.app[ATTACHED][request.query["tab"]] = request.query["page"]
        request.app[CHANGED].notify_all()
    return web.Response(headers=FRESH)


async def until_attached(request: web.Request) -> web.Response:
    """Answer once the debugger is attached to a page, after `ms` milliseconds at the latest."""
    page, changed = request.query["page"], request.app[CHANGED]
    request.app[HOLDS][page] += 1
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(int(request.query["ms"]) / 1_000), changed:
            await changed.wait_for(lambda: page in request.app[ATTACHED].values())
    return web.Response(headers=FRESH)


async def holds(request: web.Request) -> web.Response:
    """Answer with how often a page was held."""
    return web.json_response(request.app[HOLDS][request.query["page"]], headers=FRESH)


async def slow(_request: web.Request) -> web.Response:
    """Answer when whoever asked has long gone."""
    await asyncio.sleep(20)
    return web.Response()


async def attachment(_request: web.Request) -> web.Response:
    """Answer with a file to be saved."""
    return web.Response(text="saved", headers={**FRESH, "Content-Disposition": 'attachment; filename="report.txt"'})


async def held_attachment(request: web.Request) -> web.StreamResponse:
    """Begin with a file to be saved, and end it once `/api/open` was asked for with the same name."""
    gate = request.app[GATES].setdefault(request.query["name"], asyncio.Event())
    response = web.StreamResponse(headers={**FRESH, "Content-Disposition": 'attachment; filename="held.zip"'})
    response.content_type = "application/zip"  # of a type that Chrome guesses it would await more of the content
    response.content_length = 10
    await response.prepare(request)
    await response.write(b"first")
    async with asyncio.timeout(20):
        await gate.wait()
    await response.write(b"last.")
    await response.write_eof()
    return response


async def locked(_request: web.Request) -> web.Response:
    """Ask for a user name and a password."""
    return web.Response(status=401, headers={**FRESH, "WWW-Authenticate": 'Basic realm="shop"'})


async def circle(_request: web.Request) -> web.Response:
    """Send to where one is."""
    return web.Response(status=302, headers={**FRESH, "Location": "/api/circle"})


async def redirect(_request: web.Request) -> web.Response:
    """Send elsewhere."""
    raise web.HTTPFound("/api/echo")


async def socket(request: web.Request) -> web.WebSocketResponse:
    """Send back what comes, late if it begins with `slow`, in parts with `parts`; `close` ends the connection."""
    response = web.WebSocketResponse(protocols=["one", "two"])
    with contextlib.suppress(ConnectionResetError):  # a page may leave before it is answered
        await response.prepare(request)
        async for frame in response:
            await _echo_frame(response, frame)
    return response


async def _echo_frame(response: web.WebSocketResponse, frame: WSMessage) -> None:
    if frame.type is WSMsgType.BINARY:
        await response.send_bytes(frame.data)
    elif frame.data == "close":
        await response.close(code=4001, message=b"as asked")
    elif frame.data.startswith("parts"):
        await response.send_str("begun")
        for _ in range(4 if "slowly" in frame.data else 1):
            await asyncio.sleep(0.15)
            await response.send_str(frame.data)
        await response.send_str("end")
    else:
        await asyncio.sleep(0.2 if frame.data.startswith("slow") else 0)
        await response.send_str(frame.data)


async def account(request: web.Request) -> web.Response:
    """Say who is logged in, as a cookie says that no script can read."""
    return web.json_response({"user": request.cookies.get("account")}, headers=FRESH)


async def log_in(request: web.Request) -> web.Response:
    """Log `user` in, here or in a whole domain."""
    response = web.Response(headers=FRESH)
    response.set_cookie("account", request.query["user"], httponly=True, domain=request.query.get("domain"))
    return response


ROUTES: Final = (
    web.get("/api/account", account),
    web.get("/api/log-in", log_in),
    web.route("*", "/api/echo", echo),
    web.route("*", "/api/large", large),
    web.get("/api/stream", stream),
    web.get("/api/held", held),
    web.get("/api/open", open_gate),
    web.get("/api/events", events),
    web.get("/api/later", later),
    web.get("/api/attached", attached),
    web.get("/api/until-attached", until_attached),
    web.get("/api/holds", holds),
    web.get("/api/slow", slow),
    web.get("/api/redirect", redirect),
    web.get("/api/attachment", attachment),
    web.get("/api/held-attachment", held_attachment),
    web.get("/api/locked", locked),
    web.get("/api/circle", circle),
    web.get("/api/socket", socket),
)
