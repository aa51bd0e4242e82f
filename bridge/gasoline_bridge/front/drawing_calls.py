"""Answers one session's calls about Draw Mode: what was drawn, with its pictures, and what became of it."""

from collections.abc import Awaitable, Callable

import msgspec

from gasoline_bridge.chrome import messages as bridge
from gasoline_bridge.front import drawings, pictures, tools, verification
from gasoline_bridge.front.replies import Replies, Reply
from gasoline_broker.actor.client import Link
from gasoline_broker.errors import Failed, fail
from gasoline_workers.journal.messages import ReadDrawing
from gasoline_workers.screenshots.messages import Form, Part

IMAGES = 3  # of pages that were drawn on, with one reply: each costs a thousand tokens

AskPage = Callable[[msgspec.Struct, float, str], Awaitable[Reply]]
"""Asks the bridge, by way of redaction, for so many seconds, in a trace."""

Answered = tuple[bytes, tuple[pictures.Shown, ...]]
"""The JSON text of a reply, and the pictures that come with it."""


class DrawingCalls:
    """The calls of one session that read and answer what a person has drawn."""

    def __init__(self, link: Link, timeout_s: float, session: str, replies: Replies, ask_page: AskPage) -> None:
        self._link = link
        self._timeout_s = timeout_s
        self._session = session
        self._replies = replies
        self._ask_page = ask_page
        self._shown: set[str] = set()  # the sessions of Draw Mode whose picture the model has

    async def annotations(self, checked: tools.Analyze, trace: str) -> Answered:
        """Read what a person has drawn, and its picture."""
        wait_s = checked.timeout_s if checked.wait else 0.0
        name = "" if checked.name is msgspec.UNSET else checked.name
        asked = ReadDrawing(self._session, tab=checked.tab_id, name=name)
        reply = await drawings.annotations(self._reader(trace), self._news(trace), asked, wait_s)
        images: list[pictures.Shown] = []
        if drawing := reply.pop("session", ""):
            for page in reversed(reply.get("pages", [reply])):
                shown = await self._page_drawn_on(page, page.pop("id", drawing), trace, is_shown=len(images) < IMAGES)
                images += shown
                if shown and "pages" in reply:
                    page["image"] = len(images)
        return self._fit(reply, checked.budget, ("annotations", "pages"), tuple(images))

    async def verified(self, checked: tools.Analyze, trace: str) -> Answered:
        """Judge what became of each annotation of the last session, with pictures of then and now."""
        if checked.name is not msgspec.UNSET:
            fail("invalid_params", "`verify` judges one page.", "Leave `name` out, or give tab_id.", parameter="name")
        asked = ReadDrawing(self._session, tab=checked.tab_id, looks=True)
        drawn = await self._reader(trace)(asked)
        images: tuple[pictures.Shown, ...] = ()

        async def look(query: bridge.LookAtAnnotated) -> Reply:
            return await self._ask_page(query, self._timeout_s, trace)

        async def compare(parts: tuple[Part, ...]) -> Reply:
            nonlocal images
            taken = await pictures.compared(self._link, drawn.id, drawn.tab, parts, self._timeout_s, trace)
            images = taken.shown
            return taken.reply

        reply = drawings.unfinished(drawn, asked) or await verification.verified(drawn, look, compare)
        return self._fit(reply, checked.budget, ("verdicts",), images)

    async def ended(self, known: int, trace: str) -> int:
        """Give how many sessions have ended, as soon as that is not `known`, or after some seconds."""
        return await self._news(trace)(known, drawings.NEWS_S)

    async def detail(self, correlation_id: str, trace: str) -> Reply:
        """Describe the element of an annotation."""

        async def ask(query: bridge.DescribeAnnotated) -> Reply:
            return await self._ask_page(query, self._timeout_s, trace)

        return await drawings.detail(self._reader(trace), ask, self._session, correlation_id)

    async def completed(self, asked: bridge.Interact, trace: str) -> bridge.Interact:
        """Give an action of Draw Mode as the extension needs it."""
        return await drawings.completed(self._reader(trace), asked, self._session)

    def _reader(self, trace: str) -> drawings.Read:
        return drawings.reader(self._link, self._timeout_s, self._session, trace)

    def _news(self, trace: str) -> drawings.News:
        async def ask(query: bridge.AwaitDrawing, ttl_s: float) -> Reply:
            return await self._ask_page(query, ttl_s, trace)

        return drawings.news_from(ask, self._timeout_s)

    def _fit(self, reply: Reply, budget: int, lists: tuple[str, ...], images: tuple[pictures.Shown, ...]) -> Answered:
        return self._replies.fit(reply, budget, lists), images

    async def _page_drawn_on(
        self, page: Reply, drawing: str, trace: str, *, is_shown: bool
    ) -> tuple[pictures.Shown, ...]:
        """Put the path of a session's picture into a reply, or why there is none; give it to a model once."""
        form: Form = "model" if is_shown and drawing not in self._shown else "none"
        wait_s = 0.0 if page.get("warning") else pictures.BEING_STORED_S  # of what was left no picture is on its way
        wish = bridge.DrawingPicture(drawing)
        try:
            taken = await pictures.of_drawing(
                self._link, wish, form, self._timeout_s, self._session, trace, wait_s=wait_s
            )
        except Failed as fault:
            page["screenshot_failed"] = fault.failure.text
            return ()
        page["screenshot_path"] = taken.reply["path"]
        self._shown.update([drawing] if taken.shown else [])
        return taken.shown
