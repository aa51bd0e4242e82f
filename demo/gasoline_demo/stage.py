"""Starts a system of its own for a show, and works the switches of the popup; it disturbs no other system."""

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec

from gasoline_bridge.devtools import Browser
from gasoline_broker.settings import Settings
from gasoline_demo import site

PILOT, BODIES = "#pilot-switch", "#bodies"  # switches of the popup


def apart(settings: Settings, home: Path) -> Settings:
    """Give the settings with folders below `home` and a free port."""
    return msgspec.structs.replace(settings, data_dir=home / "data", runtime_dir=home / "run", port=site.free_port())


@contextlib.asynccontextmanager
async def system(settings: Settings) -> AsyncIterator[None]:
    """Run `gasoline up` while the block runs."""
    environ = os.environ | settings.environ()
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    log = settings.log_file.open("wb")
    process = await asyncio.create_subprocess_exec(
        gasoline(), "up", env=environ, stderr=log, stdin=asyncio.subprocess.DEVNULL
    )
    try:
        yield
    finally:
        process.terminate()
        await process.wait()
        log.close()


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
