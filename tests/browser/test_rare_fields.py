"""Fields of replies that few fill, each filled by a real page: a shape that only a double has would not be seen."""

from typing import Any

import pytest

from browser.assisted import Scene, at
from browser.input import click, press, type_text
from browser.test_capture import items
from gasoline_bridge.devtools import Browser
from gasoline_broker.settings import Settings

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
        errors = await items(here.client, "errors", bool, **tab)
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


@pytest.mark.requirement("faults-031")
async def test_requests_that_failed_are_open_or_came_from_the_cache_are_marked(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}capture.html?asks") as here:
        network = (await analyzed(here))["network"]

    by_end = {row["url"].split("?")[0]: row for row in network}
    assert by_end["http://127.0.0.1:1/"]["error"]
    assert by_end["/api/slow"]["open"] is True
    assert by_end["/small.html"].get("cached") is True
