"""Dialogs and real input as an assistant meets them: short replies, at once, that say what to do next."""

import time
from typing import Any

import msgspec
import pytest

from browser.scene import page
from browser.user import number_of, pilot
from gasoline_bridge.devtools import Browser
from gasoline_broker.settings import Settings
from system import assistant

Reply = dict[str, Any]


@pytest.mark.requirement("actions-013")
async def test_a_dialog_is_reported_at_once_and_answered_in_few_words(
    live: Settings, chrome: Browser, pages: str
) -> None:
    await pilot(chrome, on=True)
    async with assistant(live) as client, page(chrome, f"{pages}dialogs.html?mcp") as tab:
        number = await number_of(client, tab)
        begun = time.monotonic()
        error = await client.error("interact", action="click", selector="#prompts", tab_id=number)
        took_s = time.monotonic() - begun
        reply = await client.call("interact", action="dialog", accept=True, text="Grace", tab_id=number)
        said = await tab.evaluate("said")

    assert ("dialog_open", "prompt", "Your name?") == (
        error["code"],
        error["details"]["type"],
        error["details"]["message"],
    )
    assert took_s < 6
    assert {"success", "action", "dialog", "effect", "seq", "timing_ms", "dom_summary", "messages"} == reply.keys()
    assert ("prompt", ['["Grace"]'], "1 text changed") == (reply["dialog"], reply["messages"], reply["dom_summary"])
    assert ["Grace"] == said


async def test_a_trusted_click_is_measured_as_any_other_in_200_bytes(
    live: Settings, chrome: Browser, pages: str
) -> None:
    await pilot(chrome, on=True)
    async with assistant(live) as client, page(chrome, f"{pages}interact.html?mcp") as tab:
        number = await number_of(client, tab)
        reply = await client.call("interact", action="click", selector="#more", trusted=True, tab_id=number)

    assert {"success", "action", "effect", "seq", "timing_ms", "dom_summary"} == reply.keys()
    assert "25 items added, 1 attr changed" == reply["dom_summary"]
    assert len(msgspec.json.encode(reply)) <= 200
