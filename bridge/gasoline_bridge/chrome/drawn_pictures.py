"""Has the pictures of a session of Draw Mode stored once a person has ended it: the browser keeps the last one only."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator

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


class DrawnPictures:
    """Asks for the pictures of the sessions that have ended. What is not stored so is when somebody reads it."""

    def __init__(self, link: Link, take: Take) -> None:
        self._link = link
        self._take = take
        self._tasks: set[asyncio.Task[None]] = set()

    def look(self, chunk: Chunk) -> None:
        """Look for sessions that have ended, in events of the extension itself."""
        for session in _ended(chunk):
            task = asyncio.create_task(self._keep(session))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

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

    async def _keep(self, session: str) -> None:
        for clean in (True, False):
            wish = DrawingPicture(session, clean)
            try:
                await self.store(wish.name, await self._take(wish))
            except Failed as fault:
                logger.info("drawing_not_stored", code=fault.failure.code)


def with_picture(taken: ScreenshotTaken) -> Answer:
    """Give a picture as the blob behind the rest of its answer."""
    return Answer(pack(msgspec.structs.replace(taken, picture=b"")), (taken.picture,))


def _ended(chunk: Chunk) -> Iterator[str]:
    if chunk.tab:  # a page's: forged
        return
    for event in chunk.events:
        if not isinstance(event, dict) or (event.get("type"), event.get("phase")) != ("drawing", "ended"):
            continue
        session = event.get("id")
        if isinstance(session, str) and "warning" not in event:  # the page was left, or forgotten
            yield session
