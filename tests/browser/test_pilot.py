"""AI Web Pilot from a real assistant's call to the real page: off until the human has it on, in turns, written down."""

import asyncio
import contextlib
import os
import re
import signal
import time
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from browser.scene import held, page
from browser.user import number_of, pilot, switch
from gasoline_bridge.devtools import Browser, Tab, until
from gasoline_broker.settings import Settings
from system import Assistant, assistant, gasoline

Reply = dict[str, Any]

OFF = "Enable 'AI Web Pilot' in extension popup to use this tool"
GATED: list[tuple[str, Reply]] = [
    ("configure", {"action": "lease"}),
    ("configure", {"action": "highlight", "selector": "h1"}),
    ("configure", {"action": "save_state", "snapshot_name": "a"}),
    ("configure", {"action": "load_state", "snapshot_name": "a"}),
    ("configure", {"action": "list_states"}),
    ("configure", {"action": "delete_state", "snapshot_name": "a"}),
    ("configure", {"action": "execute", "script": "1 + 1"}),
    ("highlight_element", {"selector": "h1"}),
    ("manage_state", {"action": "save", "snapshot_name": "a"}),
    ("manage_state", {"action": "load", "snapshot_name": "a"}),
    ("manage_state", {"action": "list"}),
    ("manage_state", {"action": "delete", "snapshot_name": "a"}),
    ("execute_javascript", {"script": "1 + 1"}),
    ("interact", {"action": "click", "selector": "h1"}),
    ("interact", {"action": "get_text", "selector": "h1"}),
    ("interact", {"action": "refresh"}),
]
READING: list[tuple[str, Reply]] = [
    ("query_dom", {"selector": "h1"}),
    ("get_page_info", {}),
    ("observe", {"what": "page"}),
    ("observe", {"what": "logs"}),
    ("observe", {"what": "tabs"}),
    ("configure", {"action": "release"}),
]
FRAMEWORKS = """
window.__REDUX_DEVTOOLS_EXTENSION__ = () => {};
window.store = { getState: () => ({ cart: [{ sku: 'tea-01' }] }) };
window.__NEXT_DATA__ = { props: { pageProps: { user: 'Ada' } } };
const app = Object.assign(document.createElement('div'), { id: 'app' });
app.__vue__ = { $data: Object.defineProperty({}, 'count', { enumerable: true, get: () => 3 }) };
document.body.append(app);
0
"""
SPAN = "const at = Date.now(); await new Promise((done) => setTimeout(done, 1000)); return [at, Date.now()]"
ONCE = "window.runs = (window.runs ?? 0) + 1; await new Promise((done) => setTimeout(done, 2000)); return window.runs"
BOX = "(({x, y, width, height}) => ({x, y, width, height}))(document.querySelector('h1').getBoundingClientRect())"
KEEP = (
    "localStorage.setItem('cart', 'hunter2-cart'); sessionStorage.setItem('step', '2'); document.cookie = 'seen=1'; 0"
)
LOCK = """
const begun = window.inside ?? 0;
window.inside = begun + 1;
window.most = Math.max(window.most ?? 0, window.inside);
await new Promise((done) => setTimeout(done, 150));
window.inside -= 1;
return window.most;
"""


def audit(settings: Settings) -> list[Reply]:
    """Read the audit trail as a program does, newest first."""
    shown = gasoline(settings, "audit", "--json")
    assert shown.returncode == 0, shown.stderr
    calls: list[Reply] = msgspec.json.decode(shown.stdout)
    return calls


@pytest.mark.requirement("003-013", "003-014", "003-098", "pilot-006", "pilot-002")
async def test_while_it_is_off_what_acts_is_refused_and_written_down(live: Settings, chrome: Browser) -> None:
    await pilot(chrome, on=False)
    async with assistant(live, name="ann") as client:
        errors = [await client.error(tool, **arguments) for tool, arguments in GATED]
    written = await until(lambda: _written_down(live, len(GATED)), "the trail to have every call")

    refused = [(tool, arguments, "ai_web_pilot_disabled", OFF) for tool, arguments in GATED]
    told = zip(GATED, errors, strict=True)
    assert refused == [(tool, arguments, error["code"], error["message"]) for (tool, arguments), error in told]
    assert {"ann"} == {call["client"] for call in written}


