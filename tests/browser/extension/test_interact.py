"""What `interact` does in real pages, to which element, and what it refuses."""

from typing import Any

import pytest

from browser.bridge_double import BridgeDouble
from browser.scene import Open
from gasoline_bridge.devtools import Browser

pytestmark = pytest.mark.usefixtures("acting")


async def do(bridge: BridgeDouble, action: str, selector: str | None = None, **more: Any) -> dict[str, Any]:
    """Do an action in the page in front, and give the whole answer."""
    target = {} if selector is None else {"selector": selector}
    answer: dict[str, Any] = await bridge.result("interact", action=action, **target, **more)
    return answer


async def refused(bridge: BridgeDouble, action: str, selector: str | None = None, **more: Any) -> dict[str, Any]:
    target = {} if selector is None else {"selector": selector}
    return await bridge.error("interact", action=action, **target, **more)


def kinds(answer: dict[str, Any]) -> list[str]:
    """Name each mutation that was measured."""
    mutations = answer["measured"]["mutations"]
    children = ["added" if came else "removed" for came in mutations["children"]["came"]]
    attributes = ["attribute" for column in mutations["attributes"].values() for _ in column["node"]]
    return [*children, *attributes, *["text"] * len(mutations["texts"]["node"])]


def timing_ms(answer: dict[str, Any]) -> float:
    """Give the time from the beginning of the action to the last thing that it caused."""
    timing = answer["measured"]["timing"]
    return float(timing["end"] - timing["start"])


SELECTORS = [
    ("#more", "more"),
    ("text=Load more", "more"),
    ("text=load", "more"),
    ('text="Load more"', "more"),
    ("role=button[name='Load more']", "more"),
    ("role=button[name=load]", "more"),
    ("testid=send", "send"),
    ("label=Name", "name"),
    ("placeholder=three", "short"),
    ("role=checkbox", "agree"),
    ("role=switch[name=Wifi]", "switch"),
    ("role=radio[name=Cash]", "cash"),
    ("my-card >>> button", "shadowed"),
    ("text=In the shadow", "shadowed"),
    ("iframe >>> #inner", "inner"),
    ("text=In the frame", "inner"),
    ("role=link[name='A link']", "anchor"),
    ("text=Far down", "down"),
]


@pytest.mark.parametrize(("selector", "expected"), SELECTORS, ids=[selector for selector, _ in SELECTORS])
async def test_an_element_is_found_by_its_role_and_its_text(
    look: Open, bridge: BridgeDouble, selector: str, expected: str
) -> None:
    await look("interact.html")

    assert (await do(bridge, "get_attribute", selector, attribute="id"))["value"] == expected


