"""Between the scripts of a turn the debugger stays attached: what the user does there meanwhile is as if it did not."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest

from browser.bridge_double import BridgeDouble
from browser.extension.conftest import switch_pilot
from browser.extension.test_dialogs import attached, number_of
from browser.scene import Open
from gasoline_bridge.devtools import Browser, Session, Tab, until

pytestmark = pytest.mark.usefixtures("acting", "fresh_tab")

STAYS_S = 8.0

COUNTED = """(() => {
  const { sendCommand, attach } = chrome.debugger;
  globalThis.asked = [];
  chrome.debugger.attach = (...given) => (asked.push('attach'), attach.apply(chrome.debugger, given));
  chrome.debugger.sendCommand = (...given) => (asked.push(given[1]), sendCommand.apply(chrome.debugger, given));
  globalThis.uncount = () => Object.assign(chrome.debugger, { attach, sendCommand });
})()"""


@contextlib.asynccontextmanager
async def counted(chromium: Browser) -> AsyncIterator[Session]:
    """Count in the worker what is asked of the debugger."""
    worker = await chromium.service_worker()
    await worker.evaluate(COUNTED)
    try:
        yield worker
    finally:
        await worker.evaluate("uncount()")
        await worker.detach()


async def ran(bridge: BridgeDouble, script: str) -> dict[str, Any]:
    answer: dict[str, Any] = await bridge.result("execute", script=script)
    assert answer["success"], answer
    return answer


async def stays(chromium: Browser, number: int) -> bool:
    return number in await attached(chromium)


async def staying(visit: Open, bridge: BridgeDouble, name: str = "dialogs.html") -> tuple[Tab, int]:
    """Have a page after a script."""
    tab = await visit(f"{name}?turn")
    number = await number_of(bridge, "turn")
    await ran(bridge, "1")
    return tab, number


@pytest.mark.requirement("fast-016")
async def test_what_attaching_costs_is_paid_once_a_turn(visit: Open, bridge: BridgeDouble, chromium: Browser) -> None:
    tab = await visit("small.html")
    await tab.evaluate("for (let line = 0; line < 5_000; line++) console.debug(line); 0")

    async with counted(chromium) as worker:
        for script in ("1", "({ a: 1 })", "await 2", "while (false) {}"):
            await ran(bridge, script)
        asked = await worker.evaluate("asked")

    once = ["attach", "Page.enable", "Runtime.enable", "Debugger.enable"]
    assert [(name, 1) for name in once] == [(name, asked.count(name)) for name in once]


@pytest.mark.requirement("fast-017")
async def test_it_is_let_go_some_seconds_after_the_last_script(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    _, number = await staying(visit, bridge)
    during = await stays(chromium, number)

    async def gone() -> bool:
        return not await stays(chromium, number)

    assert during
    assert await until(gone, "the tab to be let go", STAYS_S + 5)


@pytest.mark.requirement("fast-017")
async def test_switched_off_no_tab_stays_attached(visit: Open, bridge: BridgeDouble, chromium: Browser) -> None:
    _, number = await staying(visit, bridge)
    await switch_pilot(chromium, on=False)

    async def gone() -> bool:
        return not await stays(chromium, number)

    assert await until(gone, "the tab to be let go", STAYS_S / 2)


@pytest.mark.requirement("fast-017")
async def test_switched_off_no_tab_stays_attached_in_which_a_script_waits(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    await visit("dialogs.html?turn")
    number = await number_of(bridge, "turn")
    waiting = asyncio.create_task(bridge.error("execute", script="await new Promise(() => {})", timeout_ms=9_000))

    async def come() -> bool:
        return await stays(chromium, number)

    async def gone() -> bool:
        return not await stays(chromium, number)

    assert await until(come, "the script to run")
    await switch_pilot(chromium, on=False)
    assert "ai_web_pilot_disabled" == (await waiting)["code"]
    assert await until(gone, "the tab to be let go", 3)


@pytest.mark.requirement("fast-018")
@pytest.mark.parametrize("way", ["refresh", "script", "user"])
async def test_no_page_is_loaded_while_attached_for_scripts(
    visit: Open, bridge: BridgeDouble, chromium: Browser, way: str
) -> None:
    tab, number = await staying(visit, bridge, "small.html")
    match way:
        case "refresh":
            await bridge.result("interact", action="refresh")
        case "script":
            await ran(bridge, "setTimeout(() => location.reload(), 20); 1")
            await tab.until("performance.getEntriesByType('navigation')[0].type === 'reload'")
        case _:
            await tab.send("Page.reload")
            await tab.until("performance.getEntriesByType('navigation')[0].type === 'reload'")

    assert not await stays(chromium, number)


@pytest.mark.requirement("fast-019")
@pytest.mark.usefixtures("fresh_tab")  # what opens within 5 s of an act in its tab is taken for the act's
async def test_a_dialog_of_the_users_own_is_not_touched(visit: Open, bridge: BridgeDouble, chromium: Browser) -> None:
    tab, number = await staying(visit, bridge)
    await tab.evaluate("setTimeout(() => said.push(confirm('Mine?')), 50); 0")

    async def refused() -> bool:
        answer = await bridge.ask("query_dom", {"selector": "#plain"})
        return "error" in answer and answer["error"]["details"].get("answerable") is False

    await until(refused, "the dialog to be the user's")
    stayed = await stays(chromium, number)
    await asyncio.sleep(STAYS_S + 1)  # also after the debugger has gone
    still = await refused()
    await tab.send("Page.handleJavaScriptDialog", accept=True)
    await tab.until("said.length")

    assert (stayed, still, [True]) == (True, True, await tab.evaluate("said"))
    assert 3 == (await ran(bridge, "3"))["result"]


@pytest.mark.requirement("fast-019")
async def test_dialogs_in_a_loop_are_the_users_and_a_call_states_them(visit: Open, bridge: BridgeDouble) -> None:
    tab, _ = await staying(visit, bridge)
    await tab.evaluate("globalThis.left = 5; setInterval(() => { if (left-- > 0) said.push(confirm(left)) }, 5); 0")

    answered = stated = 0
    while answered + stated < 5:
        await until(lambda: _answered(tab), "the next dialog")
        answered += 1
        answer = await bridge.ask("execute", {"script": "1"})
        assert answer.get("error", {}).get("code") in {"dialog_open", "execution_timeout", None}
        told = answer.get("result", {}), answer.get("error", {}).get("details", {})
        stated += sum(len(one.get("dialogs", ())) for one in told)  # it opened as the script ran, and counts as its own
    await tab.until("said.length === 5")

    said = await tab.evaluate("said")
    assert (answered, stated) == (said.count(True), said.count(False))


async def _answered(tab: Tab) -> bool:
    try:
        await tab.send("Page.handleJavaScriptDialog", accept=True)
    except Exception:  # noqa: BLE001 - the driver's error for a page that shows none
        return False
    return True


@pytest.mark.requirement("fast-020")
async def test_a_breakpoint_of_developer_tools_that_were_opened_meanwhile_holds_the_page_and_no_script(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    tab, number = await staying(visit, bridge)
    await tab.send("Debugger.enable")
    async with tab.expect("Debugger.paused") as paused:
        await tab.send("Runtime.evaluate", expression="setTimeout(() => { debugger; said.push(1) }, 20)")
        await asyncio.wait_for(paused, 5)
    await asyncio.sleep(0.5)
    stayed = await stays(chromium, number)
    async with tab.expect("Debugger.resumed") as resumed:
        was_held = not resumed.done()
        await tab.send("Debugger.resume")
        await asyncio.wait_for(resumed, 5)
    await tab.until("said.length")

    assert (True, True) == (stayed, was_held)
    assert 5 == (await ran(bridge, "debugger; return 5"))["result"]


@pytest.mark.requirement("fast-021")
async def test_after_the_user_has_ended_the_debugging_the_next_script_runs_and_states_it(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    _, number = await staying(visit, bridge)
    worker = await chromium.service_worker()
    await worker.evaluate(  # as Chrome's bar does
        f"chrome.debugger.detach({{ tabId: {number} }}).then(() =>"
        f" chrome.debugger.onDetach.dispatch({{ tabId: {number} }}, 'canceled_by_user'))"
    )
    await worker.detach()
    first, second = await ran(bridge, "1"), await ran(bridge, "2")

    assert "ended the debugging" in first["note"]
    assert "note" not in second
    assert not await stays(chromium, number)


@pytest.mark.requirement("fast-022")
async def test_a_page_that_logs_ten_thousand_lines_is_let_go(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    tab, number = await staying(visit, bridge)
    await tab.evaluate("for (let line = 0; line < 10_000; line++) console.debug(line); 0")

    async def gone() -> bool:
        return not await stays(chromium, number)

    assert await until(gone, "the tab to be let go", STAYS_S / 2)
    assert 7 == (await ran(bridge, "7"))["result"]
