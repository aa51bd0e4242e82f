"""Draw Mode: a person draws on a page with mouse, keyboard and touch, and the assistant gets what was meant."""

from typing import Any

import pytest

from browser.bridge_double import BridgeDouble
from browser.drawing import (
    CTRL,
    DRAWING,
    annotate,
    around,
    click,
    drag,
    drag_by_finger,
    draw,
    ended,
    finish,
    start,
    write,
)
from browser.input import press
from browser.scene import Open
from gasoline_bridge.devtools import Browser

pytestmark = pytest.mark.usefixtures("acting", "fresh_tab")


ICON = """
  document.body.insertAdjacentHTML('beforeend', '<button id="icon" aria-label="Run this cell"'
    + ' style="position: fixed; left: 900px; top: 300px; width: 40px; height: 30px"></button>'); 0
"""


@pytest.mark.requirement(
    "004-001",
    "004-002",
    "004-007",
    "004-009",
    "004-013",
    "004-014",
    "004-015",
    "004-017",
    "004-020",
    "004-021",
    "004-022",
    "004-024",
    "004-025",
    "004-040",
    "004-042",
    "004-044",
    "004-048",
    "004-052",
    "004-054",
    "004-055",
    "004-056",
    "004-057",
    "004-058",
    "004-060",
    "004-075",
    "004-076",
    "004-077",
    "004-078",
    "004-137",
    "draw-002",
    "draw-007",
)
async def test_what_a_person_draws_and_types_reaches_the_server(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drawn.html")
    await tab.evaluate(ICON)

    begun = await start(bridge)
    again = await start(bridge)
    await annotate(tab, await around(tab, "buy"), "This button should be darker")
    await draw(tab, *await around(tab, "document.getElementById('title')"))
    await write(tab, "Larger")
    await press(tab, "Escape")
    await annotate(tab, await around(tab, "icon"), "What is this?")
    await press(tab, "Escape")
    event = await ended(bridge, begun)

    assert ("pending", "already_active") == (begun["status"], again["status"])
    assert begun["correlation_id"] == event["id"]
    texts: list[Any] = [(one["text"], one["element_summary"], one["selector"]) for one in event["annotations"]]
    assert [
        ("This button should be darker", "button.btn-primary 'Buy now'", "#buy"),
        ("Larger", "h1 'Checkout'", "#title"),
        ("What is this?", "button 'Run this cell'", "#icon"),  # by its name: it has no text
    ] == texts


@pytest.mark.requirement("004-018", "004-019", "004-100", "004-185", "draw-005")
async def test_what_is_meant_is_named_in_shadow_roots_and_frames_and_never_the_body(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("drawn.html")
    inner = "document.getElementById('shadowed').shadowRoot.getElementById('inner')"
    frame = await tab.evaluate("(({ x, y }) => [x, y])(document.getElementById('frame').getBoundingClientRect())")
    places = [
        await around(tab, "sum"),
        await around(tab, "secret"),
        await around(tab, "card"),
        await around(tab, inner),
        (frame[0] + 18, frame[1] + 18, 128, 48),
        (760.0, 300.0, 60.0, 40.0),
    ]
    begun = await start(bridge)
    for place in places:
        await annotate(tab, place, "here")
    event = await finish(tab, bridge, begun)

    named = [(one["selector"], one["element_summary"]) for one in event["annotations"]]
    assert ["#sum", "#secret", "#card", "#shadowed >>> #inner", "#frame >>> #framed"] == [name for name, _ in named][:5]
    assert ("#secret", "input") == named[1]
    assert "body" not in named[5][1]
    assert "hunter2" not in str(event)


@pytest.mark.parametrize("margin", [1, 4, 8])
async def test_what_is_worked_with_or_said_is_meant_and_not_the_box_around_it(
    visit: Open, bridge: BridgeDouble, margin: float
) -> None:
    tab = await visit("drawn.html")
    places = [await around(tab, name, margin) for name in ("link", "named", "buy", "sum", "card")]
    begun = await start(bridge)
    for place in places:
        await annotate(tab, place, "here")
    event = await finish(tab, bridge, begun)

    assert ["#link", "#named", "#buy", "#sum", "#card"] == [one["selector"] for one in event["annotations"]]


@pytest.mark.requirement(
    "004-087",
    "004-088",
    "004-089",
    "004-090",
    "004-091",
    "004-092",
    "004-093",
    "004-094",
    "004-114",
    "004-120",
    "004-122",
    "004-123",
    "004-124",
    "draw-001",
)
async def test_each_transition_of_the_state_machine_and_none_besides(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drawn.html")
    buy = await around(tab, "buy")
    actions, clicked = len(bridge.events(type="action")), len(bridge.events(type="action", selector="#buy"))
    begun = await start(bridge)

    await draw(tab, buy[0], buy[1], 4, 40)  # too small: no field, and what is typed goes nowhere
    await write(tab, "lost")
    await draw(tab, *buy)
    await press(tab, "Enter")  # empty
    await draw(tab, *buy)
    await write(tab, "by blur")
    await draw(tab, *await around(tab, "title"))  # the press takes the focus from the field
    await write(tab, "by Escape")
    await press(tab, "Escape")
    await annotate(tab, await around(tab, "sum"), "undone")
    await press(tab, "z", CTRL)
    event = await finish(tab, bridge, begun)
    await tab.until(f"!({DRAWING})")
    await click(tab, buy.middle)
    await bridge.until_stored(clicked + 1, type="action", selector="#buy")

    assert ["#buy"] == [one["selector"] for one in bridge.events(type="action")[actions:]]  # the page's, and not ours
    assert ["by blur", "by Escape"] == [one["text"] for one in event["annotations"]]
    assert {"page_url", "id", "duration_ms"} <= event.keys()
    assert "warning" not in event


@pytest.mark.requirement("004-079", "004-081", "004-082", "004-109", "004-110", "draw-007", "004-184")
async def test_who_draws_nothing_ends_with_nothing_and_may_begin_again(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drawn.html")

    before = await tab.evaluate("document.body.outerHTML")
    begun = await start(bridge)
    drawing = await tab.evaluate(DRAWING)
    during = await tab.evaluate("document.body.outerHTML")
    first = await finish(tab, bridge, begun)
    second = await start(bridge)

    assert drawing
    assert before == during
    assert [] == first["annotations"]
    assert ("pending", 0) == (second["status"], second["annotation_count"])
    assert second["correlation_id"] != first["id"]


@pytest.mark.requirement("draw-003", "draw-004")
async def test_it_works_by_keyboard_alone_and_by_touch(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drawn.html")
    begun = await start(bridge)

    await press(tab, "ArrowDown")
    await press(tab, "ArrowDown")
    await press(tab, "Enter")
    await write(tab, "by key")
    await press(tab, "Enter")
    buy = await around(tab, "buy")
    await drag_by_finger(tab, buy[:2], buy.end)
    await write(tab, "by touch")
    await press(tab, "Enter")
    event = await finish(tab, bridge, begun)

    assert ["by key", "by touch"] == [one["text"] for one in event["annotations"]]
    assert "#buy" == event["annotations"][1]["selector"]


@pytest.mark.parametrize("page", ["strict-conformance.html", "trusted-conformance.html"])
@pytest.mark.requirement("004-095", "004-096", "004-097", "004-098", "draw-014")
async def test_no_policy_of_a_page_keeps_it_away(visit: Open, bridge: BridgeDouble, page: str) -> None:
    tab = await visit(page)
    begun = await start(bridge)

    await annotate(tab, (20, 20, 200, 80), "under a policy")
    event = await finish(tab, bridge, begun)

    assert ["under a policy"] == [one["text"] for one in event["annotations"]]


@pytest.mark.requirement("004-070", "004-072", "004-073", "draw-006")
async def test_a_page_that_is_left_gives_what_was_drawn_by_then(visit: Open, bridge: BridgeDouble, pages: str) -> None:
    tab = await visit("drawn.html")
    begun = await start(bridge)
    await annotate(tab, await around(tab, "buy"), "before I go")
    await draw(tab, *await around(tab, "title"))
    await write(tab, "in the midst")

    await tab.navigate(f"{pages}small.html")
    event = await ended(bridge, begun)

    assert "page_navigated" == event["warning"]
    assert ["before I go", "in the midst"] == [one["text"] for one in event["annotations"]]
    assert "drawn.html" in event["page_url"]


@pytest.mark.requirement("draw-006")
async def test_a_page_ends_no_session_by_an_event_of_its_own_and_comes_back_without_the_overlay(
    visit: Open, bridge: BridgeDouble, pages: str
) -> None:
    tab = await visit("drawn.html")
    await tab.evaluate("addEventListener('pageshow', ({ persisted }) => { globalThis.back = persisted; }); 0")
    begun = await start(bridge)
    await tab.evaluate("dispatchEvent(new Event('pagehide')); 0")
    await annotate(tab, await around(tab, "buy"), "after the forged event")
    await tab.navigate(f"{pages}small.html")
    event = await ended(bridge, begun)
    await tab.evaluate("history.back(); 0")
    await tab.until("globalThis.back === true")
    drawing = await tab.evaluate(DRAWING)
    again = await start(bridge)
    await finish(tab, bridge, again)

    assert ["after the forged event"] == [one["text"] for one in event["annotations"]]
    assert not drawing
    assert ("pending", 0) == (again["status"], again["annotation_count"])


@pytest.mark.requirement("004-069", "004-071", "draw-006")
async def test_a_session_outlives_the_service_worker(visit: Open, bridge: BridgeDouble, chromium: Browser) -> None:
    tab = await visit("drawn.html")
    begun = await start(bridge)
    await annotate(tab, await around(tab, "buy"), "before")

    await chromium.stop_service_worker()
    await annotate(tab, await around(tab, "title"), "after")
    event = await finish(tab, bridge, begun)

    assert ["before", "after"] == [one["text"] for one in event["annotations"]]


LOSES_THE_FIRST = """
  chrome.scripting.executeScript({ target: { tabId: %d }, func: () => {
    const send = chrome.runtime.sendMessage;
    let lost = 0;
    chrome.runtime.sendMessage = (message) =>
      message.name === 'draw_finished' && !lost++
        ? Promise.reject(new Error('The message port closed.'))
        : send.call(chrome.runtime, message);
  } }).then(() => 0)
"""


@pytest.mark.requirement("draw-006")
async def test_an_end_that_was_lost_with_its_worker_is_sent_again(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    tab = await visit("drawn.html")
    number = next(one["id"] for one in (await bridge.result("list_tabs"))["tabs"] if one["active"])
    begun = await start(bridge)
    await annotate(tab, await around(tab, "buy"), "not lost")
    worker = await chromium.service_worker()
    await worker.evaluate(LOSES_THE_FIRST % number)
    await worker.detach()
    event = await finish(tab, bridge, begun)

    assert ["not lost"] == [one["text"] for one in event["annotations"]]
    assert "warning" not in event


@pytest.mark.requirement("draw-014", "004-192")
async def test_it_is_above_a_dialog_of_the_page_and_names_what_is_in_it(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drawn.html")
    await tab.evaluate("""
      document.body.insertAdjacentHTML('beforeend', '<dialog id="modal"><button id="ok">Confirm it</button></dialog>');
      modal.showModal()
    """)
    begun = await start(bridge)
    await annotate(tab, await around(tab, "ok"), "in front")
    event = await finish(tab, bridge, begun)

    assert ["#ok"] == [one["selector"] for one in event["annotations"]]
    assert await tab.evaluate("modal.open")


@pytest.mark.requirement("draw-011")
async def test_what_was_drawn_stays_on_its_element_while_the_page_scrolls(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drawn.html")
    begun = await start(bridge)
    await annotate(tab, await around(tab, "buy"), "at the top")
    await tab.send("Input.dispatchMouseEvent", type="mouseWheel", x=300, y=300, deltaX=0, deltaY=900)
    await tab.until("scrollY > 600")
    await tab.evaluate("scrollTo(0, document.body.scrollHeight); 0")
    await annotate(tab, await around(tab, "far"), "at the end")
    event = await finish(tab, bridge, begun)

    assert ["#buy", "#far"] == [one["selector"] for one in event["annotations"]]


@pytest.mark.requirement("004-041", "004-113", "004-119", "draw-002")
async def test_the_popup_and_the_shortcut_begin_it(visit: Open, bridge: BridgeDouble, chromium: Browser) -> None:
    tab = await visit("drawn.html")
    number = next(one["id"] for one in (await bridge.result("list_tabs"))["tabs"] if one["active"])
    before = len(bridge.events(type="drawing", phase="begun"))
    popup = await chromium.popup(f"popup/popup.html?tab={number}")
    await popup.until("!document.getElementById('draw').disabled")
    await popup.evaluate("document.getElementById('draw').click(); 0")
    await tab.until(DRAWING)
    by_popup = (await bridge.until_stored(before + 1, type="drawing", phase="begun"))[-1]
    await tab.activate()
    await press(tab, "Escape")
    await ended(bridge, {"correlation_id": by_popup["id"]})

    worker = await chromium.service_worker()
    await worker.evaluate(f"chrome.commands.onCommand.dispatch('draw-mode', {{ id: {number} }}); 0")
    await worker.detach()
    await tab.until(DRAWING)

    by_key = (await bridge.until_stored(before + 2, type="drawing", phase="begun"))[-1]
    worker = await chromium.service_worker()
    await worker.evaluate(f"chrome.commands.onCommand.dispatch('draw-mode', {{ id: {number} }}); 0")
    await worker.detach()
    event = await ended(bridge, {"correlation_id": by_key["id"]})
    await tab.until(f"!({DRAWING})")

    assert [number, number] == [by_popup["tab"], by_key["tab"]]
    assert "correlation_id" not in by_popup
    assert "warning" not in event  # the shortcut ends what it has begun, as Escape does


ALARM = "(all) => all.find(({ name }) => name.startsWith('draw:'))"


@pytest.mark.requirement("draw-008")
async def test_a_session_that_is_forgotten_ends_with_what_it_has_and_work_puts_the_end_off(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    tab = await visit("drawn.html")
    begun = await start(bridge)
    worker = await chromium.service_worker()
    name = await worker.evaluate(f"chrome.alarms.getAll().then({ALARM}).then(({{ name }}) => name)")
    await worker.evaluate(f"chrome.alarms.create('{name}', {{ delayInMinutes: 60 }})")
    await press(tab, "r")
    (worked,) = await bridge.until_stored(type="drawing", phase="drawn", id=begun["correlation_id"])
    await worker.until(f"chrome.alarms.getAll().then({ALARM}).then((one) => one.scheduledTime < Date.now() + 360_000)")
    await annotate(tab, await around(tab, "buy"), "and then lunch")
    await draw(tab, *await around(tab, "title"))
    await write(tab, "in the midst")
    await worker.evaluate(f"chrome.alarms.onAlarm.dispatch({{ name: '{name}' }}); 0")
    await worker.detach()
    event = await ended(bridge, begun)
    await tab.until(f"!({DRAWING})")

    assert [] == worked["annotations"]  # the journal counts the five minutes from it, too
    assert ("draw_mode_timeout", ["and then lunch", "in the midst"]) == (
        event["warning"],
        [one["text"] for one in event["annotations"]],
    )


@pytest.mark.requirement("004-034", "004-035", "004-036", "004-062", "004-063", "004-064", "004-172", "004-183")
async def test_the_detail_of_an_annotation_is_of_its_element_as_it_is_now(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drawn.html")
    detail = await bridge.result("annotation_detail", selector="#buy")
    secret = await bridge.result("annotation_detail", selector="#secret")
    inner = await bridge.result("annotation_detail", selector="#shadowed >>> #inner")
    await tab.evaluate("buy.remove()")
    gone = await bridge.error("annotation_detail", selector="#buy")

    assert ("button", "buy", ["btn-primary"], "Buy now") == (
        detail["tag"],
        detail["id"],
        detail["classes"],
        detail["text_content"],
    )
    assert ("button", "Buy now", "#card") == (detail["role"], detail["name"], detail["parent_selector"])
    assert ("rgb(59, 130, 246)", "8px 16px") == (
        detail["computed_styles"]["background-color"],
        detail["computed_styles"]["padding"],
    )
    assert {"x", "y", "width", "height"} == detail["bounding_rect"].keys()
    assert "button.btn-primary 'Buy now'" == detail["element_summary"]
    assert "hunter2" not in str(secret)
    assert "In a shadow" == inner["text_content"]
    assert "element_not_found" == gone["code"]


REACT = """
  const load = (name) => new Promise((done) => {
    const script = document.createElement('script');
    script.onload = done;
    script.src = name;
    document.head.append(script);
  });
  (async () => {
    await load('react.js');
    await load('react-dom.js');
    const CheckoutButton = () => React.createElement('button', { id: 'made' }, 'Pay');
    const place = document.createElement('div');
    place.style.margin = '40px';
    document.body.prepend(place);
    ReactDOM.createRoot(place).render(React.createElement(CheckoutButton));
    while (!document.getElementById('made')) await new Promise(requestAnimationFrame);
  })()
"""


async def test_the_detail_names_the_component_of_a_framework(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drawn.html")
    await tab.evaluate(REACT)

    assert "CheckoutButton" == (await bridge.result("annotation_detail", selector="#made"))["component"]
    assert "component" not in await bridge.result("annotation_detail", selector="#buy")


@pytest.mark.requirement("draw-007")
async def test_a_page_that_has_no_place_for_the_overlay_gets_it_once_it_has_one(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("drawn.html")
    await tab.evaluate("globalThis.taken = document.documentElement; taken.remove()")
    refused = await bridge.error("interact", action="draw_mode_start")
    await tab.evaluate("document.append(taken)")
    begun = await start(bridge)
    await annotate(tab, await around(tab, "buy"), "now")
    event = await finish(tab, bridge, begun)

    assert "outcome_unknown" == refused["code"]
    assert ("pending", ["now"]) == (begun["status"], [one["text"] for one in event["annotations"]])


@pytest.mark.requirement("draw-014", "draw-007")
async def test_a_page_that_throws_the_overlay_away_gets_it_again_with_what_was_drawn(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("drawn.html")
    begun = await start(bridge)
    await annotate(tab, await around(tab, "buy"), "kept")
    await tab.evaluate("document.documentElement.lastElementChild.remove()")
    gone = await tab.evaluate(DRAWING)

    again = await start(bridge)
    await annotate(tab, await around(tab, "title"), "and this")
    event = await finish(tab, bridge, begun)

    assert not gone
    assert ("already_active", 1) == (again["status"], again["annotation_count"])
    assert ["kept", "and this"] == [one["text"] for one in event["annotations"]]


async def test_it_works_on_a_page_that_is_no_secure_context(visit: Open, bridge: BridgeDouble, pages: str) -> None:
    tab = await visit("drawn.html")
    await tab.navigate(f"{pages}drawn.html".replace("127.0.0.1", "0.0.0.0"))  # noqa: S104 - a name of this machine that Chrome does not trust
    secure = await tab.evaluate("new Promise((done) => requestAnimationFrame(() => done(isSecureContext)))")
    begun = await start(bridge)
    await annotate(tab, await around(tab, "buy"), "darker")
    event = await finish(tab, bridge, begun)

    assert not secure
    assert [("#buy", "darker")] == [(one["selector"], one["text"]) for one in event["annotations"]]


async def test_no_secret_leaves_by_what_is_around_it(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drawn.html")
    await tab.evaluate(
        "secret.type = 'text'; card.insertAdjacentHTML('beforeend',"
        " '<textarea id=note>n</textarea><textarea id=phrase name=secret_phrase>apple banana</textarea>'); 0"
    )
    begun = await start(bridge)
    for element in ("note", "card", "secret"):
        await annotate(tab, await around(tab, element), element)
    event = await finish(tab, bridge, begun)
    details = [await bridge.result("annotation_detail", selector=one) for one in ("#secret", "#card", "#phrase")]

    assert ["#note", "#card", "#secret"] == [one["selector"] for one in event["annotations"]]
    assert "apple" not in str(event) + str(details)
    assert "hunter2" not in str(event) + str(details)


LAYER = """
document.body.insertAdjacentHTML('beforeend',
  `<div role=%s style="position: fixed; left: 30px; top: 120px; width: 500px; height: 300px; background: #fff">
    <div id=entry style="width: 260px; height: 120px; padding: 60px">An item</div></div>`);
0
"""
"""Over the button, and more."""


@pytest.mark.parametrize("role", ["menu", "dialog"])
async def test_what_lies_hidden_is_not_meant(visit: Open, bridge: BridgeDouble, role: str) -> None:
    tab = await visit("drawn.html")
    await tab.evaluate(LAYER % role)
    begun = await start(bridge)
    await annotate(tab, await around(tab, "entry"), "around")
    await press(tab, "a")
    await drag(tab, (700, 500), (380, 225))
    await write(tab, "at")
    await press(tab, "Enter")
    event = await finish(tab, bridge, begun)

    assert ["#entry", "#entry"] == [one["selector"] for one in event["annotations"]]
