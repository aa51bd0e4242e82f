"""The verdicts on annotations, from how elements looked and look."""

from typing import Any

import msgspec
import pytest

from gasoline_bridge.chrome import messages as bridge
from gasoline_bridge.front import verification
from gasoline_bridge.front.replies import Reply
from gasoline_broker.errors import Failed, Failure
from gasoline_workers.journal.messages import DrawingRead, Item
from gasoline_workers.screenshots.messages import Part

RECT = {"x": 5, "y": 5, "width": 120, "height": 40}
LOOK: dict[str, Any] = {
    "tag": "button",
    "text": "Pay",
    "styles": {"color": "red", "padding": "4px"},
    "box": {"x": 10, "y": 10, "width": 100, "height": 30},
    "from": {"x": [10, 0, -90], "y": [40, 34, 4]},
}
ANNOTATION: Item = {"correlation_id": "a", "text": "darker", "selector": "#pay", "rect": RECT, "look": LOOK}


def look(given: Item) -> bridge.Look:
    return msgspec.convert(given, bridge.Look)


def page(*looks: Item | None, url: str = "http://a.test/shop?x=1") -> verification.Look:
    async def answer(query: bridge.LookAtAnnotated) -> Reply:
        assert len(looks) == len(query.annotations)
        return {"url": url, "looks": [*looks]}

    return answer


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
        ({"box": LOOK["box"] | {"width": 101}}, {"verdict": "unchanged"}),
        ({"box": LOOK["box"] | {"x": 300}}, {"verdict": "unchanged"}),
        ({"box": LOOK["box"] | {"width": 102}}, {"verdict": "changed", "size": [[100, 30], [102, 30]]}),
        ({"from": {"x": [40, 30, -60], "y": [40, 34, 4]}}, {"verdict": "changed", "moved": [30, 0]}),
        ({"from": {"x": [10, 0, -90], "y": [8, 2, 4]}}, {"verdict": "unchanged"}),  # what was before it is gone
        ({"hidden": True}, {"verdict": "gone"}),
    ],
)
def test_what_is_different_makes_the_verdict(now: Item, expected: Reply) -> None:
    assert expected == verification.differences(look(LOOK), look(LOOK | now))


def test_what_is_not_there_is_gone_and_what_was_hidden_before_is_not() -> None:
    hidden = LOOK | {"hidden": True}

    assert {"verdict": "gone"} == verification.differences(look(LOOK), None)
    assert {"verdict": "unchanged"} == verification.differences(look(hidden), look(hidden))


async def test_a_picture_tells_what_styles_do_not() -> None:
    other = ANNOTATION | {"correlation_id": "b", "look": None, "selector": ""}
    hidden = LOOK | {"hidden": True}
    compare, asked = pictures({1: 0.25, 2: 0.0})
    five = drawn(ANNOTATION, ANNOTATION, ANNOTATION, other, ANNOTATION)

    reply = await verification.verified(five, page(LOOK, LOOK, LOOK, None, hidden), compare)

    assert ["changed", "unchanged", "unchanged", "unknown", "gone"] == [one["verdict"] for one in reply["verdicts"]]
    assert [0.25, None, "not compared", None, None] == [one.get("picture") for one in reply["verdicts"]]
    assert "/x.png" == reply["screenshot_path"]
    assert [(1, (10, 10, 100, 30)), (2, (10, 10, 100, 30)), (3, (10, 10, 100, 30))] == [
        (part.number, part.before) for part in asked
    ]


async def test_the_mouse_and_the_focus_are_named_where_they_may_be_the_cause() -> None:
    now = LOOK | {"focused": True, "styles": LOOK["styles"] | {"color": "blue"}}

    reply = await verification.verified(drawn(ANNOTATION, ANNOTATION), page(now, LOOK | {"hovered": True}), no_pictures)

    assert ([False, True], "hovered" in reply["verdicts"][1]) == (reply["verdicts"][0]["focused"], False)


@pytest.mark.parametrize(
    ("then", "now", "expected"),
    [
        ("[REDACTED]", LOOK, "unknown"),
        ({name: value for name, value in LOOK.items() if name != "from"}, LOOK, "unknown"),
        (LOOK | {"text": "[REDACTED]"}, LOOK, "unchanged"),
        (LOOK, LOOK | {"text": "a [REDACTED:card]"}, "unchanged"),
    ],
)
async def test_what_redaction_has_hidden_is_no_difference(then: Any, now: Item, expected: str) -> None:
    reply = await verification.verified(drawn(ANNOTATION | {"look": then}), page(now), no_pictures)

    assert expected == reply["verdicts"][0]["verdict"]
    assert ("Redaction" in reply["verdicts"][0].get("reason", "")) == (expected == "unknown")


@pytest.mark.requirement("draw-031")
async def test_without_pictures_the_verdict_is_by_the_element_or_unknown() -> None:
    other: dict[str, Any] = ANNOTATION | {"look": None}

    reply = await verification.verified(drawn(ANNOTATION, other), page(LOOK, None), no_pictures)

    assert ["unchanged", "unknown"] == [one["verdict"] for one in reply["verdicts"]]
    assert "the browser ended" in reply["verdicts"][1]["reason"]
    assert "background" in reply["pictures_unavailable"]


@pytest.mark.parametrize("url", ["http://a.test/other", "http://b.test/shop"])
async def test_another_page_is_not_judged(url: str) -> None:
    with pytest.raises(Failed, match="page_navigated") as refused:
        await verification.verified(drawn(ANNOTATION), page(LOOK, url=url), no_pictures)

    assert "http://a.test/shop" in refused.value.failure.recovery
