"""What the page gathers for an accessibility audit: what axe finds there by itself, one audit at a time."""

import asyncio
import json
import shutil
from typing import Any

import pytest

from browser.axe import AXE
from browser.bridge_double import BridgeDouble, Message
from browser.scene import Open
from gasoline_bridge.devtools import Browser, Tab, until

pytestmark = pytest.mark.usefixtures("acting", "vendored")

NEVER_ENDS = """
var axe = { getRules: () => [], frameMessenger() {}, run: () => new Promise(() => {}) };
"""
"""In the place of axe: a run that never ends."""

OWN_RUN = """
(async () => {
  for (const frame of document.querySelectorAll('iframe')) frame.contentWindow.eval(source);
  (0, eval)(source);
  const { violations, incomplete } = await axe.run();
  const placeOf = ({ target }) => target.flat().join(' >>> ');
  const placesOf = (rules) => rules.map(({ id, nodes }) => [id, nodes.map(placeOf)]);
  return { violations: placesOf(violations), incomplete: placesOf(incomplete) };
})()
"""
"""axe in the page's own world, with its default options; `source` is axe's."""


@pytest.fixture
async def vendored(chromium: Browser) -> None:
    """Put axe into the extension's folder, from where Chrome reads it when it is injected."""
    assert chromium.extension is not None
    await asyncio.to_thread(shutil.copy, AXE, chromium.extension / "vendor" / "axe.min.js")


def put_axe(chromium: Browser, text: str | None) -> None:
    """Put something else in the place of axe, or nothing."""
    assert chromium.extension is not None
    file = chromium.extension / "vendor" / "axe.min.js"
    file.unlink(missing_ok=True)
    if text is not None:
        file.write_text(text)


def query(timeout_ms: int = 15_000, cached_ms: int = 0, **arguments: Any) -> dict[str, Any]:
    more = {"arguments": arguments, "timeout_ms": timeout_ms, "cached_ms": cached_ms}
    return {"what": "audit accessibility", "parts": ["accessibility"], **more}


async def audit(bridge: BridgeDouble, **more: Any) -> Message:
    """Audit the page in front, and give the whole answer."""
    answer: Message = await bridge.result("analyze", **query(**more))
    return answer


async def refused(bridge: BridgeDouble, **more: Any) -> tuple[str, str]:
    """Audit the page in front, and give the error's code and message."""
    error = await bridge.error("analyze", **query(**more))
    return error["code"], error["message"]


def places(answer: Message, outcome: str = "violations") -> dict[str, set[str]]:
    """Give where each rule was broken."""
    rules = answer["evidence"]["accessibility"][outcome]
    return {rule["id"]: {node["selector"] for node in rule["nodes"]} for rule in rules}


def counts(answer: Message, outcome: str) -> dict[str, int]:
    return {rule["id"]: rule["count"] for rule in answer["evidence"]["accessibility"][outcome]}


@pytest.mark.requirement("analyze-002", "000-026", "000-042", "000-122", "002-009", "002-127", "002-128")
@pytest.mark.requirement("002-129")
@pytest.mark.parametrize("name", ["audited.html", "listed.html", "components.html", "widgets.html"])
async def test_what_is_found_is_what_axe_finds_by_itself(visit: Open, bridge: BridgeDouble, name: str) -> None:
    tab = await visit(name)
    answer = await audit(bridge)
    own = await tab.evaluate(f"const source = {await source()};\n{OWN_RUN}")

    for outcome in ("violations", "incomplete"):
        expected = {rule: set(found) for rule, found in own[outcome]}
        assert {rule: len(found) for rule, found in own[outcome]} == counts(answer, outcome), outcome
        few = {rule: found for rule, found in expected.items() if len(found) <= 10}
        assert few == {rule: found for rule, found in places(answer, outcome).items() if rule in few}, outcome


async def source() -> str:
    """Give the text of axe as a literal of JavaScript."""
    return json.dumps(await asyncio.to_thread(AXE.read_text))


@pytest.mark.requirement("analyze-002")
async def test_shadow_roots_and_frames_of_every_origin_are_audited_and_named(
    visit: Open, bridge: BridgeDouble, pages: str
) -> None:
    tab = await visit("audited.html")
    other = pages.replace("127.0.0.1", "localhost")
    await tab.evaluate(f"""new Promise((done) => {{
      const frame = Object.assign(document.createElement('iframe'), {{ id: 'other', src: '{other}audited.html' }});
      frame.onload = () => done(0);
      document.body.append(frame);
    }})""")
    answer = await audit(bridge)
    found = places(answer)

    assert {"#picture", "#same >>> #inner", "#other >>> #picture", "#other >>> #same >>> #inner"} == found["image-alt"]
    assert {"#silent", "#host >>> #rooted", "#other >>> #silent", "#other >>> #host >>> #rooted"} == found[
        "button-name"
    ]
    assert [] == answer["warnings"]


