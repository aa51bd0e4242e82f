"""The verdicts on annotations, from how elements looked and look."""

from typing import Any

import pytest

from gasoline_bridge.chrome import messages as bridge
from gasoline_bridge.front import verification
from gasoline_bridge.front.replies import Reply
from gasoline_broker.errors import Failed, Failure
from gasoline_workers.journal.messages import DrawingRead, Item
from gasoline_workers.screenshots.messages import Part

RECT = {"x": 5, "y": 5, "width": 120, "height": 40}
LOOK = {
    "tag": "button",
    "text": "Pay",
    "styles": {"color": "red", "padding": "4px"},
    "box": {"x": 10, "y": 10, "width": 100, "height": 30},
    "from": {"x": [10, 0, -90], "y": [40, 34, 4]},
}
ANNOTATION: Item = {"correlation_id": "a", "text": "darker", "selector": "#pay", "rect": RECT, "look": LOOK}


def page(*looks: Item | None, url: str = "http://a.test/shop?x=1") -> verification.Look:
    async def look(query: bridge.LookAtAnnotated) -> Reply:
        assert len(looks) == len(query.annotations)
        return {"url": url, "looks": [*looks]}

    return look


def pictures(differing: dict[int, float]) -> tuple[verification.Compare, list[Part]]:
    asked: list[Part] = []

    async def compare(parts: tuple[Part, ...]) -> Reply:
        asked.extend(parts)
        return {"differing": differing, "screenshot_path": "/x.png"}

    return compare, asked


async def no_pictures(_parts: tuple[Part, ...]) -> Reply:
    raise Failed(Failure("screenshot_failed", "The tab is in the background."))


def drawn(*annotations: Item) -> DrawingRead:
    return DrawingRead(id="dm_1", tab=7, page_url="http://a.test/shop#top", annotations=[*annotations])


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ({}, {"verdict": "unchanged"}),
        ({"styles": {"color": "blue", "padding": "4px"}}, {"verdict": "changed", "styles": {"color": ["red", "blue"]}}),
        ({"text": "Buy"}, {"verdict": "changed", "text_content": ["Pay", "Buy"]}),
        ({"tag": "a"}, {"verdict": "changed", "tag": ["button", "a"]}),
        ({"box": LOOK["box"] | {"width": 101}}, {"verdict": "unchanged"}),  # type: ignore[operator]  # a box
        ({"box": LOOK["box"] | {"x": 300}}, {"verdict": "unchanged"}),  # type: ignore[operator]  # a box
        ({"box": LOOK["box"] | {"width": 102}}, {"verdict": "changed", "size": [[100, 30], [102, 30]]}),  # type: ignore[operator]  # a box
        ({"from": {"x": [40, 30, -60], "y": [40, 34, 4]}}, {"verdict": "changed", "moved": [30, 0]}),
        ({"from": {"x": [10, 0, -90], "y": [8, 2, 4]}}, {"verdict": "unchanged"}),  # what was before it is gone
        ({"hidden": True}, {"verdict": "gone"}),
    ],
)
def test_what_is_different_makes_the_verdict(now: Item, expected: Reply) -> None:
    assert expected == verification.differences(ANNOTATION, LOOK | now)


def test_what_is_not_there_is_gone_and_what_was_hidden_before_is_not() -> None:
    hidden = LOOK | {"hidden": True}

    assert {"verdict": "gone"} == verification.differences(ANNOTATION, None)
    assert {"verdict": "unchanged"} == verification.differences(ANNOTATION | {"look": hidden}, hidden)


async def test_a_picture_tells_what_styles_do_not() -> None:
    other = ANNOTATION | {"correlation_id": "b", "look": None, "selector": ""}
    compare, asked = pictures({1: 0.25, 2: 0.0})

    reply = await verification.verified(drawn(ANNOTATION, other, ANNOTATION), page(LOOK, None, None), compare)

    assert ["changed", "unchanged", "gone"] == [one["verdict"] for one in reply["verdicts"]]
    assert (0.25, "/x.png") == (reply["verdicts"][0]["picture"], reply["screenshot_path"])
    assert [(1, (10, 10, 100, 30)), (2, (5, 5, 120, 40))] == [(part.number, part.before) for part in asked]


@pytest.mark.requirement("draw-031")
async def test_without_pictures_the_verdict_is_by_the_element_or_unknown() -> None:
    other: dict[str, Any] = ANNOTATION | {"look": None}

    reply = await verification.verified(drawn(ANNOTATION, other), page(LOOK, None), no_pictures)

    assert ["unchanged", "unknown"] == [one["verdict"] for one in reply["verdicts"]]
    assert "background" in reply["pictures_unavailable"]


@pytest.mark.parametrize("url", ["http://a.test/other", "http://b.test/shop"])
async def test_another_page_is_not_judged(url: str) -> None:
    with pytest.raises(Failed, match="page_navigated") as refused:
        await verification.verified(drawn(ANNOTATION), page(LOOK, url=url), no_pictures)

    assert "http://a.test/shop" in refused.value.failure.recovery
