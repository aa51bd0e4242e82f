"""How the extension finds the bridge, keeps to it, and loses nothing on the way."""

import asyncio
import re
import time
from typing import Final

import pytest

from browser.bridge_double import BOUND_S, BridgeDouble
from browser.scene import Open
from gasoline_bridge.devtools import Browser

CLICK: Final = {"action": "click", "selector": "h1"}
"""What acts: its result is kept."""

OUTAGE_S: Final = 3.0
"""How long the server is away: longer than every step of the backing off."""


@pytest.mark.requirement("faults-001")
async def test_it_comes_with_its_origin_a_proof_and_a_greeting(bridge: BridgeDouble) -> None:
    hello = next(said for said in bridge.heard if said["type"] == "hello")

    assert bridge.requests[0]["Origin"] == bridge.origin
    assert re.fullmatch(r"gasoline\.v1, proof(\.[0-9a-f]{64}){3}", bridge.requests[0]["Sec-WebSocket-Protocol"])
    assert bridge.token not in str(bridge.requests)
    assert bridge.requests[0]["Host"] == f"127.0.0.1:{bridge.port}"
    assert hello.keys() == {"type", "version", "browser", "worker"}
    assert hello["version"] == "0.1.0"
    assert hello["browser"].startswith("Chrome/")


