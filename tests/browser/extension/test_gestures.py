"""What a hand does beside a plain click: other buttons, twice, at a place, keys held, the wheel, by an offset, held."""

from typing import Any

import pytest

from browser.bridge_double import BridgeDouble, Message
from browser.scene import Open
from gasoline_bridge.devtools import Tab

pytestmark = pytest.mark.usefixtures("acting")

BOTH = pytest.mark.parametrize("real", [{}, {"trusted": True}], ids=["script", "real"])


async def act(bridge: BridgeDouble, action: str, selector: str, **arguments: Any) -> Message:
    done: Message = await bridge.result("interact", action=action, selector=selector, **arguments)
    assert done["success"]
    return done


async def heard(tab: Tab, *fields: str) -> list[Any]:
    return [[one[field] for field in fields] for one in await tab.evaluate("heard")]


@BOTH
@pytest.mark.requirement("applications-022")
async def test_a_right_click_opens_the_menu_of_the_page(visit: Open, bridge: BridgeDouble, real: Message) -> None:
    tab = await visit("gestures.html")
    done = await act(bridge, "click", "#menu", button="right", **real)

    assert "Open" == await tab.evaluate("by('menu').textContent")
    assert "browser_menu" not in done
    assert [
        ["pointerdown", 2, 2],
        ["mousedown", 2, 2],
        ["contextmenu", 2, 2],
        ["pointerup", 2, 0],
        ["mouseup", 2, 0],
        ["auxclick", 2, 0],
    ] == await heard(tab, "type", "button", "buttons")


@pytest.mark.requirement("applications-022")
async def test_a_right_click_that_the_page_leaves_to_chrome_is_reported(visit: Open, bridge: BridgeDouble) -> None:
    await visit("gestures.html")

    assert (await act(bridge, "click", "#plain", button="right"))["browser_menu"]


@BOTH
@pytest.mark.requirement("applications-022")
async def test_a_middle_click_is_no_click(visit: Open, bridge: BridgeDouble, real: Message) -> None:
    tab = await visit("gestures.html")
    await act(bridge, "click", "#plain", button="middle", **real)

    assert [["pointerdown", 1, 4], ["mousedown", 1, 4], ["pointerup", 1, 0], ["mouseup", 1, 0], ["auxclick", 1, 0]] == (
        await heard(tab, "type", "button", "buttons")
    )


@pytest.mark.requirement("applications-022")
async def test_a_link_opens_beside_the_page_by_a_real_middle_click_or_with_control_held(
    visit: Open, bridge: BridgeDouble
) -> None:
    await visit("gestures.html")
    error = await bridge.error("interact", action="click", selector="#link", button="middle")
    by_key = await act(bridge, "click", "#link", modifiers="Control")
    by_button = await act(bridge, "click", "#link", button="middle", trusted=True)

    assert "needs_trusted" == error["code"]
    for done in (by_key, by_button):
        await bridge.result("interact", action="close_tab", tab_id=done["opened_tab"])


@BOTH
@pytest.mark.requirement("applications-022")
async def test_a_double_click_is_two_clicks_and_one_more_event(
    visit: Open, bridge: BridgeDouble, real: Message
) -> None:
    tab = await visit("gestures.html")
    await act(bridge, "click", "#plain", count=2, **real)

    seen = [one for one in await heard(tab, "type", "detail") if "click" in one[0] or one[0] == "mousedown"]
    assert [["mousedown", 1], ["click", 1], ["mousedown", 2], ["click", 2], ["dblclick", 2]] == seen


@BOTH
@pytest.mark.requirement("applications-022")
@pytest.mark.parametrize(("selector", "x", "word"), [("#words span", 5, "one"), ("#area", 10, "alpha")])
async def test_a_double_click_selects_a_word(
    visit: Open, bridge: BridgeDouble, real: Message, selector: str, x: int, word: str
) -> None:
    tab = await visit("gestures.html")
    await act(bridge, "click", selector, count=2, x=x, y=10, **real)

    assert word == (await tab.evaluate("getSelection().toString()")).strip()


@BOTH
@pytest.mark.requirement("applications-022")
async def test_the_keys_that_are_held_are_in_each_event(visit: Open, bridge: BridgeDouble, real: Message) -> None:
    tab = await visit("gestures.html")
    await act(bridge, "click", "#plain", modifiers="Control+Shift", **real)

    assert [["ctrlKey", "shiftKey"]] * 5 == [keys for (keys,) in await heard(tab, "keys")]


