"""Draw Mode: a person draws on a page with mouse, keyboard and touch, and the assistant gets what was meant."""

from typing import Any

import pytest

from browser.bridge_double import BridgeDouble, Message
from browser.input import press
from browser.scene import Open
from gasoline_bridge.devtools import Tab

pytestmark = pytest.mark.usefixtures("acting", "fresh_tab")


async def start(bridge: BridgeDouble) -> Message:
    answer: Message = await bridge.result("interact", action="draw_mode_start")
    return answer


async def mouse(tab: Tab, kind: str, x: float, y: float) -> None:
    pressed = {"button": "left", "buttons": 1, "clickCount": 1} if kind != "mouseMoved" else {"buttons": 1}
    await tab.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **pressed)


async def draw(tab: Tab, x: float, y: float, width: float, height: float) -> None:
    """Draw a rectangle with the mouse."""
    await mouse(tab, "mousePressed", x, y)
    await mouse(tab, "mouseMoved", x + width / 2, y + height / 2)
    await mouse(tab, "mouseReleased", x + width, y + height)


async def write(tab: Tab, text: str) -> None:
    await tab.send("Input.insertText", text=text)


async def around(tab: Tab, element: str, margin: float = 3) -> tuple[float, float, float, float]:
    """Give the box of an element, with a margin; `element`: an expression."""
    box: list[float] = await tab.evaluate(
        f"(() => {{ const {{ x, y, width, height }} = ({element}).getBoundingClientRect(); return [x, y, width, height] }})()"
    )
    x, y, width, height = box
    return x - margin, y - margin, width + 2 * margin, height + 2 * margin


async def ended(bridge: BridgeDouble) -> Message:
    (event,) = await bridge.until_stored(type="drawing", phase="ended")
    return event


async def test_what_a_person_draws_and_types_reaches_the_server(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drawn.html")

    begun = await start(bridge)
    again = await start(bridge)
    await draw(tab, *await around(tab, "buy"))
    await write(tab, "This button should be darker")
    await press(tab, "Enter")
    await draw(tab, *await around(tab, "document.getElementById('title')"))
    await write(tab, "Larger")
    await press(tab, "Escape")
    await press(tab, "Escape")
    event = await ended(bridge)

    assert ("pending", "already_active") == (begun["status"], again["status"])
    assert begun["correlation_id"] == event["session"]
    texts: list[Any] = [(one["text"], one["element_summary"], one["selector"]) for one in event["annotations"]]
    assert [
        ("This button should be darker", "button.btn-primary 'Buy now'", "#buy"),
        ("Larger", "h1 'Checkout'", "#title"),
    ] == texts
