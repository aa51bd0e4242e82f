"""What is read and waited for while a page is on its way: the page that comes, never the one before without a word."""

import asyncio
from typing import Any

import pytest

from browser.bridge_double import BridgeDouble, Message
from browser.scene import Open

pytestmark = pytest.mark.usefixtures("acting")

LATE = "setTimeout(() => location.assign('/api/later?ms=700&type=page'), 0)"


async def wait(bridge: BridgeDouble, **arguments: Any) -> Message:
    waited: Message = await bridge.result("interact", action="wait_for", **arguments)
    return waited


@pytest.mark.requirement("applications-011")
async def test_a_read_waits_for_the_page_that_comes(visit: Open, bridge: BridgeDouble, pages: str) -> None:
    tab = await visit("leads.html")
    async with tab.expect("Page.frameStartedLoading"):
        await tab.send("Page.enable")
        await tab.evaluate(LATE)

    page = await bridge.result("get_page_info")

    assert f"{pages}api/later?ms=700&type=page" == page["url"]


@pytest.mark.requirement("applications-011")
async def test_a_page_that_is_parsed_and_not_complete_is_marked(visit: Open, bridge: BridgeDouble, pages: str) -> None:
    tab = await visit("leads.html")
    await tab.send("Page.navigate", url=f"{pages}slow-part.html")
    await tab.until("document.readyState === 'interactive'")

    found = await bridge.result("query_dom", selector="h1")

    assert (1, True) == (found["matchCount"], found.get("loading"))
    await tab.evaluate("window.stop()")


