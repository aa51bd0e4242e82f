"""Has the pictures of a session of Draw Mode stored once a person has ended it: the browser keeps the last one only."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator
from typing import NamedTuple

import msgspec
import structlog

from gasoline_bridge.chrome.link import Chunk
from gasoline_bridge.chrome.messages import DrawingPicture, ScreenshotTaken
from gasoline_broker.actor.client import Answer, Link
from gasoline_broker.actor.wire import Delivery, pack, stop
from gasoline_broker.errors import Failed
from gasoline_workers.redaction.messages import PassPicture
from gasoline_workers.screenshots.messages import StoreScreenshot

STORED_S = 15.0

Take = Callable[[DrawingPicture], Awaitable[Answer]]
"""Asks the browser for a picture."""

logger = structlog.get_logger()


class Ended(NamedTuple):
    """A session that has ended; without a picture if its page was left."""

    id: str
    has_picture: bool


class DrawnPictures:
    """Asks for the pictures of the sessions that have ended. What is not stored so is when somebody reads it."""

    def __init__(self, link: Link, take: Take) -> None:
        self._link = link
        self._take = take
        self._tasks: set[asyncio.Task[None]] = set()
        self._ended = 0
        self._news = asyncio.Event()

    def look(self, chunk: Chunk, stored: "asyncio.Future[bool]") -> None:
        """Look for sessions that have ended, in events of the extension itself; `stored`: the journal has them."""
        for ended in _ended(chunk):
            task = asyncio.create_task(self._keep(ended, stored))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def note_end(self) -> None:
        """Note that a session has ended, and that what it has left is stored."""
        self._ended += 1
        self._news.set()
        self._news = asyncio.Event()

    async def ended(self, count: int, wait_s: float) -> int:
        """Give how many sessions have ended, waiting for one while it is `count`."""
        if self._ended == count:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._news.wait()
        return self._ended

    async def store(self, name: str, taken: Answer) -> None:
        """Have a picture stored by its name, by way of redaction.

        Raises:
            Failed: it is not stored.

        """
        await self._link.ask(
            stop("redaction", PassPicture()),
            stop("screenshots", StoreScreenshot("none", name), Delivery.STORE),
            ttl_s=STORED_S,
            body=taken.body,
            blobs=taken.blobs,
        )

    async def _keep(self, session: Ended, stored: "asyncio.Future[bool]") -> None:
        """Have the picture with what was drawn first: it is waited for."""
        if session.has_picture:
            await self._keep_picture(DrawingPicture(session.id))
        await asyncio.wait([stored])
        self.note_end()
        if session.has_picture:
            await self._keep_picture(DrawingPicture(session.id, clean=True))

    async def _keep_picture(self, wish: DrawingPicture) -> None:
        try:
            await self.store(wish.name, await self._take(wish))
        except Failed as fault:
            logger.info("drawing_not_stored", code=fault.failure.code)


def with_picture(taken: ScreenshotTaken) -> Answer:
    """Give a picture as the blob behind the rest of its answer."""
    return Answer(pack(msgspec.structs.replace(taken, picture=b"")), (taken.picture,))


def _ended(chunk: Chunk) -> Iterator[Ended]:
    if chunk.tab:  # a page's: forged
        return
    for event in chunk.events:
        if not isinstance(event, dict) or (event.get("type"), event.get("phase")) != ("drawing", "ended"):
            continue
        session = event.get("id")
        if isinstance(session, str):
            yield Ended(session, has_picture=event.get("warning") != "page_navigated")
