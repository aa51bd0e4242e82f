"""`generate(report)`: a session as a page to read, made of what a hostile page let be recorded."""

import asyncio
from pathlib import Path

import pytest

from browser.assisted import at
from browser.axe import violations
from browser.input import click
from browser.scene import page
from gasoline_bridge.devtools import Browser
from gasoline_broker.settings import Settings

SECRET = "correct horse battery"
RUNS = """
({
  pwned: typeof pwned, scripts: document.scripts.length,
  markup: document.querySelectorAll('svg, [onerror], [onload]').length,
  images: [...document.images].map((one) => one.naturalWidth > 0), text: document.body.innerText,
  dead: [...document.querySelectorAll('a')].filter((one) => !document.querySelector(one.hash)).length,
})
"""


@pytest.mark.requirement("clients-014", "clients-015")
async def test_a_report_shows_a_session_runs_nothing_of_its_pages_and_is_accessible(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}injections.html") as here:
        await here.do("type", selector="#secret", text=SECRET)
        await here.do("click", selector="#act")
        await here.fail("click", selector="#absent")
        await here.client.call("observe", what="screenshot", tab_id=here.number)
        await here.client.call("analyze", action="audit", scope="accessibility", tab_id=here.number, wait_s=50)
        await click(here.tab, "#act")
        await here.tab.until("performance.getEntriesByType('resource').length > 1")
        reply = await here.client.call("generate", what="report", tab_id=here.number)
        text = await asyncio.to_thread(Path(reply["path"]).read_text)
        async with page(chrome, f"file://{reply['path']}") as tab:
            read = await tab.evaluate(RUNS)
            found = await violations(tab)

    said = read["text"]
    assert ("undefined", 0, 0, 0) == (read["pwned"], read["scripts"], read["markup"], read["dead"])
    assert [] == found
    assert [True] == read["images"]
    assert (5, 1) == (reply["actions"], reply["pictures"])
    assert reply["findings"] >= 1
    assert reply["faults"] >= 5  # a console error, a thrown one and an answer of each click, and the click at nothing
    assert len(text.encode()) == reply["bytes"]
    for part in (
        "Assistant ann: type",
        "a secret into",
        "Assistant ann: click",
        "User: click",
        "element_not_found",
        "</bdi></li><svg onload=pwned=1>",
        "404",
        "localStorage set",
        "image-alt",
    ):
        assert part in said, part
    assert SECRET not in text
    assert "\u202e" not in text
