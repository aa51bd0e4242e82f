"""Draw Mode on every screen: dense, zoomed, resized, scrolled, light and dark, and with a pen."""

import base64
import io
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final

import pytest
from PIL import Image

from browser.bridge_double import BridgeDouble
from browser.drawing import annotate, around, box_of, choose, drag, draw, finish, marked, shown, start, write
from browser.input import press
from browser.scene import Open
from gasoline_bridge.devtools import Browser, Tab, until

pytestmark = pytest.mark.usefixtures("acting", "fresh_tab")

BLUE: Final = (0x1F, 0x6F, 0xEB)
CHANNEL_OFF: Final = 12
FOOTER: Final = """
  document.body.insertAdjacentHTML('beforeend',
    `<div style="position: fixed; bottom: 24px; left: 0; right: 0; text-align: center">
    <button id="accept" style="width: 120px; height: 40px">Accept</button></div>`), 0
"""
DARK: Final = "document.documentElement.style.background = '#101418'; 0"
FRAMES: Final = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))"
SIGHT: Final = "(({ offsetLeft, offsetTop, scale }) => [offsetLeft, offsetTop, scale])(visualViewport)"
SCROLLER: Final = """
  document.body.insertAdjacentHTML('afterbegin', `
    <div id="scroller" style="height:200px;overflow:auto"><div style="height:600px;padding:120px 40px">
    <button id="inside" style="width:160px;height:40px">Inside</button></div></div>`), 0
"""


async def canvas(tab: Tab) -> tuple[int, int]:
    """Give the pixels of the overlay's canvas."""
    found: list[Any] = [(await tab.send("DOM.getDocument", depth=-1, pierce=True))["root"]]
    for node in found:
        found += [*node.get("children", []), *node.get("shadowRoots", [])]
    drawn = next(node["attributes"] for node in found if node["nodeName"] == "CANVAS")
    sizes = dict(zip(drawn[::2], drawn[1::2], strict=True))
    return int(sizes["width"]), int(sizes["height"])


async def is_sharp(tab: Tab, scale: float) -> bool | None:
    """Return whether a pixel of the canvas is one of the screen."""
    pane = await tab.evaluate("[document.documentElement.clientWidth, document.documentElement.clientHeight]")
    return all(abs(one - round(side * scale)) <= 1 for one, side in zip(await canvas(tab), pane, strict=True)) or None


def is_blue(image: Image.Image, x: float, y: float, scale: float) -> bool:
    """Return whether a place of the page, in its own pixels, or one beside it, has the colour of a suggestion."""
    left, top = int(x * scale), int(y * scale)
    near = image.crop((left - 1, top - 1, left + 2, top + 2)).tobytes()
    pixels = zip(near[::3], near[1::3], near[2::3], strict=True)
    return any(all(abs(one - other) <= CHANNEL_OFF for one, other in zip(pixel, BLUE, strict=True)) for pixel in pixels)


def png(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


async def density(tab: Tab) -> float:
    value: float = await tab.evaluate("devicePixelRatio")
    return value


async def is_framed(tab: Tab, image: Image.Image, element: str, scale: float) -> list[bool]:
    """Return whether the frame of a suggestion is above, below and to the right of an element, where that is now."""
    box = await around(tab, element)
    across, down = box.middle
    places = [(across, box.y), (across, box.end[1]), (box.end[0], down)]
    return [is_blue(image, x, y, scale) for x, y in places]


@asynccontextmanager
async def metrics(tab: Tab) -> AsyncIterator[Callable[..., Awaitable[Any]]]:
    """Give what sets the size and density of the screen, and have them as they were afterwards."""

    async def change(width: int, height: int, scale: float) -> None:
        await tab.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False
        )
        await tab.until(f"innerWidth === {width} && devicePixelRatio === {scale}")

    yield change
    await tab.send("Emulation.clearDeviceMetricsOverride")


async def picture(bridge: BridgeDouble, session: str) -> tuple[Image.Image, float]:
    taken = await bridge.result("drawing_picture", id=session)
    return png(base64.b64decode(taken["picture"])), taken["scale"]