async def _written_down(settings: Settings, count: int) -> list[Reply] | None:
    """Give the newest calls once as many have been refused: a refusal does not wait for its row."""
    calls = audit(settings)[:count]
    return calls if {"ai_web_pilot_disabled"} == {call["outcome"] for call in calls} else None


@pytest.mark.requirement("pilot-025", "pilot-027")
async def test_a_tab_that_one_assistant_keeps_is_not_another_s(live: Settings, chrome: Browser, pages: str) -> None:
    await pilot(chrome, on=True)
    async with (
        assistant(live, name="ann") as ann,
        assistant(live, name="bob") as bob,
        page(chrome, f"{pages}capture.html?leased") as tab,
    ):
        number = await number_of(ann, tab)
        leased = await ann.call("configure", action="lease", ttl_s=60, tab_id=number)
        error = await bob.error("configure", action="lease", tab_id=number)
        released = await ann.call("configure", action="release", tab_id=number)
        after = await bob.call("configure", action="lease", tab_id=number)
    async with assistant(live, name="cid") as cid, page(chrome, f"{pages}capture.html?again") as tab:
        number = await number_of(cid, tab)
        calls = audit(live)

    assert {"success": True, "tab_id": number - 1, "expires_in_s": 60} | {"tab_id": leased["tab_id"]} == leased
    assert ("tab_leased", "ann") == (error["code"], error["details"]["holder"])
    assert 55 < error["details"]["expires_in_s"] <= 60
    assert {"success": True, "released": [leased["tab_id"]]} == released
    assert after["success"]
    assert [("bob", "done"), ("bob", "tab_leased"), ("ann", "done")] == [
        (call["client"], call["outcome"]) for call in calls[:3]
    ]


@pytest.mark.requirement("pilot-027")
async def test_a_session_that_ends_gives_its_tabs_back(live: Settings, chrome: Browser, pages: str) -> None:
    await pilot(chrome, on=True)
    async with assistant(live, name="bob") as bob, page(chrome, f"{pages}capture.html?left") as tab:
        number = await number_of(bob, tab)
        async with assistant(live, name="ann") as ann:
            await ann.call("configure", action="lease", ttl_s=300, tab_id=number)
        begun = time.monotonic()

        leased = await bob.call("configure", action="lease", tab_id=number)

    assert leased["success"]
    assert time.monotonic() - begun < 20  # the lease is for 300 s


async def test_the_status_states_whether_it_is_on(live: Settings, chrome: Browser) -> None:
    async with assistant(live) as client:
        for on in (True, False):
            await pilot(chrome, on=on)

            await until(lambda on=on: _is(client, on), "the status to follow the switch", 1)  # type: ignore[misc]


async def _is(client: Assistant, on: bool) -> bool:  # noqa: FBT001 - what it is compared with
    status = await client.call("observe", what="status")
    return status["extension"].get("ai_web_pilot") is on


@contextlib.asynccontextmanager
async def switched_on(live: Settings, chrome: Browser) -> AsyncIterator[Assistant]:
    """Connect an assistant called ann, with the switch on."""
    await pilot(chrome, on=True)
    async with assistant(live, name="ann") as client:
        yield client


@pytest.mark.requirement("pilot-006", "003-090", "003-092", "003-097")
async def test_while_it_is_off_every_tool_is_listed_and_reading_continues(
    live: Settings, chrome: Browser, pages: str
) -> None:
    await pilot(chrome, on=False)
    async with assistant(live) as client, page(chrome, f"{pages}capture.html?reading"):
        listed = {tool.name for tool in (await client.client.list_tools()).tools}
        answers = [await client.text(tool, **arguments) for tool, arguments in READING]

    assert {"configure", "highlight_element", "manage_state", "execute_javascript"} <= listed
    assert not [text for text, failed in answers if failed]


