"""What programs without the token can take of the bridge's port: connections, time, and lines of its log."""

import asyncio
import contextlib
import socket
import time
from collections.abc import Iterator

import pytest

import system
from chrome_double import base, headers, http, link
from gasoline_bridge.chrome.visitors import HEADERS_S, KEEP_ALIVE_S, STRANGERS_MAX, Visitors
from gasoline_broker.settings import Settings

BOUND_S = 10.0
SILENT = 900  # a process may often open 1,024 files


@pytest.fixture
def settings(whole_system: Settings) -> Settings:
    return whole_system


async def connected(settings: Settings) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", settings.port)


async def closed_after_s(settings: Settings, sent: bytes) -> float:
    """Send this, and give how long the connection stays open."""
    reader, writer = await connected(settings)
    begun = time.monotonic()
    try:
        writer.write(sent)
        async with asyncio.timeout(KEEP_ALIVE_S + BOUND_S):
            with contextlib.suppress(ConnectionError):
                await reader.read()
    finally:
        writer.close()
    return time.monotonic() - begun


def request(settings: Settings, path: str, **more: str) -> bytes:
    fields = {"Host": f"127.0.0.1:{settings.port}"} | more
    return "\r\n".join(
        [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
    ).encode()


@contextlib.contextmanager
def silent(settings: Settings) -> Iterator[list[socket.socket]]:
    """Open connections that send nothing."""
    lines = []
    try:
        for _ in range(SILENT):
            lines.append(socket.create_connection(("127.0.0.1", settings.port), timeout=BOUND_S))  # noqa: PERF401 - all that were opened are closed
        yield lines
    finally:
        for line in lines:
            line.close()


def is_open(line: socket.socket) -> bool:
    line.setblocking(False)  # noqa: FBT003 - the library's own signature
    try:
        return line.recv(1) != b""
    except BlockingIOError:
        return True
    except ConnectionError:
        return False


@pytest.mark.requirement("doors-007")
async def test_silent_connections_neither_lock_the_door_nor_end_the_link(settings: Settings) -> None:
    async with link(settings) as chrome, http() as session:
        with silent(settings) as lines:
            async with session.get(f"{base(settings)}/health", headers=headers(settings)) as answer:
                assert (await answer.json())["connected"]
            await chrome.send_json({"type": "alive"})
            left = [line for line in lines if is_open(line)]

            assert left == lines[-len(left) :]  # the oldest are closed
            assert len(left) <= STRANGERS_MAX
            async with session.get(f"{base(settings)}/health", headers=headers(settings)) as answer:
                assert (await answer.json())["connected"]
    with silent(settings):
        async with link(settings) as again:
            await again.send_json({"type": "alive"})


@pytest.mark.requirement("doors-008")
async def test_a_connection_has_a_time_for_its_headers_and_for_its_next_request(settings: Settings) -> None:
    health = request(settings, "/health", **headers(settings))
    silent_s, slow_s, kept_s = await asyncio.gather(
        closed_after_s(settings, b""), closed_after_s(settings, health[:-2]), closed_after_s(settings, health)
    )

    assert HEADERS_S - 0.1 <= silent_s < KEEP_ALIVE_S
    assert HEADERS_S - 0.1 <= slow_s < KEEP_ALIVE_S
    assert KEEP_ALIVE_S - 0.1 <= kept_s < KEEP_ALIVE_S + BOUND_S


@pytest.mark.requirement("doors-008")
@pytest.mark.parametrize("path", ["/health", "/link", "/none", f"/proof?nonce={'0' * 64}", "/proof"])
async def test_a_stranger_keeps_no_connection_after_its_answer(settings: Settings, path: str) -> None:
    assert await closed_after_s(settings, request(settings, path)) < HEADERS_S


MALFORMED = [
    b"sekrit\r\n\r\n",
    b"GET /sekrit HTTP/9.9\r\n\r\n",
    b"GET / HTTP/1.1\r\nsekrit\r\n\r\n",
    b"GET / HTTP/1.1\r\nX-Gasoline-Token: sekrit\x00\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: sekrit\r\n\r\n",
    b"sekrit / HTTP/1.1\r\nHost: a\r\nContent-Length: sekrit\r\n\r\n",
    b"GET /" + b"sekrit" * 5_000 + b" HTTP/1.1\r\n\r\n",
    b"\x16\x03\x01sekrit",
]


@pytest.mark.requirement("doors-009")
async def test_what_strangers_send_fills_no_log_and_enters_none(settings: Settings) -> None:
    before = settings.log_file.read_text()
    for _ in range(40):
        await asyncio.gather(*(closed_after_s(settings, sent) for sent in MALFORMED[:-1]))
    await asyncio.gather(*(closed_after_s(settings, sent) for sent in MALFORMED))
    written = settings.log_file.read_text().removeprefix(before)

    assert "sekrit" not in written
    assert "Traceback" not in written
    assert "request_broke" in written
    assert "request_refused" in before + written  # a test before this one may have caused it
    assert len(written.splitlines()) <= 8


@pytest.mark.requirement("doors-009")
async def test_a_malformed_request_of_a_client_with_the_token_writes_it_nowhere(settings: Settings) -> None:
    token = system.token(settings)
    sent = request(settings, "/health", **headers(settings)).replace(b"\r\n\r\n", b"\r\nno header\r\n\r\n")
    await closed_after_s(settings, sent)

    assert token not in settings.log_file.read_text()


async def test_a_connection_is_a_strangers_until_it_is_known() -> None:
    visitors = Visitors(2)
    lines = [Line() for _ in range(4)]
    visitors.came(lines[0])
    visitors.is_known(lines[0])
    for line in lines[1:]:
        visitors.came(line)

    assert [False, True, False, False] == [line.aborted for line in lines]


class Line(asyncio.Transport):
    """A connection that notes its end."""

    aborted = False

    def abort(self) -> None:
        self.aborted = True
