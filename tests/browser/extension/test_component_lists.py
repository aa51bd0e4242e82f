"""select, and a field of fill_form, in the lists that components draw: opened, chosen in, and seen to be kept."""

from typing import Any

import pytest

from browser.bridge_double import BridgeDouble
from browser.extension.test_interact import do, refused
from browser.scene import Open
from gasoline_bridge.devtools import Browser

pytestmark = [pytest.mark.usefixtures("acting"), pytest.mark.requirement("applications-062")]

CHOSEN = [
    ("label=Land", {"value": "Cuba"}, "at('land').textContent", "Cuba", "Cuba"),
    ("#land", {"value": "M"}, "at('land').textContent", "Mali", None),  # its value
    ("label=Town", {"value": "Bergen"}, "at('town-shown').textContent", "Bergen", None),
    ("#town-box", {"value": "Oslo"}, "at('town-shown').textContent", "Oslo", None),
    ("label=Name", {"value": "Person 321"}, "at('name').dataset.chosen", "Person 321", None),
    ("label=Tags", {"values": ["sea", "sky"]}, "at('tags').textContent", "sea sky", "sea sky"),
    ("label=Pets", {"values": ["cow", "dog"]}, "[...kept.pets].join()", "dog,cow", None),
    ("label=Pets", {"values": ["cat"]}, "[...kept.pets].join()", "cat", None),
    ("label=Drink", {"value": "milk"}, "at('drink').textContent", "milk", "milk"),
    ("label=Late", {"value": "small"}, "at('late').textContent", "small", "small"),
    ("label=Kept", {"value": "square"}, "at('kept').textContent", "square", "square"),
    ("label=Tree", {"value": "8"}, "at('tree').value", "8", "Elm"),
    ("#tree", {"value": "Oak"}, "at('tree').value", "7", "Oak"),
    ("label=Sport", {"value": "golf"}, "at('sport-shown').textContent", "golf", None),
    ("label=Folder", {"value": "home"}, "at('folder-shown').textContent", "home", None),
    ("label=Size", {"value": "large"}, "at('size').children[1].ariaSelected", "true", None),
]


@pytest.mark.parametrize(("selector", "wanted", "shown", "expected", "value"), CHOSEN, ids=range(16))
async def test_an_option_of_a_components_list_is_chosen(
    visit: Open,
    bridge: BridgeDouble,
    selector: str,
    wanted: dict[str, Any],
    shown: str,
    expected: str,
    value: str | None,
) -> None:
    tab = await visit("lists.html")
    reply = await do(bridge, "select", selector, **wanted)

    assert expected == await tab.evaluate(shown)
    if value:
        assert value == reply["value"]


