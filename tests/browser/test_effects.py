"""What an action caused is read by its id, also what came after its reply; what it broke for some is told at once."""

from typing import Any

import msgspec
import pytest

from browser.assisted import Scene, at
from browser.user import pilot
from gasoline_bridge.devtools import Browser, until
from gasoline_bridge.front.reply_schemas import EffectReply
from gasoline_broker.settings import Settings

BOUND_S = 12.0


async def effect(here: Scene, wanted: str, **more: Any) -> dict[str, Any]:
    """Read an effect, and hold it to its documented shape."""
    found = await here.client.call("observe", what="effects", id=wanted, tab_id=here.number, **more)
    msgspec.convert(found, EffectReply)
    return found


async def closed(here: Scene, wanted: str, **more: Any) -> dict[str, Any]:
    """Read an effect until its window is closed."""

    async def look() -> dict[str, Any] | None:
        found = await effect(here, wanted, **more)
        return None if found.get("open") else found

    found: dict[str, Any] | None = await until(look, "the effect to end", BOUND_S)
    assert found is not None
    return found


@pytest.mark.requirement("actions-019")
async def test_what_came_after_the_reply_is_read_by_the_effect_s_id(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}effects.html?late") as here:
        reply = await here.do("click", selector="#slow")
        early = await effect(here, reply["effect"])
        late = await closed(here, reply["effect"])

    assert early["open"]
    assert ["duration_ms" in one for one in early["requests"]] == [False]
    (request,) = late["requests"]
    assert (200, True) == (request["status"], 900 < request["duration_ms"] < 6_000)
    assert "planted-secret-8Kd72hQz" not in str(late)
    assert ["answered"] == [one["text"] for one in late["console"]]
    assert [("localStorage", "set", ["late"], True)] == [
        (one["area"], one["change"], one["names"], one.get("late")) for one in late["storage"]
    ]
    assert "1 added, 1 text changed" == late["late_dom"]["summary"]
    assert late["console"][0]["after_ms"] > late["settled_ms"]


@pytest.mark.requirement("actions-020")
async def test_a_route_an_image_and_an_error_that_come_late_are_of_the_action(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}effects.html?routes") as here:
        routed = await closed(here, (await here.do("click", selector="#routes"))["effect"])
        shown = await closed(here, (await here.do("click", selector="#asks"))["effect"])
        broken = await closed(here, (await here.do("click", selector="#chain"))["effect"])

    (route,) = routed["routes"]
    assert ("hash", True) == (route["navigation"], route["after_ms"] >= 300)
    assert route["url"].endswith("#late-route")
    assert [("image", 404)] == [(one["kind"], one["status"]) for one in shown["requests"]]
    assert "resource" in [one["kind"] for one in shown["errors"]]
    assert [404, 200, 200, 200] == [one["status"] for one in broken["requests"]]
    assert "broken in the end" in str(broken["errors"])


async def test_an_effect_is_read_with_the_switch_off_and_an_unknown_one_is_not_found(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}effects.html?unknown") as here:
        reply = await here.do("click", selector="#stores")
        await pilot(chrome, on=False)
        found = await closed(here, reply["effect"])
        fault = await here.client.error("observe", what="effects", id="nobody")
        missing = await here.client.error("observe", what="effects")

    assert len(msgspec.json.encode(reply)) <= 200
    assert {"came", "kept", "goes", "tabbed", "basket"} == {name for one in found["storage"] for name in one["names"]}
    assert "planted-value" not in str(found)
    assert "not_found" == fault["code"]
    assert "invalid_params" == missing["code"]


async def test_what_an_action_broke_is_reported_within_the_budget(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}effects.html?a11y") as here:
        reply = await here.do("click", selector="#breaks", a11y=True)
        again = await here.do("click", selector="#breaks", a11y=True, budget=512)

    assert {"image-alt", "button-name", "aria-roles"} <= {rule["id"] for rule in reply["a11y"]["new"]}
    assert len(msgspec.json.encode(again)) <= 512
    assert reply["dom_summary"]


@pytest.mark.requirement("applications-046", "applications-047")
async def test_the_messages_of_a_websocket_are_of_the_action_and_binary_ones_are_decoded(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}sockets.html") as here:
        await here.tab.until("document.title === 'Connected'")
        texts = await here.do("click", selector="#text")
        (text,) = (await effect(here, texts["effect"]))["websockets"]
        packed = await here.do("click", selector="#packed")
        (binary,) = (await effect(here, packed["effect"]))["websockets"]
        kept = await here.client.call("get_websocket_events", tab_id=here.number, limit=2)

    assert (2, 1, 1) == (texts["websocket_frames"], text["sent"], text["received"])
    assert text["url"].endswith("/api/socket")
    assert ["incoming", "outgoing"] == [one["direction"] for one in text["frames"]]
    assert all(one["data"].startswith('{"op": "list"') and one["data"].endswith("…") for one in text["frames"])
    assert all('"op": "save"' in one["data"] for one in binary["frames"])
    assert [("[Binary: 42 bytes]", "msgpack")] * 2 == [(one["data"], one["format"]) for one in kept["events"]]
    assert "planted-secret-8Kd72hQz" not in str((binary, kept))
