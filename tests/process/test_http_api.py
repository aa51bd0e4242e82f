"""The bridge's HTTP API, with the real system behind them and a client that speaks the extension's side of the link."""

import asyncio
import io
import os
import re
from typing import Any

import aiohttp
import msgspec
import pytest

from chrome_double import BOUND_S, PAGE, base, headers, http, link, next_command, opened, proof
from gasoline_broker.settings import Settings
from gasoline_workers.redaction.messages import HANDLE
from system import assistant, gasoline


@pytest.fixture
def settings(whole_system: Settings) -> Settings:
    return whole_system


async def refused(answer: aiohttp.ClientResponse, status: int) -> dict[str, Any]:
    """Return the error of a refusal, which has the shape of every other."""
    told = await answer.json()
    error: dict[str, Any] = told["error"]

    assert (status, "error", {"status", "error"}) == (answer.status, told["status"], {*told})
    assert {"code", "message", "recovery"} == {*error} - {"details"}
    assert all(error.values())
    return error


async def test_a_call_goes_to_the_extension_and_back_through_redaction(settings: Settings) -> None:
    async with assistant(settings) as client, link(settings) as socket:
        calling = asyncio.create_task(client.call("query_dom", selector="#p"))
        command = await next_command(socket)
        await socket.send_json({"type": "acknowledge", "id": command["id"]})
        await socket.send_json({"type": "result", "id": command["id"], "result": PAGE})

        reply = await calling

    assert HANDLE.fullmatch(reply["matches"][0]["attributes"]["value"])
    assert "hunter2" not in str(reply)


async def test_a_result_that_the_extension_keeps_is_acknowledged_and_that_of_a_query_is_not(settings: Settings) -> None:
    async with assistant(settings) as client, link(settings) as socket:
        asking = asyncio.create_task(client.call("query_dom", selector="#p"))
        query = await next_command(socket)
        await socket.send_json({"type": "result", "id": query["id"], "result": PAGE})
        await asking
        running = asyncio.create_task(client.call("execute_javascript", script="1"))
        act = await next_command(socket)
        await socket.send_json({"type": "result", "id": act["id"], "result": {"success": True, "result": 1}})
        await running

        assert {"type": "acknowledge", "id": act["id"]} == await socket.receive_json(timeout=BOUND_S)
    assert ("client" in act, "client" in query) == (True, False)


async def test_an_error_of_the_extension_is_redacted_too(settings: Settings) -> None:
    async with assistant(settings) as client, link(settings) as socket:
        calling = asyncio.create_task(client.error("query_dom", selector="#p"))
        command = await next_command(socket)
        fault = {"code": "internal_error", "message": "x", "details": {"password": "hunter2hunter2"}}
        await socket.send_json({"type": "result", "id": command["id"], "error": fault})

        error = await calling

    assert "internal_error" == error["code"]
    assert "hunter2" not in str(error)


@pytest.mark.requirement("pilot-029", "pilot-035")
async def test_what_acts_in_a_browser_that_dies_is_unknown_and_written_down(settings: Settings) -> None:
    async with assistant(settings, name="ann") as client:
        async with link(settings) as socket:
            calling = asyncio.create_task(client.error("execute_javascript", script="1", tab_id=7))
            await next_command(socket)
        error = await calling
    (call, *_) = msgspec.json.decode(gasoline(settings, "audit", "--json").stdout)

    assert "outcome_unknown" == error["code"]
    assert ("ann", "execute", 7, "outcome_unknown") == (call["client"], call["action"], call["tab"], call["outcome"])


async def test_malformed_messages_are_dropped_and_the_link_stays(settings: Settings) -> None:
    bad = ["", "{", "[]", '"x"', '{"type":"nothing"}', '{"type":"result"}', '{"type":"result","id":3}', "[" * 50_000]
    async with assistant(settings) as client, link(settings) as socket:
        for text in bad:
            await socket.send_str(text)
        await socket.send_bytes(b"\x00\xff")
        calling = asyncio.create_task(client.call("query_dom", selector="#p"))
        command = await next_command(socket)
        await socket.send_json({"type": "result", "id": "f" * 32, "result": PAGE})
        await socket.send_json({"type": "result", "id": command["id"], "result": PAGE})

        assert 1 == (await calling)["matchCount"]


async def test_a_result_of_another_shape_is_a_clear_error(settings: Settings) -> None:
    async with assistant(settings) as client, link(settings) as socket:
        calling = asyncio.create_task(client.error("query_dom", selector="#p"))
        command = await next_command(socket)
        await socket.send_json({"type": "result", "id": command["id"], "result": {"matches": "all"}})

        error = await calling

    assert "shape" in error["message"]
    assert "gasoline extension install" in error["recovery"]


