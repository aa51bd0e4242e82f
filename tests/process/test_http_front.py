"""`gasoline mcp --http`: both eras of the protocol, as the official suite has them too, and every stranger refused."""

import asyncio
import contextlib
import io
import json
import os
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError
from mcp_types import Implementation, LoggingMessageNotificationParams, TextContent

import forks
import system
from chrome_double import PAGE, link, next_command
from conformance import suite
from forked_shim import shim
from gasoline_bridge.front.tools import TOOLS
from gasoline_broker.settings import Settings
from gasoline_demo.site import free_port
from process.processes import gone
from system import GASOLINE

ERAS = pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
BOUND_S = 60.0
SERVE = str(Path(suite.__file__).with_name("serve.py"))
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}},
}


class Served(NamedTuple):
    """A front over HTTP."""

    url: str
    token: str
    port: int
    settings: Settings

    @property
    def authorization(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


@contextlib.asynccontextmanager
async def serving(settings: Settings, port: int) -> AsyncIterator[tuple[asyncio.subprocess.Process, Served]]:
    """Run the command, and read what it prints for a client."""
    process = await asyncio.create_subprocess_exec(
        GASOLINE,
        "mcp",
        "--http",
        "--port",
        str(port),
        env=os.environ | settings.environ(),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(BOUND_S):
            assert process.stdout is not None
            entry = json.loads(await process.stdout.readline())["mcpServers"]["gasoline"]
        token = entry["headers"]["Authorization"].removeprefix("Bearer ")
        yield process, Served(entry["url"], token, port, settings)
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(BOUND_S):
            await process.wait()


@pytest.fixture(scope="module")
def settings() -> Iterator[Settings]:
    with system.settings() as made, system.running(made) as up:
        yield up


@pytest.fixture(scope="module")
def port() -> int:
    return free_port()


@pytest.fixture
async def served(settings: Settings, port: int) -> AsyncIterator[Served]:
    async with serving(settings, port) as (_, one):
        yield one


@contextlib.asynccontextmanager
async def client(served: Served, mode: str, name: str = "http", **more: Any) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers=served.authorization, timeout=BOUND_S) as http,
        Client(
            streamable_http_client(served.url, http_client=http),
            mode=mode,
            client_info=Implementation(name=name, version="1"),
            **more,
        ) as one,
    ):
        yield one


async def called(one: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await one.call_tool(tool, arguments)
    assert isinstance(result.content[0], TextContent)
    reply: dict[str, Any] = json.loads(result.content[0].text)
    return reply


@ERAS
@pytest.mark.requirement("transport-001")
async def test_a_client_lists_and_calls(served: Served, mode: str) -> None:
    async with client(served, mode) as one, link(served.settings) as chrome:
        names = {tool.name for tool in (await one.list_tools()).tools}
        asking = asyncio.create_task(called(one, "query_dom", selector="#p"))
        command = await next_command(chrome)
        await chrome.send_json({"type": "result", "id": command["id"], "result": PAGE})
        found = await asking

    assert set(TOOLS) == names
    assert "#p" == found["matches"][0]["selector"]
    assert "hunter2hunter2" not in json.dumps(found)


@ERAS
@pytest.mark.requirement("transport-001")
async def test_a_bad_argument_is_named_as_over_a_command(served: Served, mode: str) -> None:
    async with client(served, mode) as one:
        reply = await called(one, "observe", what="log")

    assert ("error", "invalid_params") == (reply["status"], reply["error"]["code"])
    assert "logs" in reply["error"]["recovery"]


@pytest.mark.parametrize(("mode", "code"), [("legacy", -32002), ("2026-07-28", -32602)])
@pytest.mark.requirement("clients-013")
async def test_an_address_of_nothing_is_refused_as_the_era_has_it(served: Served, mode: str, code: int) -> None:
    async with client(served, mode) as one:
        with pytest.raises(MCPError) as refused:
            await one.read_resource("gasoline://journal/nothing")

    assert (code, {"uri": "gasoline://journal/nothing"}) == (refused.value.error.code, refused.value.error.data)


async def post(served: Served, body: object = INITIALIZE, **headers: str) -> tuple[int, str, dict[str, str]]:
    """Post as any program may."""
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"http://127.0.0.1:{served.port}/mcp", json=body, headers=HEADERS | headers) as answer,
    ):
        return answer.status, await answer.text(), dict(answer.headers)


