"""AI Web Pilot from a real assistant's call to the real page: off until the human has it on, in turns, written down."""

import time
from typing import Any

import msgspec
import pytest

from browser.scene import page
from browser.user import number_of, pilot
from gasoline_bridge.demo.chromium import Browser, until
from gasoline_broker.settings import Settings
from system import Assistant, assistant, gasoline

Reply = dict[str, Any]

OFF = "Enable 'AI Web Pilot' in extension popup to use this tool"
GATED: list[tuple[str, Reply]] = [
    ("configure", {"action": "lease"}),
]


def audit(settings: Settings) -> list[Reply]:
    """Read the audit trail as a program does, newest first."""
    shown = gasoline(settings, "audit", "--json")
    assert shown.returncode == 0, shown.stderr
    calls: list[Reply] = msgspec.json.decode(shown.stdout)
    return calls


@pytest.mark.parametrize(
    ("tool", "arguments"), GATED, ids=lambda one: one if isinstance(one, str) else one.get("action", "")
)
async def test_while_it_is_off_what_acts_is_refused_and_written_down(
    live: Settings, chrome: Browser, tool: str, arguments: Reply
) -> None:
    await pilot(chrome, on=False)
    async with assistant(live, name="ann") as client:
        error = await client.error(tool, **arguments)

    assert ("ai_web_pilot_disabled", OFF) == (error["code"], error["message"])
    assert ("ann", "ai_web_pilot_disabled") == (audit(live)[0]["client"], audit(live)[0]["outcome"])


async def test_a_tab_that_one_assistant_keeps_is_not_another_s(live: Settings, chrome: Browser, pages: str) -> None:
    await pilot(chrome, on=True)
    async with (
        assistant(live, name="ann") as ann,
        assistant(live, name="bob") as bob,
        page(chrome, f"{pages}capture.html?leased") as tab,
    ):
        number = await number_of(ann, tab)
        leased = await ann.call("configure", action="lease", ttl_s=60, tab_id=number)
        error = await bob.error("configure", action="lease", tab_id=number)
        released = await ann.call("configure", action="release", tab_id=number)
        after = await bob.call("configure", action="lease", tab_id=number)
    async with assistant(live, name="cid") as cid, page(chrome, f"{pages}capture.html?again") as tab:
        number = await number_of(cid, tab)
        calls = audit(live)

    assert {"success": True, "tab_id": number - 1, "expires_in_s": 60} | {"tab_id": leased["tab_id"]} == leased
    assert ("tab_leased", "ann") == (error["code"], error["details"]["holder"])
    assert 55 < error["details"]["expires_in_s"] <= 60
    assert {"success": True, "released": [leased["tab_id"]]} == released
    assert after["success"]
    assert [("bob", "done"), ("bob", "tab_leased"), ("ann", "done")] == [
        (call["client"], call["outcome"]) for call in calls[:3]
    ]


async def test_a_session_that_ends_gives_its_tabs_back(live: Settings, chrome: Browser, pages: str) -> None:
    await pilot(chrome, on=True)
    async with assistant(live, name="bob") as bob, page(chrome, f"{pages}capture.html?left") as tab:
        number = await number_of(bob, tab)
        async with assistant(live, name="ann") as ann:
            await ann.call("configure", action="lease", ttl_s=300, tab_id=number)
        begun = time.monotonic()

        leased = await bob.call("configure", action="lease", tab_id=number)

    assert leased["success"]
    assert time.monotonic() - begun < 5


async def test_the_status_says_whether_it_is_on(live: Settings, chrome: Browser) -> None:
    async with assistant(live) as client:
        for on in (True, False):
            await pilot(chrome, on=on)

            await until(lambda on=on: _is(client, on), "the status to follow the switch", 1)  # type: ignore[misc]


async def _is(client: Assistant, on: bool) -> bool:  # noqa: FBT001 - what it is compared with
    status = await client.call("observe", what="status")
    return status["extension"].get("ai_web_pilot") is on
