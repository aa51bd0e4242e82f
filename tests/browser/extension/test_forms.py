"""Every kind of field in real pages: filled, read back, refused; whole forms as one action."""

import json
from typing import Any

import pytest

from browser.bridge_double import BridgeDouble
from browser.scene import Open
from gasoline_bridge.devtools import Browser

pytestmark = pytest.mark.usefixtures("acting")


async def do(bridge: BridgeDouble, action: str, **arguments: Any) -> dict[str, Any]:
    """Do an action in the page in front, and give the whole answer."""
    answer: dict[str, Any] = await bridge.result("interact", action=action, **arguments)
    return answer


async def refused(bridge: BridgeDouble, action: str, **arguments: Any) -> dict[str, Any]:
    return await bridge.error("interact", action=action, **arguments)


VALUES = [
    ("#controlled", "Ada", "Ada"),
    ("#clock", "13:45", "13:45"),
    ("#moment", "2026-01-31T13:45", "2026-01-31T13:45"),
    ("#month", "2026-01", "2026-01"),
    ("#week", "2026-W05", "2026-W05"),
    ("#colour", "#AABBCC", "#aabbcc"),
    ("#range", "6", "6"),
    ("#mail", "ada@example.test", "ada@example.test"),
    ("my-field >>> input", "in the shadow", "in the shadow"),
    ("iframe >>> #framed", "in the frame", "in the frame"),
]


@pytest.mark.requirement("actions-010")
async def test_every_kind_of_field_takes_its_value(visit: Open, bridge: BridgeDouble) -> None:
    await visit("forms.html")
    held = {}
    for selector, text, _ in VALUES:
        await do(bridge, "type", selector=selector, text=text)
        held[selector] = (await do(bridge, "get_value", selector=selector))["value"]

    assert {selector: expected for selector, _, expected in VALUES} == held


REFUSED: list[tuple[str, dict[str, Any], str, str]] = [
    ("type", {"selector": "#range", "text": "11"}, "input_rejected", "from 0 to 10, in steps of 2"),
    ("type", {"selector": "#colour", "text": "red"}, "input_rejected", "#aabbcc"),
    ("type", {"selector": "#clock", "text": "1 pm"}, "input_rejected", "13:45"),
    ("type", {"selector": "#file", "text": "x"}, "invalid_params", "use upload"),
    ("type", {"selector": "#swapped", "text": "x"}, "element_detached", "nothing was entered"),
    ("fill_form", {"fields": [{"selector": "#swapped", "value": "x"}]}, "element_detached", "fields[0]"),
]


@pytest.mark.requirement("actions-025")
async def test_what_a_field_cannot_take_is_reported(visit: Open, bridge: BridgeDouble) -> None:
    await visit("forms.html")
    for action, arguments, code, says in REFUSED:
        error = await refused(bridge, action, **arguments)

        assert code == error["code"], arguments
        assert says in error["message"] + error.get("recovery", ""), arguments


