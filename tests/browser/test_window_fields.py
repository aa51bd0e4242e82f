"""The fields that every list and every act has, each filled by a real page: what was cut, lost, or not stored."""

import contextlib
import sqlite3
from collections.abc import AsyncIterator
from typing import Any

import pytest

from browser.assisted import Scene, at
from browser.test_capture import LISTS, items, read
from browser.user import switch
from gasoline_bridge.devtools import Browser, until
from gasoline_broker.settings import Settings

Reply = dict[str, Any]

BOUND_S = 30.0
SMALL, SNAPSHOT_SMALL = 400, 600  # bytes of a reply: less than an item here has, and more than its least beginning
LONG = "q" * 1_500


@pytest.fixture
async def _bodies(chrome: Browser) -> AsyncIterator[None]:
    """Have bodies captured."""
    await switch(chrome, "#bodies")
    yield
    await switch(chrome, "#bodies")


MUCH = f"""
(async () => {{
  const long = '{LONG}';
  for (let n = 0; n < 20; n++) performance.mark(`mark-${{n}}`);
  console.log(long);
  setTimeout(() => {{ throw new Error(long); }});
  const socket = new WebSocket(`ws://${{location.host}}/api/socket`);
  await new Promise((done) => socket.onopen = done);
  socket.send('close');
  await new Promise((done) => socket.onclose = done);
  const other = new WebSocket(`ws://${{location.host}}/api/socket`);
  await new Promise((done) => other.onopen = done);
  other.send(long);
  await new Promise((done) => other.onmessage = done);
  await fetch(`/api/echo?${{long}}`, {{ method: 'POST', body: long }}).then((reply) => reply.text());
}})().then(() => 0)
"""


async def cut_item(here: Scene, what: str) -> Reply:
    """Read a list until its newest item has no room, and give that; what it is cut of may be any part of its shape."""

    budget = SNAPSHOT_SMALL if what == "performance" else SMALL

    async def look() -> Reply | None:
        reply = await here.client.call("observe", what=what, tab_id=here.number, budget=budget)
        return next((item for item in reply[LISTS[what]] if isinstance(item, dict) and "cut" in item), None)

    item: Reply | None = await until(look, f"{what} to be cut", BOUND_S)
    assert item is not None
    return item


@pytest.mark.requirement("fields-003")
@pytest.mark.usefixtures("_bodies")
async def test_an_item_that_is_larger_than_the_budget_is_cut_in_every_list(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}capture.html?{LONG[:400]}") as here:
        await until(lambda: _probed(here), "bodies to be captured here")
        await here.tab.evaluate(MUCH)
        tab = {"tab_id": here.number}
        cut = {what: await cut_item(here, what) for what in LISTS}
        timing = (await here.client.call("observe", what="performance", budget=SMALL, **tab))["user_timing"]
        closed = await items(here.client, "websocket_events", _closed, **tab)
        (body, *_) = await items(here.client, "network_bodies", bool, all_tabs=True)
        (part,) = await items(here.client, "network_bodies", bool, body_path="$.items[0].id", **tab)

    assert LISTS.keys() == {what for what, item in cut.items() if item["truncated"] and item["cut"]}
    assert timing["omitted"] > 0
    assert (4001, "as asked") == (_closed(closed)["code"], _closed(closed)["reason"])
    assert here.number == body["tab"]
    assert "JSON" in part["path_error"]


async def _probed(here: Scene) -> bool:
    """Have the page ask for something, and tell whether its body was captured: a switch takes a moment."""
    await here.tab.evaluate("fetch('/small.html?probe').then((answer) => answer.text())")
    found = await read(here.client, "network_bodies", tab_id=here.number, url_filter="probe")
    return bool(found[LISTS["network_bodies"]])


def _closed(found: list[Reply]) -> Reply:
    return next((one for one in found if one["event"] == "close"), {})


FLOOD = "for (let n = 0; n < 3000; n++) console.log(n); 0"  # at once, where a tab has 1,000 events a second


async def noted(here: Scene, what: str, field: str, **arguments: Any) -> Any:
    """Read a list until its reply has this field, and give that."""

    async def look() -> Any:
        return (await read(here.client, what, tab_id=here.number, limit=1, **arguments)).get(field)

    return await until(look, f"{field} of {what}", BOUND_S)


@pytest.mark.requirement("fields-004")
@pytest.mark.usefixtures("_bodies")
async def test_every_list_names_what_is_gone_and_the_log_counts_what_was_not_captured(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}capture.html?flood") as here:
        await here.tab.evaluate(MUCH)
        await here.tab.evaluate(FLOOD)
        dropped = await noted(here, "logs", "dropped")
        await here.do("refresh")
        omitted = [await noted(here, what, "omitted") for what in ("performance", "vitals")]
        await here.client.call("configure", action="clear")
        gone = {what: await noted(here, what, "evicted_through", since_seq=1) for what in LISTS}

    assert dropped["console"] > 0
    assert all(more["count"] > 0 for more in omitted)
    assert all(seq > 1 for seq in gone.values())


ACTS: list[tuple[str, Reply]] = [
    ("highlight_element", {"selector": "h1", "duration_ms": 100}),
    ("execute_javascript", {"script": "1 + 1"}),
    ("interact", {"action": "click", "selector": "h1"}),
    ("interact", {"action": "batch", "steps": [{"action": "get_text", "selector": "h1"}]}),
    ("manage_state", {"action": "save", "snapshot_name": "unstored"}),
    ("manage_state", {"action": "list"}),
    ("manage_state", {"action": "load", "snapshot_name": "unstored", "include_url": False}),
    ("manage_state", {"action": "delete", "snapshot_name": "unstored"}),
    ("configure", {"action": "lease"}),
    ("configure", {"action": "release"}),
]


@pytest.mark.requirement("fields-005")
async def test_every_act_that_the_journal_could_not_store_is_done_and_states_that(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}capture.html?unstored") as here:
        other = sqlite3.connect(live.data_dir / "journal.sqlite", isolation_level=None)
        with contextlib.closing(other):
            other.execute("BEGIN EXCLUSIVE")
            await here.tab.evaluate("console.log('cannot be stored')")  # the first act has an event before its result
            replies = [await here.client.call(tool, tab_id=here.number, **arguments) for tool, arguments in ACTS]

        async def is_whole() -> bool:
            return not (await here.client.text("observe", what="logs"))[1]

        await until(is_whole, "the journal to be whole again", BOUND_S)

    assert ["locked" in reply["journal_unavailable"] for reply in replies] == [True] * len(ACTS)
    assert not [reply for reply in replies if "seq" in reply]
    assert all(reply.get("success", True) for reply in replies)