async def test_a_ref_names_an_element_of_this_page_and_of_no_other(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("interact.html")
    elements = (await do(bridge, "list_interactive"))["elements"]
    (more,) = [one for one in elements if one.get("name") == "Load more"]
    clicked = await do(bridge, "click", f"ref={more['ref']}")
    again = (await do(bridge, "list_interactive"))["elements"][0]["ref"]
    await tab.navigate(await tab.evaluate("location.href"))
    stale = await refused(bridge, "click", f"ref={more['ref']}")

    assert clicked["success"]
    assert again == elements[0]["ref"]
    assert ("element_not_found", True) == (stale["code"], stale["details"]["stale"])


async def test_what_can_be_worked_with_is_listed_without_secrets_and_what_is_hidden(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("interact.html")
    await tab.evaluate("by('secret').value = 'hunter2', by('name').value = 'Ada'")
    elements = (await do(bridge, "list_interactive"))["elements"]

    by_name = {one.get("name", ""): one for one in elements}
    assert "Hidden" not in by_name
    assert by_name["Off"]["disabled"]
    assert by_name["Name"]["value"] == "Ada"
    assert "value" not in by_name["Secret"]
    assert by_name["I agree"]["checked"] is False
    assert {"In the shadow", "In the frame"} <= by_name.keys()


@pytest.mark.requirement("actions-001", "001-058", "001-059", "001-072", "001-116", "001-119")
async def test_a_click_arrives_as_a_person_s_and_its_mutations_are_reported(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("interact.html")
    answer = await do(bridge, "click", "#more")
    heard = await tab.evaluate("heard")

    assert ["pointerdown", "mousedown", "focusin", "pointerup", "mouseup", "click"] == heard
    assert {"added": 25, "attribute": 1} == {kind: kinds(answer).count(kind) for kind in set(kinds(answer))}
    assert {"#list", "#more", "li.item"} <= set(answer["measured"]["mutations"]["selectors"])
    assert not {"longTasks", "shifts", "requests"} & answer["measured"].keys()
    assert "settled" not in answer
    assert timing_ms(answer) < 2_000


@pytest.mark.requirement("actions-026")
async def test_a_link_is_followed_and_the_answer_states_it(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("interact.html")
    answer = await do(bridge, "click", "#leaves")
    await tab.until("location.pathname === '/small.html'")

    assert answer["success"]
    assert answer.get("navigated") or answer["measured"]


@pytest.mark.requirement("001-066")
async def test_a_request_of_the_action_is_waited_for(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("interact.html")
    answer = await do(bridge, "click", "#fetches", analyze=True)
    for _ in range(4):
        if answer.get("settled", True):
            break  # else the machine was busy for longer than an answer is waited for
        answer = await do(bridge, "click", "#fetches", analyze=True)

    (request,) = [one for one in answer["measured"]["requests"] if "/api/later" in one["url"]]
    assert (200, "GET", "fetch") == (request["status"], request["method"], request["initiator"])
    assert 150 < request["duration"] < 1_500
    assert await tab.evaluate("by('seen').textContent")
    assert timing_ms(answer) > 150


LATE_WORD = """
(() => {
  const { onBeforeRequest } = chrome.webRequest;
  globalThis.addListener ??= onBeforeRequest.addListener;
  onBeforeRequest.addListener = (listener, ...more) =>
    addListener.call(onBeforeRequest, (details) => { setTimeout(listener, 120, details); }, ...more);
  return 0;
})()
"""


@pytest.mark.requirement("001-066")
async def test_a_request_of_which_the_worker_hears_late_is_waited_for(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    tab = await visit("interact.html")
    worker = await chromium.service_worker()
    try:
        await worker.evaluate(LATE_WORD)
        for _ in range(5):
            if (await do(bridge, "click", "#fetches")).get("settled", True):
                break  # else the machine was busy for longer than an answer is waited for
        seen = await tab.evaluate("by('seen').textContent")
    finally:
        await worker.evaluate("delete chrome.webRequest.onBeforeRequest.addListener; 0")
        await worker.detach()

    assert seen


UNREGISTER = "navigator.serviceWorker.getRegistrations().then((all) => Promise.all(all.map((one) => one.unregister())))"
"""Have no service worker take the requests of the other tests' pages."""


@pytest.mark.requirement("001-066")
async def test_a_request_that_the_pages_service_worker_takes_is_waited_for(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("served-by-worker.html")
    await tab.until("!!navigator.serviceWorker.controller")
    for _ in range(5):
        if (await do(bridge, "click", "#fetches")).get("settled", True):
            break  # else the machine was busy for longer than an answer is waited for
    seen = await tab.evaluate("document.getElementById('seen').textContent")
    await tab.evaluate(UNREGISTER)

    assert "200" == seen


DOUBLE_CLICKS = """
document.body.innerHTML = '<div id=tree tabindex=0>Servers</div><p id=opened>closed</p>';
const soon = (text) => {
  clearTimeout(globalThis.timer);
  globalThis.timer = setTimeout(() => (opened.textContent = text), 200);
};
tree.onfocus = () => tree.classList.add('has-focus');
tree.onclick = () => soon('open');
tree.ondblclick = () => soon('twice');
"""


@pytest.mark.requirement("001-066")
async def test_what_a_page_does_once_it_knows_that_no_second_click_comes_is_waited_for(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("blank.html")
    await tab.evaluate(DOUBLE_CLICKS)

    for count, opened in ((1, "open"), (2, "twice")):
        answer = await do(bridge, "click", "#tree", count=count)
        assert (opened, [opened]) == (
            await tab.evaluate("opened.textContent"),
            answer["measured"]["mutations"]["texts"]["new"],
        )


ROUTES = """
document.body.innerHTML = '<a id=link href="/other">Other</a><button id=slices>Slices</button><p id=shown>old</p>';
link.onclick = (event) => {
  event.preventDefault();
  history.pushState(null, '', '/other');
  setTimeout(() => (shown.textContent = 'routed'), 170);
};
const { port1, port2 } = new MessageChannel();
let left = 0;
port1.onmessage = () => {
  for (const end = performance.now() + 5; performance.now() < end; );
  if (left-- > 0) port2.postMessage(null);
  else shown.textContent = 'drawn';
};
slices.onclick = () => { slices.className = 'pressed'; left = 50; port2.postMessage(null); };
"""


@pytest.mark.requirement("001-066")
async def test_what_a_router_draws_later_or_in_many_short_tasks_is_waited_for(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("blank.html")
    await tab.evaluate(ROUTES)

    for selector, shown in (("#link", "routed"), ("#slices", "drawn")):
        answer = await do(bridge, "click", selector)
        if answer.get("settled", True):  # else the machine was too busy for it
            assert (shown, [shown]) == (
                await tab.evaluate("shown.textContent"),
                answer["measured"]["mutations"]["texts"]["new"],
            )
        else:
            await tab.until(f"shown.textContent === '{shown}'")


@pytest.mark.requirement("001-066")
async def test_what_fails_where_no_extension_sees_it_is_among_what_failed(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("served-by-worker.html?failing")
    await tab.until("!!navigator.serviceWorker.controller")
    clicked = (await do(bridge, "click", "#fails", analyze=True))["measured"]
    refused = (await do(bridge, "click", "#refused"))["measured"]["effects"]
    loaded = (await do(bridge, "refresh"))["measured"]["effects"]
    await tab.evaluate(UNREGISTER)

    origin = await tab.evaluate("location.origin")
    failed = [{"url": f"{origin}/api/echo?status=503&through-worker", "method": "POST", "status": 503}]
    assert (1, failed) == (clicked["effects"]["failed_requests"], clicked["effects"]["failed"])
    [request] = clicked["requests"]
    assert ("POST", 503, 2) == (request["method"], request["status"], request["encodedSize"])
    assert request["duration"] > 0
    assert (1, failed) == (loaded["failed_requests"], loaded["failed"])
    assert ["TypeError: Failed to fetch"] == [one["error"] for one in refused["failed"]]


@pytest.mark.requirement("001-060", "001-061", "001-117")
async def test_a_long_task_of_the_action_is_reported(visit: Open, bridge: BridgeDouble) -> None:
    await visit("interact.html")
    answer = await do(bridge, "click", "#slow", analyze=True)

    assert 110 < max(task["duration"] for task in answer["measured"]["longTasks"])


TYPED = [
    ("#name", "Ada Lovelace", "Ada Lovelace"),
    ("#note", "two\nlines", "two\nlines"),
    ("#day", "2026-01-31", "2026-01-31"),
    ("#count", "1.5", "1.5"),
    ("#rich", "Words", "Words"),
    ("iframe >>> #framed", "inside", "inside"),
]


@pytest.mark.requirement("actions-009")
async def test_text_is_typed_and_read_back(visit: Open, bridge: BridgeDouble) -> None:
    await visit("interact.html")
    for selector, text, _ in TYPED:
        await do(bridge, "type", selector, text=text)

    read = [(selector, text, (await do(bridge, "get_value", selector))["value"]) for selector, text, _ in TYPED]

    assert TYPED == read


REJECTED = [
    ("#refuses", "mine", "input_rejected"),
    ("#late", "mine", "input_rejected"),
    ("#day", "31.1.2026", "input_rejected"),
    ("#count", "many", "input_rejected"),
    ("#readonly", "x", "invalid_params"),
    ("#send", "x", "invalid_params"),
]


async def test_what_the_page_does_not_keep_is_an_error(visit: Open, bridge: BridgeDouble) -> None:
    await visit("interact.html")

    errors = [
        (selector, text, (await refused(bridge, "type", selector, text=text))["code"]) for selector, text, _ in REJECTED
    ]

    assert REJECTED == errors


async def test_options_boxes_and_switches_are_set_and_read_back(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("interact.html")
    await do(bridge, "select", "#size", value="Large")
    await do(bridge, "select", "#many", values=["One", "Three"])
    await do(bridge, "check", "#agree")
    await do(bridge, "check", "role=radio[name=Cash]")
    await do(bridge, "check", "#switch")
    await do(bridge, "check", "#switch", checked=True)
    state = await tab.evaluate(
        "[by('size').value, [...by('many').selectedOptions].map((option) => option.text), by('agree').checked,"
        " by('cash').checked, by('switch').getAttribute('aria-checked')]"
    )
    missing = await refused(bridge, "select", "#size", value="Huge")

    assert state == ["l", ["One", "Three"], True, True, "true"]
    assert "Small, Large" in missing["message"]


async def test_keys_are_pressed_with_what_they_do(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("interact.html")
    await do(bridge, "focus", "#name")
    await do(bridge, "key_press", key="a")
    await do(bridge, "key_press", "#name", key="Enter")
    await do(bridge, "key_press", key="Control+Shift+k")
    unknown = await refused(bridge, "key_press", key="Entr")

    assert await tab.evaluate("[by('name').value, by('seen').textContent]") == ["a", "submitted"]
    assert ("unknown_key", "Entr") == (unknown["code"], unknown["details"]["value"])
    assert "Enter" in unknown["recovery"]


@pytest.mark.requirement("applications-073")
async def test_a_key_that_nothing_has_answered_stays_down_for_some_frames(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("interact.html")
    await tab.evaluate("""
        globalThis.down = new Set();
        globalThis.moved = [];
        addEventListener('keydown', (event) => {
            const { key } = event;
            if (key === 'w') event.preventDefault();
            if (key === 'q') { moved.push('q'); document.title += 'q' }
            else down.add(key);
        });
        addEventListener('keyup', ({ key }) => down.delete(key));
        const look = () => {
            for (const key of down) if (!moved.includes(key)) { moved.push(key); document.title += key }
            setTimeout(look, 20);
        };
        look();
    """)
    for key in ("Delete", "q", "w"):
        await do(bridge, "key_press", key=key)

    assert [["Delete", "q", "w"], []] == await tab.evaluate("[moved, [...down]]")


REFUSED = [
    ("click", "#none", {}, "element_not_found"),
    ("click", "#hidden", {}, "element_not_visible"),
    ("click", ".twin", {}, "ambiguous_selector"),
    ("click", "#off", {}, "element_disabled"),
    ("click", "li..x", {}, "invalid_params"),
    ("click", ".twin", {"nth": 7}, "element_not_found"),
    ("check", "#name", {}, "invalid_params"),
    ("select", "#name", {"value": "x"}, "invalid_params"),
    ("wait_for", "#none", {"timeout_ms": 100}, "wait_timeout"),
    ("teleport", "#more", {}, "invalid_params"),
]


@pytest.mark.requirement("actions-024", "actions-028")
@pytest.mark.parametrize(
    ("action", "selector", "more", "code"), REFUSED, ids=[f"{action} {selector}" for action, selector, *_ in REFUSED]
)
async def test_what_cannot_be_done_has_its_own_code(
    look: Open, bridge: BridgeDouble, action: str, selector: str, more: dict[str, Any], code: str
) -> None:
    await look("interact.html")

    assert (await refused(bridge, action, selector, **more))["code"] == code


SHOW_LIST = """
  document.body.insertAdjacentHTML('beforeend', `
    <input id=fruit role=combobox aria-label=Fruit aria-expanded=true aria-controls=fruits>
    <ul id=fruits role=listbox aria-label=Fruit><li role=option>Cherry</ul>`); 0
"""


async def test_a_list_that_has_the_name_of_the_field_that_opened_it_is_not_meant(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("interact.html")
    await tab.evaluate(SHOW_LIST)
    await do(bridge, "type", "label=Fruit", text="che")
    await tab.evaluate("by('fruit').removeAttribute('aria-controls'); 0")
    error = await refused(bridge, "type", "label=Fruit", text="x")

    assert "che" == await tab.evaluate("by('fruit').value")
    assert "ambiguous_selector" == error["code"]


@pytest.mark.requirement("actions-024")
async def test_what_is_covered_is_not_clicked_through(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("interact.html")
    await do(bridge, "click", "#opens")
    error = await refused(bridge, "click", "#more")

    assert ("element_covered", "#cover") == (error["code"], error["details"]["covered_by"])
    assert await tab.evaluate("by('more').dataset.page") == "1"


async def test_what_the_last_action_enables_after_a_moment_is_waited_for(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("interact.html")
    await tab.evaluate("by('name').oninput = () => setTimeout(() => { by('off').disabled = false; }, 300); 0")
    await tab.evaluate("by('off').onclick = () => { by('seen').textContent = 'went on'; }; 0")
    await do(bridge, "type", "#name", text="whole")
    await do(bridge, "click", "#off")

    assert "went on" == await tab.evaluate("by('seen').textContent")


async def test_an_element_that_removes_itself_is_a_success(visit: Open, bridge: BridgeDouble) -> None:
    await visit("interact.html")
    answer = await do(bridge, "click", "#removes")

    assert ["removed"] == kinds(answer)


async def test_nth_chooses_among_what_can_be_seen(visit: Open, bridge: BridgeDouble) -> None:
    await visit("interact.html")

    assert (await do(bridge, "click", ".twin", nth=1))["success"]


@pytest.mark.requirement("actions-004")
async def test_what_appears_is_waited_for(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("interact.html")
    await tab.evaluate("setTimeout(() => by('hidden').classList.remove('gone'), 200); 0")
    answer = await do(bridge, "wait_for", "#hidden")

    assert answer["waited_ms"] < 2_000


async def test_in_a_hidden_tab_an_action_is_as_quick(visit: Open, bridge: BridgeDouble) -> None:
    await visit("interact.html")
    tabs = (await bridge.result("list_tabs"))["tabs"]
    (number,) = [tab["id"] for tab in tabs if tab["url"].endswith("interact.html")]
    other = await visit("small.html")
    await other.activate()
    answer = await do(bridge, "click", "#more", tab_id=number)

    assert kinds(answer).count("added") == 25
    assert timing_ms(answer) < 2_000


@pytest.mark.requirement("actions-022")
async def test_each_load_comes_with_the_last_one_of_its_address(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("interact.html")
    address = await tab.evaluate("location.href")
    refreshed = await do(bridge, "refresh")
    elsewhere = await do(bridge, "navigate", url=address.replace("interact.html", "small.html?seen=never"))
    back = await do(bridge, "navigate", url=f"{address}#there")

    assert refreshed["measured"]["before"]["url"] == refreshed["measured"]["load"]["url"] == address
    assert "before" not in elsewhere["measured"]
    assert back["measured"]["before"]["url"] == address
    assert back["measured"]["before"]["ageS"] >= 0
    assert refreshed["measured"]["load"]["timing"]["load"] > 0


async def test_a_server_that_is_not_there_is_reported(visit: Open, bridge: BridgeDouble) -> None:
    await visit("interact.html")
    error = await refused(bridge, "navigate", url="http://127.0.0.1:9/")

    assert error["code"] == "navigation_failed"
