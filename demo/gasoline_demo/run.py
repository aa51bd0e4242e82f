"""Runs the demonstration: starts the system, a browser and a client, calls, prints, kills, and leaves nothing behind.

Rules of this file:
- It has folders and a port of its own: a system that you are running is neither used nor disturbed.
- Every answer is judged; one that is wrong makes the demonstration fail.
- With a screen the browser stays open at the end; without one it runs headless and is closed.
"""

import asyncio
import contextlib
import os
import shutil
import signal
import tempfile
import time
from pathlib import Path
from typing import Any

import click
import msgspec
from mcp import Client, StdioServerParameters
from mcp_types import TextContent

from gasoline_bridge import installed
from gasoline_bridge.devtools import Browser, Tab, find_executable
from gasoline_broker.errors import CannotStart
from gasoline_broker.settings import Settings
from gasoline_demo import person, site, stage
from gasoline_demo.administration import administration
from gasoline_demo.load_under_kills import load_under_kills
from gasoline_demo.steps import (
    ACTING,
    AFTER_A_KILL,
    ASKED,
    AUDITED,
    BEFORE_THE_SWITCH,
    DRAWN,
    EDITED,
    ISSUED,
    KEPT,
    KILLED,
    MARKS,
    ORDERED,
    POINTING,
    REGRESSED,
    RESTORING,
    SAVING,
    STEPS,
    UNCHANGED,
    Step,
    one_handle,
)

READY_S = 30.0
SEEN_S = 0.5  # until what a page has just fetched is captured, with its body
SCALED = "redaction"
SHOWN = 1_000  # characters of an answer that are printed
FINDINGS = 5


class Demo:
    """One run: what failed so far, and the client's session."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.failures = 0
        self.calls = 0
        self.client: Client

    async def show(self, step: Step) -> dict[str, Any]:
        """Make a call, print it, judge its answer, and return that."""
        begun = time.perf_counter()
        reply, failed = await self.call(step)
        took_ms = (time.perf_counter() - begun) * 1000
        try:
            good = failed == step.failed and step.good(reply)
        except (KeyError, IndexError, TypeError):
            good = False
        self.calls += 1
        self.failures += not good
        mark = click.style("✓", fg="green") if good else click.style("✗", fg="red")
        text = msgspec.json.encode(reply).decode()
        click.echo(f"\n{mark} {click.style(step.title, bold=True)}")
        click.echo(f"  {step.tool}({msgspec.json.encode(step.arguments).decode()})")
        click.echo(f"  {text if len(text) <= SHOWN else text[:SHOWN] + '…'}")
        click.echo(click.style(f"  {took_ms:.1f} ms, {len(text)} bytes", dim=True))
        return reply

    async def call(self, step: Step) -> tuple[dict[str, Any], bool]:
        """Call a tool by the real client, and give the reply and whether it is an error."""
        result = await self.client.call_tool(step.tool, step.arguments)
        content = result.content[0]
        text = content.text if isinstance(content, TextContent) else "{}"
        reply: dict[str, Any] = msgspec.json.decode(text)
        return reply, bool(result.is_error)

    async def status(self) -> dict[str, Any]:
        """Give the answer of `observe(what:"status")`."""
        return (await self.call(STEPS[0]))[0]

    async def connected(self) -> None:
        """Wait until Chrome is connected.

        Raises:
            CannotStart: it is not, after 30 s.

        """
        until = time.monotonic() + READY_S
        while not (await self.status()).get("extension", {}).get("connected"):
            if time.monotonic() > until:
                raise CannotStart(f"The extension did not connect within {READY_S:g} s.")
            await asyncio.sleep(0.05)

    async def kill(self, service: str) -> None:
        """Kill a process of the system, as a fault would, and show that the next call works."""
        pids = {row["service"]: row["pid"] for row in (await self.status())["processes"]}
        os.kill(pids[service], signal.SIGKILL)
        await self.show(
            AFTER_A_KILL._replace(title=f"The {service} process was just killed (kill -9): the next call works")
        )

    async def pilot(self, browser: Browser, shop: Tab, code: site.Shop) -> None:
        """Show what an assistant may do once the user has switched AI Web Pilot on, and what is written down of it."""
        await self.show(BEFORE_THE_SWITCH)
        await stage.switch_on(browser, stage.PILOT)
        await shop.activate()
        for step in (*POINTING, *ACTING):
            await self.show(step)
        await self.audit()
        await self.draw(shop)
        code.edit()
        await self.show(EDITED)
        await self.show(KEPT)
        await self.show(UNCHANGED)
        code.undo()
        await self.show(REGRESSED)
        await shop.evaluate("document.querySelector('[data-sku=mug-07] button').click()")
        await stage.switch_on(browser, stage.BODIES)
        await shop.activate()
        await _go(shop, "document.querySelector('#login').submit()")
        await shop.until(ORDERED)
        await asyncio.sleep(SEEN_S)
        for step in (*one_handle(await shop.evaluate(ISSUED)), *SAVING):
            await self.show(step)
        await shop.evaluate("localStorage.clear()")
        await _go(shop, "location.href = '/logout'")
        for step in RESTORING:
            await self.show(step)
        click.echo("\n" + await stage.command(self.settings, "audit"))

    async def audit(self) -> None:
        """Have the shop's own faults found, and print what matters; nothing is put right."""
        reply = await self.show(AUDITED)
        for finding in reply.get("findings", [])[:FINDINGS]:
            place = finding["affected"][0]
            where, fix = (place.get("selector"), place.get("fix")) if isinstance(place, dict) else (place, "")
            click.echo(f"  {finding['severity']:<9} {finding['message']}\n{'':<12}{where}: {fix or finding.get('fix')}")

    async def draw(self, shop: Tab) -> None:
        """Have a person draw on the shop, and the assistant read what they meant."""
        await shop.evaluate("scrollTo(0, 0)")
        await self.show(ASKED)
        for selector, text in MARKS.items():
            await person.draw(shop, selector, text)
        await person.leave(shop)
        await self.show(DRAWN)

    async def kill_under_load(self) -> None:
        """Kill one of two redaction processes every second, and show that no call fails."""
        async with asyncio.timeout(READY_S):
            await stage.command(self.settings, "scale", f"{SCALED}=2")

        async def call() -> bool:
            reply, failed = await self.call(AFTER_A_KILL)
            return not failed and AFTER_A_KILL.good(reply)

        async def victims() -> list[int]:
            return [row["pid"] for row in (await self.status())["processes"] if row["service"] == SCALED]

        load = await load_under_kills(call, victims)
        self.calls += load.right + load.wrong
        self.failures += load.wrong
        mark = click.style("✗", fg="red") if load.wrong else click.style("✓", fg="green")
        title = click.style(
            f"One of two {SCALED} processes is killed every second, under calls from four sides", bold=True
        )
        click.echo(f"\n{mark} {title}\n  {load}\n")
        click.echo(await stage.command(self.settings, "status"))


