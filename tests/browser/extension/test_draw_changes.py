"""What was drawn is moved, stretched, deleted and written again, by mouse, finger and keyboard, and undone."""

import pytest

from browser.bridge_double import BridgeDouble, Message
from browser.drawing import (
    CTRL,
    SHIFT,
    Box,
    annotate,
    around,
    choose,
    click,
    drag,
    drag_by_finger,
    finish,
    focused,
    marked,
    shown,
    start,
    write,
)
from browser.input import press
from browser.scene import Open
from gasoline_bridge.devtools import Tab

pytestmark = pytest.mark.usefixtures("acting", "fresh_tab")


def boxes(event: Message) -> list[list[float]]:
    return [[round(one["rect"][side]) for side in ("x", "y", "width", "height")] for one in event["annotations"]]


def whole(box: Box) -> list[float]:
    return [round(side) for side in box]


def words(event: Message) -> list[tuple[str, str]]:
    return [(one["text"], one["kind"]) for one in event["annotations"]]


def means(event: Message) -> list[str]:
    return [one["selector"] for one in event["annotations"]]


async def select(tab: Tab, box: Box) -> None:
    """Click on an annotation's number."""
    await click(tab, box[:2])


@pytest.mark.requirement("draw-015")
async def test_one_that_is_selected_is_dragged_onto_another_element_and_means_that_one(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("drawn.html")
    await tab.evaluate("link.style.width = `${buy.offsetWidth}px`")  # as wide as the button, in any font
    buy, link = await around(tab, "buy"), await around(tab, "link")
    begun = await start(bridge)
    await annotate(tab, buy, "this")
    (before,) = await marked(tab)

    await click(tab, (buy.x + 30, buy.y))  # the line selects it as well as the number
    chosen = await focused(tab)
    way = (link.x - buy.x, link.y - buy.y)
    await drag(tab, buy.middle, (buy.middle[0] + 9, 300), (buy.middle[0] + way[0], buy.middle[1] + way[1]))
    (after,) = await marked(tab)
    await press(tab, "Escape")  # leaves the selection, and not Draw Mode
    event = await finish(tab, bridge, begun)

    assert before == chosen == "1: suggestion, this, button.btn-primary 'Buy now'"
    assert "1: suggestion, this, a 'A link'" == after
    assert ["#link"] == means(event)
    assert [[*whole(link)[:2], *whole(buy)[2:]]] == boxes(event)
    assert {"this"} == {one["text"] for one in event["annotations"]}


@pytest.mark.requirement("draw-016")
async def test_each_handle_stretches_it_and_never_to_less_than_a_rectangle(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drawn.html")
    total, card = await around(tab, "sum"), await around(tab, "card")
    begun = await start(bridge)
    await annotate(tab, total, "all of it")
    await select(tab, total)

    await drag(tab, total[:2], (total.x - 10, total.y - 10), card[:2])
    await drag(tab, total.end, (500, 300), card.end)
    (meant,) = await marked(tab)
    await drag(tab, (card.end[0], card.y), (card.end[0] - 50, card.y + 20))
    await drag(tab, (card.x, card.end[1]), (card.x + 20, card.end[1] - 50))
    await press(tab, "Escape")
    first = await finish(tab, bridge, begun)
    begun = await start(bridge)
    await annotate(tab, card, "collapsed")
    await select(tab, card)
    await drag(tab, card[:2], card.end)  # onto the opposite corner
    await press(tab, "Escape")
    second = await finish(tab, bridge, begun)

    assert meant.startswith("1: suggestion, all of it, div 'In all: 12.00")
    assert [whole(Box(card.x + 20, card.y + 20, card.width - 70, card.height - 70))] == boxes(first)
    assert [whole(Box(card.end[0] - 5, card.end[1] - 5, 5, 5))] == boxes(second)


@pytest.mark.requirement("draw-017", "draw-019")
async def test_one_that_is_deleted_is_gone_the_numbers_close_up_and_undo_brings_it_back(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("drawn.html")
    places = [await around(tab, name) for name in ("title", "buy", "link")]
    begun = await start(bridge)
    for place, text in zip(places, ("one", "two", "three"), strict=True):
        await annotate(tab, place, text)

    await select(tab, places[1])
    await press(tab, "Delete")
    closed_up = await marked(tab)
    await press(tab, "z", CTRL)
    back = await marked(tab)
    await select(tab, places[0])
    await choose(tab, "Delete")
    await press(tab, "z", CTRL)
    await press(tab, "z", CTRL)  # before the deletion there was the third
    event = await finish(tab, bridge, begun)

    assert ["1: suggestion, one", "2: suggestion, three"] == [name.rsplit(",", 1)[0] for name in closed_up]
    assert 3 == len(back)
    assert [("one", "suggestion"), ("two", "suggestion")] == words(event)


@pytest.mark.requirement("draw-018", "draw-025")
async def test_text_and_kind_are_changed_after_a_double_click_and_undone(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drawn.html")
    title, buy, link = [await around(tab, name) for name in ("title", "buy", "link")]
    begun = await start(bridge)
    await annotate(tab, title, "kept")
    await annotate(tab, buy, "dark")
    await annotate(tab, link, "gone")

    await click(tab, buy[:2], times=2)
    await write(tab, "er")
    await choose(tab, "Bug")  # while it is written: the field stays
    await write(tab, "!")
    await press(tab, "Enter")
    await select(tab, title)
    await choose(tab, "Question")
    chosen = {name: state["pressed"] for name, state in (await shown(tab)).items() if "pressed" in state}
    await click(tab, link[:2], times=2)
    await press(tab, "a", CTRL)
    await write(tab, " ")
    await press(tab, "Enter")
    event = await finish(tab, bridge, begun)

    assert ("true", "false") == (chosen["Question"], chosen["Suggestion"])
    assert [("kept", "question"), ("darker!", "bug")] == words(event)


@pytest.mark.requirement("draw-003", "draw-017", "draw-018")
async def test_by_keyboard_alone_each_is_reached_moved_stretched_written_and_deleted(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("drawn.html")
    title, buy, link = [await around(tab, name) for name in ("title", "buy", "link")]
    begun = await start(bridge)
    for place, text in ((title, "one"), (buy, "two"), (link, "three")):
        await annotate(tab, place, text)

    await press(tab, "Tab")
    first = await focused(tab)
    await press(tab, "ArrowRight")
    await press(tab, "ArrowDown", SHIFT)
    await press(tab, "ArrowLeft", 1)  # Alt: by a pixel
    await press(tab, "Tab")
    await press(tab, "Enter")
    await write(tab, " more")
    await press(tab, "Enter")
    for _ in range(3):
        await press(tab, "Tab")
    last = await focused(tab)
    await press(tab, "Delete")
    await press(tab, "Tab")
    await press(tab, "Escape")
    event = await finish(tab, bridge, begun)

    assert first.startswith("1: suggestion, one")
    assert last.startswith("3: suggestion, three")
    assert ["one", "two more"] == [text for text, _ in words(event)]
    assert [round(title.x) + 15, round(title.y), round(title.width), round(title.height) + 16] == boxes(event)[0]


@pytest.mark.requirement("draw-019")
async def test_a_key_that_is_held_is_one_change_and_escape_takes_it_back(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drawn.html")
    buy = await around(tab, "buy")
    begun = await start(bridge)
    await annotate(tab, buy, "here")
    await press(tab, "Tab")

    async def hold(key: str, code: int, times: int) -> None:
        for _ in range(times):
            await tab.send("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code)

    await hold("ArrowDown", 40, 4)
    await tab.send("Input.dispatchKeyEvent", type="keyUp", key="ArrowDown", windowsVirtualKeyCode=40)
    await hold("ArrowRight", 39, 3)
    await press(tab, "Escape")  # in the middle
    kept = await focused(tab)
    stored = bridge.events(type="drawing")
    await press(tab, "z", CTRL)
    event = await finish(tab, bridge, begun)

    assert kept.startswith("1: suggestion, here")
    assert stored
    assert [whole(buy)] == boxes(event)


@pytest.mark.requirement("draw-004", "draw-015")
async def test_by_finger_one_is_selected_moved_and_written_again(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drawn.html")
    buy = await around(tab, "buy")
    begun = await start(bridge)
    await annotate(tab, buy, "here")

    await drag_by_finger(tab, (buy.x - 8, buy.y - 8))  # beside the number, as fingers are
    chosen = await focused(tab)
    await drag_by_finger(tab, buy.middle, (buy.middle[0] + 40, buy.middle[1] + 30))
    for _ in range(2):
        await drag_by_finger(tab, (buy.x + 80, buy.y + 30))  # its line, twice
    written = await focused(tab)
    await write(tab, ", again")
    await choose(tab, "Done")
    (event,) = await bridge.until_stored(type="drawing", phase="ended", id=begun["correlation_id"])

    assert chosen.startswith("1: ")
    assert "What you want to say about it" == written
    assert [("here, again", "suggestion")] == words(event)
    assert [[round(buy.x) + 40, round(buy.y) + 30, *whole(buy)[2:]]] == boxes(event)


@pytest.mark.requirement("draw-020")
async def test_a_new_one_may_begin_on_the_line_of_another(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drawn.html")
    card = await around(tab, "card")
    begun = await start(bridge)
    await annotate(tab, card, "around")
    await annotate(tab, Box(card.x, card.y, 200, 60), "at its corner")
    await annotate(tab, Box(card.end[0] - 200, card.end[1] - 60, 200, 60), "to its corner")
    event = await finish(tab, bridge, begun)

    assert ["around", "at its corner", "to its corner"] == [text for text, _ in words(event)]
    assert whole(card) == boxes(event)[0]


@pytest.mark.requirement("draw-004", "draw-019")
async def test_escape_in_the_midst_of_a_drag_takes_it_back_and_another_finger_draws_nothing(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("drawn.html")
    begun = await start(bridge)
    await press(tab, "f")
    for kind, *fingers in (
        ("touchStart", (600, 100)),
        ("touchStart", (600, 100), (100, 400)),
        ("touchMove", (640, 160), (300, 500)),
        ("touchMove", (700, 120), (400, 450)),
    ):
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(fingers)]
        await tab.send("Input.dispatchTouchEvent", type=kind, touchPoints=points)
    await tab.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    await write(tab, "one finger")
    await press(tab, "Enter")
    await click(tab, (600, 100))
    for kind, x, button in (("mousePressed", 650, {"button": "left", "clickCount": 1}), ("mouseMoved", 800, {})):
        await tab.send("Input.dispatchMouseEvent", type=kind, x=x, y=130, buttons=1, **button)
    await press(tab, "Escape")
    await tab.send("Input.dispatchMouseEvent", type="mouseReleased", x=800, y=130, button="left", clickCount=1)
    await press(tab, "Escape")  # leaves the selection
    event = await finish(tab, bridge, begun)

    assert ["one finger"] == [text for text, _ in words(event)]
    assert [[600, 100, 100, 60]] == boxes(event)
