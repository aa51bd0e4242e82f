"""Fields of replies that few fill, each filled by a real page: a shape that only a double has would not be seen."""

import asyncio
import contextlib
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from browser.assisted import Scene, at
from browser.input import click, press, type_text
from browser.scene import page
from browser.test_capture import items
from browser.test_effects import BOUND_S, closed, effect
from browser.user import number_of, switch
from gasoline_bridge.devtools import Browser, until
from gasoline_broker.settings import Settings
from system import assistant

Reply = dict[str, Any]

MANY = """
(async () => {
  console.table([1]); console.log('x'.repeat(3000));
  for (let n = 0; n < 2; n++) console.warn('again');
  const twice = () => { throw new TypeError('twice'); };
  for (let n = 0; n < 2; n++) await new Promise((done) => { setTimeout(twice); setTimeout(done, 20); });
  performance.measure('to-here', { start: 1, end: 5 });
  const socket = new WebSocket(`ws://${location.host}/api/socket`);
  await new Promise((done) => socket.onopen = done);
  socket.close(1000, 'over');
  await new Promise((done) => socket.onclose = done);
  await fetch('/api/echo', { headers: { 'x-own': 'mine' } }).then((reply) => reply.text());
})().then(() => 0)
"""
MODES = ["logs", "errors", "network_waterfall", "vitals", "performance", "actions"]


@pytest.mark.requirement("faults-031")
@pytest.mark.parametrize("what", MODES)
async def test_a_list_of_all_tabs_names_the_tab_of_each_item(
    live: Settings, chrome: Browser, pages: str, what: str
) -> None:
    async with at(live, chrome, f"{pages}capture.html?all-{what}") as here:
        await here.tab.evaluate(MANY)
        found = await items(
            here.client, what, lambda listed: any(one.get("tab") == here.number for one in listed), all_tabs=True
        )

    assert all(one["tab"] for one in found)


@pytest.mark.requirement("faults-031")
async def test_what_repeats_has_its_count_and_what_is_large_is_cut(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}capture.html?many") as here:
        await here.tab.evaluate(MANY)
        tab = {"tab_id": here.number}
        logs = await items(here.client, "logs", lambda listed: len(listed) >= 2, **tab)
        errors = await items(here.client, "errors", lambda listed: any("count" in one for one in listed), **tab)
        small = (await here.client.call("observe", what="logs", levels=["log"], budget=600, **tab))["logs"]
        requests = await items(here.client, "network_waterfall", _echo, headers=True, **tab)
        measured = (await here.client.call("observe", what="performance", **tab))["user_timing"]["measures"]

    assert [2] == [line["count"] for line in logs if line["text"] == "again"]
    assert ["table"] == [line["method"] for line in logs if "method" in line]
    assert [(2, "twice")] == [(one["count"], one["message"]) for one in errors]
    assert errors[0]["first_ts"] < errors[0]["ts"]
    assert (True, ["text"]) == (small[0]["truncated"], small[0]["cut"])
    assert "mine" == _echo(requests)["request_headers"]["x-own"]
    assert "content-type" in _echo(requests)["response_headers"]
    assert [("to-here", 4, 1)] == [(one["name"], one["duration"], one["start"]) for one in measured]


def _echo(listed: list[Reply]) -> Reply:
    return next((one for one in listed if one["url"].endswith("/api/echo")), {})


@pytest.mark.requirement("faults-031")
async def test_what_the_user_did_has_its_place_its_key_and_its_text(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}interact.html?did") as here:
        await click(here.tab, "#more")
        await type_text(here.tab, "#name", "Ada")
        await press(here.tab, "Enter")
        done = await items(here.client, "actions", lambda listed: {"Enter", "Tab"} <= _keys(listed), tab_id=here.number)

    clicked = next(one for one in done if one.get("selector") == "#more")
    assert clicked["x"] > 0 < clicked["y"]
    assert "Load more" in clicked["text"]


def _keys(listed: list[Reply]) -> set[str]:
    return {one.get("key", "") for one in listed}


