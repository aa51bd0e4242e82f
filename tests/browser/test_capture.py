"""What happens in a real page is read by a real assistant: captured, redacted, kept in order."""

import asyncio
import datetime as dt
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from browser.scene import page
from browser.user import number_of, switch
from gasoline_bridge.devtools import Browser, until
from gasoline_broker.settings import Settings
from gasoline_workers.redaction.messages import HANDLE
from shapes import SHAPES
from system import Assistant, assistant
from unit.test_http_archive import faults

Reply = dict[str, Any]

LISTS = {
    "logs": "logs",
    "errors": "errors",
    "network_waterfall": "requests",
    "network_bodies": "bodies",
    "websocket_events": "events",
    "vitals": "loads",
    "performance": "snapshots",
    "actions": "actions",
}
PLACE = ("channel", "kind", "count", "secrets")
BUSY = """
(async () => {
  console.log('ready', {items: [1, 2]});
  console.error('planted password: hunter2-console');
  setTimeout(() => { null.id; });
  Promise.reject(new Error('refused'));
  performance.mark('hero-start');
  const socket = new WebSocket(`ws://${location.host}/api/socket`);
  await new Promise((done) => socket.onopen = done);
  socket.send('{"type":"ping","token":"tok_9f8a7b6c5d4e3f2a1b0c8d7e"}');
  await new Promise((done) => socket.onmessage = done);
  socket.close(1000, 'done');
  await new Promise((done) => socket.onclose = done);
  const headers = {'content-type': 'application/json', 'authorization': 'Bearer hunter2-header'};
  await fetch('/api/echo?status=404', {method: 'POST', body: '{"password":"hunter2-body"}', headers})
    .then((reply) => reply.text());
  history.pushState({}, '', '?route=2');
  console.log('after the route');
})().then(() => 0)
"""
PLANTED = ("hunter2-console", "tok_9f8a7b6c5d4e3f2a1b0c8d7e", "hunter2-body", "hunter2-header")


def read_file(path: str) -> tuple[bytes, int]:
    """Give what a file holds, and who may read it."""
    return Path(path).read_bytes(), Path(path).stat().st_mode & 0o777


async def read(client: Assistant, what: str, **arguments: Any) -> Reply:
    reply = await client.call("observe", what=what, **arguments)
    msgspec.convert(reply, SHAPES[what])
    return reply


async def items(client: Assistant, what: str, good: Callable[[list[Reply]], object], **arguments: Any) -> list[Reply]:
    """Read until the items are as they must be."""

    async def look() -> tuple[list[Reply]] | None:
        found: list[Reply] = (await read(client, what, **arguments))[LISTS[what]]
        return (found,) if good(found) else None

    return (await until(look, f"{what} as they must be", 8))[0]


async def texts(client: Assistant, **arguments: Any) -> list[str]:
    return [one["text"] for one in (await read(client, "logs", **arguments))["logs"]]


def hidden(text: str) -> str:
    """Write what stands for a secret without its number, which others of the session's secrets may have drawn."""
    return HANDLE.sub("⟦⟧", text)


@pytest.mark.requirement("redact-008", "redact-013", "redact-015")
async def test_a_token_that_a_page_has_named_once_is_hidden_where_it_stands_bare_later(
    live: Settings, chrome: Browser, pages: str
) -> None:
    secret, bare = "q7Rz1Lw9" + secrets.token_hex(6), "the bare one: "
    async with assistant(live) as client, page(chrome, f"{pages}capture.html?known") as tab:
        await tab.evaluate(f"console.log({{authorization: 'Bearer {secret}'}})")
        named = await items(client, "logs", lambda found: found and "authorization" in found[0]["text"])
        await tab.evaluate(f"console.log('{bare}{secret}'); document.body.dataset.shown = '{secret}'; 0")
        logs = await items(client, "logs", lambda found: found and found[0]["text"].startswith(bare))
        found = await client.call("query_dom", selector="body")
        counted = (await client.call("observe", what="redactions", all_tabs=True))["redactions"]
        elsewhere = await client.call("observe", what="redactions", all_tabs=True, url_filter="no.such.page")

    handle = logs[0]["text"].removeprefix(bare)
    assert HANDLE.fullmatch(handle)
    assert handle in named[0]["text"]
    assert elsewhere["hint"].endswith("match `url_filter`.")
    here = [one for one in counted if one["seq"] == logs[0]["seq"]]
    assert [("console", "authorization", 2, 1)] == [tuple(one[name] for name in PLACE) for one in here]
    assert handle == found["matches"][0]["attributes"]["data-shown"]


