"""Which tab a command reaches, and what it reports of tabs that it cannot reach."""

import asyncio
from typing import Any

import pytest

from browser.bridge_double import BridgeDouble
from browser.scene import Open, held
from gasoline_bridge.devtools import Browser, Tab, until
from gasoline_broker.error_codes import CODES


async def tab_id(bridge: BridgeDouble, url: str) -> int | None:
    """Find the newest tab that shows an address."""
    tabs = (await bridge.result("list_tabs"))["tabs"]
    return max((tab["id"] for tab in tabs if tab["url"] == url), default=None)


async def in_worker(chromium: Browser, expression: str) -> Any:
    """Evaluate in the service worker, as the popup's click would."""
    worker = await chromium.service_worker()
    try:
        return await worker.evaluate(expression)
    finally:
        await worker.detach()


async def hang(tab: Tab) -> None:
    """Have the page never answer again; when this returns, it has begun."""
    await tab.send("Debugger.enable")
    async with tab.expect("Debugger.paused"):
        await tab.evaluate(f"void setTimeout(() => {{ debugger; {held(60_000)}; }})")
    await tab.send("Debugger.resume")


async def test_every_tab_is_listed(visit: Open, bridge: BridgeDouble, pages: str) -> None:
    await visit("strict.html")
    await visit("small.html")

    listed = {tab["url"]: tab for tab in (await bridge.result("list_tabs"))["tabs"]}

    front, other = listed[pages + "small.html"], listed[pages + "strict.html"]
    assert front == {
        "id": front["id"],
        "windowId": other["windowId"],
        "url": pages + "small.html",
        "title": "Corner Shop",
        "active": True,
        "focused": True,
        "tracked": False,
        "discarded": False,
    }
    assert (other["active"], other["focused"]) == (False, False)


@pytest.mark.requirement("002-165", "003-081")
async def test_a_command_without_a_tab_reaches_the_tab_in_front(visit: Open, bridge: BridgeDouble, pages: str) -> None:
    strict = await visit("strict.html")
    await visit("small.html")
    before = await bridge.result("get_page_info")

    await strict.activate()

    assert before["url"] == pages + "small.html"
    assert (await bridge.result("get_page_info"))["url"] == pages + "strict.html"


async def test_a_command_with_a_tab_reaches_it_wherever_it_is(visit: Open, bridge: BridgeDouble, pages: str) -> None:
    await visit("strict.html")
    await visit("small.html")

    hidden = await tab_id(bridge, pages + "strict.html")

    assert (await bridge.result("get_page_info", tab_id=hidden))["url"] == pages + "strict.html"


async def test_a_tracked_tab_is_preferred_until_it_is_closed(
    visit: Open, bridge: BridgeDouble, chromium: Browser, pages: str
) -> None:
    tracked = await visit("strict.html")
    number = await tab_id(bridge, pages + "strict.html")
    await in_worker(chromium, f"chrome.storage.local.set({{ trackedTabId: {number}, trackedTabUrl: 'x' }})")
    await visit("small.html")
    before = await bridge.result("get_page_info")
    listed = [tab["id"] for tab in (await bridge.result("list_tabs"))["tabs"] if tab["tracked"]]

    await tracked.close()
    await in_worker(
        chromium,
        "new Promise((done) => {"
        "  const look = async () => (await chrome.storage.local.get('trackedTabId')).trackedTabId ?? done();"
        "  chrome.storage.onChanged.addListener(look); look(); })",
    )

    assert before["url"] == pages + "strict.html"
    assert listed == [number]
    assert (await bridge.result("get_page_info"))["url"] == pages + "small.html"


async def test_a_tab_that_is_not_there_is_named_with_what_to_do(bridge: BridgeDouble) -> None:
    error = await bridge.error("query_dom", selector="a", tab_id=999_999)

    assert (error["code"], error["details"]) == ("tab_not_found", {"tab_id": 999_999})
    assert "999999" in error["message"]
    assert "recovery" not in error  # the front adds the table's
    assert 'observe(what:"tabs")' in CODES["tab_not_found"].recovery


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("chrome://version/", "browser_page"),
        ("about:blank", "no_address"),
        ("data:text/html,hello", "no_address"),
        ("http://127.0.0.1:1/", "error_page"),
        ("view-source:{pages}small.html", "view_source"),
        ("{pages}empty.pdf", "pdf_viewer"),
    ],
)
async def test_a_tab_closed_to_extensions_is_named_with_the_reason(
    bridge: BridgeDouble, chromium: Browser, pages: str, url: str, reason: str
) -> None:
    address = url.format(pages=pages)
    tab = await chromium.new_tab(address)

    number = await until(lambda: tab_id(bridge, address), f"{address} in the list of tabs")
    error = await bridge.error("query_dom", selector="a", tab_id=number)
    await tab.close()

    assert error["code"] == "tab_not_scriptable"
    assert (error["details"]["reason"], error["details"]["url"]) == (reason, address)
    assert error["recovery"]


