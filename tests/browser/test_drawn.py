"""Draw Mode from an assistant's side: it asks, a person draws, and the assistant reads what was meant."""

import asyncio

from browser.assisted import at
from browser.extension.test_draw_mode import around, draw, write
from browser.input import press
from browser.user import pilot
from gasoline_bridge.devtools import Browser
from gasoline_broker.settings import Settings


async def test_an_assistant_waits_for_what_a_person_draws_and_reads_its_details(
    live: Settings, chrome: Browser, pages: str
) -> None:
    await pilot(chrome, on=True)
    async with at(live, chrome, f"{pages}drawn.html?assisted") as here:
        begun = await here.do("draw_mode_start")
        early = await here.client.call("analyze", action="annotations")
        waiting = asyncio.create_task(here.client.call("analyze", action="annotations", wait=True))
        await draw(here.tab, *await around(here.tab, "buy"))
        await write(here.tab, "This button should be darker")
        await press(here.tab, "Enter")
        await press(here.tab, "Escape")
        drawn = await waiting
        (annotation,) = drawn["annotations"]
        detail = await here.client.call(
            "analyze", action="annotation_detail", correlation_id=annotation["correlation_id"]
        )
        await here.tab.evaluate("buy.textContent = 'Pay'; 0")
        changed = await here.client.call(
            "analyze", action="annotation_detail", correlation_id=annotation["correlation_id"]
        )
        await here.tab.evaluate("buy.remove()")
        gone = await here.client.error(
            "analyze", action="annotation_detail", correlation_id=annotation["correlation_id"]
        )
        unknown = await here.client.error("analyze", action="annotation_detail", correlation_id="ann_detail_none")

    assert ("pending", "waiting") == (begun["status"], early["status"])
    assert "annotations" in early["resume"]
    assert ("success", 1) == (drawn["status"], drawn["count"])
    assert ("This button should be darker", "button.btn-primary 'Buy now'") == (
        annotation["text"],
        annotation["element_summary"],
    )
    assert ("#buy", "rgb(59, 130, 246)") == (detail["selector"], detail["computed_styles"]["background-color"])
    assert "warning" not in detail
    assert ("element_changed", "button.btn-primary 'Buy now'") == (changed["warning"], changed["element_summary"])
    assert ("element_not_found", "not_found") == (gone["code"], unknown["code"])
