"""The memory of a real page, counted by the debugger, and compared: a leak with its likely cause, its twin without."""

from typing import Any

import pytest

from browser.assisted import Scene, at
from gasoline_bridge.devtools import Browser
from gasoline_broker.settings import Settings
from gasoline_demo import site

Reply = dict[str, Any]

HIDE = "() => delete Performance.prototype.memory"
REFUSE = """
  globalThis.attach = chrome.debugger.attach;
  chrome.debugger.attach = () => Promise.reject(new Error('refused')); 0
"""


async def memory(here: Scene, scope: str, **arguments: Any) -> Reply:
    return await here.client.call("analyze", action="memory", scope=scope, tab_id=here.number, **arguments)


@pytest.mark.requirement(
    "000-029",
    "000-030",
    "000-032",
    "000-129",
    "000-128",
    "000-131",
    "000-134",
    "000-089",
    "000-090",
    "000-091",
    "000-092",
    "findings-018",
)
async def test_a_leak_is_found_against_the_last_and_a_named_snapshot_and_its_clean_twin_is_silent(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}leaks.html") as here:
        missing = await here.client.error("analyze", action="memory", scope="compare", tab_id=here.number, name="none")
        first = await memory(here, "snapshot", name="start")
        await here.tab.evaluate("for (let n = 0; n < 5; n++) step(); 0")
        clean = await memory(here, "compare")
        await memory(here, "snapshot", name="before")
        await here.tab.evaluate("for (let n = 0; n < 5; n++) leak(); 0")
        leaked = await memory(here, "compare", name="start")

    snapshot = first["snapshot"]
    assert "not_found" == missing["code"]
    assert "debugger" == snapshot["source"]
    assert snapshot["heap_limit_mb"] > snapshot["heap_total_mb"] >= snapshot["heap_used_mb"] > 0
    assert [] == clean["findings"]
    assert 0 == clean["delta"]["detached_nodes_delta"]
    (finding,) = leaked["findings"]
    assert 804 <= leaked["delta"]["detached_nodes_delta"] <= 1005
    assert leaked["delta"]["event_listeners_delta"] >= 95
    assert leaked["delta"]["heap_growth_mb"] >= 5 * 400_000 * 8 / 1_000_000 * 0.9
    assert "high" == finding["severity"]
    assert f"Detached DOM nodes increased by {leaked['delta']['detached_nodes_delta']}" == finding["likely_cause"]


async def test_documents_that_were_left_are_collected_before_the_memory_is_measured(
    live: Settings, chrome: Browser
) -> None:
    async with site.serve() as shop, at(live, chrome, shop.address) as here:
        heaps = []
        for _ in range(8):  # a check adds 3 MB to its document
            await here.client.call(
                "analyze", action="audit", scope="accessibility", force_refresh=True, tab_id=here.number
            )
            await here.do("refresh")
            heaps.append((await memory(here, "snapshot"))["snapshot"]["heap_used_mb"])

    assert max(heaps) < min(heaps) + 8, "Chrome takes a number on its stack for an address: one or two may be spared"


async def test_the_memory_of_a_page_with_a_million_objects_is_measured_in_time(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}small.html") as here:
        await here.tab.evaluate("window.kept = Array.from({ length: 1e6 }, (_, n) => ({ n, of: [n] })); 0")
        snapshot = (await memory(here, "snapshot"))["snapshot"]

    assert "debugger" == snapshot["source"]
    assert snapshot["heap_used_mb"] > 40


@pytest.mark.requirement("000-150", "000-151", "000-152", "000-175")
async def test_a_browser_that_shows_no_memory_is_an_error_that_states_what_to_use(
    live: Settings, chrome: Browser, pages: str
) -> None:
    worker = await chrome.service_worker()
    async with at(live, chrome, f"{pages}small.html") as here:
        await worker.evaluate(
            f"chrome.scripting.executeScript({{ target: {{ tabId: {here.number} }}, func: {HIDE} }}).then(() => 0)"
        )
        counted = (await memory(here, "snapshot"))["snapshot"]
        await worker.evaluate(REFUSE)
        refused = await here.client.error("analyze", action="memory", scope="snapshot", tab_id=here.number)
        await worker.evaluate("chrome.debugger.attach = attach; 0")
    await worker.detach()

    assert ("debugger", False) == (counted["source"], "heap_limit_mb" in counted)
    assert "memory_api_unavailable" == refused["code"]
    assert "Chromium" in refused["recovery"]
