"""What the extension tells of an action's effect, also of what came after its reply."""

import asyncio
from typing import Any

import pytest

from browser.bridge_double import BridgeDouble, Message
from browser.scene import Open
from gasoline_bridge.devtools import Browser

pytestmark = pytest.mark.usefixtures("acting")


async def click(bridge: BridgeDouble, selector: str, **more: Any) -> Message:
    """Click in the page in front, and give the whole answer."""
    answer: Message = await bridge.result("interact", action="click", selector=selector, **more)
    return answer


async def ended(bridge: BridgeDouble, answer: Message) -> Message:
    """Wait until the window of an action is closed, and give what is told of it."""
    (event,) = await bridge.until_stored(type="effect", phase="ended", id=answer["effect"])
    return event


async def test_each_action_has_a_short_id_of_its_own(visit: Open, bridge: BridgeDouble) -> None:
    await visit("effects.html")
    ids = [(await click(bridge, "#none"))["effect"] for _ in range(3)]
    typed = await bridge.result("interact", action="type", selector="#name", text="Ada")
    read = await bridge.result("interact", action="get_text", selector="#seen")

    assert 4 == len({*ids, typed["effect"]})
    assert all(6 <= len(one) <= 8 and one.isalnum() for one in ids)
    assert "effect" not in read


@pytest.mark.requirement("actions-019")
async def test_a_request_that_ends_after_the_reply_is_followed_to_its_end(visit: Open, bridge: BridgeDouble) -> None:
    await visit("effects.html")
    answer = await click(bridge, "#slow")
    first = bridge.events(type="effect", phase="settled", id=answer["effect"])
    event = await ended(bridge, answer)

    assert answer["settled"] is False
    (open_,) = first[0]["requests"]
    assert "duration_ms" not in open_
    (request,) = event["requests"]
    assert (200, "GET", "xmlhttprequest") == (request["status"], request["method"], request["kind"])
    assert 900 < request["duration_ms"] < 6_000
    assert request["duration_ms"] < event["window_ms"] < 9_900  # not the end of all watching
    assert [{"area": "localStorage", "change": "set", "names": ["late"], "late": True}] == event["storage"]
    assert (1, 1) == (event["dom"]["added"], event["dom"]["texts"])
    assert event["dom"]["first_ms"] > event["settled_ms"]
    assert {"#seen", "#place"} == set(event["dom"]["places"])
    assert "planted-value" not in str(event)


async def test_an_answer_that_the_browser_has_and_the_page_has_not_is_waited_for(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("effects.html")
    await tab.until("handIsReady")
    answer = await click(bridge, "#hands-on")

    assert ["answered"] == answer["messages"]
    assert ["answered"] == answer["measured"]["mutations"]["texts"]["new"]
    assert "settled" not in answer


async def test_requests_that_follow_each_other_are_one_effect(visit: Open, bridge: BridgeDouble) -> None:
    await visit("effects.html")
    event = await ended(bridge, await click(bridge, "#chain"))

    assert [200, 200, 200, 404] == [one["status"] for one in event["requests"]]
    assert 2_100 < event["requests"][-1]["after_ms"] < 9_500


@pytest.mark.requirement("actions-020")
async def test_names_that_were_stored_are_reported_and_never_their_values(visit: Open, bridge: BridgeDouble) -> None:
    await visit("effects.html")
    answer = await click(bridge, "#stores")
    (event,) = bridge.events(type="effect", phase="settled", id=answer["effect"])

    changes = {(one["area"], one["change"]): one["names"] for one in event["storage"]}
    assert {
        ("localStorage", "set"): ["came"],
        ("localStorage", "changed"): ["kept"],
        ("localStorage", "removed"): ["goes"],
        ("sessionStorage", "set"): ["tabbed"],
        ("cookie", "set"): ["basket"],
    } == changes
    assert "planted-value" not in str(event)


async def test_a_sandboxed_page_has_no_storage_and_is_acted_on_all_the_same(visit: Open, bridge: BridgeDouble) -> None:
    await visit("sandboxed.html")
    answer = await click(bridge, "body")
    (event,) = bridge.events(type="effect", phase="settled", id=answer["effect"])

    assert [] == event["storage"]


async def test_the_next_action_ends_the_effect_of_the_one_before(visit: Open, bridge: BridgeDouble) -> None:
    await visit("effects.html")
    slow = await click(bridge, "#slow")
    after = await click(bridge, "#none")
    first, second = await ended(bridge, slow), await ended(bridge, after)

    assert "duration_ms" not in first["requests"][0]
    assert [] == second["requests"]


async def test_the_effect_of_an_action_that_leaves_continues_without_its_page(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("effects.html")
    answer = await click(bridge, "#leaves")
    await tab.until("location.pathname === '/small.html'")
    event = await ended(bridge, answer)

    assert "main_frame" in [one["kind"] for one in event["requests"]]
    assert "dom" not in event


async def test_what_changes_for_ever_is_counted_up_to_a_limit_and_let_go(visit: Open, bridge: BridgeDouble) -> None:
    await visit("effects.html")
    event = await ended(bridge, await click(bridge, "#ticks"))

    assert 1 == event["dom"]["attributes"]
    assert event["window_ms"] < 9_900  # not the end of all watching


async def test_an_action_that_is_refused_has_no_effect(visit: Open, bridge: BridgeDouble) -> None:
    await visit("effects.html")
    before = {event["id"] for event in bridge.events(type="effect")}
    await bridge.error("interact", action="click", selector="#absent")
    await asyncio.sleep(0.7)  # longer than a window that was open would be

    assert before == {event["id"] for event in bridge.events(type="effect")}


async def test_the_death_of_the_worker_costs_the_end_of_an_effect_and_no_more(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    tab = await visit("effects.html")
    slow = await click(bridge, "#slow")
    await chromium.stop_service_worker()
    await bridge.hang_up()
    await bridge.until_connected()  # the page's words wake the worker, when its request is answered
    await tab.until("by('place').querySelector('i') !== null")  # else that would be of the next action, by its time
    event = await ended(bridge, await click(bridge, "#none"))

    assert [] == bridge.events(type="effect", phase="ended", id=slow["effect"])
    assert ([], [], False) == (event["requests"], event["storage"], "dom" in event)


async def test_a_name_that_is_crowded_out_of_what_is_looked_at_was_not_removed(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("effects.html")
    flood = "for (let at = 0; at < 5000; at++) localStorage.setItem(`flood${at}`, '1')"
    await tab.evaluate(f"by('none').onclick = () => {{ {flood}; }}; 0")
    answer = await click(bridge, "#none")
    await tab.evaluate("localStorage.clear()")
    (event,) = bridge.events(type="effect", phase="settled", id=answer["effect"])

    assert [("localStorage", "set")] == [(one["area"], one["change"]) for one in event["storage"]]
