"""The first-run page: it opens after an installation by hand, and shows each step as done once it is."""

from pathlib import Path

import pytest

import system
from browser.axe import violations
from browser.user import allow_user_scripts, number_of, pilot
from gasoline_bridge import installed
from gasoline_bridge.devtools import Browser, Tab, until
from system import assistant, gasoline

STEPS = "[...document.querySelectorAll('li[id]')]"
DONE = f"Object.fromEntries({STEPS}.map(({{ id, dataset }}) => [id, dataset.done === 'true']))"
NOTHING = dict.fromkeys(("link", "pin", "tracked", "pilot", "scripts", "asked"), False)


async def welcome(chrome: Browser) -> Tab:
    """Find the page that Chrome has opened."""

    async def opened() -> list[str] | None:
        pages = await chrome.targets("page")
        return [one["targetId"] for one in pages if one["url"].endswith("/welcome/welcome.html")] or None

    (target,) = await until(opened, "the first-run page")
    return Tab(chrome, target, await chrome.attach(target))


@pytest.mark.requirement("first-run-001", "first-run-002", "fast-040")
async def test_a_person_is_guided_by_steps_that_turn_green_as_they_are_done(pages: str) -> None:
    with system.settings() as settings:
        folder = gasoline(settings, "extension", "install").stdout.strip()
        async with await Browser.launch(Path(folder)) as chrome:
            page = await welcome(chrome)
            await page.until("document.querySelector('#link p')?.textContent.includes('Server not running')")
            first = await page.evaluate(DONE)
            command = await page.evaluate("document.querySelector('#link code').textContent")
            faults = []
            for scheme in ("light", "dark"):
                await page.send(
                    "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}]
                )
                faults += await violations(page)
            with system.running(settings) as live:
                await page.until("document.querySelector('#link').dataset.done === 'true'")
                connected = await page.evaluate(DONE)
                tab = await chrome.new_tab(f"{pages}small.html")
                async with assistant(live) as client:
                    await client.connected()
                    number = await number_of(client, tab)
                await page.evaluate(f"chrome.storage.local.set({{ trackedTabId: {number}, trackedTabUrl: 'u' }})")
                await pilot(chrome, on=True)
                before = gasoline(settings, "doctor").stdout
                await allow_user_scripts(chrome, on=True)
                await page.activate()
                await page.until("document.querySelector('#progress').textContent === '6 of 7 steps are done.'")
                last = await page.evaluate(DONE)

    assert NOTHING == first
    assert "Allow User Scripts" in before
    assert "gasoline up" == command
    assert [] == faults
    assert NOTHING | {"link": True} == connected
    assert dict.fromkeys(NOTHING, True) | {"pin": False} == last  # nothing can pin but a hand


@pytest.mark.requirement("first-run-001")
async def test_a_browser_that_a_program_has_started_shows_no_first_run_page(pages: str) -> None:
    with system.settings() as settings:
        async with await Browser.launch(installed.install(settings)) as chrome:
            tab = await chrome.new_tab(f"{pages}small.html")  # what Chrome opens by itself is there by then
            await tab.until("document.readyState === 'complete'")
            addresses = [one["url"] for one in await chrome.targets("page")]

    assert not [one for one in addresses if "welcome" in one]
