"""A packed copy of the extension, as a store gives it to a user: without a token, and with an id of its own."""

import zipfile
from pathlib import Path

import pytest

import system
from browser.axe import violations
from browser.input import press
from browser.test_first_run import welcome
from gasoline_bridge import bundle, installed
from gasoline_bridge.devtools import Browser, Tab
from gasoline_broker.settings import Settings
from gasoline_demo import package
from system import assistant, gasoline

CONNECTED = "document.querySelector('#link').dataset.done === 'true'"
STATED = "document.querySelector('#link p').textContent"
FORGET = "document.querySelector('#link').dataset.done = 'unknown'"
HIDDEN = "document.querySelector('#pair')?.hidden"
COMMAND = "document.querySelector('#link code').textContent"
FAULT = "document.querySelector('#pair-fault').textContent"


def packed_copy(folder: Path) -> Path:
    """Unpack what `make package` packs; Chrome gives it the id of its path."""
    zipfile.ZipFile(package.pack(bundle.find("extension"), folder)).extractall(folder / "copy")
    return folder / "copy"


async def enter(page: Tab, text: str) -> None:
    """Paste a line into the set-up page, and press Enter."""
    await page.activate()
    await page.evaluate("document.querySelector('#code').value = '', document.querySelector('#code').focus()")
    await page.send("Input.insertText", text=text)
    await press(page, "Enter", text="\r")


async def stated_by_popup(chrome: Browser) -> tuple[str, bool]:
    """Give the popup's title, and whether it leads to the set-up page."""
    popup = await chrome.popup()
    try:
        await popup.until("document.querySelector('#link').dataset.state === 'not_paired'")
        title = await popup.evaluate("document.querySelector('#link h2').textContent")
        return title, await popup.evaluate("!document.querySelector('#set-up').hidden")
    finally:
        await popup.close()


async def title_of(live: Settings, address: str) -> str:
    """Give the title of the page that an assistant sees at an address."""
    async with assistant(live) as client:
        await client.connected()
        tabs = (await client.call("observe", what="tabs"))["tabs"]
        number = next(tab["id"] for tab in tabs if tab["url"] == address)
        return str((await client.call("get_page_info", tab_id=number))["title"])


@pytest.mark.requirement("install-017", "install-018")
async def test_a_packed_copy_is_paired_by_a_code_and_stays_so(pages: str, tmp_path: Path) -> None:
    copy = packed_copy(tmp_path)
    own = installed.extension_id(copy)
    with system.settings() as settings, system.running(settings) as live:
        async with await Browser.launch(copy) as chrome:
            page = await welcome(chrome)
            await page.until(f"{HIDDEN} === false")
            asked = await page.evaluate(COMMAND)
            popup = await stated_by_popup(chrome)
            faults = await violations(page)
            await enter(page, asked)
            await page.until(f"{FAULT} !== ''")
            code = f"gasoline-{live.port}-{installed.token(live)}"
            await enter(page, code)  # the right code, of a copy that was not let in
            await page.until(f"{FAULT} === ''")
            await page.evaluate("chrome.runtime.sendMessage({ name: 'paired' }).then(() => 0)")
            before = await page.evaluate(f"[{CONNECTED}, {STATED}.startsWith('Not paired yet')]")

            printed = gasoline(live, *asked.split()[1:])
            await enter(page, printed.stdout)
            await page.until(CONNECTED)
            hidden = await page.evaluate(HIDDEN)
            await (await chrome.new_tab(f"{pages}small.html")).activate()
            title = await title_of(live, f"{pages}small.html")
            doctor = gasoline(live, "doctor").stdout
            await page.evaluate(FORGET)
            await chrome.stop_service_worker()
            await page.until(CONNECTED)  # by what the next worker states

            gasoline(live, "extension", "unpair", own)
            await chrome.stop_service_worker()
            await page.until(f"{HIDDEN} === false")
            after = await page.evaluate(f"[{CONNECTED}, {STATED}.startsWith('Not paired yet')]")

    assert f"gasoline extension pair {own}" == asked
    assert ("Not paired yet", True) == popup
    assert [] == faults
    assert [False, True] == before
    assert code == printed.stdout.strip()
    assert hidden
    assert "Corner Shop" == title
    assert f"paired: {own}" in doctor
    assert [False, True] == after