@pytest.mark.requirement("analyze-011", "000-049", "000-050", "000-135", "002-166")
@pytest.mark.parametrize("name", ["strict.html", "trusted-conformance.html", "sandboxed.html"])
async def test_no_policy_of_a_page_stands_in_the_way_and_the_page_notices_nothing(
    visit: Open, bridge: BridgeDouble, name: str
) -> None:
    tab = await visit(name)
    await tab.evaluate("""
      var heard = [];
      addEventListener('message', () => heard.push('message'), true);
      addEventListener('securitypolicyviolation', () => heard.push('violation'), true);
      new MutationObserver(() => heard.push('mutation'))
        .observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      var html = document.documentElement.outerHTML; 0
    """)
    answer = await audit(bridge)

    assert answer["evidence"]["accessibility"]["counts"]["passes"] > 0
    assert await tab.evaluate("html === document.documentElement.outerHTML && typeof axe === 'undefined'")
    assert [] == await tab.evaluate("heard")


@pytest.mark.requirement("000-009", "000-168", "000-176", "002-131", "002-132", "002-133", "002-138")
@pytest.mark.requirement("002-139", "analyze-001")
async def test_an_audit_is_narrowed_by_selector_and_tags(look: Open, bridge: BridgeDouble) -> None:
    await look("audited.html")
    part = places(await audit(bridge, selector="#part"))
    rooted = places(await audit(bridge, selector="#host >>> button"))
    tagged = places(await audit(bridge, tags=["wcag143"]))
    passes = (await audit(bridge, selector="#part", include_passes=True))["evidence"]["accessibility"]["passes"]
    wrong = [await refused(bridge, selector=selector) for selector in ("#nothing", "a[", "xpath=//a")]
    unknown = await refused(bridge, tags=["wcag2a", "wcag9"])

    assert ({"#bare"}, {"label", "heading-order"} >= part.keys()) == (part["label"], True)
    assert {"button-name": {"#host >>> #rooted"}} == rooted
    assert ["color-contrast"] == [*tagged]
    assert all(rule["count"] > 0 for rule in passes)
    assert ["invalid_selector"] * 3 == [code for code, _ in wrong]
    assert "#nothing" in wrong[0][1]
    assert "invalid_params" == unknown[0]
    assert "wcag9" in unknown[1]


