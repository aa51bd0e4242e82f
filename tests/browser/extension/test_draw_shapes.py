"""Arrows and freehand lines in Draw Mode: how they are chosen and drawn, what they mean, what is reported of them."""

import math

import pytest

from browser.bridge_double import BridgeDouble, Message
from browser.drawing import (
    SHIFT,
    Point,
    annotate,
    around,
    choose,
    click,
    drag,
    drag_by_finger,
    finish,
    marked,
    shown,
    start,
    write,
)
from browser.input import press
from browser.scene import Open
from gasoline_bridge.devtools import Tab

pytestmark = pytest.mark.usefixtures("acting", "fresh_tab")

TOOLS = ("Rectangle", "Arrow", "Freehand")


async def pressed(tab: Tab) -> list[str]:
    state = await shown(tab)
    return [name for name in TOOLS if state[name]["pressed"] == "true"]


async def say(tab: Tab, text: str) -> None:
    await write(tab, text)
    await press(tab, "Enter")


def loop(middle: Point, across: float, down: float, points: int = 200) -> list[Point]:
    """Give the way of a hand around something, and a little further."""
    angles = [7 * step / points for step in range(points)]
    return [(middle[0] + across * math.cos(angle), middle[1] + down * math.sin(angle)) for angle in angles]


@pytest.mark.requirement("draw-021")
async def test_a_tool_is_chosen_by_key_and_by_its_button_and_no_key_is_lost_to_the_text(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("drawn.html")
    begun = await start(bridge)

    chosen = [await pressed(tab)]
    for key in "afr":
        await press(tab, key)
        chosen.append(await pressed(tab))
    await choose(tab, "Arrow")
    chosen.append(await pressed(tab))
    await drag(tab, (600, 300), (500, 200), (*(await around(tab, "buy")).middle,))
    for key in "far":
        await press(tab, key, text=key)
    chosen.append(await pressed(tab))
    await press(tab, "Enter")
    event = await finish(tab, bridge, begun)

    assert [["Rectangle"], ["Arrow"], ["Freehand"], ["Rectangle"], ["Arrow"], ["Arrow"]] == chosen
    assert [("far", "arrow")] == [(one["text"], one["shape"]) for one in event["annotations"]]


@pytest.mark.requirement("draw-022")
async def test_an_arrow_means_what_is_worked_with_or_said_at_its_tip(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drawn.html")
    inner = "document.getElementById('shadowed').shadowRoot.getElementById('inner')"
    card, frame = await around(tab, "card", 0), await around(tab, "frame", 0)
    tips = [(await around(tab, name)).middle for name in ("buy", "secret", "link", "sign", "sum", inner)]
    tips += [(frame.x + 80, frame.y + 40), (card.end[0] - 8, card.y + 8), (1200.0, 500.0)]
    begun = await start(bridge)
    await press(tab, "a")
    for tip in tips:
        await drag(tab, (tip[0] + 60, tip[1] + 50), (tip[0] + 20, tip[1] + 20), tip)
        await say(tab, "this")
    event = await finish(tab, bridge, begun)

    meant = [one["selector"] for one in event["annotations"]]
    own, in_frame = ["#buy", "#secret", "#link", "#named", "#sum", "#shadowed >>> #inner"], "#frame >>> #framed"
    assert [*own, in_frame, "#card"] == meant[:8]
    assert event["annotations"][8]["element_summary"].split(" ")[0] in {"main", ""}
    first = event["annotations"][0]
    (x, y) = (round(side) for side in tips[0])
    assert ("arrow", {"x": x, "y": y}) == (first["shape"], first["to"])
    assert {"x": x, "y": y, "width": first["from"]["x"] - x, "height": first["from"]["y"] - y} == first["rect"]


@pytest.mark.requirement("draw-023", "draw-004")
async def test_a_freehand_line_means_what_it_encloses_and_keeps_few_points(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drawn.html")
    card = await around(tab, "card", 0)
    begun = await start(bridge)
    await press(tab, "f")
    await drag(tab, *loop(card.middle, card.width / 2 + 8, card.height / 2 + 8))
    await say(tab, "all of this")
    await drag_by_finger(tab, *[(700 + 37 * (at % 5), 60 + 4 * at) for at in range(90)])
    await say(tab, "a zigzag")
    event = await finish(tab, bridge, begun)

    around_card, zigzag = event["annotations"]
    assert ("#card", "freehand") == (around_card["selector"], around_card["shape"])
    assert 8 < len(around_card["path"]) <= 64
    assert 8 < len(zigzag["path"]) <= 64
    for one in (around_card, zigzag):
        box, xs, ys = one["rect"], [x for x, _ in one["path"]], [y for _, y in one["path"]]
        assert [min(xs), min(ys), max(xs), max(ys)] == [
            box["x"],
            box["y"],
            box["x"] + box["width"],
            box["y"] + box["height"],
        ]
    assert "shape" not in await rectangle_of(tab, bridge)


async def rectangle_of(tab: Tab, bridge: BridgeDouble) -> Message:
    begun = await start(bridge)
    await annotate(tab, await around(tab, "buy"), "a rectangle")
    event = await finish(tab, bridge, begun)
    (one,) = event["annotations"]
    return dict(one)


@pytest.mark.requirement("draw-016", "draw-015")
async def test_arrows_and_lines_are_moved_and_stretched_too(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drawn.html")
    buy, link = await around(tab, "buy"), await around(tab, "link")
    begun = await start(bridge)
    await press(tab, "a")
    await drag(tab, (600, 330), (500, 300), buy.middle)
    await say(tab, "an arrow")
    await press(tab, "f")
    await drag(tab, (700, 100), (800, 100), (800, 180), (700, 180))
    await say(tab, "a line")

    middle = ((600 + buy.middle[0]) / 2, (330 + buy.middle[1]) / 2)
    await click(tab, middle)
    await drag(tab, buy.middle, (300, 300), link.middle)  # the tip alone
    stretched = (await marked(tab))[0]
    await click(tab, (750, 100))
    await drag(tab, (760, 140), (780, 150))  # by its inside
    await drag(tab, (820, 190), (870, 230))  # by its lower right corner
    await press(tab, "Escape")
    event = await finish(tab, bridge, begun)

    arrow, line = event["annotations"]
    assert "A link" in stretched
    assert ({"x": 600, "y": 330}, "#link") == (arrow["from"], arrow["selector"])
    assert {"x": 720, "y": 110, "width": 150, "height": 120} == line["rect"]
    assert [[720, 110], [870, 110], [870, 230], [720, 230]] == line["path"]


@pytest.mark.requirement("draw-003")
async def test_each_is_drawn_by_keyboard_alone(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drawn.html")
    begun = await start(bridge)
    await press(tab, "a")
    await press(tab, "ArrowLeft")
    await press(tab, "ArrowLeft")
    await press(tab, "ArrowUp", SHIFT)
    await press(tab, "Enter")
    await say(tab, "an arrow")
    await press(tab, "f")
    await press(tab, "ArrowLeft")
    await press(tab, "Enter")  # a point is no line
    await press(tab, "ArrowLeft")
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        await press(tab, key, SHIFT)
    await press(tab, "Enter")
    await say(tab, "a line")
    event = await finish(tab, bridge, begun)

    arrow, line = event["annotations"]
    assert [("arrow", "an arrow"), ("freehand", "a line")] == [(one["shape"], one["text"]) for one in (arrow, line)]
    assert (80, 64) == (arrow["to"]["x"] - arrow["from"]["x"], arrow["to"]["y"] - arrow["from"]["y"])
    assert (32, 16) == (line["rect"]["width"], line["rect"]["height"])
