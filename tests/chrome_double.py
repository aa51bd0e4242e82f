"""Speaks the extension's side of the link, for tests that need no page; its messages are those of tests/wire."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import msgspec

import system
from gasoline_bridge import installed
from gasoline_bridge.chrome.proof import Exchange, ServerProof, nonce, proves, shown
from gasoline_broker.settings import Settings

BOUND_S = 30.0  # the longest that a test waits for anything; the machine may be busy
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
async def link(settings: Settings, worker: str = "w") -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    async with http() as session, await opened(session, settings) as socket:
        assert "welcome" == (await socket.receive_json(timeout=BOUND_S))["type"]
        await socket.send_json({"type": "hello", "version": "0.1.0", "browser": "Chrome/1", "worker": worker})
        yield socket


async def opened(
    session: aiohttp.ClientSession, settings: Settings, compress: int = 0
) -> aiohttp.ClientWebSocketResponse:
    """Open the link with a proof, as the extension does, and leave the rest to the test."""
    url, protocols = f"{base(settings)}/link", ("gasoline.v1", f"proof.{await proof(session, settings)}")
    return await session.ws_connect(url, protocols=protocols, origin=installed.origin(), compress=compress)


async def proof(session: aiohttp.ClientSession, settings: Settings) -> str:
    """Give what a client shows, after the server has proved itself."""
    client = nonce()
    async with session.get(f"{base(settings)}/proof", params={"nonce": client}) as answer:
        given = msgspec.convert(await answer.json(), ServerProof)
    token = system.token(settings)
    assert proves(token, settings.port, client, given)
    return shown(token, settings.port, Exchange(client, given.nonce))


async def next_command(socket: aiohttp.ClientWebSocketResponse) -> dict[str, Any]:
    """Give the next command but `release`, which a session sends when it ends: one of an earlier test may come late."""
    while True:
        message: dict[str, Any] = await socket.receive_json(timeout=BOUND_S)
        if message["type"] == "command" and message["name"] != "release":
            return message


@contextlib.asynccontextmanager
async def tabs_named(socket: aiohttp.ClientWebSocketResponse, *tabs: int) -> AsyncIterator[None]:
    """Answer which tabs are open, as often as that is asked: an empty answer asks, and waits, to explain itself."""
    listed = [{"id": tab, "url": "http://localhost/"} for tab in tabs]

    async def answer() -> None:
        while True:
            command = await next_command(socket)
            assert command["name"] == "list_tabs"
            await socket.send_json({"type": "result", "id": command["id"], "result": {"tabs": listed}})

    async with asyncio.TaskGroup() as group:
        answering = group.create_task(answer())
        yield
        answering.cancel()
