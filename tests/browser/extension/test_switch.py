"""The human's switch in the extension: off at first, switched by their hand alone, and in effect at once."""

import json
from typing import Any

import pytest

from browser.bridge_double import BridgeDouble
from browser.extension.conftest import Stage
from browser.input import click
from gasoline_bridge.chrome.messages import ACTS
from gasoline_bridge.devtools import Tab, until

SWITCH = "document.querySelector('#pilot-switch')"
KEY = "aiWebPilotEnabled"
OFF = "ai_web_pilot_disabled", None
"""How an act is refused, and what is stored."""

CLIENT = {"id": "0011223344556677", "name": "ann"}
ON = {"enabled": True, "on": True, "value": True, KEY: True}
DOWN = ["welcome", "command", "acknowledge", "stored", "cancel", "alive", "pilot", "set", "storage", KEY, "toggle"]
WITHIN = [
    "events",
    "touched",
    "clear",
    "capture",
    "relay",
    "pilot",
    "set",
    "storage",
    "settings",
    "enable",
    KEY,
    "toggle",
]
NAMES = ["pilot", "set_pilot", "enable", "configure", "storage", KEY, "toggle", *ACTS.values()]


@pytest.fixture(autouse=True)
async def as_at_first(stage: Stage) -> None:
    await stage.in_worker("chrome.storage.sync.clear()")
    stage.bridge.client = CLIENT


async def stored(stage: Stage) -> Any:
    return (await stage.in_worker(f"chrome.storage.sync.get('{KEY}')")).get(KEY)


async def popup_of(stage: Stage) -> Tab:
    popup = await stage.browser.popup()
    await popup.until(f"!{SWITCH}.disabled")
    return popup


async def reborn(stage: Stage) -> None:
    """Kill the service worker, and wake it as the popup does."""
    await stage.browser.stop_service_worker()
    stage.bridge.heard.clear()
    popup = await stage.browser.popup()
    await stage.bridge.until_heard(type="pilot")
    await popup.close()


async def refusal(bridge: BridgeDouble) -> str:
    return str((await bridge.error("lease", ttl_s=5))["code"])


@pytest.mark.requirement("003-010", "003-011", "003-050", "pilot-001", "pilot-002")
async def test_on_a_fresh_profile_everything_that_acts_is_refused(stage: Stage) -> None:
    await stage.visit()
    acts = sorted({*ACTS.values()} - {"release"})
    errors = {
        name: await stage.bridge.error(name, script="1", selector="a", snapshot_name="a", ttl_s=5) for name in acts
    }

    assert dict.fromkeys(acts, "ai_web_pilot_disabled") == {name: error["code"] for name, error in errors.items()}
    assert {"Enable 'AI Web Pilot' in extension popup to use this tool"} == {
        error["message"] for error in errors.values()
    }


@pytest.mark.requirement("003-012", "pilot-005")
async def test_no_message_of_the_server_switches_it_on(stage: Stage) -> None:
    bridge, after = stage.bridge, {}
    for kind in DOWN:
        await bridge.say({"type": kind, "id": "0" * 32, "name": "pilot", "arguments": ON, "timeout_ms": 900} | ON)
        await bridge.say({"type": kind, "settings": ON, "changes": {KEY: {"newValue": True}}})
        after[kind] = await refusal(bridge), await stored(stage)

    assert dict.fromkeys(DOWN, OFF) == after


@pytest.mark.requirement("003-012", "pilot-005")
async def test_no_command_switches_it_on(stage: Stage) -> None:
    await stage.visit()
    after = {}
    for name in NAMES:
        answer = await stage.bridge.ask(
            name, ON | {"action": "enable", "script": f"chrome.storage.sync.set({{{KEY}: true}})"}
        )
        after[name] = name == "release" or "error" in answer, await stored(stage)

    assert dict.fromkeys(NAMES, (True, None)) == after


@pytest.mark.requirement("pilot-005")
async def test_no_message_of_a_page_s_content_script_switches_it_on(stage: Stage) -> None:
    _, number = await stage.visit()
    after = {}
    for name in WITHIN:
        said = json.dumps({"name": name, "type": name, "chunks": [], "changes": {KEY: {"newValue": True}}} | ON)
        await stage.in_worker(
            f"chrome.scripting.executeScript({{ target: {{ tabId: {number} }}, args: [{said}],"
            " func: (said) => { chrome.runtime.sendMessage(said).catch(() => {});"
            " chrome.runtime.connect({ name: said.name }).postMessage(said); } }).then(() => 0)"
        )
        after[name] = await refusal(stage.bridge), await stored(stage)

    assert dict.fromkeys(WITHIN, OFF) == after


async def test_a_page_s_content_script_has_no_access_to_where_it_is_stored(stage: Stage) -> None:
    _, number = await stage.visit()
    tried = await stage.in_worker(
        f"chrome.scripting.executeScript({{ target: {{ tabId: {number} }}, func: async () => {{"
        f" try {{ await chrome.storage.sync.set({{ {KEY}: true }}); return 'set'; }}"
        " catch (fault) { return fault.message; }"
        " } }).then(([{ result }]) => result)"
    )

    assert tried != "set"
    assert await stored(stage) is None


