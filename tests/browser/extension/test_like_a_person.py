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
        ("#phone", "2025550123", "+1 (202) 5550123"),
        ("#weight", "12", "12 kg"),
        ("#euros", "88", "88,00\N{NO-BREAK SPACE}€"),
        ("#euros", "1234.5", "1.234,50\N{NO-BREAK SPACE}€"),
        ("#metres", "1500", "1.500"),
    ],
)
async def test_a_text_that_the_field_writes_otherwise_is_kept(
    rows: Open, bridge: BridgeDouble, selector: str, text: str, held: str
) -> None:
    await rows(PAGE)

    assert held == (await act(bridge, "type", selector, text=text))["value"]


@pytest.mark.requirement("applications-006")
@pytest.mark.parametrize(
    ("selector", "text", "held"),
    [
        ("#short", "abcdefgh", "abcde"),
        ("#digits", "12ab", "12"),
        ("#keys", "12ab", "12"),
        ("#thousands", "1.234", "1,234"),
        ("#cents", "150", "1.50"),
    ],
)
async def test_a_text_that_a_person_could_not_enter_is_refused(
    rows: Open, bridge: BridgeDouble, selector: str, text: str, held: str
) -> None:
    await rows(PAGE)

    error = await bridge.error("interact", action="type", selector=selector, text=text)

    assert ("input_rejected", held) == (error["code"], error["details"]["value"])


