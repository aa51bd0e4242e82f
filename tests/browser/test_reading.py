"""What an assistant reads of a real page is complete, and an empty list states why it is empty."""

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from browser.assisted import Scene, at
from browser.user import switch
from gasoline_bridge.devtools import Browser, until
from gasoline_bridge.front.reply_schemas import OBSERVED
from gasoline_broker.settings import Settings
from gasoline_workers.journal.messages import MODES
from gasoline_workers.redaction.seed_words import WORDS
from shapes import SHAPES

Reply = dict[str, Any]
Item = dict[str, Any]

FILL = """
(async () => {
  for (let n = 0; n < 4; n++) {
    console.log(`line ${n}`);
    setTimeout(() => { throw new Error(`broken ${'abcd'[n]}`); });
    history.pushState({}, '', `?route=${n}`);
    await fetch(`/api/echo?n=${n}`).then((reply) => reply.text());
  }
  const socket = new WebSocket(`ws://${location.host}/api/socket`);
  await new Promise((done) => socket.onopen = done);
  for (let n = 0; n < 4; n++) socket.send(`message ${n}`);
  socket.close();
})().then(() => 0)
"""


async def read(here: Scene, what: str, **arguments: Any) -> Reply:
    """Observe the tab, and hold the reply to its documented shape."""
    reply = await here.client.call("observe", what=what, **({"tab_id": here.number} | arguments))
    msgspec.convert(reply, SHAPES.get(what) or OBSERVED[what])
    return reply


async def requests(here: Scene, enough: Callable[[list[Item]], object], **arguments: Any) -> list[Item]:
    """Read the requests until there are enough."""

    async def look() -> list[Item] | None:
        found: list[Item] = (await read(here, "network_waterfall", **arguments))["requests"]
        return found if enough(found) else None

    found = await until(look, f"requests by {arguments}")
    assert found is not None
    return found


def failures(rows: list[Item]) -> list[Item]:
    """Give those that failed, but for the icon that the browser asks for by itself."""
    return [one for one in rows if one.get("failed") and one["type"] != "other"]


@pytest.mark.requirement("applications-032")
@pytest.mark.parametrize(
    "script",
    [
        "globalThis.going = fetch('/api/stream?name={0}'); 0",
        "globalThis.going = new XMLHttpRequest(); going.open('GET', '/api/stream?name={0}'); going.send(); 0",
    ],
    ids=["fetch", "xhr"],
)
async def test_a_request_of_a_script_is_open_until_it_is_answered(
    live: Settings, chrome: Browser, pages: str, script: str
) -> None:
    name = f"held-{'xhr' if 'XML' in script else 'fetch'}"
    held = {"url_filter": "api/held"}
    async with at(live, chrome, f"{pages}small.html?{name}") as here:
        await here.tab.evaluate(script.replace("stream", "held").format(name))
        (first,) = await requests(here, bool, **held)
        (second,) = await requests(here, lambda found: found[0]["age_ms"] > first["age_ms"], **held)
        await here.tab.evaluate(f"fetch('/api/open?name={name}')")
        (ended,) = await requests(here, lambda found: "open" not in found[0], **held)

    assert (True, "GET", name.split("-")[1]) == (first["open"], first["method"], first["type"])
    assert first["seq"] == second["seq"]
    assert (200, False) == (ended["status"], "failed" in ended)


@pytest.mark.requirement("applications-032")
async def test_what_was_open_as_its_page_was_left_has_failed(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}small.html?leaves") as here:
        await here.tab.evaluate("fetch('/api/held?name=left').catch(() => 0); 0")
        await requests(here, bool, url_filter="name=left")
        await here.tab.navigate(f"{pages}small.html?came")
        (left,) = await requests(here, lambda found: "open" not in found[0], url_filter="name=left")
        current = await requests(here, bool, load="current")

    assert (0, True, True) == (left["status"], left["failed"], "page was left" in left["error"])
    assert [f"{pages}small.html?came"] == [one["url"] for one in current]