@pytest.mark.parametrize(
    ("tool", "request_", "code", "details"),
    [
        ("query_dom", {"selector": "#p"}, "not_found", {"command": "query_dom"}),
        ("interact", {"action": "drag", "selector": "#a", "to": "#b"}, "invalid_params", {"parameter": "action"}),
    ],
)
async def test_an_extension_that_does_not_know_a_command_or_an_action_is_to_be_updated(
    settings: Settings, tool: str, request_: dict[str, Any], code: str, details: dict[str, Any]
) -> None:
    async with assistant(settings) as client, link(settings) as socket:
        calling = asyncio.create_task(client.error(tool, **request_))
        command = await next_command(socket)
        fault = {"code": code, "message": "Unknown 'drag'.", "details": details, "recovery": "extension install"}
        await socket.send_json({"type": "result", "id": command["id"], "error": fault})

        error = await calling
        again = asyncio.create_task(client.call("query_dom", selector="#p"))
        await socket.send_json({"type": "result", "id": (await next_command(socket))["id"], "result": PAGE})
        await again

    assert "not_found" == error["code"]
    assert "extension install" in error["recovery"]


async def test_a_second_browser_does_not_take_the_link_from_one_that_is_alive(settings: Settings) -> None:
    async with link(settings) as first:

        async def answer_alive() -> None:
            while True:
                if (await first.receive_json())["type"] == "alive":
                    await first.send_json({"type": "alive"})

        answering = asyncio.create_task(answer_alive())
        async with http() as session, await opened(session, settings) as second:
            assert aiohttp.WSMsgType.CLOSE == (await second.receive(timeout=BOUND_S)).type
            assert 4009 == second.close_code
        assert not first.closed
        answering.cancel()


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"X-Gasoline-Token": "wrong"}, 401),
        ({"X-Gasoline-Token": ""}, 401),
        ({"Origin": "https://evil.test"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "evil.test"}, 421),
        ({"Host": "localhost"}, 421),
    ],
)
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/health"),
        ("GET", "/metrics"),
        ("GET", "/pending-queries"),
        ("GET", "/dom-result"),
        ("POST", "/dom-result"),
        ("POST", "/query-dom"),
        ("POST", "/draw-mode-result"),
        ("POST", "/annotation-detail-result"),
        ("GET", "/link"),
        ("GET", "/nothing"),
        ("OPTIONS", "/query-dom"),
    ],
)
@pytest.mark.requirement("003-049", "004-005", "000-003")
async def test_a_caller_without_the_token_gets_a_status_and_nothing_else(
    settings: Settings, changed: dict[str, str], status: int, method: str, path: str
) -> None:
    async with http() as session:
        shown = headers(settings, **changed)
        if path == "/link":
            right = await proof(session, settings)
            shown["Sec-WebSocket-Protocol"] = f"gasoline.v1, proof.{right if status != 401 else right[::-1]}"
        async with session.request(method, base(settings) + path, headers=shown, json={}) as answer:
            body = await answer.read()

    assert status == answer.status
    assert b"" == body
    assert not [name for name in answer.headers if name.lower().startswith("access-control")]
    assert "Server" not in answer.headers


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/jsonevil", ""])
async def test_a_body_without_the_content_type_of_json_is_refused(settings: Settings, kind: str) -> None:
    async with (
        http() as session,
        session.post(
            f"{base(settings)}/query-dom", data=b'{"selector":"a"}', headers=headers(settings, **{"Content-Type": kind})
        ) as answer,
    ):
        error = await refused(answer, 415)

    assert ("invalid_params", ["application/json"]) == (error["code"], error["details"]["valid"])
    assert "application/json" in error["message"]


async def test_an_unknown_event_type_is_refused_with_the_valid_ones(settings: Settings) -> None:
    wrong = headers(settings, **{"Content-Type": "text/csv"})
    async with http() as session, session.post(f"{base(settings)}/logs", data=b"a,b", headers=wrong) as answer:
        error = await refused(answer, 415)

    valid = ["application/json", "application/x-ndjson", "application/jsonl"]
    assert valid == error["details"]["valid"]
    assert all(kind in error["message"] for kind in valid)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"selector":3}',
        b'{"selector":" "}',
        b'{"selector":"a","offset":-1}',
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
async def test_a_body_that_is_wrong_is_refused(settings: Settings, body: bytes) -> None:
    async with (
        http() as session,
        session.post(
            f"{base(settings)}/query-dom",
            data=body,
            headers=headers(settings, **{"Content-Type": "application/json"}),
        ) as answer,
    ):
        error = await refused(answer, 400)

    assert ("invalid_params", True) == (
        error["code"],
        error["message"].startswith("The body is not what this endpoint"),
    )


