"""Real input: what only a person's hands can do, an assistant can, with the same checks as without."""

from typing import Any

import pytest

from browser import input as user_input
from browser.bridge_double import BridgeDouble
from browser.scene import Open
from gasoline_bridge.devtools import Browser, Tab, until

pytestmark = pytest.mark.usefixtures("acting")


async def do(bridge: BridgeDouble, action: str, selector: str | None = None, **more: Any) -> dict[str, Any]:
    target = {} if selector is None else {"selector": selector}
    answer: dict[str, Any] = await bridge.result("interact", action=action, trusted=True, **target, **more)
    return answer


async def refused(bridge: BridgeDouble, action: str, selector: str, **more: Any) -> dict[str, Any]:
    return await bridge.error("interact", action=action, trusted=True, selector=selector, **more)


async def told(tab: Tab) -> Any:
    return await tab.evaluate("told")


@pytest.mark.requirement("actions-012")
@pytest.mark.parametrize("selector", ["#tells", "#down", "iframe >>> #inner"])
async def test_a_trusted_click_is_a_person_s(visit: Open, bridge: BridgeDouble, selector: str) -> None:
    tab = await visit("hands.html")
    answer = await do(bridge, "click", selector)

    assert await told(tab) == [["click", True, True]]
    assert answer["success"]
    assert answer["measured"]["timing"]["end"] >= answer["measured"]["timing"]["start"]


@pytest.mark.requirement("actions-012")
@pytest.mark.parametrize(
    ("action", "selector", "more", "expected"),
    [
        ("click", "#tells", {}, ["click", True, True]),
        ("drag", "#card", {"to": "#slot"}, ["dropped", "the card", True]),
        ("drag", "#knob", {"to": "#rich"}, ["moved", True]),
    ],
)
async def test_a_press_that_would_miss_is_kept_from_the_page_and_sent_again(
    visit: Open, bridge: BridgeDouble, action: str, selector: str, more: dict[str, Any], expected: list[Any]
) -> None:
    tab = await visit("hands.html")
    await tab.evaluate("slideIn(1)")
    await do(bridge, action, selector, **more)

    assert await told(tab) == [expected]


@pytest.mark.requirement("actions-012")
@pytest.mark.parametrize(("action", "more"), [("click", {}), ("type", {"text": "a"}), ("drag", {"to": "#slot"})])
async def test_a_press_on_what_moves_on_and_on_is_an_error_and_the_page_gets_none(
    visit: Open, bridge: BridgeDouble, action: str, more: dict[str, Any]
) -> None:
    tab = await visit("hands.html")
    await tab.evaluate("slideIn(9)")
    error = await refused(bridge, action, "#name", **more)

    assert ("element_covered", "#name") == (error["code"], error["details"]["selector"])
    assert error["details"]["covered_by"].startswith(":root > div")
    assert await told(tab) == []
    assert await tab.evaluate("document.activeElement === document.body")


async def beside(chromium: Browser, expression: str) -> Any:
    """Evaluate something in the extension's worker, where `id` is the tab in front."""
    worker = await chromium.service_worker()
    try:
        front = "chrome.tabs.query({ active: true, lastFocusedWindow: true })"
        return await worker.evaluate(f"{front}.then(([{{ id }}]) => {expression})")
    finally:
        await worker.detach()


async def in_page(chromium: Browser, script: str) -> None:
    """Run something beside the page in front, where the extension's own scripts are."""
    func = f"func: () => {{ {script} }}"
    await beside(chromium, f"chrome.scripting.executeScript({{ target: {{ tabId: id }}, {func} }}).then(() => 0)")


