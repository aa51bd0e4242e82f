"""Reads and answers what a person has drawn on a page: sessions of Draw Mode, and one of their annotations."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

import msgspec

from gasoline_bridge.chrome import messages as bridge
from gasoline_bridge.front.replies import Reply
from gasoline_broker.actor.client import Link
from gasoline_broker.actor.wire import stop
from gasoline_broker.errors import Failed, fail
from gasoline_workers.journal import messages as journal
from gasoline_workers.redaction.messages import unnumbered

NEWS_S = 10.0  # the longest wait for news: a session that is forgotten has none
AWAY_S = 1.0  # until a bridge that is away is asked again
UNKNOWN = -1  # no count of sessions that have ended
DETAIL_S = 600.0  # seed 004, edge case 10: "Detail data has a 10-minute TTL"
NAME_CHARS = 100  # as `name` of analyze
STATUSES = ("open", "acknowledged", "resolved", "dismissed")
AGAIN = 'analyze(action:"annotations", wait:true)'
NONE = 'No annotations found. Call interact(action:"draw_mode_start"), and ask the user to draw on the page.'
FORGOTTEN = "Draw Mode timed out after 5 minutes without an action: this is what was drawn by then."
EXPIRED = "The detail of an annotation is kept for 10 minutes. Ask the user to draw again."

LOST = "The tab that was drawn in is closed, and no tab shows {}."

Read = Callable[[journal.ReadDrawing], Awaitable[journal.DrawingRead]]
Ask = Callable[[bridge.DescribeAnnotated], Awaitable[Reply]]

FindTab = Callable[[journal.DrawingRead], Awaitable[int]]
"""Gives the tab in which the page of a session is now."""

News = Callable[[int, float], Awaitable[int]]
"""Gives how many sessions have ended; waits so long while it is the count that is known."""


def reader(link: Link, ttl_s: float, session: str, trace: str) -> Read:
    """Return what asks the journal for a session of Draw Mode."""

    async def read(query: journal.ReadDrawing) -> journal.DrawingRead:
        answer = await link.ask(stop("journal", query), ttl_s=ttl_s, session=session, trace=trace)
        drawn: journal.DrawingRead = answer.read(journal.DrawingRead)
        return drawn

    return read


def news_from(ask_page: Callable[[bridge.AwaitDrawing, float], Awaitable[Reply]], ttl_s: float) -> News:
    """Return what asks the bridge for news; one that is away has none, and is asked again in a moment."""

    async def news(count: int, wait_s: float) -> int:
        try:
            reply = await ask_page(bridge.AwaitDrawing(count, wait_s), wait_s + ttl_s)
        except Failed:
            await asyncio.sleep(min(AWAY_S, wait_s))
            return UNKNOWN
        return int(reply["count"])

    return news


async def annotations(read: Read, news: News, asked: journal.ReadDrawing, wait_s: float) -> Reply:
    """Give the annotations of a session, waiting for the end of one that is open for at most `wait_s`.

    `session` is its id, by which its picture is asked for; of several under one name `pages` has them.
    """
    until = time.monotonic() + wait_s
    drawn, count = await read(asked), UNKNOWN
    while drawn.open and (left_s := until - time.monotonic()) > 0:
        count = await news(count, min(left_s, NEWS_S))
        drawn = await read(asked)
    if unfinished_ := unfinished(drawn, asked):
        return unfinished_
    reply: Reply = {
        "status": "success",
        "count": len(drawn.annotations),
        "annotations": drawn.annotations,
        "page_url": drawn.page_url,
        "duration_ms": drawn.duration_ms,
        "tab_id": drawn.tab,
        "session": drawn.id,
    }
    if len(drawn.pages) > 1:
        reply["pages"] = [msgspec.to_builtins(page) for page in drawn.pages]
    if drawn.warning == "draw_mode_timeout":
        return reply | {"status": "timeout", "message": FORGOTTEN}
    return reply | ({"warning": drawn.warning} if drawn.warning else {})


def unfinished(drawn: journal.DrawingRead, asked: journal.ReadDrawing) -> Reply | None:
    """Give the reply about a session that is not there, or still open; none about one that has ended."""
    if not drawn.id:
        return {"status": "success", "count": 0, "annotations": [], "hint": NONE}
    if drawn.open:
        count = len(drawn.annotations)
        names = {"correlation_id": drawn.id, "page_url": drawn.page_url}
        return {"status": "waiting", "count": count, "resume": _again(asked)} | names
    return None


def _again(asked: journal.ReadDrawing) -> str:
    """Write the call that waits on for the same."""
    name = f", name:{msgspec.json.encode(asked.name).decode()}" if asked.name else ""
    tab = f", tab_id:{asked.tab}" if asked.tab else ""
    return f'analyze(action:"annotations", wait:true{name}{tab})'


def place(url: str) -> tuple[str, str]:
    """Give the part of an address that names the page: a query or a fragment may be its state."""
    split = urlsplit(unnumbered(url))
    return split.netloc, split.path


def tab_of(drawn: journal.DrawingRead, tabs: list[Reply]) -> int:
    """Find the tab of a session: the one that was drawn in, or where that shows another page, one that shows the page.

    When a browser starts, it numbers its tabs anew.

    Raises:
        Failed: `tab_not_found`.

    """
    own = [tab for tab in tabs if tab["id"] == drawn.tab]
    by_front = sorted(tabs, key=lambda tab: not tab.get("focused"))
    found = [tab for tab in (*own, *by_front) if place(str(tab["url"])) == place(drawn.page_url)] + own
    if not found:
        recovery = f'Call interact(action:"new_tab", url:"{drawn.page_url}"), then this again.'
        fail("tab_not_found", LOST.format(drawn.page_url), recovery, tab_id=drawn.tab)
    return int(found[0]["id"])


async def detail(read: Read, ask: Ask, find: FindTab, client: str, correlation_id: str) -> Reply:
    """Describe the element of an annotation as it is now; `warning` if it is no longer the one that was drawn around.

    Raises:
        Failed: `correlation_expired`, `not_found`, `element_not_found`, `tab_not_found`, or as a look at a page fails.

    """
    drawn, annotation = await _annotation(read, client, correlation_id)
    if drawn.age_s > DETAIL_S:
        fail("correlation_expired", "The detail of this annotation has expired.", EXPIRED)
    selector = annotation.get("selector")
    if not selector:
        fail("element_not_found", "Nothing of the page was within this annotation.", "Look at its `rect` and `text`.")
    try:
        found = await ask(bridge.DescribeAnnotated(selector, drawn.tab, correlation_id))
    except Failed as fault:
        if fault.failure.code != "tab_not_found":
            raise
        found = await ask(bridge.DescribeAnnotated(selector, await find(drawn), correlation_id))
    summary = found.pop("element_summary", "")
    reply: Reply = {"correlation_id": correlation_id} | found
    if summary == annotation.get("element_summary"):
        return reply
    return reply | {"warning": "element_changed", "element_summary": annotation.get("element_summary", "")}


async def completed(read: Read, find: FindTab, asked: bridge.Interact, client: str) -> bridge.Interact:
    """Give an action of Draw Mode as the extension needs it.

    Raises:
        Failed: `invalid_params` names the argument; `not_found`: there is no such annotation; `tab_not_found`.

    """
    if asked.action == "annotation_reply":
        return await answering(read, find, asked, client)
    if len(str(asked.arguments.get("text", ""))) > NAME_CHARS:
        text = f"`text`, the name of the session, has at most {NAME_CHARS} characters."
        fail("invalid_params", text, "Call again with a shorter one.", parameter="text")
    return asked


async def answering(read: Read, find: FindTab, asked: bridge.Interact, client: str) -> bridge.Interact:
    """Give an answer to an annotation as the extension needs it: with what is known of the annotation, in its tab.

    Raises:
        Failed: `invalid_params`: the status is none; `not_found`: there is no such annotation; `tab_not_found`.

    """
    status, name = asked.arguments["value"], str(asked.arguments["correlation_id"])
    if status not in STATUSES:
        text = f"`value` is the status of an annotation: {', '.join(STATUSES)}."
        fail("invalid_params", text, "Call again with one of them.", parameter="value", valid=[*STATUSES])
    drawn, annotation = await _annotation(read, client, name)
    known = {
        "session": drawn.id,
        "page_url": drawn.page_url,
        "number": 1 + drawn.annotations.index(annotation),
        "kind": annotation.get("kind", ""),
        "said": annotation.get("text", ""),
        "selector": annotation.get("selector", ""),
    }
    return msgspec.structs.replace(asked, tab_id=await find(drawn), arguments=asked.arguments | {"annotation": known})


async def _annotation(read: Read, client: str, correlation_id: str) -> tuple[journal.DrawingRead, journal.Item]:
    drawn = await read(journal.ReadDrawing(client, correlation_id))
    found = next((one for one in drawn.annotations if one.get("correlation_id") == correlation_id), None)
    if found is None:
        text = f"No annotation has the correlation_id {correlation_id!r}."
        fail("not_found", text, f"Take one from {AGAIN}.", parameter="correlation_id")
    return drawn, found
