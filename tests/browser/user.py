"""What the user does in a live browser beside the page: the popup's switches; of tools it knows the list of tabs."""

import asyncio
import json

from gasoline_bridge.devtools import Browser, Tab
from system import Assistant


async def switch(chrome: Browser, selector: str, number: int = 0) -> None:
    """Click in the popup as the user does."""
    popup = await chrome.popup(f"popup/popup.html?tab={number}" if number else "popup/popup.html")
    try:
        await popup.until("document.querySelector('#counts').childElementCount")
        await popup.until(f"!document.querySelector('{selector}').disabled")
        await popup.evaluate(
            "new Promise((done) => { for (const area of [chrome.storage.local, chrome.storage.session])"
            f" area.onChanged.addListener(() => done(0)); document.querySelector('{selector}').click(); }})",
            user_gesture=True,
        )
        await asyncio.sleep(0.3)  # until the worker has sent the pages what they capture now, which no event shows
    finally:
        await _shut(chrome, popup)


async def allow_user_scripts(chrome: Browser, *, on: bool) -> None:
    """Switch "Allow User Scripts" in the details of the extension, which Chrome shows in developer mode."""
    tab = await chrome.new_tab("chrome://extensions")
    try:
        await tab.until("Boolean(globalThis.chrome?.developerPrivate)")
        await tab.evaluate("chrome.developerPrivate.updateProfileConfiguration({ inDeveloperMode: true })")
        await tab.evaluate(
            "chrome.developerPrivate.updateExtensionConfiguration("
            f"{{ extensionId: '{chrome.extension_id}', userScriptsAccess: {json.dumps(on)} }})"
        )
    finally:
        await _shut(chrome, tab)


async def number_of(client: Assistant, tab: Tab) -> int:
    url = await tab.evaluate("location.href")
    tabs = (await client.call("observe", what="tabs", budget=40_000))["tabs"]
    number: int = next(one["id"] for one in tabs if one["url"] == url)
    return number


async def pilot(chrome: Browser, *, on: bool) -> None:
    """Have AI Web Pilot on or off: switch it as the user does, if it is not so."""
    if on == await _pilot_is_on(chrome):
        return
    popup = await chrome.popup()
    try:
        await popup.until("!document.querySelector('#pilot-switch').disabled")
        await popup.evaluate("document.querySelector('#pilot-switch').click()", user_gesture=True)
        await popup.evaluate("chrome.storage.sync.get('aiWebPilotEnabled').then((stored) => stored.aiWebPilotEnabled)")
    finally:
        await _shut(chrome, popup)


async def _shut(chrome: Browser, page: Tab) -> None:
    """Close a page of the browser, and wait until another tab is in front: Chrome answers before that."""
    await page.close()
    worker = await chrome.service_worker()
    front = (
        "chrome.tabs.query({ active: true })"
        ".then((tabs) => !tabs.some(({ url }) => /^chrome(-extension|:..extensions)/.test(url)))"
    )
    try:
        await worker.until(front)
    finally:
        await worker.detach()


async def _pilot_is_on(chrome: Browser) -> bool:
    worker = await chrome.service_worker()
    try:
        stored = await worker.evaluate("chrome.storage.sync.get('aiWebPilotEnabled')")
    finally:
        await worker.detach()
    return bool(stored.get("aiWebPilotEnabled"))
