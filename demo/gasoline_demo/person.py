"""A person who draws on a page in Draw Mode: with a mouse, and with what they type."""

from gasoline_bridge.devtools import Tab

MARGIN = 4


async def draw(tab: Tab, selector: str, text: str) -> None:
    """Draw around an element, and write what is meant."""
    x, y, width, height = await tab.evaluate(
        f"(({{ x, y, width, height }}) => [x, y, width, height])"
        f"(document.querySelector({selector!r}).getBoundingClientRect())"
    )
    corners = (x - MARGIN, y - MARGIN), (x + width + MARGIN, y + height + MARGIN)
    steps = (("mousePressed", corners[0]), ("mouseMoved", corners[1]), ("mouseReleased", corners[1]))
    for kind, (left, top) in steps:
        buttons = {"buttons": 1} if kind == "mouseMoved" else {"button": "left", "buttons": 1, "clickCount": 1}
        await tab.send("Input.dispatchMouseEvent", type=kind, x=left, y=top, **buttons)
    await tab.send("Input.insertText", text=text)
    await press(tab, "Enter", 13)


async def leave(tab: Tab) -> None:
    """Leave Draw Mode."""
    await press(tab, "Escape", 27)


async def press(tab: Tab, key: str, code: int) -> None:
    """Press a key."""
    for kind in ("keyDown", "keyUp"):
        await tab.send("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code)
