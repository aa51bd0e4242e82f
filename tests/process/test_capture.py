"""Events that the extension sends, or a client posts, are read by a real assistant; no secret reaches a file."""

import asyncio
import contextlib
import io
import itertools
import os
import secrets
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest

from chrome_double import BOUND_S, PAGE, base, headers, http, link, next_command, tabs_named
from gasoline_broker.settings import Settings
from gasoline_workers.redaction.messages import HANDLE
from shapes import SHAPES
from system import Assistant, assistant

Event = dict[str, Any]
Socket = aiohttp.ClientWebSocketResponse

WIRE = Path(__file__).parents[1] / "wire"
NOW_MS = time.time() * 1000
STATE = {"type": "state", "front": 12, "tracked": None, "websockets": True, "bodies": False, "allTabs": True}
PLANTED = (
    "hunter2-in-console",
    "sk_live_51FakeFakeFakeFakeFakeFake",
    "hunter2-in-body",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJub2JvZHkifQ.c2lnbmF0dXJlLXRoYXQtaXMtZmFrZQ",
    "fake-token-1234567890",
    "hunter2-in-frame",
    "hunter2-in-action",
)
PLANTS: list[Event] = [
    {"type": "console", "level": "log", "args": ["password:", PLANTED[0]]},
    {
        "type": "console",
        "level": "error",
        "args": [f"key {PLANTED[1]}"],
        "stack": f"at f (http://x/?token={PLANTED[4]})",
    },
    {
        "type": "network_body",
        "api": "fetch",
        "method": "POST",
        "url": f"http://x/login?access_token={PLANTED[4]}",
        "status": 200,
        "duration": 3,
        "requestBody": f'{{"user":"ada","password":"{PLANTED[2]}"}}',
        "responseBody": f'{{"jwt":"{PLANTED[3]}","cut":"',
        "contentType": "application/json",
        "truncated": True,
    },
    {
        "type": "websocket",
        "event": "message",
        "id": "c1",
        "url": "ws://x/",
        "direction": "outgoing",
        "data": f'{{"type":"auth","password":"{PLANTED[5]}"}}',
        "size": 50,
    },
    {"type": "action", "action": "input", "selector": "#password", "tag": "input", "value": PLANTED[6]},
]
_numbers = itertools.count(1)


@pytest.fixture
def settings(whole_system: Settings) -> Settings:
    return whole_system


@contextlib.asynccontextmanager
async def stage(settings: Settings) -> AsyncIterator[tuple[Assistant, Socket]]:
    """Be an assistant, and the extension with tab 12 in front; the journal is empty."""
    async with assistant(settings) as client, link(settings) as socket:
        await client.call("configure", action="clear")
        await told(socket, STATE, tab=0)
        yield client, socket


def chunk(*events: Event, tab: int = 12, page: str = "http://localhost:3000/", load: str = "5f3a9c01") -> Event:
    stamped = [{"ts": NOW_MS + next(_numbers)} | event for event in events]
    return {
        "id": secrets.token_hex(16),
        "tab": tab,
        "frame": 0,
        "load": "00000000" if tab == 0 else load,
        "page": page,
        "events": stamped,
    }


async def told(socket: Socket, *events: Event, **place: Any) -> None:
    """Send events, and wait until they are stored."""
    await sent(socket, [chunk(*events, **place)])


async def sent(socket: Socket, chunks: list[Event]) -> None:
    await socket.send_json({"type": "events", "chunks": chunks})
    await stored(socket, [one["id"] for one in chunks])


async def stored(socket: Socket, ids: list[str]) -> None:
    async with asyncio.timeout(BOUND_S):
        while (message := await socket.receive_json(timeout=BOUND_S))["type"] != "stored" or message["ids"] != ids:
            pass


def line(text: object, level: str = "log") -> Event:
    return {"type": "console", "level": level, "args": [text]}


async def read(client: Assistant, what: str, **arguments: Any) -> dict[str, Any]:
    """Read a mode, and hold its reply to the documented shape."""
    reply = await client.call("observe", what=what, **arguments)
    msgspec.convert(reply, SHAPES[what])
    return reply


