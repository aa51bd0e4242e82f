"""What an assistant is answered about the sessions of Draw Mode: by doubles of the journal and of the page."""

from typing import Any

import pytest

from gasoline_bridge.chrome import messages as bridge
from gasoline_bridge.front import drawings
from gasoline_broker.errors import Failed, Failure
from gasoline_workers.journal.messages import DrawingRead, DrawnPage, ReadDrawing

ANNOTATION = {
    "id": "ann_1_a",
    "text": "darker",
    "selector": "#buy",
    "element_summary": "button 'Buy'",
    "correlation_id": "ann_detail_a",
}


def journal(*answers: DrawingRead) -> tuple[drawings.Read, list[ReadDrawing]]:
    """Return a journal that gives these answers, the last one again and again, and what it was asked."""
    left, asked = [*answers], list[ReadDrawing]()

    async def read(query: ReadDrawing) -> DrawingRead:
        asked.append(query)
        return left.pop(0) if len(left) > 1 else left[0]

    return read, asked


async def no_news(count: int, _wait_s: float) -> int:
    """Give the count that is known at once, as if the wait were over."""
    return count


async def page(query: bridge.DescribeAnnotated) -> dict[str, Any]:
    return {"selector": query.selector, "tag": "button", "element_summary": "button 'Buy'"}


async def own_tab(drawn: DrawingRead) -> int:
    return drawn.tab


DRAWN = DrawingRead(id="dm_1", tab=7, page_url="http://a.test/shop?x=1")


@pytest.mark.requirement("draw-038")
@pytest.mark.parametrize(
    ("tabs", "expected"),
    [
        ([(8, "http://a.test/shop"), (7, "http://a.test/shop#top")], 7),
        ([(7, "http://a.test/other"), (8, "http://a.test/shop")], 8),
        ([(8, "http://a.test/shop"), (9, "http://a.test/shop")], 9),
        ([(7, "http://a.test/other"), (9, "http://b.test/shop")], 7),
    ],
)
def test_a_session_is_in_the_tab_that_was_drawn_in_or_else_in_one_that_shows_its_page(
    tabs: list[tuple[int, str]], expected: int
) -> None:
    listed = [{"id": number, "url": url, "focused": number == 9} for number, url in tabs]

    assert expected == drawings.tab_of(DRAWN, listed)


@pytest.mark.requirement("draw-038")
def test_a_session_whose_page_no_tab_shows_names_the_call_that_opens_it() -> None:
    with pytest.raises(Failed, match="tab_not_found") as refused:
        drawings.tab_of(DRAWN, [{"id": 8, "url": "http://a.test/", "focused": True}])

    assert 'url:"http://a.test/shop?x=1"' in refused.value.failure.recovery


@pytest.mark.requirement("004-104", "004-105", "004-171")
async def test_without_a_session_the_answer_states_how_to_begin_one() -> None:
    reply = await drawings.annotations(journal(DrawingRead())[0], no_news, ReadDrawing("ann"), 50)

    assert ("success", 0, []) == (reply["status"], reply["count"], reply["annotations"])
    assert 'interact(action:"draw_mode_start")' in reply["hint"]


async def test_a_wait_that_is_over_names_the_call_that_waits_on() -> None:
    reply = await drawings.annotations(journal(DrawingRead(id="dm_1", open=True))[0], no_news, ReadDrawing("ann"), 0)

    assert ("waiting", "dm_1") == (reply["status"], reply["correlation_id"])
    assert "wait:true" in reply["resume"]


@pytest.mark.requirement("004-065", "004-066", "004-068", "004-139", "004-141")
async def test_a_wait_ends_with_the_session() -> None:
    ended = DrawingRead(id="dm_1", tab=7, page_url="http://a.test/", annotations=[ANNOTATION], duration_ms=4_500)
    read, asked = journal(DrawingRead(id="dm_1", open=True), ended)

    reply = await drawings.annotations(read, no_news, ReadDrawing("ann"), 50)

    assert {
        "status": "success",
        "count": 1,
        "annotations": [ANNOTATION],
        "page_url": "http://a.test/",
        "duration_ms": 4_500,
        "tab_id": 7,
        "session": "dm_1",
    } == reply
    assert [ReadDrawing("ann")] * 2 == asked


@pytest.mark.requirement("draw-034")
async def test_a_wait_reads_the_journal_again_when_a_session_has_ended_and_not_before() -> None:
    going_on, ended = DrawingRead(id="dm_1", open=True), DrawingRead(id="dm_1")
    read, asked = journal(going_on, going_on, going_on, ended)
    waits = list[tuple[int, bool]]()

    async def news(count: int, wait_s: float) -> int:
        waits.append((count, 0 < wait_s <= drawings.NEWS_S))
        return 3 + len(waits) // 2

    await drawings.annotations(read, news, ReadDrawing("ann"), 50)

    assert [(drawings.UNKNOWN, True), (3, True), (4, True)] == waits
    assert 4 == len(asked)


