"""Fields and menus that a component draws itself: listed, acted on where they are drawn, reported when they open."""

import pytest

from browser.bridge_double import BridgeDouble
from browser.extension.test_interact import do
from browser.extension.test_listed import listed, named
from browser.extension.test_outcomes import came_of
from browser.scene import Open

pytestmark = pytest.mark.usefixtures("acting")


@pytest.mark.requirement("applications-017", "applications-029")
async def test_a_list_whose_field_is_out_of_sight_is_listed_and_opened_where_it_is_drawn(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("widgets.html")
    elements = await listed(bridge)

    assert [{"role": "combobox", "name": "Size", "value": "small", "expanded": False}] == named(elements, "Size")
    assert [{"role": "combobox", "name": "Colour", "expanded": False}] == named(elements, "Colour")
    assert [{"role": "combobox", "name": "Kind", "expanded": False}] == named(elements, "Kind")
    assert not named(elements, "Leave this empty")
    assert ["small", "large"] == (await came_of(bridge, "click", "label=Size"))["choices"]
    assert "listbox" not in {one["role"] for one in await listed(bridge)}  # its entries are listed
    await do(bridge, "click", "role=option[name=large]")
    assert "large" == await tab.evaluate("at('chosen').textContent")
    many = (await came_of(bridge, "click", "label=Colour"))["choices"]
    assert "colour 0" == many[0]
    assert f"{60 - len(many) + 1} more" == many[-1]


@pytest.mark.requirement("applications-019", "applications-029")
async def test_a_text_for_readers_alone_means_the_button_that_it_names_and_its_menu_is_in_the_reply(
    visit: Open, bridge: BridgeDouble
) -> None:
    await visit("widgets.html")

    assert {"choices": ["Unpublish", "Publish", "1 disabled"]} == await came_of(bridge, "click", "text=More actions")


@pytest.mark.requirement("applications-017", "applications-029")
async def test_a_list_whose_field_takes_no_pointer_is_listed_and_opened_by_its_label(
    visit: Open, bridge: BridgeDouble
) -> None:
    await visit("widgets.html")

    assert ["Tags"] == [one["name"] for one in named(await listed(bridge), "Tags")]
    assert {"choices": ["sea", "land"]} == await came_of(bridge, "click", "label=Tags")


@pytest.mark.requirement("applications-017")
async def test_the_text_of_a_label_means_its_field_where_the_action_is_a_field_s(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("widgets.html")

    assert (await do(bridge, "check", "text=News by post"))["checked"]
    assert await tab.evaluate("at('news').checked")
    assert not (await do(bridge, "check", "text=News by post", checked=False))["checked"]
    assert "Lima" == (await do(bridge, "type", "text=City", text="Lima"))["value"]
    assert "Lima" == (await do(bridge, "get_value", "text=City"))["value"]
    assert "City" == (await do(bridge, "get_text", "text=City"))["text"]
    assert "Cuba" == (await do(bridge, "select", "text=Land", value="Cuba"))["value"]
    await do(bridge, "fill_form", fields=[{"selector": "text=Land", "value": "Mali"}])
    assert "Mali" == (await do(bridge, "get_value", "#land"))["value"]


@pytest.mark.requirement("applications-017")
async def test_the_text_of_a_box_without_a_label_means_the_box_that_it_is_of(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("widgets.html")

    assert (await do(bridge, "check", "text=Buy milk"))["checked"]
    assert await tab.evaluate("at('milk').checked")
    assert (await do(bridge, "check", "text=As a gift"))["checked"]
    assert await tab.evaluate("document.querySelector('x-gift').shadowRoot.querySelector('input').checked")
    assert (await do(bridge, "check", "text=Fast"))["checked"]
    assert "true" == await tab.evaluate("document.querySelector('x-switch').ariaChecked")
    for text in ("text=Buy tea", "text=Delete", "text=City"):  # of two, of none, of a text field
        assert "invalid_params" == (await bridge.error("interact", action="check", selector=text))["code"]
    assert "2:false,false" == await tab.evaluate("`2:${at('tea').checked},${at('soon').checked}`")


@pytest.mark.requirement("applications-016")
async def test_a_field_of_a_component_is_listed_by_the_text_beside_it_and_by_its_choice_alone(
    visit: Open, bridge: BridgeDouble
) -> None:
    await visit("widgets.html")
    elements = await listed(bridge)

    assert ["As a gift"] == [one["where"] for one in elements if one.get("where") == "As a gift"]
    (colours,) = [one for one in elements if one.get("where") == "Colours"]
    assert ("combobox", "green", True) == (colours["role"], colours["value"], colours["expanded"])


@pytest.mark.requirement("applications-016")
async def test_what_has_no_name_is_told_apart_by_its_icon_or_id_and_by_no_label_of_others(
    visit: Open, bridge: BridgeDouble
) -> None:
    await visit("widgets.html")

    elements = [one for one in await listed(bridge) if "name" not in one]

    assert ["Colours", "_filter_column", "_filter_op"] == [
        one["where"] for one in elements if one["role"] == "combobox"
    ]
    buttons = [one["where"] for one in elements if one["role"] == "button"]
    assert ["run-button", "trash-2", "icon-gear", "edit_calendar"] == buttons


@pytest.mark.requirement("applications-030")
async def test_what_a_field_shows_is_read_and_waited_for(visit: Open, bridge: BridgeDouble) -> None:
    await visit("widgets.html")
    await do(bridge, "click", "#late")

    await bridge.result("interact", action="wait_for", text="hello ann")

    assert "Hello Ann" == (await do(bridge, "get_text", "#result"))["text"]
    whole = (await do(bridge, "get_text", "#form"))["text"]
    assert ["Result", "Hello", "Ann", "of", "tea"] == whole.split()


@pytest.mark.requirement("applications-006")
async def test_a_message_that_fades_out_is_none(visit: Open, bridge: BridgeDouble) -> None:
    await visit("widgets.html")

    assert "messages" not in await came_of(bridge, "click", "#fix")


REDRAWN = """
document.body.innerHTML = `
  <button id="other">Other</button><button id="again">Again</button><button id="new">New</button>
  <div id="live" role="alert"><p>Too short</p></div>`;
globalThis.live = document.getElementById('live');
const redraw = (text) => live.replaceChildren(Object.assign(document.createElement('p'), { textContent: text }));
document.getElementById('other').onclick = () => redraw('Too short');
document.getElementById('again').onclick = () => { redraw(''); setTimeout(() => redraw('Too short'), 20); };
document.getElementById('new').onclick = () => redraw('Too long');
"""


@pytest.mark.requirement("applications-006")
async def test_a_message_that_is_only_drawn_anew_is_none(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("blank.html")
    await tab.evaluate(REDRAWN)

    came = [(await came_of(bridge, "click", f"#{one}")).get("messages") for one in ("other", "again", "new")]

    assert [None, ["Too short"], ["Too long"]] == came


VEILED = """
document.body.innerHTML = '<button onclick="more.innerHTML = texts">Show</button><div id=more></div>';
globalThis.texts = `<div style="opacity: 0"><p class="error">A bar that waits for its use</p></div>
  <div style="opacity: 0"><p role="status">Heard by some</p></div>
  <p class="toast" style="animation: show 5s both">Comes now</p><style>@keyframes show { from { opacity: 0 } }</style>`;
document.querySelector('button') !== null
"""


@pytest.mark.requirement("applications-006")
async def test_a_message_that_is_drawn_with_no_opacity_is_none(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("blank.html")
    await tab.until(VEILED)

    came = await came_of(bridge, "click", "button")

    assert {"Heard by some", "Comes now"} == {*came["messages"]}


@pytest.mark.requirement("applications-064")
async def test_a_label_means_the_field_of_that_name_before_one_whose_name_has_it_in(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("widgets.html")
    await tab.evaluate(
        "document.body.insertAdjacentHTML('beforeend', '<label>Counties <input></label>"
        ' <div class="drawn"><input class="over" type="range" max="10" aria-label="Count"></div>\')'
    )

    for selector in ("label=Count", "role=slider[name=Count]"):
        assert "range" == (await do(bridge, "get_attribute", selector, attribute="type"))["value"]
        assert "7" == (await do(bridge, "type", selector, text="7"))["value"]


BESIDE = """
document.body.innerHTML = `
  <p><label>Email address</label><input id="mail"></p><p><label>Password</label><input id="word" type="password"></p>
  <div><span>City</span><div><input id="city"></div></div>
  <p><label for="town">Town</label><button id="town" aria-labelledby="at"><b id="at">Oslo</b></button></p>
  <div><span>When</span><div><input id="when" placeholder="YYYY-MM-DD"><button><svg></svg></button></div></div>
  <p><label>One</label><label>Two</label><input id="which"></p><p><label for="own">Street</label><input id="own"></p>`;
"""


AMONG_MANY = """
document.body.innerHTML = `<div><input id="a"><label>Tags</label><p><input aria-hidden="true">
  <button id="b" aria-haspopup="listbox"></button></p><input id="c"><input id="d"></div>`;
"""


@pytest.mark.requirement("applications-064")
async def test_a_label_that_stands_among_many_fields_means_the_next_one(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("blank.html")
    await tab.evaluate(AMONG_MANY)

    found = (await bridge.result("query_dom", selector="label=Tags"))["matches"]

    assert ["b"] == [one["attributes"]["id"] for one in found]


@pytest.mark.requirement("applications-064")
@pytest.mark.parametrize(
    ("label", "ids"),
    [
        ("Email", "mail"),
        ("Password", "word"),
        ("city", "city"),
        ("When", "when"),
        ("Town", "town"),
        ("Street", "own"),
        ("One", None),
    ],
)
async def test_a_label_that_only_stands_by_a_field_means_it(
    visit: Open, bridge: BridgeDouble, label: str, ids: str | None
) -> None:
    tab = await visit("blank.html")
    await tab.evaluate(BESIDE)

    found = (await bridge.result("query_dom", selector=f"label={label}"))["matches"]

    assert [ids] * (ids is not None) == [one["attributes"]["id"] for one in found]


@pytest.mark.requirement("applications-064")
@pytest.mark.parametrize(
    ("selector", "way"),
    [
        ("#volume", "key_press (ArrowRight"),
        ("text=Ada", "click with count:2"),
        ("#photo", "use upload"),
        ("p", "text."),
    ],
)
async def test_what_takes_no_text_is_refused_with_what_to_do(
    visit: Open, bridge: BridgeDouble, selector: str, way: str
) -> None:
    tab = await visit("blank.html")
    await tab.evaluate(
        "document.body.innerHTML = '<div role=slider id=volume tabindex=0>5</div><table><tr><td>Ada</table>"
        "<input type=file id=photo><p>Words</p>'"
    )

    error = await bridge.error("interact", action="type", selector=selector, text="x")

    assert way in error["message"]


@pytest.mark.requirement("applications-065")
async def test_the_box_of_one_field_is_no_control_beside_it(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("widgets.html")
    await tab.evaluate(
        'document.body.innerHTML = \'<div class="box" style="cursor: pointer"><label id=c>Country</label>'
        " <span role=combobox tabindex=0 aria-labelledby=c aria-expanded=false>Peru</span></div>"
        '<div class="row" style="cursor: pointer"><input type=checkbox aria-label=Done> Buy milk</div>\'; 0'
    )
    lines = (await bridge.result("get_outline", budget=5_000, seq=1))["lines"]

    assert ["combobox", "checkbox"] == [one["role"] for one in await listed(bridge)]
    assert [] == [line for line in lines if "(box)" in line]
    assert any("(row)" in line for line in lines), lines  # it shows more than its field
