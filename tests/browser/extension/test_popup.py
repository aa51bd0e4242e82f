"""What a human reads and does in the popup."""

import json
from collections.abc import Callable

import pytest

from browser.axe import violations
from browser.bridge_double import BridgeDouble
from browser.extension.conftest import Stage, logs, say, until_told
from browser.scene import Install, pair
from gasoline_bridge.chrome.proof import Proofs
from gasoline_bridge.devtools import Browser, Tab
from gasoline_demo.site import free_port

TITLE = "document.querySelector('[role=status] h2')?.textContent"
COUNTS = (
    "Object.fromEntries([...document.querySelectorAll('#counts > div')]"
    ".map((box) => [...box.children].map((part) => part.textContent)))"
)
SWITCHES = (
    "[...document.querySelectorAll('#settings .setting')]"
    ".map((row) => [row.querySelector('label').textContent, row.querySelector('[role=switch]').checked])"
)


async def test_it_says_that_it_is_connected_and_to_what(bridge: BridgeDouble, chromium: Browser) -> None:
    popup = await chromium.popup()

    await popup.until(f"{TITLE} === 'Connected'")
    text = await popup.evaluate("document.body.innerText")
    await popup.close()

    assert "gasoline 0.1.0" in text
    assert f"127.0.0.1:{bridge.port}" in text
    assert "gasoline up" not in text


async def test_it_follows_the_link_while_it_is_open(bridge: BridgeDouble, chromium: Browser) -> None:
    popup = await chromium.popup()

    await bridge.stop()
    await popup.until(f"{TITLE} === 'Server not running'")
    away = await popup.evaluate("document.body.innerText")
    await bridge.start()
    await popup.until(f"{TITLE} === 'Connected'")
    await popup.close()

    assert "gasoline up" in away


async def test_it_says_that_something_else_answers(bridge: BridgeDouble, chromium: Browser) -> None:
    popup = await chromium.popup()

    bridge.status = 404
    await bridge.hang_up()
    await popup.until(f"{TITLE} === 'Another program answers'")
    bridge.status = 200
    await bridge.until_connected()
    await popup.close()

    assert bridge.connected


def without_our_token(bridge: BridgeDouble, patched: pytest.MonkeyPatch) -> None:
    patched.setattr(bridge, "proofs", Proofs("another", bridge.port))


def after_the_proof(bridge: BridgeDouble, patched: pytest.MonkeyPatch) -> None:
    patched.setattr(bridge.proofs, "welcome", lambda _: "ab" * 32)


@pytest.mark.parametrize(("forge", "connects"), [(without_our_token, False), (after_the_proof, True)])
@pytest.mark.requirement("faults-001", "faults-004", "faults-005")
async def test_a_program_that_does_not_prove_itself_hears_nothing_and_is_named(
    bridge: BridgeDouble,
    chromium: Browser,
    monkeypatch: pytest.MonkeyPatch,
    forge: Callable[[BridgeDouble, pytest.MonkeyPatch], None],
    *,
    connects: bool,
) -> None:
    popup = await chromium.popup()

    with monkeypatch.context() as patched:
        forge(bridge, patched)
        bridge.requests.clear()
        bridge.heard.clear()
        await bridge.hang_up()
        await popup.until(f"{TITLE} === 'Not our server'")
        text = await popup.evaluate("document.body.innerText")
        connected, heard = bool(bridge.requests), [*bridge.heard]
    await bridge.until_connected()
    await popup.close()

    assert (connects, []) == (connected, heard)
    assert f"port {bridge.port}" in text
    assert "gasoline extension install" in text


async def test_it_keeps_following_after_the_worker_was_stopped(bridge: BridgeDouble, chromium: Browser) -> None:
    popup = await chromium.popup()
    await popup.until(f"{TITLE} === 'Connected'")

    await chromium.stop_service_worker()
    await bridge.stop()
    await popup.until(f"{TITLE} === 'Server not running'")
    await bridge.start()
    await popup.until(f"{TITLE} === 'Connected'")
    await popup.close()

    assert bridge.connected


async def test_a_folder_that_was_not_installed_says_how_to_install_and_mends_itself(install: Install) -> None:
    folder = install(None, 0)
    async with await Browser.launch(folder) as browser:
        bridge = BridgeDouble("right", browser.extension_url.rstrip("/"), free_port())
        await bridge.start()
        popup = await browser.popup()
        await popup.until(f"{TITLE} === 'Not installed yet'")
        not_installed = await popup.evaluate("document.body.innerText")

        pair(folder, "wrong", bridge.port)
        await popup.send("Page.reload")  # opening the popup is one of the events that make the link try again
        await popup.until(f"{TITLE} === 'Not our server'")
        refused = await popup.evaluate("document.body.innerText")
        pair(folder, "right", bridge.port)
        await popup.until(f"{TITLE} === 'Connected'")
        await bridge.stop()

    assert "gasoline extension install" in not_installed
    assert "gasoline extension install" in refused


