"""What `observe` lists as rows, of a real page, is what it lists as objects."""

import json
from typing import Any

import msgspec
import pytest

from browser.assisted import Scene, at
from browser.test_capture import items
from expanded_rows import expanded
from gasoline_bridge.devtools import Browser
from gasoline_broker.settings import Settings
from gasoline_workers.journal.messages import ReadActions, ReadErrors, ReadLogs, ReadWaterfall, ReadWebSockets

Reply = dict[str, Any]

BUSY = """
(async () => {
  for (let n = 0; n < 100; n++) console.log(`line ${n} of the page`, { n });
  const script = `console.error('first'); console.error('second')\n//# sourceURL=${location.origin}/own.js`;
  document.head.append(Object.assign(document.createElement('script'), { text: script }));
  for (let n = 0; n < 20; n++) await fetch(`/api/echo?n=${n}`).then((reply) => reply.text());
  for (let n = 0; n < 2; n++) {
    const socket = new WebSocket(`ws://${location.host}/api/socket`);
    await new Promise((done) => socket.onopen = done);
    for (let frame = 0; frame < 20; frame++) socket.send(`{"type":"tick","price":${frame}}`);
    await new Promise((done) => socket.onmessage = done);
  }
  console.log('ended');
})().then(() => 0)
"""
LEFT_OUT = {"ts", "start", "ttfb", "protocol", "type", "size"}


async def rows(here: Scene, what: str, **arguments: Any) -> Reply:
    text, failed = await here.client.text(
        "observe", what=what, tab_id=here.number, budget=40_000, verbose=False, **arguments
    )
    assert not failed, text
    reply: Reply = msgspec.json.decode(text)
    return reply


def size(reply: Reply, name: str) -> int:
    """Return the bytes of a reply with the digits of a new journal on a quick machine: times and numbers grow."""
    usual = {"seq": 100, "ms": 1.5}
    within = [[usual.get(key, value) for key, value in zip(reply["columns"], row, strict=False)] for row in reply[name]]
    return len(json.dumps(reply | {name: within}, separators=(",", ":")))


@pytest.mark.requirement("fast-026", "fast-027", "fast-028")
async def test_rows_say_of_a_real_page_what_the_objects_say(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}capture.html?rows") as here:
        await here.tab.evaluate(BUSY)
        await items(here.client, "logs", lambda found: found and found[0]["text"] == "ended", tab_id=here.number)
        for what, name, kind in (
            ("logs", "logs", ReadLogs),
            ("network_waterfall", "requests", ReadWaterfall),
            ("websocket_events", "events", ReadWebSockets),
        ):
            short = await rows(here, what, limit=200)
            whole = await here.client.call("observe", what=what, tab_id=here.number, budget=40_000, limit=200)
            told = expanded(kind, short[name], short)

            assert len(whole[name]) == len(told) > 20
            for row, item in zip(told, whole[name], strict=True):
                of_no_error = set() if item.get("level") == "error" else {"source", "stack"}
                wanted = {key: value for key, value in item.items() if key not in LEFT_OUT | of_no_error}
                assert wanted == {key: value for key, value in row.items() if key not in LEFT_OUT | {"ms"}}
            assert whole[name][0]["ts"] == short["first_ts"]
        lines = await rows(here, "logs", limit=100)
        requests = await rows(here, "network_waterfall", limit=20, url_filter="/api/echo")
        frames = await rows(here, "websocket_events", limit=40, direction="outgoing")
        errors = await rows(here, "logs", levels=["error"])
        opened = await rows(here, "websocket_events", limit=100)
        own = await here.client.call("get_websocket_events", tab_id=here.number, limit=40, direction="outgoing")

    sizes = [size(one, name) for one, name in ((lines, "logs"), (requests, "requests"), (frames, "events"))]
    assert [True] * 3 == [size <= most for size, most in zip(sizes, (5_500, 1_500, 3_500), strict=True)], sizes
    assert [100, 20, 40] == [len(lines["logs"]), len(requests["requests"]), len(frames["events"])]
    assert errors["origin"] == pages.rstrip("/")
    assert opened["origin"] == pages.rstrip("/").replace("http", "ws")
    assert "outgoing" == frames["same"]["direction"]
    assert "level" in errors["same"]
    assert "type" in requests["same"]
    assert ("columns" in own, "websocket") == (False, own["events"][0]["type"])


@pytest.mark.requirement("fast-026")
async def test_the_cursor_of_rows_continues_them(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}capture.html?cursor") as here:
        await here.tab.evaluate(BUSY)
        await items(here.client, "logs", lambda found: found and found[0]["text"] == "ended", tab_id=here.number)
        seen: list[int] = []
        more: dict[str, Any] = {}
        while True:
            text, _ = await here.client.text(
                "observe", what="logs", tab_id=here.number, verbose=False, budget=1_000, **more
            )
            reply = msgspec.json.decode(text)
            seen += [row[reply["columns"].index("seq")] for row in reply["logs"]]
            if "omitted" not in reply:
                break
            more = {"cursor": reply["omitted"]["cursor"]}

    assert len(seen) == len(set(seen)) > 100
    assert seen == sorted(seen, reverse=True)


FAILS = """
for (let n = 0; n < 3; n++) {
  console.log(`before ${n}`);
  setTimeout(() => { throw new TypeError(`broken ${n}`); });
}
document.body.append(Object.assign(new Image(), { src: '/none.png' }));
history.pushState({}, '', '?pushed');
document.body.click(); 0
"""


@pytest.mark.requirement("fast-039")
async def test_errors_and_actions_of_a_real_page_are_rows_that_say_what_the_objects_say(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}capture.html?failing") as here:
        await here.tab.evaluate(FAILS)
        await items(here.client, "errors", lambda found: len(found) >= 2, tab_id=here.number)
        for what, kind in (("errors", ReadErrors), ("actions", ReadActions)):
            short = await rows(here, what, limit=200)
            whole = await here.client.call("observe", what=what, tab_id=here.number, budget=40_000, limit=200)
            told = expanded(kind, short[what], short)

            assert whole[what]
            assert len(whole[what]) == len(told)
            for row, item in zip(told, whole[what], strict=True):
                around = [[one["seq"], one["type"], one["text"]] for one in item.get("around", [])]
                assert around == [[seq, type_, text] for seq, _, type_, text in row.get("around", [])]
                unsaid = {"ts", "around", *({"tag"} if what == "actions" else ())}
                assert {key: value for key, value in item.items() if key not in unsaid} == {
                    key: value for key, value in row.items() if key not in {"ms", "around"}
                }
            assert len(json.dumps(short)) < len(json.dumps(whole))
        await here.tab.evaluate("for (let n = 0; n < 2; n++) history.pushState({}, '', `?pushed=${n}`); 0")
        await items(
            here.client,
            "actions",
            lambda found: sum(one.get("navigation") == "push" for one in found) >= 3,
            tab_id=here.number,
        )
        pushed = await rows(here, "actions", limit=2)

    assert "push" == pushed["same"]["navigation"]
    assert pages.rstrip("/") == pushed["origin"]
