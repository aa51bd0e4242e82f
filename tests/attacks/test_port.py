"""What a program can try at the bridge's port beyond a wrong token: hidden requests, other spellings, bombs, noise."""

import asyncio
import contextlib
import gzip
import io
import os
import secrets
import subprocess
import sys
import zlib
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

import system
from attacks.bent import COUNT, bent, chance, deep, jupyter
from chrome_double import BOUND_S, base, headers, http, link, next_command, opened
from gasoline_bridge import installed
from gasoline_broker.settings import Settings
from system import assistant

MB = 1 << 20
BOMB_MB = 40
MOST_MB = 200  # that the bridge may grow by under any bomb: its own messages have 16 MB at most
REAL_COUNT = COUNT // 2  # of what goes through a socket


async def answered(settings: Settings, sent: bytes, *, ends: bool = False) -> bytes:
    """Send this on a connection of its own, and give all that comes back until it is closed; `ends`: we close it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", settings.port)
    try:
        with contextlib.suppress(ConnectionError):
            writer.write(sent)
            if ends:
                writer.write_eof()
            async with asyncio.timeout(BOUND_S):
                return await reader.read()
    finally:
        writer.close()
    return b""


def fields_of(settings: Settings) -> bytes:
    """Give the headers of a client with the token, after whose request the connection ends."""
    shown = headers(settings) | {"Host": f"127.0.0.1:{settings.port}", "Content-Type": "application/json"}
    shown["Connection"] = "close"
    return "".join(f"{name}: {value}\r\n" for name, value in shown.items()).encode()


LINES = "application/x-ndjson"
HIDDEN = b'{"message":"smuggled"}'
FRAMINGS = {
    "length and chunks": b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "two lengths": b"Content-Length: 2\r\nContent-Length: 200\r\n\r\n{}",
    "a list of lengths": b"Content-Length: 2, 200\r\n\r\n{}",
    "a length with a sign": b"Content-Length: +2\r\n\r\n{}",
    "a negative length": b"Content-Length: -2\r\n\r\n{}",
    "a length in base 16": b"Content-Length: 0x2\r\n\r\n{}",
    "a length with a blank before its colon": b"Content-Length : 2\r\n\r\n{}",
    "a folded length": b"Content-Length:\r\n 2\r\n\r\n{}",
    "a length after NUL": b"X: \x00\r\nContent-Length: 2\r\n\r\n{}",
    "a length after a bare CR": b"X: a\rContent-Length: 2\r\n\r\n{}",
    "chunks of another name": b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "chunks that are not last": b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "chunks twice": b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a chunk of base 16 with a prefix": b"Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n",
    "a chunk of a negative size": b"Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n",
    "a chunk of 2^64 and 2": b"Transfer-Encoding: chunked\r\n\r\n10000000000000002\r\n{}\r\n0\r\n\r\n",
    "a chunk that ends elsewhere": b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}XX0\r\n\r\n",
}


@pytest.mark.requirement("attacks-003")
@pytest.mark.parametrize("framing", FRAMINGS)
async def test_a_request_hidden_in_another_one_is_not_served(settings: Settings, framing: str) -> None:
    shown = fields_of(settings)
    hidden = b"POST /logs HTTP/1.1\r\n" + shown + b"Content-Length: %d\r\n\r\n" % len(HIDDEN) + HIDDEN
    answer = await answered(settings, b"POST /query-dom HTTP/1.1\r\n" + shown + FRAMINGS[framing] + hidden)

    assert b" 400 " == answer[8:13]
    assert 1 == answer.count(b"HTTP/1.")


STARTS = [
    b"GET /health\r\n\r\n",
    b"GET /health HTTP/0.9\r\n",
    b"GET /health HTTP/2.0\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"get /health HTTP/1.1\r\n",
    b"GET  /health  HTTP/1.1\r\n",
    b"GET /health HTTP/1.1\n",
    b"CONNECT 127.0.0.1:22 HTTP/1.1\r\n",
    b"TRACE /health HTTP/1.1\r\n",
    b"OPTIONS * HTTP/1.1\r\n",
    b"GET http://evil.test/health HTTP/1.1\r\n",
    b"GET \x00/health HTTP/1.1\r\n",
    b"POST /health HTTP/1.1\r\nX-HTTP-Method-Override: GET\r\n",
    b"HEAD /health HTTP/1.1\r\n",
]


@pytest.mark.requirement("attacks-003")
async def test_what_is_no_request_of_ours_is_refused(settings: Settings) -> None:
    host = f"Host: 127.0.0.1:{settings.port}\r\n\r\n".encode()
    answers = {start: await answered(settings, start + host) for start in STARTS}

    assert {} == {start: answer for start, answer in answers.items() if answer[9:12] not in (b"400", b"401")}
    assert token_of(settings) not in b"".join(answers.values())


def token_of(settings: Settings) -> bytes:
    return system.token(settings).encode()


PATHS = [
    *(
        "/health",
        "/%68ealth",
        "//health",
        "/health/",
        "/./health",
        "/health%00",
        "/health;a",
        "/HEALTH",
        "/health?a=/proof",
    ),
    *(
        "/proof/../health",
        "/proof/%2e%2e/health",
        "/proof%2f..%2fhealth",
        "/proof%252f..%252fhealth",
        "/proof/",
        "/PROOF",
    ),
    *(
        "/proof#/health",
        "/link/../health",
        "/link%2f",
        "/metrics?proof",
        "/proof\\..\\health",
        "/%2fproof",
        "/proof%20",
    ),
]


@pytest.mark.requirement("attacks-003")
async def test_no_other_spelling_of_a_path_is_let_in_without_the_token(settings: Settings) -> None:
    host = f"Host: 127.0.0.1:{settings.port}\r\n\r\n".encode()
    spelled = [path for short in PATHS for path in (short, f"http://127.0.0.1:{settings.port}{short}")]
    answers = {path: await answered(settings, f"GET {path} HTTP/1.1\r\n".encode() + host) for path in spelled}
    bodies = {path: answer.partition(b"\r\n\r\n") for path, answer in answers.items()}

    assert {} == {path: head for path, (head, _, _) in bodies.items() if head[9:12] not in (b"400", b"401", b"403")}
    assert {} == {path: body for path, (head, _, body) in bodies.items() if body and b"401" in head[:15]}


@pytest.mark.requirement("attacks-003")
async def test_what_follows_a_refused_request_on_its_connection_is_not_served(settings: Settings) -> None:
    host = f"Host: 127.0.0.1:{settings.port}\r\n".encode()
    asked = b"GET /health HTTP/1.1\r\n"
    pipelined = asked + host + b"\r\n" + asked + fields_of(settings) + b"\r\n"
    unfinished = b"POST /logs HTTP/1.1\r\n" + host + b"Content-Length: 9000000\r\n\r\n{"

    first = await answered(settings, pipelined)
    second = await answered(settings, unfinished)

    assert (1, 1) == (first.count(b"HTTP/1.1 401"), first.count(b"HTTP/1."))
    assert (1, 1) == (second.count(b"HTTP/1.1 401"), second.count(b"HTTP/1."))


async def bridge_pid(settings: Settings) -> int:
    """Give the bridge's process."""
    async with http() as session, session.get(f"{base(settings)}/health", headers=headers(settings)) as answer:
        return int((await answer.json())["pid"])


