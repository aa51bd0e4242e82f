"""The front and `gasoline mcp`, spoken to line by line: what a client may do wrong, and what it is owed."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any

import msgspec
import pytest
from mcp_types import ToolAnnotations

import system
from chrome_double import BOUND_S, PAGE, link, next_command
from clients import driven
from clients.clients import DRIVERS
from conformance import suite
from gasoline_bridge.front.reading_tools import READING
from gasoline_bridge.front.tools import TOOLS
from gasoline_broker.settings import Settings
from process.processes import gone
from system import GASOLINE, assistant

TYPESCRIPT = str(DRIVERS / "typescript.mjs")
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}

NAMES = [
    "observe",
    "configure",
    "interact",
    "analyze",
    "generate",
    "query_dom",
    "get_page_info",
    "get_websocket_events",
    "get_network_bodies",
    "run_accessibility_audit",
    "highlight_element",
    "manage_state",
    "execute_javascript",
]


@pytest.fixture(scope="module")
def settings() -> Iterator[Settings]:
    with system.settings() as made, system.running(made) as up:
        yield up


class Line:
    """A connection to the front's socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def send(self, line: bytes) -> None:
        self.writer.write(line + b"\n")
        await self.writer.drain()

    async def receive(self) -> dict[str, Any]:
        async with asyncio.timeout(BOUND_S):
            message: dict[str, Any] = json.loads(await self.reader.readline())
        return message

    async def request(self, number: int, method: str, **params: Any) -> None:
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": {"_meta": META} | params}
        await self.send(json.dumps(message).encode())


@contextlib.asynccontextmanager
async def line(settings: Settings) -> AsyncIterator[Line]:
    reader, writer = await asyncio.open_unix_connection(settings.mcp_socket, limit=64 << 20)
    try:
        yield Line(reader, writer)
    finally:
        writer.close()


@pytest.mark.parametrize(
    "bad",
    [
        b"no json",
        b"{",
        b"[]",
        b"3",
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b'{"jsonrpc":"1.0"}',
        b'[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]',
        b'{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
    ],
)
async def test_a_line_that_is_no_message_ends_nothing(settings: Settings, bad: bytes) -> None:
    async with line(settings) as spoken:
        await spoken.send(bad)
        await spoken.request(7, "tools/list")
        while (answer := await spoken.receive()).get("id") != 7:
            assert "error" in answer

    assert set(NAMES) == {tool["name"] for tool in answer["result"]["tools"]}


async def test_a_line_of_a_megabyte_is_answered(settings: Settings) -> None:
    async with line(settings) as spoken:
        await spoken.request(1, "tools/call", name="query_dom", arguments={"selector": 3, "x": "y" * (1 << 20)})

        answer = await spoken.receive()

    assert answer["result"]["isError"] is True


async def test_a_call_that_is_cancelled_is_cancelled_in_the_extension(settings: Settings) -> None:
    async with link(settings) as socket, line(settings) as spoken:
        await spoken.request(1, "tools/call", name="get_page_info", arguments={})
        command = await next_command(socket)

        cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1, "_meta": META}}
        await spoken.send(json.dumps(cancelled).encode())

        assert {"type": "cancel", "id": command["id"]} == await socket.receive_json(timeout=BOUND_S)


BATCH = {"action": "batch", "steps": [{"action": "click", "selector": "#a"}, {"action": "click", "selector": "#b"}]}


@pytest.mark.requirement("faults-022")
@pytest.mark.parametrize(
    ("tool", "arguments", "total", "message"),
    [("get_page_info", {}, None, "get_page_info, 1 s"), ("interact", BATCH, 2, "click, step 1 of 2")],
    ids=["one", "batch"],
)
async def test_a_client_that_asks_for_it_hears_how_far_a_call_is(
    settings: Settings, tool: str, arguments: dict[str, Any], total: int | None, message: str
) -> None:
    async with link(settings) as socket, line(settings) as spoken:
        meta = META | {"progressToken": "mine"}
        await spoken.request(1, "tools/call", name=tool, arguments=arguments, _meta=meta)
        await next_command(socket)
        first, second = [(await spoken.receive())["params"] for _ in range(2)]

    assert ("mine", total, message) == (first["progressToken"], first.get("total"), first["message"])
    assert 0 < first["progress"] < second["progress"]