@pytest.mark.requirement("applications-014")
async def test_what_a_search_finds_is_read_right_after_the_typing(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("focus.html")
    await tab.evaluate(
        "query.replaceWith(query.cloneNode()); document.querySelector('#query').oninput = () =>"
        " setTimeout(() => (searched.textContent = 'Found later'), 300); 0"
    )
    await bridge.result("interact", action="type", selector="#query", text="tea")

    found = await bridge.result("query_dom", selector="#searched")

    assert "Found later" == found["matches"][0]["text"]


@pytest.mark.requirement("applications-012")
@pytest.mark.parametrize(
    ("change", "asked"),
    [
        ("history.pushState(null, '', '/orders/7')", {"url": "/orders/7"}),
        ("history.pushState(null, '', '/orders/8')", {"url": "leads.html", "state": "hidden"}),
        ("document.body.insertAdjacentHTML('beforeend', '<p>Ready to ship')", {"text": "ready to ship"}),
        ("document.querySelector('h1').remove()", {"selector": "h1", "state": "detached"}),
        ("fetch('/api/later?ms=300&of=items')", {"url": "of=items", "state": "finished"}),
    ],
)
async def test_what_comes_later_is_waited_for(visit: Open, bridge: BridgeDouble, change: str, asked: Message) -> None:
    tab = await visit("leads.html")
    await tab.evaluate("document.body.insertAdjacentHTML('afterbegin', '<h1>Leads</h1>')")
    waiting = asyncio.create_task(wait(bridge, **asked))
    await tab.evaluate(f"void setTimeout(() => {{ {change} }}, 500)")

    assert (await waiting)["waited_ms"] >= 30  # a busy machine begins to wait late


@pytest.mark.requirement("applications-012")
async def test_a_page_is_quiet_when_it_has_come_to_rest(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("leads.html")
    await tab.evaluate(
        "let left = 20; const id = setInterval(() => left-- ? document.body.append('.') : clearInterval(id), 50)"
    )

    await wait(bridge, state="quiet")

    assert await tab.evaluate("left") < 0


@pytest.mark.requirement("applications-012")
async def test_a_page_that_never_rests_is_no_success(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("leads.html")
    await tab.evaluate("void setInterval(() => document.body.append('.'), 50)")

    error = await bridge.error("interact", action="wait_for", state="quiet", timeout_ms=900)

    assert ("wait_timeout", "Within 900 ms the page did not come to rest.") == (error["code"], error["message"])


@pytest.mark.requirement("applications-012")
async def test_a_request_of_the_action_before_has_ended_already(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("leads.html")
    await tab.evaluate("document.querySelector('#closes').removeAttribute('onclick')")
    await tab.evaluate("void (document.querySelector('#closes').onclick = () => fetch('/api/echo?of=save'))")
    await bridge.result("interact", action="click", selector="#closes")

    assert (await wait(bridge, url="of=save", state="finished"))["waited_ms"] < 400


ENDED = [
    ("/api/echo?of=first", {"status": 200}),
    ("/api/echo?status=500&of=second", {"status": 500, "failed": True}),
    ("http://127.0.0.1:1/?of=third", {"error": "net::ERR_UNSAFE_PORT", "failed": True}),
]


@pytest.mark.requirement("applications-012")
@pytest.mark.parametrize(("address", "outcome"), ENDED, ids=["answered", "refused by the server", "never answered"])
async def test_a_request_that_has_ended_comes_with_its_outcome(
    visit: Open, bridge: BridgeDouble, pages: str, address: str, outcome: Message
) -> None:
    tab = await visit("leads.html")
    waiting = asyncio.create_task(wait(bridge, url=address[-8:], state="finished"))
    await tab.evaluate(f"void setTimeout(() => fetch('{address}').catch(() => 0), 400)")

    url = address if "//" in address else pages.rstrip("/") + address
    assert [{"method": "GET", "url": url, **outcome}] == (await waiting)["requests"]


@pytest.mark.requirement("applications-012")
async def test_a_request_after_an_action_is_named_once_though_its_effect_is_still_recorded(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("leads.html")
    await tab.evaluate("document.querySelector('#closes').removeAttribute('onclick')")
    await bridge.result("interact", action="click", selector="#closes")
    waiting = asyncio.create_task(wait(bridge, url="of=once", state="finished"))
    await tab.evaluate("void setTimeout(() => fetch('/api/echo?of=once'), 200)")

    assert 1 == len((await waiting)["requests"])


@pytest.mark.requirement("applications-012")
@pytest.mark.parametrize(
    ("asked", "notes"),
    [
        ({"selector": "#spiner", "state": "hidden"}, True),
        ({"text": "Loding", "state": "detached"}, True),
        ({"url": "/nowhere", "state": "hidden"}, True),
        ({"selector": "#searched", "state": "hidden"}, False),  # it is there, and shows nothing
    ],
)
async def test_what_was_never_there_is_no_plain_success(
    visit: Open, bridge: BridgeDouble, asked: Message, *, notes: bool
) -> None:
    await visit("focus.html")

    waited = await wait(bridge, **asked)

    assert notes == ("not there at the start" in waited.get("hint", ""))


@pytest.mark.requirement("applications-044")
async def test_a_page_that_still_draws_after_its_load_is_not_settled(
    visit: Open, bridge: BridgeDouble, pages: str
) -> None:
    await visit("leads.html")
    navigated = await bridge.result("interact", action="navigate", url=f"{pages}draws-late.html")
    await bridge.result("interact", action="wait_for", selector="#orders")
    clicked = await bridge.result("interact", action="click", selector="#again")
    rests = await bridge.result("interact", action="navigate", url=f"{pages}leads.html")

    assert [False, False, True] == [one.get("settled", True) for one in (navigated, clicked, rests)]
    assert clicked["navigated"]


@pytest.mark.requirement("applications-058")
@pytest.mark.parametrize("action", ["click", "get_text"])
async def test_what_the_last_action_shows_late_is_waited_for(visit: Open, bridge: BridgeDouble, action: str) -> None:
    tab = await visit("focus.html")
    item = "document.body.insertAdjacentHTML('beforeend', '<button onclick=\"this.textContent = 1\">Theme</button>')"
    await tab.evaluate(f"plain.onclick = () => setTimeout(() => {item}, 400); 0")
    await bridge.result("interact", action="click", selector="#plain")

    assert (await bridge.result("interact", action=action, selector="role=button[name=Theme]"))["success"]
    missing = await bridge.error("interact", action=action, selector="text=Never")
    assert "element_not_found" == missing["code"]


@pytest.mark.requirement("applications-058")
async def test_what_covers_an_element_is_waited_for_to_go_after_an_action(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("focus.html")
    await tab.evaluate(
        "document.body.insertAdjacentHTML('beforeend', '<div id=shade style=\"position: fixed; inset: 0\"></div>');"
        "shade.onclick = () => setTimeout(() => shade.remove(), 400); 0"
    )
    covered = await bridge.error("interact", action="click", selector="#save")
    await bridge.result("interact", action="click", selector="#shade")

    assert "element_covered" == covered["code"]
    assert (await bridge.result("interact", action="click", selector="#save"))["success"]


@pytest.mark.requirement("applications-011")
async def test_a_page_that_is_long_in_coming_is_named_by_what_is_read_before(
    visit: Open, bridge: BridgeDouble, pages: str
) -> None:
    tab = await visit("leads.html")
    async with tab.expect("Page.frameStartedLoading"):
        await tab.send("Page.enable")
        await tab.evaluate(LATE.replace("700", "9000"))

    page, outline, found, text = await asyncio.gather(
        bridge.result("get_page_info"),
        bridge.result("get_outline", budget=4_096, seq=1),
        bridge.result("query_dom", selector="body"),
        bridge.result("interact", action="get_text", selector="body"),
    )
    await tab.evaluate("window.stop()")

    assert f"{pages}leads.html" == page["url"] == found["url"]
    assert [(True, f"{pages}api/later?ms=9000&type=page")] * 4 == [
        (one["loading"], one["loading_url"]) for one in (page, outline, found, text)
    ]