@pytest.mark.requirement("002-002", "002-037", "002-171", "001-085", "001-129")
@pytest.mark.requirement("capture-001", "capture-003", "capture-004", "capture-037", "capture-038", "capture-039")
@pytest.mark.requirement("capture-041", "capture-043", "capture-044", "capture-047", "002-006", "002-011", "002-013")
async def test_what_a_page_does_is_read_in_every_mode(live: Settings, chrome: Browser, pages: str) -> None:
    async with assistant(live) as client, page(chrome, f"{pages}capture.html?first") as tab:
        begun = time.time()
        await tab.evaluate(BUSY)
        logs = await items(client, "logs", lambda found: found and found[0]["text"] == "after the route")
        errors = await items(client, "errors", lambda found: len(found) >= 2)
        requests = await items(
            client, "network_waterfall", lambda found: any("kb" in one and one.get("type") == "fetch" for one in found)
        )
        frames = await items(client, "websocket_events", lambda found: found and found[0]["event"] == "close")
        vitals = await items(client, "vitals", lambda found: found and "LCP" in found[0])
        loads = await items(client, "performance", bool)
        timing = (await read(client, "performance"))["user_timing"]
        actions = await items(client, "actions", lambda found: len(found) >= 2)

    assert ["after the route", "planted password: ⟦⟧", 'ready {"items":[1,2]}'] == [hidden(one["text"]) for one in logs]
    assert ["log", "error", "log"] == [one["level"] for one in logs]
    assert {"error", "rejection"} == {one["kind"] for one in errors}
    assert any("ready" in near["text"] for near in errors[0]["around"])
    posted = next(one for one in requests if one["method"] == "POST")  # its load is another item if it began 50 ms late
    assert ("POST", 404, f"{pages}api/echo?status=404") == (posted["method"], posted["status"], posted["url"])
    assert posted["duration"] > 0
    assert ["close", "message", "message", "open"] == [one["event"] for one in frames]
    assert 1000 == frames[0]["code"]
    assert ['{"type":"ping","token":"⟦⟧"}'] * 2 == [hidden(one["data"]) for one in frames[1:3]]
    assert vitals[0]["LCP"]["rating"] == "good"
    assert f"{pages}capture.html?first" == loads[0]["url"]
    assert ["hero-start"] == [one["name"] for one in timing["marks"]]
    assert ["push", "navigate"] == [one["navigation"] for one in actions]
    assert abs(seen_at(logs[0]) - begun) < 10


def seen_at(item: Reply) -> float:
    return dt.datetime.fromisoformat(item["ts"]).timestamp()


@pytest.mark.requirement("capture-027")
@pytest.mark.parametrize("front", [True, False], ids=["in-front", "hidden"])
async def test_what_a_page_has_written_can_be_read_after_the_page_was_read(
    live: Settings, chrome: Browser, pages: str, *, front: bool
) -> None:
    async with assistant(live) as client, page(chrome, f"{pages}capture.html?barrier", front=front) as tab:
        number = await number_of(client, tab)
        for turn in range(20):
            await tab.evaluate(f"console.log('turn {turn}')")
            await client.call("query_dom", selector="h1", tab_id=number)

            assert f"turn {turn}" == (await texts(client, tab_id=number, limit=1))[0]


@pytest.mark.requirement("002-003", "002-007", "002-025", "002-062", "002-067", "002-068", "002-161", "002-162")
@pytest.mark.requirement("002-172", "002-063", "capture-010", "capture-040", "capture-009", "clients-005")
async def test_bodies_are_read_only_while_the_user_has_them_captured(
    live: Settings, chrome: Browser, pages: str
) -> None:
    post = """
        fetch('/api/echo', {
          method: 'POST',
          body: JSON.stringify({items: [{id: 7}]}),
          headers: {'content-type': 'application/json', Authorization: 'Bearer planted-header'},
        }).then((reply) => reply.text()).then(() => 0)
    """
    async with assistant(live) as client, page(chrome, f"{pages}capture.html?bodies") as tab:
        await tab.evaluate(post)
        await items(client, "network_waterfall", lambda found: any(one.get("method") == "POST" for one in found))
        without = await client.call("get_network_bodies")
        await switch(chrome, "#bodies")
        try:
            await tab.activate()
            await tab.evaluate(post)
            (body,) = await items(client, "network_bodies", bool)
            (found,) = (await read(client, "network_bodies", body_path="$.items[0].id"))["bodies"]
            saved = await client.call("generate", what="har")
        finally:
            await switch(chrome, "#bodies")

    assert [] == without["bodies"]
    assert "Capture Network Bodies" in without["hint"]
    assert ('{"items":[{"id":7}]}', '{"items":[{"id":7}]}') == (body["requestBody"], body["responseBody"])
    assert (200, "POST", "application/json") == (body["status"], body["method"], body["contentType"])
    assert 7 == found["value"]
    assert "planted" not in str(body)
    assert "x-request-id" in body["responseHeaders"]
    document, mode = read_file(saved["path"])
    entries = msgspec.json.decode(document)["log"]["entries"]
    bare, whole = [one for one in entries if one["request"]["method"] == "POST"]
    assert (0o600, saved["bytes"]) == (mode, len(document))
    assert (saved["requests"], saved["pages"] > 0) == (len(entries), True)
    assert "postData" not in bare["request"]
    assert ['{"items":[{"id":7}]}'] * 2 == [whole["request"]["postData"]["text"], whole["response"]["content"]["text"]]
    assert (200, "application/json") == (whole["response"]["status"], whole["response"]["content"]["mimeType"])
    assert whole["time"] == pytest.approx(sum(whole["timings"].values()))
    assert "x-request-id" in {one["name"] for one in whole["response"]["headers"]}
    assert [] == faults(msgspec.json.decode(document))
    assert b"planted" not in document


