"""Actions on the forms of real frameworks: what they hold is what was entered."""

import json
from typing import Any

import pytest

from browser.bridge_double import BridgeDouble
from browser.extension.test_interact import do
from browser.scene import Open

pytestmark = pytest.mark.usefixtures("acting")

FIELDS = [
    {"selector": "#name", "value": "Ada"},
    {"selector": "#agree", "checked": True},
    {"selector": "#cash", "checked": True},
    {"selector": "#size", "value": "l"},
    {"selector": "#many", "values": ["a", "c"]},
    {"selector": "#note", "value": "two\nlines"},
    {"selector": "#late", "value": "came after the box"},
]
HELD = {
    "name": "Ada",
    "agree": True,
    "pay": "cash",
    "size": "l",
    "many": ["a", "c"],
    "note": "two\nlines",
    "late": "came after the box",
    "sent": True,
}


@pytest.mark.requirement("actions-009")
@pytest.mark.parametrize("name", ["react.html", "vue.html"])
async def test_a_form_is_filled_and_sent(visit: Open, bridge: BridgeDouble, name: str) -> None:
    tab = await visit(name)
    answer = await do(bridge, "fill_form", fields=FIELDS, submit=True)
    held: dict[str, Any] = json.loads(await tab.evaluate("JSON.stringify(held)"))

    assert answer["success"]
    assert HELD == {key: value for key, value in held.items() if key != "upper"}


@pytest.mark.requirement("actions-009")
@pytest.mark.parametrize("name", ["react.html", "vue.html"])
async def test_each_field_is_worked_with_alone(visit: Open, bridge: BridgeDouble, name: str) -> None:
    tab = await visit(name)
    await do(bridge, "type", "#name", text="Grace")
    await do(bridge, "type", "#name", text=" H.", clear=False)
    await do(bridge, "click", "#agree")
    await do(bridge, "select", "#many", values=["b"])
    held: dict[str, Any] = json.loads(await tab.evaluate("JSON.stringify(held)"))

    assert ("Grace H.", True, ["b"]) == (held["name"], held["agree"], held["many"])


async def test_what_the_framework_makes_of_a_text_is_reported(visit: Open, bridge: BridgeDouble) -> None:
    await visit("react.html")
    typed = await bridge.result("interact", action="type", selector="#upper", text="small")

    assert "SMALL" == typed["value"]