@pytest.mark.requirement("002-024", "002-025")
async def test_one_of_each_event_comes_back_in_its_mode(settings: Settings) -> None:
    async with stage(settings) as (client, chrome):
        message = msgspec.json.decode((WIRE / "link-up-events.json").read_bytes())
        for one in message["chunks"]:
            one["id"] = secrets.token_hex(16)
            one["events"] = [event | {"ts": NOW_MS} for event in one["events"]]
        await sent(chrome, message["chunks"])

        logs = await read(client, "logs")
        errors = await read(client, "errors")
        requests = await read(client, "network_waterfall")
        bodies = await read(client, "network_bodies")
        frames = await read(client, "websocket_events")
        vitals = await read(client, "vitals")
        loads = await read(client, "performance")
        actions = await read(client, "actions")

        assert ("log", 'ready 3 {"items":[1,2]}') == (logs["logs"][0]["level"], logs["logs"][0]["text"])
        assert {"console": 312} == logs["dropped"]
        assert {"error", "resource"} == {error["kind"] for error in errors["errors"]}
        assert [201] == [row["status"] for row in requests["requests"] if row["url"].endswith("/api/users")]
        assert '{"id":1,"name":"Alice"}' == bodies["bodies"][0]["responseBody"]
        assert ["close", "message", "open"] == [event["event"] for event in frames["events"]]
        assert 812.5 == vitals["loads"][0]["LCP"]["value"]
        assert 900 == loads["snapshots"][0]["timing"]["load"]
        assert [{"name": "hero-render", "duration": 62.6, "start": 450.2}] == loads["user_timing"]["measures"]
        assert ["push", "click", "navigate"] == [one.get("action") or one["navigation"] for one in actions["actions"]]
        assert frames["events"] == (await client.call("get_websocket_events"))["events"]
        assert bodies["bodies"] == (await client.call("get_network_bodies"))["bodies"]


async def test_what_a_poll_has_seen_it_does_not_see_again_and_misses_nothing(settings: Settings) -> None:
    async with stage(settings) as (client, chrome):
        await told(chrome, line("first"))
        seq = (await read(client, "logs"))["seq"]
        await told(chrome, line("second"), line("third"))

        again = await read(client, "logs", since_seq=seq)

        assert ["third", "second"] == [one["text"] for one in again["logs"]]
        async with tabs_named(chrome, 12):
            assert [] == (await read(client, "logs", since_seq=again["seq"]))["logs"]


@pytest.mark.requirement("capture-033")
async def test_a_page_of_the_journal_continues_with_its_cursor_while_new_lines_come(settings: Settings) -> None:
    async with stage(settings) as (client, chrome):
        await told(chrome, *(line(f"line {number}") for number in range(30)))
        page = await read(client, "logs", limit=10)
        await told(chrome, *(line(f"late {number}") for number in range(5)))

        texts = [one["text"] for one in page["logs"]]
        while "omitted" in page:
            page = await read(client, "logs", cursor=page["omitted"]["cursor"])
            texts += [one["text"] for one in page["logs"]]

        assert [f"line {number}" for number in range(29, -1, -1)] == texts


def samples(number: int, url: str) -> dict[str, Event]:
    """Return an event for each mode."""
    request = {"method": "GET", "url": url, "status": 200, "duration": 1, "api": "fetch"}
    body = {"requestBody": None, "responseBody": str(number), "contentType": "text/plain"}
    timing = {"ttfb": 1, "fcp": 1, "lcp": 1, "domContentLoaded": 1, "load": number}
    sums = {"cls": 0, "transferSize": 0, "requestCount": 1, "longTaskCount": 0, "totalBlockingTime": 0}
    return {
        "logs": line(f"line {number}"),
        "errors": {"type": "error", "kind": "error", "name": "Error", "message": chr(96 + number)},
        "network_waterfall": {"type": "network"} | request,
        "network_bodies": {"type": "network_body"} | request | body,
        "websocket_events": {"type": "websocket", "event": "open", "id": f"c{number}", "url": url},
        "vitals": {"type": "vital", "name": "LCP", "value": number, "rating": "good"},
        "performance": {"type": "performance", "url": url, "navigation": "navigate", "timing": timing} | sums,
        "actions": {"type": "action", "action": "click", "selector": f"#b{number}"},
    }