@pytest.mark.requirement("pilot-001", "pilot-003")
async def test_what_is_under_way_ends_when_it_is_switched_off(live: Settings, chrome: Browser, pages: str) -> None:
    async with switched_on(live, chrome) as ann, page(chrome, f"{pages}capture.html?ended") as tab:
        number = await number_of(ann, tab)
        script = "globalThis.begun = true; await new Promise((done) => setTimeout(done, 20000)); return 'late'"
        running = asyncio.create_task(ann.error("execute_javascript", script=script, timeout_ms=30_000, tab_id=number))
        await tab.until("globalThis.begun")
        begun = time.monotonic()
        await pilot(chrome, on=False)
        error = await running
        took_s = time.monotonic() - begun

    assert "ai_web_pilot_disabled" == error["code"]
    assert took_s < 15  # the script takes 20 s
    assert ("execute", "ai_web_pilot_disabled") == (audit(live)[0]["action"], audit(live)[0]["outcome"])


@pytest.mark.requirement("003-101", "003-052", "003-055", "003-044", "003-045", "003-047", "003-096", "pilot-016")
@pytest.mark.parametrize("door", ["execute_javascript", "configure"])
async def test_a_script_s_result_comes_back_by_both_doors(
    live: Settings, chrome: Browser, pages: str, door: str
) -> None:
    async with switched_on(live, chrome) as ann, page(chrome, f"{pages}capture.html?script") as tab:
        number = await number_of(ann, tab)
        more = {"action": "execute"} if door == "configure" else {}
        two = await ann.call(door, script="1 + 1", tab_id=number, **more)
        none = await ann.call(door, script="undefined", tab_id=number, **more)
        thrown = await ann.call(door, script="throw new Error('test')", tab_id=number, **more)

    assert {"success": True, "result": 2} == two
    assert {"success": True, "undefined": True} == none
    assert (False, "Error: test") == (thrown["success"], thrown["error"])
    assert "script:1:7" in thrown["stack"]


@pytest.mark.requirement("003-059", "pilot-015")
async def test_a_secret_in_a_script_s_result_is_redacted(live: Settings, chrome: Browser, pages: str) -> None:
    script = "({password: 'hunter2-result', list: [{note: 'password: hunter2-nested'}], has: localStorage.length >= 0})"
    async with switched_on(live, chrome) as ann, page(chrome, f"{pages}capture.html?secret") as tab:
        text, _ = await ann.text("execute_javascript", script=script, tab_id=await number_of(ann, tab))

    assert "hunter2" not in text
    assert '"has":true' in text


@pytest.mark.requirement("003-043", "003-056", "003-057", "003-058", "003-059")
async def test_the_state_of_frameworks_is_read(live: Settings, chrome: Browser, pages: str) -> None:
    scripts = {
        "window.__REDUX_DEVTOOLS_EXTENSION__ && store.getState()": {"cart": [{"sku": "tea-01"}]},
        "window.__NEXT_DATA__": {"props": {"pageProps": {"user": "Ada"}}},
        "document.querySelector('#app').__vue__.$data": {"count": 3},
        "localStorage.getItem('auth_token') !== null": False,
    }
    async with switched_on(live, chrome) as ann, page(chrome, f"{pages}capture.html?frameworks") as tab:
        number = await number_of(ann, tab)
        await tab.evaluate(FRAMEWORKS)
        told = {
            script: (await ann.call("execute_javascript", script=script, tab_id=number))["result"] for script in scripts
        }

    assert scripts == told