async def test_it_can_be_used_by_keyboard(bridge: BridgeDouble, chromium: Browser) -> None:
    popup = await chromium.popup()
    await bridge.stop()
    await popup.until(f"{TITLE} === 'Server not running'")

    for kind in ("keyDown", "keyUp"):
        await popup.send("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
    focused = await popup.evaluate("document.activeElement.textContent")
    await bridge.start()
    await bridge.until_connected()
    await popup.close()

    assert focused == "Copy"


async def opened(stage: Stage, number: int) -> Tab:
    """Open the popup on a tab, and wait until it shows everything."""
    popup = await stage.browser.popup(f"popup/popup.html?tab={number}")
    await popup.until(f"{TITLE} === 'Connected' && document.querySelector('#note').textContent")
    await popup.until("document.querySelector('#counts').children.length")
    return popup


@pytest.mark.requirement("002-061", "002-090")
async def test_its_switches_are_as_the_seed_says_at_first_and_store_what_is_switched(stage: Stage) -> None:
    tab, number = await stage.visit()
    popup = await opened(stage, number)
    before = await popup.evaluate(SWITCHES)

    await popup.evaluate("document.querySelector('#websockets').click(), document.querySelector('#bodies').click()")
    await until_told(tab, websockets=False, bodies=True)
    stored = await popup.evaluate("chrome.storage.local.get()")
    await popup.close()

    assert before == [["Capture WebSockets", True], ["Capture Network Bodies", False]]
    assert stored == {"captureWebSockets": False, "captureNetworkBodies": True}


@pytest.mark.requirement("first-run-003")
async def test_it_copies_diagnostics_without_a_word_of_a_page(stage: Stage) -> None:
    tab, number = await stage.visit()
    address = await tab.evaluate("location.href")
    popup = await opened(stage, number)
    await popup.evaluate("navigator.clipboard.writeText = async (text) => void (globalThis.copied = text)")
    await popup.evaluate("document.querySelector('#track').click()")
    await popup.until("document.querySelector('#track').textContent === 'Stop Tracking'")

    await popup.evaluate("document.querySelector('#diagnostics').click()")
    copied = await popup.until("globalThis.copied")
    label = await popup.evaluate("document.querySelector('#diagnostics').textContent")
    await popup.close()

    lines = copied.splitlines()
    assert ["link: connected", "tracked=true pilot=false"] == [lines[2][:15], lines[3][-24:]]
    assert "Chrome/" in lines[1]
    assert "Copied" == label
    assert address not in copied


@pytest.mark.requirement("capture-049")
async def test_its_counters_are_live(stage: Stage) -> None:
    tab, number = await stage.visit()
    popup = await opened(stage, number)
    await popup.evaluate("document.querySelector('#clear').click()")
    await popup.until("document.querySelector('#told').textContent === 'Cleared'")

    await say(tab, "capture", [*logs(1, 2), {"ts": 1, "type": "dropped", "of": "console", "count": 312, "why": "rate"}])
    await popup.until(f"({COUNTS}).Console === '2'")
    lost = await popup.until("document.querySelector('#dropped').textContent")
    why = await popup.evaluate("document.querySelector('#dropped').title")
    await popup.close()

    assert lost == "312 dropped"
    assert why == "Too many at once, or no room to keep them while the server was away"


@pytest.mark.requirement("capture-049")
async def test_clear_asks_the_server_says_so_and_begins_to_count_anew(stage: Stage) -> None:
    tab, number = await stage.visit()
    popup = await opened(stage, number)
    await popup.evaluate(  # pressed the moment that something was counted, which is before it is sent
        "(({ onChanged }) => onChanged.addListener(function press() {"
        " onChanged.removeListener(press); document.querySelector('#clear').click(); }))(chrome.storage.session)"
    )
    stage.bridge.heard.clear()

    await say(tab, "capture", logs(1, 2))
    await popup.until("document.querySelector('#told').textContent === 'Cleared'")
    await popup.until(f"({COUNTS}).Console === '0'")
    await popup.close()

    kinds = [said["type"] for said in stage.bridge.heard if said["type"] in ("events", "clear")]
    assert 1 == kinds.count("clear")
    assert "events" in kinds[: kinds.index("clear")]  # a busy page may tell of its load after it


async def test_clear_without_a_server_says_that_nothing_was_cleared(stage: Stage) -> None:
    tab, number = await stage.visit()
    popup = await opened(stage, number)
    await say(tab, "capture", logs(1))
    await popup.until(f"({COUNTS}).Console !== '0'")
    await stage.bridge.stop()
    await popup.until(f"{TITLE} === 'Server not running'")

    await popup.evaluate("document.querySelector('#clear').click()")
    await popup.until("document.querySelector('#told').textContent === 'Not cleared: no server'")
    counts = await popup.evaluate(COUNTS)
    await popup.close()

    assert counts["Console"] != "0"


async def test_clear_that_the_server_does_not_confirm_is_told_after_two_seconds(stage: Stage) -> None:
    _, number = await stage.visit()
    popup = await opened(stage, number)
    stage.bridge.acknowledging = False

    await popup.evaluate("document.querySelector('#clear').click()")

    await popup.until("document.querySelector('#told').textContent === 'Not cleared: no server'")
    await popup.close()


async def test_a_page_that_is_captured_from_its_beginning_needs_no_reload(stage: Stage) -> None:
    _, number = await stage.visit()
    popup = await opened(stage, number)

    note = await popup.evaluate("document.querySelector('#note').textContent")
    await popup.close()

    assert note == "Captured, as every page is."


async def test_a_page_that_is_not_captured_from_its_beginning_is_to_be_reloaded(stage: Stage) -> None:
    tab, number = await stage.visit()
    await tab.evaluate("document.documentElement.dataset.late = ''")
    popup = await opened(stage, number)
    await popup.until("!document.querySelector('#reload').hidden")
    note = await popup.evaluate("document.querySelector('#note').textContent")

    await popup.evaluate("document.querySelector('#reload').click()")
    await popup.until("document.querySelector('#note').textContent === 'Captured, as every page is.'")
    hidden = await popup.evaluate("document.querySelector('#reload').hidden")
    await popup.close()

    assert note == "Reload this page to capture its console and network."
    assert hidden


async def test_an_answer_about_the_page_that_was_there_before_does_not_bring_it_back(stage: Stage) -> None:
    tab, number = await stage.visit()
    await tab.evaluate(
        "document.querySelector('title').textContent = 'First', document.documentElement.dataset.mute = ''"
    )
    popup = await opened(stage, number)
    shown = "document.querySelector('#tab .page strong')"
    await popup.until(f"{shown}.textContent === 'First'")
    await tab.evaluate("document.querySelector('title').textContent = 'Second'")
    await popup.until(f"{shown}.textContent === 'Second'")
    await popup.evaluate(
        f"globalThis.seen = []; new MutationObserver(() => seen.push({shown}.textContent))"
        f".observe({shown}, {{childList: true}})"
    )

    await tab.evaluate("delete document.documentElement.dataset.mute; document.documentElement.dataset.late = ''")
    await tab.evaluate("document.dispatchEvent(new Event('answer'))")
    await popup.until("!document.querySelector('#reload').hidden")
    seen = await popup.evaluate("seen")
    await popup.close()

    assert set(seen) == {"Second"}


async def test_a_tracked_page_and_every_tab_switched_off_are_told_apart(stage: Stage) -> None:
    _, number = await stage.visit()
    await stage.set(captureAllTabs=False)
    popup = await opened(stage, number)
    off = await popup.evaluate("document.querySelector('#note').textContent")

    await popup.evaluate("document.querySelector('#track').click()")
    await popup.until("document.querySelector('#track').textContent === 'Stop Tracking'")
    tracked = await popup.evaluate("document.querySelector('#note').textContent")
    await popup.close()

    assert off == "Not captured unless it is tracked."
    assert tracked == "Only this page is captured, and commands go to it."


@pytest.mark.requirement("capture-050")
async def test_every_part_is_reached_by_keyboard_in_the_order_in_which_it_is_read(stage: Stage) -> None:
    _, number = await stage.visit()
    popup = await opened(stage, number)
    await popup.activate()
    visited = []
    for _ in range(8):
        for kind in ("keyDown", "keyUp"):
            await popup.send("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
        visited.append(
            await popup.evaluate("[document.activeElement.id, getComputedStyle(document.activeElement).outlineStyle]")
        )
    await popup.close()

    assert visited == [
        [name, "solid"]
        for name in ("track", "draw", "pilot-switch", "clear", "diagnostics", "options", "websockets", "bodies")
    ]


@pytest.mark.requirement("structure-024")
async def test_in_its_worst_state_it_has_the_height_that_chrome_allows_and_the_switch_in_view(stage: Stage) -> None:
    tracked_tab, tracked = await stage.visit("strict.html")
    tab, number = await stage.visit()
    for one in (tracked_tab, tab):
        await one.evaluate(f"document.title = {json.dumps('Long title ' * 40)}")
    await stage.set(trackedTabId=tracked, trackedTabUrl=f"http://{'h' * 200}.test/")
    acts = [act | {"origin": f"http://{'h' * 200}.test"} for act in ACTS]
    await stage.in_worker(f"chrome.storage.session.set({{ audit: {json.dumps(acts)} }})")
    popup = await opened(stage, number)
    await popup.evaluate(f"chrome.storage.session.set({{ counts: {json.dumps(COUNTED)} }})")
    await stage.bridge.stop()
    await popup.until(f"{TITLE} === 'Server not running'")
    for part in ("elsewhere", "acts", "dropped", "command"):
        await popup.until(f"!document.querySelector('#{part}').hidden")
    await popup.evaluate("document.querySelector('#acts').open = true")
    at_top, at_end = [
        await popup.evaluate(f"document.querySelector('main').scrollTop = {y}, {BOXES}") for y in (0, 9999)
    ]
    await popup.close()
    await stage.in_worker("chrome.storage.session.remove('audit')")

    for boxes in (at_top, at_end):
        assert boxes["body"] == [0, 600]
        for part in ("header", "main", "#pilot-switch"):
            assert 0 <= boxes[part][0] < boxes[part][1] <= 600
    assert at_top["#bodies"][1] > 600 >= at_end["#bodies"][1]


BOXES = (
    "Object.fromEntries(['body', 'header', 'main', '#pilot-switch', '#bodies']"
    ".map((part) => [part, document.querySelector(part).getBoundingClientRect()])"
    ".map(([part, { top, bottom }]) => [part, [top, bottom]]))"
)


async def test_the_list_of_acts_fits_into_the_popup_whatever_the_assistants_call_themselves(stage: Stage) -> None:
    _, tracked = await stage.visit("strict.html")
    _, number = await stage.visit()
    await stage.set(trackedTabId=tracked, trackedTabUrl="x")
    await stage.in_worker(f"chrome.storage.session.set({{ audit: {json.dumps(ACTS)} }})")
    popup = await opened(stage, number)
    await popup.until("!document.querySelector('#elsewhere').hidden && !document.querySelector('#acts').hidden")
    closed = await popup.evaluate("document.body.getBoundingClientRect().height")
    await popup.evaluate("document.querySelector('#acts').open = true")
    width, listed, room = await popup.evaluate(
        "(({ scrollWidth, clientWidth }) => [document.body.scrollWidth, scrollWidth, clientWidth])"
        "(document.querySelector('#acts ol'))"
    )
    await popup.close()
    await stage.in_worker("chrome.storage.session.remove('audit')")

    assert closed <= 600
    assert width == 360
    assert listed <= room


COUNTED = {"since": 1, "captured": {"console": 1284, "error": 3, "websocket": 15310}, "dropped": {"console": 312}}
ACTS = [
    {
        "id": str(at),
        "ts": 1_763_742_000_000,
        "client": "W" * 100,
        "client_id": "00112233",
        "action": "execute",
        "tab": 5,
        "origin": "http://shop.test:3000",
        "outcome": "done",
        "took_ms": 1,
    }
    for at in range(20)
]


@pytest.mark.requirement("capture-050")
async def test_axe_finds_nothing_wrong_in_any_state(stage: Stage) -> None:
    _, other = await stage.visit("strict.html")
    _, number = await stage.visit()
    popup = await opened(stage, number)
    found = {"connected": await violations(popup)}
    await popup.evaluate(f"chrome.storage.session.set({{ counts: {json.dumps(COUNTED)} }})")
    await popup.evaluate("document.querySelector('#track').click()")
    await popup.until("document.querySelector('#track').textContent === 'Stop Tracking'")
    found["tracking, with counters"] = await violations(popup)
    await popup.evaluate(f"chrome.storage.session.set({{ audit: {json.dumps(ACTS)} }})")
    await popup.until("!document.querySelector('#acts').hidden")
    await popup.evaluate("document.querySelector('#acts').open = true")
    found["a list of acts"] = await violations(popup)
    await stage.set(trackedTabId=other, trackedTabUrl="x")
    await popup.until("!document.querySelector('#elsewhere').hidden")
    found["tracking elsewhere"] = await violations(popup)
    await stage.bridge.stop()
    await popup.until(f"{TITLE} === 'Server not running'")
    found["away"] = await violations(popup)
    await popup.close()

    closed = await stage.browser.popup()
    await closed.until("document.querySelector('#note').textContent")
    found["a page that is closed"] = await violations(closed)
    await closed.close()

    assert found == {state: [] for state in found}
