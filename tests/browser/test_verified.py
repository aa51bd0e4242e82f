"""What became of twenty remarks: a person draws, half of them are put right, and an assistant asks which."""

import base64
import io
from typing import Any

import pytest
from PIL import Image

import system
from browser.assisted import at, connected_browser
from browser.drawing import annotate, around, hover
from browser.input import press
from browser.scene import page
from browser.test_drawn import stored, told
from browser.user import pilot
from gasoline_bridge.devtools import Browser, until
from gasoline_broker.settings import Settings

ITEMS = ("document.querySelectorAll('li')[1]", "document.querySelectorAll('li')[2]")
CHANGED = {
    "colour": {"styles"},
    "ground": {"styles", "tag"},
    "words": {"text_content"},
    "size": {"styles", "size"},
    "picture": {"picture"},
    "moved": {"moved"},
    "shadow": {"styles"},
    "pseudo": {"picture"},
}
"""What has changed, and by which differences it is seen at least."""

GONE = {ITEMS[0], "hides"}
KEPT = {ITEMS[1], *(f"kept{number}" for number in range(1, 10))}


@pytest.mark.requirement("draw-030", "draw-031")
async def test_what_became_of_twenty_remarks(live: Settings, chrome: Browser, pages: str) -> None:
    await pilot(chrome, on=True)
    async with at(live, chrome, f"{pages}remarked.html") as here:
        early = await here.client.call("analyze", action="annotations", verify=True, tab_id=here.number)
        await here.do("draw_mode_start")
        waiting = await here.client.call("analyze", action="annotations", verify=True, tab_id=here.number)
        for element in (*CHANGED, *GONE, *KEPT):
            await annotate(here.tab, await around(here.tab, element), element)
        await press(here.tab, "Escape")
        await hover(here.tab, (1, 1))  # a button looks otherwise under the mouse
        await here.client.call("analyze", action="annotations", wait=True)
        same = await here.client.call("analyze", action="annotations", verify=True, budget=9_000)
        unshown = here.client.images
        await here.tab.navigate(f"{pages}remarked.html?fixed")
        reply = await here.client.call("analyze", action="annotations", verify=True, budget=9_000)
        (sheet,) = here.client.images
        await hover(here.tab, (40, 30))
        await here.tab.evaluate("kept5.focus()")
        under = (await here.client.call("analyze", action="annotations", verify=True, budget=9_000))["verdicts"]
        await pilot(chrome, on=False)
        async with page(chrome, f"{pages}small.html") as front:
            await front.activate()
            behind = await here.client.call("analyze", action="annotations", verify=True, budget=9_000)
        await here.tab.activate()
        await here.tab.navigate(f"{pages}drawn.html")
        elsewhere = await here.client.error("analyze", action="annotations", verify=True)

    assert (0, "waiting") == (early["count"], waiting["status"])
    assert {"unchanged"} == {one["verdict"] for one in same["verdicts"]}
    assert [] == unshown
    found: dict[str, Any] = {one["text"]: one for one in reply["verdicts"]}
    verdicts = {text: one["verdict"] for text, one in found.items()}
    assert {
        **dict.fromkeys(CHANGED, "changed"),
        **dict.fromkeys(GONE, "gone"),
        **dict.fromkeys(KEPT, "unchanged"),
    } == verdicts
    assert all(seen <= found[element].keys() for element, seen in CHANGED.items())
    assert "AI Web Pilot" in behind["pictures_unavailable"]
    blind = {one["text"] for one in behind["verdicts"] if one["verdict"] == "changed"}
    assert {element for element, seen in CHANGED.items() if seen != {"picture"}} == blind
    assert ["colour"] == [one["text"] for one in under if one.get("hovered") == [False, True]]
    assert ["kept5"] == [one["text"] for one in under if one.get("focused") == [False, True]]
    assert ["rgb(59, 130, 246)", "rgb(29, 78, 216)"] == found["colour"]["styles"]["background-color"]
    assert ["In all: 12.00", "In all: 12.00 EUR"] == found["words"]["text_content"]
    assert Image.open(io.BytesIO(base64.b64decode(sheet.data))).height > 400
    assert reply["screenshot_path"].endswith(".png")
    assert ("page_navigated", True) == (elsewhere["code"], "remarked.html" in elsewhere["recovery"])


@pytest.mark.requirement("draw-038")
async def test_a_browser_that_was_started_anew_is_compared_with_the_one_that_was_drawn_in(pages: str) -> None:
    url = f"{pages}remarked.html"
    with system.settings() as made, system.running(made) as live:
        async with system.assistant(live, name="ann") as client:
            async with connected_browser(live) as first, page(first, url) as tab:
                await pilot(first, on=True)
                await client.call("interact", action="draw_mode_start")
                for element in ("words", "kept1"):
                    await annotate(tab, await around(tab, element), element)
                await annotate(tab, (900, 600, 60, 60), "nothing")
                await press(tab, "Escape")
                await client.call("analyze", action="annotations", wait=True)
                await until(lambda: stored(client, "remarked.html"), "both pictures")
            async with connected_browser(live) as second, page(second, f"{pages}small.html") as tab:
                await pilot(second, on=True)
                early = await client.error("analyze", action="annotations", verify=True)
                await tab.navigate(f"{url}?fixed")
                reply = await client.call("analyze", action="annotations", verify=True)
                name = reply["verdicts"][0]["correlation_id"]
                detail = await client.call("analyze", action="annotation_detail", correlation_id=name)
                answered = await client.call("interact", action="annotation_reply", correlation_id=name, value="open")
                cards = await told(tab)

    assert ("tab_not_found", True) == (early["code"], "remarked.html" in early["recovery"])
    assert ["changed", "unchanged", "unknown"] == [one["verdict"] for one in reply["verdicts"]]
    assert "pictures_unavailable" not in reply
    assert "Nothing of the page" in reply["verdicts"][2]["reason"]
    assert ("element_changed", "open") == (detail["warning"], answered["status"])
    assert "“words”" in cards