@pytest.mark.requirement("draw-009", "draw-010", "draw-012", "004-083", "004-084", "004-086")
async def test_the_overlay_and_the_picture_are_as_dense_as_the_screen_and_follow_a_window_that_changes(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("drawn.html")
    async with metrics(tab) as change:
        begun = await start(bridge)
        await annotate(tab, await around(tab, "title"), "the frame follows its element")
        await annotate(tab, await around(tab, "buy"), "and this one")
        for width, height, scale in ((1000, 700, 1.0), (1000, 700, 3.0), (620, 640, 2.0)):
            await change(width, height, scale)
            await tab.screenshot()  # before it, an emulated screen tells no page of its new density
            await until(partial(is_sharp, tab, scale), f"a canvas of {scale} pixels for each of the page's")
            await until(partial(are_framed, tab, scale), f"both frames to follow to {width}x{height} at {scale}")
        event = await finish(tab, bridge, begun)
        kept, scale = await picture(bridge, event["id"])
        in_picture = [*await is_framed(tab, kept, "title", scale), *await is_framed(tab, kept, "buy", scale)]

    assert all(in_picture)


async def are_framed(tab: Tab, scale: float) -> bool:
    """Return whether both elements are framed on the screen now; after a change that takes a frame."""
    image = png(await tab.screenshot())
    return all([*await is_framed(tab, image, "title", scale), *await is_framed(tab, image, "buy", scale)])


@pytest.mark.requirement("draw-009", "draw-010")
@pytest.mark.parametrize("factor", [0.75, 1.5])
async def test_at_every_zoom_of_the_browser_it_is_sharp_and_names_what_was_drawn_around(
    visit: Open, bridge: BridgeDouble, chromium: Browser, factor: float
) -> None:
    tab = await visit("drawn.html")
    worker = await chromium.service_worker()
    begun = await start(bridge)
    try:
        await annotate(tab, await around(tab, "buy"), "before")
        await worker.evaluate(f"chrome.tabs.setZoom({factor}).then(() => 0)")
        await tab.until(f"devicePixelRatio === {factor}")
        await annotate(tab, await around(tab, "link"), "after")
        await until(partial(is_sharp, tab, factor), "a canvas that is as dense as the screen")
        event = await finish(tab, bridge, begun)
        kept, scale = await picture(bridge, event["id"])
        framed = [*await is_framed(tab, kept, "buy", scale), *await is_framed(tab, kept, "link", scale)]
    finally:
        await worker.evaluate("chrome.tabs.setZoom(1).then(() => 0)")
        await worker.detach()

    assert ["#buy", "#link"] == [one["selector"] for one in event["annotations"]]
    assert scale == pytest.approx(factor, rel=0.01)
    assert all(framed)


@pytest.mark.requirement("draw-009", "draw-010")
@pytest.mark.parametrize("element", ["documentElement", "body"])
@pytest.mark.parametrize("zoom", [0.5, 2])
async def test_on_a_page_that_enlarges_itself_frames_are_where_they_were_drawn(
    visit: Open, bridge: BridgeDouble, element: str, zoom: float
) -> None:
    tab = await visit("drawn.html")
    begun = await start(bridge)
    await annotate(tab, await around(tab, "title"), "before")
    await tab.evaluate(f"document.{element}.style.zoom = {zoom}; scrollTo(0, 0); 0")
    await annotate(tab, await around(tab, "buy"), "after")
    scale = await density(tab)
    await tab.evaluate(FRAMES)
    image = png(await tab.screenshot())
    framed = [*await is_framed(tab, image, "title", scale), *await is_framed(tab, image, "buy", scale)]
    done = await box_of(tab, "Done")
    event = await finish(tab, bridge, begun)
    kept, scale = await picture(bridge, event["id"])
    framed += [*await is_framed(tab, kept, "title", scale), *await is_framed(tab, kept, "buy", scale)]

    assert ["#title", "#buy"] == [one["selector"] for one in event["annotations"]]
    assert [True] * 12 == framed
    assert 30 == round(done.height)  # the bar is of the window, and not of the page


@pytest.mark.requirement("draw-009", "draw-010")
async def test_a_page_that_a_hand_has_enlarged_is_drawn_on_and_pictured_where_it_is(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("drawn.html")
    await tab.send("Emulation.setPageScaleFactor", pageScaleFactor=2)
    await tab.evaluate("buy.scrollIntoView({ block: 'center', inline: 'center' }); 0")
    await tab.until("visualViewport.offsetLeft > 30 && visualViewport.offsetTop > 30")
    sight: list[float] = await tab.evaluate(SIGHT)
    left, top, _scale = sight
    begun = await start(bridge)
    buy = await around(tab, "buy")
    await annotate(tab, buy._replace(x=buy.x - left, y=buy.y - top), "enlarged")
    bar = await box_of(tab, "Done")
    await choose(tab, "Question")
    event = await finish(tab, bridge, begun)
    kept, scale = await picture(bridge, event["id"])
    seen = buy._replace(x=buy.x - left, y=buy.y - top)
    across, down = seen.middle
    edges = [(across, seen.y), (across, seen.end[1]), (seen.end[0], down)]

    assert sight == await tab.evaluate(SIGHT)
    assert ["#buy"] == [one["selector"] for one in event["annotations"]]
    assert scale == pytest.approx(2, rel=0.01)
    assert [True] * 3 == [is_blue(kept, x, y, scale) for x, y in edges]
    assert bar.x < 640
    assert bar.y < 360


@pytest.mark.requirement("draw-010", "draw-011", "draw-012")
async def test_a_frame_stays_on_its_element_while_the_page_and_what_is_in_it_scroll_and_grow(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("drawn.html")
    await tab.evaluate(SCROLLER)
    begun = await start(bridge)
    await annotate(tab, await around(tab, "inside"), "in a scroller")
    await annotate(tab, await around(tab, "buy"), "on the page")
    scale = await density(tab)
    seen = []
    for change in (
        "scroller.scrollTop = 60; 0",
        "scrollTo(0, 50); 0",
        "title.style.paddingTop = '70px'; 0",
        "inside.remove(); 0",
    ):
        await tab.evaluate(change)
        await tab.evaluate(FRAMES)
        image = png(await tab.screenshot())
        seen.append(all(await is_framed(tab, image, "buy", scale)))
        if "remove" not in change:
            seen.append(all(await is_framed(tab, image, "inside", scale)))
    event = await finish(tab, bridge, begun)
    kept, scale = await picture(bridge, event["id"])

    assert all(seen)
    assert 7 == len(seen)
    assert all(await is_framed(tab, kept, "buy", scale))


@pytest.mark.requirement("draw-013")
async def test_it_is_seen_on_a_dark_page_and_on_its_own_colour(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drawn.html")
    scale = await density(tab)
    contrasts = []
    for ground in (DARK, "document.documentElement.style.background = '#1f6feb'; 0"):
        await tab.evaluate(ground)
        begun = await start(bridge)
        box = await around(tab, "link", 6)
        await annotate(tab, box, "seen")
        image = png(await tab.screenshot())
        line = [image.getpixel((int((box.x + 30) * scale), int((box.y + off) * scale))) for off in range(-4, 5)]
        light = [isinstance(one, tuple) and min(one) > 150 for one in line]
        contrasts.append([light[at] for at in range(len(light)) if not at or light[at] != light[at - 1]])
        await finish(tab, bridge, begun)

    assert [[False, True, False, True, False]] * 2 == contrasts  # ground, white, the colour, white, ground


BUSY: Final = """
  globalThis.isBusy = true;
  setTimeout(function work() {
    for (const until = performance.now() + 400; performance.now() < until;);
    if (isBusy) setTimeout(work, 50);
  }); 0
"""


async def test_it_works_on_a_page_that_is_busy_in_a_window_without_focus(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    tab = await visit("drawn.html")
    buy = await around(tab, "buy")
    worker = await chromium.service_worker()
    all_windows = (
        "chrome.windows.getAll().then((all) => Promise.all(all.map(({ id }) => chrome.windows.update(id, %s))))"
    )
    await worker.evaluate(f"{all_windows % '{ focused: false }'}.then(() => 0)")
    await worker.detach()
    has_focus = await tab.evaluate("document.hasFocus()")
    await tab.evaluate(BUSY)
    begun = await start(bridge)
    await annotate(tab, buy, "at last")
    event = await finish(tab, bridge, begun)
    await tab.evaluate("isBusy = false; 0")
    kept, scale = await picture(bridge, event["id"])

    assert not has_focus
    assert [("#buy", "at last")] == [(one["selector"], one["text"]) for one in event["annotations"]]
    assert all(await is_framed(tab, kept, "buy", scale))


@pytest.mark.requirement("draw-004")
async def test_a_pen_draws_as_a_mouse_does(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drawn.html")
    buy = await around(tab, "buy")
    begun = await start(bridge)
    await drag(tab, buy[:2], buy.middle, buy.end, pointer="pen")
    await write(tab, "by pen")
    await press(tab, "Enter")
    await drag(tab, (buy.x, buy.y), (buy.x, buy.y), pointer="pen")  # a touch of its tip selects
    await drag(tab, buy.middle, (buy.middle[0] + 30, buy.middle[1]), pointer="pen")
    names = await marked(tab)
    await press(tab, "Escape")
    event = await finish(tab, bridge, begun)

    assert 1 == len(names)
    assert [round(buy.x) + 30] == [round(one["rect"]["x"]) for one in event["annotations"]]


@pytest.mark.requirement("draw-026")
async def test_the_bar_makes_way_for_what_is_under_it_and_for_the_text(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drawn.html")
    await tab.evaluate(FOOTER)
    place = await around(tab, "accept")
    begun = await start(bridge)
    await choose(tab, "Move this bar up")
    await annotate(tab, place, "under the bar")
    moved = "Move this bar down" in await shown(tab)
    title = await around(tab, "title")
    await draw(tab, *title._replace(y=0, height=50))  # the text would be where the bar is now
    bar, field = await box_of(tab, "Done"), await box_of(tab, "What you want to say about it")
    await write(tab, "above")
    await press(tab, "Enter")
    event = await finish(tab, bridge, begun)

    assert moved
    assert bar[1] > field[1] + 100
    assert ["under the bar", "above"] == [one["text"] for one in event["annotations"]]
    assert "#accept" == event["annotations"][0]["selector"]