@pytest.mark.requirement("hub-054")
async def test_a_call_continues_its_clients_trace_in_every_process() -> None:
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    meta = META | {"traceparent": f"00-{trace}-00f067aa0ba902b7-01"}
    with system.settings() as made:
        settings = msgspec.structs.replace(made, log_level="debug")
        with system.running(settings):
            async with line(settings) as spoken:
                await spoken.request(1, "tools/call", name="observe", arguments={"what": "status"}, _meta=meta)
                await spoken.receive()
            way = system.gasoline(settings, "trace", trace[:8], "--json")
        log = [json.loads(line) for line in settings.log_file.read_text().splitlines()]

    (call,) = json.loads(way.stdout)
    assert (trace, "answered", "front") == (call["trace"], call["outcome"], call["asker"])
    assert ["bridge", "redaction"] == [hop["service"] for hop in call["hops"]]
    assert {"broker", "bridge", "front", "redaction"} == {
        event["process"] for event in log if event.get("trace") == trace
    }


async def test_a_call_that_the_system_fails_names_its_trace() -> None:
    with system.settings() as made:
        settings = msgspec.structs.replace(made, call_timeout_s=0.5)
        with system.running(settings):
            async with line(settings) as spoken, link(settings):
                await spoken.request(1, "tools/call", name="get_page_info", arguments={})
                told = await spoken.receive()
            error = json.loads(told["result"]["content"][0]["text"])["error"]
            way = system.gasoline(settings, "trace", error["details"]["trace"])

    assert "deadline_exceeded" == error["code"]
    assert way.stdout.startswith(error["details"]["trace"])


async def test_a_client_that_is_killed_has_its_calls_cancelled(settings: Settings) -> None:
    async with link(settings) as socket:
        client = await asyncio.create_subprocess_exec(
            GASOLINE,
            "mcp",
            env=os.environ | settings.environ(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert client.stdin is not None
        message = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "get_page_info", "_meta": META},
        }
        client.stdin.write(json.dumps(message).encode() + b"\n")
        await client.stdin.drain()
        command = await next_command(socket)

        client.send_signal(signal.SIGKILL)

        assert {"type": "cancel", "id": command["id"]} == await socket.receive_json(timeout=BOUND_S)
        await client.communicate()


