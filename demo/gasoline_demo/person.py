"""A person who draws on a page in Draw Mode: with a mouse, and with what they type."""

from gasoline_bridge.devtools import Tab

MARGIN = 4
BOX = "(({{ x, y, width, height }}) => [x, y, width, height])(({}).getBoundingClientRect())"


async def draw(tab: Tab, selector: str, text: str) -> None:
    """Draw around an element, and write what is meant."""
    await draw_around(tab, *await tab.evaluate(BOX.format(f"document.querySelector({selector!r})")))
    await write(tab, text)


async def draw_around(tab: Tab, x: float, y: float, width: float, height: float, margin: float = MARGIN) -> None:
    """Draw a rectangle with a margin around a box."""
    begin, end = (x - margin, y - margin), (x + width + margin, y + height + margin)
    for kind, (left, top) in (("mousePressed", begin), ("mouseMoved", end), ("mouseReleased", end)):
        buttons = {"buttons": 1} if kind == "mouseMoved" else {"button": "left", "buttons": 1, "clickCount": 1}
        await tab.send("Input.dispatchMouseEvent", type=kind, x=left, y=top, **buttons)


async def move(tab: Tab, x: float, y: float) -> None:
    """Move the mouse to a place."""
    await tab.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)


async def write(tab: Tab, text: str) -> None:
    """Write what is meant, and confirm it."""
    await tab.send("Input.insertText", text=text)
    await press(tab, "Enter", 13)


async def leave(tab: Tab) -> None:
    """Leave Draw Mode."""
    await press(tab, "Escape", 27)


async def press(tab: Tab, key: str, code: int) -> None:
    """Press a key."""
    for kind in ("keyDown", "keyUp"):
        await tab.send("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code)
