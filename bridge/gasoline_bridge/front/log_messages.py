"""Sends log messages of MCP: what happens to the system while a client works with it; never what a page wrote.

Rules of this file:
- Nothing is sent, and nothing is looked at, before a client asks: by `logging/setLevel` until 2025-11-25, since
  2026-07-28 by the level in a request's `_meta`, for that request.
- A message is one sentence of ours, with names of our own processes alone.
"""

import asyncio
import contextlib
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, NamedTuple, get_args

import mcp_types as types
from mcp_types import LOG_LEVEL_META_KEY

from gasoline_bridge.front.calls import Calls
from gasoline_broker.product import NAME

LOOK_S = 2.0
JUST_RESTARTED_S = 30.0  # a front that is so young answers a client of the one before it
LEVELS: tuple[types.LoggingLevel, ...] = get_args(types.LoggingLevel)
LOSES = {
    "bridge": "Calls that need Chrome wait or fail until it is back.",
    "redaction": "Calls that read a page fail until it is back: nothing is shown unredacted.",
    "journal": "What was captured cannot be read until it is back.",
}

Status = dict[str, Any] | None
"""A reply of observe(status), None where the system does not answer."""


class Message(NamedTuple):
    """One message, and how grave it is."""

    level: types.LoggingLevel
    text: str


NO_ANSWER = Message("error", "The system does not answer.")
ANSWERS_AGAIN = Message("info", "The system answers again.")


class Seen(NamedTuple):
    """The system at one moment: whether Chrome is connected, and the processes of each service by their ids."""

    connected: bool
    pids: dict[str, frozenset[int]]


PASSING = ("front", "cli")  # other fronts and commands: they end as they are meant to

Send = Callable[[list[Message]], Awaitable[None]]


def seen(status: Status) -> Seen | None:
    """Read what matters here."""
    if status is None:
        return None
    rows = [row for row in status["processes"] if row["service"] not in PASSING]
    pids = {row["service"]: frozenset(one["pid"] for one in rows if one["service"] == row["service"]) for row in rows}
    return Seen(bool(status["extension"].get("connected")), pids)


def changes(before: Seen | None, now: Seen | None) -> list[Message]:
    """Name what has changed between two looks."""
    if before is None or now is None:
        if before == now:
            return []
        return [ANSWERS_AGAIN if now else NO_ANSWER]
    gone = [service for service in before.pids if service not in now.pids]
    new = [service for service in now.pids if service not in before.pids]
    both = [service for service in before.pids if service in now.pids]
    restarted = [service for service in both if before.pids[service] - now.pids[service]]
    found = [_away(service) for service in gone]
    found += [Message("warning", f"Restarted: {', '.join(restarted)}.")] if restarted else []
    found += [Message("info", f"Running: {', '.join(new)}.")] if new else []
    if before.connected != now.connected:
        chrome = Message("info", "Chrome is connected."), Message("warning", "Chrome is no longer connected.")
        found.append(chrome[before.connected])
    return found


def at_first(status: Status) -> list[Message]:
    """Name what a client's first look shows: what is away, and that the front which it had before is not this one."""
    if (now := seen(status)) is None or status is None:
        return [NO_ANSWER]
    found = [_away(service) for service in LOSES if service not in now.pids]
    fronts = [row for row in status["processes"] if row["service"] == "front" and row["up_s"] < JUST_RESTARTED_S]
    if fronts and "front" in status.get("restarts", {}):
        found.append(Message("warning", "Restarted: front."))
    return found


def _away(service: str) -> Message:
    return Message("error", f"{service} is away. {LOSES.get(service, '')}".strip())


class LogMessages:
    """The log messages of one session."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._level: types.LoggingLevel = "emergency"
        self._watch: asyncio.Task[None] | None = None

    async def set_level(self, context: Any, params: types.SetLevelRequestParams) -> types.EmptyResult:  # noqa: ANN401 - the SDK's own type
        """Send messages of this level and graver ones from now on (until 2025-11-25)."""
        self._level = params.level
        if self._watch is None:
            send = _sender(context.session, lambda: self._level)
            self._watch = asyncio.create_task(self._look(send, await self._first(send)))
        return types.EmptyResult()

    @contextlib.asynccontextmanager
    async def during(self, context: Any) -> AsyncIterator[None]:  # noqa: ANN401 - the same
        """Send the messages of a request's time on its own stream, if it asks for a level (since 2026-07-28)."""
        if (level := (context.meta or {}).get(LOG_LEVEL_META_KEY)) not in LEVELS:
            yield
            return
        send = _sender(context.session, lambda: level)
        watch = asyncio.create_task(self._look(send, await self._first(send)))
        try:
            yield
        finally:
            watch.cancel()

    def close(self) -> None:
        """Send nothing more."""
        if self._watch is not None:
            self._watch.cancel()

    async def _first(self, send: Send) -> Status:
        status = await self._calls.system()
        await send(at_first(status))
        return status

    async def _look(self, send: Send, before: Status) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            status = await self._calls.system()
            found = changes(seen(before), seen(status))
            await send([*found, *at_first(status)] if before is None and status is not None else found)
            before = status


def _sender(session: Any, level: Callable[[], types.LoggingLevel]) -> Send:  # noqa: ANN401 - the SDK's own type
    async def send(messages: list[Message]) -> None:
        for message in messages:
            if LEVELS.index(message.level) < LEVELS.index(level()):
                continue
            with warnings.catch_warnings(action="ignore"):  # deprecated in one era, the only way in the other
                sending = session.send_log_message(*message, NAME)
            with contextlib.suppress(ConnectionError):
                await sending

    return send