async def _go(shop: Tab, script: str) -> None:
    """Have the user leave the page, and wait until the shop shows the account."""
    await shop.send("Page.enable")
    async with shop.expect("Page.loadEventFired"):
        await shop.evaluate(script)
    await shop.until("document.querySelector('#who').textContent.includes('signed in')")


def run(settings: Settings) -> int:
    """Show everything, and give the exit code: 0 when every answer was right; ended by SIGTERM, it cleans up first."""
    home = Path(tempfile.mkdtemp(prefix="gasoline-demo-"))
    settings = stage.apart(settings, home)
    screen = bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    try:
        demo = asyncio.run(_run(settings, screen=screen))
    except asyncio.CancelledError:
        return 128 + signal.SIGTERM
    finally:
        if not screen:
            shutil.rmtree(home, ignore_errors=True)
    _conclude(demo, screen=screen)
    return 1 if demo.failures else 0


async def _run(settings: Settings, *, screen: bool) -> Demo:
    demo = Demo(settings)
    if this := asyncio.current_task():
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, this.cancel)
    find_executable(settings.chromium)  # before anything is started
    click.echo("Starting every process of the Procfile, and a browser with the extension …")
    extension = installed.install(settings)
    async with contextlib.AsyncExitStack() as stack:
        starting = asyncio.create_task(stack.enter_async_context(administration(settings)))
        await stack.enter_async_context(stage.system(settings))
        code = await stack.enter_async_context(site.serve())
        browser = await Browser.launch(extension, headless=not screen, executable=settings.chromium)
        stack.push_async_callback(browser.leave if screen else browser.close)
        shop = await browser.new_tab(code.address)
        await shop.activate()
        server = StdioServerParameters(command=stage.gasoline(), args=["mcp"], env=settings.environ())
        demo.client = await stack.enter_async_context(Client(server))
        click.echo(f"A client is connected: {', '.join(tool.name for tool in (await demo.client.list_tools()).tools)}.")
        await demo.connected()
        for step in STEPS:
            await demo.show(step)
        await demo.pilot(browser, shop, code)
        address, steps = await starting
        tab = await browser.new_tab(address)
        await tab.activate()
        for step in steps:
            await demo.show(step)
        await tab.close()
        await shop.activate()
        for service in KILLED:
            await demo.kill(service)
        await demo.kill_under_load()
    return demo


def _conclude(demo: Demo, *, screen: bool) -> None:
    good = demo.calls - demo.failures
    click.echo(f"\n{good} of {demo.calls} answers were right.")
    if screen:
        variables = " ".join(
            f"{name}={value}" for name, value in demo.settings.environ().items() if "_DIR" in name or "_PORT" in name
        )
        click.echo(f"The browser is still open; `{variables} {stage.gasoline()} up` connects it again.")
    command = stage.gasoline()
    click.echo(
        f"""
Connect your own browser:
  {command} extension install      then load the folder it prints at chrome://extensions (Developer mode, Load unpacked)
Connect your own assistant:
  {command} install CLIENT         claude-code, codex, gemini, cursor, vscode, ...; `{command} install` lists them"""
    )
