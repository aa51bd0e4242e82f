"""What an action does in a window that has not the focus, and what a key does that a script presses."""

import json
from collections.abc import AsyncIterator

import pytest

from browser.bridge_double import BridgeDouble, Message
from browser.scene import Open
from gasoline_bridge.devtools import Browser, Tab

pytestmark = pytest.mark.usefixtures("acting")


@pytest.fixture
async def behind(chromium: Browser, visit: Open) -> AsyncIterator[Tab]:
    """Open the page, with the user at work in another program: it is visible, and its window has not the focus."""
    tab = await visit("focus.html")
    await focus_windows(chromium, on=False)
    assert await tab.evaluate("[document.hasFocus(), document.visibilityState]") == [False, "visible"]
    yield tab
    await focus_windows(chromium, on=True)


async def focus_windows(browser: Browser, *, on: bool) -> None:
    worker = await browser.service_worker()
    await worker.evaluate(
        "chrome.windows.getAll().then((all) => Promise.all(all.map(({ id }) =>"
        f" chrome.windows.update(id, {{ focused: {json.dumps(on)} }}))))"
    )
    await worker.detach()


async def act(bridge: BridgeDouble, action: str, **arguments: object) -> Message:
    done: Message = await bridge.result("interact", action=action, **arguments)
    return done


async def press(bridge: BridgeDouble, key: str, selector: str | None = None, **more: object) -> Message:
    return await act(bridge, "key_press", key=key, **({"selector": selector} if selector else {}), **more)


async def seen(tab: Tab, what: str = "seen") -> list[str]:
    """Give what the page's listeners noted, and forget it."""
    noted: list[str] = await tab.evaluate(f"{what}.splice(0)")
    return noted


@pytest.mark.requirement("applications-001")
async def test_a_field_is_entered_and_left_in_a_window_without_the_focus(behind: Tab, bridge: BridgeDouble) -> None:
    await act(bridge, "type", selector="#mail", text="ann@example.org")
    entered = await seen(behind)

    await act(bridge, "click", selector="#save")

    assert entered == ["focus mail", "focusin mail"]
    assert await seen(behind) == ["blur mail", "focusout mail", "focus save", "focusin save"]


@pytest.mark.requirement("applications-002")
async def test_a_press_beside_a_field_leaves_it(behind: Tab, bridge: BridgeDouble) -> None:
    await act(bridge, "focus", selector="#mail")
    await seen(behind)

    await act(bridge, "click", selector="#plain")

    assert await seen(behind) == ["blur mail", "focusout mail"]