async def test_others_are_taken_back_where_the_list_shows_only_what_was_typed(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("lists.html")
    chosen = []
    for values in (["cook", "swim"], ["sew"], ["swim", "sew"]):
        await do(bridge, "select", "label=Skills", values=values)
        chosen.append(await tab.evaluate("[...kept.skills].sort().join(' ')"))

    assert ["cook swim", "sew", "sew swim"] == chosen


async def test_an_option_that_a_list_offers_half_a_second_later_is_chosen_in_a_form(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("lists.html")
    await do(bridge, "fill_form", fields=[{"selector": "label=Grain", "value": "oat"}])

    assert "oat" == await tab.evaluate("at('grain').dataset.chosen")


@pytest.mark.requirement("applications-072")
async def test_a_field_of_tags_takes_several_texts_that_no_list_offers(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("lists.html")
    reply = await do(bridge, "select", "label=Labels", values=["new", "old one"])
    await tab.evaluate("at('labels').onkeydown = null; document.title = ''")
    other = await refused(bridge, "select", "label=Labels", values=["third"])

    assert ["new old one ", ""] == await tab.evaluate("[at('labelled').textContent, document.title]")
    assert reply["value"].endswith("new old one")
    assert "no such option" in other["message"]


@pytest.mark.requirement("applications-072")
async def test_the_option_that_adds_a_text_is_chosen_where_a_list_has_no_other(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("lists.html")
    await do(bridge, "select", "label=Topic", values=["sea", "sky"])
    await do(bridge, "fill_form", fields=[{"selector": "label=Topic", "value": "ice"}])
    other = await refused(bridge, "select", "label=Topic", value="York")

    assert 'The list has no option "York"; it has Use of York.' == other["message"]
    assert "sea,sky,ice," == await tab.evaluate("at('topics').textContent")


@pytest.mark.requirement("applications-072")
async def test_true_and_false_are_taken_for_what_is_ticked(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("lists.html")
    states = []
    for value in ("true", "true", "false"):
        await do(bridge, "fill_form", fields=[{"selector": "label=News", "value": value}])
        states.append(await tab.evaluate("at('news').ariaChecked"))
    other = await refused(bridge, "fill_form", fields=[{"selector": "label=News", "value": "yes"}])

    assert ["true", "true", "false"] == states
    assert other["message"].endswith("It is ticked or not: use checked.")


async def test_what_a_list_offers_is_chosen_in_a_form_though_a_text_can_be_typed(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("lists.html")
    wanted = {"Breed": "Poodle", "Name": "Person 7", "When": "2026-01-02"}
    fields = [{"selector": f"label={label}", "value": value} for label, value in wanted.items()]
    await do(bridge, "fill_form", fields=fields)

    assert ["Poodle", "Poodle"] == await tab.evaluate("[at('breed').value, at('breed').dataset.chosen]")
    assert ["2026-01-02", False] == await tab.evaluate("[at('when').value, 'pressed' in at('when').dataset]")


async def test_a_field_that_holds_a_choice_takes_another(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("lists.html")
    for value in ("golf", "chess"):
        await do(bridge, "select", "label=Sport", value=value)

    assert "chess" == await tab.evaluate("at('sport-shown').textContent")


async def test_lists_of_components_are_filled_with_the_other_fields(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("lists.html")
    fields = [
        {"selector": "label=Land", "value": "Cuba"},
        {"selector": "label=Town", "value": "Bergen"},
        {"selector": "label=Name", "value": "Person 7"},
        {"selector": "label=Tags", "values": ["sea"]},
        {"selector": "label=Tree", "value": "Elm"},
    ]
    await do(bridge, "fill_form", fields=fields)

    assert "8" == await tab.evaluate("at('tree').value")
    assert "Person 7" == await tab.evaluate("at('name').dataset.chosen")
    shown = "[at('land').textContent, at('town-shown').textContent, at('name').value, at('tags').textContent]"
    assert ["Cuba", "Bergen", "Person 7", "sea"] == await tab.evaluate(shown)


@pytest.mark.parametrize("selector", ["label=Land", "label=Size"])
async def test_an_option_that_is_not_there_is_an_error_with_those_that_are(
    visit: Open, bridge: BridgeDouble, selector: str
) -> None:
    await visit("lists.html")
    error = await refused(bridge, "select", selector, value="Mars")

    assert ("invalid_params", "value") == (error["code"], error["details"]["parameter"])
    assert ("Chad, Cuba, Mali" if "Land" in selector else "small, large") in error["message"]


async def test_a_text_that_is_no_option_stays_typed_in_a_field_that_takes_texts(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("lists.html")
    await do(bridge, "fill_form", fields=[{"selector": "label=Name", "value": "Person X"}])
    await tab.evaluate("at('name').oninput = ({ target }) => { target.value = ''; }; 0")
    error = await refused(bridge, "fill_form", fields=[{"selector": "label=Name", "value": "Person Y"}])

    assert "input_rejected" == error["code"]
    assert await tab.evaluate("at('name').dataset.chosen === undefined")


async def test_a_text_in_a_box_that_is_the_combobox_is_typed(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("lists.html")
    await do(bridge, "fill_form", fields=[{"selector": "label=Older", "value": "Anything"}])

    await do(bridge, "fill_form", fields=[{"selector": "label=Message", "value": "Good morning"}])

    assert ["Anything", "Good morning"] == await tab.evaluate("[at('older').value, at('message').textContent]")


async def test_a_field_whose_list_lacks_the_option_holds_what_it_held(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("lists.html")
    await do(bridge, "select", "label=Name", value="Person 12")
    await refused(bridge, "select", "label=Name", value="Nobody")

    assert ["Person 12", "false"] == await tab.evaluate("[at('name').value, at('name').ariaExpanded]")


async def test_a_field_of_a_form_whose_list_lacks_the_option_is_named(visit: Open, bridge: BridgeDouble) -> None:
    await visit("lists.html")
    fields = [{"selector": "label=Town", "value": "Oslo"}, {"selector": "label=Land", "value": "Mars"}]
    error = await refused(bridge, "fill_form", fields=fields)

    assert ("invalid_params", 1, [0]) == (error["code"], error["details"]["field"]["index"], error["details"]["filled"])
    assert "Chad, Cuba, Mali" in error["message"]


@pytest.mark.usefixtures("fresh_tab")
async def test_a_list_that_a_hidden_tab_does_not_draw_is_an_error_that_says_so(
    visit: Open, bridge: BridgeDouble, pages: str, chromium: Browser
) -> None:
    tab = await visit("lists.html")
    other = await chromium.new_tab(f"{pages}small.html")
    await tab.until("document.hidden")
    every = (await bridge.result("list_tabs"))["tabs"]
    (number,) = [one["id"] for one in every if one["url"] == f"{pages}lists.html"]
    error = await bridge.error("interact", action="select", selector="label=Framed", value="far", tab_id=number)
    land = await bridge.result("interact", action="select", selector="label=Land", value="Cuba", tab_id=number)
    await other.close()
    await tab.activate()
    await tab.until("!document.hidden")

    assert "The tab is hidden" in error["recovery"]
    assert "Cuba" == land["value"]
    assert "far" == (await do(bridge, "select", "label=Framed", value="far"))["value"]


async def test_an_option_that_is_disabled_is_not_pressed(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("lists.html")

    assert "invalid_params" == (await refused(bridge, "select", "label=Town", value="Narvik"))["code"]
    assert "Lists" == await tab.evaluate("document.title")


async def test_a_choice_that_the_page_does_not_take_is_no_success(visit: Open, bridge: BridgeDouble) -> None:
    await visit("lists.html")

    assert "input_rejected" == (await refused(bridge, "select", "label=Stubborn", value="new"))["code"]
    assert "input_rejected" == (await refused(bridge, "select", "#asks", value="red"))["code"], "it was to be confirmed"


async def test_an_error_of_a_list_leaves_the_messages_of_the_next_action(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("lists.html")
    says = "at('say').onclick = () => setTimeout(() => { at('said').textContent = 'Three are left.'; }, 5)"
    await tab.evaluate(
        f"document.body.insertAdjacentHTML('afterbegin', '<button id=say>Say</button><p id=said></p>'); {says}; 0"
    )
    assert "invalid_params" == (await refused(bridge, "select", "label=Land", value="Mars"))["code"]

    assert ["Three are left."] == (await do(bridge, "click", "#say"))["messages"]


async def test_a_choice_is_recorded_as_the_clicks_that_it_is(visit: Open, bridge: BridgeDouble) -> None:
    await visit("lists.html")
    before = len(bridge.events(type="step", by="assistant"))
    await do(bridge, "select", "label=Land", value="Cuba")

    await bridge.until_stored(before + 2, type="step", by="assistant")
    assert ["click", "click"] == [one["act"] for one in bridge.events(type="step", by="assistant")[before:]]
