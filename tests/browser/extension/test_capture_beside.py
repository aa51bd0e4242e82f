"""What is captured from beside the page: violations, the timeline, vitals, routes, and what the user did."""

from typing import Any

import pytest

from browser.collector import Collector, Event
from browser.input import click, click_at, press, type_text


def bare(event: Event) -> Event:
    return {name: value for name, value in event.items() if name not in {"ts", "type", "x", "y"}}


async def actions(collector: Collector, count: int, **fields: object) -> list[Event]:
    return [bare(event) for event in await collector.heard(count, type="action", **fields)]


@pytest.mark.requirement("capture-012")
async def test_a_click_names_what_was_meant_and_finds_it_again(collector: Collector) -> None:
    tab = await collector.visit("actions.html")
    await click(tab, "#inner")

    (clicked,) = await actions(collector, 1, action="click")

    assert {"action": "click", "selector": "#more", "tag": "button", "text": "Load more"} == clicked


async def test_a_click_in_a_shadow_root_is_named_through_its_host(collector: Collector) -> None:
    tab = await collector.visit("actions.html")
    await click_at(tab, "document.querySelector('my-card').shadowRoot.querySelector('.save')")

    (clicked,) = await actions(collector, 1, action="click")

    assert ("my-card >>> button", "Save") == (clicked["selector"], clicked["text"])


@pytest.mark.requirement("capture-013")
@pytest.mark.parametrize("selector", ["#password", "#otp", "#code", "#veiled"])
async def test_what_is_typed_into_a_sensitive_field_is_not_reported(collector: Collector, selector: str) -> None:
    tab = await collector.visit("actions.html")
    await type_text(tab, selector, "planted-secret")

    (entered,) = await actions(collector, 1, action="input")

    assert {"action": "input", "selector": selector, "tag": "input"} == entered
    assert "planted-secret" not in str(await collector.chunks())


async def test_what_is_entered_elsewhere_is_reported_when_the_field_is_left(collector: Collector) -> None:
    tab = await collector.visit("actions.html")
    await type_text(tab, "#name", "Ada")
    await click(tab, "#agree")
    await type_text(tab, "#note", "new")

    entered = await actions(collector, 3, action="input")

    assert [("#name", "Ada"), ("#agree", "checked")] == [(one["selector"], one["value"]) for one in entered[:2]]
    assert ("#note", True) == (entered[2]["selector"], "new" in entered[2]["value"])


async def test_keys_that_write_nothing_are_reported_and_no_character_is(collector: Collector) -> None:
    tab = await collector.visit("actions.html")
    await click(tab, "#name")
    await press(tab, "q", text="q")
    await press(tab, "Escape")
    await press(tab, "k", modifiers=2)
    await press(tab, "Enter", text="\r")

    keys = await actions(collector, 3, action="key")
    await actions(collector, 1, action="submit")

    assert ["Escape", "Control+k", "Enter"] == [one["key"] for one in keys]


async def test_the_end_of_a_scroll_is_reported_once_with_where_it_ended(collector: Collector) -> None:
    tab = await collector.visit("actions.html")
    await tab.send("Input.synthesizeScrollGesture", x=600, y=500, yDistance=-400, speed=4_000)

    scrolled = (await collector.heard(1, type="action", action="scroll"))[-1]

    assert ("html", await tab.evaluate("Math.round(scrollY)")) == (scrolled["selector"], scrolled["y"])


async def test_what_a_script_does_is_no_action(collector: Collector) -> None:
    tab = await collector.visit("actions.html")
    await tab.evaluate("document.getElementById('more').click(); document.dispatchEvent(new Event('scrollend')); 0")
    await click(tab, "#size")
    await actions(collector, 1, selector="#size")

    assert 1 == len(await collector.events(type="action"))


@pytest.mark.requirement("capture-047")
async def test_pages_and_routes_are_reported_with_where_they_came_from(collector: Collector) -> None:
    tab = await collector.visit("actions.html")
    here = collector.pages + "actions.html"
    for step in ("pushState({}, '', '?a=1')", "replaceState({}, '', '?a=2')"):
        await tab.evaluate(f"history.{step}; 0")
    await tab.evaluate("location.hash = 'x'; 0")
    await collector.heard(1, navigation="hash")
    await tab.evaluate("history.back(); 0")
    await collector.heard(2, navigation="hash")
    await tab.navigate(here)
    begun = await collector.heard(6, type="navigation")

    assert [
        ("navigate", "", None),
        ("push", "?a=1", ""),
        ("replace", "?a=2", "?a=1"),
        ("hash", "?a=2#x", "?a=2"),
        ("hash", "?a=2", "?a=2#x"),
        ("navigate", "", None),
    ] == [
        (one["navigation"], one["url"].removeprefix(here), one["from"].removeprefix(here) if "from" in one else None)
        for one in begun
    ]
    pages = [chunk["page"] for chunk in await collector.chunks()]
    assert here + "?a=1" in pages


