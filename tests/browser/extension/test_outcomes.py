"""What a reply describes of what came of an action: messages, refused fields, dialogs, addresses, values."""

import base64
import json
from typing import Any

import pytest

from browser.bridge_double import BridgeDouble, Message
from browser.scene import Open

pytestmark = pytest.mark.usefixtures("acting")

ALWAYS = {"success", "action", "effect", "measured", "settled"}


async def came_of(bridge: BridgeDouble, action: str, selector: str, **arguments: Any) -> Message:
    """Act, and give what the reply has beside what each has."""
    done: Message = await bridge.result("interact", action=action, selector=selector, **arguments)
    assert done["success"]
    return {name: value for name, value in done.items() if name not in ALWAYS}


@pytest.mark.requirement("applications-006")
async def test_a_message_that_appears_is_in_the_reply(visit: Open, bridge: BridgeDouble) -> None:
    await visit("outcomes.html")

    assert {"messages": ["Saved as draft 4."]} == await came_of(bridge, "click", "#flash")


@pytest.mark.requirement("applications-006")
async def test_a_refused_field_is_named_with_its_message(visit: Open, bridge: BridgeDouble) -> None:
    await visit("outcomes.html")

    checked = await came_of(bridge, "click", "#check")

    assert {"messages": ["One field is wrong."], "invalid": ["Mail: No such mailbox."]} == checked


@pytest.mark.requirement("applications-006")
async def test_a_form_that_the_browser_does_not_send_names_its_fields(visit: Open, bridge: BridgeDouble) -> None:
    await visit("outcomes.html")

    sent = await came_of(bridge, "click", "#send")

    assert ["Name: Please fill out this field.", "Mail: Please fill out this field."] == sent["invalid"]
    assert "navigated" not in sent


@pytest.mark.requirement("applications-053")
async def test_a_field_that_a_page_only_asks_about_is_not_refused(visit: Open, bridge: BridgeDouble) -> None:
    await visit("outcomes.html")

    assert {} == await came_of(bridge, "click", "#probe")


@pytest.mark.requirement("applications-006")
@pytest.mark.parametrize(
    ("action", "selector", "arguments", "came"),
    [
        ("type", "#name", {"text": "Ann"}, {"value": "Ann"}),
        ("type", "#secret", {"text": "hunter2"}, {"value": "[REDACTED]"}),
        ("select", "#size", {"value": "large"}, {"value": "large"}),
        ("check", "#gift", {}, {"checked": True}),
        ("click", "#gift", {}, {"checked": True}),
        ("key_press", "#name", {"key": "x"}, {"value": "x"}),
        ("key_press", "#name", {"key": "Tab"}, {"value": "", "focus": "Mail"}),
    ],
)
async def test_a_reply_has_what_the_field_holds_now(
    visit: Open, bridge: BridgeDouble, action: str, selector: str, arguments: Message, came: Message
) -> None:
    await visit("outcomes.html")

    assert came == await came_of(bridge, action, selector, **arguments)


@pytest.mark.requirement("applications-006")
async def test_a_chosen_file_is_named(visit: Open, bridge: BridgeDouble) -> None:
    await visit("outcomes.html")
    file = {"name": "cat.png", "type": "image/png", "modified_ms": 0, "data": base64.b64encode(b"cat").decode()}

    assert {"value": "cat.png", "files": 1} == await came_of(bridge, "upload", "#picture", files=[file])


@pytest.mark.requirement("applications-006")
async def test_a_dialog_that_opened_is_named(visit: Open, bridge: BridgeDouble) -> None:
    await visit("outcomes.html")

    assert {"opened": "Delete the order?"} == await came_of(bridge, "click", "#ask")


@pytest.mark.requirement("applications-006")
async def test_a_dialog_without_a_text_is_no_news_where_there_is_a_text(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("outcomes.html")
    await tab.evaluate("globalThis.show = (html) => { at('toasts').innerHTML = html }; 0")
    came = []
    for text in ("", "<p>Canvas background</p>"):
        html = f"{text}<div role=dialog style='width: 9px; height: 9px'></div>"
        await tab.evaluate(f"at('toasts').textContent = ''; at('flash').onclick = () => show({json.dumps(html)}); 0")
        came.append(await came_of(bridge, "click", "#flash"))

    assert [{"opened": "dialog"}, {"messages": ["Canvas background"]}] == came


@pytest.mark.requirement("applications-006")
async def test_a_route_of_a_single_page_application_is_in_the_reply(
    visit: Open, bridge: BridgeDouble, pages: str
) -> None:
    await visit("outcomes.html")

    came = await came_of(bridge, "click", "#route")

    assert {"url": f"{pages}outcomes.html#/orders/7", "title": "Order 7"} == came


@pytest.mark.requirement("applications-007")
async def test_the_page_that_a_form_leads_to_is_described(visit: Open, bridge: BridgeDouble) -> None:
    await visit("outcomes.html")
    fields = [{"selector": "#name", "value": "Ann"}, {"selector": "#mail", "value": "ann@example.org"}]

    sent = await bridge.result("interact", action="fill_form", fields=fields, submit=True)

    assert (True, "Order saved") == (sent["navigated"], sent["title"])
    assert ["The order was saved.", "Error: The code is not known."] == sent["messages"]
    assert ["Code: Enter a code."] == sent["invalid"]


@pytest.mark.requirement("applications-007")
async def test_a_reply_waits_for_a_page_that_takes_its_time(visit: Open, bridge: BridgeDouble, pages: str) -> None:
    await visit("leads.html")

    late = await came_of(bridge, "click", "#late")

    assert {"navigated": True, "url": f"{pages}api/later?ms=1500&type=page"} == late
    assert late["url"] == (await bridge.result("get_page_info"))["url"]


@pytest.mark.requirement("applications-006")
async def test_more_refused_fields_than_are_named_are_counted(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("outcomes.html")
    await tab.evaluate(
        "document.querySelector('#order').prepend(...['a', 'b'].map((id) =>"
        " Object.assign(document.createElement('input'), { id, required: true }))); 0"
    )

    sent = await came_of(bridge, "click", "#send")

    assert (3, 4) == (len(sent["invalid"]), sent["invalid_count"])


@pytest.mark.requirement("applications-006")
async def test_what_was_announced_before_is_no_message_of_a_dialog_that_hides_the_page(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("outcomes.html")
    await tab.evaluate(
        "document.body.innerHTML = '<main><p aria-live=polite>1 to 5 of 100</p><p role=status id=news>None</p>"
        "<p class=error>Name is required</p>"
        "<button id=hide>Hide</button><button id=tell>Tell</button></main>';"
        "const main = document.querySelector('main');"
        "document.getElementById('hide').onclick = () => main.setAttribute('aria-hidden', 'true');"
        "document.getElementById('tell').onclick = () => {"
        " main.removeAttribute('aria-hidden'); document.getElementById('news').textContent = 'Told'; }; 0"
    )
    hidden, told = await came_of(bridge, "click", "#hide"), await came_of(bridge, "click", "#tell")

    assert ({}, {"messages": ["Told"]}) == (hidden, told)