def peak_mb(pid: int) -> int:
    """Give the most memory that a process has had."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    (line,) = [one for one in lines if one.startswith("VmHWM")]
    return int(line.split()[1]) >> 10


def forget_peak(pid: int) -> None:
    """Have the peak begin anew, where the kernel can."""
    with contextlib.suppress(OSError):
        Path(f"/proc/{pid}/clear_refs").write_text("5")


@contextlib.asynccontextmanager
async def same_bridge(settings: Settings) -> AsyncIterator[None]:
    """Have a bridge that neither dies nor grows by more than its bound."""
    pid = await bridge_pid(settings)
    forget_peak(pid)
    before = peak_mb(pid)
    yield
    assert pid == await bridge_pid(settings)
    assert peak_mb(pid) - before < MOST_MB


def bombs() -> dict[str, tuple[bytes, dict[str, str]]]:
    """Make bodies that are small to send and large to read, each with its headers."""
    zeros = b'"' + bytes(BOMB_MB * MB)
    squeezed = {"gzip": gzip.compress(zeros, 1), "deflate": zlib.compress(zeros, 1)}
    return {
        **{kind: (body, {"Content-Encoding": kind}) for kind, body in squeezed.items()},
        "gzip in gzip": (gzip.compress(squeezed["gzip"], 1), {"Content-Encoding": "gzip, gzip"}),
        "deep": (b"[" * MB, {}),
        "deep and closed": (deep(100_000), {}),
        "wide": (b"[" + b"1," * (4 * MB) + b"1]", {}),
        "many keys": (b"{" + b",".join(b'"%d":1' % one for one in range(400_000)) + b"}", {}),
        "a long number": (b"1" * (9 * MB), {}),
        "many lines": (b'{"message":""}\n' * 400_000, {}),
    }


@pytest.mark.requirement("attacks-004")
async def test_a_small_body_that_grows_as_it_is_read_is_refused_and_costs_little(settings: Settings) -> None:
    async with http() as session, same_bridge(settings):
        for name, (body, more) in bombs().items():
            for path in ("/query-dom", "/logs"):
                shown = headers(settings, **{"Content-Type": "application/json"}, **more)
                with contextlib.suppress(aiohttp.ClientOSError):  # it is closed before it has been sent
                    async with session.post(base(settings) + path, data=io.BytesIO(body), headers=shown) as answer:
                        assert answer.status in (400, 413, 415), (name, path)
    async with http() as session, same_bridge(settings):
        for head in (b"A: b\r\n" * 200_000, b"A: " + b"b" * (2 * MB), b"Cookie: " + b"a=b; " * 300_000):
            sent = b"GET /health HTTP/1.1\r\n" + head + fields_of(settings) + b"\r\n"
            assert (await answered(settings, sent))[9:12] in (b"", b"400", b"431")


@pytest.mark.requirement("attacks-004")
async def test_a_post_that_is_packed_counts_as_the_largest_that_it_may_hold(settings: Settings) -> None:
    fields = fields_of(settings) + b"Content-Encoding: gzip\r\nContent-Length: 90\r\n\r\n"
    begun = [await asyncio.open_connection("127.0.0.1", settings.port) for _ in range(2)]
    for _, writer in begun:
        writer.write(b"POST /logs HTTP/1.1\r\n" + fields)
    body, shown = gzip.compress(HIDDEN), headers(settings, **{"Content-Type": LINES, "Content-Encoding": "gzip"})
    async with http() as session, asyncio.timeout(BOUND_S):
        status = 0
        while status != 503:  # the two may not have been read yet
            async with session.post(f"{base(settings)}/logs", data=body, headers=shown) as answer:
                status = answer.status
        for _, writer in begun:
            writer.close()
        while status != 200:
            async with session.post(f"{base(settings)}/logs", data=body, headers=shown) as answer:
                status = answer.status


def frame(opcode: int, payload: bytes, *, fin: bool = True, reserved: int = 0) -> bytes:
    """Write a frame of a WebSocket (RFC 6455, 5.2)."""
    size = len(payload)
    length = (
        bytes([size]) if size < 126 else b"\x7e" + size.to_bytes(2) if size < 1 << 16 else b"\x7f" + size.to_bytes(8)
    )
    head = bytes([fin << 7 | reserved << 4 | opcode, length[0] | 1 << 7]) + length[1:]
    return head + bytes(4) + payload  # masked by zeros


DEPTHS = (40, 62, 100, 300, 480, 600, 900, 940)  # Python stops at 1,000, and some places at half of that
TEXT, BINARY, CLOSE, PING = 1, 2, 8, 9
SQUEEZER = zlib.compressobj(1, wbits=-15)
FRAMES = {
    "one of 17 MB": frame(TEXT, bytes(17 * MB)),
    "one that claims 2^63": b"\x81\xff" + (1 << 63).to_bytes(8) + bytes(64),
    "parts without an end": frame(TEXT, b"{", fin=False) + frame(0, bytes(MB), fin=False) * 20,
    "a compressed bomb": frame(TEXT, SQUEEZER.compress(bytes(BOMB_MB * MB)) + SQUEEZER.flush(), reserved=4),
    "an unknown opcode": frame(3, b"{}"),
    "a reserved bit": frame(TEXT, b"{}", reserved=2),
    "a long control": frame(PING, bytes(200)),
    "a control in parts": frame(PING, b"", fin=False),
    "a rest without a begin": frame(0, b"{}"),
    "no UTF-8": frame(TEXT, b"\xff\xfe"),
    "a close of a wrong code": frame(CLOSE, (5).to_bytes(2)),
    "a close of one byte": frame(CLOSE, b"1"),
    "another request": b"GET /health HTTP/1.1\r\n\r\n",
}


@pytest.mark.requirement("attacks-004")
async def test_a_frame_that_is_none_or_too_large_ends_its_own_link_alone(settings: Settings) -> None:
    async with same_bridge(settings), http() as session:
        for name, sent in FRAMES.items():
            async with await opened(session, settings, compress=15) as socket:
                assert "welcome" == (await socket.receive_json(timeout=BOUND_S))["type"]
                assert 0 == socket.compress  # the bridge agrees to no compression
                assert socket._conn is not None
                transport = socket._conn.transport
                assert transport is not None
                with contextlib.suppress(ConnectionError):
                    transport.write(sent)
                while (came := await socket.receive(timeout=BOUND_S)).type is aiohttp.WSMsgType.PONG:
                    pass
                assert came.type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.ERROR), name
        async with link(settings) as again:
            await again.send_json({"type": "alive"})


def nested(levels: int) -> str:
    """Make a message of the link with events that are nested so deep, around an integer of more than 64 bits."""
    console = b'{"type":"console","level":"log","args":' + deep(levels) + b"}"
    binary = b'{"type":"websocket","event":"message","id":"a","bytes":"%s"}' % jupyter(deep(levels)).hex().encode()
    chunk = b'{"id":"%s","tab":1,"frame":0,"load":"00000000","page":"","events":[%s,%s]}'
    return (b'{"type":"events","chunks":[' + chunk % (secrets.token_hex(16).encode(), console, binary) + b"]}").decode()


@pytest.mark.requirement("attacks-005")
async def test_an_event_of_any_depth_ends_neither_the_link_nor_a_process(settings: Settings) -> None:
    async with assistant(settings) as client, link(settings) as socket, same_bridge(settings):
        before = await client.all_pids({"redaction", "journal", "bridge"})
        for levels in DEPTHS:
            await socket.send_str(nested(levels))
            assert "stored" == (await socket.receive_json(timeout=BOUND_S))["type"], levels

        assert before.items() <= (await client.pids()).items()


@pytest.mark.requirement("attacks-005")
@pytest.mark.parametrize("outcome", ['"result":%s', '"error":{"code":"a","message":"b","details":{"c":%s}}'])
async def test_an_answer_of_any_depth_is_an_error_and_ends_no_process(settings: Settings, outcome: str) -> None:
    async with assistant(settings) as client, link(settings) as socket, same_bridge(settings):
        before = await client.all_pids({"redaction", "bridge", "front"})
        for levels in DEPTHS:
            calling = asyncio.create_task(client.error("query_dom", selector="a"))
            command = await next_command(socket)
            await socket.send_str(f'{{"type":"result","id":"{command["id"]}",{outcome % deep(levels).decode()}}}')
            await calling

        assert before.items() <= (await client.pids()).items()


@pytest.mark.requirement("attacks-006")
async def test_random_requests_and_messages_leave_the_port_as_it_was(settings: Settings) -> None:
    by, shown = chance("requests"), fields_of(settings)
    samples = [
        b"POST %s HTTP/1.1\r\n%sContent-Length: %d\r\n\r\n%s" % (path, shown, len(body), body)
        for path, body in ((b"/logs", HIDDEN), (b"/query-dom", b'{"selector":"a"}'), (b"/dom-result", b'{"id":"a"}'))
    ]
    ups = [
        b'{"type":"result","id":"%s","result":{}}' % (b"0" * 32),
        nested(3).encode(),
        b'{"type":"pilot","enabled":true}',
    ]
    async with same_bridge(settings), link(settings) as socket:
        for _ in range(REAL_COUNT // 20):
            sent = [bent(by, samples) for _ in range(20)]
            await asyncio.gather(*(answered(settings, one, ends=True) for one in sent))
        for _ in range(REAL_COUNT):
            await socket.send_str(bent(by, ups).decode("utf-8", "replace"))
        await socket.send_str(nested(4).replace('"tab":1', '"tab":2'))
        while (await socket.receive_json(timeout=BOUND_S))["type"] != "stored":
            pass
        async with http() as session, session.get(f"{base(settings)}/health", headers=headers(settings)) as answer:
            assert (await answer.json())["connected"]


LOOKS = """
import os, pathlib, socket, sys

