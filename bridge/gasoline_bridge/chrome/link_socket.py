"""The WebSocket of the extension: one at a time, its messages passed to the commands and the intake."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine

import msgspec
import structlog
from aiohttp import WSMsgType, web

from gasoline_bridge.chrome.commands import Commands
from gasoline_bridge.chrome.drawn_pictures import DrawnPictures
from gasoline_bridge.chrome.intake import Intake
from gasoline_bridge.chrome.link import (
    MALFORMED,
    PROTOCOL,
    Acknowledge,
    Alive,
    Chunk,
    Clear,
    Events,
    Hello,
    Pilot,
    Result,
    Stored,
    Welcome,
    read_chunk,
    read_up,
    write,
)
from gasoline_bridge.chrome.rare_log import RareLog
from gasoline_broker.actor.wire import MESSAGE_BYTES_MAX
from gasoline_broker.errors import Failed, Failure

ALIVE_S = 20.0  # a service worker dies after 30 s without a message
ANSWER_S = 1.0  # a worker that is alive answers `alive` in milliseconds
TAKEN = 4009  # WebSocket close code: another browser is connected
CLOSING = 1001  # WebSocket close code (RFC 6455, 7.4.1): going away
FLUSH_S = 1.0  # how long the human's clear waits for the events that came before it

logger = structlog.get_logger()

ClearEvents = Callable[[], Coroutine[None, None, object]]
Outbox = asyncio.Queue[msgspec.Struct]


class LinkSocket:
    """The link of one extension at a time."""

    def __init__(self, commands: Commands, intake: Intake, drawn: DrawnPictures, clear_events: ClearEvents) -> None:
        self._commands = commands
        self._intake = intake
        self._drawn = drawn
        self._clear_events = clear_events
        self._log = RareLog()
        self._socket: web.WebSocketResponse | None = None
        self._received_at = 0.0
        self.malformed = 0

    async def serve(
        self, request: web.Request, socket: web.WebSocketResponse, welcome: Welcome
    ) -> web.WebSocketResponse:
        """Serve an extension until its link ends; one that is connected already keeps its place."""
        await socket.prepare(request)
        if await self._is_taken():
            self._log.warning("extension_refused", reason="another browser is connected")
            await socket.close(code=TAKEN, message=b"Another browser is connected")
            return socket
        self._socket = socket
        outbox: Outbox = asyncio.Queue()
        try:
            async with asyncio.TaskGroup() as group:
                writing = group.create_task(_write(socket, welcome, outbox))
                try:
                    await self._read(socket, outbox, group)
                finally:
                    writing.cancel()
        finally:
            self._commands.disconnect(outbox.put_nowait)
            if self._socket is socket:
                self._socket = None
            logger.info("extension_disconnected", code=socket.close_code)
        return socket

    async def close(self) -> None:
        """Close the link because this process ends."""
        if self._socket is not None:
            await self._socket.close(code=CLOSING)

    async def _is_taken(self) -> bool:
        """Whether an extension that is alive holds the link; one that is not loses it."""
        held = self._socket
        if held is None or held.closed:
            return False
        asked_at = time.monotonic()
        try:
            await held.send_str(write(Alive()).decode())
        except ConnectionError:
            return False
        while time.monotonic() - asked_at < ANSWER_S and not held.closed:
            if self._received_at >= asked_at:
                return True
            await asyncio.sleep(0.02)
        await held.close(code=TAKEN)
        return False

    async def _read(self, socket: web.WebSocketResponse, outbox: Outbox, group: asyncio.TaskGroup) -> None:
        async for frame in socket:
            self._received_at = time.monotonic()
            if frame.type is not WSMsgType.TEXT:
                self._count_malformed("not text")
                continue
            try:
                message = read_up(frame.data)
            except MALFORMED as fault:
                self._count_malformed(type(fault).__name__)
                continue
            match message:
                case Hello():
                    logger.info("extension_connected", version=message.version, browser=message.browser)
                    await self._commands.connect(message, outbox.put_nowait)
                case Result():
                    settled = self._intake.settled(self._commands.left_s(message.id))  # before the next frame is read
                    group.create_task(self._finish(message, settled, outbox))
                case Pilot() | Alive():
                    self._commands.note(message)
                case Events():
                    self._take(message, outbox)
                    await self._intake.room()
                case Clear():
                    group.create_task(self._clear(message, outbox))
                case Acknowledge():
                    pass

    async def _finish(self, result: Result, settled: Awaitable[Failure | None], outbox: Outbox) -> None:
        """Pass a result on once the events that came before it are stored, so that its reader can read them.

        What was done is done, and its result goes on with the reason where they cannot be stored.
        """
        unstored = await settled
        is_kept = self._commands.is_kept(result.id)
        self._commands.finish(result, unstored)
        if is_kept:
            outbox.put_nowait(Acknowledge(result.id))

    def _take(self, events: Events, outbox: Outbox) -> None:
        chunks = list(map(read_chunk, events.chunks))
        damaged = [chunk for chunk in chunks if isinstance(chunk, str)]
        if damaged:
            self._count_malformed("a chunk")
            outbox.put_nowait(Stored(damaged))  # it would come again after each reconnect
        good = [chunk for chunk in chunks if isinstance(chunk, Chunk)]
        ids = [chunk.id for chunk in good]
        taken = [self._intake.take(chunk) for chunk in good]
        for chunk, stored in zip(good, taken, strict=True):
            self._drawn.look(chunk, stored)
        if taken:  # they end in order, but for those that a clear forgets
            asyncio.gather(*taken).add_done_callback(lambda _: outbox.put_nowait(Stored(ids)))

    async def _clear(self, request: Clear, outbox: Outbox) -> None:
        await self._intake.forget(FLUSH_S)
        try:
            await self._clear_events()
        except Failed as fault:
            logger.warning("events_not_cleared", code=fault.failure.code)
            return
        outbox.put_nowait(Acknowledge(request.id))

    def _count_malformed(self, reason: str) -> None:
        self.malformed += 1
        self._log.warning("message_dropped", reason=reason, total=self.malformed)


async def _write(socket: web.WebSocketResponse, welcome: Welcome, outbox: Outbox) -> None:
    await socket.send_str(write(welcome).decode())
    while True:
        try:
            async with asyncio.timeout(ALIVE_S):
                message = await outbox.get()
        except TimeoutError:
            message = Alive()
        try:
            await socket.send_str(write(message).decode())
        except ConnectionError:
            return  # the reading side notices too; what is open is sent again after the reconnect


def opened() -> web.WebSocketResponse:
    """Give the socket for a request to open the link, uncompressed: to deflate 300 KB takes 8 ms, to copy them none."""
    return web.WebSocketResponse(protocols=[PROTOCOL], max_msg_size=MESSAGE_BYTES_MAX, compress=False)