@pytest.mark.requirement("applications-002")
async def test_an_event_that_chrome_sends_while_the_window_loses_the_focus_is_not_sent_twice(
    chromium: Browser, visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("focus.html")
    worker = await chromium.service_worker()
    await worker.evaluate(  # as between Chrome's two messages: the window is not active, and its events still come
        "chrome.tabs.query({ active: true, lastFocusedWindow: true }).then(([{ id }]) => chrome.scripting"
        ".executeScript({ target: { tabId: id }, func: () => { Document.prototype.hasFocus = () => false } }))"
    )
    await worker.detach()
    assert await tab.evaluate("document.hasFocus()")

    await act(bridge, "focus", selector="#mail")
    entered = await seen(tab)
    await act(bridge, "click", selector="#plain")

    assert entered == ["focus mail", "focusin mail"]
    assert await seen(tab) == ["blur mail", "focusout mail"]


@pytest.mark.requirement("applications-001")
@pytest.mark.parametrize("trusted", [False, True])
async def test_a_slider_whose_track_alone_takes_the_focus_gets_its_keys(
    visit: Open, bridge: BridgeDouble, *, trusted: bool
) -> None:
    tab = await visit("focus.html")
    await press(bridge, "ArrowRight", "label=Loudness", trusted=trusted)
    pressed = await tab.evaluate("[loudness.getAttribute('aria-valuenow'), document.activeElement.id]")
    await act(bridge, "focus", selector="[aria-label=Two]")
    among_two = await tab.evaluate("document.activeElement.id")
    await act(bridge, "focus", selector="label=Loudness")

    assert ["11", "track"] == pressed
    assert "one" != among_two  # it could as well be the other
    assert "track" == await tab.evaluate("document.activeElement.id")


@pytest.mark.requirement("applications-002")
async def test_what_the_page_itself_gives_the_focus_hears_of_it(behind: Tab, bridge: BridgeDouble) -> None:
    await behind.evaluate("save.onclick = () => setTimeout(() => query.focus(), 20)")

    await act(bridge, "click", selector="#save")

    assert (await seen(behind))[-4:] == ["blur save", "focusout save", "focus query", "focusin query"]


@pytest.mark.requirement("applications-001")
async def test_a_focus_that_the_page_moves_in_an_event_is_heard_of_before_the_next(
    behind: Tab, bridge: BridgeDouble
) -> None:
    await behind.evaluate(
        "save.onmouseover = () => query.focus(),"
        " save.addEventListener('mousedown', (event) => (event.preventDefault(), seen.push('mousedown')))"
    )

    await act(bridge, "click", selector="#save")

    assert await seen(behind) == ["focus query", "focusin query", "mousedown"]


@pytest.mark.requirement("applications-001")
async def test_in_a_window_with_the_focus_each_event_comes_once(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("focus.html")
    assert await tab.evaluate("document.hasFocus()")

    await act(bridge, "type", selector="#mail", text="ann")
    await act(bridge, "click", selector="#plain")

    assert await seen(tab) == ["focus mail", "focusin mail", "blur mail", "focusout mail"]


@pytest.mark.parametrize("trusted", [False, True])
async def test_a_real_press_enters_a_field_too(behind: Tab, bridge: BridgeDouble, *, trusted: bool) -> None:
    await act(bridge, "type", selector="#mail", text="ann", trusted=trusted)

    assert (await seen(behind))[:2] == ["focus mail", "focusin mail"]
    assert await behind.evaluate("mail.value") == "ann"


@pytest.mark.requirement("applications-003")
async def test_tab_moves_the_focus_forth_and_back(behind: Tab, bridge: BridgeDouble) -> None:
    stops = []
    await press(bridge, "Tab", "#name")
    for key in ("Tab", "Tab", "Tab", "Shift+Tab"):
        await press(bridge, key)
        stops.append(await behind.evaluate("document.activeElement.id"))

    assert stops == ["size", "ship", "count", "ship"]
    assert {"blur name", "focus mail"} <= set(await seen(behind))


@pytest.mark.requirement("applications-003")
async def test_all_is_selected_and_deleted(behind: Tab, bridge: BridgeDouble) -> None:
    await press(bridge, "Control+a", "#name")
    await press(bridge, "Delete")

    assert await behind.evaluate("document.querySelector('#name').value") == ""


@pytest.mark.parametrize(
    ("field", "keys", "value"),
    [
        ("size", ("ArrowDown",), "large"),  # past one that is disabled
        ("size", ("End",), "other"),
        ("size", ("l",), "large"),
        ("count", ("ArrowUp", "ArrowUp", "ArrowDown"), "2"),
        ("name", ("Home", "X"), "XAnn"),
        ("name", ("End", "ArrowLeft", "Backspace"), "An"),
        ("name", ("End", "Control+Backspace"), ""),
        ("notes", ("a", "Enter", "b"), "a\nb"),
    ],
)
async def test_a_key_does_in_a_field_what_chrome_does(
    behind: Tab, bridge: BridgeDouble, field: str, keys: tuple[str, ...], value: str
) -> None:
    for key in keys:
        await press(bridge, key, f"#{field}" if key == keys[0] else None)

    assert await behind.evaluate(f"document.querySelector('#{field}').value") == value
    changes = await seen(behind, "pressed")
    assert f"input {field}" in changes


@pytest.mark.requirement("applications-003")
async def test_an_arrow_chooses_the_next_radio_button(behind: Tab, bridge: BridgeDouble) -> None:
    await press(bridge, "ArrowDown", "#ship")

    assert await behind.evaluate("[document.activeElement.id, pickup.checked]") == ["pickup", True]


@pytest.mark.parametrize(("field", "form"), [("mail", "form"), ("query", "single")])
async def test_enter_submits_a_form_with_a_button_and_one_with_a_single_field(
    behind: Tab, bridge: BridgeDouble, field: str, form: str
) -> None:
    await press(bridge, "Enter", f"#{field}")

    assert f"submit {form}" in await seen(behind, "pressed")


@pytest.mark.requirement("applications-003")
async def test_enter_does_not_submit_several_fields_without_a_button(behind: Tab, bridge: BridgeDouble) -> None:
    await behind.evaluate("save.remove()")

    await bridge.error("interact", action="key_press", key="Enter", selector="#mail")

    assert "submit form" not in await seen(behind, "pressed")


@pytest.mark.requirement("applications-005")
async def test_a_page_that_listens_to_keys_alone_hears_of_a_text(behind: Tab, bridge: BridgeDouble) -> None:
    await act(bridge, "type", selector="#query", text="tea")

    assert await behind.evaluate("searched.textContent") == "Found tea"
    assert await seen(behind, "pressed") == ["keydown a", "input query", "keyup a", "change query"]


@pytest.mark.requirement("applications-005")
async def test_keys_types_key_by_key(behind: Tab, bridge: BridgeDouble) -> None:
    await act(bridge, "type", selector="#name", text="No", keys=True)

    assert await behind.evaluate("document.querySelector('#name').value") == "No"
    pressed = await seen(behind, "pressed")
    assert [one for one in pressed if one.startswith("key")] == ["keydown N", "keyup N", "keydown o", "keyup o"]
    assert pressed[-1] == "change name"


@pytest.mark.requirement("applications-004")
@pytest.mark.parametrize(("key", "selector"), [("Control+c", "#name"), ("ArrowUp", "#day"), ("Alt+ArrowDown", "#size")])
async def test_what_only_a_real_key_does_is_no_success(
    behind: Tab, bridge: BridgeDouble, key: str, selector: str
) -> None:
    error = await bridge.error("interact", action="key_press", key=key, selector=selector)

    assert (error["code"], error["recovery"]) == ("needs_trusted", "Call again with trusted:true.")
    assert await behind.evaluate("document.querySelector('#day').value") == "2026-01-31"


@pytest.mark.requirement("applications-004")
async def test_a_shortcut_that_asks_for_the_focus_takes_a_real_key(behind: Tab, bridge: BridgeDouble) -> None:
    await behind.evaluate(
        "document.addEventListener('keydown', ({ key }) => {"
        " if (key === 'b' && document.querySelector('#plain:focus')) searched.textContent = 'Added.' })"
    )
    await behind.evaluate("plain.tabIndex = 0")
    await behind.evaluate(
        "document.addEventListener('keydown', () =>"
        " { plain.title = 1; setTimeout(() => plain.removeAttribute('title')) })"
    )  # what is as it was is no change
    await act(bridge, "focus", selector="#plain")

    error = await bridge.error("interact", action="key_press", key="b")
    await press(bridge, "b", trusted=True)

    assert ("needs_trusted", "Added.") == (error["code"], await behind.evaluate("searched.textContent"))


@pytest.mark.requirement("applications-057")
async def test_a_key_that_what_has_the_focus_in_an_element_does_not_take_names_the_way_out(
    behind: Tab, bridge: BridgeDouble
) -> None:
    await behind.evaluate(
        "form.tabIndex = 0; form.addEventListener('focus', () => document.addEventListener('keydown',"
        " ({ key }) => { if (key === 'Escape') searched.textContent = 'Closed.' })); save.focus(); 0"
    )

    error = await bridge.error("interact", action="key_press", key="Escape", selector="#form")
    await act(bridge, "focus", selector="#form")
    await press(bridge, "Escape")

    assert ("focus_elsewhere", "#save") == (error["code"], error["details"]["focus"])
    assert "Closed." == await behind.evaluate("searched.textContent")


@pytest.mark.requirement("applications-004")
@pytest.mark.parametrize(
    ("key", "code", "number"), [("+", "Equal", 187), ("/", "Slash", 191), ("!", "Digit1", 49), ("b", "KeyB", 66)]
)
async def test_a_sign_has_the_code_of_its_key(
    behind: Tab, bridge: BridgeDouble, key: str, code: str, number: int
) -> None:
    await behind.evaluate(
        "document.addEventListener('keydown', ({ code, keyCode }) => (searched.textContent = `${code} ${keyCode}`))"
    )

    await press(bridge, key)

    assert f"{code} {number}" == await behind.evaluate("searched.textContent")


@pytest.mark.requirement("applications-004")
async def test_a_key_that_the_page_takes_is_no_error(behind: Tab, bridge: BridgeDouble) -> None:
    await behind.evaluate(
        "document.addEventListener('keydown', ({ key }) => key === 'c' && (plain.textContent = 'Copied.'))"
    )

    assert (await press(bridge, "Control+c", "#name"))["success"]


@pytest.mark.requirement("applications-003")
async def test_page_down_scrolls(behind: Tab, bridge: BridgeDouble) -> None:
    await behind.evaluate("plain.style.height = '4000px'")

    await press(bridge, "PageDown")

    assert await behind.evaluate("scrollY") > 300


SEARCH = """
(() => {
  const search = Object.assign(document.createElement('input'), { id: 'search' });
  let isFocused = false;
  search.onfocus = () => queueMicrotask(() => { isFocused = true; });
  search.onmousedown = () => { search.dataset.opens = isFocused; };
  document.body.prepend(search);
  search.focus();
})()
"""
"""As kits of components do: the state that the focus changes is drawn before the next event."""


@pytest.mark.requirement("applications-001")
async def test_a_page_that_had_the_focus_in_a_field_has_drawn_that_before_the_press(
    behind: Tab, bridge: BridgeDouble
) -> None:
    await behind.evaluate(SEARCH)

    await act(bridge, "click", selector="#search")

    assert "true" == await behind.evaluate("search.dataset.opens")


BEHIND = """
(() => {
  const button = Object.assign(document.createElement('button'), { id: 'opener', textContent: 'Open' });
  document.body.prepend(button);
  button.focus();
  document.body.insertAdjacentHTML('beforeend', `<div role=dialog aria-modal=true aria-label=Ask
    style="position: fixed; inset: 0; background: white">Really?</div>`);
  addEventListener('keydown', ({ key }) => key === 'Escape' && document.querySelector('[role=dialog]').remove());
})()
"""


@pytest.mark.requirement("applications-057")
async def test_a_key_that_names_no_element_goes_to_the_focus_behind_a_dialog(behind: Tab, bridge: BridgeDouble) -> None:
    await behind.evaluate(BEHIND)

    await press(bridge, "Escape")

    assert await behind.evaluate("document.querySelector('[role=dialog]') === null")
