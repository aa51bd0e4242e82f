"""What `highlight` draws on real pages, as Chrome lays it out, and what nobody else meets of it."""

import time
from typing import Any

import pytest

from browser.bridge_double import BridgeDouble
from browser.extension.conftest import switch_pilot
from browser.scene import LISTENING_TO_POPOVERS, Open
from gasoline_bridge.devtools import Browser, ChromiumError, Tab, until

pytestmark = pytest.mark.usefixtures("acting")

Box = tuple[float, float, float, float]

BORDER = 4


async def show(bridge: BridgeDouble, selector: str, **arguments: object) -> Box:
    """Highlight in the page in front, and return the bounds that are answered."""
    answer = await bridge.result("highlight", selector=selector, **arguments)
    bounds = answer["bounds"]
    return (bounds["x"], bounds["y"], bounds["width"], bounds["height"])


def nodes_of(node: dict[str, Any]) -> list[dict[str, Any]]:
    """List a node and all below it, closed roots and frames included."""
    below = [*node.get("children", []), *node.get("shadowRoots", [])]
    below += [node[key] for key in ("contentDocument",) if key in node]
    return [node, *(found for child in below for found in nodes_of(child))]


async def highlighters(tab: Tab) -> list[int]:
    """Find the highlighters that stand in closed roots."""
    await tab.send("DOM.enable")
    document = (await tab.send("DOM.getDocument", depth=-1, pierce=True))["root"]
    roots = [root for node in nodes_of(document) for root in node.get("shadowRoots", [])]
    closed = [node for root in roots if root["shadowRootType"] == "closed" for node in nodes_of(root)]
    return [node["nodeId"] for node in closed if "gasoline-highlighter" in node.get("attributes", [])]


async def drawn(tab: Tab) -> Box | None:
    """Give what the border surrounds, as the browser lays it out; nothing if none is shown."""
    found = await highlighters(tab)
    if not found:
        return None
    try:
        answer = await tab.send("DOM.getBoxModel", nodeId=found[0])
    except ChromiumError:  # it is hidden, or gone by now
        return None
    left, top, _, _, right, bottom, *_ = answer["model"]["border"]
    return (left + BORDER, top + BORDER, right - left - 2 * BORDER, bottom - top - 2 * BORDER)


async def style(tab: Tab, node: int) -> dict[str, str]:
    """Give the computed style of a node."""
    await tab.send("CSS.enable")
    computed = (await tab.send("CSS.getComputedStyleForNode", nodeId=node))["computedStyle"]
    return {entry["name"]: entry["value"] for entry in computed}


async def until_drawn(tab: Tab, box: Box | None) -> None:
    """Wait until the border surrounds a box, or until none is shown."""

    async def look() -> bool:
        seen = await drawn(tab)
        return seen == (pytest.approx(box, abs=1) if box else None)

    await until(look, f"a border around {box}", 5)


async def frames_pass(tab: Tab) -> None:
    """Wait until the page was drawn three times: whatever is done at the next drawing is done by then."""
    frame = "new Promise((done) => requestAnimationFrame(done))"
    await tab.evaluate(f"{frame}.then(() => {frame}).then(() => {frame})")


async def box_of(tab: Tab, expression: str) -> Box:
    """Give the box of an element of the page's own document."""
    box = await tab.evaluate(
        f"(({{x, y, width, height}}) => [x, y, width, height])({expression}.getBoundingClientRect())"
    )
    return (box[0], box[1], box[2], box[3])


