"""Holds what was asked of the extension until it has answered; knows nothing of HTTP.

Rules of this file:
- A command keeps its id however often it is sent: the extension runs an id once and answers again from memory.
- After a reconnect every open command is sent again: what acts only to the life of the extension's worker that had it,
  whose memory is sure; another may be another browser's. Its outcome is unknown then, and if nobody is back in time.
- Without an extension a command waits for one only shortly after the link was lost or this process began: a link that
  was cut is back within a second.
- What acts is for the extension alone, where the human's switch is: no client that polls gets it. While that switch is
  known to be off, the answer is given here; whoever thinks it is on may be wrong, and the extension decides.
"""

import asyncio
import secrets
import time
from collections.abc import Callable
from typing import Any

import msgspec
import structlog

from gasoline_bridge.chrome.link import ABSENT, Cancel, Client, Command, Fault, Hello, Result
from gasoline_broker.errors import fail

RETURN_S = 2.5  # a link that was cut is back within 1 s; a bridge that was killed needs one more to start
MARGIN_MS = 200  # what is left of a call's time for the way back, so that the extension's own words win
POLLED_S = 5.0  # a client that only polls, each second, is there as long as it polls

PILOT_OFF = "Enable 'AI Web Pilot' in extension popup to use this tool"  # seed 003, Safety Model
PILOT_ON = "Ask the user: only they can, in the popup of the Gasoline extension. Reading tools work without it."

LATE = "Call again; the page may be busy."
LATE_ACT = "The page may be busy, and this may be done yet: look at the page before trying again."
LOST = Fault(
    "outcome_unknown",
    "Chrome went away in the middle of this, or started anew.",
    recovery="Look at the state of the page, then call again if it is still needed.",
)

logger = structlog.get_logger()

Sender = Callable[[msgspec.Struct], None]


class Open(msgspec.Struct):
    """A command without a result."""

    name: str
    arguments: dict[str, Any]
    until: float
    answered: "asyncio.Future[Result]"
    client: Client | None = None
    handed_out: bool = False
    worker: str = ""  # which it was handed to