@pytest.mark.parametrize("path", ["/dom-result", "/query-dom", "/logs"])
async def test_a_body_above_the_limit_is_refused(settings: Settings, path: str) -> None:
    async with (
        http() as session,
        session.post(
            base(settings) + path,
            data=io.BytesIO(b'"' + b"x" * (10 << 20) + b'"'),
            headers=headers(settings, **{"Content-Type": "application/json"}),
        ) as answer,
    ):
        error = await refused(answer, 413)

    assert ("payload_too_large", 10 << 20) == (error["code"], error["details"]["limit_bytes"])
    assert "10 MB" in error["message"]


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nothing", 404, "not_found"),
        ("GET", "/dom-result?id=nobody", 404, "not_found"),
        ("DELETE", "/logs", 405, "invalid_params"),
    ],
)
async def test_an_unknown_path_or_method_behind_the_token_has_its_error(
    settings: Settings, method: str, path: str, status: int, code: str
) -> None:
    async with (
        http() as session,
        session.request(method, base(settings) + path, headers=headers(settings)) as answer,
    ):
        error = await refused(answer, status)

    assert code == error["code"]


async def test_the_link_path_states_that_it_takes_a_websocket(settings: Settings) -> None:
    async with http() as session:
        shown = headers(settings) | {"Sec-WebSocket-Protocol": f"gasoline.v1, proof.{await proof(session, settings)}"}
        async with session.get(f"{base(settings)}/link", headers=shown) as answer:
            error = await refused(answer, 400)

    assert "WebSocket" in error["message"]


@pytest.mark.parametrize("wait", ["-1", "26", "x", "nan", "inf"])
async def test_a_wait_out_of_range_is_refused(settings: Settings, wait: str) -> None:
    async with (
        http() as session,
        session.get(f"{base(settings)}/pending-queries?wait={wait}", headers=headers(settings)) as answer,
    ):
        error = await refused(answer, 400)

    assert ("wait", 25) == (error["details"]["parameter"], error["details"]["max"])


@pytest.mark.requirement("002-020", "002-022", "002-033", "002-111", "002-156", "002-030", "002-108")
async def test_a_client_that_only_polls_can_do_everything(settings: Settings) -> None:
    async with http() as session:
        async with session.get(f"{base(settings)}/pending-queries", headers=headers(settings)) as answer:
            assert [] == await answer.json()  # a client that polls counts as connected
        async with session.post(
            f"{base(settings)}/query-dom", json={"selector": "#p"}, headers=headers(settings)
        ) as answer:
            assert 202 == answer.status
            asked = (await answer.json())["id"]
        async with session.get(f"{base(settings)}/pending-queries?wait=5", headers=headers(settings)) as answer:
            (query,) = await answer.json()
        assert ("query_dom", "#p") == (query["type"], query["params"]["selector"])
        async with session.get(f"{base(settings)}/dom-result?id={asked}", headers=headers(settings)) as answer:
            assert 204 == answer.status
        async with session.post(
            f"{base(settings)}/dom-result", json={"id": query["id"], "result": PAGE}, headers=headers(settings)
        ) as answer:
            assert 200 == answer.status
        async with session.get(f"{base(settings)}/dom-result?id={asked}&wait=5", headers=headers(settings)) as answer:
            assert 200 == answer.status
            text = await answer.text()

    assert 1 == msgspec.json.decode(text)["matchCount"]
    assert "hunter2" not in text


@pytest.mark.requirement("002-021", "002-023")
async def test_a_client_that_only_polls_can_have_a_page_audited(settings: Settings) -> None:
    node = {"selector": "#p", "html": '<input type="password" value="hunter2hunter2">', "summary": "", "checks": []}
    rule = {"id": "label", "impact": "critical", "help": "Label", "tags": ["wcag2a"], "count": 1, "nodes": [node]}
    counts = {"violations": 1, "passes": 3, "incomplete": 0, "inapplicable": 90}
    evidence = {"accessibility": {"timestamp": "2026-01-01T00:00:00Z", "counts": counts, "violations": [rule]}}
    found = {"page": {"url": "http://localhost/", "title": "Shop"}, "evidence": evidence, "duration_ms": 9}
    at, shown = base(settings), headers(settings)
    async with http() as session:
        async with session.get(f"{at}/pending-queries", headers=shown):
            pass
        async with session.post(f"{at}/run-a11y-audit", json={"scope": "main"}, headers=shown) as answer:
            asked = (await answer.json())["id"]
        async with session.get(f"{at}/pending-queries?wait=5", headers=shown) as answer:
            (query,) = await answer.json()
        async with session.post(f"{at}/dom-result", json={"id": query["id"], "result": found}, headers=shown):
            pass
        async with session.get(f"{at}/a11y-result?id={asked}&wait=5", headers=shown) as answer:
            text = await answer.text()
        async with session.post(f"{at}/run-a11y-audit", json={"tags": "wcag2a"}, headers=shown) as wrong:
            status = wrong.status

    assert ("run_accessibility_audit", {"selector": "main", "include_passes": False}) == (
        query["type"],
        query["params"]["arguments"],
    )
    report = msgspec.json.decode(text)
    assert (counts, ["label"]) == (report["summary"], [one["id"] for one in report["violations"]])
    assert "hunter2" not in text
    assert 400 == status


