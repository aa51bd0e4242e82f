"""What a page asks of the browser is reported: popups, permissions, a file chooser, printing; and pages in frames."""

from typing import Any

import pytest

from browser.bridge_double import BridgeDouble, Message
from browser.scene import Open
from gasoline_bridge.devtools import Browser, until

pytestmark = pytest.mark.usefixtures("acting")

TELL = "Chrome does this for real input only: repeat the click with trusted:true."


async def click(bridge: BridgeDouble, selector: str, **arguments: Any) -> Message:
    done: Message = await bridge.result("interact", action="click", selector=selector, **arguments)
    assert done["success"]
    return done


@pytest.mark.requirement("applications-038")
async def test_a_popup_that_chrome_did_not_open_is_reported_with_what_to_do(
    visit: Open, bridge: BridgeDouble, pages: str
) -> None:
    await visit("prompts.html")

    done = await click(bridge, "#add")

    assert ([f"popup {pages}prompts-popup.html"], TELL) == (done["blocked"], done["hint"])
    assert "opened_tab" not in done


@pytest.mark.requirement("applications-039", "applications-040")
@pytest.mark.usefixtures("fresh_tab")
async def test_a_popup_is_named_and_the_action_that_closes_it_succeeds(
    visit: Open, bridge: BridgeDouble, pages: str
) -> None:
    tab = await visit("prompts.html")
    opened = await click(bridge, "#add", trusted=True)

    saved = await click(bridge, "#save", tab_id=opened["opened_tab"])

    assert (f"{pages}prompts-popup.html", "Add supplier") == (opened["opened_url"], opened["opened_title"])
    assert saved["closed"]
    await tab.until("chosen.textContent === 'Hill Bakery'")


@pytest.mark.requirement("applications-039")
@pytest.mark.usefixtures("fresh_tab")
async def test_a_popup_that_closes_by_itself_is_reported_as_closed(visit: Open, bridge: BridgeDouble) -> None:
    await visit("prompts.html")

    async def closed() -> object:  # on a busy machine it closes later than a page is watched for
        return (await click(bridge, "#ends", trusted=True)).get("opened_closed")

    assert await until(closed, "the reply that it has closed", 25)


@pytest.mark.requirement("applications-039")
@pytest.mark.usefixtures("fresh_tab")
async def test_a_tab_that_a_hidden_page_opens_is_the_action_s_too(
    visit: Open, bridge: BridgeDouble, pages: str
) -> None:
    await visit("prompts.html")
    here = next(one["id"] for one in (await bridge.result("list_tabs"))["tabs"] if one["active"])

    opened = [await click(bridge, selector, tab_id=here) for selector in ("#beside", "#also")]
    for one in opened:
        await bridge.result("interact", action="close_tab", tab_id=one["opened_tab"])

    assert [f"{pages}prompts-popup.html", f"{pages}small.html"] == [one["opened_url"] for one in opened]


@pytest.mark.requirement("applications-051")
@pytest.mark.usefixtures("fresh_tab")
async def test_a_popup_that_comes_or_is_blocked_after_the_reply_is_in_the_effect(
    visit: Open, bridge: BridgeDouble, pages: str
) -> None:
    await visit("prompts.html")

    async def later(**arguments: Any) -> Message:
        effect = (await click(bridge, "#later", **arguments))["effect"]
        return (await bridge.until_stored(type="effect", id=effect, phase="ended"))[0]

    refused = await later()
    opened = await later(trusted=True)
    (tab,) = opened["opened_tabs"]
    await bridge.result("interact", action="close_tab", tab_id=tab)

    assert [f"popup {pages}prompts-popup.html"] == refused["blocked"]
    assert "blocked" not in opened


@pytest.mark.requirement("applications-041")
async def test_a_permission_and_a_file_chooser_are_reported(
    visit: Open, bridge: BridgeDouble, chromium: Browser, pages: str
) -> None:
    await visit("prompts.html")

    async def set_to(setting: str) -> None:
        permission = {"name": "geolocation"}
        await chromium.send("Browser.setPermission", permission=permission, setting=setting, origin=pages.rstrip("/"))

    await set_to("prompt")
    asked = await click(bridge, "#where")
    await set_to("denied")
    denied = await click(bridge, "#where")
    await chromium.send("Browser.resetPermissions")
    chooser = await click(bridge, "#attach")

    assert ["permission geolocation"] == asked["waits_for_user"] == denied["blocked"]
    assert ["file chooser"] == chooser["blocked"]
    assert "upload" in chooser["hint"]


@pytest.mark.requirement("applications-042")
@pytest.mark.usefixtures("fresh_tab")
async def test_a_page_that_prints_is_a_dialog_of_the_user_s(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    await tab.send("Page.enable")
    # headless Chromium prints nothing and does not wait: this waits as the window that prints does
    waits = "const held = new XMLHttpRequest(); held.open('GET', '/api/later?ms=1500', false); held.send();"
    await tab.send("Page.addScriptToEvaluateOnNewDocument", source=f"window.print = () => {{ {waits} }}")
    await tab.navigate(tab_url := (await tab.evaluate("location.href")).replace("small", "prompts"))

    begun = await bridge.error("interact", action="click", selector="#print")
    read = await bridge.error("get_page_info")
    await tab.until("document.readyState === 'complete'")
    after = await bridge.result("get_page_info")

    assert [("dialog_open", "print")] * 2 == [(one["code"], one["details"]["type"]) for one in (begun, read)]
    assert tab_url == after["url"]


@pytest.mark.requirement("applications-043")
async def test_an_action_in_a_frame_waits_for_the_frame_s_page(visit: Open, bridge: BridgeDouble, pages: str) -> None:
    await visit("frame-of-links.html")

    late = await click(bridge, "#late", frame="#inner")
    await visit("frame-of-links.html")
    saved = await click(bridge, "#saved", frame="#inner")
    await visit("frame-of-links.html")
    whole = await click(bridge, "#all", frame="#inner")

    assert (True, f"{pages}api/later?ms=700&type=page") == (late["navigated"], late["url"])
    assert "settled" not in late
    assert (f"{pages}outcomes-saved.html", "The order was saved.") == (saved["url"], saved["messages"][0])
    assert ("Order saved", "The order was saved.") == (whole["title"], whole["messages"][0])


@pytest.mark.requirement("applications-043")
async def test_a_frame_that_its_own_click_takes_away_is_reported_as_removed(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("frame-of-links.html")
    inner = "document.querySelector('#inner')"
    await tab.evaluate(f"{inner}.contentDocument.querySelector('#saved').onclick = () => {{ {inner}.remove(); }}; 0")

    assert (await click(bridge, "#saved", frame="#inner"))["frame_removed"]


@pytest.mark.requirement("applications-039")
@pytest.mark.usefixtures("fresh_tab")
async def test_a_tab_whose_page_is_long_in_coming_is_reported_as_loading(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("prompts.html")
    await tab.evaluate("also.href = '/api/later?ms=9000&type=page'; 0")

    opened = await click(bridge, "#also")
    await bridge.result("interact", action="close_tab", tab_id=opened["opened_tab"])

    assert (True, "/api/later?ms=9000&type=page") == (opened["opened_loading"], opened["opened_url"][-28:])