CHANGES = """
const find = (selector) => document.querySelector(selector);
document.body.insertAdjacentHTML('afterbegin', `<button id="changes">Changes</button>
  <ul id="gone"><li>a<li>b</ul><ol id="list"><li>1<li>2</ol>
  <p class="twin" data-state="off">x</p><p class="twin" data-state="off">x</p>
  <div id="from"><b>moves</b></div><div id="to"></div>`);
find('#changes').onclick = () => {
  find('#gone').remove();
  find('#list').innerHTML = '<li>1<li>2';
  find('#to').append(find('#from b'));
  for (const twin of document.querySelectorAll('.twin')) { twin.dataset.state = 'on'; twin.textContent = 'y'; }
  for (let n = 0; n < 25; n++) {
    document.body.append(Object.assign(document.createElement('i'), { className: `n${n}`, textContent: 'new' }));
  }
};
0
"""


@pytest.mark.requirement("faults-031")
async def test_every_kind_of_change_of_a_page_is_a_row(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}interact.html?changes") as here:
        await here.tab.evaluate(CHANGES)
        changed = (await here.do("click", selector="#changes", analyze=True, budget=20_000))["dom_changes"]

    assert {"added", "removed", "replaced", "moved", "attributes", "texts", "more"} <= changed.keys()
    assert (20, 5) == (len(changed["added"]), changed["more"]["added"])
    assert ("off", "on", 2) == _change(changed["attributes"], "data-state")
    assert 2 in [row["count"] for row in changed["texts"]]
    assert all(row["count"] and row["selector"] for row in changed["replaced"] + changed["moved"])


def _change(rows: list[Reply], name: str) -> tuple[Any, ...]:
    return next((row["from"], row["to"], row["count"]) for row in rows if row["attr"] == name)


REQUESTS = """
document.body.insertAdjacentHTML('beforeend', '<button id="asks">Asks</button>');
document.querySelector('#asks').onclick = () => {
  fetch('http://127.0.0.1:1/').catch(() => 0);
  fetch('/api/slow').catch(() => 0);
  fetch('/small.html?cached', { cache: 'force-cache' }).then((reply) => reply.text());
};
fetch('/small.html?cached', { cache: 'force-cache' }).then((reply) => reply.text()).then(() => 0)
"""


async def analyzed(here: Scene) -> Reply:
    await here.tab.evaluate(REQUESTS)
    return await here.do("click", selector="#asks", analyze=True, budget=20_000)


async def _asks(here: Scene) -> dict[str, Reply] | None:
    """Click, and return the requests by their address, unless the reply came before the cached one ended."""
    by_end = {row["url"].split("?")[0]: row for row in (await analyzed(here))["network"]}
    return by_end if by_end.get("/small.html", {"open": True}).get("open") is None else None


@pytest.mark.requirement("faults-031")
async def test_requests_that_failed_are_open_or_came_from_the_cache_are_marked(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}capture.html?asks") as here:
        by_end = await until(partial(_asks, here), "the cached request to have ended")

    assert by_end["http://127.0.0.1:1/"]["error"]
    assert by_end["/api/slow"]["open"] is True
    assert by_end["/small.html"].get("cached") is True


@pytest.mark.requirement("fields-001")
async def test_a_load_that_differs_from_the_one_before_names_what_it_loads(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}loads.html") as here:
        await items(here.client, "performance", bool, tab_id=here.number)
        await here.tab.evaluate("ask('/small.html?kept').then(() => 0)")
        resources = (await here.do("refresh", budget=20_000))["perf_diff"]["resources"]
        requests = await items(here.client, "network_waterfall", _blocking, tab_id=here.number, limit=100)

    added = resources["added"]
    assert ["/api/large?size=3000&length&type=text/css&load=1"] == [
        row["url"] for row in added if row.get("render_blocking")
    ]
    assert ["/small.html?kept"] == [row["url"] for row in added if row.get("cached")]
    assert [("/api/echo?resized", 2.0, 9.8)] == [tuple(row.values()) for row in resources["resized"]]
    assert resources["more"]["added"] > 0
    assert "text/css" in _blocking(requests)["url"]


