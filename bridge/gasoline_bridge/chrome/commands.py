"""Runs the commands of the extension: keeps each until it is answered or its time is up; knows nothing of HTTP.

Rules of this file:
- A command keeps its id however often it is sent: the extension runs an id once and answers again from memory. What
  only reads is run again, and its result is not acknowledged.
- After a reconnect every open command is sent again. One that acts is sent only to the life of the service worker that
  had it, because only that remembers what it did; otherwise, and if none returns in time, its outcome is unknown.
- Without an extension a command waits for one only shortly after the link was lost or this process began: a link that
  was cut is back within a second.
- A result whose events could not be stored is passed on with the reason: what it did is done.
- What acts is for the extension alone, where the human's switch is: no client that polls gets it. While that switch is
  known to be off, a command is refused here; while it is known to be on, the extension still decides.
"""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import structlog

from gasoline_bridge.chrome.link import ABSENT, Alive, Cancel, Client, Command, Fault, Hello, Pilot, Result
from gasoline_broker.errors import Failure, fail

FILE_MODE = 0o600
RETURN_S = 2.5  # a link that was cut is back within 1 s; a bridge that was killed needs one more to start
RETURN_SHARE = 4  # a command may wait this share of its own time for a link that was cut: an analysis of 40 s, 10 s
WAY_BACK_S = 0.3  # what a result needs at least to reach its caller: it is held back no longer for the journal
MARGIN_MS = 200  # what is left of a call's time for the way back, so that the extension's own error arrives first
POLLED_S = 5.0  # a client that only polls, each second, is there as long as it polls

REPORT_S = 0.3  # in which the extension reports, on a busy machine, that the human has just switched it on
PILOT_OFF = "Enable 'AI Web Pilot' in extension popup to use this tool"  # seed 003, Safety Model

LATE = "Call again; the page may be busy."
LOST = Fault("outcome_unknown", "Chrome ended or was restarted in the middle of this.")
NO_PORT = "Ask the user to end that program, then call again: Gasoline takes the port as soon as it is free."
DONE = "It was done: do not repeat it. Look at the page once `gasoline status` shows a redaction process."

logger = structlog.get_logger()

Sender = Callable[[msgspec.Struct], None]


class Finished(NamedTuple):
    """The result of a command as JSON; `unstored`: why the events before it are not in the journal, "" if they are."""

    result: msgspec.Raw
    unstored: str = ""


class OpenCommand(msgspec.Struct):
    """A command without a result."""

    name: str
    arguments: dict[str, Any]
    until: float
    answered: "asyncio.Future[Result]"
    client: Client | None = None
    repeatable: bool = False  # it acts on nothing, though only a client with the switch on may ask for it
    handed_out: bool = False
    worker: str = ""  # the life of the service worker that got it
    unstored: str = ""  # why the events before its result are not in the journal