@pytest.mark.requirement("000-172", "000-041", "000-046", "000-082", "analyze-012")
async def test_without_axe_the_audit_fails_and_after_5_s_it_is_tried_again(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    put_axe(chromium, None)
    await visit("small.html")
    first = await refused(bridge)
    await asyncio.to_thread(shutil.copy, AXE, _vendor(chromium))
    second = await refused(bridge)

    async def again() -> Message | None:
        answer = await bridge.ask("analyze", query())
        result: Message | None = answer.get("result")
        return result

    assert ["axe_injection_failed"] * 2 == [first[0], second[0]]
    assert await until(again, "axe to be tried again")


def _vendor(chromium: Browser) -> str:
    return str(chromium.extension) + "/vendor/axe.min.js"


@pytest.mark.requirement("000-174", "000-178", "000-143", "000-145", "000-146", "analyze-008")
async def test_one_that_takes_too_long_holds_its_turn_until_the_page_is_left(
    visit: Open, bridge: BridgeDouble, chromium: Browser, pages: str
) -> None:
    put_axe(chromium, NEVER_ENDS)
    tab = await visit("small.html")
    late = await refused(bridge, timeout_ms=600)
    busy = await refused(bridge, timeout_ms=600)
    await asyncio.to_thread(shutil.copy, AXE, _vendor(chromium))
    await tab.navigate(f"{pages}audited_clean.html")
    answer = await audit(bridge)

    assert "analysis_timeout" == late[0]
    assert "concurrent_analysis" == busy[0]
    assert {} == places(answer)


@pytest.mark.requirement("000-177", "000-138", "000-140", "analyze-012")
async def test_a_page_that_is_left_meanwhile_is_an_error_that_states_it(
    visit: Open, bridge: BridgeDouble, chromium: Browser, pages: str
) -> None:
    put_axe(chromium, NEVER_ENDS)
    tab = await visit("small.html")
    asked = await bridge.command("analyze", query())
    await until(lambda: _has_axe(chromium), "axe to be there")
    await tab.navigate(f"{pages}audited_clean.html")
    answer = await bridge.until_heard(type="result", id=asked)

    assert "page_navigated" == answer["error"]["code"]


@pytest.mark.requirement("000-141", "000-148", "analyze-013")
async def test_of_an_analysis_whose_page_is_left_what_was_gathered_is_given(
    visit: Open, bridge: BridgeDouble, chromium: Browser, pages: str
) -> None:
    put_axe(chromium, NEVER_ENDS)
    tab = await visit("small.html")
    parts = {"what": "audit full", "parts": ["accessibility", "security"]}
    asked = await bridge.command("analyze", query() | parts)
    await until(lambda: _has_axe(chromium), "axe to be there")
    await tab.navigate(f"{pages}audited_clean.html")
    answer = (await bridge.until_heard(type="result", id=asked))["result"]

    assert (["security"], ["page_navigated"]) == ([*answer["evidence"]], answer["warnings"])
    assert "page_navigated" == answer["failures"]["accessibility"]["code"]


async def _has_axe(chromium: Browser) -> bool:
    worker = await chromium.service_worker()
    try:
        found: bool = await worker.evaluate("""chrome.windows.getLastFocused({ populate: true }).then(({ tabs }) =>
          chrome.scripting.executeScript({
            target: { tabId: tabs.find(({ active }) => active).id }, func: () => typeof axe === 'object' }))
          .then(([frame]) => frame.result)""")
    finally:
        await worker.detach()
    return found


@pytest.mark.requirement("000-148", "000-149", "analyze-012")
async def test_of_frames_that_hang_or_go_away_the_rest_is_given(visit: Open, bridge: BridgeDouble, pages: str) -> None:
    tab = await visit("audited.html")
    other = pages.replace("127.0.0.1", "localhost")
    await frame(tab, f"{other}hangs.html", "hangs")
    await frame(tab, f"{other}small.html", "goes")
    await tab.evaluate("document.getElementById('goes').remove(), 0")
    whole = await audit(bridge)
    await hang(tab, "hangs")
    answer = await audit(bridge, timeout_ms=3_000)

    assert [] == whole["warnings"]
    assert ["timeout"] == answer["warnings"]
    assert "#picture" in places(answer)["image-alt"]


async def frame(tab: Tab, url: str, name: str) -> None:
    await tab.evaluate(f"""new Promise((done) => {{
      const frame = Object.assign(document.createElement('iframe'), {{ id: '{name}', src: '{url}' }});
      frame.onload = () => done(0);
      document.body.append(frame);
    }})""")


async def hang(tab: Tab, name: str) -> None:
    """Have a frame of another origin busy for ever, in its own process."""
    await tab.evaluate(f"document.getElementById('{name}').src += '#busy', 0")


@pytest.mark.requirement("000-047", "000-121", "000-158", "000-165", "002-142", "002-147", "analyze-010")
async def test_the_same_question_is_answered_from_memory_until_the_page_is_another(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("audited.html")
    first = await audit(bridge, cached_ms=10_000)
    await tab.evaluate("document.getElementById('picture').alt = 'A picture', 0")
    again = await audit(bridge, cached_ms=10_000)
    other = await audit(bridge, cached_ms=10_000, selector="main")
    forced = await audit(bridge, cached_ms=0)
    await tab.send("Page.reload")
    await tab.until("document.readyState === 'complete' && !document.getElementById('picture').alt")
    reloaded = await audit(bridge, cached_ms=10_000)

    assert [False, True, False, False, False] == [
        one.get("cached", False) for one in (first, again, other, forced, reloaded)
    ]
    assert places(first) == places(again)
    assert "#picture" not in places(forced)["image-alt"]
    assert "#picture" in places(reloaded)["image-alt"]


@pytest.mark.requirement("analyze-012")
async def test_a_page_that_navigates_every_second_is_audited_or_stated_to_have_left(
    visit: Open, bridge: BridgeDouble
) -> None:
    await visit("navigates.html")
    answers = [await bridge.ask("analyze", query()) for _ in range(4)]

    for answer in answers:
        fault = answer.get("error", {}).get("code", "")
        if fault:
            assert "page_navigated" == fault
        elif "page_navigated" not in answer["result"]["warnings"]:
            assert places(answer["result"])["image-alt"] == {"img"}


@pytest.mark.requirement("analyze-012")
async def test_a_page_of_50_000_elements_and_one_that_never_rests_are_audited(
    visit: Open, bridge: BridgeDouble
) -> None:
    await visit("never-rests.html")
    restless = await audit(bridge)
    tab = await visit("blank.html")
    await tab.evaluate("""
      document.body.innerHTML = '<main>' + '<p><img src=x><span></span></p>'.repeat(12_500) + '</main>'; 0
    """)
    answer = await bridge.ask("analyze", query(timeout_ms=6_000), timeout_ms=20_000)

    assert restless["evidence"]["accessibility"]["counts"]["passes"] > 0
    large = answer.get("result")
    if large is None:
        assert "analysis_timeout" == answer["error"]["code"]
    else:
        (images,) = [one for one in large["evidence"]["accessibility"]["violations"] if one["id"] == "image-alt"]
        assert (12_500, 10) == (images["count"], len(images["nodes"]))