async def test_the_error_of_a_query_that_failed_is_redacted_too(settings: Settings) -> None:
    error = {"code": "invalid_params", "message": "password: hunter2-in-words", "details": {"value": "x"}}
    async with http() as session:
        async with session.get(f"{base(settings)}/pending-queries", headers=headers(settings)):
            pass
        async with session.post(
            f"{base(settings)}/query-dom", json={"selector": "#p"}, headers=headers(settings)
        ) as answer:
            asked = (await answer.json())["id"]
        async with session.get(f"{base(settings)}/pending-queries?wait=5", headers=headers(settings)) as answer:
            (query,) = await answer.json()
        async with session.post(
            f"{base(settings)}/dom-result", json={"id": query["id"], "error": error}, headers=headers(settings)
        ):
            pass
        async with session.get(f"{base(settings)}/dom-result?id={asked}&wait=5", headers=headers(settings)) as answer:
            text = await answer.text()

    assert 502 == answer.status
    assert re.search(f'"password: {HANDLE.pattern}"', text)
    assert "hunter2" not in text


@pytest.mark.requirement("002-155")
async def test_a_poll_with_nothing_pending_is_an_empty_array(settings: Settings) -> None:
    async with (
        http() as session,
        session.get(f"{base(settings)}/pending-queries", headers=headers(settings)) as answer,
    ):
        assert "[]" == await answer.text()


async def test_a_result_for_an_unknown_id_is_not_found(settings: Settings) -> None:
    async with (
        http() as session,
        session.post(
            f"{base(settings)}/dom-result", json={"id": "f" * 32, "result": PAGE}, headers=headers(settings)
        ) as answer,
    ):
        assert "not_found" == (await refused(answer, 404))["code"]


@pytest.mark.requirement("hub-053")
async def test_a_prometheus_reads_the_figures_of_the_broker(settings: Settings) -> None:
    async with (
        http() as session,
        session.get(f"{base(settings)}/metrics", headers=headers(settings)) as answer,
    ):
        text = await answer.text()

    assert (200, "text/plain") == (answer.status, answer.content_type)
    assert "# TYPE gasoline_stop_wait_seconds summary" in text
    assert 'gasoline_processes{service="redaction"} 1.0' in text.splitlines()
    dropped = dict(re.findall(r'^gasoline_bridge_dropped_total{what="(chunk|event)"} (\d+)\.0$', text, re.MULTILINE))
    assert {"chunk", "event"} == {*dropped}  # how many is what other tests of this system have left


async def test_only_this_machine_is_listened_to(settings: Settings) -> None:
    with open("/proc/net/tcp") as table:  # noqa: ASYNC230, PTH123 - a file of the kernel
        rows = [line.split() for line in table.readlines()[1:]]
    listening = [row[1] for row in rows if row[3] == "0A" and row[1].endswith(f":{settings.port:04X}")]

    assert [f"0100007F:{settings.port:04X}"] == listening


def test_a_port_that_another_gasoline_holds_names_it(settings: Settings) -> None:
    other = msgspec.structs.replace(settings, runtime_dir=settings.runtime_dir.parent / "r2")

    started = gasoline(other, "bridge")

    assert 78 == started.returncode
    assert f"Port {settings.port} is taken by another gasoline (process " in started.stderr


def test_what_is_secret_is_closed_to_others(settings: Settings) -> None:
    modes = {
        path: path.stat().st_mode & 0o777 for path in (settings.token_file, settings.mcp_socket, settings.broker_socket)
    }

    assert {0o600} == set(modes.values())
    assert {0o700} == {path.stat().st_mode & 0o777 for path in (settings.data_dir, settings.runtime_dir)}
    assert os.geteuid() == settings.token_file.stat().st_uid
