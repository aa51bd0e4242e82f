"""What `a11y` tells of an action: what it has broken in what it changed, and nothing else."""

import asyncio
import shutil
from typing import Any

import pytest

from browser.axe import AXE
from browser.bridge_double import BridgeDouble, Message
from browser.scene import Open
from gasoline_bridge.devtools import Browser

pytestmark = pytest.mark.usefixtures("acting", "vendored")


@pytest.fixture
async def vendored(chromium: Browser) -> None:
    """Put axe into the extension's folder, from where Chrome reads it when it is injected."""
    assert chromium.extension is not None
    await asyncio.to_thread(shutil.copy, AXE, chromium.extension / "vendor" / "axe.min.js")


async def click(bridge: BridgeDouble, selector: str, **more: Any) -> Message:
    """Click in the page in front, and ask what that broke."""
    answer: Message = await bridge.result("interact", action="click", selector=selector, a11y=True, **more)
    return answer


def rules(answer: Message) -> dict[str, list[str]]:
    """Give where each rule was broken."""
    return {rule["id"]: rule["nodes"] for rule in answer["a11y"]["new"]}


@pytest.mark.requirement("actions-021")
async def test_what_an_action_breaks_is_reported_the_worst_first(visit: Open, bridge: BridgeDouble) -> None:
    await visit("effects.html")
    answer = await click(bridge, "#breaks")

    broken = rules(answer)
    assert {"image-alt", "button-name", "aria-roles"} <= broken.keys()
    assert ["#seen"] == broken["aria-roles"]
    (image,) = [rule for rule in answer["a11y"]["new"] if rule["id"] == "image-alt"]
    assert (1, "critical") == (image["count"], image["impact"])
    impacts = [rule["impact"] for rule in answer["a11y"]["new"]]
    assert sorted(impacts, key=["critical", "serious", "moderate", "minor"].index) == impacts


@pytest.mark.requirement("actions-021")
async def test_what_was_wrong_before_is_not_new_also_when_it_is_drawn_again(visit: Open, bridge: BridgeDouble) -> None:
    await visit("effects.html")
    again = await click(bridge, "#again")
    broken = await click(bridge, "#breaks")
    twice = await click(bridge, "#again")

    assert {"new": []} == again["a11y"]
    assert "image-alt" in rules(broken)
    assert {"new": []} == twice["a11y"]


async def test_where_nothing_changed_nothing_is_wrong(visit: Open, bridge: BridgeDouble) -> None:
    await visit("effects.html")

    assert {"new": []} == (await click(bridge, "#none"))["a11y"]