async def test_a_client_that_closes_its_pipe_ends_the_shim_with_code_0(settings: Settings) -> None:
    client = await asyncio.create_subprocess_exec(
        GASOLINE, "mcp", env=os.environ | settings.environ(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    out, _ = await client.communicate(b"")

    assert (0, b"") == (client.returncode, out)


@contextlib.asynccontextmanager
async def shim(settings: Settings) -> AsyncIterator[Line]:
    """Run `gasoline mcp`, spoken to line by line."""
    process = await asyncio.create_subprocess_exec(
        GASOLINE, "mcp", env=os.environ | settings.environ(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    yield Line(process.stdout, process.stdin)
    process.stdin.close()
    assert 0 == await process.wait()


@pytest.mark.requirement("faults-006")
async def test_what_is_no_message_is_answered_and_the_session_lives(settings: Settings) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "observe", "_meta": META}}
    wrong = [
        b"no json",
        b"[" * 100_000,
        json.dumps(call | {"params": {"name": "\ud83d"}}).encode(),
        json.dumps(call | {"params": [1]}).encode(),
        json.dumps(call | {"id": 1.5}).encode(),
        json.dumps(call | {"jsonrpc": "1.0"}).encode(),
        json.dumps(call).encode().replace(b"observe", b"\xff"),
        json.dumps(call | {"params": {"name": "observe", "arguments": {"x": "y" * (16 << 20)}}}).encode(),
    ]
    async with shim(settings) as spoken:
        for line_ in wrong:
            await spoken.send(line_)
        answers = [await spoken.receive() for _ in wrong]
        await spoken.request(7, "tools/list")

        assert 7 == (await spoken.receive())["id"]
    found = [(answer["error"]["code"], answer["id"]) for answer in answers]
    parse, request, params = -32700, -32600, -32602
    assert [
        (parse, None),
        (parse, None),
        (parse, 1),
        (params, 1),
        (request, None),
        (request, 1),
        (parse, 1),
        (request, 1),
    ] == found


@pytest.mark.parametrize("depth", [30, 95])
async def test_what_the_shim_lets_through_is_not_too_deep_for_the_front(settings: Settings, depth: int) -> None:
    deep: Any = []
    for _ in range(depth):
        deep = [deep]
    async with shim(settings) as spoken:
        await spoken.request(1, "tools/call", name="query_dom", arguments={"selector": deep})

        assert (await spoken.receive())["result"]["isError"]


@pytest.mark.requirement("faults-008")
async def test_a_ping_before_the_end_of_input_is_answered(settings: Settings) -> None:
    async with assistant(settings) as client:
        await client.pids()  # the front is there
    ping = {"jsonrpc": "2.0", "id": 5, "method": "ping"}
    process = await asyncio.create_subprocess_exec(
        GASOLINE, "mcp", env=os.environ | settings.environ(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    out, _ = await process.communicate(json.dumps(ping).encode() + b"\n")

    assert {"jsonrpc": "2.0", "id": 5, "result": {}} == json.loads(out)


async def test_a_call_that_the_end_of_input_cuts_off_is_answered_with_its_id(settings: Settings) -> None:
    async with link(settings) as socket, shim(settings) as spoken:
        await spoken.request(7, "tools/call", name="get_page_info", arguments={})
        await next_command(socket)

        spoken.writer.close()

        assert 7 == (await spoken.receive())["id"]


async def test_a_call_that_was_under_way_when_the_front_died_is_made_again(settings: Settings) -> None:
    async with assistant(settings) as client, link(settings) as socket:
        pid = (await client.pids())["front"]
        calling = asyncio.create_task(client.call("query_dom", selector="#p"))
        await next_command(socket)

        os.kill(pid, signal.SIGKILL)

        command = await next_command(socket)
        await socket.send_json({"type": "result", "id": command["id"], "result": PAGE})
        assert 1 == (await calling)["matchCount"]


async def test_a_front_that_stops_answers_what_it_has_read_and_reads_no_more(settings: Settings) -> None:
    async with link(settings) as socket, line(settings) as client:
        async with assistant(settings) as other:
            pid = (await other.pids())["front"]
        await client.request(1, "tools/call", name="query_dom", arguments={"selector": "#p"})
        command = await next_command(socket)

        os.kill(pid, signal.SIGTERM)
        await asyncio.sleep(0.2)  # it must have been read
        await client.request(2, "tools/call", name="observe", arguments={"what": "status"})
        await socket.send_json({"type": "result", "id": command["id"], "result": PAGE})

        answer = await client.receive()
        assert (1, False) == (answer["id"], answer["result"]["isError"])
        async with asyncio.timeout(BOUND_S):
            assert b"" == await client.reader.read()


@pytest.mark.requirement("faults-032")
async def test_what_a_stopping_front_does_not_finish_is_asked_again_or_unknown(settings: Settings) -> None:
    async with assistant(settings) as acting, assistant(settings) as reading, link(settings) as socket:
        pid = (await reading.pids())["front"]
        act = asyncio.create_task(acting.text("execute_javascript", script="1"))
        read = asyncio.create_task(reading.call("query_dom", selector="#p"))
        asked = {(await next_command(socket))["name"] for _ in range(2)}

        os.kill(pid, signal.SIGTERM)

        assert {"execute", "query_dom"} == asked
        command = await next_command(socket)
        assert "query_dom" == command["name"]
        await socket.send_json({"type": "result", "id": command["id"], "result": PAGE})
        assert 1 == (await read)["matchCount"]
        text, failed = await act

    assert (True, "outcome_unknown") == (failed, json.loads(text)["error"]["code"])


LISTED = {"success": True, "action": "list_interactive", "elements": [{"ref": "00aa-1", "role": "button"}]}


@pytest.mark.requirement("fast-038")
@pytest.mark.parametrize("victim", ["front", "bridge", "life"])
async def test_a_list_of_what_can_be_worked_with_that_is_lost_is_asked_for_again(
    settings: Settings, victim: str
) -> None:
    async with contextlib.AsyncExitStack() as stack, assistant(settings) as client:
        socket = await stack.enter_async_context(link(settings))
        listing = asyncio.create_task(client.call("interact", action="list_interactive"))
        asked = [await next_command(socket)]
        if victim == "front":
            os.kill((await client.pids())["front"], signal.SIGTERM)
        elif victim == "bridge":
            bridge = (await client.pids())["bridge"]
            os.kill(bridge, signal.SIGKILL)
            await gone(bridge)
            await client.all_pids(["bridge"])
            socket = await stack.enter_async_context(link(settings))
        else:
            await socket.close()
            socket = await stack.enter_async_context(link(settings, worker="w2"))
        asked.append(await next_command(socket))
        await socket.send_json({"type": "result", "id": asked[-1]["id"], "result": LISTED})
        listed = await listing

    assert ["interact", "interact"] == [command["name"] for command in asked]
    assert [{"ref": "00aa-1", "role": "button"}] == listed["elements"]


async def test_a_front_that_stops_costs_no_call(settings: Settings) -> None:
    ended, wrong, right = asyncio.Event(), list[str](), 0

    async def keep_calling(client: system.Assistant) -> None:
        nonlocal right
        while not ended.is_set():
            text, failed = await client.text("observe", what="status")
            right += not failed
            wrong.extend([text] if failed else [])

    async with contextlib.AsyncExitStack() as stack, asyncio.TaskGroup() as group:
        looking, *calling = [await stack.enter_async_context(assistant(settings)) for _ in range(4)]
        for client in calling:
            group.create_task(keep_calling(client))
        for _ in range(2):
            pid = (await looking.all_pids(["front"]))["front"]
            os.kill(pid, signal.SIGTERM)
            await gone(pid)
        ended.set()

    assert [] == wrong
    assert right > 4


async def test_two_systems_that_are_started_at_once_are_one(settings: Settings) -> None:
    starting = [
        await asyncio.create_subprocess_exec(
            GASOLINE, "up", env=os.environ | settings.environ(), stderr=subprocess.PIPE, stdin=subprocess.DEVNULL
        )
        for _ in range(2)
    ]
    said = [(await one.communicate())[1].decode() for one in starting]

    assert [0, 0] == [one.returncode for one in starting]
    assert all("already running (process " in text for text in said)


@pytest.mark.requirement("fields-008", "fields-009")
@pytest.mark.parametrize("mode", ["legacy", "2026-07-28", "auto"])
async def test_both_eras_of_the_protocol_list_the_same_tools(settings: Settings, mode: str) -> None:
    async with assistant(settings, mode) as client:
        tools = (await client.client.list_tools()).tools
    hints = {tool.name: tool.annotations or ToolAnnotations() for tool in tools}

    assert NAMES == [tool.name for tool in tools]
    assert [tool.title for tool in TOOLS.values()] == [tool.title for tool in tools]
    assert {*READING} == {name for name, one in hints.items() if one.read_only_hint}
    assert ["generate", "highlight_element"] == [name for name, one in hints.items() if one.destructive_hint is False]


NOISY = """
import json, os, sys
real = json.loads
def noisy(*arguments, **options):
    print("stray", flush=True)
    os.write(1, b"stray")
    return real(*arguments, **options)
json.loads = noisy
sys.argv = ["gasoline", "mcp"]
from gasoline_bridge.cli.entry import main
sys.exit(main())
"""


@pytest.mark.requirement("clients-019")
async def test_what_a_library_prints_stays_off_the_wire(settings: Settings) -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": META}}
    client = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-c", NOISY),
        env=os.environ | settings.environ(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    out, err = await client.communicate(json.dumps(asked).encode() + b"\n")

    (line_,) = out.splitlines()
    assert 1 == json.loads(line_)["id"]
    assert b"stray" in err
    assert 0 == client.returncode


@pytest.mark.requirement("clients-019")
async def test_a_hundred_megabytes_of_arguments_are_refused_and_the_session_lives(settings: Settings) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "observe", "_meta": META}}
    head, _, tail = json.dumps(call | {"x": "HERE"}).partition("HERE")
    async with shim(settings) as spoken:
        spoken.writer.write(head.encode())
        for _ in range(100):
            spoken.writer.write(b"y" * (1 << 20))
            await spoken.writer.drain()
        await spoken.send(tail.encode())
        refused = await spoken.receive()
        await spoken.request(2, "tools/list")

        assert 2 == (await spoken.receive())["id"]
    assert refused["error"]["code"] in {-32700, -32600}


@pytest.mark.requirement("clients-016")
async def test_a_client_of_the_typescript_sdk_lists_calls_cancels_and_may_be_killed(settings: Settings) -> None:
    said, reached = await driven.drive(settings, ["node", TYPESCRIPT, GASOLINE, "1", str(suite.MODULES.parent)])

    status, found, logs = (msgspec.json.decode(one["text"]) for one in said["called"])
    assert [len(TOOLS)] == [one["tools"] for one in said["listed"]]
    assert ("#p", [], True) == (found["matches"][0]["selector"], logs["logs"], status["extension"]["connected"])
    assert 'isError {"status":"error"' in said["error"][0]["text"]
    assert "Call observe(what:" in said["error"][0]["text"]
    assert said["cancelled"][0]["progress"] >= 1
    assert "timed out" in said["timeout"][0]["text"]
    assert {"cancelled": True, "timeout": True, "killed": True} == reached
