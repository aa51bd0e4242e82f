"""Who is let in at the bridge's port: each end proves that it has the token, which itself is never sent."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import msgspec
import pytest

import system
from chrome_double import BOUND_S, base, headers, http, link, proof
from gasoline_bridge import holder, installed
from gasoline_bridge.chrome.proof import Exchange, ServerProof, nonce, prove, proves
from gasoline_broker.settings import Settings
from process.processes import gone
from system import assistant, gasoline


@pytest.fixture(scope="module")
def settings() -> Iterator[Settings]:
    with system.settings() as made, system.running(made) as up:
        yield up


async def test_a_websocket_with_a_wrong_proof_is_refused_and_the_real_one_stays(settings: Settings) -> None:
    async with link(settings) as socket, http() as session:
        client, server, digits = (await proof(session, settings)).split(".")
        token = system.token(settings)
        wrong = [
            f"token.{token}",
            "proof.",
            f"proof.{client}.{server}",
            f"proof.{server}.{client}.{digits}",
            f"proof.{client}.{client}.{prove(token, 'client', settings.port, Exchange(client, client))}",
            f"proof.{client}.{server}.{prove(token, 'server', settings.port, Exchange(client, server))}",
            f"proof.{client}.{server}.{prove('x' * 64, 'client', settings.port, Exchange(client, server))}",
        ]
        for protocol in wrong:
            assert 401 == await refused_link(session, settings, protocol)
        await socket.send_json({"type": "alive"})
        async with session.get(f"{base(settings)}/health", headers=headers(settings)) as answer:
            assert (await answer.json())["connected"]


@pytest.mark.requirement("faults-003")
async def test_a_proof_opens_one_connection_and_not_a_second(settings: Settings) -> None:
    async with http() as session:
        once = f"proof.{await proof(session, settings)}"
        protocols = ("gasoline.v1", once)
        first = await session.ws_connect(f"{base(settings)}/link", protocols=protocols, origin=installed.origin())

        again = await refused_link(session, settings, once)
        await first.close()

    assert 401 == again


async def refused_link(session: aiohttp.ClientSession, settings: Settings, protocol: str) -> int:
    """Give the status that a link is refused with."""
    protocols = ("gasoline.v1", protocol)
    with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
        await session.ws_connect(f"{base(settings)}/link", protocols=protocols, origin=installed.origin())
    return caught.value.status


@pytest.mark.requirement("faults-002")
async def test_the_server_proves_itself_to_a_caller_that_shows_nothing_yet(settings: Settings) -> None:
    client, other = nonce(), nonce()
    async with http() as session:
        async with session.get(f"{base(settings)}/proof", params={"nonce": client}) as answer:
            given = msgspec.convert(await answer.json(), ServerProof)
        for bad in ["", "a", client.upper(), client + "0", "é" * 64]:
            async with session.get(f"{base(settings)}/proof", params={"nonce": bad}) as answer:
                assert (400, b"") == (answer.status, await answer.read())

    assert proves(system.token(settings), settings.port, client, given)
    assert not proves(system.token(settings), settings.port, other, given)
    assert not proves(system.token(settings), settings.port + 1, client, given)
    assert not proves("another token", settings.port, client, given)


STRANGER = """
import os, pathlib, socket, sys

body = pathlib.Path(sys.argv[2]).read_bytes()
door = socket.create_server(("127.0.0.1", int(sys.argv[1])))
if os.geteuid() == 0:
    os.setgroups([]), os.setgid(65_534), os.setuid(65_534)
print("listening", flush=True)
while True:
    line, _ = door.accept()
    print(line.recv(65_536), flush=True)
    try:
        line.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(body) + body)
    except OSError:
        pass
    line.close()
"""


@contextlib.contextmanager
def stranger(settings: Settings, answer: bytes) -> Iterator[Path]:
    """Run a program, as another user where we may, that took the port and answers everything so; give what it heard."""
    with tempfile.TemporaryDirectory() as folder:
        heard, body = Path(folder, "heard"), Path(folder, "answer")
        body.write_bytes(answer)
        command = [sys.executable, "-S", "-c", STRANGER, str(settings.port), str(body)]
        with heard.open("wb") as file, subprocess.Popen(command, stdout=file, cwd="/") as running:
            while b"listening" not in heard.read_bytes():
                assert running.poll() is None
                time.sleep(0.01)
            try:
                yield heard
            finally:
                running.terminate()


HEALTH = {"name": "gasoline", "version": "0.1.0", "pid": 1, "connected": False}
FALSE_PROOF = msgspec.json.encode(ServerProof(nonce(), nonce()))
ANSWERS = [b"", b"[]", b"{}", msgspec.json.encode(HEALTH), FALSE_PROOF, b"x" * 100_000]


@pytest.mark.requirement("faults-004")
def test_a_program_that_took_the_port_is_named_and_gets_no_token() -> None:
    with system.settings() as settings, stranger(settings, FALSE_PROOF) as heard:
        started = gasoline(settings, "up")
        doctor = gasoline(settings, "doctor")
        sent = heard.read_bytes()

    assert 78 == started.returncode
    assert f"Port {settings.port} is taken by another program" in started.stderr
    assert f"another program listens on port {settings.port}" in doctor.stdout
    assert "" == doctor.stderr
    assert b"GET /proof?nonce=" in sent
    assert b"Token" not in sent
    assert system.token(settings).encode() not in sent


@pytest.mark.parametrize("answer", ANSWERS, ids=["nothing", "list", "object", "our health", "a false proof", "much"])
@pytest.mark.requirement("faults-004")
def test_what_proves_nothing_is_asked_once_and_is_no_gasoline(answer: bytes) -> None:
    with system.settings() as settings, stranger(settings, answer) as heard:
        assert 0 == holder.pid_of(settings.port, "t" * 64)

        assert 1 == heard.read_bytes().count(b"GET ")


@pytest.mark.requirement("faults-020")
async def test_a_port_that_is_taken_while_the_bridge_is_away_costs_the_bridge_alone_and_it_comes_back(
    settings: Settings,
) -> None:
    async with assistant(settings) as client:
        before = await client.pids()
        taken = socket.socket()
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        os.kill(before["bridge"], signal.SIGKILL)
        await gone(before["bridge"])
        taken.bind(("127.0.0.1", settings.port))
        taken.listen()
        with taken:
            during = await client.all_pids({*before})
            status = await asyncio.to_thread(gasoline, settings, "status")
            shown = (await client.call("observe", what="status"))["extension"]
            refused = await client.error("query_dom", selector="a")
            logs = await client.call("observe", what="logs")
        async with asyncio.timeout(BOUND_S):
            while "problem" in (await client.call("observe", what="status"))["extension"]:
                pass
        async with link(settings):
            await client.connected()

    why = f"Port {settings.port} is taken by another program."
    assert {name: pid for name, pid in before.items() if name != "bridge"} == {
        name: pid for name, pid in during.items() if name != "bridge"
    }
    assert f"Chrome: not connected: {why}" in status.stdout
    assert shown["problem"].startswith(why)
    assert ("extension_disconnected", True) == (refused["code"], refused["message"].startswith(why))
    assert [] == logs["logs"]