class Commands:
    """The open commands, and the one extension that they go to."""

    def __init__(self, personal_switch: Path | None = None) -> None:
        """`personal_switch`: the file that is there while personal data are to be hidden."""
        self._personal_switch = personal_switch
        self._open: dict[str, OpenCommand] = {}
        self._send: Sender | None = None
        self._lost_at = time.monotonic()
        self._polled_at = float("-inf")
        self._polling = 0
        self._changed = asyncio.Condition()
        self.hello: Hello | None = None
        self.pilot: bool | None = None
        self._switched_on = asyncio.Event()
        self.user_scripts: bool | None = None
        self.denied_sites = 0
        self.allowed_sites = 0
        self.since = 0.0
        self.unknown = 0
        self.no_port = ""  # why no extension can come

    @property
    def connected(self) -> bool:
        """Whether the extension or a client that polls is there to take a command."""
        return self._send is not None or self.only_polled

    @property
    def only_polled(self) -> bool:
        """Whether a client that polls is there, and no extension."""
        polled = self._polling > 0 or time.monotonic() - self._polled_at < POLLED_S
        return self._send is None and polled

    def note(self, message: Pilot | Alive) -> None:
        """Note what the human allows, by the extension's last message."""
        if isinstance(message, Pilot):
            self.pilot = message.enabled
            if message.enabled:
                self._switched_on.set()
            else:
                self._switched_on.clear()
            self.denied_sites, self.allowed_sites = message.denied_sites, message.allowed_sites
            self._switch_personal(on=message.hide_personal)
        self.user_scripts = message.user_scripts

    def _switch_personal(self, *, on: bool | None) -> None:
        if on is None or self._personal_switch is None:
            return
        try:
            self._personal_switch.touch(FILE_MODE) if on else self._personal_switch.unlink(missing_ok=True)
        except OSError as fault:
            logger.warning("personal_switch_not_kept", on=on, fault=str(fault))

    @property
    def hides_personal(self) -> bool:
        """Whether the human has personal data hidden."""
        return self._personal_switch is not None and self._personal_switch.exists()

    async def run(
        self,
        name: str,
        arguments: dict[str, Any],
        until: float,
        client: Client | None = None,
        *,
        repeatable: bool = False,
    ) -> Finished:
        """Have the extension run a command, and give its result. `client`: of a command that acts.

        `repeatable`: it may be run again if it was lost, though it has a client.

        Raises:
            Failed: there is no extension, it failed the command, or it did not answer in time.

        """
        await self._reach(until, acts=client is not None)
        command_id = secrets.token_hex(16)
        one = OpenCommand(name, arguments, until, asyncio.get_running_loop().create_future(), client, repeatable)
        self._open[command_id] = one
        try:
            self._hand(command_id, one)
            await self._notify()
            async with asyncio.timeout_at(asyncio.get_running_loop().time() + until - time.monotonic()):
                return Finished(_unwrap(await one.answered), one.unstored)
        except TimeoutError:
            fail("deadline_exceeded", f"Chrome did not answer {name} in time.", "" if client else LATE)
        finally:
            del self._open[command_id]
            if not one.answered.done() or one.answered.cancelled():
                self._send_now(Cancel(command_id))

    async def admit(self, until: float) -> None:
        """Wait until what acts can be asked for.

        Raises:
            Failed: no extension is connected, or the human has not let an assistant act.

        """
        await self._reach(until, acts=True)
        if self.pilot is False:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(REPORT_S, until - time.monotonic())):
                    await self._switched_on.wait()
        if self.pilot is False:
            fail("ai_web_pilot_disabled", PILOT_OFF)

    async def connect(self, hello: Hello, send: Sender) -> None:
        """Take this extension as the one that is there, and send it what is open."""
        self.hello, self._send, self.since, self.pilot = hello, send, time.monotonic(), None
        for command_id, one in self._open.items():
            if one.client is not None and not one.repeatable and one.worker not in {"", hello.worker}:
                _lose(command_id, one)
            else:
                self._hand(command_id, one)
        await self._notify()

    def disconnect(self, send: Sender) -> None:
        """Note that this extension is gone; nothing happens when another has taken its place."""
        if self._send == send:  # a bound method is a new object each time it is named
            self.hello, self._send, self._lost_at, self.pilot = None, None, time.monotonic(), None
            asyncio.get_running_loop().call_later(RETURN_S, self._give_up)

    def _give_up(self) -> None:
        if self._send is None and time.monotonic() - self._lost_at > RETURN_S - MARGIN_MS / 1_000:
            for command_id, one in self._open.items():
                if one.client is not None and not one.repeatable and one.worker:
                    _lose(command_id, one)

    def left_s(self, command_id: str) -> float:
        """Give how long an open command's result may still be held back, in s; 0.0 for one that is not open."""
        one = self._open.get(command_id)
        return max(0.0, one.until - WAY_BACK_S - time.monotonic()) if one is not None else 0.0

    def is_kept(self, command_id: str) -> bool:
        """Whether the extension may keep the result until it is acknowledged: what only reads is sent again."""
        one = self._open.get(command_id)
        return one is None or (one.client is not None and not one.repeatable)

    def finish(self, result: Result, unstored: Failure | None = None) -> bool:
        """Take in a result; False for a command that is not open. `unstored`: why the events before it are not stored.

        Without redaction the result could not be given, and that is the failure.
        """
        one = self._open.get(result.id)
        if one is None or one.answered.done():
            self.unknown += 1
            return False
        if unstored is not None and unstored.code == "redaction_unavailable":
            is_done = one.client is not None and result.error is None
            recovery = DONE if is_done else unstored.recovery
            result = Result(result.id, error=Fault(unstored.code, unstored.text, recovery=recovery))
        elif unstored is not None:
            one.unstored = unstored.text
        one.answered.set_result(result)
        return True

    def asked_for(self, name: str, **arguments: object) -> str:
        """Give the id of the open command with this name and these arguments, "" if there is none."""
        for command_id, one in self._open.items():
            if one.name == name and arguments.items() <= one.arguments.items():
                return command_id
        return ""

    async def poll(self, wait_s: float) -> list[Command]:
        """Give the commands that are not taken yet to a client that polls, waiting for one up to `wait_s`."""
        self._polling += 1
        await self._notify()
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
        for command_id in taken:
            self._open[command_id].handed_out = True
        return [_command(command_id, self._open[command_id]) for command_id in taken]

    def _untaken(self) -> list[str]:
        return [command_id for command_id, one in self._open.items() if not one.handed_out and one.client is None]

    async def _reach(self, until: float, *, acts: bool) -> None:
        now = time.monotonic()
        wait_s = min(until, self._lost_at + max(RETURN_S, (until - now) / RETURN_SHARE)) - now
        try:
            async with asyncio.timeout(max(0.0, wait_s)):
                async with self._changed:
                    await self._changed.wait_for(lambda: self._send is not None if acts else self.connected)
        except TimeoutError:
            if self.no_port:
                fail("extension_disconnected", self.no_port, NO_PORT)
            fail("extension_disconnected", "No Chrome with the Gasoline extension is connected.")

    async def _notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    def _hand(self, command_id: str, one: OpenCommand) -> None:
        one.handed_out = self._send_now(_command(command_id, one))
        if one.handed_out and self.hello is not None:
            one.worker = self.hello.worker

    def _send_now(self, message: msgspec.Struct) -> bool:
        if self._send is None:
            return False
        self._send(message)
        return True


def _command(command_id: str, one: OpenCommand) -> Command:
    left_ms = int((one.until - time.monotonic()) * 1000) - MARGIN_MS
    return Command(command_id, one.name, one.arguments, max(1, left_ms), one.client)


def _lose(command_id: str, one: OpenCommand) -> None:
    if not one.answered.done():
        one.answered.set_result(Result(command_id, error=LOST))


def _unwrap(result: Result) -> msgspec.Raw:
    if result.error is not None:
        error: Fault = result.error
        fail(error.code, error.message, error.recovery, **error.details)
    if result.result == ABSENT:
        fail("internal_error", "The extension answered with neither a result nor an error.")
    return result.result
