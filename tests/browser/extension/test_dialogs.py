"""Dialogs of a page freeze nothing: who opened one is told at once, and can answer it."""

import asyncio
import json
import time
from typing import Any

import pytest

from browser import input as user_input
from browser.bridge_double import BridgeDouble, Message
from browser.extension.conftest import switch_pilot
from browser.scene import Open
from gasoline_bridge.devtools import Browser, Tab, until

pytestmark = pytest.mark.usefixtures("acting", "fresh_tab")

AT_ONCE_S = 6.0  # a command that waits for its page ends after 9.8 s
"""Well under the deadline of a call; most answers take a tenth of a second."""


async def do(bridge: BridgeDouble, action: str, selector: str | None = None, **more: Any) -> dict[str, Any]:
    target = {} if selector is None else {"selector": selector}
    answer: dict[str, Any] = await bridge.result("interact", action=action, **target, **more)
    return answer


async def refused(bridge: BridgeDouble, name: str = "interact", **more: Any) -> dict[str, Any]:
    """Give the error that a command ends with, at once."""
    begun = time.monotonic()
    error = await bridge.error(name, **more)
    assert time.monotonic() - begun < AT_ONCE_S
    return error


async def click(bridge: BridgeDouble, selector: str) -> dict[str, Any]:
    return await refused(bridge, action="click", selector=selector)


async def said(tab: Tab) -> Any:
    return await tab.evaluate("said")


async def attached(chromium: Browser) -> list[int]:
    """Give the tabs that the extension's debugger is attached to."""
    worker = await chromium.service_worker()
    try:
        ids: list[int] = await worker.evaluate(
            "chrome.debugger.getTargets().then((all) => Promise.all(all.filter(({ tabId }) => tabId).map(({ tabId }) =>"
            " chrome.debugger.sendCommand({ tabId }, 'Page.getNavigationHistory').then(() => tabId, () => 0))))"
            ".then((ids) => ids.filter(Boolean))"
        )
    finally:
        await worker.detach()
    return ids


DIALOGS: list[tuple[str, dict[str, str], dict[str, Any], list[object]]] = [
    ("#alerts", {"type": "alert", "message": "Saved"}, {"accept": True}, ["before", "after"]),
    ("#confirms", {"type": "confirm", "message": "Delete it?"}, {"accept": True}, [True]),
    ("#confirms", {"type": "confirm", "message": "Delete it?"}, {"accept": False}, [False]),
    (
        "#prompts",
        {"type": "prompt", "message": "Your name?", "default_prompt": "Ada"},
        {"accept": True, "text": "Grace"},
        ["Grace"],
    ),
    ("#prompts", {"type": "prompt", "message": "Your name?", "default_prompt": "Ada"}, {"accept": True}, ["Ada"]),
    ("#prompts", {"type": "prompt", "message": "Your name?", "default_prompt": "Ada"}, {"accept": False}, [None]),
    ("iframe >>> #inner", {"type": "confirm", "message": "inside"}, {"accept": True}, [True]),
]


