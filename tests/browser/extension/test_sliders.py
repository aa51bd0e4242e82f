"""Sliders that components draw: moved to a number by their keys, and seen to be there; what components show."""

import pytest

from browser.bridge_double import BridgeDouble
from browser.extension.test_focus import focus_windows
from browser.extension.test_interact import do, refused
from browser.scene import Open
from gasoline_bridge.devtools import Browser

pytestmark = [pytest.mark.usefixtures("acting"), pytest.mark.requirement("applications-071")]

MOVED = [
    ("Volume", "55", "55", 10),
    ("Volume", "30", "30", 0),
    ("Volume", "100", "100", 1),
    ("Price", "9980", "9980 EUR", 40),
    ("Ratio", "0.7", "0.7", 8),
    ("Depth", "-6", "-6", 6),
    ("Mirrored", "8", "8", 5),
    ("Wide", "747", "747", 20),
    ("Late", "4", "4", 3),
    ("Inner", "3", "3", 2),
]
"""Of each: its name, the number, what the reply states, and the most keys."""


@pytest.mark.parametrize(("name", "number", "shown", "most"), MOVED)
async def test_a_slider_is_moved_to_a_number(
    visit: Open, bridge: BridgeDouble, name: str, number: str, shown: str, most: int
) -> None:
    tab = await visit("sliders.html")
    reply = await do(bridge, "type", f"label={name}", text=number)

    assert shown == reply["value"]
    assert float(number) == await tab.evaluate(f"KINDS.{name}.now")
    assert most >= await tab.evaluate(f"(pressed.{name} ?? []).length")


async def test_a_slider_is_moved_and_a_key_held_in_a_window_without_the_focus_and_in_a_hidden_tab(
    visit: Open, bridge: BridgeDouble, pages: str, chromium: Browser
) -> None:
    tab = await visit("sliders.html")
    await tab.evaluate(HELD)
    await focus_windows(chromium, on=False)
    unfocused = await do(bridge, "type", "label=Volume", text="44")
    pressed = await do(bridge, "key_press", "body", key="Delete")
    await focus_windows(chromium, on=True)
    other = await chromium.new_tab(f"{pages}small.html")
    await tab.until("document.hidden")
    every = (await bridge.result("list_tabs"))["tabs"]
    (number,) = [one["id"] for one in every if one["url"] == f"{pages}sliders.html"]
    hidden = await do(bridge, "type", "label=Depth", text="-8", tab_id=number)
    unchanged = await bridge.error("interact", action="key_press", selector="body", key="Backspace", tab_id=number)
    await other.close()

    assert ["44", "-8"] == [unfocused["value"], hidden["value"]]
    assert (True, "needs_trusted") == (pressed["success"], unchanged["code"])
    assert ["Delete", "Backspace"] == [key for key, held_ms in await tab.evaluate("held") if held_ms >= 15]


HELD = """
globalThis.held = [];
const since = {};
addEventListener('keydown', ({ key }) => {
  since[key] = performance.now();
  setTimeout(() => key in since && document.body.append(key), 20); // in a hidden tab too late
});
addEventListener('keyup', ({ key }) => { held.push([key, performance.now() - since[key]]); delete since[key]; });
0
"""
"""Notes how long each key is down."""


async def test_sliders_are_fields_of_a_form(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("sliders.html")
    fields = [{"selector": f"label={name}", "value": value} for name, value in (("Volume", "41"), ("Depth", "10"))]
    await do(bridge, "fill_form", fields=fields)

    assert [41, 10] == await tab.evaluate("[KINDS.Volume.now, KINDS.Depth.now]")


@pytest.mark.parametrize(
    ("name", "number", "takes"),
    [
        ("Volume", "101", "numbers from 0 to 100."),
        ("Volume", "loud", "numbers from 0 to 100."),
        ("Price", "2003", "numbers from 0 to 10000, in steps of 5."),
        ("Stuck", "3", "numbers from 0 to 5."),
    ],
)
async def test_a_number_that_a_slider_does_not_take_is_an_error_that_states_what_it_takes(
    visit: Open, bridge: BridgeDouble, name: str, number: str, takes: str
) -> None:
    await visit("sliders.html")
    typed = await refused(bridge, "type", f"label={name}", text=number)
    filled = await refused(bridge, "fill_form", fields=[{"selector": f"label={name}", "value": number}])

    assert ["input_rejected"] * 2 == [typed["code"], filled["code"]]
    assert typed["recovery"] == filled["recovery"] == f"The slider takes {takes}"
    assert f'did not keep "{number}"' in typed["message"]
    assert filled["message"].startswith("fields[0]: ")


VALUES = """
document.body.innerHTML = `<div role="slider" id="volume" aria-valuenow="30"></div>
  <div role="combobox" id="fruit" aria-label="Fruit">apple</div>
  <button role="switch" id="news" aria-checked="true"></button>
  <button id="who" aria-haspopup="listbox" aria-label="Who">Ada</button>
  <div style="border: 1px solid"><p>Sweden</p><input id="land" role="combobox" style="border: 0"></div>
  <p id="none">none</p>`;
"""


@pytest.mark.requirement("applications-073")
async def test_the_value_of_what_a_component_draws_is_read(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("blank.html")
    await tab.evaluate(VALUES)
    values = [(await do(bridge, "get_value", f"#{one}"))["value"] for one in ("volume", "fruit", "news", "who", "land")]
    refusal = await refused(bridge, "get_value", "#none")

    assert ["30", "apple", "checked", "Ada", "Sweden"] == values
    assert "It is no field." in refusal["message"]