if os.geteuid() == 0:
    os.setgroups([]), os.setgid(65_534), os.setuid(65_534)
for path in map(pathlib.Path, sys.argv[1:]):
    try:
        if path.suffix == ".sock":
            socket.socket(socket.AF_UNIX).connect(str(path))
        else:
            path.read_bytes()
    except OSError:
        continue
    print(path)
"""


@pytest.mark.requirement("attacks-007")
def test_another_user_reads_no_file_and_reaches_no_socket(settings: Settings) -> None:
    found = [
        path for home in (settings.data_dir, settings.runtime_dir) for path in home.rglob("*") if not path.is_dir()
    ]
    settings.data_dir.parent.chmod(0o755)  # the test's own folder, which would stop that user too
    command = [sys.executable, "-S", "-c", LOOKS, *map(str, found)]
    reached = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True, cwd="/").stdout.split()

    assert {settings.token_file, settings.mcp_socket, settings.broker_socket, settings.log_file} <= {*found}
    assert [] == reached or os.geteuid() != 0  # without the rights of root it was not another user who looked
    assert {0o700} == {path.stat().st_mode & 0o777 for path in (settings.data_dir, settings.runtime_dir)}


def shown_by_kernel(pid: int, name: str) -> str:
    """Give what the kernel shows of a process under a name."""
    return Path(f"/proc/{pid}/{name}").read_bytes().decode(errors="replace")


@pytest.mark.requirement("attacks-007")
async def test_no_process_shows_the_token_in_its_command_or_its_log(settings: Settings) -> None:
    token = system.token(settings)
    async with assistant(settings) as client:
        pids = [pid for pid in (await client.pids()).values() if pid]
    kernel = [shown_by_kernel(pid, name) for pid in pids for name in ("cmdline", "environ")]
    texts = [*kernel, settings.log_file.read_text(), system.gasoline(settings, "status", "--json").stdout]

    assert len(pids) >= 6
    assert not [text for text in texts if token in text]


@pytest.mark.requirement("attacks-007")
async def test_another_extension_is_refused_though_it_has_the_token(settings: Settings) -> None:
    other = f"chrome-extension://{'a' * 32}"
    async with http() as session:
        for path in ("/health", "/metrics", "/pending-queries", "/link"):
            async with session.get(base(settings) + path, headers=headers(settings, Origin=other)) as answer:
                assert (403, b"") == (answer.status, await answer.read())

    assert other != installed.origin()