async def test_a_page_of_the_extension_itself_is_closed_too(bridge: BridgeDouble, chromium: Browser) -> None:
    popup = await chromium.popup()

    error = await bridge.error("get_page_info")
    await popup.close()

    assert (error["code"], error["details"]["reason"]) == ("tab_not_scriptable", "extension_page")


async def test_a_crashed_tab_is_an_error_and_no_wait(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    async with tab.expect("Inspector.targetCrashed"):
        await tab.send("Inspector.enable")
        crash = asyncio.create_task(tab.send("Page.crash"))
    crash.cancel()

    error = await bridge.error("query_dom", selector="h1")

    assert (error["code"], error["details"]["reason"]) == ("tab_not_scriptable", "not_loaded")


async def test_a_tab_that_closes_before_it_answers_is_reported_as_closed(
    visit: Open, bridge: BridgeDouble, pages: str
) -> None:
    tab = await visit("small.html")
    number = await tab_id(bridge, pages + "small.html")
    await hang(tab)
    command = await bridge.command("query_dom", {"selector": "h1", "tab_id": number})
    await bridge.until_heard(type="acknowledge", id=command)

    await tab.close()
    answer = await bridge.until_heard(type="result", id=command)

    assert (answer["error"]["code"], answer["error"]["details"]) == ("tab_not_found", {"tab_id": number})
    assert "closed" in answer["error"]["message"]


async def test_a_page_that_navigates_before_it_answers_is_asked_again(
    visit: Open, bridge: BridgeDouble, pages: str
) -> None:
    tab = await visit("small.html")
    await hang(tab)
    command = await bridge.command("get_page_info", {})
    await bridge.until_heard(type="acknowledge", id=command)
    elsewhere = pages.replace("127.0.0.1", "localhost") + "strict.html"  # another site: another process

    await tab.send("Page.navigate", url=elsewhere)
    answer = await bridge.until_heard(type="result", id=command)

    assert answer["result"]["url"] == elsewhere


async def test_a_page_that_does_not_answer_in_time_is_an_error_in_time(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    await hang(tab)

    answer = await bridge.ask("query_dom", {"selector": "h1"}, timeout_ms=300)

    assert (answer["error"]["code"], answer["error"]["details"]) == ("deadline_exceeded", {"timeout_ms": 300})


async def test_a_page_that_was_open_before_the_extension_came_is_answered_for(
    visit: Open, bridge: BridgeDouble, chromium: Browser, pages: str
) -> None:
    await visit("small.html")
    number = await tab_id(bridge, pages + "small.html")
    settings = await chromium.new_tab("chrome://extensions/")
    await settings.evaluate("chrome.developerPrivate.updateProfileConfiguration({ inDeveloperMode: true })")
    bridge.heard.clear()

    await settings.evaluate(f"chrome.developerPrivate.reload({chromium.extension_id!r}, {{ failQuietly: true }})")
    await bridge.until_heard(type="hello")
    answer = await bridge.result("query_dom", selector="h1", tab_id=number)
    await settings.close()

    assert answer["matchCount"] == 1


async def test_content_scripts_that_are_injected_again_change_nothing(
    visit: Open, bridge: BridgeDouble, chromium: Browser, pages: str
) -> None:
    await visit("small.html")
    number = await tab_id(bridge, pages + "small.html")
    before = await bridge.result("query_dom", selector="*")

    injected = await in_worker(
        chromium,
        f"chrome.scripting.executeScript({{ target: {{ tabId: {number} }}, "
        "files: chrome.runtime.getManifest().content_scripts[0].js }).then((frames) => frames.length)",
    )

    assert injected == 1
    assert await bridge.result("query_dom", selector="*") == before


async def test_a_window_that_is_no_browser_window_is_passed_over(
    visit: Open, bridge: BridgeDouble, chromium: Browser, pages: str
) -> None:
    await visit("small.html")
    window = await in_worker(
        chromium, f"chrome.windows.create({{ type: 'popup', url: '{pages}strict.html' }}).then(({{ id }}) => id)"
    )

    answer = await bridge.result("get_page_info")
    await in_worker(chromium, f"chrome.windows.remove({window})")

    assert answer["url"] == pages + "small.html"


async def test_a_tab_in_the_background_answers_as_fast_as_one_in_front(
    visit: Open, bridge: BridgeDouble, pages: str
) -> None:
    await visit("large.html")
    await visit("small.html")
    hidden = await tab_id(bridge, pages + "large.html")

    answer = await bridge.ask("query_dom", {"selector": "td", "tab_id": hidden}, timeout_ms=900)

    assert answer["result"]["matchCount"] == 2997
