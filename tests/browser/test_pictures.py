"""Pictures of real pages, by a real client: what they show, what they hide, and what a page notices of them."""

import asyncio
import base64
import io
from pathlib import Path
from typing import Any

import msgspec
import pytest
from mcp.shared.exceptions import MCPError
from PIL import Image

from browser.assisted import Scene, at
from browser.scene import page
from browser.user import number_of, pilot
from gasoline_bridge.devtools import Browser
from gasoline_broker.actor.client import Link, register
from gasoline_broker.actor.wire import stop
from gasoline_broker.settings import Settings
from gasoline_workers.screenshots.messages import PinScreenshot, ReadScreenshot, ScreenshotRead

Reply = dict[str, Any]
GREEN, WHITE = (0, 128, 0), (255, 255, 255)
BLOCK = (118, 118, 118)
SECTIONS = ["ffeeee", "eeffee", "eeeeff", "ffffee", "ffeeff", "eeffff", "ffffff"]
SIZES = 1_568, 200_000


async def taken(here: Scene, **arguments: Any) -> Reply:
    reply = await here.client.call("observe", what="screenshot", **({"tab_id": here.number} | arguments))
    assert len(msgspec.json.encode(reply)) <= 300
    return reply


def read(reply: Reply) -> bytes:
    return Path(reply["path"]).read_bytes()


def stored(reply: Reply) -> Image.Image:
    image = Image.open(Path(reply["path"])).convert("RGB")
    assert (reply["width"], reply["height"]) == image.size
    return image


def colours(image: Image.Image, box: Reply) -> dict[tuple[int, ...], int]:
    """Count the colours within a field, without its border."""
    edges = (box["x"] + 3, box["y"] + 3, box["x"] + box["width"] - 3, box["y"] + box["height"] - 3)
    part = image.crop(tuple(round(edge) for edge in edges))
    return {colour: count for count, colour in part.getcolors(1 << 20) or []}  # type: ignore[misc]  # of an RGB image


BOXES = """
(() => {
  const at = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x, y, width, height };
  };
  const roots = [document, document.getElementById('host').shadowRoot, globalThis.closedRoot];
  const inputs = roots.flatMap((root) => [...root.querySelectorAll('input')]);
  return inputs.map((input) => ({ value: input.value, ...at(input) }));
})()
"""


@pytest.mark.requirement("pictures-001", "pictures-002", "pictures-004")
async def test_a_picture_comes_with_its_id_and_path_and_is_listed(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}pictures.html?first") as here:
        reply = await taken(here)
        (shown,) = here.client.images
        alone = await taken(here, full=True)
        images = here.client.images
        listed = await here.client.call("observe", what="screenshots", url_filter="?first")

    assert "image/png" == shown.mime_type
    assert base64.b64decode(shown.data) == read(reply)
    assert stored(reply).size == Image.open(io.BytesIO(base64.b64decode(shown.data))).size
    assert [] == images
    assert [alone["id"], reply["id"]] == [one["id"] for one in listed["screenshots"]]
    assert ("viewport", "Pictures") == (listed["screenshots"][0]["kind"], listed["screenshots"][0]["title"])


@pytest.mark.requirement("pictures-003")
async def test_a_picture_is_a_resource(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}pictures.html?resource") as here:
        reply = await taken(here)
        session = here.client.client
        listed = (await session.list_resources()).resources
        newest = next(one for one in listed if str(one.uri).endswith(reply["id"]))
        (content,) = (await session.read_resource(f"gasoline://screenshots/{reply['id']}")).contents
        template, *_ = (await session.list_resource_templates()).resource_templates
        refusals = []
        for address in ("gasoline://screenshots/../../../etc/passwd", "gasoline://other/1", "file:///etc/passwd"):
            with pytest.raises(MCPError) as refused:
                await session.read_resource(address)
            refusals.append(refused.value.error.code)

    assert f"gasoline://screenshots/{reply['id']}" == newest.uri
    assert read(reply) == base64.b64decode(content.blob)  # type: ignore[union-attr]  # it is no text
    assert "gasoline://screenshots/{id}" == template.uri_template
    assert [-32602] * 3 == refusals