async def test_what_is_wrong_in_a_shadow_root_is_named_through_it(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("effects.html")
    await tab.evaluate("""
      by('place').attachShadow({ mode: 'open' }).innerHTML = '<p id="inner">A root</p>';
      by('none').onclick = () => by('place').shadowRoot.append(document.createElement('button'));
    """)

    assert {"button-name": ["#place >>> button"]} == rules(await click(bridge, "#none"))


async def test_what_is_wrong_in_a_frame_of_the_page_s_origin_is_named_through_it(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("effects.html")
    await tab.evaluate("""
      globalThis.frame = Object.assign(document.createElement('iframe'), { id: 'own', title: 'Own' });
      frame.srcdoc = '<html lang=en><title>Own</title><img src="data:,"><p id=inner>A frame</p>';
      document.querySelector('main').append(frame);
    """)
    await tab.until("!!frame.contentDocument.querySelector('#inner')")
    await tab.evaluate("""
      by('none').onclick = () => {
        const page = frame.contentDocument;
        page.querySelector('#inner').append(page.createElement('button'));
        by('seen').append(document.createElement('button'));
      };
    """)

    assert {"button-name": ["#own >>> button", "#seen > button"]} == rules(await click(bridge, "#none"))


async def test_the_page_notices_nothing_of_an_audit(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("effects.html")
    await tab.evaluate("""
      const far = { style: 'margin-top: 3000px', textContent: 'Far' };
      document.body.append(Object.assign(document.createElement('p'), far));
      const names = () => Object.getOwnPropertyNames(window);
      globalThis.stands = () => [document.documentElement.outerHTML, ...names(), scrollX, scrollY].join();
      globalThis.noticed = [];
      globalThis.watch = new MutationObserver((records) => noticed.push(...records.map(({ type }) => type)));
      watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      for (const type of ['message', 'scroll', 'focus', 'resize', 'error'])
        addEventListener(type, () => noticed.push(type), true);
      globalThis.before = '';
      before = stands();
    """)
    answer = await click(bridge, "#none")
    (event,) = await bridge.until_stored(type="effect", phase="ended", id=answer["effect"])

    assert [] == [one for one in await tab.evaluate("noticed") if one != "focus"]  # the click's own
    assert await tab.evaluate("stands() === before && typeof axe === 'undefined'")
    assert "dom" not in event


async def test_an_audit_does_not_count_into_what_is_measured(visit: Open, bridge: BridgeDouble) -> None:
    await visit("effects.html")
    answer = await click(bridge, "#breaks")

    timing = answer["measured"]["timing"]
    assert timing["end"] - timing["start"] < 150
    assert timing["settled"] - timing["start"] < 400


async def test_a_page_that_is_left_cannot_be_audited_and_the_reply_states_it(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("effects.html")
    answer = await click(bridge, "#leaves")
    await tab.until("location.pathname === '/small.html'")

    assert (True, "The page was left.") == (answer.get("navigated"), answer["a11y_unavailable"])


async def test_an_audit_that_does_not_end_is_abandoned_and_the_action_done(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    assert chromium.extension is not None
    (chromium.extension / "vendor" / "axe.min.js").write_text("var axe = { run: () => new Promise(() => {}) };")
    tab = await visit("effects.html")
    answer = await click(bridge, "#breaks")

    assert "within 5 s" in answer["a11y_unavailable"]
    assert answer["success"]
    assert "nonsense" == await tab.evaluate("by('seen').getAttribute('role')")


async def test_without_being_asked_nothing_is_audited(visit: Open, bridge: BridgeDouble) -> None:
    await visit("effects.html")
    answer = await bridge.result("interact", action="click", selector="#breaks")

    assert not {"a11y", "a11y_unavailable"} & answer.keys()


@pytest.mark.requirement("faults-025")
@pytest.mark.requirement("actions-021")
async def test_of_a_large_page_only_what_is_added_is_audited_and_the_reply_states_it(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("effects.html")
    await tab.evaluate("document.body.insertAdjacentHTML('beforeend', '<i>.</i>'.repeat(10_000))")

    answer = await click(bridge, "#breaks")

    assert "5000 elements" in answer["a11y"]["partial"]
    assert {"image-alt", "button-name"} <= rules(answer).keys()
    assert "aria-roles" not in rules(answer)  # of an element that was there before


@pytest.mark.requirement("faults-025")
@pytest.mark.requirement("actions-021")
async def test_a_large_addition_is_not_audited(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("effects.html")
    await tab.evaluate("""
      document.querySelector('#none').onclick = () => {
        const list = `<ul>${'<li><img src="/x.png">'.repeat(3000)}</ul>`;
        document.body.insertAdjacentHTML('beforeend', `${list}<img src="/y.png">`);
      }; 0
    """)

    clicked = {"action": "click", "selector": "#none", "a11y": True}
    answer = (await bridge.ask("interact", clicked, timeout_ms=28_000))["result"]  # 5,000 elements on a busy machine

    (image,) = [rule for rule in answer["a11y"]["new"] if rule["id"] == "image-alt"]
    assert 1 == image["count"]
    assert "5000 elements" in answer["a11y"]["partial"]


@pytest.mark.requirement("faults-025")
@pytest.mark.requirement("actions-021")
async def test_a_page_that_is_too_large_for_an_audit_is_acted_on_and_the_reply_states_its_size(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("effects.html")
    await tab.evaluate("document.body.insertAdjacentHTML('beforeend', '<i>.</i>'.repeat(30_000))")

    answer = await click(bridge, "#breaks")

    assert answer["success"]
    assert "a11y" not in answer
    assert "30" in answer["a11y_unavailable"]
    assert "20000" in answer["a11y_unavailable"]
