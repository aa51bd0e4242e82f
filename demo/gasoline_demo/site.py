"""Serves the demonstration's page on a free port of 127.0.0.1; it knows nothing of the system."""

import asyncio
import contextlib
import secrets
import socket
from collections.abc import AsyncIterator
from pathlib import Path

from aiohttp import web

PAGE = Path(__file__).with_name("shop.html")
ACCOUNT = Path(__file__).with_name("account.html")
BUNDLE = '  <script src="/old-bundle.js"></script>\n'
BUNDLE_BYTES = 256 << 10
BUNDLE_S = 0.3
ITEMS_S = 0.18


class Shop:
    """The shop's code, which the demonstration edits."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.page = PAGE.read_text()

    def edit(self) -> None:
        """Take out a script that the page waits for and does not need."""
        self.page = self.page.replace(BUNDLE, "")

    def undo(self) -> None:
        """Put the script back."""
        self.page = PAGE.read_text()


def free_port() -> int:
    """Give a port of 127.0.0.1 that is free."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def _bundle(_request: web.Request) -> web.StreamResponse:
    await asyncio.sleep(BUNDLE_S)
    text = "/* old */".ljust(BUNDLE_BYTES)
    return web.Response(text=text, content_type="text/javascript", headers={"Cache-Control": "no-store"})


async def _items(_request: web.Request) -> web.StreamResponse:
    await asyncio.sleep(ITEMS_S)
    return web.json_response([f"Tea number {number}" for number in range(1, 26)])


async def _recommendations(_request: web.Request) -> web.StreamResponse:
    return web.json_response({"error": "no stock service"}, status=503)


async def _account(_request: web.Request) -> web.StreamResponse:
    return web.FileResponse(ACCOUNT, headers={"Cache-Control": "no-store"})


async def _profile(_request: web.Request) -> web.StreamResponse:
    return web.json_response({"saved": True})


async def _prices(request: web.Request) -> web.StreamResponse:
    socket = web.WebSocketResponse()
    await socket.prepare(request)
    async for _frame in socket:
        await socket.send_json({"type": "price", "sku": "tea-01", "price": 4.5})
    return socket


@contextlib.asynccontextmanager
async def serve() -> AsyncIterator[Shop]:
    """Serve the shop while the block runs."""
    port = free_port()
    code = Shop(f"http://127.0.0.1:{port}/")

    async def shop(_request: web.Request) -> web.StreamResponse:
        return web.Response(text=code.page, content_type="text/html", headers={"Cache-Control": "no-store"})

    tokens: dict[str, str] = {}  # of each session

    async def sign_in(_request: web.Request) -> web.StreamResponse:
        session = secrets.token_urlsafe(24)
        tokens[session] = secrets.token_urlsafe(24)
        home = web.HTTPSeeOther("/")
        home.set_cookie("shop_session", session, httponly=True, samesite="Lax")
        return home

    async def sign_out(_request: web.Request) -> web.StreamResponse:
        home = web.HTTPSeeOther("/")  # this browser forgets it; the shop does not, so that it can be put back
        home.del_cookie("shop_session")
        return home

    async def me(request: web.Request) -> web.StreamResponse:
        token = tokens.get(request.cookies.get("shop_session", ""))
        return web.json_response({"user": "Ada", "access_token": token} if token else {"user": None})

    async def orders(request: web.Request) -> web.StreamResponse:
        known = (await request.json())["token"] in tokens.values()
        return web.json_response([] if known else None, status=200 if known else 401)

    app = web.Application()
    app.add_routes(
        [
            web.get("/", shop),
            web.get("/old-bundle.js", _bundle),
            web.get("/api/items", _items),
            web.get("/api/recommendations", _recommendations),
            web.get("/api/me", me),
            web.post("/api/orders", orders),
            web.post("/login", sign_in),
            web.get("/logout", sign_out),
            web.get("/account", _account),
            web.post("/api/profile", _profile),
            web.get("/prices", _prices),
        ]
    )
    runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=0.5)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port)
    await site.start()
    try:
        yield code
    finally:
        await runner.cleanup()