def _blocking(listed: list[Reply]) -> Reply:
    return next((one for one in listed if one.get("render_blocking")), {})


@pytest.mark.requirement("fields-001")
async def test_a_page_that_is_loaded_in_the_back_was_never_shown(live: Settings, chrome: Browser, pages: str) -> None:
    shown, behind = page(chrome, f"{pages}small.html"), page(chrome, f"{pages}capture.html?back", front=False)
    async with assistant(live) as client, shown as front, behind as tab:
        await front.until("!document.hidden")  # else the tab comes to the front, as that of the test before closes
        assert await tab.evaluate("document.hidden")
        (load,) = await items(client, "performance", bool, tab_id=await number_of(client, tab))

    assert load["hidden"] is True


@pytest.mark.requirement("fields-001")
async def test_an_interaction_of_the_user_is_a_vital(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}capture.html?slow") as here:
        await here.tab.evaluate(
            "document.querySelector('#top').onclick = () =>"
            " { const until = performance.now() + 60; while (performance.now() < until); }; 0"
        )
        await click(here.tab, "#top")
        (load, *_) = await items(here.client, "vitals", lambda found: found and "INP" in found[0], tab_id=here.number)

    assert ("pointer", True) == (load["INP"]["interaction"], load["INP"]["value"] >= 50)


@pytest.mark.requirement("fields-006")
async def test_what_a_policy_only_reports_is_marked_so(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}reports.html") as here:
        await here.tab.evaluate("void (new Image().src = '/small.html')")
        (error, *_) = await items(here.client, "errors", bool, tab_id=here.number)

    assert ("csp", "img-src", True) == (error["kind"], error["directive"], error["report_only"])


MANY_PARTS = """
document.body.insertAdjacentHTML('afterbegin', `<button id="turns">Turns</button>
  <p id="long">${'word '.repeat(5000)}</p>
  ${'<form><input></form>'.repeat(51)}`);
document.querySelector('#turns').onclick = () => {
  for (let n = 0; n < 5001; n++) document.body.dataset.turn = n;
  for (let n = 0; n < 21; n++) fetch(`/api/echo?${n}`);
};
0
"""


@pytest.mark.requirement("fields-001")
async def test_what_a_page_has_too_much_of_is_counted(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}capture.html?parts") as here:
        await here.tab.evaluate(MANY_PARTS)
        info = await here.client.call("get_page_info", tab_id=here.number)
        text = await here.do("get_text", selector="#long")
        turned = await here.do("click", selector="#turns", analyze=True, budget=20_000)

    assert 51 == info["formCount"]
    assert text["truncated"] is True
    assert 1 == turned["dom_changes"]["unexamined"]
    assert {"network": 1} == turned["more"]


CAUSES = """
document.body.insertAdjacentHTML('afterbegin', '<button id="causes">Causes</button>');
document.querySelector('#causes').onclick = () => {
  fetch('http://127.0.0.1:1/').catch(() => 0);
  for (let n = 0; n < 110; n++) fetch(`/api/echo?${n}`);
  for (let n = 0; n < 31; n++) localStorage.setItem(`name-${n}`, n);
  const twice = () => { throw new TypeError('twice'); };
  for (let n = 0; n < 2; n++) { console.warn('again'); setTimeout(twice); }
  window.open('/small.html');
  const socket = new WebSocket(`ws://${location.host}/api/socket`);
  socket.onopen = () => socket.close();
  fetch('/api/held?name=causes').then(() => { for (let n = 0; n < 2001; n++) document.body.dataset.turn = n; });
};
fetch('/api/echo').then(() => 0)
"""


