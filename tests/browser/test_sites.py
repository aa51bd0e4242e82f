"""What a user keeps Gasoline out of: an excluded site is neither captured nor read nor acted on."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import system
from browser.assisted import Scene, at
from browser.axe import violations
from browser.drawing import DRAWING, annotate, around
from browser.input import press
from browser.scene import page
from browser.user import number_of
from gasoline_bridge.devtools import Browser, Session, Tab, until
from gasoline_broker.settings import Settings

Reply = dict[str, Any]
RED = (255, 0, 0)

WRITE = """
document.querySelector({list!r}).value = {text!r};
document.querySelector({list!r}).dispatchEvent(new Event('input', {{ bubbles: true }}));
"""
SAVED = "document.querySelector('#sites-state').textContent.startsWith('Saved')"
BUSY = """
(async () => {{
  console.log('{word} line');
  Promise.reject(new Error('{word} error'));
  const socket = new WebSocket(`ws://${{location.host}}/api/socket?{word}`);
  await new Promise((done) => socket.onopen = done);
  socket.close();
  await fetch('/api/echo?{word}').then((reply) => reply.text());
}})().then(() => 0)
"""
FRAME = """
new Promise((done) => {{
  const frame = document.createElement('iframe');
  frame.style.cssText = 'position: fixed; left: 440px; top: 140px; width: 200px; height: 100px; border: 0';
  frame.id = 'embedded';
  frame.onload = () => done(0);
  frame.src = {url!r};
  document.querySelector('main').append(frame);
}})
"""
DRAWN_RED = (
    "document.body.style.background = document.documentElement.style.background = '#f00', document.body.innerHTML = ''"
)
TRAITS = "[console.log.toString(), document.documentElement.outerHTML.length]"
IN_FORCE = "chrome.storage.local.get(['deniedSites', 'allowedSites'])"
READS: list[tuple[str, Reply]] = [
    ("query_dom", {"selector": "h1"}),
    ("get_page_info", {}),
    ("execute_javascript", {"script": "return document.title"}),
    ("run_accessibility_audit", {}),
    ("observe", {"what": "outline"}),
    ("observe", {"what": "screenshot"}),
    ("analyze", {"action": "security", "scope": "storage"}),
    ("interact", {"action": "click", "selector": "a"}),
    ("interact", {"action": "refresh"}),
    ("interact", {"action": "draw_mode_start"}),
    ("interact", {"action": "list_interactive"}),
    ("manage_state", {"action": "save", "snapshot_name": "kept"}),
]


async def save(chrome: Browser, *, denied: str = "", allowed: str = "") -> None:
    """Write both lists in the settings and save them, as the user does."""
    options = await chrome.popup("options/options.html")
    try:
        await options.until("document.querySelector('#all-tabs')?.checked === true")
        await options.evaluate(WRITE.format(list="#denied", text=denied) + WRITE.format(list="#allowed", text=allowed))
        await options.evaluate("document.querySelector('#save').click()", user_gesture=True)
        await options.until(SAVED)
    finally:
        await options.close()


@asynccontextmanager
async def excluded(live: Settings, chrome: Browser, **lists: str) -> AsyncIterator[None]:
    """Have sites excluded for a time, and wait until the system knows how many."""
    await save(chrome, **lists)
    try:
        yield
    finally:
        await save(chrome)
        async with system.assistant(live) as client:

            async def none() -> bool:
                extension = (await client.call("observe", what="status"))["extension"]
                return not {"denied_sites", "allowed_sites"} & extension.keys()

            await until(none, "the lists to be empty again")


async def lines(here: Scene, word: str) -> list[str]:
    """Wait for a line of the console that ends so, and give all that was captured since, in every tab."""

    async def seen() -> list[str] | None:
        logs = (await here.client.call("observe", what="logs", all_tabs=True, budget=40_000))["logs"]
        texts = [str(one) for one in logs]
        return texts if any(word in one for one in texts) else None

    return await until(seen, f"the line {word}")


async def everything(here: Scene) -> str:
    """Give all that an assistant can read of what was captured."""
    asked = ("logs", "errors", "network_waterfall", "websocket_events", "actions", "vitals", "tabs", "redactions")
    return " ".join([(await here.client.text("observe", what=what, budget=40_000, **scope(what)))[0] for what in asked])


def scope(what: str) -> Reply:
    return {} if what in ("tabs", "redactions") else {"all_tabs": True}


@pytest.mark.requirement("sites-002", "sites-003", "sites-006", "sites-010")
async def test_a_denied_site_is_not_captured_at_once_in_tabs_and_frames_and_is_again_without_a_reload(
    live: Settings, chrome: Browser, pages: str
) -> None:
    bank = pages.replace("127.0.0.1", "localhost")
    async with page(chrome, f"{bank}small.html?account") as denied, at(live, chrome, f"{pages}small.html?open") as here:
        await here.tab.evaluate(FRAME.format(url=f"{bank}small.html?embedded"))
        await denied.evaluate(BUSY.format(word="before"))
        await lines(here, "before line")
        traits = await denied.evaluate(TRAITS)

        async with excluded(live, chrome, denied="localhost"):
            await denied.evaluate(BUSY.format(word="withheld"))
            await denied.evaluate("document.querySelector('a').focus(), window.scrollTo(0, 300)")
            async with page(chrome, f"{bank}small.html?fresh", front=False) as fresh:
                await fresh.evaluate(BUSY.format(word="withheld"))
                marked = await in_worker(chrome, IS_EXCLUDED)
            await in_frame(here.tab, BUSY.format(word="withheld"))
            await here.tab.evaluate(BUSY.format(word="allowed"))
            await lines(here, "allowed line")
            known = await everything(here)
            after = await denied.evaluate(TRAITS)

        await denied.evaluate("console.log('again line')")
        await lines(here, "again line")

    assert marked
    assert "allowed line" in known
    assert "allowed error" in known
    assert "withheld" not in known
    assert traits == after


@pytest.mark.requirement("sites-006", "sites-007", "sites-008", "sites-009", "sites-010")
async def test_a_denied_site_is_neither_read_nor_acted_on_and_what_leads_there_reports_its_host_alone(
    live: Settings, chrome: Browser, pages: str
) -> None:
    bank = pages.replace("127.0.0.1", "localhost")
    host = bank.removeprefix("http://").rstrip("/")
    async with page(chrome, f"{bank}small.html?account") as denied, at(live, chrome, f"{pages}small.html?open") as here:
        number = await number_of(here.client, denied)
        await here.tab.evaluate(FRAME.format(url=f"{bank}small.html?embedded"))
        await in_frame(here.tab, DRAWN_RED)
        before = await here.client.call("observe", what="screenshot", tab_id=here.number)
        async with excluded(live, chrome, denied="localhost"):
            refused = {f"{tool} {more}": await here.client.error(tool, tab_id=number, **more) for tool, more in READS}
            refused["navigate"] = await here.fail("navigate", url=f"{bank}small.html")
            refused["new_tab"] = await here.client.error("interact", action="new_tab", url=f"{bank}small.html")
            refused["frame"] = await here.fail("get_text", selector="h1", frame="#embedded")
            outline = (await here.client.text("observe", what="outline", tab_id=here.number))[0]
            picture = await here.client.call("observe", what="screenshot", tab_id=here.number)
            listed = (await here.client.call("observe", what="tabs", budget=40_000))["tabs"]
            empty = await here.client.call("observe", what="errors", tab_id=number, text="none such")
            status = (await here.client.call("observe", what="status"))["extension"]
            popup = await popup_of(chrome, number)
            doctor = system.gasoline(live, "doctor").stdout
            led = await click_to(here, f"{bank}small.html?account=secret")

    tabs = {tab["id"]: tab for tab in listed}
    assert {"site_excluded"} == {error["code"] for error in refused.values()}, refused
    assert all(host in error["message"] for error in refused.values())
    assert all("settings" in error["recovery"] for error in refused.values())
    assert "the frame does not answer" in outline
    assert RED in colours(before["path"])
    assert RED not in colours(picture["path"])
    assert (True, bank, "") == (tabs[number]["excluded"], tabs[number]["url"], tabs[number]["title"])
    assert "excluded" not in tabs[here.number]
    assert "keeps Gasoline out" in str(empty)
    assert 1 == status["denied_sites"]
    assert (f"You keep Gasoline out of {host}: nothing is captured or done here.", True) == popup
    assert "sites it stays out of: 1" in doctor
    assert "localhost" not in doctor
    assert (True, bank) == (led["navigated"], led["url"])
    assert "secret" not in str(led)


@pytest.mark.requirement("sites-011")
async def test_a_draw_mode_that_is_open_when_its_site_is_excluded_ends_with_nothing(
    live: Settings, chrome: Browser, pages: str
) -> None:
    bank = pages.replace("127.0.0.1", "localhost")
    async with at(live, chrome, f"{bank}small.html?account") as here:
        begun = await here.do("draw_mode_start")
        await here.tab.until(DRAWING)
        await annotate(here.tab, await around(here.tab, "document.querySelector('h1')"), "secret remark")
        async with excluded(live, chrome, denied="localhost"):
            await here.tab.until(f"!({DRAWING})")
            ended = await here.client.call("analyze", action="annotations", wait=True, tab_id=here.number)
        again = await here.do("draw_mode_start")
        await here.tab.activate()
        await press(here.tab, "Escape")

    assert "pending" == begun["status"] == again["status"]
    assert "secret" not in str(ended)
    assert 0 == ended["count"]
    assert begun["correlation_id"] != again["correlation_id"]
    assert 0 == again["annotation_count"]


def colours(path: str) -> set[Any]:
    return {colour for _, colour in Image.open(Path(path)).convert("RGB").getcolors(1 << 20) or []}


async def popup_of(chrome: Browser, number: int) -> tuple[str, bool]:
    """Give what the popup states of a tab, and whether nothing can be begun there."""
    popup = await chrome.popup(f"popup/popup.html?tab={number}")
    try:
        await popup.until("document.querySelector('#note').textContent.includes('keep Gasoline out')")
        words = await popup.evaluate("document.querySelector('#note').textContent")
        disabled = "[...document.querySelectorAll('#track, #draw')].every((button) => button.disabled)"
        return words, bool(await popup.evaluate(disabled))
    finally:
        await popup.close()


IS_EXCLUDED = """
chrome.tabs.query({ url: '*://localhost/*' }).then(async (tabs) => {
  const target = { tabId: tabs.find(({ url }) => url.endsWith('fresh')).id };
  const [{ result }] = await chrome.scripting.executeScript({ target, func: () => globalThis.gasoline.excluded });
  return result;
})
"""


async def in_worker(chrome: Browser, expression: str) -> Any:
    worker = await chrome.service_worker()
    try:
        return await worker.evaluate(expression)
    finally:
        await worker.detach()


async def in_frame(tab: Tab, *expressions: str) -> None:
    """Run scripts in the embedded frame, as its own page would."""
    target = next(one for one in await tab.browser.targets("iframe") if "embedded" in one["url"])["targetId"]
    session = Session(tab.browser, target, await tab.browser.attach(target))
    for expression in expressions:
        await session.evaluate(expression)
    await session.detach()


async def click_to(here: Scene, url: str) -> Reply:
    """Click on a link that leads there."""
    await here.tab.evaluate(f"document.querySelector('.cart').href = {url!r}")
    return await here.do("click", selector=".cart")


@pytest.mark.requirement("sites-001", "sites-004")
async def test_only_allowed_sites_are_captured_and_damaged_lists_close_all(
    live: Settings, chrome: Browser, pages: str
) -> None:
    port = pages.rstrip("/").rpartition(":")[2]
    other = pages.replace("127.0.0.1", "localhost")
    async with page(chrome, f"{other}small.html?other") as beside, at(live, chrome, f"{pages}small.html?only") as here:
        number = await number_of(here.client, beside)
        async with excluded(live, chrome, allowed=f"127.0.0.1:{port}"):
            beside_refused = await here.client.error("get_page_info", tab_id=number)
            title = (await here.client.call("get_page_info", tab_id=here.number))["title"]
            status = (await here.client.call("observe", what="status"))["extension"]
            await in_worker(chrome, "chrome.storage.local.set({ allowedSites: 'damaged' }).then(() => 0)")
            damaged = await here.client.error("get_page_info", tab_id=here.number)

    assert ["site_excluded"] * 2 == [beside_refused["code"], damaged["code"]]
    assert "Corner Shop" == title
    assert 1 == status["allowed_sites"]


@pytest.mark.requirement("sites-005")
async def test_a_line_that_is_no_site_is_named_and_nothing_is_stored(chrome: Browser) -> None:
    options = await chrome.popup("options/options.html")
    await options.until("document.querySelector('#all-tabs')?.checked === true")
    await options.evaluate(WRITE.format(list="#denied", text="shop.test\nhttps://bank.example/login"))

    await options.evaluate("document.querySelector('#save').click()", user_gesture=True)
    await options.until("document.querySelector('#denied-faults').textContent")
    words = await options.evaluate("document.querySelector('#denied-faults').textContent")
    state = await options.evaluate("document.querySelector('#sites-state').textContent")
    stored = await options.evaluate(IN_FORCE)
    found = await violations(options)
    await options.close()

    assert 'Line 2: "https://bank.example/login" is an address: write only its host, "bank.example".' == words
    assert "Not saved: correct the lines above first." == state
    assert [] == stored.get("deniedSites", [])
    assert [] == found


HOLD = """
const { attach, detach } = chrome.debugger;
const held = globalThis.heldAttach = { let: Promise.withResolvers(), attached: false, detached: 0 };
held.restore = () => Object.assign(chrome.debugger, { attach, detach });
chrome.debugger.attach = async (...target) => {
  await attach.apply(chrome.debugger, target);
  held.attached = true;
  await held.let.promise;
};
chrome.debugger.detach = (...target) => {
  held.detached += 1;
  return detach.apply(chrome.debugger, target);
};
0
"""


@pytest.mark.requirement("sites-003")
async def test_a_site_that_is_excluded_while_the_debugger_is_attached_is_let_go_of(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages.replace('127.0.0.1', 'localhost')}small.html?late") as here:
        worker = await chrome.service_worker()
        await worker.evaluate(HOLD)
        try:
            refused = asyncio.create_task(
                here.client.error("execute_javascript", script="document.title = 'run'", tab_id=here.number)
            )
            await worker.until("heldAttach.attached")
            async with excluded(live, chrome, denied="localhost"):
                await worker.evaluate("heldAttach.let.resolve(), 0")
                error = await refused
                await worker.until("heldAttach.detached === 1")
        finally:
            await worker.evaluate("heldAttach.let.resolve(), heldAttach.restore(), 0")
            await worker.detach()
        title = await here.tab.evaluate("document.title")

    assert "site_excluded" == error["code"]
    assert "run" != title
