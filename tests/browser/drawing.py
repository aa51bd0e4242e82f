"""A person who draws in Draw Mode, by real input, and what the overlay shows them; it must judge nothing."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from browser.bridge_double import BridgeDouble, Message
from browser.input import press
from gasoline_bridge.devtools import Tab

CTRL: Final = 2
SHIFT: Final = 8

DRAWING: Final = "![...document.querySelectorAll('html, body, body *')].includes(document.elementFromPoint(5, 5))"
"""The overlay has the page: then the page's own elements are out of reach."""

Point = tuple[float, float]


class Box(NamedTuple):
    """A rectangle of the viewport."""

    x: float
    y: float
    width: float
    height: float

    @property
    def end(self) -> Point:
        """Give the lower right corner."""
        return self.x + self.width, self.y + self.height

    @property
    def middle(self) -> Point:
        """Give the point in the middle."""
        return self.x + self.width / 2, self.y + self.height / 2


async def start(bridge: BridgeDouble) -> Message:
    """Ask for Draw Mode, as an assistant does."""
    answer: Message = await bridge.result("interact", action="draw_mode_start")
    return answer


async def ended(bridge: BridgeDouble, begun: Message) -> Message:
    """Wait for the end of a session, and give what it reported."""
    (event,) = await bridge.until_stored(type="drawing", phase="ended", id=begun["correlation_id"])
    return event


async def finish(tab: Tab, bridge: BridgeDouble, begun: Message) -> Message:
    """Leave with Escape, and give what the session reported."""
    await press(tab, "Escape")
    return await ended(bridge, begun)


async def around(tab: Tab, element: str, margin: float = 3) -> Box:
    """Give the box of an element, with a margin; `element`: an expression."""
    box: list[float] = await tab.evaluate(
        f"(({{ x, y, width, height }}) => [x, y, width, height])(({element}).getBoundingClientRect())"
    )
    x, y, width, height = box
    return Box(x - margin, y - margin, width + 2 * margin, height + 2 * margin)


async def drag(tab: Tab, *points: Point, pointer: str = "mouse") -> None:
    """Press at the first point, lead through the others, let go at the last."""
    first, *_, last = points
    steps = [("mousePressed", first), *(("mouseMoved", point) for point in points[1:]), ("mouseReleased", last)]
    for kind, (x, y) in steps:
        button = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
        await tab.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, buttons=1, pointerType=pointer, **button)


async def drag_by_finger(tab: Tab, *points: Point) -> None:
    """Do the same on a touch screen."""
    for at, (x, y) in enumerate(points):
        kind = "touchMove" if at else "touchStart"
        await tab.send("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y}])
    await tab.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


async def draw(tab: Tab, x: float, y: float, width: float, height: float) -> None:
    """Draw a rectangle with the mouse."""
    await drag(tab, (x, y), (x + width / 2, y + height / 2), (x + width, y + height))


async def write(tab: Tab, text: str) -> None:
    """Write into what has the focus."""
    await tab.send("Input.insertText", text=text)


async def annotate(tab: Tab, box: Sequence[float], text: str) -> None:
    """Draw a rectangle, write what is meant, and confirm it."""
    x, y, width, height = box
    await draw(tab, x, y, width, height)
    await write(tab, text)
    await press(tab, "Enter")


async def hover(tab: Tab, point: Point) -> None:
    """Have the mouse over a point, with no button pressed."""
    await tab.send("Input.dispatchMouseEvent", type="mouseMoved", x=point[0], y=point[1])


async def click(tab: Tab, point: Point, times: int = 1) -> None:
    """Click at a point, once or twice."""
    x, y = point
    for count in range(1, times + 1):
        for kind in ("mousePressed", "mouseReleased"):
            await tab.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=count)


async def shown(tab: Tab) -> dict[str, Message]:
    """Give the buttons and fields of the overlay by name, as assistive technology gets them."""
    nodes: list[Any] = (await tab.send("Accessibility.getFullAXTree"))["nodes"]
    return {
        node["name"]["value"]: {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
        | {"node": node["backendDOMNodeId"]}
        for node in nodes
        if not node["ignored"] and node["role"]["value"] in {"button", "textbox"}
    }


async def focused(tab: Tab) -> str:
    """Give the name of the button or field of the overlay that has the focus, if one has it."""
    return next((name for name, state in (await shown(tab)).items() if state.get("focused")), "")


async def marked(tab: Tab) -> list[str]:
    """Give the names of the annotations, in their order."""
    return [name for name in await shown(tab) if name[0].isdigit()]


async def box_of(tab: Tab, name: str) -> Box:
    """Give the box of a button or field of the overlay."""
    model = await tab.send("DOM.getBoxModel", backendNodeId=(await shown(tab))[name]["node"])
    left, top, _, _, right, bottom, *_ = model["model"]["content"]
    return Box(left, top, right - left, bottom - top)


async def choose(tab: Tab, name: str) -> None:
    """Click on a button of the overlay."""
    await click(tab, (await box_of(tab, name)).middle)