@pytest.mark.requirement("applications-032", "applications-033")
async def test_an_image_that_hangs_and_one_that_fails_are_listed_after_the_action(
    live: Settings, chrome: Browser, pages: str
) -> None:
    asks = """
    const button = document.createElement('button');
    button.id = 'asks';
    button.textContent = 'Ask';
    button.onclick = () => {
      for (const url of ['/api/held?name=image', '/none.png', 'http://127.0.0.1:1/refused.png']) {
        button.parentNode.append(Object.assign(new Image(), { src: url }));
      }
      fetch('http://127.0.0.1:1/refused').catch(() => 0);
      fetch('/favicon.ico').catch(() => 0);
    };
    document.querySelector('main').prepend(button);
    """
    async with at(live, chrome, f"{pages}small.html?images") as here:
        await here.tab.evaluate(f"{asks}; 0")
        reply = await here.do("click", selector="#asks")
        found = await requests(
            here, lambda rows: len(rows) >= 5 and len(failures(rows)) == 4, load="current", kinds=["static", "api"]
        )
        failed = failures(await requests(here, bool, load="current", status_min=400))

    by_url = {one["url"].removeprefix(pages): one for one in found}
    assert (4, True) == (len(failed), 1 <= reply["failed_requests"] <= 4)  # a busy page may end some after the reply
    assert reply["open_requests"]
    assert (True, "image") == (by_url["api/held?name=image"]["open"], by_url["api/held?name=image"]["type"])
    assert (404, True) == (by_url["none.png"]["status"], by_url["none.png"]["failed"])
    for name in ("refused", "refused.png"):
        one = by_url[f"http://127.0.0.1:1/{name}"]
        assert ("net::ERR_UNSAFE_PORT", 0, True) == (one["error"], one["status"], one["failed"])


@pytest.mark.requirement("applications-034")
async def test_the_document_is_among_the_requests_of_its_kind_and_load(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}frames.html?document#place") as here:
        await here.tab.evaluate("fetch('/api/echo?mine').then((reply) => reply.text()).then(() => 0)")
        await here.tab.evaluate(
            "new Promise((done) => { Object.assign(new Image(), {src: '/x.png', onerror: done}); })"
        )
        await requests(here, lambda rows: any("x.png" in one["url"] for one in rows))
        documents = await requests(here, bool, load="current", kinds=["document"])
        api = await requests(here, bool, load="current", kinds=["api"])
        await here.tab.navigate(f"{pages}api/echo?status=404&type=text/html")
        (missing,) = await requests(
            here, lambda rows: "status=404" in rows[0]["url"] if rows else False, load="current", kinds=["document"]
        )

    assert f"{pages}frames.html?document" in [one["url"] for one in documents]
    assert {"navigation", "iframe"} == {one["type"] for one in documents}
    (document,) = [one for one in documents if one["type"] == "navigation"]
    assert (200, "GET", True, 0) == (
        document["status"],
        document["method"],
        document["duration"] > 0,
        document["start"],
    )
    assert [f"{pages}api/echo?mine"] == [one["url"] for one in api]
    assert (404, True) == (missing["status"], missing["failed"])


@pytest.mark.requirement("applications-031")
async def test_an_empty_list_states_the_setting_the_tab_or_the_request_that_explains_it(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}small.html?empty") as here:
        await here.tab.evaluate("fetch('/api/held?name=empty').catch(() => 0); 0")
        await requests(here, bool, url_filter="name=empty")
        off = await read(here, "network_bodies", url_filter="name=empty")
        filtered = await read(here, "network_waterfall", url_filter="name=none", method="PUT")
        read_there = [(await read(here, what, tab_id=987_654), mode.items) for what, mode in MODES.items()]
        missing = [reply for reply, items in read_there if not reply[items]]  # what is of no tab may be in one or two
        await switch(chrome, "#bodies")
        try:
            still = await here.client.call("get_network_bodies", url_filter="name=empty", tab_id=here.number)
        finally:
            await switch(chrome, "#bodies")
        settings = await chrome.new_tab("chrome://version/")
        async with at(live, chrome, "about:blank"):
            tabs = (await here.client.call("observe", what="tabs", budget=40_000))["tabs"]
        (version,) = [one["id"] for one in tabs if one["url"].startswith("chrome://version")]
        closed = await read(here, "logs", tab_id=version)
        await settings.close()

    assert "Capture Network Bodies" in off["hint"]
    assert len(MODES) - 2 <= len(missing)
    assert ["No open tab has the id 987654"] == [*{one["hint"].split(";")[0] for one in missing}]
    assert "here match `method`, `url_filter`." in filtered["hint"]
    assert "1 still open" in still["hint"]
    assert "no access to chrome://version/" in closed["hint"]