@pytest.mark.requirement("transport-002")
async def test_a_stranger_is_refused_without_a_word(served: Served) -> None:
    known, port = served.authorization, served.port
    refused = {
        "no token": (401, {}),
        "a wrong one": (401, {"Authorization": f"Bearer {served.token[:-1]}0{served.token[-1]}"}),
        "a part of it": (401, {"Authorization": f"Bearer {served.token[:-1]}"}),
        "the extension's": (401, {"Authorization": f"Bearer {system.token(served.settings)}"}),
        "no scheme": (401, {"Authorization": served.token}),
        "a foreign host": (421, known | {"Host": "evil.test"}),
        "a host without a port": (421, known | {"Host": "127.0.0.1"}),
        "a longer host": (421, known | {"Host": f"127.0.0.1:{port}.evil.test"}),
        "a page of localhost": (403, known | {"Origin": f"http://localhost:{port}"}),
        "a page of its own origin": (401, {"Origin": f"http://127.0.0.1:{port}"}),
        "a page of the next port": (403, known | {"Origin": f"http://127.0.0.1:{port + 1}"}),
        "an empty origin": (403, known | {"Origin": ""}),
        "a sandboxed frame": (403, known | {"Origin": "null"}),
    }
    for who, (status, headers) in refused.items():
        found = await post(served, **headers)
        assert (status, "") == found[:2], who
        assert not [name for name in found[2] if name.lower().startswith("access-control")], who

    for origin in ({}, {"Origin": f"http://127.0.0.1:{port}"}):
        status, text, _ = await post(served, **known, **origin)
        assert (200, True) == (status, "serverInfo" in text)


@pytest.mark.requirement("transport-002")
async def test_what_is_no_message_is_refused_and_the_next_call_served(served: Served) -> None:
    known = served.authorization
    url = f"http://127.0.0.1:{served.port}/mcp"
    async with aiohttp.ClientSession() as session:
        for status, body, more in (
            (400, b"{", {}),
            (400, b"\xff\xfe", {}),
            (400, b"[" * 100_000, {}),
            (400, b"[]", {}),
            (400, b"{}", {"Content-Type": "text/plain"}),
            (404, b"{}", {"Mcp-Session-Id": "0" * 32}),
            (413, b" " * (65 << 20), {}),
        ):
            async with session.post(url, data=io.BytesIO(body), headers=HEADERS | known | more) as answer:
                assert status == answer.status, (status, body[:20], await answer.text())
        async with session.get(f"http://127.0.0.1:{served.port}/other", headers=known) as answer:
            assert 404 == answer.status

    assert 200 == (await post(served, **known))[0]


@pytest.mark.requirement("transport-002")
async def test_its_token_stays_and_is_readable_by_its_user_alone(settings: Settings, port: int) -> None:
    async with serving(settings, port) as (_, first):
        pass
    async with serving(settings, port) as (_, second):
        pass

    assert first.token == second.token
    assert 0o600 == settings.client_token_file.stat().st_mode & 0o777


@pytest.mark.requirement("transport-001")
async def test_a_taken_port_is_named(served: Served) -> None:
    again = await asyncio.to_thread(system.gasoline, served.settings, "mcp", "--http", "--port", str(served.port))

    assert 0 != again.returncode
    assert f"127.0.0.1:{served.port} cannot be used" in again.stderr
    assert "--port" in again.stderr


@pytest.mark.requirement("transport-001")
async def test_a_port_without_http_is_refused(settings: Settings) -> None:
    found = await asyncio.to_thread(system.gasoline, settings, "mcp", "--port", "7")

    assert 2 == found.returncode
    assert "--http" in found.stderr


CALL: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 2,
    "method": "tools/call",
    "params": {"name": "query_dom", "arguments": {"selector": "#p"}},
}
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


async def in_the_handshake_era(served: Served) -> dict[str, str]:
    """Begin a session, and give the headers of its requests."""
    _, _, answered = await post(served, **served.authorization)
    return served.authorization | {"Mcp-Session-Id": answered["mcp-session-id"]}