APPEARING = """
(() => {
  const { captureVisibleTab } = chrome.tabs;
  chrome.tabs.captureVisibleTab = async (...asked) => {
    chrome.tabs.captureVisibleTab = captureVisibleTab;
    const target = { tabId: TAB };
    await chrome.scripting.executeScript({ target, func: () => {
      document.body.innerHTML = '<input id="late" autocomplete="cc-number" value="4111 1111" style="color: #f00">';
      return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    } });
    const picture = await captureVisibleTab.apply(chrome.tabs, asked);
    await chrome.scripting.executeScript({ target, func: () => document.getElementById('late').remove() });
    return picture;
  };
})(); 0
"""


async def test_a_secret_field_that_came_and_went_while_the_picture_was_taken_is_hidden(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}blank.html?appearing") as here:
        for _ in range(3):  # a busy machine may picture the frame before, where the field is not yet
            worker = await chrome.service_worker()
            await worker.evaluate(APPEARING.replace("TAB", str(here.number)))
            await worker.detach()
            shown: Any = stored(await taken(here)).getcolors(1 << 20)  # pairs of a count and an RGB colour
            assert 0 == sum(count for count, (r, g, b) in shown if r > g + 60 and r > b + 60)
            if len(shown) > 1:
                break

    assert len(shown) > 1, "the field is in the picture"


@pytest.mark.requirement("pictures-005", "pictures-006")
async def test_no_picture_shows_a_secret_field_and_afterwards_all_are_as_before(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}pictures.html?masked") as here:
        await here.tab.until("document.readyState === 'complete'")
        await here.tab.evaluate(WATCH)
        before = await here.tab.evaluate(STYLES)
        reply = await taken(here)
        boxes = await here.tab.evaluate(BOXES)
        after = await here.tab.evaluate(STYLES)
        mutations = await here.tab.evaluate("seen.length")

    image = stored(reply)
    secret = [box for box in boxes if box["value"] and box["value"] != "Ada Lovelace"]
    assert 8 == len(secret)
    assert [{BLOCK}] * 8 == [{*colours(image, box)} for box in secret]
    assert len(colours(image, boxes[0])) > 2, "the name is to be read"
    assert before == after
    assert 0 == mutations
    assert 8 == reply["masked"]


WATCH = """
globalThis.seen = [];
const watched = { subtree: true, childList: true, attributes: true, characterData: true };
new MutationObserver((all) => seen.push(...all)).observe(document, watched);
0
"""
STYLES = """
[document, document.getElementById('host').shadowRoot]
.flatMap((root) => [...root.querySelectorAll('input')]).map((field) => {
  const { color, webkitTextFillColor, backgroundColor, appearance } = getComputedStyle(field);
  return [color, webkitTextFillColor, backgroundColor, appearance];
})
"""


@pytest.mark.requirement("pictures-009", "pictures-010")
async def test_a_whole_page_has_each_part_at_its_place_and_an_element_the_pixels_of_its_box(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}pictures.html?whole") as here:
        whole = await taken(here, full_page=True)
        coded = base64.b64decode(here.client.images[0].data)
        far = await taken(here, selector="#far")
        near = await taken(here, selector="section:nth-of-type(2)")
        scrolled = await here.tab.evaluate("scrollY")

    image = stored(whole)
    rows = [image.getpixel((700, y)) for y in range(2_800)]
    expected = [tuple(bytes.fromhex(colour)) for colour in SECTIONS for _ in range(400)]
    border = [at_ for at_ in range(2_800) if at_ % 400 >= 396]
    assert 2_800 == whole["height"]
    assert [] == [y for y in range(2_800) if y not in border and rows[y] != expected[y]]
    assert {(0, 0, 0)} == {rows[y] for y in border}
    assert max(Image.open(io.BytesIO(coded)).size) <= SIZES[0]
    assert len(coded) <= SIZES[1]
    assert (300, 120) == (far["width"], far["height"])
    assert GREEN == stored(far).getpixel((290, 110)) == stored(far).getpixel((0, 119))
    assert (1_265, 400) == (near["width"], near["height"])
    assert 0 == scrolled


@pytest.mark.requirement("pictures-008")
async def test_ten_pictures_within_a_second_are_ten_answers(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}small.html?ten") as here:
        asked = (here.client.text("observe", what="screenshot", tab_id=here.number, full=True) for _ in range(10))
        answers = await asyncio.gather(*asked)

    assert [False] * 10 == [failed for _, failed in answers]
    assert 10 == len({msgspec.json.decode(text)["id"] for text, _ in answers})