@pytest.mark.requirement("fields-001")
async def test_an_effect_counts_what_it_has_too_much_of(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}capture.html?causes") as here:
        await here.tab.evaluate(CAUSES)
        done = await here.do("click", selector="#causes")
        await here.tab.evaluate("fetch('/api/open?name=causes').then(() => 0)")
        ended = await closed(here, done["effect"], budget=40_000)
        await here.tab.evaluate("localStorage.clear()")

    requests = {one["url"].split("?")[0]: one for one in ended["requests"]}
    assert requests["http://127.0.0.1:1/"]["error"]
    assert 1 == requests[f"{pages}api/echo"]["seen_before"]
    assert ended["requests_omitted"] >= 12
    assert [("set", 30, 1)] == [(one["change"], len(one["names"]), one["omitted"]) for one in ended["storage"]]
    assert [2] == [one["count"] for one in ended["console"] if one["text"] == "again"]
    assert [2] == [one["count"] for one in ended["errors"] if one["message"] == "twice"]
    assert [(True, True)] == [(one["opened"], one["closed"]) for one in ended["websockets"]]
    assert [f"popup {pages}small.html"] == ended["blocked"]
    assert ended["late_dom"]["cut"] is True


@pytest.mark.requirement("fields-001")
async def test_a_file_that_comes_late_or_not_at_all_is_in_the_reply_and_the_effect(
    live: Settings, chrome: Browser, pages: str, tmp_path: Path
) -> None:
    async with contextlib.AsyncExitStack() as stack, at(live, chrome, f"{pages}downloads.html") as here:
        stack.push_async_callback(chrome.send, "Browser.setDownloadBehavior", behavior="default")
        await chrome.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
        await here.tab.evaluate(
            "document.querySelector('#attachment').href = '/api/held-attachment?name=late';"
            "document.querySelector('#data').onclick = () => save('/api/echo?status=404', 'missing.txt'); 0"
        )
        begun = await here.do("click", selector="#attachment")
        await here.tab.evaluate("fetch('/api/open?name=late').then(() => 0)")
        await until(lambda: asyncio.to_thread((tmp_path / "held.zip").exists), "the file", BOUND_S)
        (missing,) = (await here.do("click", selector="#data"))["downloads"]
        ended = await closed(here, begun["effect"])

    assert [("held.zip", "in_progress")] == [(file["name"], file["state"]) for file in begun["downloads"]]
    assert [("held.zip", 10, True)] == [(file["name"], file["bytes"], file["late"]) for file in ended["downloads"]]
    assert ("interrupted", "SERVER_BAD_CONTENT") == (missing["state"], missing["error"])


OPENS = """
document.body.insertAdjacentHTML('afterbegin', `<a id="twice" href="/small.html">Twice</a>
  <a id="leaves" href="/api/later?ms=2500&type=page" target="_blank">Leaves</a>`);
document.querySelector('#leaves').onclick = () =>
  fetch('/api/later?ms=900').then(() => { location.href = '/api/held?name=leaves'; });
0
"""


@pytest.mark.requirement("fields-001")
async def test_an_action_names_all_tabs_that_it_opens_and_a_page_that_is_still_to_come(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}capture.html?opens") as here:
        await here.tab.evaluate(OPENS)
        opened = await here.do("click", selector="#twice", count=2, modifiers="Control", trusted=True)
        left = await here.do("click", selector="#leaves", trusted=True)
        ended = await closed(here, opened["effect"])
        for number in [*opened["opened_tabs"], left["opened_tab"]]:
            await here.client.call("interact", action="close_tab", tab_id=number)

    assert 2 == len(opened["opened_tabs"])
    assert opened["opened_tabs"] == ended["opened_tabs"]
    assert opened["opened_tab"] == opened["opened_tabs"][-1]
    assert left["navigating"] is True


@pytest.mark.requirement("fields-001")
async def test_an_effect_in_a_tab_that_is_not_captured_states_that(live: Settings, chrome: Browser, pages: str) -> None:
    async with (
        at(live, chrome, f"{pages}capture.html?uncaptured") as here,
        page(chrome, f"{pages}capture.html?tracked") as tracked,
    ):
        number = await number_of(here.client, tracked)
        await switch(chrome, "#track", number)
        try:
            done = await here.do("click", selector="#top")
        finally:
            await switch(chrome, "#track", number)
        found = await effect(here, done["effect"])

    assert "not captured" in found["hint"]