@pytest.mark.requirement("applications-073")
async def test_a_day_that_its_page_writes_otherwise_is_kept_and_another_one_is_not(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("forms.html")
    await tab.evaluate("document.documentElement.lang = 'de'")
    shown = []
    for written in ("12/24/2026", "24. Dez. 2026", "Dec 25, 2026"):
        await tab.evaluate(f"by('name').onchange = () => by('name').value = {json.dumps(written)}; document.title")
        query = {"action": "type", "selector": "#name", "text": "2026-12-24"}
        kept = written != "Dec 25, 2026"
        shown.append((await (bridge.result if kept else bridge.error)("interact", **query)).get("value"))

    assert ["12/24/2026", "24. Dez. 2026", None] == shown


async def test_of_radio_buttons_one_is_on_and_none_is_switched_off(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("forms.html")
    await do(bridge, "check", selector="#cash")
    states = await tab.evaluate("[by('card').checked, by('cash').checked]")
    error = await refused(bridge, "check", selector="#cash", checked=False)

    assert [False, True] == states
    assert "input_rejected" == error["code"]


FIELDS = [
    {"selector": "label=Name", "value": "Ada"},
    {"selector": "#controlled", "value": "kept"},
    {"selector": "#secret", "value": "hunter2"},
    {"selector": "#day", "value": "2026-01-31"},
    {"selector": "#colour", "value": "#010203"},
    {"selector": "#range", "value": "4"},
    {"selector": "#note", "value": "two\nlines"},
    {"selector": "#rich", "value": "Words"},
    {"selector": "#many", "values": ["One", "Three"]},
    {"selector": "#agree", "checked": True},
    {"selector": "#cash", "checked": True},
    {"selector": ".twin", "nth": 1, "value": "second"},
    {"selector": "my-field >>> input", "value": "deep"},
]


@pytest.mark.requirement("actions-007", "actions-009", "actions-010")
async def test_a_form_is_filled_in_order_as_one_action(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("forms.html")
    answer = await do(bridge, "fill_form", fields=FIELDS)
    held = await tab.evaluate(
        "[...['name', 'controlled', 'secret', 'day', 'colour', 'range', 'note'].map((id) => by(id).value),"
        " by('rich').textContent, [...by('many').selectedOptions].map(({ text }) => text), by('agree').checked,"
        " by('cash').checked, document.querySelectorAll('.twin')[1].value, by('seen').textContent]"
    )
    inputs = await tab.evaluate("heard.filter((one) => one.startsWith('input')).map((one) => one.slice(6))")

    assert held == [
        *("Ada", "kept", "hunter2", "2026-01-31", "#010203", "4", "two\nlines", "Words"),
        *(["One", "Three"], True, True, "second", ""),
    ]
    order = ["name", "controlled", "secret", "day", "colour", "range", "note", "rich", "many", "agree", "cash"]
    assert order == list(dict.fromkeys(one for one in inputs if one))
    assert {"success", "action", "effect", "measured"} == answer.keys()
    assert "hunter2" not in str(answer)


async def test_a_field_that_comes_after_another_was_filled_is_waited_for(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("forms.html")
    fields = [{"selector": "#country", "value": "Germany"}, {"selector": "#city", "value": "Bonn"}]
    answer = await do(bridge, "fill_form", fields=fields)

    assert "Bonn" == await tab.evaluate("by('city').value")
    assert "#city" in str(answer["measured"]["mutations"])


@pytest.mark.requirement("actions-007")
async def test_a_filled_form_is_sent_by_its_button(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("forms.html")
    await do(bridge, "fill_form", fields=FIELDS[:3], submit=True)
    heard = await tab.evaluate("[heard.filter((one) => /^(click|submit)/.test(one)), by('seen').textContent]")
    await do(bridge, "fill_form", fields=[{"selector": "#alone", "value": "x"}], submit=True)

    assert [["click send", "submit form"], "sent"] == heard
    assert "sent bare" == await tab.evaluate("by('seen').textContent")


async def test_a_button_that_is_enabled_once_the_form_was_checked_is_waited_for(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("forms.html")
    checks = "form.oninput = () => setTimeout(() => (send.disabled = false), 300)"
    await tab.evaluate(f"(() => {{ const send = by('send'), {{ form }} = send; send.disabled = true; {checks}; }})()")
    before = len(bridge.events(type="step", by="assistant"))
    await do(bridge, "fill_form", fields=FIELDS[:1], submit=True)
    steps = [one["act"] for one in bridge.events(type="step", by="assistant")[before:]]
    await tab.evaluate("by('send').disabled = true, by('send').form.oninput = null, 0")
    error = await refused(bridge, "fill_form", fields=FIELDS[:1], submit=True)

    assert "sent" == await tab.evaluate("by('seen').textContent")
    assert ["type", "click"] == steps, "what was refused meanwhile is no step"
    assert ("element_disabled", [0]) == (error["code"], error["details"]["filled"])


async def test_what_the_browser_would_refuse_is_not_sent_and_the_page_gets_no_event(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("forms.html")
    error = await refused(bridge, "fill_form", fields=[{"selector": "#note", "value": "x"}], submit=True)

    assert ("form_invalid", [0]) == (error["code"], error["details"]["filled"])
    assert ["#name"] == [one["selector"] for one in error["details"]["invalid"]]
    assert [] == await tab.evaluate("heard.filter((one) => /^(invalid|submit|click)/.test(one))")


NAME = {"selector": "#name", "value": "Ada"}
BROKEN: list[tuple[list[dict[str, Any]], str, int, list[int]]] = [
    ([NAME, {"selector": "#none", "value": "x"}], "element_not_found", 1, [0]),
    ([NAME, {"selector": ".twin", "value": "x"}], "ambiguous_selector", 1, [0]),
    ([NAME, {"selector": "#off", "value": "x"}], "element_disabled", 1, [0]),
    ([NAME, {"selector": "#country", "value": "Mars"}], "invalid_params", 1, [0]),
    ([NAME, {"selector": "#agree", "value": "yes"}], "invalid_params", 1, [0]),
    ([NAME, {"selector": "#file", "value": "x"}], "invalid_params", 1, [0]),
    (
        [NAME, {"selector": "#refuses", "value": "mine"}, {"selector": "#note", "value": "x"}],
        "input_rejected",
        1,
        [0, 2],
    ),
    ([{"selector": "#none", "value": "x"}], "element_not_found", 0, []),
]


async def test_a_field_that_cannot_be_filled_is_named_with_those_that_were(visit: Open, bridge: BridgeDouble) -> None:
    await visit("forms.html")

    for fields, code, index, filled in BROKEN:
        error = await refused(bridge, "fill_form", fields=fields, submit=True)

        assert code == error["code"], fields
        assert {"index": index, "selector": fields[index]["selector"]} == error["details"]["field"], fields
        assert filled == error["details"]["filled"], fields
        assert error["message"].startswith(f"fields[{index}]: "), fields


async def test_a_secret_that_is_not_kept_is_not_repeated(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("forms.html")
    await tab.evaluate("by('secret').oninput = ({ target }) => { target.value = 'leaked'; }; 0")
    error = await refused(bridge, "fill_form", fields=[{"selector": "#secret", "value": "hunter2"}])

    assert "input_rejected" == error["code"]
    assert not {"hunter2", "leaked"} & set(str(error).replace('"', " ").replace("'", " ").split())


BUTTONLESS = """document.body.insertAdjacentHTML('beforeend', `<form id="login"><input id="user"><input id="word">
  </form><div id="loosely"><input id="alone-here"></div>`)"""
ON_ENTER = """for (const one of [by('login'), by('loosely')]) one.addEventListener('keypress', ({ key }) => {
  if (key === 'Enter') setTimeout(() => { by('seen').textContent = `asked by ${one.id}`; }, 5); })"""


@pytest.mark.requirement("applications-063")
@pytest.mark.parametrize(("field", "form"), [("#word", "login"), ("#alone-here", "loosely")])
async def test_what_has_no_button_of_its_own_is_sent_by_enter_as_the_page_takes_it(
    visit: Open, bridge: BridgeDouble, field: str, form: str
) -> None:
    tab = await visit("forms.html")
    await tab.evaluate(BUTTONLESS)
    fields = [{"selector": "#user", "value": "ann"}, {"selector": field, "value": "x"}]
    refusal = await refused(bridge, "fill_form", fields=fields, submit=True)
    await tab.evaluate(f"(() => {{ {ON_ENTER} }})()")
    await do(bridge, "fill_form", fields=fields, submit=True)

    assert ("invalid_params", [0, 1]) == (refusal["code"], refusal["details"]["filled"])
    assert "Enter in its last field changed nothing" in refusal["message"]
    assert f"asked by {form}" == await tab.evaluate("by('seen').textContent")
    assert not await tab.evaluate("heard.some((one) => one.startsWith('submit'))"), "no form was sent past its page"


OUTER = """
document.body.insertAdjacentHTML('beforeend', '<form id=outer><my-field></my-field><button id=go>Go</button></form>');
by('outer').onsubmit = (event) => { event.preventDefault(); by('seen').textContent = 'sent outer'; }; 0"""


async def test_a_field_in_a_component_is_of_the_form_around_it(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("forms.html")
    await tab.evaluate(OUTER)
    await do(bridge, "fill_form", fields=[{"selector": "#outer my-field", "value": "x"}], submit=True)

    assert "sent outer" == await tab.evaluate("by('seen').textContent")
    assert await tab.evaluate("heard.includes('click go')")


async def test_a_form_in_nothing_is_not_sent(visit: Open, bridge: BridgeDouble) -> None:
    await visit("forms.html")
    error = await refused(bridge, "fill_form", fields=[{"selector": "#loose", "value": "x"}], submit=True)

    assert ("invalid_params", "submit", [0]) == (
        error["code"],
        error["details"]["parameter"],
        error["details"]["filled"],
    )


@pytest.mark.parametrize("busy_ms", [0, 500])  # of a page that is busy meanwhile, the next task comes after it was left
async def test_a_page_that_leaves_while_it_is_filled_is_not_filled_further(
    visit: Open, bridge: BridgeDouble, busy_ms: int
) -> None:
    tab = await visit("forms.html")
    await tab.evaluate(
        "by('country').onchange = () => { location.href = 'interact.html';"
        f" const begun = performance.now(); while (performance.now() - begun < {busy_ms}); }}; 0"
    )
    fields = [{"selector": "#country", "value": "Germany"}, {"selector": "#short", "value": "x"}]  # of the other page
    error = await refused(bridge, "fill_form", fields=fields)
    await tab.until("location.pathname === '/interact.html' && document.readyState === 'complete'")

    assert ("page_navigated", [0]) == (error["code"], error["details"]["filled"])
    assert "" == await tab.evaluate("by('short').value")


@pytest.mark.requirement("actions-025")
@pytest.mark.parametrize("selector", ["#vanishes", "#swaps"])
async def test_an_element_that_goes_away_when_it_is_pressed_counts_as_not_clicked(
    visit: Open, bridge: BridgeDouble, selector: str
) -> None:
    tab = await visit("forms.html")
    answer = await do(bridge, "click", selector=selector)

    assert answer["success"]
    assert answer["detached"]
    assert [] == await tab.evaluate("heard.filter((one) => one.startsWith('click'))")


TOLD = """(() => {
  const { sendMessage } = chrome.tabs;
  globalThis.told = [];
  chrome.tabs.sendMessage = (...given) => (told.push(given[1].name), sendMessage.apply(chrome.tabs, given));
  globalThis.untell = () => (chrome.tabs.sendMessage = sendMessage);
})()"""


@pytest.mark.requirement("fast-024")
async def test_a_click_is_two_messages_to_the_page_and_the_fields_of_a_form_are_one(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    await visit("forms.html")
    await do(bridge, "get_text", selector="body")  # brings the bundle of commands
    fields = [{"selector": "#name", "value": "Ada"}, {"selector": "#day", "value": "2026-01-31"}]
    worker = await chromium.service_worker()
    await worker.evaluate(TOLD)
    try:
        await do(bridge, "click", selector="#note")
        clicked = await worker.evaluate("told.splice(0)")
        await do(bridge, "fill_form", fields=fields)
        filled = await worker.evaluate("told.splice(0)")
    finally:
        await worker.evaluate("untell()")
        await worker.detach()

    beside = {"expect_dialogs", "late_changes"}  # to each frame, and of the action before
    steps = [list(dict.fromkeys(one for one in each if one not in beside)) for each in (clicked, filled)]
    assert [["perform", "rest"], ["fill_fields", "rest"]] == steps
    assert (1, 1) == (clicked.count("perform"), filled.count("fill_fields"))
