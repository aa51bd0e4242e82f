"""What a human can set on the options page."""

import pytest

from browser.axe import violations
from browser.extension.conftest import Stage
from gasoline_bridge.devtools import Tab

PAGE = "options/options.html"
CHROMES_PAGE = (
    "chrome.tabs.query({})"
    ".then((tabs) => tabs.filter((tab) => `${tab.url} ${tab.pendingUrl}`.includes('chrome://extensions/shortcuts')))"
)
STATES = "[...document.querySelectorAll('[role=switch]')].map((input) => [input.dataset.setting, input.checked])"


async def press(tab: Tab, key: str, code: int, text: str = "") -> None:
    """Press a key."""
    for kind in ("keyDown", "keyUp"):
        await tab.send("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, text=text)


async def shown(stage: Stage) -> Tab:
    """Open the page, and wait until it shows the settings."""
    page = await stage.browser.popup(PAGE)
    await page.until("document.querySelector('#all-tabs')?.checked === true")
    return page


@pytest.mark.requirement("002-061", "002-090")
async def test_it_shows_the_settings_as_they_are_at_first(stage: Stage) -> None:
    page = await shown(stage)

    states = await page.evaluate(STATES)
    await page.close()

    on, off = ["captureAllTabs", "captureWebSockets"], ["captureNetworkBodies", "hidePersonalData"]
    assert states == [[name, name in on] for name in (*on, *off)]


async def test_each_switch_is_stored_at_once(stage: Stage) -> None:
    page = await shown(stage)

    await page.evaluate("for (const input of document.querySelectorAll('[role=switch]')) input.click()")
    stored = await page.evaluate("chrome.storage.local.get()")
    await page.close()

    assert stored == {
        "captureAllTabs": False, "captureWebSockets": False, "captureNetworkBodies": True, "hidePersonalData": True,
    }  # fmt: skip


async def test_it_follows_what_is_set_elsewhere(stage: Stage) -> None:
    page = await shown(stage)

    await stage.set(captureNetworkBodies=True)

    await page.until("document.querySelector('#bodies').checked")
    await page.close()


async def test_it_can_be_used_by_keyboard_and_shows_where_one_is(stage: Stage) -> None:
    page = await shown(stage)
    await page.activate()
    visited = []
    for _ in range(5):
        await press(page, "Tab", 9)
        visited.append(
            await page.evaluate("[document.activeElement.id, getComputedStyle(document.activeElement).outlineStyle]")
        )

    await press(page, " ", 32, " ")
    await page.until("document.querySelector('#bodies').checked")
    await page.close()

    assert visited == [[name, "solid"] for name in ("all-tabs", "denied", "allowed", "websockets", "bodies")]


@pytest.mark.requirement("install-016")
async def test_it_shows_the_keys_and_leads_to_where_chrome_changes_them(stage: Stage) -> None:
    page = await shown(stage)
    await page.until("document.querySelector('#shortcuts dd')?.textContent")

    keys = await page.evaluate("[...document.querySelectorAll('#shortcuts > *')].map((one) => one.textContent)")
    await page.evaluate("document.querySelector('#change-keys').click()")
    await page.until(f"{CHROMES_PAGE}.then((tabs) => tabs.length)")
    await page.evaluate(f"{CHROMES_PAGE}.then((tabs) => chrome.tabs.remove(tabs.map(({{ id }}) => id)))")
    await page.close()

    assert keys == ["Draw on this page for the assistant", "Alt+Shift+D"]


async def test_axe_finds_nothing_wrong(stage: Stage) -> None:
    page = await shown(stage)

    found = await violations(page)
    await page.close()

    assert found == []


async def test_the_popup_leads_to_it(stage: Stage) -> None:
    popup = await stage.browser.popup()
    await popup.until("document.querySelector('#note').textContent")

    await popup.evaluate("document.querySelector('#options').click()")
    await popup.until("chrome.tabs.query({}).then((tabs) => tabs.some(({ url }) => url.endsWith('options.html')))")
    await popup.evaluate(
        "chrome.tabs.query({ url: location.origin + '/options/*' })"
        ".then((tabs) => chrome.tabs.remove(tabs.map(({ id }) => id)))"
    )
    await popup.close()