@pytest.mark.requirement("capture-002", "capture-051", "pilot-024")
async def test_while_a_page_is_tracked_nothing_of_another_is_captured(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with (
        assistant(live) as client,
        page(chrome, f"{pages}capture.html?tracked") as tracked,
        page(chrome, f"{pages}capture.html?other") as other,
    ):
        number, elsewhere = await number_of(client, tracked), await number_of(client, other)
        await switch(chrome, "#track", number)
        try:
            await other.activate()
            await other.evaluate("console.log('of another')")
            await tracked.evaluate("console.log('of the tracked')")
            await items(client, "logs", lambda found: found and found[0]["text"] == "of the tracked")
            everywhere = await texts(client, all_tabs=True, since_seq=0)
            other_only = await read(client, "logs", tab_id=elsewhere)
            asked = await client.call("get_page_info")
            await chrome.stop_service_worker()
            await tracked.evaluate("console.log('after the worker')")
            await items(client, "logs", lambda found: found and found[0]["text"] == "after the worker")
        finally:
            await switch(chrome, "#track", number)

    assert "of another" not in everywhere
    assert ([], True) == (other_only["logs"], "tracked" in other_only["hint"])
    assert asked["url"].endswith("?tracked")


@pytest.mark.requirement("capture-028", "capture-029", "capture-036")
async def test_the_death_of_the_worker_loses_no_line_and_doubles_none(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with assistant(live) as client, page(chrome, f"{pages}capture.html?deaths") as tab:
        number = await number_of(client, tab)
        talking = tab.evaluate(
            "new Promise((done) => { let n = 0; const timer = setInterval(() => { console.log(`line ${n++}`);"
            " if (n === 200) { clearInterval(timer); done(0); } }, 15); })"
        )
        task = asyncio.ensure_future(talking)
        for _ in range(3):
            await asyncio.sleep(0.7)
            await chrome.stop_service_worker()
        await task
        lines = await items(
            client,
            "logs",
            lambda found: found and found[0]["text"] == "line 199",
            tab_id=number,
            limit=1000,
            budget=40_000,
        )

    assert [f"line {n}" for n in range(199, -1, -1)] == [one["text"] for one in lines]
    assert not [one for one in lines if "count" in one]


@pytest.mark.requirement("capture-005", "capture-007", "capture-008")
async def test_a_frame_of_another_origin_is_captured_too(live: Settings, chrome: Browser, pages: str) -> None:
    foreign = pages.replace("127.0.0.1", "localhost")
    async with assistant(live) as client, page(chrome, f"{pages}capture.html?frames") as tab:
        add = "document.body.append(Object.assign(document.createElement('{}'), {{src: '{}'}})); 0"
        await tab.evaluate(add.format("iframe", f"{foreign}capture-early.html"))
        await tab.evaluate(add.format("img", "/missing.png"))
        await items(client, "errors", lambda found: any(one["kind"] == "resource" for one in found))
        found = await items(
            client, "network_waterfall", lambda rows: any("capture-early" in one["url"] for one in rows), limit=100
        )

    assert any(one["url"].endswith("/missing.png") and one.get("status") == 404 for one in found)


@pytest.mark.requirement("002-164", "capture-052", "000-114", "002-163")
async def test_no_planted_secret_is_in_any_file_of_ours(live: Settings, chrome: Browser, pages: str) -> None:
    await switch(chrome, "#bodies")
    try:
        async with assistant(live) as client, page(chrome, f"{pages}capture.html?secrets") as tab:
            await tab.evaluate(BUSY)
            await items(client, "network_bodies", bool)
            replies = [await read(client, what, budget=40_000) for what in SHAPES]
    finally:
        await switch(chrome, "#bodies")

    files = files_in(live.data_dir) | files_in(live.runtime_dir)
    assert "journal.sqlite" in files
    assert [] == [(name, word) for name, text in files.items() for word in PLANTED if word.encode() in text]
    assert [] == [word for word in PLANTED if word in str(replies)]


def files_in(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in folder.rglob("*") if one.is_file()}


async def test_clear_in_the_popup_forgets_everything(live: Settings, chrome: Browser, pages: str) -> None:
    async with assistant(live) as client, page(chrome, f"{pages}capture.html?clear") as tab:
        await tab.evaluate("console.log('to be forgotten')")
        await items(client, "logs", bool)
        await switch(chrome, "#clear")
        await tab.activate()

        await items(client, "logs", lambda found: not found)