@pytest.mark.requirement("actions-013")
async def test_a_dialog_that_an_action_opens_is_reported_at_once_and_can_be_answered(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("dialogs.html")

    for selector, told, answer, expected in DIALOGS:
        await tab.evaluate("said.length = 0")
        error = await click(bridge, selector)
        answered = await do(bridge, "dialog", **answer)

        row = f"{selector} {answer}"
        assert ("dialog_open", told) == (error["code"], {k: v for k, v in error["details"].items() if k in told}), row
        assert 'interact(action:"dialog"' in error["recovery"], row
        assert ("dialog", told["type"]) == (answered["action"], answered["dialog"]), row
        changed = answered["measured"]["mutations"]["selectors"]
        assert "#seen" in changed, row
        assert await said(tab) == expected, row


@pytest.mark.requirement("actions-013")
@pytest.mark.parametrize("trusted", [False, True])
async def test_the_answer_of_a_dialog_reports_what_the_action_did_that_it_interrupted(
    visit: Open, bridge: BridgeDouble, *, trusted: bool
) -> None:
    tab = await visit("dialogs.html")
    await refused(bridge, action="click", selector="#removes", trusted=trusted)
    await asyncio.sleep(1)  # of thought, which is no time of the action
    answered = await do(bridge, "dialog", accept=True)
    (effect,) = await bridge.until_stored(type="effect", phase="settled", id=answered["effect"])
    plain = await do(bridge, "click", "#plain")

    measured = answered["measured"]
    assert "#row" in measured["mutations"]["selectors"]
    assert measured["timing"]["end"] - measured["timing"]["start"] < 900
    assert 1 == measured["effects"]["failed_requests"]
    assert ["Removed"] == answered["messages"]
    assert "click" == effect["action"]
    assert "#row" not in plain["measured"]["mutations"]["selectors"]
    assert await tab.evaluate("by('row')") is None


@pytest.mark.requirement("actions-013")
async def test_after_a_dialog_that_opens_a_moment_after_the_click_what_it_leads_to_is_waited_for(
    visit: Open, bridge: BridgeDouble
) -> None:
    async def answered() -> Message | None:  # on a busy machine the request comes later than one is waited for
        await visit("dialogs.html")
        await click(bridge, "#asks-late")
        await asyncio.sleep(1)  # longer than an action is waited for
        answer = await do(bridge, "dialog", accept=True)
        is_there = "#row" in answer["measured"]["mutations"]["selectors"]
        return answer if is_there and "settled" not in answer else None

    assert await until(answered, "the answer with what the action led to", 25)


LINGER_S = 3
"""A tab without a dialog stays attached so long (LINGER_MS in open_dialogs.ts)."""


@pytest.mark.requirement("actions-013")
async def test_a_dialog_waits_for_an_assistant_that_takes_its_time(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("dialogs.html")
    await click(bridge, "#confirms")
    await asyncio.sleep(LINGER_S + 1)
    await do(bridge, "dialog", accept=True)

    assert await said(tab) == [True]


@pytest.mark.requirement("actions-013")
async def test_the_last_of_several_dialogs_reports_what_came_of_all(visit: Open, bridge: BridgeDouble) -> None:
    await visit("dialogs.html")
    await click(bridge, "#twice")
    second = await refused(bridge, action="dialog", accept=True)
    answered = await do(bridge, "dialog", accept=False)

    assert ("dialog_open", "second") == (second["code"], second["details"]["message"])
    assert "[true,false]" in json.dumps(answered["measured"]["mutations"])


async def test_a_dialog_that_the_user_answers_leaves_no_report_to_the_next_one(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("dialogs.html")
    await click(bridge, "#confirms")
    await tab.send("Page.handleJavaScriptDialog", accept=True)
    await tab.until("said.length")
    await do(bridge, "click", "#later")
    await until(lambda: is_open(bridge), "the dialog")
    answered = await do(bridge, "dialog", accept=True)

    assert answered == {"success": True, "action": "dialog", "dialog": "confirm"}


async def is_open(bridge: BridgeDouble) -> bool:
    """Return whether a dialog is open."""
    return "error" in await bridge.ask("query_dom", {"selector": "#seen"})


@pytest.mark.requirement("actions-014")
async def test_while_a_dialog_is_open_every_command_for_its_tab_is_refused_at_once(
    visit: Open, bridge: BridgeDouble
) -> None:
    await visit("dialogs.html")
    await click(bridge, "#confirms")

    asked: list[tuple[str, dict[str, Any]]] = [
        ("interact", {"action": "click", "selector": "#plain"}),
        ("interact", {"action": "get_text", "selector": "#seen"}),
        ("interact", {"action": "navigate", "url": "http://localhost:1/"}),
        ("query_dom", {"selector": "#plain"}),
        ("get_page_info", {}),
        ("get_outline", {"budget": 4_096, "seq": 1}),
        ("execute", {"script": "1"}),
        ("highlight", {"selector": "#plain", "duration_ms": 100}),
        ("save_state", {"snapshot_name": "at a dialog"}),
    ]
    codes = [(await refused(bridge, name, **arguments))["code"] for name, arguments in asked]
    await do(bridge, "dialog", accept=False)

    assert ["dialog_open"] * len(asked) == codes
    assert (await do(bridge, "click", "#plain"))["success"]


async def test_what_opened_a_dialog_differs_from_what_was_not_begun(visit: Open, bridge: BridgeDouble) -> None:
    await visit("dialogs.html")
    opened = await click(bridge, "#confirms")
    refused_ = await click(bridge, "#plain")
    await do(bridge, "dialog", accept=True)

    assert opened["details"]["opened"]
    assert "do not repeat it" in opened["recovery"]
    assert "opened" not in refused_["details"]
    assert "nothing was done" in refused_["message"]
    assert "call again" in refused_["recovery"]


async def test_an_act_is_not_begun_if_its_turn_comes_when_a_dialog_is_open(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("dialogs.html")
    opened, waited = await asyncio.gather(click(bridge, "#confirms"), click(bridge, "#plain"))
    await do(bridge, "dialog", accept=True)
    await do(bridge, "get_text", "#seen")

    assert opened["details"]["opened"]
    assert "nothing was done" in waited["message"]
    assert await said(tab) == [True]


async def number_of(bridge: BridgeDouble, part: str) -> int:
    number: int = next(one["id"] for one in (await bridge.result("list_tabs"))["tabs"] if part in one["url"])
    return number


async def test_a_page_that_opens_one_dialog_after_the_other_is_left_by_closing_its_tab(
    visit: Open, bridge: BridgeDouble
) -> None:
    await visit("dialogs.html?endless")
    number = await number_of(bridge, "endless")
    await click(bridge, "#endless")
    again = await refused(bridge, action="dialog", accept=True)
    closed = await do(bridge, "close_tab", tab_id=number)

    assert "again" == again["details"]["message"]
    assert closed["success"]
    assert number not in [one["id"] for one in (await bridge.result("list_tabs"))["tabs"]]


async def test_a_tab_whose_page_asks_before_it_is_closed_is_closed_by_the_answer(
    visit: Open, bridge: BridgeDouble
) -> None:
    await leaving(visit)
    number = await number_of(bridge, "asks")
    asked = await refused(bridge, action="close_tab", tab_id=number)
    again = await refused(bridge, action="close_tab", tab_id=number)
    answered = await do(bridge, "dialog", accept=True, tab_id=number)

    assert ["beforeunload"] * 2 == [one["details"]["type"] for one in (asked, again)]
    assert answered == {"success": True, "action": "dialog", "dialog": "beforeunload", "closed": True}


async def test_a_dialog_is_the_user_s_when_they_end_the_debugging(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    tab = await visit("dialogs.html?parted")
    number = await number_of(bridge, "parted")
    await click(bridge, "#confirms")
    worker = await chromium.service_worker()
    await worker.evaluate(  # as Chrome's bar does
        f"chrome.debugger.detach({{ tabId: {number} }}).then(() =>"
        f" chrome.debugger.onDetach.dispatch({{ tabId: {number} }}, 'canceled_by_user'))"
    )
    await worker.detach()
    error = await click(bridge, "#plain")
    await tab.send("Page.handleJavaScriptDialog", accept=True)
    await tab.until("said.length")

    assert ("dialog_open", False) == (error["code"], error["details"]["answerable"])
    assert (await do(bridge, "click", "#plain"))["success"]


IGNORED = (
    "new Promise((done) => { const frame = document.createElement('iframe'); frame.sandbox = 'allow-scripts"
    " allow-same-origin'; frame.srcdoc = '<script>const began = performance.now(); alert(1);"
    " parent.told(performance.now() - began)<\\/script>'; globalThis.told = done; document.body.append(frame); })"
)
"""How long an alert takes that Chrome does not open, in ms."""


async def test_no_page_is_held_while_no_assistant_may_act(visit: Open, bridge: BridgeDouble, chromium: Browser) -> None:
    await switch_pilot(chromium, on=False)
    worker = await chromium.service_worker()

    async def follows() -> bool:
        scripts = "chrome.scripting.getRegisteredContentScripts()"
        ids: list[str] = await worker.evaluate(f"{scripts}.then((all) => all.map(({{ id }}) => id))")
        return "early_dialogs" not in ids

    try:
        assert await until(follows, "new pages not to be held", 5)
    finally:
        await worker.detach()
    tab = await visit("blank.html")

    assert bridge.connected
    assert await tab.evaluate(IGNORED) < 100  # held, it takes 250 and more


async def test_a_tab_without_a_dialog_has_none_to_answer(visit: Open, bridge: BridgeDouble) -> None:
    await visit("dialogs.html")

    assert (await refused(bridge, action="dialog", accept=True))["code"] == "not_found"


async def test_a_text_is_for_a_prompt_alone(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("dialogs.html")
    await click(bridge, "#confirms")

    error = await refused(bridge, action="dialog", accept=True, text="yes")
    await do(bridge, "dialog", accept=True)

    assert ("invalid_params", "text") == (error["code"], error["details"]["parameter"])
    assert await said(tab) == [True]


async def test_a_dialog_that_follows_another_is_reported_and_answered_too(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("dialogs.html")
    first = await click(bridge, "#twice")
    second = await refused(bridge, action="dialog", accept=True)
    await do(bridge, "dialog", accept=False)

    assert ["first", "second"] == [error["details"]["message"] for error in (first, second)]
    assert await said(tab) == [True, False]


async def test_a_dialog_that_opens_after_the_act_can_be_answered(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("dialogs.html")
    async with tab.expect("Page.javascriptDialogOpening"):
        clicked = await do(bridge, "click", "#later")
    error = await refused(bridge, "query_dom", selector="#plain")
    await do(bridge, "dialog", accept=True)

    assert clicked["success"]
    assert ("dialog_open", "later") == (error["code"], error["details"]["message"])
    assert await said(tab) == [True]


async def test_a_command_that_the_page_answers_with_a_dialog_is_refused_with_it(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("dialogs.html")
    for begins_s in (0.3, 1, 3):
        waiting = asyncio.create_task(refused(bridge, action="wait_for", selector="#never", timeout_ms=5000))
        await asyncio.sleep(begins_s)
        await tab.evaluate("setTimeout(() => confirm('meanwhile')); 0")
        error = await waiting
        if error["details"].get("answerable", True):
            break
        await tab.send("Page.handleJavaScriptDialog", accept=True)  # opened before the action had begun: the user's
    await do(bridge, "dialog", accept=True)

    assert ("dialog_open", "meanwhile") == (error["code"], error["details"]["message"])


async def test_where_an_answer_leads_to_another_page_that_is_waited_for(
    visit: Open, bridge: BridgeDouble, pages: str
) -> None:
    await visit("dialogs.html")
    await click(bridge, "#goes")

    answered = await do(bridge, "dialog", accept=True)

    assert (True, pages + "small.html") == (answered["navigated"], answered["url"])


async def test_a_dialog_of_the_user_s_own_is_theirs_and_is_reported(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("dialogs.html")
    async with tab.expect("Page.javascriptDialogOpening"):
        await tab.evaluate("setTimeout(() => say(confirm('own'))); 0")

    error = await refused(bridge, "query_dom", selector="#plain")
    unanswered = await refused(bridge, action="dialog", accept=True)
    await tab.send("Page.handleJavaScriptDialog", accept=True)  # as the user does
    await tab.until("said.length")

    assert ("dialog_open", "own", False) == (error["code"], error["details"]["message"], error["details"]["answerable"])
    assert unanswered["code"] == "dialog_open"
    assert await said(tab) == [True]
    assert (await do(bridge, "click", "#plain"))["success"]


@pytest.mark.parametrize("action", ["refresh", "navigate"])
async def test_a_dialog_that_cannot_be_answered_is_left_with_its_page(
    visit: Open, bridge: BridgeDouble, pages: str, action: str
) -> None:
    tab = await visit("dialogs.html")
    async with tab.expect("Page.javascriptDialogOpening"):
        await tab.evaluate("setTimeout(() => confirm('own')); 0")
    url = {"url": pages + "dialogs.html"} if action == "navigate" else {}
    left = await do(bridge, action, **url)

    assert left["success"]
    assert (await do(bridge, "click", "#plain"))["success"]


async def test_a_dialog_that_opens_long_after_its_report_is_kept_and_answered(
    visit: Open, bridge: BridgeDouble, pages: str
) -> None:
    tab = await visit("dialogs.html")
    await tab.evaluate(
        "onbeforeunload = (event) => event.preventDefault();"
        "const busy = () => { for (const end = performance.now() + 500; performance.now() < end;); };"
        "document.querySelector('#plain').onclick = () => {"
        f"  addEventListener('beforeunload', busy); location = '{pages}small.html'; }}; 0"
    )
    error = await refused(bridge, action="click", selector="#plain", trusted=True)
    answered = await do(bridge, "dialog", accept=True)

    assert ("dialog_open", "beforeunload") == (error["code"], error["details"]["type"])
    assert "answerable" not in error["details"]
    assert answered["url"] == pages + "small.html"


async def test_dialogs_that_the_browser_suppresses_hold_nothing_up(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("dialogs.html")
    await do(bridge, "click", "#suppressed")
    await tab.until("said.length")

    assert await said(tab) == ["none"]
    assert (await do(bridge, "click", "#plain"))["success"]


async def test_a_click_without_a_dialog_attaches_no_debugger(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    await visit("dialogs.html")
    await do(bridge, "click", "#plain")

    assert await attached(chromium) == []


async def test_a_tab_is_released_when_its_dialog_was_answered(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    await visit("dialogs.html")
    await click(bridge, "#confirms")
    during = await attached(chromium)
    await do(bridge, "dialog", accept=True)

    async def free() -> bool:
        return not await attached(chromium)

    assert len(during) == 1
    assert await until(free, "the tab to be let go of", 6)


async def test_a_page_is_not_held_while_its_tab_is_attached_still(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("dialogs.html?several")
    for _ in range(2):
        await click(bridge, "#confirms")
        await do(bridge, "dialog", accept=True)

    assert await said(tab) == [True, True]
    assert 1 == await tab.evaluate("fetch('/api/holds?page=' + encodeURIComponent(location)).then((it) => it.json())")


async def leaving(visit: Open) -> Tab:
    """Open a page that asks before it is left, and touch it as a user does."""
    tab = await visit("dialogs.html?asks")
    await user_input.click(tab, "#field")
    return tab


async def test_a_dialog_that_a_page_opens_as_it_loads_can_be_answered(
    visit: Open, bridge: BridgeDouble, pages: str
) -> None:
    tab = await visit("dialogs.html")
    error = await refused(bridge, action="navigate", url=pages + "dialogs.html?greets")
    answered = await do(bridge, "dialog", accept=True)
    await tab.until("document.readyState === 'complete'")

    assert ("dialog_open", "Welcome") == (error["code"], error["details"]["message"])
    assert answered["url"] == pages + "dialogs.html?greets"
    assert await said(tab) == [True]


async def test_a_frame_that_may_open_no_dialog_hides_none(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("dialogs.html")
    await tab.evaluate("shout()")
    await click(bridge, "#confirms")
    await asyncio.sleep(0.3)  # the frame goes on in a process of its own
    error = await refused(bridge, "query_dom", selector="#plain")
    await do(bridge, "dialog", accept=True)

    assert error["code"] == "dialog_open"
    assert await said(tab) == [True]


LEAVES: list[dict[str, Any]] = [
    {"action": "click", "selector": "#link"},
    {"action": "navigate", "url": "small.html"},
    {"action": "refresh"},
]


@pytest.mark.requirement("actions-015")
@pytest.mark.parametrize("act", LEAVES, ids=[one["action"] for one in LEAVES])
async def test_a_page_that_asks_whether_to_leave_it_is_answered(
    visit: Open, bridge: BridgeDouble, pages: str, act: dict[str, Any]
) -> None:
    await leaving(visit)
    whole = act | ({"url": pages + act["url"]} if "url" in act else {})

    error = await refused(bridge, **whole)
    stayed = await do(bridge, "dialog", accept=False)
    again = await refused(bridge, **whole)
    left = await do(bridge, "dialog", accept=True)

    assert [("dialog_open", "beforeunload")] * 2 == [(one["code"], one["details"]["type"]) for one in (error, again)]
    assert ("dialog", "beforeunload", False) == (stayed["action"], stayed["dialog"], "navigated" in stayed)
    assert left["navigated"]
    assert left["url"] == pages + ("dialogs.html?asks" if act["action"] == "refresh" else "small.html")


async def test_a_page_that_asks_only_those_who_touched_it_is_left_without_a_word(
    visit: Open, bridge: BridgeDouble, pages: str
) -> None:
    await visit("dialogs.html?asks")

    assert (await do(bridge, "navigate", url=pages + "small.html"))["success"]


async def test_switched_off_a_dialog_is_dismissed(visit: Open, bridge: BridgeDouble, chromium: Browser) -> None:
    tab = await visit("dialogs.html")
    await click(bridge, "#confirms")
    await switch_pilot(chromium, on=False)
    await tab.until("said.length")

    assert await said(tab) == [False]
    assert await attached(chromium) == []


async def test_the_worker_s_death_leaves_no_page_frozen(visit: Open, bridge: BridgeDouble, chromium: Browser) -> None:
    tab = await visit("dialogs.html")
    await click(bridge, "#confirms")
    await chromium.stop_service_worker()
    await visit("small.html")  # wakes it

    await tab.until("said.length", 5)
    assert await said(tab) == [False]
    await bridge.until_connected()
