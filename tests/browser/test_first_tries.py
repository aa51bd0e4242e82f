"""A client that knows other tools, and makes the call that an error offers, is where it wanted to be."""

import json
import re
from typing import Any

import pytest

from browser.assisted import Reply, Scene, at
from gasoline_bridge.devtools import Browser
from gasoline_broker.settings import Settings

CALL = re.compile(r"Call (?P<tool>\w+)\((?P<arguments>.*)\)\.$", re.DOTALL)
SELECTOR = re.compile(r'Use selector:(?P<selector>"(?:[^"\\]|\\.)*")')


def arguments_in(text: str) -> dict[str, Any]:
    """Read arguments as an error writes them."""
    given: dict[str, Any] = {}
    while text:
        parameter, _, rest = text.partition(":")
        given[parameter], end = json.JSONDecoder().raw_decode(rest)
        text = rest[end:].removeprefix(", ")
    return given


async def following(here: Scene, tool: str, **request: Any) -> Reply:
    """Make a call that is refused, and then the one that its error offers."""
    error = await here.client.error(tool, **request)
    if found := CALL.search(error["recovery"]):
        return await here.client.call(found["tool"], **arguments_in(found["arguments"]) | {"tab_id": here.number})
    use = SELECTOR.search(error["recovery"])
    assert use is not None, error
    return await here.client.call(tool, **request | {"selector": json.loads(use["selector"])})


@pytest.mark.requirement("tries-001", "tries-003", "tries-006", "tries-007")
async def test_the_call_that_an_error_offers_does_what_was_meant(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}interact.html?first-tries") as here:
        tab = {"tab_id": here.number}
        typed = await following(here, "interact", action="type", selector="#name", value="Ada", **tab)
        clicked = await following(here, "interact", action="click", text="Load more", **tab)
        filled = await following(
            here, "browser_fill_form", fields=[{"name": "Name", "type": "textbox", "value": "Eve"}]
        )
        chosen = await following(here, "puppeteer_select", selector="#size", value="l")
        pressed = await following(here, "interact", action="click", selector="button:has-text('Load more')", **tab)
        outline = await following(here, "browser_snapshot")
        logs = await following(here, "observe", what="console", **tab)
        title = await here.client.call("execute_javascript", function="() => document.title", **tab)

        assert [True] * 5 == [reply["success"] for reply in (typed, clicked, filled, chosen, pressed)]
        assert ["Eve", "l"] == await here.tab.evaluate("[by('name').value, by('size').value]")
    assert "25 items added, 1 attr changed" == clicked["dom_summary"]
    assert any("button" in line and ": Load more]" in line for line in outline["lines"])
    assert "logs" in logs
    assert "Interact" == title["result"]