async def test_a_command_that_takes_its_time_is_acknowledged_before_it_is_answered(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("small.html")
    await tab.evaluate("setTimeout(() => { const until = Date.now() + 500; while (Date.now() < until); })")

    command = await bridge.command("get_page_info", {})
    await bridge.until_heard(type="result", id=command)

    assert [said["type"] for said in bridge.heard if said.get("id") == command] == ["acknowledge", "result"]


async def test_an_alive_is_answered(bridge: BridgeDouble) -> None:
    bridge.heard.clear()

    await bridge.say({"type": "alive"})

    assert await bridge.until_heard(type="alive")


@pytest.mark.parametrize("noise", ["{", "[]", '{"type":"nonsense"}', '{"type":"command"}', '{"type":"command","id":7}'])
async def test_noise_is_ignored_and_the_link_holds(bridge: BridgeDouble, noise: str) -> None:
    connections = len(bridge.requests)

    await bridge.say(noise)

    assert (await bridge.result("list_tabs"))["tabs"]
    assert len(bridge.requests) == connections


async def test_a_command_that_this_version_lacks_is_an_error(bridge: BridgeDouble) -> None:
    error = await bridge.error("teleport")

    assert (error["code"], error["details"]) == ("not_found", {"command": "teleport"})


DELETE_HANDLERS: Final = """
chrome.tabs.query({ active: true, lastFocusedWindow: true }).then(([{ id }]) => chrome.scripting.executeScript({
  target: { tabId: id },
  func: () => ['query_dom', 'perform'].forEach((name) => delete gasoline.handlers[name]),
})).then(() => 0)
"""


@pytest.mark.usefixtures("acting")
async def test_a_page_whose_commands_are_of_another_version_than_the_worker_asks_for_a_reload_of_the_extension(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    await visit("small.html")
    await bridge.result("query_dom", selector="h1")
    worker = await chromium.service_worker()
    await worker.evaluate(DELETE_HANDLERS)
    await worker.detach()

    asked = await bridge.error("query_dom", selector="h1")
    acted = await bridge.error("interact", action="click", selector="h1")

    assert [("not_found", {"command": "query_dom"}), ("not_found", {"command": "perform"})] == [
        (error["code"], error["details"]) for error in (asked, acted)
    ]
    assert all("reload the extension on chrome://extensions" in error["recovery"] for error in (asked, acted))


@pytest.mark.usefixtures("acting")
async def test_an_act_that_is_repeated_is_answered_from_memory(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    await tab.evaluate("globalThis.clicks = 0; document.querySelector('h1').onclick = () => clicks++; 0")
    command = await bridge.command("interact", CLICK)
    first = await bridge.until_heard(type="result", id=command)
    bridge.heard.clear()

    await bridge.command("interact", CLICK, id_=command)

    assert await bridge.until_heard(type="result", id=command) == first
    assert 1 == await tab.evaluate("clicks")


async def test_a_query_that_is_repeated_is_answered_anew(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    command = await bridge.command("query_dom", {"selector": "h1"})
    await bridge.until_heard(type="result", id=command)
    await tab.evaluate("document.querySelector('h1').textContent = 'changed'")
    await bridge.hang_up()
    await bridge.until_connected()
    await bridge.result("query_dom", selector="p")  # the first answer comes once more before, if its receipt was lost
    bridge.heard.clear()

    await bridge.command("query_dom", {"selector": "h1"}, id_=command)

    answer = await bridge.until_heard(type="result", id=command)
    assert "changed" == answer["result"]["matches"][0]["text"]
    assert 1 == sum(said.get("id") == command for said in bridge.heard)


async def test_a_cancelled_command_sends_no_result(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    await tab.evaluate("setTimeout(() => { const until = Date.now() + 500; while (Date.now() < until); })")
    cancelled = await bridge.command("query_dom", {"selector": "*"})
    await bridge.say({"type": "cancel", "id": cancelled})

    await bridge.result("query_dom", selector="*")

    assert [said["type"] for said in bridge.heard if said.get("id") == cancelled] == []


@pytest.mark.usefixtures("acting")
async def test_an_unacknowledged_result_is_sent_again_after_a_reconnect(visit: Open, bridge: BridgeDouble) -> None:
    await visit("small.html")
    bridge.acknowledging = False
    command = await bridge.command("interact", CLICK)
    first = await bridge.until_heard(type="result", id=command)
    bridge.heard.clear()
    bridge.acknowledging = True

    await bridge.hang_up()
    again = await bridge.until_heard(type="result", id=command)

    assert again == first
    assert bridge.heard[0]["type"] == "hello"


@pytest.mark.usefixtures("acting")
async def test_an_acknowledged_result_is_not_sent_again(visit: Open, bridge: BridgeDouble) -> None:
    await visit("small.html")
    command = await bridge.command("interact", CLICK)
    await bridge.until_heard(type="result", id=command)
    await bridge.say({"type": "alive"})
    bridge.heard.clear()

    await bridge.hang_up()
    await bridge.until_heard(type="hello")
    await bridge.result("list_tabs")

    assert [said for said in bridge.heard if said.get("id") == command] == []


async def test_a_server_that_returns_is_met_within_a_second(bridge: BridgeDouble) -> None:
    await bridge.stop()
    await asyncio.sleep(OUTAGE_S)

    await bridge.start()
    begun = time.monotonic()
    await bridge.until_connected()

    assert time.monotonic() - begun < 6  # an alarm comes every 30 s


async def test_an_outage_leaves_no_error_on_the_page_of_extensions(bridge: BridgeDouble, chromium: Browser) -> None:
    settings = await chromium.new_tab("chrome://extensions/")
    await settings.evaluate("chrome.developerPrivate.updateProfileConfiguration({ inDeveloperMode: true })")
    ours = f"{{ extensionId: {chromium.extension_id!r} }}"
    await settings.evaluate(f"chrome.developerPrivate.deleteExtensionErrors({ours})")  # of the pages of other tests
    popup = await chromium.popup()

    await bridge.stop()
    await popup.until("document.querySelector('#link')?.dataset.state === 'away'")
    await bridge.start()
    await bridge.until_connected()
    info = await settings.evaluate(f"chrome.developerPrivate.getExtensionInfo({chromium.extension_id!r})")
    await popup.close()
    await settings.close()

    assert (info["manifestErrors"], info["runtimeErrors"]) == ([], [])


async def test_a_lost_connection_is_replaced_at_once(bridge: BridgeDouble) -> None:
    bridge.heard.clear()

    begun = time.monotonic()
    await bridge.hang_up()
    await bridge.until_heard(type="hello")

    assert time.monotonic() - begun < 6  # an alarm comes every 30 s


@pytest.mark.requirement("faults-021")
async def test_while_another_browser_has_the_link_the_badge_states_it_and_the_link_is_taken_over_soon(
    bridge: BridgeDouble, chromium: Browser
) -> None:
    worker = await chromium.service_worker()
    badge = "chrome.action.getBadgeText({})"
    before = await worker.evaluate(badge)
    bridge.taken = True
    await bridge.hang_up()
    async with asyncio.timeout(BOUND_S):
        while (during := await worker.evaluate(badge)) == before:
            pass
    title = await worker.evaluate("chrome.action.getTitle({})")

    bridge.taken = False
    begun = time.monotonic()
    await bridge.until_connected()
    took_s = time.monotonic() - begun
    async with asyncio.timeout(BOUND_S):
        while await worker.evaluate(badge) != before:
            pass
    await worker.detach()

    assert ("2nd", True) == (during, "another browser is connected" in title)
    assert took_s < 6  # an alarm comes every 30 s


@pytest.mark.usefixtures("acting")
async def test_a_worker_that_was_stopped_comes_back_by_its_alarm_and_loses_no_result(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    await visit("small.html")
    bridge.acknowledging = False
    command = await bridge.command("interact", CLICK)
    first = await bridge.until_heard(type="result", id=command)
    former = (await bridge.until_heard(type="hello"))["worker"]
    worker = await chromium.service_worker()
    assert (await worker.evaluate("chrome.alarms.get('link')"))["periodInMinutes"] == 0.5
    await worker.evaluate("chrome.alarms.create('link', { when: Date.now() + 1500, periodInMinutes: 0.5 })")
    await worker.detach()

    await chromium.stop_service_worker()
    bridge.heard.clear()
    bridge.acknowledging = True
    hello = await bridge.until_heard(type="hello")
    again = await bridge.until_heard(type="result", id=command)

    assert hello["worker"] != former
    assert again == first
    assert (await bridge.result("query_dom", selector="h1"))["matchCount"] == 1


async def test_a_worker_that_was_stopped_comes_back_when_the_popup_opens(
    bridge: BridgeDouble, chromium: Browser
) -> None:
    await chromium.stop_service_worker()
    bridge.heard.clear()

    popup = await chromium.popup()

    assert await bridge.until_heard(type="hello")
    await popup.close()
