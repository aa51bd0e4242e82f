"""Starts a system of its own for a show, and works the switches of the popup; it disturbs no other system."""

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec

from gasoline_bridge.devtools import Browser
from gasoline_broker.errors import CannotStart
from gasoline_broker.settings import Settings
from gasoline_demo import site

PILOT, BODIES = "#pilot-switch", "#bodies"  # switches of the popup


def apart(settings: Settings, home: Path) -> Settings:
    """Give the settings with folders below `home` and a free port."""
    return msgspec.structs.replace(settings, data_dir=home / "data", runtime_dir=home / "run", port=site.free_port())


@contextlib.asynccontextmanager
async def system(settings: Settings) -> AsyncIterator[None]:
    """Run a system while the block runs; it is up when the block begins, so that no client starts a second one.

    Raises:
        CannotStart: it does not start; what it printed is in the text.

    """
    await command(settings, "up", "--detach")
    try:
        yield
    finally:
        await command(settings, "down")


async def command(settings: Settings, *arguments: str) -> str:
    """Run a command of ours, and give what it prints.

    Raises:
        CannotStart: it fails.

    """
    process = await asyncio.create_subprocess_exec(
        gasoline(),
        *arguments,
        env=os.environ | settings.environ(),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    printed, failure = await process.communicate()
    if process.returncode:
        raise CannotStart(f"`gasoline {' '.join(arguments)}` failed: {(failure or printed).decode().rstrip()}")
    return printed.decode().rstrip()


def gasoline() -> str:
    """Give the path of the command."""
    return str(Path(sys.executable).with_name("gasoline"))


async def switch_on(browser: Browser, switch: str) -> None:
    """Click on a switch of the popup that is off, as the user does."""
    popup = await browser.popup()
    element = f"document.querySelector('{switch}')"
    await popup.until(f"!{element}.disabled")
    if not await popup.evaluate(f"{element}.checked"):
        where = "(({ x, y, width, height }) => [x + width / 2, y + height / 2])"
        await popup.evaluate(f"{element}.scrollIntoView()")
        x, y = await popup.evaluate(f"{where}({element}.getBoundingClientRect())")
        for kind in ("mousePressed", "mouseReleased"):
            await popup.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        await popup.until(STORED[switch])
    await popup.close()


STORED = {
    PILOT: "chrome.storage.sync.get('aiWebPilotEnabled').then((stored) => stored.aiWebPilotEnabled)",
    BODIES: "chrome.storage.local.get('captureNetworkBodies').then((stored) => stored.captureNetworkBodies)",
}
