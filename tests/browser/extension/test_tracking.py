"""Track This Page: one page alone is captured and commanded, until the human stops it or closes the page."""

from typing import Final

import pytest

from browser.extension.conftest import Stage, logs, say, texts, until_told
from gasoline_bridge.devtools import Tab, until

BUTTON: Final = "document.querySelector('#track')"


async def popup_on(stage: Stage, number: int) -> Tab:
    """Open the popup as it would open on a tab, and wait until it shows it."""
    popup = await stage.browser.popup(f"popup/popup.html?tab={number}")
    await popup.until(f"{BUTTON} && !{BUTTON}.disabled")
    return popup


async def press(popup: Tab, selector: str = "#track") -> None:
    """Press a button."""
    await popup.evaluate(f"document.querySelector('{selector}').click()")


async def until_tracked(stage: Stage, number: int | None) -> None:
    """Wait until a tab is tracked, or none."""

    async def look() -> bool:
        return await stage.tracked() == number

    await until(look, f"{number} to be tracked")


@pytest.mark.requirement("003-072", "003-073", "003-074", "003-075")
async def test_the_button_stores_the_pages_tab_and_address_and_then_stops(stage: Stage) -> None:
    _, number = await stage.visit()
    popup = await popup_on(stage, number)
    before = await popup.evaluate(f"[{BUTTON}.textContent, getComputedStyle({BUTTON}).backgroundColor]")

    await press(popup)
    await popup.until(f"{BUTTON}.textContent === 'Stop Tracking'")
    stored = await popup.evaluate("chrome.storage.local.get()")
    after = await popup.evaluate(f"getComputedStyle({BUTTON}).backgroundColor")
    await popup.close()

    assert before == ["Track This Page", "rgb(29, 95, 209)"]
    assert after == "rgb(179, 38, 30)"
    assert stored == {"trackedTabId": number, "trackedTabUrl": f"{stage.pages}small.html"}


@pytest.mark.requirement("003-076", "003-077", "003-080", "003-083")
async def test_every_command_without_a_tab_goes_to_the_tracked_one(stage: Stage) -> None:
    _, number = await stage.visit()
    popup = await popup_on(stage, number)
    await press(popup)
    await until_tracked(stage, number)
    await popup.close()
    _, other = await stage.visit("strict.html")

    info = await stage.bridge.result("get_page_info")
    named = await stage.bridge.result("get_page_info", tab_id=other)

    assert info["url"] == f"{stage.pages}small.html"
    assert named["url"] == f"{stage.pages}strict.html"


@pytest.mark.requirement("003-078")
async def test_after_stop_tracking_commands_go_to_the_tab_in_front(stage: Stage) -> None:
    _, number = await stage.visit()
    popup = await popup_on(stage, number)
    await press(popup)
    await popup.until(f"{BUTTON}.textContent === 'Stop Tracking'")

    await press(popup)
    await popup.until(f"{BUTTON}.textContent === 'Track This Page'")
    stored = await popup.evaluate("chrome.storage.local.get()")
    await popup.close()
    await stage.visit("strict.html")

    assert stored == {}
    assert (await stage.bridge.result("get_page_info"))["url"] == f"{stage.pages}strict.html"


@pytest.mark.requirement("003-079")
async def test_closing_the_tracked_tab_stops_tracking(stage: Stage) -> None:
    tab, number = await stage.visit()
    await stage.set(trackedTabId=number, trackedTabUrl="x")
    await stage.bridge.until_stored(type="state", tracked=number)
    stage.bridge.stored.clear()

    await tab.close()

    await until_tracked(stage, None)
    assert await stage.bridge.until_stored(type="state", tracked=None)


@pytest.mark.requirement("003-079")
async def test_closing_the_tracked_tab_stops_tracking_though_the_worker_slept(stage: Stage) -> None:
    tab, number = await stage.visit()
    await stage.set(trackedTabId=number, trackedTabUrl="x")
    await stage.browser.stop_service_worker()

    await tab.close()

    await until_tracked(stage, None)


@pytest.mark.requirement("003-071")
async def test_only_the_tracked_page_is_captured(stage: Stage) -> None:
    tracked, number = await stage.visit()
    other, other_number = await stage.visit("strict.html")
    await stage.set(trackedTabId=number, trackedTabUrl="x")
    await until_told(tracked, on=True)
    await until_told(other, on=False)

    await say(other, "capture", logs("noise"))
    await say(tracked, "capture", logs("wanted"))
    events = await stage.bridge.until_stored(tab=number, type="console")
    await stage.bridge.result("get_page_info", tab_id=other_number)

    assert texts(events) == ["wanted"]
    assert stage.bridge.events(other_number) == []


@pytest.mark.requirement("003-071")
async def test_what_is_tracked_is_captured_though_every_tab_is_switched_off(stage: Stage) -> None:
    tab, number = await stage.visit()
    await stage.set(captureAllTabs=False, trackedTabId=number, trackedTabUrl="x")
    await until_told(tab, on=True)

    await say(tab, "capture", logs("wanted"))

    assert texts(await stage.bridge.until_stored(tab=number, type="console")) == ["wanted"]


@pytest.mark.requirement("003-076")
async def test_tracking_survives_the_worker(stage: Stage) -> None:
    tab, number = await stage.visit()
    other, other_number = await stage.visit("strict.html")
    await stage.set(trackedTabId=number, trackedTabUrl="x")
    await until_told(other, on=False)

    await stage.browser.stop_service_worker()
    await say(other, "capture", logs("noise"))
    await say(tab, "capture", logs("wanted"))
    await stage.bridge.until_stored(tab=number, type="console")

    assert stage.bridge.events(other_number) == []
    assert (await stage.bridge.result("get_page_info"))["url"] == f"{stage.pages}small.html"


async def test_the_popup_names_the_page_that_is_tracked_elsewhere_and_can_stop_it(stage: Stage) -> None:
    _, tracked = await stage.visit()
    _, number = await stage.visit("strict.html")
    await stage.set(trackedTabId=tracked, trackedTabUrl="x")
    popup = await popup_on(stage, number)
    named = await popup.until("document.querySelector('#elsewhere:not([hidden]) strong')?.textContent")
    label = await popup.evaluate(f"{BUTTON}.textContent")

    await press(popup, "#stop")
    await popup.until("document.querySelector('#elsewhere').hidden")
    await popup.close()

    assert (named, label) == ("Corner Shop", "Track This Page")
    assert await stage.tracked() is None


async def test_tracking_this_page_takes_over_from_another(stage: Stage) -> None:
    _, tracked = await stage.visit()
    _, number = await stage.visit("strict.html")
    await stage.set(trackedTabId=tracked, trackedTabUrl="x")
    popup = await popup_on(stage, number)

    await press(popup)
    await until_tracked(stage, number)
    await popup.until(f"{BUTTON}.textContent === 'Stop Tracking'")
    await popup.close()


async def test_a_page_that_extensions_cannot_see_cannot_be_tracked(stage: Stage) -> None:
    popup = await stage.browser.popup()  # in a tab, its own page is the one in front

    note = await popup.until("document.querySelector('#note').textContent")
    disabled = await popup.evaluate(f"{BUTTON}.disabled")
    await popup.close()

    assert disabled
    assert note == "Extensions have no access to this page: it belongs to an extension."
