"""Takes, lists and reads pictures: from checked arguments to the itinerary, from the answer to what a client gets."""

import asyncio
import base64
import time
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec

from gasoline_bridge.chrome.messages import DrawingPicture, TakeScreenshot
from gasoline_bridge.front.replies import Reply
from gasoline_bridge.front.tools import Observe
from gasoline_broker.actor.client import Link
from gasoline_broker.actor.wire import Delivery, stop
from gasoline_broker.errors import Failed, fail
from gasoline_workers.redaction.messages import PassPicture
from gasoline_workers.screenshots.messages import (
    CompareScreenshot,
    Form,
    ListScreenshots,
    Part,
    ReadScreenshot,
    Screenshot,
    ScreenshotCompared,
    ScreenshotRead,
    ScreenshotsListed,
    ScreenshotStored,
    StoreScreenshot,
    id_of,
)

CAPTURE_S = 15.0  # beyond the time of a query: Chrome takes two pictures a second, so 20 that wait need 10 s
LISTED = 200
BEING_STORED_S, STORED_LOOK_S = 1.0, 0.05  # a picture that is on its way is not taken twice
URI = "gasoline://screenshots/"


class Shown(NamedTuple):
    """A picture as a client gets it."""

    data: str  # Base64
    mime_type: str


class Taken(NamedTuple):
    """The reply about a picture that was taken, and the picture, unless only its path was wanted."""

    reply: Reply
    shown: tuple[Shown, ...]


async def take(link: Link, arguments: Observe, timeout_s: float, session: str, trace: str) -> Taken:
    """Take a picture, have it stored, and give it as a model may have it."""
    form: Form = "none" if arguments.full else "model"
    return await stored(link, _wish(arguments), form, timeout_s, session, trace)


async def stored(
    link: Link, wish: TakeScreenshot | DrawingPicture, form: Form, timeout_s: float, session: str, trace: str
) -> Taken:
    """Have the bridge give a picture, store it, and give it in this form.

    Raises:
        Failed: `screenshot_failed`, or as any look at a page fails.

    """
    name = wish.name if isinstance(wish, DrawingPicture) else ""
    answer = await link.ask(
        stop("bridge", wish),
        stop("redaction", PassPicture()),
        stop("screenshots", StoreScreenshot(form, name), Delivery.STORE),
        ttl_s=timeout_s + CAPTURE_S,
        session=session,
        trace=trace,
    )
    kept: ScreenshotStored = answer.read(ScreenshotStored)
    shown = tuple(_shown(blob, kept.mime_type) for blob in answer.blobs)
    return Taken(_reply(kept.screenshot), shown)


async def of_drawing(
    link: Link,
    wish: DrawingPicture,
    form: Form,
    timeout_s: float,
    session: str,
    trace: str,
    wait_s: float = BEING_STORED_S,
) -> Taken:
    """Give the picture of a session of Draw Mode, which is stored when the session ends, or else now.

    `wait_s`: how long it may still be on its way.

    Raises:
        Failed: `screenshot_failed`: there is none.

    """
    asked = ReadScreenshot(id_of(wish.name.encode()), form)
    until = time.monotonic() + wait_s
    while True:
        try:
            answer = await link.ask(stop("screenshots", asked), ttl_s=timeout_s, trace=trace)
        except Failed as fault:
            if fault.failure.code != "not_found":
                raise
        else:
            found: ScreenshotRead = answer.read(ScreenshotRead)
            return Taken(_reply(found.screenshot), tuple(_shown(blob, found.mime_type) for blob in answer.blobs))
        if time.monotonic() > until:
            return await stored(link, wish, form, timeout_s, session, trace)
        await asyncio.sleep(STORED_LOOK_S)


async def compared(link: Link, drawing: str, tab: int, parts: tuple[Part, ...], timeout_s: float, trace: str) -> Taken:
    """Compare parts of a tab's picture of now with the one that a session of Draw Mode ended with.

    Raises:
        Failed: there is no picture of then, or none can be taken.

    """
    clean = DrawingPicture(drawing, clean=True)
    await of_drawing(link, clean, "none", timeout_s, "", trace)
    answer = await link.ask(
        stop("bridge", TakeScreenshot(tab_id=tab)),
        stop("redaction", PassPicture()),
        stop("screenshots", CompareScreenshot(id_of(clean.name.encode()), parts), Delivery.STORE),
        ttl_s=timeout_s + CAPTURE_S,
        trace=trace,
    )
    found: ScreenshotCompared = answer.read(ScreenshotCompared)
    reply: Reply = {"differing": found.differing}
    if found.screenshot is not None:
        reply["screenshot_path"] = found.screenshot.path
    return Taken(reply, tuple(_shown(blob, found.mime_type) for blob in answer.blobs))


async def read(link: Link, picture_id: str, timeout_s: float, trace: str, form: Form = "original") -> Shown:
    """Give a picture that is kept."""
    answer = await link.ask(stop("screenshots", ReadScreenshot(picture_id, form)), ttl_s=timeout_s, trace=trace)
    found: ScreenshotRead = answer.read(ScreenshotRead)
    return _shown(answer.blobs[0], found.mime_type)


async def listed(link: Link, query: ListScreenshots, timeout_s: float, trace: str) -> ScreenshotsListed:
    """Give some of the pictures that are kept."""
    answer = await link.ask(stop("screenshots", query), ttl_s=timeout_s, trace=trace)
    found: ScreenshotsListed = answer.read(ScreenshotsListed)
    return found


def picture_of(uri: str) -> str:
    """Give the id of a picture in the address of a resource.

    Raises:
        Failed: `not_found`: it is the address of something else.

    """
    if not uri.startswith(URI):
        fail("not_found", f"There is no resource {uri[:80]!r}.", f"Pictures are {URI}ID; resources/list has them.")
    return uri.removeprefix(URI)


def shown_list(found: ScreenshotsListed) -> Reply:
    """Give the reply of observe(screenshots)."""
    rows = [_row(one) for one in found.screenshots]
    return {"screenshots": rows, "count": found.count, "size_bytes": found.size_bytes}


def _wish(arguments: Observe) -> TakeScreenshot:
    names = ("selector", "full_page", "animations", "overlays", "tab_id")
    values = {name: getattr(arguments, name) for name in names}
    return TakeScreenshot(**{name: value for name, value in values.items() if value is not msgspec.UNSET})


def _reply(one: Screenshot) -> Reply:
    """Give what a client needs to know of a new picture; what is as usual is left out."""
    reply: Reply = {"id": one.id, "path": one.path, "width": one.width, "height": one.height}
    unusual: dict[str, Any] = {"scale": one.scale} if one.scale != 1 else {}
    marks = {name: value for name in ("masked", "reduced", "truncated") if (value := getattr(one, name))}
    return reply | unusual | marks


def _row(one: Screenshot) -> Reply:
    names = ("kind", "url", "title", "width", "height", "size_bytes")
    ts = datetime.fromtimestamp(one.at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    row: Reply = {"id": one.id, "ts": ts} | {name: getattr(one, name) for name in names}
    return row | ({"pinned": True} if one.pinned else {})


def _shown(blob: Any, mime_type: str) -> Shown:  # noqa: ANN401 - anything with a buffer
    return Shown(base64.b64encode(blob).decode(), mime_type)