@pytest.mark.requirement("capture-045")
@pytest.mark.parametrize("what", sorted({*SHAPES} - {"redactions"}))  # it counts events
async def test_every_mode_takes_the_parameters_of_a_window(settings: Settings, what: str) -> None:
    name = list(SHAPES[what].__struct_fields__)
    async with stage(settings) as (client, chrome):
        for number in (1, 2, 3, 4):
            page = f"http://localhost/{number}"
            await told(chrome, samples(number, page)[what], page=page, load=f"0000000{number}", tab=12 + number // 4)
        whole = await read(client, what, all_tabs=True)
        (key,) = [field for field in name if isinstance(whole.get(field), list)]
        every = [one["seq"] for one in whole[key]]

        async def seqs(**arguments: Any) -> list[int]:
            return [one["seq"] for one in (await read(client, what, **arguments))[key]]

        first = await read(client, what, limit=1)
        rest = await read(client, what, cursor=first["omitted"]["cursor"])

        assert 4 == len(every)
        assert every[1:] == await seqs()
        assert every[:1] == await seqs(tab_id=13)
        assert every[2:3] == await seqs(url_filter="/2")
        assert every[1:2] == await seqs(since_seq=every[2])
        assert (every[1], 2) == (first[key][0]["seq"], first["omitted"]["count"])
        assert every[2] == rest[key][0]["seq"]


async def test_a_chunk_that_comes_twice_is_read_once(settings: Settings) -> None:
    async with stage(settings) as (client, chrome):
        one = chunk(line("once"))
        await sent(chrome, [one])
        await sent(chrome, [one])

        (log,) = (await read(client, "logs"))["logs"]

        assert "count" not in log


async def test_of_other_tabs_only_what_is_asked_for_is_read(settings: Settings) -> None:
    async with stage(settings) as (client, chrome):
        await told(chrome, line("in front"))
        await told(chrome, line("behind"), tab=13)

        async def texts(**arguments: Any) -> list[str]:
            return [one["text"] for one in (await read(client, "logs", **arguments))["logs"]]

        assert ["in front"] == await texts()
        assert ["behind"] == await texts(tab_id=13)
        assert ["behind", "in front"] == await texts(all_tabs=True)
        await told(chrome, STATE | {"tracked": 12}, tab=0)
        assert ["in front"] == await texts(all_tabs=True)
        async with tabs_named(chrome, 12, 13):
            assert [] == await texts(tab_id=13)


async def test_a_result_is_never_passed_on_before_the_events_that_came_before_it(settings: Settings) -> None:
    async with stage(settings) as (client, chrome):
        for number in range(20):
            calling = asyncio.create_task(client.call("query_dom", selector="#p"))
            command = await next_command(chrome)
            await chrome.send_json({"type": "events", "chunks": [chunk(line(f"effect {number}"))]})
            await chrome.send_json({"type": "result", "id": command["id"], "result": PAGE})
            await calling

            assert f"effect {number}" == (await read(client, "logs", limit=1))["logs"][0]["text"]


async def test_a_result_waits_for_its_events_though_the_journal_dies_each_time(settings: Settings) -> None:
    async with stage(settings) as (client, chrome):
        for number in range(4):
            pid = (await client.pids())["journal"]
            calling = asyncio.create_task(client.call("query_dom", selector="#p"))
            command = await next_command(chrome)
            os.kill(pid, signal.SIGKILL)
            await chrome.send_json({"type": "events", "chunks": [chunk(line(f"effect {number}"))]})
            await chrome.send_json({"type": "result", "id": command["id"], "result": PAGE})
            await calling

            assert f"effect {number}" == (await read(client, "logs", limit=1))["logs"][0]["text"]


async def test_no_planted_secret_is_in_any_file_or_reply(settings: Settings) -> None:
    async with stage(settings) as (client, chrome):
        await told(chrome, *PLANTS, page=f"http://x/?access_token={PLANTED[4]}")

        async with tabs_named(chrome, 12):
            replies = [await read(client, what, budget=40_000) for what in SHAPES]
        text = msgspec.json.encode(replies).decode()
        written = [file for folder in (settings.data_dir, settings.runtime_dir) for file in folder.rglob("*")]
        leaks = [
            (file.name, planted)
            for file in written
            if file.is_file()
            for planted in PLANTED
            if planted.encode() in file.read_bytes()
        ]

        assert [] == [planted for planted in PLANTED if planted in text]
        assert [] == leaks
        assert any(file.name == "journal.sqlite" for file in written)
        assert HANDLE.search(text)


async def test_clear_forgets_everything_on_the_disk_too(settings: Settings) -> None:
    async with stage(settings) as (client, chrome):
        await told(chrome, line("forget-this-line"))
        before = (await read(client, "logs"))["seq"]

        cleared = await client.call("configure", action="clear")

        assert (True, 1) == (cleared["success"], cleared["cleared"])
        async with tabs_named(chrome, 12):
            assert [] == (await read(client, "logs"))["logs"]
        assert [] == [file for file in settings.data_dir.rglob("journal*") if b"forget-this-line" in file.read_bytes()]
        await told(chrome, line("new"))
        assert (await read(client, "logs"))["logs"][0]["seq"] > before


async def test_the_humans_clear_is_acknowledged_when_it_is_done(settings: Settings) -> None:
    async with stage(settings) as (client, chrome):
        await told(chrome, line("old"))
        number = secrets.token_hex(16)

        await chrome.send_json({"type": "clear", "id": number})
        async with asyncio.timeout(BOUND_S):
            while (await chrome.receive_json(timeout=BOUND_S)) != {"type": "acknowledge", "id": number}:
                pass

        async with tabs_named(chrome, 12):
            assert [] == (await read(client, "logs"))["logs"]


@pytest.mark.requirement("capture-036")
@pytest.mark.parametrize("victim", ["journal", "redaction", "bridge", "broker"])
async def test_a_process_killed_under_a_stream_loses_no_event_and_repeats_none(settings: Settings, victim: str) -> None:
    async with stage(settings) as (client, _chrome):
        chunks = [chunk(*(line(f"{number}/{at}") for at in range(4))) for number in range(60)]
        waiting = {one["id"]: one for one in chunks}
        pid = (await client.pids())[victim]

        async def stream() -> None:
            """Do as the extension does: send again after a reconnect all that is not confirmed as stored."""
            while waiting:
                try:
                    async with link(settings) as socket:
                        await told(socket, STATE, tab=0)
                        for one in list(waiting.values()):
                            await socket.send_json({"type": "events", "chunks": [one]})
                            await asyncio.sleep(0.002)
                        while waiting:
                            message = await socket.receive_json(timeout=BOUND_S)
                            for number in message["ids"] if message["type"] == "stored" else ():
                                waiting.pop(number, None)
                except (aiohttp.ClientError, TypeError, TimeoutError):
                    await asyncio.sleep(0.05)

        async def kill() -> None:
            await asyncio.sleep(0.05)
            os.kill(pid, signal.SIGKILL)
            while (await client.pids()).get(victim, pid) == pid:  # noqa: ASYNC110 - the next test needs it
                await asyncio.sleep(0.02)

        async with asyncio.timeout(30):
            await asyncio.gather(stream(), kill())
        page = await read(client, "logs", limit=1_000, budget=40_000)

        texts = [one["text"] for one in page["logs"]]
        assert [f"{number}/{at}" for number in range(59, -1, -1) for at in range(3, -1, -1)] == texts
        assert not [one for one in page["logs"] if "count" in one]


POSTS = {
    "/logs": ("logs", b'{"level":"warn","message":"from outside"}', "text", "from outside"),
    "/websocket-events": ("websocket_events", b'{"event":"open","id":"uuid","url":"ws://x/"}', "url", "ws://x/"),
    "/network-bodies": (
        "network_bodies",
        b'{"method":"GET","url":"/api","status":200,"responseBody":"{}"}',
        "responseBody",
        "{}",
    ),
}


@pytest.mark.requirement("002-017", "002-018", "002-019")
@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("kind", ["application/json", "application/x-ndjson"])
async def test_what_is_posted_is_stored_when_it_is_answered(settings: Settings, path: str, kind: str) -> None:
    async with stage(settings) as (client, _chrome):
        what, body, field, value = POSTS[path]
        async with http() as session:
            url = f"{base(settings)}{path}"
            async with session.post(url, data=body, headers=headers(settings, **{"Content-Type": kind})) as reply:
                assert (200, {"stored": 1}) == (reply.status, await reply.json())

        assert value == (await read(client, what))[_list(what)][0][field]


def _list(what: str) -> str:
    return {"logs": "logs", "websocket_events": "events", "network_bodies": "bodies"}[what]


@pytest.mark.parametrize("path", POSTS)
async def test_a_wrong_line_is_answered_by_name_and_nothing_is_stored(settings: Settings, path: str) -> None:
    async with stage(settings) as (client, chrome):
        what, body, *_ = POSTS[path]
        async with http() as session:
            json = headers(settings, **{"Content-Type": "application/json"})
            send = body + b'\n{"nonsense":1}'
            async with session.post(f"{base(settings)}{path}", data=send, headers=json) as reply:
                refused = await reply.json()
            assert 400 == reply.status
            plain = headers(settings, **{"Content-Type": "text/plain"})
            async with session.post(f"{base(settings)}{path}", data=body, headers=plain) as reply:
                assert 415 == reply.status

        assert "Entry 2: Object contains unknown field `nonsense`" in refused["error"]["message"]
        async with tabs_named(chrome, 12):
            assert [] == (await read(client, what))[_list(what)]


@pytest.mark.parametrize("number", ["100000000000000000000", "-1e400", "9" * 400])
async def test_a_number_beyond_64_bits_stops_neither_the_link_nor_the_intake(settings: Settings, number: str) -> None:
    async with stage(settings) as (client, chrome):
        one = chunk(line("kept"))
        text = msgspec.json.encode({"type": "events", "chunks": [one]}).decode()
        await chrome.send_str(text.replace('["kept"]', f'["kept",{number}]'))
        await told(chrome, line("after"))

        texts = [log["text"] for log in (await read(client, "logs"))["logs"]]

    assert "after" == texts[0]
    assert number == "-1e400" or texts[1].startswith("kept ")


async def test_a_damaged_chunk_is_passed_over_and_the_good_one_beside_it_is_stored(settings: Settings) -> None:
    async with stage(settings) as (client, chrome):
        bad, good = chunk(line("bad")) | {"tab": -1}, chunk(line("good"))
        await chrome.send_json({"type": "events", "chunks": [bad, good]})
        await stored(chrome, [bad["id"]])  # it would be sent again for ever

        async with asyncio.timeout(BOUND_S):
            while not (logs := (await read(client, "logs"))["logs"]):
                pass

    assert ["good"] == [one["text"] for one in logs]


async def test_what_is_no_event_or_of_an_unknown_kind_costs_itself_and_not_its_chunk(settings: Settings) -> None:
    async with stage(settings) as (client, chrome):
        one = chunk(line("before"), {"type": "hologram", "depth": 3}, line("after"))
        one["events"] += [None, 7, "console", ["console"], {}, {"type": 7}]
        await sent(chrome, [one])

        logs = (await read(client, "logs"))["logs"]

    assert ["after", "before"] == [log["text"] for log in logs]


async def test_an_extension_whose_link_broke_off_is_let_in_again_at_once(settings: Settings) -> None:
    async with stage(settings) as (client, chrome):
        chrome._response.connection.transport.abort()  # type: ignore[union-attr]
        async with link(settings) as again:
            await told(again, STATE, tab=0)
            await told(again, line("back"))

            assert "back" == (await read(client, "logs"))["logs"][0]["text"]


@pytest.mark.parametrize(
    "body", [b'{"message":"a","tabId":99999999999999999999}', b'{"event":"open","id":"1","size":100000000000000000000}']
)
async def test_a_post_with_a_number_out_of_range_is_refused_and_the_next_is_stored(
    settings: Settings, body: bytes
) -> None:
    path = "/logs" if b"message" in body else "/websocket-events"
    what = POSTS[path][0]
    json = headers(settings, **{"Content-Type": "application/json"})
    async with stage(settings) as (client, _chrome), http() as session:
        async with session.post(f"{base(settings)}{path}", data=body, headers=json) as reply:
            assert (400, True) == (reply.status, "Entry 1" in await reply.text())
        async with session.post(f"{base(settings)}{path}", data=POSTS[path][1], headers=json) as reply:
            assert 200 == reply.status

        assert 1 == len((await read(client, what))[_list(what)])


async def test_a_body_that_is_posted_again_under_its_key_is_stored_once(settings: Settings) -> None:
    own = headers(settings, **{"Content-Type": "application/json", "Idempotency-Key": secrets.token_hex(8)})
    async with stage(settings) as (client, _chrome), http() as session:
        for _ in range(2):
            async with session.post(f"{base(settings)}/logs", data=POSTS["/logs"][1], headers=own) as reply:
                assert {"stored": 1} == await reply.json()

        (log,) = (await read(client, "logs"))["logs"]

    assert "count" not in log


async def test_a_large_post_does_not_hold_up_a_result(settings: Settings) -> None:
    many = b"\n".join(b'{"message":"%d %s"}' % (number, b"word " * 380) for number in range(2_000))
    own = headers(settings, **{"Content-Type": "application/x-ndjson"})
    async with stage(settings) as (client, chrome), http() as session:
        posting = asyncio.create_task(_post(session, f"{base(settings)}/logs", many, own))
        await asyncio.sleep(0.3)
        calling = asyncio.create_task(client.call("query_dom", selector="#p"))
        command = await next_command(chrome)
        one = chunk({"type": "error", "kind": "error", "message": "effect"})
        await chrome.send_json({"type": "events", "chunks": [one]})
        await chrome.send_json({"type": "result", "id": command["id"], "result": PAGE})
        await calling

        assert "effect" == (await read(client, "errors"))["errors"][0]["message"]
        await posting


async def _post(session: aiohttp.ClientSession, url: str, body: bytes, own: dict[str, str]) -> int:
    async with session.post(url, data=io.BytesIO(body), headers=own) as reply:
        return reply.status


async def test_clear_forgets_what_is_on_its_way_too(settings: Settings) -> None:
    async with stage(settings) as (client, chrome):
        for number in range(50):
            await chrome.send_json({"type": "events", "chunks": [chunk(line(f"before {number}"))]})
        await client.call("configure", action="clear")
        await told(chrome, line("after"))

        assert ["after"] == [one["text"] for one in (await read(client, "logs", limit=100))["logs"]]


async def test_clear_forgets_what_a_program_has_posted_and_is_not_stored_yet(settings: Settings) -> None:
    many = b"\n".join(
        b'{"message":"%d %s"}' % (number, b"word " * 380) for number in range(500)
    )  # four asks of the intake
    own = headers(settings, **{"Content-Type": "application/x-ndjson"})
    async with stage(settings) as (client, chrome), http() as session:
        redaction = (await client.pids())["redaction"]
        os.kill(redaction, signal.SIGSTOP)
        try:
            posting = asyncio.create_task(_post(session, f"{base(settings)}/logs", many, own))
            await asyncio.sleep(2)  # it must have been read; no process tells, as all that the bridge says is redacted
            clearing = asyncio.create_task(client.call("configure", action="clear"))
            await asyncio.sleep(0.3)
        finally:
            os.kill(redaction, signal.SIGCONT)
        await asyncio.gather(posting, clearing)
        await told(chrome, line("after"))

        assert ["after"] == [one["text"] for one in (await read(client, "logs", limit=100))["logs"]]


async def test_a_message_is_not_acknowledged_before_all_of_it_is_stored_or_forgotten(settings: Settings) -> None:
    large, small = chunk(line("x" * (300 << 10))), chunk(line("small"))  # the first makes an ask of its own
    async with stage(settings) as (client, chrome):
        redaction = (await client.pids())["redaction"]
        os.kill(redaction, signal.SIGSTOP)
        try:
            await chrome.send_json({"type": "events", "chunks": [large, small]})
            await chrome.send_json({"type": "clear", "id": secrets.token_hex(16)})
            with pytest.raises(TimeoutError):
                await chrome.receive_json(timeout=0.8)
        finally:
            os.kill(redaction, signal.SIGCONT)

        await stored(chrome, [large["id"], small["id"]])


@pytest.mark.parametrize(
    ("tool", "arguments", "parameter"),
    [
        ("observe", {"what": "logs", "since_seq": 1 << 63}, "since_seq"),
        ("observe", {"what": "logs", "tab_id": 1 << 63}, "tab_id"),
        ("observe", {"what": "logs", "text": "x" * 5_000}, "text"),
        ("observe", {"what": "logs", "limit": 5_000}, "limit"),
        ("observe", {"what": "network_bodies", "body_path": "$["}, "body_path"),
        ("get_network_bodies", {"status_min": 500, "status_max": 400}, "status_max"),
    ],
)
async def test_a_value_out_of_range_is_named(
    settings: Settings, tool: str, arguments: dict[str, Any], parameter: str
) -> None:
    async with assistant(settings) as client:
        error = await client.error(tool, **arguments)

    assert ("invalid_params", parameter) == (error["code"], error["details"]["parameter"])


async def test_null_is_the_default_of_every_optional_parameter(settings: Settings) -> None:
    nothing = {"connection_id": None, "url_filter": None, "direction": None}
    async with stage(settings) as (client, chrome):
        await told(chrome, samples(1, "ws://x/")["websocket_events"])

        assert 1 == len((await client.call("get_websocket_events", **nothing))["events"])


async def test_a_cursor_of_another_mode_is_refused(settings: Settings) -> None:
    async with stage(settings) as (client, chrome):
        await told(chrome, line("a"), line("b"))
        cursor = (await read(client, "logs", limit=1))["omitted"]["cursor"]

        error = await client.error("observe", what="errors", cursor=cursor)

    assert ("invalid_params", "cursor") == (error["code"], error["details"]["parameter"])