@BOTH
@pytest.mark.requirement("applications-023")
async def test_a_click_at_a_place_hits_what_is_drawn_there(visit: Open, bridge: BridgeDouble, real: Message) -> None:
    tab = await visit("gestures.html")
    await act(bridge, "click", "#map", x=160, y=80, **real)
    left, top = await tab.evaluate("(({ left, top }) => [left, top])(by('map').getBoundingClientRect())")

    assert ["click", "pin", left + 160, top + 80] == (await heard(tab, "type", "on", "x", "y"))[-1]


@BOTH
@pytest.mark.requirement("applications-023")
async def test_a_place_that_is_out_of_sight_is_scrolled_to(visit: Open, bridge: BridgeDouble, real: Message) -> None:
    tab = await visit("gestures.html")
    await act(bridge, "click", "#wide", x=5, y=1400, **real)
    type_, on, y = (await heard(tab, "type", "on", "y"))[-1]

    assert ("click", "wide") == (type_, on)
    assert abs(y - 1400 - await tab.evaluate("by('wide').getBoundingClientRect().top")) < 1


@pytest.mark.requirement("applications-023")
async def test_a_place_beside_the_element_is_refused_with_its_size(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("gestures.html")
    error = await bridge.error("interact", action="click", selector="#map", x=201, y=5)

    assert ("invalid_params", "x") == (error["code"], error["details"]["parameter"])
    assert "200 px wide" in error["message"]
    assert [] == await tab.evaluate("heard")


@BOTH
@pytest.mark.requirement("applications-024")
async def test_the_wheel_scrolls_what_it_is_over(visit: Open, bridge: BridgeDouble, real: Message) -> None:
    tab = await visit("gestures.html")
    await act(bridge, "wheel", "#deep", dy=100, y=5, **real)
    await tab.until("by('inner').scrollTop === 100")

    type_, on, dx, dy, older = (await heard(tab, "type", "on", "dx", "dy", "older"))[0]
    assert ("wheel", "deep", 0, 100, True) == (type_, on, dx, dy, older < 0)
    assert [0, 0] == await tab.evaluate("[by('box').scrollTop, scrollY]")


@pytest.mark.requirement("applications-024")
async def test_the_wheel_goes_on_to_what_has_room_and_reports_where_nothing_has(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("gestures.html")
    await tab.evaluate("by('inner').scrollTop = 9999; by('box').scrollTop = 0")
    moved = await act(bridge, "wheel", "#inner", dy=50)
    still = await act(bridge, "wheel", "#plain", dy=-50)

    assert [50, 0] == await tab.evaluate("[by('box').scrollTop, scrollY]")
    assert ("scrolled" in moved, still["scrolled"]) == (False, False)


@BOTH
@pytest.mark.requirement("applications-024")
async def test_a_page_that_takes_the_wheel_is_not_scrolled(visit: Open, bridge: BridgeDouble, real: Message) -> None:
    tab = await visit("gestures.html")
    done = await act(bridge, "wheel", "#zoom", dy=120, **real)
    await tab.until("by('zoom').textContent === 'Zoomed 120'")

    assert "scrolled" not in done
    assert 0 == await tab.evaluate("scrollY")


@BOTH
@pytest.mark.requirement("applications-025")
async def test_a_drag_by_an_offset_moves_the_pointer_so_far(visit: Open, bridge: BridgeDouble, real: Message) -> None:
    tab = await visit("gestures.html")
    await act(bridge, "drag", "#map", dx=60, dy=-20, **real)

    assert "60,-20" == await tab.evaluate("by('map').dataset.moved")


@BOTH
@pytest.mark.requirement("applications-025")
async def test_what_is_draggable_is_dropped_on_what_is_there(visit: Open, bridge: BridgeDouble, real: Message) -> None:
    tab = await visit("gestures.html")
    await act(bridge, "drag", "#card", dx=0, dy=64, **real)

    assert "card" == await tab.evaluate("by('drop').textContent")


@BOTH
@pytest.mark.requirement("applications-025")
async def test_a_drag_out_of_the_window_is_refused_with_its_range(
    visit: Open, bridge: BridgeDouble, real: Message
) -> None:
    tab = await visit("gestures.html")
    error = await bridge.error("interact", action="drag", selector="#map", dx=-300, **real)

    assert ("invalid_params", "dx") == (error["code"], error["details"]["parameter"])
    assert "from -104" in error["message"]
    assert [] == await tab.evaluate("heard")


@BOTH
@pytest.mark.requirement("applications-026")
async def test_a_press_is_held_as_long_as_is_asked(visit: Open, bridge: BridgeDouble, real: Message) -> None:
    tab = await visit("gestures.html")
    await act(bridge, "click", "#held", hold_ms=500, **real)
    at = dict(await heard(tab, "type", "at"))

    assert "Long" == await tab.evaluate("by('held').textContent")
    assert at["pointerup"] - at["pointerdown"] >= 490
    assert at["click"] >= at["pointerup"]


@pytest.mark.requirement("applications-026")
async def test_a_held_press_that_is_cancelled_lets_go_without_a_click(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("gestures.html")
    number = await bridge.command("interact", {"action": "click", "selector": "#held", "hold_ms": 600})
    await tab.until("heard.some(({ type }) => type === 'mousedown')")
    await bridge.say({"type": "cancel", "id": number})
    await tab.until("heard.some(({ type }) => type === 'mouseup')")

    assert "click" not in [type_ for (type_,) in await heard(tab, "type")]


async def test_what_goes_away_at_the_first_of_two_clicks_is_reported(visit: Open, bridge: BridgeDouble) -> None:
    await visit("gestures.html")

    assert (await act(bridge, "click", "#goes", count=2))["detached"]


@BOTH
@pytest.mark.requirement("applications-052")
@pytest.mark.parametrize(
    ("arguments", "chosen"),
    [({}, "rare"), ({"modifiers": "Control"}, "old,rare"), ({"modifiers": "Shift"}, "old,rare")],
)
async def test_a_press_chooses_an_option_of_a_list_that_is_open(
    visit: Open, bridge: BridgeDouble, real: Message, arguments: Message, chosen: str
) -> None:
    tab = await visit("gestures.html")
    done = await act(bridge, "click", "#labels option", nth=2, **arguments, **real)

    assert [f"input {chosen}", f"change {chosen}"] == await tab.evaluate("changes")
    assert real or chosen.replace(",", ", ") == done["value"]


@pytest.mark.requirement("applications-052")
async def test_a_double_click_finds_its_option_chosen(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("gestures.html")
    await act(bridge, "click", "#labels option", nth=0, count=2)

    assert ["input new", "change new", "dblclick new"] == await tab.evaluate("changes")


REDRAWN = """
(() => {
  const pad = Object.assign(document.createElement('div'), { id: 'pad', heard: [] });
  const draw = () => { pad.innerHTML = '<p style="margin: 0; height: 100px">A line</p>'; };
  pad.onmousemove = () => pad.heard.push('mousemove') && draw();
  pad.onmouseover = ({ relatedTarget }) => pad.contains(relatedTarget) || draw();
  pad.onwheel = (event) => event.preventDefault() || pad.heard.push('wheel');
  document.body.prepend(pad);
  draw();
})()
"""
"""What an editor does with its lines: it draws them anew as soon as the pointer is over them."""


@pytest.mark.requirement("applications-022")
@pytest.mark.parametrize(("action", "heard"), [("wheel", ["mousemove", "wheel"]), ("hover", ["mousemove"])])
async def test_what_is_drawn_anew_under_the_pointer_is_what_the_next_event_meets(
    visit: Open, bridge: BridgeDouble, action: str, heard: list[str]
) -> None:
    tab = await visit("gestures.html")
    await tab.evaluate(REDRAWN)
    done = await act(bridge, action, "#pad", **({"dy": 50} if action == "wheel" else {}))

    assert heard == await tab.evaluate("document.querySelector('#pad').heard")
    assert "scrolled" not in done


TALL = """
(() => {
  const rows = [...Array(200)].map((_, row) => `<p id=row${row} style="margin: 0; height: 20px">${row}</p>`);
  const tall = `<div id=tall style="height: auto">${rows.join('')}</div>`;
  document.body.insertAdjacentHTML('afterbegin', `<div style="STYLE">${tall}</div>`);
  scrollTo(0, 0);
  document.querySelector('#tall').onclick = (event) => { event.currentTarget.row = event.target.id; };
})()
"""


@BOTH
@pytest.mark.requirement("applications-022")
@pytest.mark.parametrize(
    ("style", "rows"),
    [("height: 200px; overflow: hidden", range(4, 6)), ("height: auto", range(8, 30))],
    ids=["cut", "whole"],
)
async def test_a_click_meets_the_middle_of_what_is_in_sight_of_something_tall(
    visit: Open, bridge: BridgeDouble, real: Message, style: str, rows: range
) -> None:
    tab = await visit("gestures.html")
    await tab.evaluate(TALL.replace("STYLE", style))
    await act(bridge, "click", "#tall", **real)

    assert await tab.evaluate("Number(tall.row?.slice(3) ?? -1)") in rows
    assert [0, 0] == await tab.evaluate("[scrollY, tall.parentElement.scrollTop]")