@pytest.mark.requirement("003-020", "003-021", "003-022", "003-023", "003-024", "003-025", "pilot-007", "pilot-011")
async def test_a_highlight_is_drawn_around_its_element_as_seed_003_styles_it(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("highlight.html")

    answer = await bridge.result("highlight", selector="#near")

    (node,) = await highlighters(tab)
    seen = await style(tab, node)
    assert answer == {
        "success": True,
        "selector": "#near",
        "bounds": {"x": 100, "y": 80, "width": 120, "height": 40},
    }
    assert await drawn(tab) == (100, 80, 120, 40)
    assert (seen["position"], seen["z-index"], seen["pointer-events"]) == ("fixed", "2147483647", "none")
    assert (seen["border-top-width"], seen["border-left-style"], seen["border-right-color"]) == (
        "4px",
        "solid",
        "rgb(255, 0, 0)",
    )


@pytest.mark.requirement("003-026", "pilot-009")
async def test_a_highlight_goes_after_its_time(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("highlight.html")

    await show(bridge, "#near", duration_ms=300)
    begun = time.monotonic()
    shown = await highlighters(tab)
    await until_drawn(tab, None)

    assert len(shown) == 1
    assert time.monotonic() - begun < 4.5  # without `duration_ms` it is 5 s
    assert await highlighters(tab) == []


@pytest.mark.requirement("003-026", "pilot-009")
async def test_the_next_highlight_takes_the_place_of_the_last(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("highlight.html")

    await show(bridge, "#near", duration_ms=200)
    await show(bridge, "#second", duration_ms=60_000)
    await tab.evaluate("new Promise((done) => setTimeout(done, 300))")

    assert len(await highlighters(tab)) == 1
    assert await drawn(tab) == (100, 200, 30, 30)


async def test_a_highlight_is_taken_away_when_the_switch_goes_off(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    tab = await visit("highlight.html")
    await show(bridge, "#near")
    before = await highlighters(tab)
    await switch_pilot(chromium, on=False)

    async def gone() -> bool:
        return not await highlighters(tab)

    await until(gone, "the highlight to go", 1)

    assert len(before) == 1


async def test_a_highlight_is_taken_away_when_another_fails(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("highlight.html")
    await show(bridge, "#near")
    await bridge.error("highlight", selector="#none")

    assert await highlighters(tab) == []


async def test_the_first_visible_match_is_shown_and_all_are_counted(visit: Open, bridge: BridgeDouble) -> None:
    await visit("highlight.html")

    answer = await bridge.result("highlight", selector=".twin")

    assert (answer["match_count"], answer["bounds"]) == (3, {"x": 100, "y": 200, "width": 30, "height": 30})


@pytest.mark.requirement("pilot-011")
async def test_what_is_off_screen_is_scrolled_to_the_middle_first(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("highlight.html")

    before = await show(bridge, "#near")
    stayed = await tab.evaluate("scrollY")
    far = await show(bridge, "#far")
    middle = await tab.evaluate("innerHeight / 2")

    assert (before[1], stayed) == (80, 0)
    assert far[1] + 20 == pytest.approx(middle, abs=1)
    assert await drawn(tab) == pytest.approx(far, abs=1)


async def test_what_its_scroller_hides_is_scrolled_into_sight(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("highlight.html")

    box = await show(bridge, "#deep")

    assert await tab.evaluate("scroller.scrollTop") > 500
    assert 80 <= box[1] <= 160


@pytest.mark.requirement("pilot-008")
async def test_the_border_follows_scrolling_resizing_and_layout(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("highlight.html")

    await show(bridge, "#deep", duration_ms=60_000)
    for change in (
        "scrollTo(0, 30)",
        "scroller.scrollTop -= 25",
        "deep.style.width = '90px'",
        "scroller.style.left = '450px'",
    ):
        await tab.evaluate(f"void ({change})")
        await until_drawn(tab, await box_of(tab, "deep"))


@pytest.mark.parametrize("hide", ["near.remove()", "near.style.visibility = 'hidden'", "near.hidden = true"])
async def test_the_border_is_hidden_while_its_element_is_gone(visit: Open, bridge: BridgeDouble, hide: str) -> None:
    tab = await visit("highlight.html")

    await show(bridge, "#near", duration_ms=60_000)
    await tab.evaluate(f"globalThis.near = document.querySelector('#near'), void ({hide})")
    await until_drawn(tab, None)
    await tab.evaluate("near.hidden = false, near.style.visibility = '', void document.body.prepend(near)")

    await until_drawn(tab, (100, 80, 120, 40))


async def test_a_page_that_removes_what_it_does_not_know_is_left_in_peace(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("highlight.html")
    await tab.evaluate(
        """
        globalThis.removed = 0;
        new MutationObserver(() => {
          const last = document.documentElement.lastElementChild;
          if (last !== document.body) last.remove(), removed++;
        }).observe(document, { childList: true, subtree: true });
        """
    )

    await show(bridge, "#near")
    await frames_pass(tab)

    assert (await highlighters(tab), await tab.evaluate("removed")) == ([], 1)


@pytest.mark.requirement("pilot-007")
async def test_no_rule_of_the_page_changes_the_highlight(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("unkind.html")

    await show(bridge, "#near", duration_ms=60_000)
    await frames_pass(tab)

    (node,) = await highlighters(tab)
    seen = await style(tab, node)
    assert await drawn(tab) == (100, 80, 120, 40)
    assert (seen["opacity"], seen["visibility"], seen["border-top-style"]) == ("1", "visible", "solid")
    assert await pixel(tab, 97, 100) == [255, 0, 0]
    assert await pixel(tab, 300, 400) == [255, 255, 255]


async def pixel(tab: Tab, x: int, y: int) -> list[int]:
    """Give the colour of a pixel of the window, as it is shown."""
    clip = {"x": x, "y": y, "width": 1, "height": 1, "scale": 1}
    scroll = await tab.evaluate("[scrollX, scrollY]")
    clip |= {"x": x + scroll[0], "y": y + scroll[1]}
    data = (await tab.send("Page.captureScreenshot", clip=clip))["data"]
    colour: list[int] = await tab.evaluate(
        f"createImageBitmap(new Blob([Uint8Array.from(atob('{data}'), (c) => c.charCodeAt())])).then((image) => {{"
        "const paper = new OffscreenCanvas(1, 1).getContext('2d'); paper.drawImage(image, 0, 0);"
        "return [...paper.getImageData(0, 0, 1, 1).data].slice(0, 3); })"
    )
    return colour


async def test_a_highlight_stands_above_a_modal_dialog_and_one_that_opens_later(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("highlight.html")

    await tab.evaluate("document.querySelector('dialog').showModal()")
    box = await show(bridge, "#agree", duration_ms=60_000)
    above = await pixel(tab, 518, 330)
    await tab.evaluate("document.querySelector('#late').showModal()")
    await frames_pass(tab)

    assert box == (520, 320, 80, 30)
    assert above == [255, 0, 0]
    assert await pixel(tab, 518, 330) == [255, 0, 0]


@pytest.mark.requirement("pilot-011")
@pytest.mark.parametrize(
    ("page", "selector", "expected"),
    [
        ("highlight.html", "#circle", (130, 330, 40, 40)),
        ("highlight.html", "#contents", (700, 80, 60, 30)),
        ("frames.html", "#outer >>> iframe >>> #inner", (140, 100, 50, 20)),
    ],
)
async def test_what_has_no_usual_box_or_is_in_frames_is_surrounded_where_it_is_seen(
    visit: Open, bridge: BridgeDouble, page: str, selector: str, expected: Box
) -> None:
    tab = await visit(page)

    assert await show(bridge, selector) == expected
    assert await drawn(tab) == pytest.approx(expected, abs=1)


@pytest.mark.requirement("pilot-011")
async def test_an_element_in_a_shadow_root_is_surrounded(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("shadow.html")

    box = await show(bridge, "my-badge >>> button")

    inner = "document.querySelector('#first').shadowRoot.querySelector('my-badge').shadowRoot.querySelector('button')"
    assert box == pytest.approx(await box_of(tab, inner), abs=0.01)
    assert await drawn(tab) == pytest.approx(box, abs=1)


async def test_what_a_frame_hides_is_scrolled_into_sight_and_followed_in_it(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("frames.html")
    inner = "document.querySelector('#outer').contentDocument.querySelector('iframe').contentWindow"
    await tab.evaluate(f"{inner}.document.querySelector('#inner').style.top = '3000px'")

    box = await show(bridge, "#inner", duration_ms=60_000)
    await tab.evaluate(f"{inner}.scrollBy(0, -20)")

    assert 65 < box[1] < 65 + 300
    await until_drawn(tab, (box[0], box[1] + 10, box[2], box[3]))


async def test_a_page_zoomed_by_its_style_is_surrounded_rightly(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("highlight.html")
    await tab.evaluate("document.documentElement.style.zoom = 2")

    await show(bridge, "#near")

    left, top, width, height = await box_of(tab, "near")
    (node,) = await highlighters(tab)
    answer = (await tab.send("DOM.getBoxModel", nodeId=node))["model"]["border"]
    assert (answer[0], answer[4]) == pytest.approx((left - 4, left + width + 4), abs=1)
    assert (answer[1], answer[5]) == pytest.approx((top - 4, top + height + 4), abs=1)


async def test_what_fills_the_window_has_its_border_inside(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("highlight.html")
    await tab.evaluate("near.style = 'position: fixed; inset: 0; width: auto; height: auto'")

    box = await show(bridge, "#near")

    left, top, width, height = await drawn(tab) or (0, 0, 0, 0)
    assert (left, top, width, height) == (4, 4, box[2] - 8, box[3] - 8)


async def test_a_page_of_strict_policy_is_highlighted_like_any_other(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("strict.html")

    box = await show(bridge, ".note")

    assert await drawn(tab) == pytest.approx(box, abs=1)
    assert await pixel(tab, round(box[0] + 50), round(box[1] - 2)) == [255, 0, 0]


@pytest.mark.requirement("pilot-010")
async def test_no_query_meets_the_highlight_and_the_pages_own_of_that_id_is_found(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("highlight.html")
    await tab.evaluate("document.querySelector('#zero').id = 'gasoline-highlighter'")

    async def survey() -> list[object]:
        answers = [
            await bridge.result("query_dom", selector=selector, include_children=True)
            for selector in ("*", "div", "html", "html > div", "[popover]", "[aria-hidden]", "#gasoline-highlighter")
        ]
        return [*answers, await bridge.result("get_page_info")]

    before = await survey()
    await show(bridge, "#near", duration_ms=60_000)
    during = await survey()

    assert len(await highlighters(tab)) == 1
    assert during == before
    assert [match["attributes"] for match in during[6]["matches"]] == [{"id": "gasoline-highlighter"}]  # type: ignore[index]


@pytest.mark.requirement("pilot-010")
async def test_the_page_hears_no_popover_of_the_highlight(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("highlight.html")
    await tab.evaluate(LISTENING_TO_POPOVERS)

    await show(bridge, "#near", duration_ms=60_000)
    await tab.evaluate("document.body.insertAdjacentHTML('beforeend', '<p id=own popover=manual>Own')")
    await tab.evaluate("own.showPopover()")
    await tab.until("heard.length > 1")

    assert await tab.evaluate("heard") == ["beforetoggle p", "toggle p"]


@pytest.mark.requirement("pilot-010")
async def test_no_screen_reader_reads_the_highlight(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("highlight.html")

    async def told() -> list[object]:
        tree = (await tab.send("Accessibility.getFullAXTree"))["nodes"]
        return [node.get("name", {}).get("value") for node in tree if not node["ignored"]]

    before = await told()
    await show(bridge, "#near", duration_ms=60_000)

    assert await told() == before
    assert await tab.evaluate("document.documentElement.lastElementChild.tabIndex") == -1


async def test_a_page_left_and_come_back_to_has_no_highlight(visit: Open, bridge: BridgeDouble, pages: str) -> None:
    tab = await visit("highlight.html")
    await show(bridge, "#near", duration_ms=60_000)

    await tab.navigate(pages + "small.html")
    elsewhere = await highlighters(tab)
    await tab.evaluate("void history.back()")
    await tab.until("location.pathname === '/highlight.html' && document.readyState === 'complete'")

    assert (elsewhere, await highlighters(tab)) == ([], [])


@pytest.mark.parametrize(
    ("selector", "code"),
    [("#none", "element_not_found"), ("#hidden", "element_not_visible"), ("#zero", "element_not_visible")],
)
async def test_what_is_not_there_and_what_is_not_seen_have_different_errors(
    look: Open, bridge: BridgeDouble, selector: str, code: str
) -> None:
    await look("highlight.html")

    error = await bridge.error("highlight", selector=selector)

    assert (error["code"], error["details"]["selector"]) == (code, selector)
    assert error["recovery"]


@pytest.mark.parametrize("place", ["position: absolute; left: -900px", "position: fixed; top: 3000px"])
async def test_what_no_scrolling_brings_into_sight_is_reported(visit: Open, bridge: BridgeDouble, place: str) -> None:
    tab = await visit("highlight.html")
    await tab.evaluate(f"document.querySelector('#near').style = '{place}'")

    error = await bridge.error("highlight", selector="#near")

    assert (error["code"], set(error["details"])) == ("element_not_visible", {"selector", "bounds"})
    assert "outside of the window" in error["message"]
    assert await drawn(tab) is None


async def test_a_selector_that_does_not_parse_is_named(look: Open, bridge: BridgeDouble) -> None:
    await look("highlight.html")

    error = await bridge.error("highlight", selector="li[")

    assert (error["code"], error["details"]) == ("invalid_params", {"parameter": "selector", "value": "li["})
    assert '"li["' in error["message"]