async def in_the_modern_era(served: Served) -> dict[str, str]:
    """Give the headers of a call."""
    names = {"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "query_dom"}
    return served.authorization | names


@pytest.mark.parametrize("begin", [in_the_handshake_era, in_the_modern_era])
@pytest.mark.requirement("transport-001")
async def test_ctrl_c_answers_what_was_asked_and_ends(
    settings: Settings, port: int, begin: Callable[[Served], Awaitable[dict[str, str]]]
) -> None:
    call = CALL | {"params": CALL["params"] | {"_meta": META}}
    async with serving(settings, port) as (process, one), link(settings) as chrome:
        asking = asyncio.create_task(post(one, call, **await begin(one)))
        command = await next_command(chrome)
        process.send_signal(signal.SIGINT)
        await asyncio.sleep(0.3)
        await chrome.send_json({"type": "result", "id": command["id"], "result": PAGE})
        status, text, _ = await asking
        assert (200, True) == (status, "hunter2" not in text and "#p" in text)
        async with asyncio.timeout(BOUND_S):
            assert 0 == await process.wait()
    await gone(process.pid)


@pytest.mark.requirement("transport-001")
async def test_it_starts_the_system() -> None:
    with system.settings() as own:
        try:
            async with serving(own, free_port()) as (_, one), client(one, "legacy") as asker:
                status = await called(asker, "observe", what="status")
        finally:
            system.gasoline(own, "down")

    assert {"broker", "bridge", "front"} <= {row["service"] for row in status["processes"]}


@pytest.fixture(scope="module")
async def packed(settings: Settings) -> AsyncIterator[str]:
    """Serve the front with what the conformance suite expects, and give its address."""
    ours, theirs = socket.socketpair()
    environ = os.environ | settings.environ()
    with ours:
        with theirs:
            serving = await forks.start([SERVE, str(free_port())], environ, pipe=theirs)
        reader, writer = await asyncio.open_connection(sock=ours)
        try:
            async with asyncio.timeout(BOUND_S):
                address = (await reader.readline()).decode().strip()
            yield address
        finally:
            serving.kill()
            writer.close()


@pytest.mark.parametrize(("revision", "least"), [("2025-11-25", 73), ("2026-07-28", 172)])
@pytest.mark.requirement("transport-003")
async def test_the_official_suite_finds_no_fault(packed: str, revision: str, least: int) -> None:
    found = await suite.run(packed, revision)

    assert (0, True) == (found.code, found.passed >= least), found.output


class Heard:
    """The log messages that a client got."""

    def __init__(self) -> None:
        self._messages: asyncio.Queue[tuple[str, str]] = asyncio.Queue()

    async def __call__(self, params: LoggingMessageNotificationParams) -> None:
        assert "gasoline" == params.logger
        await self._messages.put((params.level, params.data))

    @property
    def is_empty(self) -> bool:
        return self._messages.empty()

    async def until(self, said: str) -> str:
        """Wait for a message with these words, and give its level."""
        async with asyncio.timeout(3 * BOUND_S):  # a busy machine restarts a process in seconds
            while True:
                level, text = await self._messages.get()
                if said in text:
                    return level


@pytest.mark.requirement("clients-012")
async def test_a_client_that_asks_for_log_messages_hears_of_chrome_and_of_restarts(settings: Settings) -> None:
    heard = Heard()
    command = shim(GASOLINE, os.environ | settings.environ())
    async with Client(command, mode="legacy", logging_callback=heard) as one:
        with pytest.warns(MCPDeprecationWarning):
            await one.set_logging_level("info")
        async with link(settings):
            connected = await heard.until("Chrome is connected.")
        gone_ = await heard.until("Chrome is no longer connected.")
        pids = {row["service"]: row["pid"] for row in (await called(one, "observe", what="status"))["processes"]}
        os.kill(pids["redaction"], signal.SIGKILL)
        redaction = await heard.until("redaction")

    assert ("info", "warning") == (connected, gone_)
    assert redaction in {"warning", "error"}


@pytest.mark.requirement("clients-012")
async def test_since_2026_a_call_that_asks_for_log_messages_gets_those_of_its_time(served: Served) -> None:
    heard, quiet = Heard(), Heard()
    async with (
        client(served, "2026-07-28", "loud", logging_callback=heard, log_level="warning") as one,
        client(served, "2026-07-28", "quiet", logging_callback=quiet) as other,
        link(served.settings) as chrome,
    ):
        pids = {row["service"]: row["pid"] for row in (await called(one, "observe", what="status"))["processes"]}
        asking = [asyncio.create_task(called(who, "query_dom", selector="#p")) for who in (one, other)]
        commands = [await next_command(chrome) for _ in asking]
        os.kill(pids["redaction"], signal.SIGKILL)
        level = await heard.until("redaction")
        for command in commands:
            await chrome.send_json({"type": "result", "id": command["id"], "result": PAGE})
        found = await asyncio.gather(*asking)

    assert level in {"warning", "error"}
    assert ["#p"] * 2 == [reply["matches"][0]["selector"] for reply in found]
    assert quiet.is_empty