@pytest.mark.requirement("applications-035", "applications-037")
async def test_the_cursor_of_a_list_is_taken_by_the_same_mode_alone(
    live: Settings, chrome: Browser, pages: str
) -> None:
    await switch(chrome, "#bodies")
    try:
        async with at(live, chrome, f"{pages}small.html?cursors") as here:
            await here.tab.evaluate(FILL)
            for what in ("logs", "errors", "network_waterfall", "network_bodies", "websocket_events", "actions"):
                await _read_on_by_its_cursor(here, what)
    finally:
        await switch(chrome, "#bodies")


async def _read_on_by_its_cursor(here: Scene, what: str) -> None:
    async def enough() -> Reply | None:
        reply = await read(here, what, limit=2)
        return reply if reply.get("omitted", {}).get("count", 0) >= 2 else None

    first = await until(enough, f"two pages of {what}")
    assert first is not None
    second = await here.client.call("observe", what=what, cursor=first["omitted"]["cursor"])
    items = MODES[what].items

    assert 2 == len(first[items]), what
    assert second[items], what
    assert first[items][-1]["seq"] > second[items][0]["seq"], what
    assert what != "logs" or ["small.html" in first["page"], "small.html" in second["page"]] == [True, True]


@pytest.mark.requirement("applications-035", "applications-036")
async def test_the_cursor_of_what_is_now_and_of_an_effect_is_taken_alone(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}effects.html?limited") as here:
        reply = await here.do("click", selector="#chain")

        async def over() -> Reply | None:
            found = await read(here, "effects", id=reply["effect"], limit=1)
            return None if found.get("open") else found

        first = await until(over, "the effect to end", 12.0)
        assert first is not None
        second = await here.client.call("observe", what="effects", cursor=first["omitted"]["cursor"])
        tabs = await here.client.call("observe", what="tabs", budget=256)
        more_tabs = await here.client.call("observe", what="tabs", cursor=tabs["omitted"]["cursor"])
        dom = await here.client.call("query_dom", selector="*", budget=600, tab_id=here.number)
        more_dom = await here.client.call("query_dom", cursor=dom["omitted"]["cursor"])

    assert (1, 1) == (len(first["requests"]), len(second["requests"]))
    assert first["requests"] != second["requests"]
    assert more_tabs["tabs"]
    assert more_dom["matches"]


BACKUP = """
const cells = WORDS.map((word, n) => `<div><span>${n + 1}</span><span class=word>${word}</span></div>`);
document.body.innerHTML = `<h1>Backup</h1><ol>${WORDS.map((word) => `<li>${word}</li>`).join('')}</ol>` +
  `<div id=grid>${cells.join('')}</div>`;
console.log('saved ' + WORDS.join(' '));
0
"""
"""As a wallet shows the words of its recovery phrase, each in an element of its own."""


@pytest.mark.requirement("redact-010")
async def test_a_recovery_phrase_that_a_page_shows_word_by_word_is_in_no_reply(
    live: Settings, chrome: Browser, pages: str
) -> None:
    listed = WORDS.read_text().split()
    words = [listed[place * 797 % len(listed)] for place in range(20, 32)]
    script = "[...document.querySelectorAll('.word')].map((one) => one.textContent)"
    async with at(live, chrome, f"{pages}blank.html?backup") as here:
        await here.tab.evaluate(BACKUP.replace("WORDS", json.dumps(words)))
        replies = [
            await here.client.call(tool, tab_id=here.number, **arguments)
            for tool, arguments in (
                ("observe", {"what": "outline"}),
                ("query_dom", {"selector": "li"}),
                ("query_dom", {"selector": "#grid", "include_children": True}),
                ("interact", {"action": "get_text", "selector": "body"}),
                ("execute_javascript", {"script": script}),
                ("observe", {"what": "logs"}),
            )
        ]

    assert [[]] * 6 == [[word for word in words if word in str(reply)] for reply in replies]
    assert any("Backup" in line for line in replies[0]["lines"])
    assert ["[REDACTED]"] * 12 == [match["text"] for match in replies[1]["matches"]]
