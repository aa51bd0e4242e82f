"""Clicks and types in a page as a user does, so that its events are trusted; it must run no handler itself."""

from typing import Final

from gasoline_bridge.devtools import Tab

KEYS: Final = {
    "Enter": 13,
    "Escape": 27,
    "Tab": 9,
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
    "Delete": 46,
}
"""The codes of the keys that write nothing."""


async def click(tab: Tab, selector: str) -> None:
    """Click as a user does."""
    await click_at(tab, f"document.querySelector({selector!r})")


async def click_at(tab: Tab, element: str) -> None:
    """Click, as a user does, on what an expression gives."""
    x, y = await tab.evaluate(f"(e => [e.left + e.width / 2, e.top + e.height / 2])({element}.getBoundingClientRect())")
    for kind in ("mousePressed", "mouseReleased"):
        await tab.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


async def type_text(tab: Tab, selector: str, text: str) -> None:
    """Type into a field as a user does, and leave it."""
    await click(tab, selector)
    await tab.send("Input.insertText", text=text)
    await press(tab, "Tab")


async def press(tab: Tab, key: str, modifiers: int = 0, text: str = "") -> None:
    """Press a key as a user does."""
    code = KEYS.get(key, ord(key.upper()[0]))
    for kind in ("keyDown", "keyUp"):
        more = {"text": text} if text and kind == "keyDown" else {}
        await tab.send(
            "Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, modifiers=modifiers, **more
        )
