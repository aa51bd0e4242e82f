"""Where the user allows user scripts, a script that only reads needs no debugger; it answers as by the debugger."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from browser.bridge_double import BridgeDouble
from browser.extension.test_debugged_turns import counted
from browser.scene import Open
from browser.user import allow_user_scripts
from gasoline_bridge.devtools import Browser, until

pytestmark = pytest.mark.usefixtures("acting", "fresh_tab", "_allowed")

READS = (
    "1 + 1",
    "document.querySelector('h1').id;",
    "location.pathname",
    "document.querySelectorAll('h1').length > 0 && typeof globalThis.nothing",
    "globalThis.nothing",
    "null",
    "this === window",
    "document.body.textContent.trim().slice(0, 4)",
    "'\u00e9'.repeat === 'x' ? 1.5 : \"\u2713\"",
)
"""Each gives a primitive, by user scripts."""

NOT_BY_USER_SCRIPTS = (
    "document.body",
    "NaN",
    "-0 * 1",
    "[1, 2]",
    "document.querySelector('#nowhere').textContent",
    "nowhere + 1",
    "(1",
    "f + 1",
    "v",
)
"""Read a second time by the debugger, which knows what they are."""


@pytest.fixture(scope="module")
async def _allowed(chromium: Browser) -> AsyncIterator[None]:
    await allow_user_scripts(chromium, on=True)
    yield
    await allow_user_scripts(chromium, on=False)


@pytest.mark.requirement("fast-041")
@pytest.mark.parametrize("page", ["small.html", "strict.html"])
async def test_a_script_that_only_reads_is_answered_without_the_debugger(
    visit: Open, bridge: BridgeDouble, chromium: Browser, page: str
) -> None:
    tab = await visit(page)
    await tab.evaluate("JSON.stringify = JSON.parse = () => 'forged'; Object.prototype.v = 'forged'; 0")

    async with counted(chromium) as worker:

        async def all_quick() -> list[Any] | None:  # on a busy machine a page may be too late, which the debugger asks
            answers = [await bridge.result("execute", script=script) for script in READS]
            return None if await worker.evaluate("asked.splice(0).length") else answers

        quick = await until(all_quick, "answers without the debugger")
        # an expression in the brackets of a function that is called is none that only reads
        debugged = [await bridge.result("execute", script=f"(() => {script.rstrip(';')})()") for script in READS]

    assert debugged == quick


@pytest.mark.requirement("fast-041")
async def test_what_is_no_primitive_and_what_fails_is_answered_by_the_debugger_and_alike(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    await visit("small.html")
    allowed = [await bridge.result("execute", script=script) for script in NOT_BY_USER_SCRIPTS]

    await allow_user_scripts(chromium, on=False)
    refused = [await bridge.result("execute", script=script) for script in NOT_BY_USER_SCRIPTS]
    await allow_user_scripts(chromium, on=True)

    assert refused == allowed
    assert {True, False} == {answer["success"] for answer in allowed}


@pytest.mark.requirement("fast-041")
async def test_what_may_change_something_runs_once_and_by_the_debugger(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    await visit("small.html")

    async with counted(chromium) as worker:
        await bridge.result("execute", script="globalThis.runs = (globalThis.runs || 0) + 1")
        await bridge.result("execute", script="globalThis.count = () => ++globalThis.runs, count()")
        asked = await worker.evaluate("asked.splice(0)")
    runs = await bridge.result("execute", script="runs")

    assert "Runtime.evaluate" in asked
    assert 2 == runs["result"]


@pytest.mark.requirement("fast-041")
async def test_a_page_that_is_busy_is_stopped_as_ever(visit: Open, bridge: BridgeDouble) -> None:
    await visit("small.html")
    await bridge.result("execute", script="Object.defineProperty(globalThis, 'slow', { get() { for (;;); } }); 0")

    error = await bridge.error("execute", script="slow", timeout_ms=300)

    assert "execution_timeout" == error["code"]
