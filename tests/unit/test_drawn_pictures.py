"""The pictures of a session of Draw Mode that has ended, in their order, and the news of its end."""

import asyncio
from collections.abc import Sequence
from typing import Any, cast

import pytest

from gasoline_bridge.chrome.drawn_pictures import DrawnPictures
from gasoline_bridge.chrome.link import Chunk
from gasoline_bridge.chrome.messages import DrawingPicture
from gasoline_bridge.chrome.posted_events import NO_LOAD
from gasoline_broker.actor.client import Answer, Link
from gasoline_broker.actor.wire import Stop
from gasoline_broker.errors import Failed, Failure


class Store:
    """A double of the way to the store of pictures: notes the names of those that come."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.may_go_on, self.has_clean = asyncio.Event(), asyncio.Event()

    async def ask(self, *_itinerary: Stop, body: bytes, **_more: Any) -> Answer:
        """Store a picture, whose body is its name; the one without what was drawn only when it may."""
        is_clean = body.endswith(b"clean")
        if is_clean:
            await self.may_go_on.wait()
        self.names.append(body.decode())
        if is_clean:
            self.has_clean.set()
        return Answer(b"")


def ended(session: str, tab: int = 0, **more: str) -> Chunk:
    event = {"type": "drawing", "phase": "ended", "id": session} | more
    return Chunk("1" * 32, tab, 0, NO_LOAD, "", [{"type": "log"}, event])


def pictures(store: Store, missing: Sequence[str] = ()) -> DrawnPictures:
    """Return what is tested, with a browser that has every picture but those."""

    async def take(wish: DrawingPicture) -> Answer:
        if wish.name in missing:
            raise Failed(Failure("screenshot_failed", "There is none."))
        return Answer(wish.name.encode(), (b"",))

    return DrawnPictures(cast("Link", store), take)


def in_journal() -> "asyncio.Future[bool]":
    stored: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    stored.set_result(True)
    return stored


@pytest.mark.requirement("draw-034", "draw-028")
@pytest.mark.parametrize("missing", [[], ["dm_1"]])
async def test_the_news_comes_when_what_was_drawn_is_stored_and_before_the_picture_without_it(
    missing: list[str],
) -> None:
    store = Store()
    drawn = pictures(store, missing)
    stored: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    drawn.look(ended("dm_1"), stored)
    waiting = asyncio.create_task(drawn.ended(0, 20))
    before = await drawn.ended(0, 0.01)
    stored.set_result(True)
    count = await waiting
    at_the_news = [*store.names]
    store.may_go_on.set()
    await store.has_clean.wait()

    expected = [name for name in ["dm_1"] if name not in missing]
    assert (0, 1) == (before, count)
    assert (expected, [*expected, "dm_1 clean"]) == (at_the_news, store.names)


async def test_what_is_known_already_or_was_counted_by_another_process_is_answered_at_once() -> None:
    drawn = pictures(Store())
    drawn.note_end()

    assert [1, 1] == [await drawn.ended(0, 20), await drawn.ended(7, 20)]


async def test_a_page_that_was_left_has_no_picture_and_a_pages_own_event_means_nothing() -> None:
    store = Store()
    drawn = pictures(store)
    drawn.look(ended("dm_2", tab=5), in_journal())
    drawn.look(ended("dm_1", warning="page_navigated"), in_journal())
    count = await drawn.ended(0, 20)

    assert (1, []) == (count, store.names)
    assert 1 == await drawn.ended(1, 0.01)