@pytest.mark.requirement("pilot-005")
async def test_nothing_that_a_page_sends_switches_it_on(stage: Stage) -> None:
    tab, _ = await stage.visit()
    await tab.evaluate(
        f"for (const name of {json.dumps(WITHIN)}) {{"
        f" const said = {{ name, type: name, {KEY}: true, enabled: true }};"
        " postMessage(said, '*'); new BroadcastChannel(name).postMessage(said);"
        " for (const target of [window, document, document.documentElement])"
        " target.dispatchEvent(new CustomEvent(name, { detail: JSON.stringify(said), bubbles: true }));"
        f" localStorage.setItem('{KEY}', 'true'); sessionStorage.setItem('{KEY}', 'true'); }}"
        f" try {{ chrome.runtime.sendMessage('{stage.browser.extension_id}', {{ name: 'pilot', enabled: true }}); }}"
        " catch {} 0"
    )

    assert await refusal(stage.bridge) == "ai_web_pilot_disabled"
    assert await stored(stage) is None


async def test_no_page_can_open_or_frame_the_popup(stage: Stage) -> None:
    tab, _ = await stage.visit()
    url = stage.browser.extension_url + "popup/popup.html"
    framed = await tab.evaluate(
        f"new Promise((done) => {{ const frame = document.createElement('iframe'); frame.src = '{url}';"
        " frame.onload = () => { try { done(frame.contentDocument ? 'own' : 'closed'); } catch { done('closed'); } };"
        " document.body.append(frame); })"
    )
    frames = (await tab.send("Page.getFrameTree"))["frameTree"].get("childFrames", [])

    assert framed == "closed"
    assert not [one for one in frames if one["frame"]["url"] == url]
    assert await stored(stage) is None


@pytest.mark.requirement("003-011")
async def test_a_script_s_click_in_the_popup_is_no_hand(stage: Stage) -> None:
    popup = await popup_of(stage)
    await popup.evaluate(f"{SWITCH}.checked = true, {SWITCH}.dispatchEvent(new Event('change'))")
    await popup.close()

    assert await stored(stage) is None


@pytest.mark.requirement("003-068", "003-069", "003-070", "pilot-001", "pilot-003", "pilot-004")
async def test_the_hand_switches_it_on_and_off_and_it_is_in_effect_within_a_second(stage: Stage) -> None:
    await stage.visit()
    popup = await popup_of(stage)
    label = await popup.evaluate("document.querySelector('#pilot').innerText")
    await click(popup, "#pilot-switch")
    await until(lambda: _allowed(stage, allowed=True), "it to be on", 1)
    told_on = await stage.bridge.until_heard(type="pilot")
    badge_on = await stage.in_worker("chrome.action.getBadgeText({})")
    await click(popup, "#pilot-switch")
    await until(lambda: _allowed(stage, allowed=False), "it to be off", 1)
    told_off = await stage.bridge.until_heard(type="pilot", enabled=False)
    badge_off = await stage.in_worker("chrome.action.getBadgeText({})")
    await popup.close()

    assert "AI Web Pilot (highlight, state, execute)" in label
    assert "⚠️ Allows AI to interact with page" in label
    assert (True, "AI", False, "") == (told_on["enabled"], badge_on, told_off["enabled"], badge_off)


async def _allowed(stage: Stage, *, allowed: bool) -> bool:
    (page, *_) = [tab for tab in (await stage.bridge.result("list_tabs"))["tabs"] if tab["url"].startswith("http")]
    answer = await stage.bridge.ask("lease", {"tab_id": page["id"], "ttl_s": 1})
    return allowed == ("result" in answer)


async def test_it_is_remembered_over_the_worker_s_death(stage: Stage) -> None:
    await stage.visit()
    await stage.in_worker(f"chrome.storage.sync.set({{ {KEY}: true }})")
    await reborn(stage)

    assert (await stage.bridge.until_heard(type="pilot"))["enabled"] is True
    assert await stage.in_worker("chrome.action.getBadgeText({})") == "AI"
    assert await _allowed(stage, allowed=True)


async def test_a_lease_outlives_the_worker(stage: Stage) -> None:
    _, number = await stage.visit()
    await stage.in_worker(f"chrome.storage.sync.set({{ {KEY}: true }})")
    await stage.bridge.result("lease", tab_id=number, ttl_s=60)
    await reborn(stage)
    stage.bridge.client = {"id": "other", "name": "bob"}

    error = await stage.bridge.error("lease", tab_id=number, ttl_s=5)

    assert ("tab_leased", "ann") == (error["code"], error["details"]["holder"])


@pytest.mark.requirement("pilot-030")
async def test_what_was_done_is_shown_in_the_popup(stage: Stage) -> None:
    _, number = await stage.visit()
    await refusal(stage.bridge)
    await stage.in_worker(f"chrome.storage.sync.set({{ {KEY}: true }})")
    await stage.bridge.result("lease", tab_id=number, ttl_s=1)
    popup = await popup_of(stage)
    await popup.until("!document.querySelector('#acts').hidden")
    await popup.evaluate("document.querySelector('#acts').open = true")
    lines = await popup.evaluate("[...document.querySelectorAll('#acts li')].map((line) => line.textContent)")
    await popup.close()

    assert "lease 127.0.0.1" in lines[0]
    assert "ann" in lines[0]
    assert lines[1].startswith("lease refused: it was off · ann")