async def test_the_frame_that_got_a_press_states_so_that_none_which_hangs_is_waited_for(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    tab = await visit("hands.html")
    await do(bridge, "hover", "#tells")
    await in_page(chromium, "gasoline.setOwnInput(true, true)")
    before = await about_press(chromium)
    await user_input.click(tab, "#tells")

    assert [None, {}] == [before, await about_press(chromium)]


async def about_press(chromium: Browser) -> Any:
    """Ask the frames of the page in front what became of a press."""
    return await beside(
        chromium, "chrome.tabs.sendMessage(id, { name: 'kept_press' }).then((answer) => answer ?? null)"
    )


async def test_a_press_that_was_kept_has_no_hold_on_the_user_s_if_its_worker_has_died(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    tab = await visit("hands.html")
    await do(bridge, "hover", "#tells")
    await in_page(chromium, "gasoline.setOwnInput(true)")
    await user_input.click(tab, "#tells")
    kept = list(await told(tab))
    await in_page(chromium, "gasoline.pressGuard.until = performance.now()")
    await user_input.click(tab, "#tells")

    assert ([], 1) == (kept, len(await told(tab)))


async def test_what_is_drawn_again_as_the_pointer_comes_is_clicked_on(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("hands.html")
    await tab.evaluate("redraws()")
    await do(bridge, "click", "#again")

    assert [kind for kind, *_ in await told(tab)] == ["click"]


@pytest.mark.parametrize("mode", ["open", "closed"])
async def test_a_frame_in_a_component_is_part_of_it(visit: Open, bridge: BridgeDouble, mode: str) -> None:
    tab = await visit("hands.html")
    await tab.evaluate(f"player('{mode}')")
    await do(bridge, "click", "#player")

    assert [kind for kind, *_ in await told(tab)] == ["click"]


@pytest.mark.parametrize("then", ["by('cover').style.display = 'block'", "by('hoverable').remove()"])
async def test_a_hover_is_done_with_anything_that_the_page_shows_then(
    visit: Open, bridge: BridgeDouble, then: str
) -> None:
    tab = await visit("hands.html")
    await tab.evaluate(f"by('hoverable').onmouseenter = (event) => {{ tell(event); {then}; }}, 0")
    answer = await do(bridge, "hover", "#hoverable")

    assert answer["success"]
    assert [kind for kind, *_ in await told(tab)] == ["mouseenter"]


async def test_a_page_that_keeps_its_presses_to_itself_is_clicked_on_once(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("hands.html")
    swallows = "addEventListener('pointerdown', (event) => event.stopImmediatePropagation(), true)"
    button = "<button id=counts onclick='clicks++'>Counts</button>"
    await tab.evaluate(f"document.open(); document.write(`<script>clicks = 0; {swallows}</script>{button}`)")
    await do(bridge, "click", "#counts")

    assert await tab.evaluate("clicks") == 1


@pytest.mark.parametrize("trusted", [True, False])
async def test_what_a_slot_shows_covers_nothing(visit: Open, bridge: BridgeDouble, *, trusted: bool) -> None:
    tab = await visit("hands.html")
    await tab.evaluate("slotted()")
    await bridge.result("interact", action="click", selector="#in", trusted=trusted)

    assert [kind for kind, *_ in await told(tab)] == ["click"]


async def test_a_frame_is_clicked_on_as_a_whole(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("hands.html")
    await tab.evaluate("by('frame').contentDocument.onmousedown = tell")
    await do(bridge, "click", "#frame")

    assert [kind for kind, *_ in await told(tab)] == ["mousedown"]


@pytest.mark.parametrize("zoom", [0.5, 1.5, 2])
async def test_a_page_that_is_zoomed_is_hit_where_it_is_meant(
    visit: Open, bridge: BridgeDouble, chromium: Browser, zoom: float
) -> None:
    tab = await visit("hands.html")
    worker = await chromium.service_worker()
    try:
        await worker.evaluate(f"chrome.tabs.setZoom({zoom}).then(() => 0)")
        await do(bridge, "click", "#tells")
        await do(bridge, "click", "iframe >>> #inner")
    finally:
        await worker.evaluate("chrome.tabs.setZoom(0).then(() => 0)")
        await worker.detach()

    assert [kind for kind, *_ in await told(tab)] == ["click", "click"]


@pytest.mark.requirement("actions-012")
async def test_only_a_trusted_click_opens_a_window(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("hands.html")
    await bridge.result("interact", action="click", selector="#copies")
    await do(bridge, "click", "#copies")
    before = await told(tab)

    assert before == [False, True]


async def test_a_trusted_hover_is_a_person_s(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("hands.html")
    await do(bridge, "click", "#tells")
    await do(bridge, "hover", "#hoverable")

    assert ["mouseenter", True] == (await told(tab))[-1][:2]


TYPED: list[tuple[str, dict[str, Any], str]] = [
    ("#name", {"text": "Ada Lovelace"}, "Ada Lovelace"),
    ("#name", {"text": " man", "clear": False}, "old man"),
    ("#name", {"text": ""}, ""),
    ("#note", {"text": "two\nlines"}, "two\nlines"),
    ("#count", {"text": "1.5"}, "1.5"),
    ("#rich", {"text": "Words"}, "Words"),
]


@pytest.mark.parametrize(("selector", "more", "expected"), TYPED, ids=[f"{one[0]} {one[1]}" for one in TYPED])
async def test_text_is_typed_and_read_back(
    visit: Open, bridge: BridgeDouble, selector: str, more: dict[str, Any], expected: str
) -> None:
    tab = await visit("hands.html")
    await do(bridge, "type", selector, **more)

    assert await tab.evaluate(f"(e => e.value ?? e.textContent)(by('{selector[1:]}'))") == expected
    assert all(trusted for _, trusted, _ in await told(tab))


async def test_text_that_the_page_refuses_is_an_error(visit: Open, bridge: BridgeDouble) -> None:
    await visit("hands.html")

    assert (await refused(bridge, "type", "#refuses", text="mine"))["code"] == "input_rejected"


@pytest.mark.parametrize("kind", ["date", "time", "month", "color", "range"])
async def test_a_field_that_takes_no_text_at_once_is_named_before_anything_is_sent(
    rows: Open, bridge: BridgeDouble, kind: str
) -> None:
    tab = await rows("hands.html")
    await tab.evaluate(f"by('count').type = '{kind}'")
    error = await refused(bridge, "type", "#count", text="1")

    assert "invalid_params" == error["code"]
    assert "leave trusted out" in error["message"]
    assert await told(tab) == []


@pytest.mark.parametrize(("action", "more"), [("click", {}), ("drag", {"to": "#slot"})])
async def test_a_hidden_page_is_sent_nothing(
    visit: Open, bridge: BridgeDouble, action: str, more: dict[str, Any]
) -> None:
    tab = await visit("hands.html?hidden")
    number = next(one["id"] for one in (await bridge.result("list_tabs"))["tabs"] if one["url"].endswith("?hidden"))
    await visit("blank.html")
    error = await refused(bridge, action, "#tells", tab_id=number, **more)

    assert "tab_hidden" == error["code"]
    assert "switch_tab" in error["recovery"]
    assert await told(tab) == []


@pytest.mark.parametrize("trusted", [True, False])
async def test_a_click_that_closes_its_own_window_is_done(visit: Open, bridge: BridgeDouble, *, trusted: bool) -> None:
    tab = await visit("hands.html")
    button = "<button id=closes onmousedown=window.close()>x</button>"
    await tab.evaluate(
        "new Promise((done) => { open('blank.html').onload = ({ target }) =>"
        f" done(target.body.innerHTML = '{button}'); }}).then(() => 0)",
        user_gesture=True,
    )
    tabs = (await bridge.result("list_tabs"))["tabs"]
    number = next(one["id"] for one in tabs if one["url"].endswith("blank.html"))
    await bridge.result("interact", action="wait_for", selector="#closes", tab_id=number)
    answer = await bridge.result("interact", action="click", selector="#closes", trusted=trusted, tab_id=number)

    assert (True, True) == (answer["success"], answer["closed"])


async def test_keys_do_what_they_do_for_a_person(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("hands.html")
    await do(bridge, "type", "#query", text="ab")
    await do(bridge, "key_press", key="Backspace")
    await do(bridge, "key_press", key="C")
    await do(bridge, "key_press", "#query", key="Enter")
    await do(bridge, "key_press", "#query", key="Control+a")
    await do(bridge, "key_press", key="x")

    assert (await told(tab))[-1] == ["submitted", "aC"]
    assert await tab.evaluate("by('query').value") == "x"


async def test_what_is_dragged_is_dropped(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("hands.html")
    await do(bridge, "drag", "#card", to="#slot")
    await do(bridge, "drag", "#knob", to="#rich")

    assert await told(tab) == [["dropped", "the card", True], ["moved", True]]


async def test_the_same_is_refused_as_without(visit: Open, bridge: BridgeDouble) -> None:
    await visit("hands.html")
    off = await refused(bridge, "click", "#off")
    await do(bridge, "click", "#covers")
    covered = await refused(bridge, "click", "#tells")
    absent = await refused(bridge, "click", "#nowhere")
    unfit = await refused(bridge, "select", "#tells")

    assert ["element_disabled", "element_covered", "element_not_found", "invalid_params"] == [
        error["code"] for error in (off, covered, absent, unfit)
    ]


async def test_what_the_last_action_enables_after_a_moment_is_waited_for(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("hands.html")
    await tab.evaluate("by('tells').addEventListener('click', () => setTimeout(() => by('off').disabled = false, 500))")
    await tab.evaluate("by('off').addEventListener('click', () => { document.title = 'went on'; })")
    await do(bridge, "click", "#tells")
    await do(bridge, "click", "#off")

    assert "went on" == await tab.evaluate("document.title")


async def test_a_dialog_of_a_trusted_click_is_answered(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("hands.html")
    error = await refused(bridge, "click", "#asks")
    await bridge.result("interact", action="dialog", accept=True)

    assert ("dialog_open", "Really?") == (error["code"], error["details"]["message"])
    assert await told(tab) == [True]


async def test_the_assistant_s_hands_are_not_taken_for_the_user_s(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    await visit("hands.html")
    await do(bridge, "click", "#tells")
    idle = await bridge.result("interact", action="get_text", selector="#tells")
    worker = await chromium.service_worker()
    try:
        (touched,) = await worker.evaluate(
            "chrome.tabs.query({ active: true, lastFocusedWindow: true }).then(([{ id }]) => chrome.scripting"
            ".executeScript({ target: { tabId: id }, func: () => gasoline.humanIdleMs() }))"
            ".then((all) => all.map(({ result }) => result))"
        )
    finally:
        await worker.detach()

    assert idle["success"]
    assert touched is None
    assert bridge.events(type="action", action="click", selector="#tells") == []


async def test_the_tab_is_released_afterwards(visit: Open, bridge: BridgeDouble, chromium: Browser) -> None:
    await visit("hands.html")
    await do(bridge, "click", "#tells")
    worker = await chromium.service_worker()

    async def free() -> bool:
        held: int = await worker.evaluate(
            "chrome.debugger.getTargets().then((all) => Promise.all(all.filter(({ tabId }) => tabId).map(({ tabId }) =>"
            " chrome.debugger.sendCommand({ tabId }, 'Page.getNavigationHistory').then(() => 1, () => 0))))"
            ".then((all) => all.filter(Boolean).length)"
        )
        return held == 0

    try:
        assert await until(free, "the tab to be let go of", 1)
    finally:
        await worker.detach()
