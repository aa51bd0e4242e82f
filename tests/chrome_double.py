"""Speaks the extension's side of the link, for tests that need no page; its messages are those of tests/wire."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any

import aiohttp

import system
from gasoline_bridge import installed
from gasoline_broker.settings import Settings

BOUND_S = 10.0
PAGE = {
    "url": "http://localhost/",
    "title": "T",
    "matches": [
        {
            "selector": "#p",
            "tag": "input",
            "attributes": {"type": "password", "value": "hunter2hunter2"},
            "text": "",
            "boundingBox": {"x": 0, "y": 0, "width": 10, "height": 10},
            "visible": True,
        }
    ],
    "matchCount": 1,
    "returnedCount": 1,
}


def base(settings: Settings) -> str:
    return f"http://127.0.0.1:{settings.port}"


def headers(settings: Settings, **more: str) -> dict[str, str]:
    return {"X-Gasoline-Token": system.token(settings), "Origin": installed.origin()} | more


@contextlib.asynccontextmanager
async def http() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=BOUND_S)) as session:
        yield session


@contextlib.asynccontextmanager
async def link(settings: Settings) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    protocols = ("gasoline.v1", f"token.{system.token(settings)}")
    async with (
        http() as session,
        session.ws_connect(f"{base(settings)}/link", protocols=protocols, origin=installed.origin()) as socket,
    ):
        await socket.send_json({"type": "hello", "version": "0.1.0", "browser": "Chrome/1", "worker": "w"})
        assert "welcome" == (await socket.receive_json(timeout=BOUND_S))["type"]
        yield socket


async def next_command(socket: aiohttp.ClientWebSocketResponse) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = await socket.receive_json(timeout=BOUND_S)
        if message["type"] == "command":
            return message