@pytest.mark.requirement("pilot-018", "pilot-033")
async def test_a_large_result_is_cut_to_the_budget_and_the_next_call_works(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with switched_on(live, chrome) as ann, page(chrome, f"{pages}capture.html?large") as tab:
        number = await number_of(ann, tab)
        text, _ = await ann.text("execute_javascript", script="'x'.repeat(50e6)", tab_id=number)
        rows = await ann.call(
            "execute_javascript", script="Array.from({length: 500}, (_, id) => ({id}))", tab_id=number
        )
        after = await ann.call("execute_javascript", script="1 + 1", tab_id=number)
        error = await ann.error("execute_javascript", script="/*" + "x" * 1_000_000 + "*/1", tab_id=number)
        last = await ann.call("execute_javascript", script="2 + 2", tab_id=number)

    assert len(text.encode()) <= 4_096
    assert '"truncated":true' in text
    assert 500 == len(rows["result"]) + rows["omitted"]["count"]
    assert (2, 4) == (after["result"], last["result"])
    assert "payload_too_large" == error["code"]


async def test_numbers_beyond_64_bits_are_returned_like_others(live: Settings, chrome: Browser, pages: str) -> None:
    script = "[1e20, -(2 ** 70), {big: 2 ** 64}, 2 ** 53, 1e300]"
    async with switched_on(live, chrome) as ann, page(chrome, f"{pages}capture.html?numbers") as tab:
        told = await ann.call("execute_javascript", script=script, tab_id=await number_of(ann, tab))

    assert [1e20, -(2.0**70), {"big": 2.0**64}, 2**53, 1e300] == told["result"]


@pytest.mark.requirement("003-102", "003-048", "pilot-020")
async def test_a_loop_is_stopped_in_its_time_and_the_tab_lives_on(live: Settings, chrome: Browser, pages: str) -> None:
    async with switched_on(live, chrome) as ann, page(chrome, f"{pages}capture.html?loop") as tab:
        number = await number_of(ann, tab)
        begun = time.monotonic()
        error = await ann.error("execute_javascript", script="while (true) {}", timeout_ms=500, tab_id=number)
        took_s = time.monotonic() - begun
        found = await ann.call("query_dom", selector="h1", tab_id=number)

    assert ("execution_timeout", 500) == (error["code"], error["details"]["timeout_ms"])
    assert took_s < 8
    assert found["matchCount"] == 1


@pytest.mark.requirement("pilot-028")
async def test_two_assistants_never_interleave_on_one_tab_and_work_in_parallel_on_two(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with (
        switched_on(live, chrome) as ann,
        assistant(live, name="bob") as bob,
        page(chrome, f"{pages}capture.html?one") as one,
        page(chrome, f"{pages}capture.html?two") as two,
    ):
        first, second = await number_of(ann, one), await number_of(ann, two)

        async def work(client: Assistant, number: int, turns: int) -> list[Reply]:
            calls = [client.text("execute_javascript", script=LOCK, tab_id=number) for _ in range(turns)]
            return [msgspec.json.decode(text) for text, _ in await asyncio.gather(*calls)]

        on_one = [
            reply for replies in await asyncio.gather(work(ann, first, 4), work(bob, first, 4)) for reply in replies
        ]
        for client in (ann, bob):  # whoever came last holds the tab for a moment
            await client.call("configure", action="release", tab_id=first)
        parallel = await asyncio.gather(
            *(
                client.call(
                    "execute_javascript",
                    script=SPAN,
                    tab_id=number,
                )
                for client, number in ((ann, first), (bob, second))
            )
        )

    done = [reply["result"] for reply in on_one if reply.get("success")]
    refused = [reply["error"]["code"] for reply in on_one if "error" in reply]
    assert {1} == {*done}
    assert len(done) >= 4
    assert {"tab_leased"} >= {*refused}
    (one_from, one_to), (two_from, two_to) = (reply["result"] for reply in parallel)
    assert max(one_from, two_from) < min(one_to, two_to)


@pytest.mark.requirement("pilot-026")
async def test_while_the_user_is_at_work_in_the_tab_what_acts_waits_for_them(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with switched_on(live, chrome) as ann, page(chrome, f"{pages}capture.html?hands") as tab:
        number = await number_of(ann, tab)
        moving = asyncio.create_task(move(tab, 6.0))
        await asyncio.sleep(0.3)
        begun = time.monotonic()
        error = await ann.error("execute_javascript", script="1 + 1", tab_id=number)
        refused_s, still_moving = time.monotonic() - begun, not moving.done()
        pointed = await ann.call("highlight_element", selector="h1", tab_id=number)  # looks are free
        await moving
        after = await ann.call("execute_javascript", script="1 + 1", tab_id=number)

    assert ("human_active", number) == (error["code"], error["details"]["tab_id"])
    assert 1.9 < refused_s
    assert still_moving
    assert pointed["success"]
    assert after["result"] == 2


@pytest.mark.requirement("pilot-026")
async def test_a_page_that_is_busy_with_what_the_user_types_does_not_hide_them(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with switched_on(live, chrome) as ann, page(chrome, f"{pages}capture.html?busy") as tab:
        number = await number_of(ann, tab)
        await tab.evaluate(f"setInterval(() => {held(1_500)}, 1600); 0")
        moving = asyncio.create_task(move(tab, 5.0))
        await asyncio.sleep(0.3)
        error = await ann.error("execute_javascript", script="1 + 1", tab_id=number)
        await moving

    assert "human_active" == error["code"]


IN_A_SHADOW = """new Promise((done) => {
  const style = 'position: fixed; inset: 0; width: 100%; height: 100%; border: 0';
  const onload = () => done(0);
  const frame = Object.assign(document.createElement('iframe'), { src: 'blank.html?inner', style, onload });
  document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'closed' }).append(frame);
})"""


@pytest.mark.requirement("pilot-026")
async def test_a_user_at_work_in_a_frame_that_no_page_counts_is_waited_for(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with switched_on(live, chrome) as ann, page(chrome, f"{pages}blank.html?shadow") as tab:
        number = await number_of(ann, tab)
        await tab.evaluate(IN_A_SHADOW)
        moving = asyncio.create_task(move(tab, 5.0))
        await asyncio.sleep(0.3)
        error = await ann.error("execute_javascript", script="1 + 1", tab_id=number)
        await moving
        counted = await tab.evaluate("window.length")

    assert ("human_active", 0) == (error["code"], counted)


@pytest.mark.requirement("pilot-026")
async def test_a_user_that_has_just_gone_to_another_page_is_still_at_work(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with switched_on(live, chrome) as ann, page(chrome, f"{pages}capture.html?gone") as tab:
        number = await number_of(ann, tab)
        await move(tab, 0.5)
        await tab.evaluate("location.search = '?come'; 0")
        await tab.until("location.search === '?come' && document.readyState !== 'loading'")
        begun = time.monotonic()
        after = await ann.call("execute_javascript", script="location.search", tab_id=number)
        waited_s = time.monotonic() - begun

    assert after["result"] == "?come"
    assert 0.5 < waited_s


async def move(tab: Tab, seconds: float) -> None:
    """Move the mouse as a user does, who does not wait for the page."""
    end = time.monotonic() + seconds
    async with asyncio.TaskGroup() as moves:
        while time.monotonic() < end:
            at = time.monotonic() * 100 % 300
            moves.create_task(tab.send("Input.dispatchMouseEvent", type="mouseMoved", x=50 + at, y=60 + at))
            await asyncio.sleep(0.1)


@pytest.mark.requirement("pilot-023")
async def test_what_acts_goes_to_the_tracked_tab_though_another_is_in_front(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with (
        switched_on(live, chrome) as ann,
        page(chrome, f"{pages}capture.html?tracked-pilot") as tracked,
        page(chrome, f"{pages}capture.html?front-pilot") as front,
    ):
        number = await number_of(ann, tracked)
        await front.activate()
        in_front = await ann.call("execute_javascript", script="location.search")
        await switch(chrome, "#track", number)
        try:
            await front.activate()
            tracked_reply = await ann.call("execute_javascript", script="location.search")
        finally:
            await switch(chrome, "#track", number)

    assert ("?front-pilot", "?tracked-pilot") == (in_front["result"], tracked_reply["result"])


@pytest.mark.requirement("003-017", "003-018", "003-019", "003-027", "003-030", "003-093", "003-099")
async def test_the_assistant_points_at_an_element_and_the_frame_goes(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with switched_on(live, chrome) as ann, page(chrome, f"{pages}capture.html?pointed") as tab:
        number = await number_of(ann, tab)
        before = await ann.call("query_dom", selector="div", tab_id=number)
        shown = await ann.call("configure", action="highlight", selector="h1", duration_ms=800, tab_id=number)
        box = await tab.evaluate(BOX)
        during = await ann.call("query_dom", selector="div", tab_id=number)
        hosts = await tab.evaluate("document.documentElement.querySelectorAll(':scope > div').length")
        await tab.until("!document.documentElement.querySelectorAll(':scope > div').length", 5)

    assert {"success": True, "selector": "h1"} == {name: shown[name] for name in ("success", "selector")}
    assert {name: round(value, 1) for name, value in box.items()} == {
        name: round(value, 1) for name, value in shown["bounds"].items()
    }
    assert (before["matchCount"], 1) == (during["matchCount"], hosts)


@pytest.mark.requirement("pilot-029", "pilot-030")
async def test_the_audit_trail_has_what_was_done_and_no_value_of_it(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with switched_on(live, chrome) as ann, page(chrome, f"{pages}capture.html?audit=hunter2-address") as tab:
        number = await number_of(ann, tab)
        await ann.call("execute_javascript", script="'hunter2-script'", tab_id=number)
        await ann.error("highlight_element", selector="#hunter2-selector", tab_id=number)
        await ann.call("configure", action="clear")
        calls = audit(live)[:2]

    assert [("highlight", "element_not_found"), ("execute", "done")] == [
        (call["action"], call["outcome"]) for call in calls
    ]
    assert not [call for call in calls if not re.fullmatch("[0-9a-f]{8}", call["client_id"])]
    assert {("ann", number, pages.rstrip("/"))} == {(call["client"], call["tab"], call["origin"]) for call in calls}
    assert "hunter2" not in str(calls)


@pytest.mark.requirement("003-031", "003-036", "003-040", "003-041", "003-042", "003-094", "003-095", "003-100")
async def test_a_state_is_saved_and_put_back_by_both_doors(live: Settings, chrome: Browser, pages: str) -> None:
    async with switched_on(live, chrome) as ann, page(chrome, f"{pages}capture.html?state") as tab:
        number = await number_of(ann, tab)
        await tab.send("Network.clearBrowserCookies")  # other tests of this browser leave some
        await tab.evaluate(f"localStorage.clear(); sessionStorage.clear(); {KEEP}")
        saved = await ann.call("manage_state", action="save", snapshot_name="cart_full", tab_id=number)
        listed = await ann.call("configure", action="list_states")
        await tab.evaluate("localStorage.clear(); sessionStorage.clear(); document.cookie = 'seen=; max-age=0'; 0")
        loaded = await ann.call("configure", action="load_state", snapshot_name="cart_full", tab_id=number)
        back = await tab.until(
            "document.readyState === 'complete' && [localStorage.cart, sessionStorage.step, document.cookie]"
        )
        deleted = await ann.call("manage_state", action="delete", snapshot_name="cart_full")
        error = await ann.error("manage_state", action="load", snapshot_name="cart_full", tab_id=number)

    assert (True, "cart_full") == (saved["success"], saved["snapshot_name"])
    (one,) = [one for one in listed["snapshots"] if one["name"] == "cart_full"]
    assert {"name", "url", "timestamp", "size_bytes"} == one.keys()
    assert saved["size_bytes"] == one["size_bytes"] > 0
    assert {"localStorage": 1, "sessionStorage": 1, "cookies": 1} == loaded["restored"]
    assert ["hunter2-cart", "2", "seen=1"] == back
    assert deleted["success"]
    assert "not_found" == error["code"]
    assert "hunter2" not in str((saved, listed, loaded))


@pytest.mark.requirement("pilot-035")
@pytest.mark.parametrize("victim", ["bridge", "worker"])
async def test_what_acts_runs_once_or_is_reported_unknown(
    live: Settings, chrome: Browser, pages: str, victim: str
) -> None:
    async with switched_on(live, chrome) as ann, page(chrome, f"{pages}capture.html?once-{victim}") as tab:
        number = await number_of(ann, tab)
        running = asyncio.create_task(ann.text("execute_javascript", script=ONCE, tab_id=number))
        await tab.until("window.runs")
        if victim == "bridge":
            os.kill((await ann.pids())["bridge"], signal.SIGKILL)
        else:
            await chrome.stop_service_worker()
            await tab.evaluate("console.log('a line that wakes the worker')")
        text, failed = await running
        await ann.connected()
        runs = await tab.until("window.runs")
        after = await ann.call("execute_javascript", script="window.runs", tab_id=number)

    assert failed
    assert "outcome_unknown" == msgspec.json.decode(text)["error"]["code"]
    assert (1, 1) == (runs, after["result"])
    assert "execute" == audit(live)[1]["action"]
