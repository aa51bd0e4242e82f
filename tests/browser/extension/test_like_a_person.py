"""An action does what a person could do, and reports what a person would see, where a script could do more or less."""

from typing import Any

import pytest

from browser.bridge_double import BridgeDouble, Message
from browser.scene import Open

pytestmark = pytest.mark.usefixtures("acting")

PAGE = "unlike.html"


async def act(bridge: BridgeDouble, action: str, selector: str, **arguments: Any) -> Message:
    done: Message = await bridge.result("interact", action=action, selector=selector, **arguments)
    assert done["success"]
    return done


@pytest.mark.requirement("applications-022")
@pytest.mark.parametrize(
    ("selector", "hit"), [("#card", "link"), ("#row", "the middle of all")], ids=["stretched link", "row"]
)
async def test_a_click_goes_to_what_is_drawn_in_the_middle(
    visit: Open, bridge: BridgeDouble, selector: str, hit: str
) -> None:
    tab = await visit(PAGE)
    await act(bridge, "click", selector)

    assert [hit] == await tab.evaluate("heard")


@pytest.mark.requirement("applications-006")
@pytest.mark.parametrize(
    ("selector", "text", "held"),
    [
        ("#upper", "code12", "CODE12"),
        ("#price", "1234.5", "1,234.50"),
        ("#trimmed", " a ", "a"),
        ("#trimmed", "two\nlines", "twolines"),
        ("#single", "abc", "abc"),
        ("#freed", "Ann", "Ann"),
    ],
)
async def test_a_text_that_the_field_writes_otherwise_is_kept(
    visit: Open, bridge: BridgeDouble, selector: str, text: str, held: str
) -> None:
    await visit(PAGE)

    assert held == (await act(bridge, "type", selector, text=text))["value"]


@pytest.mark.requirement("applications-006")
@pytest.mark.parametrize(
    ("selector", "text", "held"), [("#short", "abcdefgh", "abcde"), ("#digits", "12ab", "12"), ("#keys", "12ab", "12")]
)
async def test_a_text_that_a_person_could_not_enter_is_refused(
    visit: Open, bridge: BridgeDouble, selector: str, text: str, held: str
) -> None:
    await visit(PAGE)

    error = await bridge.error("interact", action="type", selector=selector, text=text)

    assert ("input_rejected", held) == (error["code"], error["details"]["value"])


@pytest.mark.requirement("applications-006")
@pytest.mark.parametrize("option", ["two", "three"])
async def test_an_option_that_is_not_offered_is_not_chosen(visit: Open, bridge: BridgeDouble, option: str) -> None:
    tab = await visit(PAGE)

    error = await bridge.error("interact", action="select", selector="#sizes", value=option)

    assert ("invalid_params", "one") == (error["code"], await tab.evaluate("by('sizes').value"))


@pytest.mark.requirement("applications-006")
@pytest.mark.parametrize(
    ("action", "selector", "arguments"),
    [
        ("type", "#upper", {"text": "a"}),
        ("check", "#tick", {}),
        ("select", "#sizes", {"value": "one"}),
        ("key_press", "#upper", {"key": "a"}),
        ("focus", "#upper", {}),
    ],
)
async def test_what_a_modal_dialog_keeps_out_of_use_is_not_acted_on(
    visit: Open, bridge: BridgeDouble, action: str, selector: str, arguments: Message
) -> None:
    tab = await visit(PAGE)
    await act(bridge, "click", "#modal")

    error = await bridge.error("interact", action=action, selector=selector, **arguments)

    assert ("element_covered", "#dialog") == (error["code"], error["details"]["covered_by"])
    assert ["", False] == await tab.evaluate("[by('upper').value, by('tick').checked]")


@pytest.mark.requirement("applications-006")
async def test_a_popover_that_opened_is_named(visit: Open, bridge: BridgeDouble) -> None:
    await visit(PAGE)

    assert "More of it Rename" == (await act(bridge, "click", "#more"))["opened"]


@pytest.mark.requirement("applications-006")
@pytest.mark.parametrize(
    ("button", "messages"),
    [
        ("#near", ["The name is taken."]),
        ("#reveal", ["It was here all along."]),
        ("#toast", ["Stored in the cloud."]),
        ("#clock", None),
        ("#redraw", None),
    ],
)
async def test_the_few_texts_that_came_are_in_the_reply(
    visit: Open, bridge: BridgeDouble, button: str, messages: list[str] | None
) -> None:
    await visit(PAGE)

    assert messages == (await act(bridge, "click", button)).get("messages")


@pytest.mark.requirement("applications-022")
@pytest.mark.parametrize(
    ("action", "selector", "arguments", "hints"),
    [
        ("hover", "#menu", {}, True),
        ("hover", "#near", {}, False),
        ("drag", "#thumb", {"dx": 100}, True),
    ],
)
async def test_a_pointer_that_only_a_real_one_could_replace_is_hinted_at(
    visit: Open, bridge: BridgeDouble, action: str, selector: str, arguments: Message, *, hints: bool
) -> None:
    await visit(PAGE)
    done = await act(bridge, action, selector, **arguments)

    assert hints == ("trusted:true" in done.get("hint", ""))


@pytest.mark.requirement("applications-003")
async def test_a_page_key_moves_a_slider_by_a_tenth(visit: Open, bridge: BridgeDouble) -> None:
    await visit(PAGE)

    assert "60" == (await act(bridge, "key_press", "#volume", key="PageUp"))["value"]


@pytest.mark.requirement("applications-003")
async def test_keypress_has_the_number_of_its_character(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit(PAGE)
    await act(bridge, "key_press", "#numbers", key="x")

    assert "120 120" == await tab.evaluate("document.title")