class Commands:
    """The open commands, and the one extension that they go to."""

    def __init__(self) -> None:
        self._open: dict[str, Open] = {}
        self._send: Sender | None = None
        self._lost_at = time.monotonic()
        self._polled_at = float("-inf")
        self._polling = 0
        self._changed = asyncio.Condition()
        self.hello: Hello | None = None
        self.pilot: bool | None = None
        self.since = 0.0
        self.unknown = 0

    @property
    def connected(self) -> bool:
        """Whether somebody is there to take a command."""
        polled = self._polling > 0 or time.monotonic() - self._polled_at < POLLED_S
        return self._send is not None or polled

    async def run(
        self, name: str, arguments: dict[str, Any], until: float, client: Client | None = None
    ) -> msgspec.Raw:
        """Have the extension do something, and give its result as JSON. `client`: who asks for what acts.

        Raises:
            Failed: there is no extension, or it says why not, or it did not answer in time.

        """
        await self._reach(until, acts=client is not None)
        number = secrets.token_hex(16)
        one = Open(name, arguments, until, asyncio.get_running_loop().create_future(), client)
        self._open[number] = one
        try:
            self._hand(number, one)
            await self._tell()
            async with asyncio.timeout_at(asyncio.get_running_loop().time() + until - time.monotonic()):
                return _unwrap(await one.answered)
        except TimeoutError:
            fail("deadline_exceeded", f"Chrome did not answer {name} in time.", LATE_ACT if client else LATE)
        finally:
            del self._open[number]
            if not one.answered.done() or one.answered.cancelled():
                self._tell_extension(Cancel(number))

    async def admit(self, until: float) -> None:
        """Wait until what acts can be asked for.

        Raises:
            Failed: no extension is connected, or the human has not let an assistant act.

        """
        await self._reach(until, acts=True)
        if self.pilot is False:
            fail("ai_web_pilot_disabled", PILOT_OFF, PILOT_ON)

    async def connect(self, hello: Hello, send: Sender) -> None:
        """Take this extension as the one that is there, and send it what is open."""
        self.hello, self._send, self.since, self.pilot = hello, send, time.monotonic(), None
        for number, one in self._open.items():
            if one.client is not None and one.worker not in {"", hello.worker}:
                _lose(number, one)
            else:
                self._hand(number, one)
        await self._tell()

    def disconnect(self, send: Sender) -> None:
        """Note that this extension is gone; nothing happens when another has taken its place."""
        if self._send == send:  # a bound method is a new object each time it is named
            self.hello, self._send, self._lost_at, self.pilot = None, None, time.monotonic(), None
            asyncio.get_running_loop().call_later(RETURN_S, self._give_up)

    def _give_up(self) -> None:
        if self._send is None and time.monotonic() - self._lost_at > RETURN_S - MARGIN_MS / 1_000:
            for number, one in self._open.items():
                if one.client is not None and one.worker:
                    _lose(number, one)

    def left_s(self, number: str) -> float:
        """Tell how much of its time an open command has left, in s; 0.0 when nobody waits for it."""
        one = self._open.get(number)
        return max(0.0, one.until - time.monotonic()) if one is not None else 0.0

    def finish(self, result: Result) -> bool:
        """Take in a result; False when nobody waits for it."""
        one = self._open.get(result.id)
        if one is None or one.answered.done():
            self.unknown += 1
            return False
        one.answered.set_result(result)
        return True

    async def poll(self, wait_s: float) -> list[Command]:
        """Give the commands that nobody has taken yet to a client that polls, waiting for one up to `wait_s`."""
        self._polling += 1
        await self._tell()
        try:
            async with asyncio.timeout(wait_s):
                async with self._changed:
                    await self._changed.wait_for(self._untaken)
        except TimeoutError:
            pass
        finally:
            self._polling -= 1
            self._polled_at = time.monotonic()
        taken = self._untaken()
        for number in taken:
            self._open[number].handed_out = True
        return [_command(number, self._open[number]) for number in taken]

    def _untaken(self) -> list[str]:
        return [number for number, one in self._open.items() if not one.handed_out and one.client is None]

    async def _reach(self, until: float, *, acts: bool) -> None:
        wait_s = min(until, self._lost_at + RETURN_S) - time.monotonic()
        try:
            async with asyncio.timeout(max(0.0, wait_s)):
                async with self._changed:
                    await self._changed.wait_for(lambda: self._send is not None if acts else self.connected)
        except TimeoutError:
            fail(
                "extension_disconnected",
                "No Chrome with the Gasoline extension is connected.",
                "Open Chrome; if the extension is not in it, run `gasoline extension install` and load the folder "
                "it prints at chrome://extensions (Developer mode, Load unpacked).",
            )

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    def _hand(self, number: str, one: Open) -> None:
        one.handed_out = self._tell_extension(_command(number, one))
        if one.handed_out and self.hello is not None:
            one.worker = self.hello.worker

    def _tell_extension(self, message: msgspec.Struct) -> bool:
        if self._send is None:
            return False
        self._send(message)
        return True


def _command(number: str, one: Open) -> Command:
    left_ms = int((one.until - time.monotonic()) * 1000) - MARGIN_MS
    return Command(number, one.name, one.arguments, max(1, left_ms), one.client)


def _lose(number: str, one: Open) -> None:
    if not one.answered.done():
        one.answered.set_result(Result(number, error=LOST))


def _unwrap(result: Result) -> msgspec.Raw:
    if result.error is not None:
        error: Fault = result.error
        fail(error.code, error.message, error.recovery, **error.details)
    if result.result == ABSENT:
        fail("internal_error", "The extension answered with neither a result nor an error.")
    return result.result