async def test_a_bridge_that_is_away_has_no_news_and_is_asked_again() -> None:
    async def away(_query: bridge.AwaitDrawing, _ttl_s: float) -> dict[str, Any]:
        raise Failed(Failure("worker_unavailable", "The bridge is away."))

    async def there(query: bridge.AwaitDrawing, ttl_s: float) -> dict[str, Any]:
        return {"count": query.count + 1, "waited": (query.wait_s, ttl_s)}

    assert drawings.UNKNOWN == await drawings.news_from(away, 10)(4, 0.001)
    assert 5 == await drawings.news_from(there, 10)(4, 2)


@pytest.mark.parametrize(
    ("warning", "expected"),
    [("draw_mode_timeout", ("timeout", None)), ("page_navigated", ("success", "page_navigated"))],
)
@pytest.mark.requirement("004-168", "004-169")
async def test_how_a_session_has_ended_is_stated(warning: str, expected: tuple[str, str | None]) -> None:
    left = DrawingRead(id="dm_1", warning=warning)
    reply = await drawings.annotations(journal(left)[0], no_news, ReadDrawing("ann"), 0)

    assert expected == (reply["status"], reply.get("warning"))
    assert ("message" in reply) == (warning == "draw_mode_timeout")


@pytest.mark.requirement("004-106", "004-107", "004-108", "004-170")
async def test_a_detail_expires_ten_minutes_after_its_session() -> None:
    kept = DrawingRead(id="dm_1", annotations=[ANNOTATION], age_s=599)
    expired = DrawingRead(id="dm_1", annotations=[ANNOTATION], age_s=601)

    detail = await drawings.detail(journal(kept)[0], page, own_tab, "ann", "ann_detail_a")
    with pytest.raises(Failed, match="correlation_expired"):
        await drawings.detail(journal(expired)[0], page, own_tab, "ann", "ann_detail_a")

    assert {"correlation_id": "ann_detail_a", "selector": "#buy", "tag": "button"} == detail


async def test_an_annotation_that_is_unknown_or_around_nothing_is_an_error() -> None:
    nothing = {name: value for name, value in ANNOTATION.items() if name != "selector"}

    with pytest.raises(Failed, match="not_found"):
        await drawings.detail(journal(DrawingRead())[0], page, own_tab, "ann", "ann_detail_a")
    with pytest.raises(Failed, match="element_not_found"):
        await drawings.detail(journal(DrawingRead(annotations=[nothing]))[0], page, own_tab, "ann", "ann_detail_a")


async def test_an_answer_goes_to_the_tab_of_its_annotation_with_what_is_known_of_it() -> None:
    other = ANNOTATION | {"correlation_id": "ann_detail_b"}
    drawn = DrawingRead(id="dm_1", tab=7, page_url="http://a.test/", annotations=[other, ANNOTATION | {"kind": "bug"}])
    arguments = {"correlation_id": "ann_detail_a", "value": "resolved", "text": "Done"}
    asked = bridge.Interact(client=bridge.Client("ann"), action="annotation_reply", arguments=arguments)

    sent = await drawings.answering(journal(drawn)[0], own_tab, asked, "ann")

    assert 7 == sent.tab_id
    assert {
        "session": "dm_1",
        "page_url": "http://a.test/",
        "number": 2,
        "kind": "bug",
        "said": "darker",
        "selector": "#buy",
    } == sent.arguments["annotation"]


@pytest.mark.parametrize(
    ("named", "status", "code"), [("ann_detail_a", "done", "invalid_params"), ("ann_detail_x", "open", "not_found")]
)
async def test_an_answer_to_nothing_or_with_no_status_is_refused(named: str, status: str, code: str) -> None:
    arguments = {"correlation_id": named, "value": status}
    asked = bridge.Interact(client=bridge.Client("ann"), action="annotation_reply", arguments=arguments)

    with pytest.raises(Failed, match=code) as refused:
        await drawings.answering(journal(DrawingRead(annotations=[ANNOTATION]))[0], own_tab, asked, "ann")

    assert refused.value.failure.details["parameter"] == ("value" if status == "done" else "correlation_id")


async def test_of_several_sessions_of_one_name_each_page_is_named() -> None:
    pages = [DrawnPage("dm_1", "http://a.test/1", 1), DrawnPage("dm_2", "http://a.test/2", 0)]
    read, asked = journal(DrawingRead(id="dm_2", page_url="http://a.test/2", annotations=[ANNOTATION], pages=pages))

    reply = await drawings.annotations(read, no_news, ReadDrawing("ann", name="review"), 0)

    assert [ReadDrawing("ann", name="review")] == asked
    assert [("dm_1", 1), ("dm_2", 0)] == [(page["id"], page["count"]) for page in reply["pages"]]