@pytest.mark.requirement("pictures-011", "pictures-015", "004-193")
async def test_a_picture_has_the_devices_pixels_and_one_that_is_too_large_is_reduced(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}pictures.html?scaled") as here:
        await zoom(chrome, here, 2)
        double = await taken(here)
        element = await taken(here, selector="#far", full=True)
        near = await taken(here, selector="#card", full=True)
        await here.tab.evaluate(NOISE)
        large = await taken(here)
        await zoom(chrome, here, 1)

    assert 2 == double["scale"] == element["scale"] == near["scale"]
    assert 1_280 == double["width"]
    assert (600, 240) == (element["width"], element["height"])
    assert GREEN == stored(element).getpixel((599, 239)) == stored(element).getpixel((1, 239))
    assert near["height"] > 300
    assert large["reduced"]
    assert len(read(large)) <= 2 << 20
    assert 0.3 < large["scale"] < 2
    assert abs(large["scale"] - large["width"] / 640) < 0.01


async def zoom(chrome: Browser, here: Scene, factor: int) -> None:
    """Zoom as the user does: then a pixel of the page has several of the device."""
    worker = await chrome.service_worker()
    await worker.evaluate(f"chrome.tabs.setZoom({here.number}, {factor})")
    await worker.detach()
    await here.tab.until(f"devicePixelRatio === {factor} && innerWidth === {1280 // factor}")


NOISE = """
(() => {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [2000, 1400];
  canvas.style = 'position: fixed; inset: 0; width: 1000px; height: 700px; z-index: 9';
  const context = canvas.getContext('2d');
  const image = context.createImageData(2000, 1400);
  for (let at = 0; at < image.data.length; at += 65536) crypto.getRandomValues(image.data.subarray(at, at + 65536));
  for (let at = 3; at < image.data.length; at += 4) image.data[at] = 255;
  context.putImageData(image, 0, 0);
  document.body.append(canvas);
})()
"""


@pytest.mark.requirement("pictures-012")
async def test_a_tab_in_the_background_is_pictured_where_it_is(live: Settings, chrome: Browser, pages: str) -> None:
    async with (
        at(live, chrome, f"{pages}pictures.html?behind") as here,
        page(chrome, f"{pages}small.html?front") as front,
    ):
        behind = await taken(here)
        beyond = [stored(await taken(here, full_page=True)) for _ in range(2)]
        below = stored(await taken(here, selector="#far"))
        visible = [await tab.evaluate("document.visibilityState") for tab in (here.tab, front)]
        await pilot(chrome, on=False)
        refused = await here.client.error("observe", what="screenshot", tab_id=here.number)
        shown = await here.client.call("observe", what="screenshot", tab_id=await number_of(here.client, front))
        await pilot(chrome, on=True)
        await here.tab.activate()
        await here.tab.until("!document.hidden")
        in_front = stored(await taken(here, full_page=True))

    assert ["hidden", "visible"] == visible
    assert [in_front.size] * 2 == [one.size for one in beyond]
    assert [(0, 128, 0)] * 3 == [one.getpixel((1000, 2700)) for one in (in_front, *beyond)]
    assert ((300, 120), (0, 128, 0)) == (below.size, below.getpixel((150, 60)))
    assert (255, 238, 238) == stored(behind).getpixel((700, 300))
    assert ("ai_web_pilot_disabled", True) == (refused["code"], "observe(what:" in refused["recovery"])
    assert shown["id"]


@pytest.mark.requirement("pictures-013")
async def test_gasolines_own_highlight_is_in_no_picture_unless_it_is_asked_for(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}pictures.html?marked") as here:
        await here.client.call("configure", action="highlight", selector="#card", duration_ms=60_000)
        pictures = [stored(await taken(here, overlays=overlays)) for overlays in (False, True, False, True)]

    reds = [sum(count for count, pixel in image.getcolors(1 << 20) or [] if pixel == (255, 0, 0)) for image in pictures]
    assert 0 == reds[0] == reds[2]
    assert reds[1] == reds[3] > 2_000


@pytest.mark.requirement("pictures-014")
async def test_what_moves_stands_still_while_it_is_asked_to(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}pictures.html?moves") as here:
        await here.tab.evaluate(POSITIONS)
        await taken(here, animations=False, full=True)
        still = await here.tab.evaluate("positions.some((at, index) => index > 2 && at === positions[index - 3])")
        await here.tab.evaluate("positions.length = 0; 0")
        await here.tab.until("positions.length > 10")
        moving = await here.tab.evaluate("new Set(positions).size > 5")

    assert still
    assert moving