@pytest.mark.requirement("applications-006")
@pytest.mark.parametrize("option", ["two", "three"])
async def test_an_option_that_is_not_offered_is_not_chosen(rows: Open, bridge: BridgeDouble, option: str) -> None:
    tab = await rows(PAGE)

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
async def test_a_field_behind_a_dialog_of_the_pages_own_is_not_filled(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit(PAGE)
    await act(bridge, "click", "#sheet")

    error = await bridge.error("interact", action="type", selector="#upper", text="a")

    assert ("element_covered", "") == (error["code"], await tab.evaluate("by('upper').value"))
    assert "Boxed" in error["message"]


@pytest.mark.requirement("applications-006")
@pytest.mark.parametrize("selector", ["#title", "#beside"])
async def test_a_field_in_a_dialog_or_over_it_is_filled(visit: Open, bridge: BridgeDouble, selector: str) -> None:
    await visit(PAGE)
    await act(bridge, "click", "#sheet")

    assert "a" == (await act(bridge, "type", selector, text="a"))["value"]


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
        ("hover", "#posted", {}, True),
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


@pytest.mark.requirement("applications-022")
async def test_an_option_of_a_closed_list_is_not_clicked(visit: Open, bridge: BridgeDouble) -> None:
    await visit(PAGE)

    error = await bridge.error("interact", action="click", selector="#drop option:last-child")

    assert "element_not_visible" == error["code"]
    assert 'interact(action:"select")' in error["recovery"]


@pytest.mark.requirement("applications-022")
async def test_a_click_that_would_open_a_list_has_a_hint(visit: Open, bridge: BridgeDouble) -> None:
    await visit(PAGE)

    assert 'interact(action:"select")' in (await act(bridge, "click", "#drop"))["hint"]


@pytest.mark.requirement("applications-006")
async def test_a_list_that_is_filled_as_it_opens_is_chosen_from(visit: Open, bridge: BridgeDouble) -> None:
    await visit(PAGE)

    assert "late" == (await act(bridge, "select", "#filled", value="late"))["value"]


@pytest.mark.requirement("applications-006")
async def test_a_switch_whose_parts_take_the_press_is_set(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit(PAGE)
    await act(bridge, "check", "#switch")

    assert "true" == await tab.evaluate("by('switch').ariaChecked")


@pytest.mark.requirement("applications-003")
@pytest.mark.parametrize(
    ("key", "held"),
    [("?", "? true"), ("A", "A true"), ("/", "/ false"), ("1", "1 false"), ("!", "! true"), ("+", "+ false")],
)
async def test_a_character_of_the_upper_row_holds_shift(rows: Open, bridge: BridgeDouble, key: str, held: str) -> None:
    tab = await rows(PAGE)
    await act(bridge, "key_press", "#shift", key=key)

    assert held == await tab.evaluate("document.title")


@pytest.mark.requirement("applications-006")
async def test_words_after_a_border_are_refused_with_the_way_to_the_frame(visit: Open, bridge: BridgeDouble) -> None:
    await visit(PAGE)

    error = await bridge.error("interact", action="type", selector="#frame >>> label=Inner", text="a")

    assert 'Use "#frame >> label=Inner"' in error["recovery"]
    assert 'label=Inner with frame:"#frame"' in error["recovery"]
    assert "a" == (await act(bridge, "type", "#frame >> label=Inner", text="a"))["value"]


@pytest.mark.requirement("applications-006")
@pytest.mark.parametrize("after", ["0", "20", "45", "45+60"])
async def test_a_tick_that_is_taken_back_during_the_reply_is_no_success(
    visit: Open, bridge: BridgeDouble, after: str
) -> None:
    await visit(f"{PAGE}#{after}")

    assert "input_rejected" == (await bridge.error("interact", action="check", selector="#rolled"))["code"]


@pytest.mark.requirement("applications-006")
async def test_what_a_hover_shows_after_a_moment_is_in_the_reply(visit: Open, bridge: BridgeDouble) -> None:
    await visit(PAGE)

    assert ["A tip"] == (await act(bridge, "hover", "#tip"))["messages"]


@pytest.mark.requirement("applications-006")
async def test_what_the_answer_over_a_websocket_shows_is_in_the_reply(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit(f"{PAGE}#socket")
    await tab.until("document.title === 'open'")

    assert ["slow Stored"] == (await act(bridge, "click", "#ask"))["messages"]


@pytest.mark.requirement("applications-006")
@pytest.mark.parametrize(("speed", "settled"), [("", True), (" slowly", False)], ids=["soon", "slowly"])
async def test_an_answer_over_a_websocket_that_comes_in_parts_is_waited_for(
    visit: Open, bridge: BridgeDouble, speed: str, *, settled: bool
) -> None:
    for _ in range(5):
        tab = await visit(f"{PAGE}#parts{speed}")
        await tab.until("document.title === 'drawn'")
        answer = await act(bridge, "click", "#ask")
        await tab.until("seen.ends === 2")
        if await tab.evaluate("seen.gap < 200") and answer.get("settled", True) is settled:
            break  # else the machine was busy for longer than a part is waited for, or than all are

    assert [f"parts{speed} Stored"] == answer.get("messages")
    assert answer.get("settled", True) is settled


CELL = """
(() => {
  const cell = Object.assign(document.createElement('div'), { id: 'cell', tabIndex: 0, textContent: 'A1' });
  cell.onkeydown = ({ key }) => {
    if (key.length !== 1 || cell.querySelector('input')) return;
    cell.replaceChildren(Object.assign(document.createElement('input'), { id: 'opened' }));
    cell.firstChild.focus();
  };
  document.body.prepend(cell);
})()
"""


@pytest.mark.requirement("applications-057")
@pytest.mark.parametrize("real", [{}, {"trusted": True}], ids=["script", "real"])
async def test_a_key_that_opens_a_field_writes_into_it(visit: Open, bridge: BridgeDouble, real: Message) -> None:
    tab = await visit(PAGE)
    await tab.evaluate(CELL)
    await act(bridge, "key_press", "#cell", key="9", **real)
    await bridge.result("interact", action="key_press", key="1", **real)

    assert "91" == await tab.evaluate("opened.value")


COMPONENT = """
(() => {
  customElements.define('x-range', class extends HTMLElement {
    constructor() {
      super();
      this.attachShadow({ mode: 'open' }).innerHTML =
        '<input type=range min=0 max=9 value=4><button tabindex=-1>Reset</button>';
    }
    get value() { return this.shadowRoot.firstChild.value; }
  });
  document.body.prepend(Object.assign(document.createElement('x-range'), { id: 'range' }));
})()
"""


@pytest.mark.requirement("applications-057")
@pytest.mark.parametrize("real", [{}, {"trusted": True}], ids=["script", "real"])
async def test_a_key_for_a_component_goes_to_the_one_part_that_takes_keys(
    visit: Open, bridge: BridgeDouble, real: Message
) -> None:
    tab = await visit(PAGE)
    await tab.evaluate(COMPONENT)
    await act(bridge, "key_press", "#range", key="ArrowRight", **real)

    assert "5" == await tab.evaluate("range.value")


@pytest.mark.requirement("applications-001")
async def test_what_is_placed_outside_of_a_scroller_is_not_cut_by_it(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("placed.html")
    for name in ("Beech", "Bee", "Below"):
        await bridge.result("interact", action="click", selector=f"text={name}")

    assert ["Beech", "Bee", "Below"] == await tab.evaluate("chosen")
    assert await tab.evaluate("document.querySelector('#moved').scrollTop > 0")
    assert 0 == await tab.evaluate("document.querySelector('#fixed').scrollTop")
