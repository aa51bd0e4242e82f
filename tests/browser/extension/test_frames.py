"""Actions in frames of other origins, which a selector of `frame` names."""

from typing import Any

import pytest

from browser.bridge_double import BridgeDouble
from browser.scene import Open
from gasoline_bridge.devtools import Tab

pytestmark = pytest.mark.usefixtures("acting")


@pytest.fixture
async def framed(visit: Open) -> Tab:
    """Open the page whose frames are of another origin."""
    return await visit("framed.html")


@pytest.fixture
async def framed_and_unchanged(look: Open) -> Tab:
    """Show that page to a test that leaves it as it is."""
    return await look("framed.html")


async def do(bridge: BridgeDouble, action: str, frame: str, **arguments: Any) -> dict[str, Any]:
    answer: dict[str, Any] = await bridge.result("interact", action=action, frame=frame, **arguments)
    return answer


async def refused(bridge: BridgeDouble, action: str, frame: str, **arguments: Any) -> dict[str, Any]:
    return await bridge.error("interact", action=action, frame=frame, **arguments)


@pytest.mark.requirement("actions-011")
@pytest.mark.usefixtures("framed")
async def test_an_action_is_done_and_measured_in_the_frame(bridge: BridgeDouble) -> None:
    typed = await do(bridge, "type", "#second", selector="#card", text="4111")
    clicked = await do(bridge, "click", "#second", selector="#go")
    read = await do(bridge, "get_text", "#second", selector="#seen")
    value = await do(bridge, "get_value", "#second", selector="#card")

    assert typed["success"]
    assert clicked["measured"]["url"].endswith("/framed-inner.html")
    assert "#seen" in clicked["measured"]["mutations"]["selectors"]
    assert ("paid", "4111") == (read["text"], value["value"])


async def test_neither_page_notices_how_the_frame_was_found(framed: Tab, bridge: BridgeDouble) -> None:
    await do(bridge, "click", "#second", selector="#go")
    inner = await do(bridge, "get_attribute", "#second", selector="html", attribute="data-messages")

    assert 0 == await framed.evaluate("messages")
    assert inner["value"] is None


FRAMES = [
    ("#near", "#go", "go"),
    ("#first", "#inner", "inner"),
    ("#second >>> #third", "#inner", "inner"),
    ("#host >>> #shadowed", "h1", None),
]


@pytest.mark.usefixtures("framed_and_unchanged")
@pytest.mark.parametrize(("frame", "selector", "expected"), FRAMES, ids=[row[0] for row in FRAMES])
async def test_a_frame_is_found_wherever_it_stands(
    bridge: BridgeDouble, frame: str, selector: str, expected: str | None
) -> None:
    assert expected == (await do(bridge, "get_attribute", frame, selector=selector, attribute="id"))["value"]


@pytest.mark.usefixtures("framed")
async def test_a_form_in_a_frame_is_filled_and_sent(bridge: BridgeDouble) -> None:
    fields = [{"selector": "#card", "value": "4111"}, {"selector": "label=Save", "checked": True}]
    await do(bridge, "fill_form", "#second", fields=fields, submit=True)

    assert "paid" == (await do(bridge, "get_text", "#second", selector="#seen"))["text"]


@pytest.mark.usefixtures("framed")
async def test_what_is_far_down_in_a_frame_is_brought_into_sight_and_clicked(bridge: BridgeDouble) -> None:
    await do(bridge, "click", "#second", selector="#down")

    assert "down" == (await do(bridge, "get_text", "#second", selector="#seen"))["text"]


@pytest.mark.usefixtures("framed")
async def test_what_can_be_worked_with_in_a_frame_is_named_for_that_frame_alone(bridge: BridgeDouble) -> None:
    elements = (await do(bridge, "list_interactive", "#second"))["elements"]
    (pay,) = [one for one in elements if one.get("name") == "Pay"]
    clicked = await do(bridge, "click", "#second", selector=f"ref={pay['ref']}")
    elsewhere = await bridge.error("interact", action="click", selector=f"ref={pay['ref']}")

    assert clicked["success"]
    assert "element_not_found" == elsewhere["code"]


@pytest.mark.usefixtures("framed")
async def test_a_frame_that_leaves_is_a_success(bridge: BridgeDouble) -> None:
    answer = await do(bridge, "click", "#second", selector="#leave")
    waited = await do(bridge, "wait_for", "#second", selector="h1")

    assert answer["success"]
    assert waited["success"]


REFUSED = [
    ("#none", "element_not_found"),
    ("#go", "invalid_params"),
    (".twin", "ambiguous_selector"),
    ("#second >>> #none", "element_not_found"),
    ("#host >>> #none", "element_not_found"),
    ("iframe..x", "invalid_params"),
    ("#dead", "frame_not_scriptable"),
]


@pytest.mark.usefixtures("framed_and_unchanged")
async def test_a_frame_that_cannot_be_reached_is_named(bridge: BridgeDouble) -> None:
    for frame, code in REFUSED:
        error = await refused(bridge, "click", frame, selector="#go")

        assert (code, "frame") == (error["code"], error["details"]["parameter"]), frame


@pytest.mark.usefixtures("framed_and_unchanged")
async def test_what_is_not_in_the_frame_is_not_taken_from_the_page(bridge: BridgeDouble) -> None:
    error = await refused(bridge, "click", "#first", selector="#seen")

    assert "element_not_found" == error["code"]
    assert "parameter" not in error["details"]