POSITIONS = """
globalThis.positions = [];
const look = () => {
  positions.push(document.getElementById('moves').getBoundingClientRect().x);
  requestAnimationFrame(look);
};
look();
0
"""


@pytest.mark.requirement("pictures-016")
async def test_what_is_visible_is_kept_with_its_boxes_and_styles(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}pictures.html?elements") as here:
        await here.tab.evaluate("document.body.insertAdjacentHTML('afterbegin', '<p id=none hidden>No</p>')")
        whole = await taken(here, full_page=True)
        far = await taken(here, selector="#far")
    listed = [await elements_of(live, reply["id"]) for reply in (whole, far)]

    (box,) = (row for row in listed[0] if row["selector"] == "#far")
    assert ("Far away", 900, 2_600, 300, 120) == (box["text"], box["x"], box["y"], box["width"], box["height"])
    assert ("rgb(0, 128, 0)", "400 16px") == (box["background"], box["font"])
    assert {"#title", "#card", "#frame"} <= {row["selector"] for row in listed[0]}
    assert "#none" not in {row["selector"] for row in listed[0]}
    assert "hunter2" not in str(listed)
    (own,) = (row for row in listed[1] if row["selector"] == "#far")
    assert (0, 0, 300, 120) == (own["x"], own["y"], own["width"], own["height"])


async def elements_of(live: Settings, picture_id: str) -> list[Reply]:
    async with Link(live, register("cli")) as link:
        await link.registered()
        ask = stop("screenshots", ReadScreenshot(picture_id, "none", elements=True))
        found = (await link.ask(ask, ttl_s=10)).read(ScreenshotRead)
    return [dict(zip(found.elements["columns"], row, strict=True)) for row in found.elements["rows"]]


@pytest.mark.requirement("pictures-006", "pictures-007")
async def test_a_mask_goes_when_the_capture_fails_and_when_its_worker_died(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}pictures.html?died") as here:
        before = await here.tab.evaluate(STYLES)
        worker = await chrome.service_worker()
        await worker.evaluate("chrome.tabs.captureVisibleTab = () => Promise.reject(new Error('no picture')); 0")
        refused = await here.client.error("observe", what="screenshot", tab_id=here.number)
        failed = await here.tab.evaluate(STYLES)
        await worker.evaluate("chrome.tabs.captureVisibleTab = () => new Promise(() => {}); 0")
        dying = asyncio.create_task(here.client.text("observe", what="screenshot", tab_id=here.number))
        await here.tab.until(f"JSON.stringify({STYLES}) !== '{msgspec.json.encode(before).decode()}'")
        await worker.detach()
        await chrome.stop_service_worker()
        popup = await chrome.popup()  # wakes the next worker, as the alarm does each 30 s
        await here.tab.until(f"JSON.stringify({STYLES}) === '{msgspec.json.encode(before).decode()}'")
        await popup.close()
        await dying

    assert ("screenshot_failed", True) == (refused["code"], "no picture" in refused["message"])
    assert before == failed


@pytest.mark.requirement("pictures-004", "pictures-021")
async def test_a_page_without_end_is_cut_and_a_list_states_what_is_pinned_and_left_out(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}pictures.html?tall") as here:
        await here.tab.evaluate("document.getElementById('far').style.height = '17000px'; 0")
        cut = await taken(here, full_page=True, full=True)
        await taken(here, full=True)
        async with Link(live, register("cli")) as link:
            await link.registered()
            await link.ask(stop("screenshots", PinScreenshot(cut["id"], "a baseline")), ttl_s=10)
        listed = await here.client.call("observe", what="screenshots", url_filter="?tall")
        short = await here.client.call("observe", what="screenshots", url_filter="?tall", budget=256)
        rest = await here.client.call("observe", what="screenshots", cursor=short["omitted"]["cursor"])

    assert (16_384, True) == (cut["height"], cut.get("truncated")), cut
    assert [False, True] == [one.get("pinned", False) for one in listed["screenshots"]]
    assert [one["id"] for one in listed["screenshots"]][-1] == rest["screenshots"][-1]["id"]