@pytest.mark.requirement("capture-006")
async def test_what_the_policy_blocks_is_an_error_with_its_directive(collector: Collector) -> None:
    tab = await collector.visit("strict.html")
    await tab.evaluate("document.body.append(Object.assign(new Image(), {src: 'http://127.0.0.1:1/x.png'})); 0")

    blocked = next(one for one in await collector.heard(1, kind="csp") if one["directive"] == "img-src")

    assert "http://127.0.0.1:1/x.png" == blocked["target"]
    assert "img-src blocks http://127.0.0.1:1/x.png" == blocked["message"]


async def test_a_request_that_the_policy_blocks_is_not_placed_in_our_script(collector: Collector) -> None:
    tab = await collector.visit("strict.html")
    await tab.evaluate("fetch('http://127.0.0.1:1/x').catch(() => 0); 0")

    blocked = next(one for one in await collector.heard(1, kind="csp") if one["directive"] == "connect-src")

    assert "http://127.0.0.1:1/x" == blocked["target"]
    assert "source" not in blocked


async def test_what_a_page_only_pretends_was_blocked_is_not_reported(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate("document.dispatchEvent(new SecurityPolicyViolationEvent('securitypolicyviolation', {}));")
    await tab.evaluate("console.log('after')")
    await collector.heard(1, type="console")

    assert [] == await collector.events(kind="csp")


@pytest.mark.requirement("capture-011", "001-035", "001-037", "001-038", "001-039", "001-082", "001-083", "001-123")
async def test_marks_measures_tasks_and_shifts_are_reported(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate("""
        performance.mark('hero-start', {detail: {step: 1}});
        performance.measure('hero', {start: 10, duration: 62.5});
        setTimeout(() => { const until = performance.now() + 80; while (performance.now() < until); });
        0
    """)
    move = "document.getElementById('top').style.marginTop = '200px'"
    await tab.evaluate(f"new Promise(done => setTimeout(() => {{ {move}; done(0); }}, 600))")

    (mark,) = await collector.heard(1, entry="mark")
    (measure,) = await collector.heard(1, entry="measure")
    task = max(await collector.heard(1, entry="longtask"), key=lambda entry: entry["duration"])
    (shift, *_) = await collector.heard(1, entry="layout-shift")

    assert ("hero-start", '{"step":1}', 0) == (mark["name"], mark["detail"], mark["duration"])
    assert ("hero", 10, 62.5) == (measure["name"], measure["start"], measure["duration"])
    assert task["duration"] >= 80
    assert shift["value"] > 0
    assert shift["element"]


async def test_what_was_loaded_is_reported_with_sizes_and_times(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate("fetch('/api/large?size=5000&length').then(r => r.text()).then(() => 0)")
    await tab.evaluate("fetch('/missing.json').then(() => 0)")

    (large,) = await collector.heard(1, url=f"{collector.pages}api/large?size=5000&length", type="resource")
    missing = await collector.heard(1, url=f"{collector.pages}missing.json", type="resource")

    assert (200, 5000, "fetch", True) == (large["status"], large["decodedSize"], large["initiator"], large["ttfb"] >= 0)
    assert large["transferSize"] > 5000
    assert 404 == missing[0]["status"]


@pytest.mark.requirement("001-077", "capture-042")
async def test_the_vitals_of_a_load_are_reported_with_what_caused_them(collector: Collector) -> None:
    tab = await collector.visit("actions.html")
    await collector.heard(1, name="LCP")
    await click(tab, "#more")
    await collector.heard(1, name="INP")

    vitals: dict[str, Any] = {one["name"]: one for one in await collector.events(type="vital")}

    assert {"LCP", "CLS", "INP", "FCP", "TTFB"} == vitals.keys()
    assert ("#inner", "pointer") == (vitals["INP"]["element"], vitals["INP"]["interaction"])
    assert all(one["rating"] in {"good", "needs-improvement", "poor"} for one in vitals.values())
    assert vitals["LCP"]["element"]
    assert vitals["LCP"]["value"] >= vitals["FCP"]["value"] > 0


@pytest.mark.requirement("001-041")
async def test_a_load_is_reported_in_numbers(collector: Collector) -> None:
    await collector.visit("actions.html")

    load = (await collector.heard(1, type="performance"))[-1]

    assert (collector.pages + "actions.html", "navigate", 1) == (load["url"], load["navigation"], load["requestCount"])
    timing = load["timing"]
    assert 0 < timing["ttfb"] <= timing["domContentLoaded"] <= timing["load"]
    assert timing["fcp"] > 0
    assert timing["lcp"] > 0
    assert load["transferSize"] >= 0
    assert {"ts", "cls", "longTaskCount", "totalBlockingTime"} <= load.keys()


async def test_a_hidden_page_reports_that_it_was_never_painted(collector: Collector) -> None:
    tab = await collector.browser.new_tab(collector.pages + "actions.html", background=True)
    try:
        load = (await collector.heard(1, type="performance", hidden=True))[-1]
    finally:
        await tab.close()

    assert (None, None) == (load["timing"]["fcp"], load["timing"]["lcp"])
