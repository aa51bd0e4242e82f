"""Actions on what component libraries and editors make: the part that is hit hears it, and the model keeps it."""

import json
import re
from typing import Any

import pytest

from browser.bridge_double import BridgeDouble
from browser.extension.test_interact import do, refused
from browser.scene import Open
from gasoline_bridge.devtools import Tab

pytestmark = pytest.mark.usefixtures("acting")

EITHER = pytest.mark.parametrize("more", [{}, {"trusted": True}], ids=["by script", "by real input"])


async def held(tab: Tab) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(await tab.evaluate("JSON.stringify(held)"))
    return kept


@EITHER
async def test_a_click_on_a_component_is_received_by_its_part(
    visit: Open, bridge: BridgeDouble, more: dict[str, Any]
) -> None:
    tab = await visit("components.html")
    await do(bridge, "click", "#sends", **more)
    await do(bridge, "click", "#agree", **more)

    now = await held(tab)
    assert (1, 1) == (now["sent"], now["agreed"])


async def test_a_component_is_worked_with_by_its_one_field(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("components.html")
    await do(bridge, "check", "#agree")
    await do(bridge, "fill_form", fields=[{"selector": "#name", "value": "Ada"}])
    names = {one.get("name") for one in (await do(bridge, "list_interactive"))["elements"]}

    assert await tab.evaluate("by('agree').shadowRoot.querySelector('input').checked")
    assert (await do(bridge, "get_value", "label=Your name"))["value"] == "Ada"
    assert (await do(bridge, "get_value", "#name"))["value"] == "Ada"
    assert {"Send it", "I agree", "Your name"} <= names


SLOTTED = """
(() => {
  const button = '<button><span class="icon"><slot name="icon"></slot></span><span><slot></slot></span></button>';
  customElements.define('m-button', class extends HTMLElement {
    connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = button; }
  });
  customElements.define('m-card', class extends HTMLElement {
    connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<m-button><slot></slot></m-button>'; }
  });
  document.body.insertAdjacentHTML('afterbegin',
    '<m-button id="shown">Begin here</m-button><m-card id="card">Go on</m-card>');
  self.pressed = [];
  for (const one of [shown, card.shadowRoot.querySelector('m-button')]) {
    const inner = one.shadowRoot.querySelector('button');
    inner.addEventListener('click', () => pressed.push(one.id || 'in the card'));
  }
})()
"""
"""Buttons of Material Web's kind: the text of a button is its host's, and shown by a slot within its native button."""


@pytest.mark.requirement("applications-065")
@EITHER
async def test_a_native_button_that_shows_its_components_text_is_not_covered_by_it(
    visit: Open, bridge: BridgeDouble, more: dict[str, Any]
) -> None:
    tab = await visit("components.html")
    await tab.evaluate(SLOTTED)
    listed = {one.get("name"): one["ref"] for one in (await do(bridge, "list_interactive"))["elements"]}
    await do(bridge, "click", "text=Begin here", **more)
    await do(bridge, "click", f"ref={listed['Begin here']}", **more)
    await do(bridge, "click", f"ref={listed['Go on']}", **more)

    assert ["shown", "shown", "in the card"] == await tab.evaluate("pressed")


async def test_a_component_that_is_disabled_is_called_so(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("components.html")
    await tab.evaluate(SLOTTED)
    await tab.evaluate("shown.setAttribute('disabled', ''); shown.style.pointerEvents = 'none'")

    assert "element_disabled" == (await refused(bridge, "click", "text=Begin here"))["code"]


SETTING = """
(() => {
  const define = (name, html) => customElements.define(name, class extends HTMLElement {
    connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = html; }
  });
  define('m-row', '<style>.body { overflow: hidden; width: 0 } div { display: inline }</style>' +
    '<div class="body"><slot name="heading"></slot></div><slot></slot>');
  define('m-switch', '<input type="checkbox" role="switch">');
  define('m-list', '<button aria-expanded="false" aria-controls="list">Mood</button>' +
    '<div id="list" role="listbox" hidden><slot></slot></div>');
  document.body.insertAdjacentHTML('afterbegin',
    '<m-row><span slot="heading">Usage</span><m-switch id="usage"></m-switch></m-row>' +
    '<m-row><span slot="heading">Diagnostics</span><m-switch id="diagnostics"></m-switch></m-row>' +
    '<m-list id="moods"></m-list>' +
    '<span id="line" style="overflow: hidden"><b style="position: absolute">Aside</b></span>');
  moods.innerHTML = Array.from({ length: 249 }, (_, at) => `<div role="option">Mood ${at}</div>`).join('');
  const [opener, list] = moods.shadowRoot.querySelectorAll('button, #list');
  opener.onclick = () => { list.hidden = false; opener.ariaExpanded = 'true'; };
})()
"""
"""A row of Home Assistant's settings, with a switch, and a list whose options are its host's."""


@pytest.mark.requirement("applications-065")
async def test_the_switch_of_a_component_is_set_by_the_text_beside_it(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("components.html")
    await tab.evaluate(SETTING)
    await do(bridge, "check", "text=Diagnostics")

    on = "[usage, diagnostics].map((one) => one.shadowRoot.querySelector('input').checked)"
    assert [False, True] == await tab.evaluate(on)


@pytest.mark.requirement("applications-065")
async def test_what_sticks_out_of_a_line_is_seen_whatever_the_line_hides(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("components.html")
    await tab.evaluate(SETTING)

    assert 0 == await tab.evaluate("line.getBoundingClientRect().width")
    await do(bridge, "click", "text=Aside")


@pytest.mark.requirement("applications-065")
async def test_the_choices_of_a_list_that_its_slot_shows_are_named(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("components.html")
    await tab.evaluate(SETTING)
    reply = await do(bridge, "click", "text=Mood")

    assert ["Mood 0", "Mood 1"] == reply["choices"][:2]
    assert re.fullmatch(r"2\d\d more", reply["choices"][-1])


BARE = """
(() => {
  document.body.insertAdjacentHTML('afterbegin',
    '<x-bare id="bare"><label>City <input type="text"></label><button>Clear</button></x-bare>' +
    '<x-bare id="two"><input><input></x-bare>');
})()
"""
"""Components without a shadow root, as those of Ionic are."""


@EITHER
async def test_a_component_without_a_shadow_root_is_typed_into_by_its_one_field(
    visit: Open, bridge: BridgeDouble, more: dict[str, Any]
) -> None:
    tab = await visit("components.html")
    await tab.evaluate(BARE)
    await do(bridge, "type", "#bare", text="Oslo", **more)

    assert "Oslo" == await tab.evaluate("bare.querySelector('input').value")
    assert (await do(bridge, "get_value", "#bare"))["value"] == "Oslo"
    assert "invalid_params" == (await refused(bridge, "type", "#two", text="Oslo"))["code"]


async def test_a_transparent_box_over_a_drawn_one_is_ticked(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("components.html")
    await do(bridge, "check", "#drawn")

    assert await tab.evaluate("by('drawn').checked")


SWITCH = """
(() => {
  const hidden = 'position: absolute; width: 0; height: 0; margin: 0; opacity: 0';
  document.body.insertAdjacentHTML('afterbegin',
    `<div id="core" style="display: inline-flex; height: 32px">
       <input id="wifi" type="checkbox" role="switch" style="${hidden}">
       <span style="width: 40px; height: 20px; background: #999; cursor: pointer"></span></div>
     <div style="height: 32px"><input id="unseen" type="checkbox" style="${hidden}"><button>Other</button></div>
     <div style="height: 32px">Trap<input id="trap" type="checkbox" style="position: absolute; left: -999px"></div>`);
  core.onclick = (event) => event.target === wifi || (wifi.checked = !wifi.checked);
})()
"""
"""As Element Plus draws a switch; and a box that nothing is drawn for."""


@EITHER
async def test_a_switch_whose_box_has_no_size_is_listed_and_ticked_by_what_is_drawn_of_it(
    visit: Open, bridge: BridgeDouble, more: dict[str, Any]
) -> None:
    tab = await visit("components.html")
    await tab.evaluate(SWITCH)
    listed = (await do(bridge, "list_interactive"))["elements"]
    await do(bridge, "click", "#wifi", **more)
    clicked = await tab.evaluate("wifi.checked")
    await do(bridge, "check", "#wifi", checked=False)

    assert [False] == [one["checked"] for one in listed if one["role"] == "switch"]
    assert [True, False] == [clicked, await tab.evaluate("wifi.checked")]
    for unseen in ("#unseen", "#trap"):
        assert "element_not_visible" == (await refused(bridge, "click", unseen))["code"]


async def test_a_list_that_shows_no_choice_has_no_value(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("components.html")
    await tab.evaluate(
        """document.body.insertAdjacentHTML('afterbegin',
        '<div role="combobox" aria-label="Age" tabindex="0"><span>&#8203;</span></div>')"""
    )
    (listed,) = [one for one in (await do(bridge, "list_interactive"))["elements"] if one.get("name") == "Age"]

    assert "value" not in listed


async def test_a_transparent_text_field_is_meant_only_if_no_other_is_seen(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("components.html")
    await do(bridge, "type", "#chosen", text="alone")
    await do(bridge, "type", ".choice", text="seen")

    assert await tab.evaluate("[by('chosen').value, document.querySelector('.seen').value]") == ["alone", "seen"]


async def test_the_pointer_leaves_what_it_was_over(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("components.html")
    await do(bridge, "hover", "#tip")
    await do(bridge, "hover", "#away")

    assert (await held(tab))["crossed"] == ["mouseenter outer", "mouseenter tip", "mouseleave tip", "mouseleave outer"]


@EITHER
async def test_an_editor_with_a_model_of_its_own_keeps_what_is_typed(
    visit: Open, bridge: BridgeDouble, more: dict[str, Any]
) -> None:
    tab = await visit("components.html")
    await do(bridge, "type", "#model", text="new text", **more)
    first = (await held(tab))["model"]
    await do(bridge, "key_press", "#model", key="Backspace", **more)
    second = (await held(tab))["model"]
    await do(bridge, "type", "#model", text="", **more)

    assert ("new text", "new tex", "") == (first, second, (await held(tab))["model"])
    assert (await do(bridge, "get_value", "#model"))["value"].strip() == ""


async def test_the_value_of_an_editor_has_its_lines(visit: Open, bridge: BridgeDouble) -> None:
    await visit("components.html")

    assert (await do(bridge, "get_value", "#lines"))["value"] == "one\ntwo"


async def test_a_key_that_no_script_can_write_is_refused_with_what_to_do(visit: Open, bridge: BridgeDouble) -> None:
    await visit("components.html")
    error = await refused(bridge, "key_press", "#unwritten", key="x")

    assert "needs_trusted" == error["code"]
    assert error["recovery"].startswith("Call again with trusted:true")


async def test_what_a_mask_makes_of_a_text_is_reported_and_what_it_drops_is_an_error(
    visit: Open, bridge: BridgeDouble
) -> None:
    await visit("components.html")
    answer = await do(bridge, "type", "#phone", text="5551234567")
    error = await refused(bridge, "type", "#letters", text="1.5")

    assert answer["value"] == "(555) 1234567"
    assert ("input_rejected", "15") == (error["code"], error["details"]["value"])


async def test_an_arrow_moves_a_slider(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("components.html")
    await do(bridge, "key_press", "#slider", key="ArrowRight")

    assert await tab.evaluate("by('slider').value") == "31"


@EITHER
async def test_what_is_draggable_from_the_press_on_is_carried_and_let_go(
    visit: Open, bridge: BridgeDouble, more: dict[str, Any]
) -> None:
    tab = await visit("components.html")
    await do(bridge, "drag", "#first", to="#third", **more)
    await do(bridge, "click", "#sends", **more)

    assert await tab.evaluate("by('list').textContent") == "231"
    assert (await held(tab))["sent"] == 1


REDRAWN = """
(() => {
  const box = (on) => Object.assign(document.createElement('button'), {
    role: 'checkbox', ariaLabel: 'All', ariaChecked: String(on), textContent: 'all',
    onclick: (event) => setTimeout(() => event.target.replaceWith(box(!on)), 5),
  });
  const leave = ({ target }) => setTimeout(() => target.remove(), 5);
  const once = Object.assign(box(false), { ariaLabel: 'Once', onclick: leave });
  document.body.prepend(box(false), once);
})()
"""


async def test_what_is_drawn_anew_when_it_is_ticked_is_looked_at_again(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("components.html")
    await tab.evaluate(REDRAWN)

    assert (await do(bridge, "check", "label=All"))["checked"]
    assert "true" == await tab.evaluate("document.querySelector('[aria-label=All]').ariaChecked")
    assert (await do(bridge, "check", "label=Once"))["detached"]
