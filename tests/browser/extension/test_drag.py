"""A drag in real pages: HTML's own, and what libraries make of the pointer."""

from typing import Any

import pytest

from browser.bridge_double import BridgeDouble
from browser.scene import Open

pytestmark = pytest.mark.usefixtures("acting")


async def drag(bridge: BridgeDouble, selector: str, to: str) -> dict[str, Any]:
    answer: dict[str, Any] = await bridge.result("interact", action="drag", selector=selector, to=to)
    return answer


async def refused(bridge: BridgeDouble, selector: str, to: str) -> dict[str, Any]:
    return await bridge.error("interact", action="drag", selector=selector, to=to)


@pytest.mark.requirement("actions-002")
async def test_what_is_draggable_is_carried_with_its_data_and_dropped(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drag.html")
    answer = await drag(bridge, "#one", "#takes")
    heard = await tab.evaluate("heard.filter((one) => /dragstart|pointercancel|takes|dragend/.test(one))")

    expected = ["dragstart one", "pointercancel one", "dragenter takes", "dragover takes", "drop takes"]
    assert expected == heard[:5]
    assert "one" == await tab.evaluate("by('takes').textContent")
    assert answer["success"]
    assert "removed" in str(answer) or answer["measured"]["mutations"]["children"]["came"].count(0) > 0


async def test_what_the_page_does_not_take_is_not_dropped_and_reported(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drag.html")
    error = await refused(bridge, "#two", "#refuses")
    heard = await tab.evaluate("heard")

    assert ("drop_refused", "to") == (error["code"], error["details"]["parameter"])
    assert "dragend two" == heard[-1]
    assert not [one for one in heard if one.startswith("drop")]


@pytest.mark.requirement("actions-002")
async def test_a_slider_follows_the_pointer_all_the_way(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drag.html")
    await drag(bridge, "#knob", "#end")
    left, moves = await tab.evaluate("[parseFloat(by('knob').style.left), moves]")

    assert 385 <= left <= 395
    assert moves >= 8


async def test_a_library_that_needs_a_moment_to_lift_has_it(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drag.html")
    await drag(bridge, "#loose", "#bin")

    assert "bin" == await tab.evaluate("by('loose').parentElement.id")


async def test_what_goes_away_when_it_is_pressed_ends_the_drag(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drag.html")
    answer = await drag(bridge, "#goes", "#bin")

    assert answer["success"]
    assert await tab.evaluate("by('goes') === null")


REFUSED = [
    ("#none", "#bin", "element_not_found", "selector"),
    ("#one", "#none", "element_not_found", "to"),
    ("#one", ".twin", "ambiguous_selector", "to"),
    ("#one", "#one", "invalid_params", "to"),
    ("#one", "iframe >>> #inner", "invalid_params", "to"),
    ("#one", "#far", "element_not_visible", "to"),
    ("#one", "li..x", "invalid_params", "to"),
]


async def test_what_cannot_be_dragged_names_the_end_that_is_wrong(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drag.html")
    for selector, to, code, blamed in REFUSED:
        error = await refused(bridge, selector, to)

        assert (code, blamed) == (error["code"], error["details"].get("parameter", "selector")), (selector, to)
        assert (blamed == "to") == error["message"].startswith("to"), (selector, to)
    assert [] == await tab.evaluate("heard")


async def test_a_drag_that_is_cancelled_lets_go(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drag.html")
    number = await bridge.command("interact", {"action": "drag", "selector": "#two", "to": "#takes"})
    await tab.until("heard.includes('dragstart two')")
    await bridge.say({"type": "cancel", "id": number})
    await tab.until("heard.includes('dragend two')")

    assert not [one for one in await tab.evaluate("heard") if one.startswith("drop")]
