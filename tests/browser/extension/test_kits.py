"""What kits of components draw, and when: between two events, in the place of what is hidden, over two lines."""

import pytest

from browser.bridge_double import BridgeDouble
from browser.extension.test_interact import do, refused
from browser.extension.test_outline import lines_of
from browser.scene import Open

pytestmark = pytest.mark.usefixtures("acting")

TURNS = pytest.mark.requirement("applications-074")
DRAWN = pytest.mark.requirement("applications-075")
OPENED = pytest.mark.requirement("applications-076")


@TURNS
async def test_react_draws_what_an_event_has_changed_before_the_next_one(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("turns.html")
    await do(bridge, "click", "#divider")
    await do(bridge, "click", "#press", count=2)
    clicked = await tab.evaluate("seen.splice(0)")
    await do(bridge, "click", "#press", hold_ms=50)
    held = await tab.evaluate("seen.splice(0)")
    await do(bridge, "check", "label=Light")
    ticked = await tab.evaluate("seen.splice(0)")
    await do(bridge, "click", "#hops")

    assert "rests" == await tab.evaluate("divider.textContent")
    once = ["down hovered", "up pressed", "click let go"]
    assert [*once, "down clicked", *once[1:], "double clicked"] == clicked
    assert ["down clicked", "up pressed", "click let go"] == held
    assert ["switched pressed"] == ticked
    assert ["hopped pressed"] == await tab.evaluate("seen")


@TURNS
async def test_react_draws_what_a_key_has_changed_before_it_comes_up(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("turns.html")
    await do(bridge, "key_press", "label=Amount", key="ArrowRight")
    await do(bridge, "type", "label=Amount", text="6")
    saved = await tab.evaluate("seen.splice(0)")
    await do(bridge, "type", "#code", text="abc", keys=True)

    assert ["saved 4", "saved 5", "saved 6"] == saved
    assert ["a after ", "b after a", "c after ab"] == await tab.evaluate("seen.splice(0)")


@TURNS
async def test_react_draws_an_option_that_is_pointed_at_before_it_is_chosen(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("turns.html")
    chosen = await do(bridge, "select", "label=Number", value="three")
    form = [{"selector": "label=Number", "value": "two"}, {"selector": "label=Amount", "value": "5"}]
    await do(bridge, "fill_form", fields=form)
    filled = await tab.evaluate("[list.textContent, ...seen.splice(0)]")
    await do(bridge, "fill_form", fields=[{"selector": "#name", "value": "Ann"}], submit=True)

    assert "three" == chosen["value"]
    assert ["two", "saved 4", "saved 5"] == filled
    assert ["sent pressed"] == await tab.evaluate("seen.splice(0)")


@TURNS
async def test_what_moves_away_from_the_pointer_is_pressed_where_it_is_then(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("turns.html")
    await tab.evaluate("moved.style.width = moved.firstChild.getBoundingClientRect().width + 'px'")
    await do(bridge, "click", "#moved")

    assert ["part"] == await tab.evaluate("seen")


@OPENED
async def test_a_dialog_that_comes_after_the_layer_below_it_is_waited_for(visit: Open, bridge: BridgeDouble) -> None:
    await visit("kits.html")
    busy = await do(bridge, "click", "#busy")
    late = await do(bridge, "click", "#late")

    assert ("opened" in busy, busy.get("settled", True)) == (False, True)
    assert "A late one" == late["opened"]


@OPENED
async def test_what_has_opened_is_told_once(visit: Open, bridge: BridgeDouble) -> None:
    await visit("kits.html")
    menu = await do(bridge, "click", "#menu")
    asked = await do(bridge, "click", "text=Remove")

    assert ["Cut", "Remove"] == menu["choices"]
    assert "Remove this film? Yes No" == asked["opened"]
    assert [] == [one["messages"] for one in (menu, asked) if "messages" in one]


@DRAWN
@pytest.mark.parametrize("trusted", [False, True])
async def test_a_link_that_is_broken_into_two_lines_is_pressed_where_it_is(
    visit: Open, bridge: BridgeDouble, *, trusted: bool
) -> None:
    tab = await visit("kits.html")
    await do(bridge, "click", "#wrapped", **({"trusted": True} if trusted else {}))

    assert "#wrapped" == await tab.evaluate("location.hash")


@DRAWN
async def test_a_switch_that_only_readers_find_is_ticked_by_its_label(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("kits.html")
    listed = await do(bridge, "list_interactive", "body")
    outlined = str(await lines_of(bridge))
    on = await do(bridge, "check", "label=Light")
    off = await do(bridge, "fill_form", fields=[{"selector": "label=Light", "value": "false"}])

    (switch,) = [one for one in listed["elements"] if one["role"] == "switch"]
    assert ("Light", False) == (switch["name"], switch["checked"])
    assert ("switch unchecked: Light" in outlined, "div" in outlined) == (True, False)
    assert on["checked"]
    assert off["success"]
    assert "false" == await tab.evaluate("by('light').getAttribute('aria-checked')")


@DRAWN
async def test_a_text_in_a_hidden_part_is_not_read_in_what_is_around_it(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("kits.html")
    hidden = await refused(bridge, "click", "text=Spain")
    await tab.evaluate("europe.querySelector('ul').hidden = false")
    shown = await do(bridge, "click", "text=Spain")

    assert "element_not_visible" == hidden["code"]
    assert shown["success"]


@DRAWN
async def test_an_option_of_several_that_is_chosen_stays_so(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("kits.html")
    await do(bridge, "select", "label=Guests", value="Ann")
    again = await do(bridge, "select", "label=Guests", value="Ann")
    await do(bridge, "select", "label=Guests", value="Bob")

    assert again["success"]
    assert "Ann,Bob" == await tab.evaluate("by('chosen').textContent")


@DRAWN
async def test_a_list_that_states_nothing_stands_for_the_select_field_beside_it(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("kits.html")
    chosen = await do(bridge, "select", "label=Town", value="Bergen")
    fields = [{"selector": "label=Town", "value": "Oslo"}, {"selector": "label=Mail", "value": "a@example.org"}]
    again = await do(bridge, "fill_form", fields=fields)

    assert ("Bergen", True) == (chosen["value"], again["success"])
    assert ["Oslo", "a@example.org"] == await tab.evaluate("[town.value, mail.value]")


@TURNS
async def test_a_field_that_is_typed_into_states_its_change_after_the_last_key(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("kits.html")
    await do(bridge, "type", "#day", text="2026-12-24")

    assert ["input", "keyup", "change"] == await tab.evaluate("told")


@OPENED
async def test_a_dialog_that_was_there_and_not_seen_is_reported_when_it_opens(
    visit: Open, bridge: BridgeDouble
) -> None:
    await visit("kits.html")
    asked = await do(bridge, "click", "#ask")
    kept = await do(bridge, "click", "#keep")
    hint = await do(bridge, "click", "#hint")
    other = await do(bridge, "click", "#other")
    ended = await do(bridge, "click", "#hint")
    after = await do(bridge, "click", "#other")

    assert ("Delete it?", "A hint") == (asked["opened"], hint["opened"])
    assert [] == [one["opened"] for one in (kept, other, ended, after) if "opened" in one]
