"""Draw Mode from an assistant's side: it asks, a person draws, and the assistant reads what was meant."""

import asyncio
import base64
import io
from pathlib import Path

import pytest
from mcp.types import BlobResourceContents
from PIL import Image

from browser.assisted import Reply, at
from browser.drawing import DRAWING, annotate, around, choose, hover
from browser.extension.test_draw_hostile import HOVERED
from browser.extension.test_draw_mode import REACT
from browser.input import press
from browser.scene import LISTENING_TO_POPOVERS
from browser.user import pilot
from gasoline_bridge.devtools import Browser, Tab, until
from gasoline_broker.settings import Settings
from system import Assistant, gasoline


def pixel(png: bytes, x: float, y: float) -> tuple[int, ...]:
    """Return a pixel of a picture."""
    found = Image.open(io.BytesIO(png)).convert("RGB").getpixel((round(x), round(y)))
    assert isinstance(found, tuple)
    return found


def is_blue(png: bytes, rect: dict[str, float]) -> bool:
    """Return whether a picture shows the frame of a suggestion around a rectangle of the page."""
    red, green, blue = pixel(png, rect["x"] + rect["width"] / 2, rect["y"])
    return blue > 200 > red and green < 160


@pytest.mark.requirement(
    "004-003",
    "004-004",
    "004-051",
    "004-118",
    "004-121",
    "004-125",
    "004-148",
    "004-010",
    "004-029",
    "004-032",
    "004-038",
    "004-050",
    "004-059",
    "004-061",
    "004-099",
    "004-101",
    "004-102",
    "004-194",
    "draw-024",
    "draw-010",
)
async def test_an_assistant_waits_for_what_a_person_draws_and_reads_its_details(
    live: Settings, chrome: Browser, pages: str
) -> None:
    await pilot(chrome, on=True)
    async with at(live, chrome, f"{pages}drawn.html?assisted") as here:
        none = await here.client.call("analyze", action="annotations")
        begun = await here.do("draw_mode_start")
        early = await here.client.call("analyze", action="annotations")
        waiting = asyncio.create_task(here.client.call("analyze", action="annotations", wait=True))
        await annotate(here.tab, await around(here.tab, "buy"), "This button should be darker")
        await press(here.tab, "a")
        await annotate(here.tab, (900, 300, -200, 0), "Nothing is here")
        await press(here.tab, "f")
        await annotate(here.tab, (900, 400, 100, 40), "Nor here")
        await press(here.tab, "Escape")
        drawn = await waiting
        again = await here.client.call("analyze", action="annotations")
        annotation, arrow, line = drawn["annotations"]
        detail = await here.client.call(
            "analyze", action="annotation_detail", correlation_id=annotation["correlation_id"]
        )
        await here.tab.evaluate("buy.textContent = 'Pay'; 0")
        changed = await here.client.call(
            "analyze", action="annotation_detail", correlation_id=annotation["correlation_id"]
        )
        await here.tab.evaluate("buy.remove()")
        gone = await here.client.error(
            "analyze", action="annotation_detail", correlation_id=annotation["correlation_id"]
        )
        unknown = await here.client.error("analyze", action="annotation_detail", correlation_id="ann_detail_none")

    assert (0, []) == (none["count"], none["annotations"])
    assert "draw_mode_start" in none["hint"]
    assert ("pending", "waiting") == (begun["status"], early["status"])
    assert "annotations" in early["resume"]
    assert ("success", 3) == (drawn["status"], drawn["count"])
    assert ("arrow", {"x": 900, "y": 300}, {"x": 700, "y": 300}) == (arrow["shape"], arrow["from"], arrow["to"])
    assert ("freehand", [[900, 400], [1000, 440]]) == (line["shape"], line["path"])
    assert ("This button should be darker", "button.btn-primary 'Buy now'") == (
        annotation["text"],
        annotation["element_summary"],
    )
    assert ("#buy", "rgb(59, 130, 246)") == (detail["selector"], detail["computed_styles"]["background-color"])
    assert drawn["screenshot_path"] == again["screenshot_path"]
    picture = await asyncio.to_thread(Path(drawn["screenshot_path"]).read_bytes)
    assert [is_blue(picture, annotation["rect"]), is_blue(picture, arrow["rect"])] == [True, True]
    assert is_blue(picture, line["rect"] | {"y": 420})
    assert "warning" not in detail
    assert ("element_changed", "button.btn-primary 'Buy now'") == (changed["warning"], changed["element_summary"])
    assert ("element_not_found", "not_found") == (gone["code"], unknown["code"])


@pytest.mark.requirement("draw-027", "draw-028", "draw-039")
async def test_the_picture_is_stored_by_itself_and_shown_once(live: Settings, chrome: Browser, pages: str) -> None:
    await pilot(chrome, on=True)
    async with at(live, chrome, f"{pages}drawn.html?stored") as here:
        await here.tab.evaluate(HOVERED)
        await here.tab.evaluate("menu.style.background = 'red'; 0")
        await hover(here.tab, (780, 208))
        await here.do("draw_mode_start")
        await annotate(here.tab, await around(here.tab, "buy"), "darker")
        open_ = await until(lambda: going_on(here.client), "what was drawn so far")
        other = await here.client.call("analyze", action="annotations", tab_id=here.number + 1)
        await press(here.tab, "Escape")
        rows = await until(lambda: stored(here.client, "?stored"), "both pictures, which nobody has asked for")
        pngs = {row["kind"]: await png_of(here.client, row["id"]) for row in rows}
        drawn = await here.client.call("analyze", action="annotations")
        (shown,) = here.client.images
        again = await here.client.call("analyze", action="annotations")
        images = here.client.images

    assert (1, 0) == (open_["count"], other["count"])
    assert {"annotated", "unannotated"} == {row["kind"] for row in rows}
    assert drawn["screenshot_path"] == again["screenshot_path"]
    assert "image/png" == shown.mime_type
    assert [] == images
    assert [(255, 0, 0)] * 2 == [pixel(png, 840, 240) for png in pngs.values()]  # the menu that was hovered over
    assert {row["kind"]: row["kind"] == "annotated" for row in rows} == {
        kind: is_blue(png, drawn["annotations"][0]["rect"]) for kind, png in pngs.items()
    }


async def png_of(client: Assistant, picture_id: str) -> bytes:
    (part,) = (await client.client.session.read_resource(f"gasoline://screenshots/{picture_id}")).contents
    assert isinstance(part, BlobResourceContents)
    return base64.b64decode(part.blob)


async def stored(client: Assistant, url: str) -> list[Reply] | None:
    rows = (await client.call("observe", what="screenshots", url_filter=url))["screenshots"]
    return rows if len(rows) > 1 else None


async def going_on(client: Assistant) -> Reply | None:
    """Give the reply about a session that is open, once what was drawn is in the journal."""
    reply = await client.call("analyze", action="annotations")
    assert "waiting" == reply["status"]
    return reply if reply.get("count") else None


@pytest.mark.requirement("004-074", "004-080")
async def test_a_session_that_was_left_or_forgotten_is_read_with_what_there_is(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}drawn.html?left") as here:
        await here.do("draw_mode_start")
        await annotate(here.tab, await around(here.tab, "buy"), "before I go")
        waiting = asyncio.create_task(here.client.call("analyze", action="annotations", wait=True))
        await here.tab.navigate(f"{pages}drawn.html?next")
        left = await waiting
        unpictured = await here.client.call("analyze", action="annotations", verify=True)
        await here.do("draw_mode_start")
        await press(here.tab, "Escape")
        nothing = await here.client.call("analyze", action="annotations", wait=True)
        (page,) = here.client.images

        await here.tab.evaluate(REACT)
        await here.do("draw_mode_start")
        for number in range(6):
            await annotate(here.tab, await around(here.tab, "made"), f"{number}, and then lunch")
        worker = await chrome.service_worker()
        await worker.evaluate(f"chrome.alarms.onAlarm.dispatch({{ name: 'draw:{here.number}' }}); 0")
        await worker.detach()
        forgotten = await here.client.call("analyze", action="annotations", wait=True)
        verified = await here.client.call("analyze", action="annotations", verify=True)
        short = await here.client.call("analyze", action="annotations", budget=900)
        (first, *_others) = forgotten["annotations"]
        detail = await here.client.call("analyze", action="annotation_detail", correlation_id=first["correlation_id"])

    assert ("page_navigated", ["before I go"]) == (left["warning"], [one["text"] for one in left["annotations"]])
    assert [("unchanged", True)] == [
        (one["verdict"], "pictures_unavailable" in unpictured) for one in unpictured["verdicts"]
    ]
    assert (0, "image/png") == (nothing["count"], page.mime_type)
    assert ("timeout", 6) == (forgotten["status"], forgotten["count"])
    assert "5 minutes" in forgotten["message"]
    assert forgotten["screenshot_path"]
    assert [{"unchanged"}, False] == [
        {one["verdict"] for one in verified["verdicts"]},
        "pictures_unavailable" in verified,
    ]
    assert short["omitted"]
    assert "CheckoutButton" == detail["component"]


@pytest.mark.requirement("draw-029")
async def test_an_answer_to_an_annotation_is_seen_by_the_person_and_kept_with_it(
    live: Settings, chrome: Browser, pages: str
) -> None:
    await pilot(chrome, on=True)
    async with at(live, chrome, f"{pages}drawn.html?answered") as here:
        await here.do("draw_mode_start")
        for element, text in (("buy", "darker"), ("sum", "in euros?")):
            await annotate(here.tab, await around(here.tab, element), text)
        await press(here.tab, "Escape")
        one, other = (await here.client.call("analyze", action="annotations", wait=True))["annotations"]
        name = other["correlation_id"]
        await here.tab.evaluate(LISTENING_TO_POPOVERS)
        first = await here.do("annotation_reply", correlation_id=name, value="acknowledged")
        last = await here.do("annotation_reply", correlation_id=name, value="resolved", text="Shown in <b>EUR</b> now")
        seen = await told(here.tab)
        pictured = await here.client.call("observe", what="screenshot")
        (shown,) = here.client.images
        await choose(here.tab, "Close this answer")
        closed = await told(here.tab)
        heard = await here.tab.evaluate("heard")
        annotations = (await here.client.call("analyze", action="annotations"))["annotations"]
        wrong = await here.fail("annotation_reply", correlation_id=name, value="done")
        unknown = await here.fail("annotation_reply", correlation_id="ann_detail_x", value="resolved")
        noted = await until(lambda: refused(live), "the refusals in the audit trail")

    assert ("acknowledged", "resolved") == (first["status"], last["status"])
    assert {"2", "Done", "“in euros?”", "Shown in <b>EUR</b> now"} <= {*seen}
    assert "Seen" not in seen  # the later answer is in its place
    assert pictured["id"]
    assert not is_dark(base64.b64decode(shown.data))
    assert not {"Done", "“in euros?”"} & {*closed}
    assert [] == heard
    assert [one, other | {"status": "resolved", "reply": "Shown in <b>EUR</b> now"}] == annotations
    assert ("invalid_params", "not_found") == (wrong["code"], unknown["code"])
    assert "resolved" in wrong["message"]
    assert noted


@pytest.mark.requirement("draw-037")
async def test_an_answer_comes_back_with_each_load_of_its_page_until_the_person_closes_it(
    live: Settings, chrome: Browser, pages: str
) -> None:
    await pilot(chrome, on=True)
    async with at(live, chrome, f"{pages}drawn.html?again") as here:
        await here.do("draw_mode_start")
        for element, text in (("buy", "darker"), ("sum", "in euros?")):
            await annotate(here.tab, await around(here.tab, element), text)
        await press(here.tab, "Escape")
        one, other = (await here.client.call("analyze", action="annotations", wait=True))["annotations"]
        for annotation in (one, other):
            await here.do("annotation_reply", correlation_id=annotation["correlation_id"], value="resolved")
        await here.tab.navigate(f"{pages}remarked.html")
        elsewhere = cards_in(await told(here.tab))
        await chrome.stop_service_worker()
        await here.tab.navigate(f"{pages}drawn.html?again=1#sum")
        both = await until(lambda: cards(here.tab), "the cards")
        await here.do("annotation_reply", correlation_id=one["correlation_id"], value="open", text="Which one?")
        await choose(here.tab, "Close this answer")  # the last one
        left = await until(lambda: cards(here.tab, 1), "one card less")
        await here.tab.navigate(f"{pages}drawn.html?again=2")
        again = await until(lambda: cards(here.tab, 1), "the card that is open")
        words = await told(here.tab)

    assert ["darker", "in euros?"] == both
    assert [] == elsewhere
    assert (["darker"], ["darker"]) == (left, again)
    assert {"Open again", "Which one?"} <= {*words}


async def cards(tab: Tab, count: int = 2) -> list[str] | None:
    """Give the remarks of the cards that are shown, once there are so many."""
    shown = cards_in(await told(tab))
    return shown if len(shown) == count else None


def cards_in(names: list[str]) -> list[str]:
    return [name.strip("“”") for name in dict.fromkeys(names) if name.startswith("“")]


async def refused(live: Settings) -> list[str]:
    """Give the lines of the audit trail about answers that were refused."""
    printed = await asyncio.to_thread(gasoline, live, "audit")
    return [line for line in printed.stdout.splitlines() if "annotation_reply" in line and "not_found" in line]


def is_dark(png: bytes) -> bool:
    """Whether the lower right corner of a picture shows a card."""
    picture = Image.open(io.BytesIO(png)).convert("L")
    pixel = picture.getpixel((picture.width - 60, picture.height - 30))
    return isinstance(pixel, int) and pixel < 60


async def told(tab: Tab) -> list[str]:
    """Give the names of what a screen reader reads of the page."""
    tree = (await tab.send("Accessibility.getFullAXTree"))["nodes"]
    return [str(node.get("name", {}).get("value")) for node in tree if not node["ignored"]]


@pytest.mark.requirement("draw-033")
async def test_sessions_on_several_pages_are_one_under_a_name(live: Settings, chrome: Browser, pages: str) -> None:
    await pilot(chrome, on=True)
    async with at(live, chrome, f"{pages}drawn.html?named") as here:
        await here.do("draw_mode_start", text="review")
        await annotate(here.tab, await around(here.tab, "buy"), "darker")
        await press(here.tab, "Escape")
        await here.client.call("analyze", action="annotations", wait=True)
        await here.tab.navigate(f"{pages}remarked.html")
        await draw_by_hand(chrome, here.number)
        await here.tab.until(DRAWING)
        await annotate(here.tab, await around(here.tab, "words"), "in euros?")
        await press(here.tab, "Escape")
        reply = await until(lambda: of_both_pages(here.client), "both pages")
        images = here.client.images
        last = await here.client.call("analyze", action="annotations")
        await here.do("draw_mode_start")
        await press(here.tab, "Escape")
        await here.client.call("analyze", action="annotations", wait=True)
        without = await here.client.call("analyze", action="annotations", name="review", wait=True)
        refused = await here.client.error("analyze", action="annotations", name="review", verify=True)
        for annotation in reply["annotations"]:
            await here.do("annotation_reply", correlation_id=annotation["correlation_id"], value="resolved")
        cards = await told(here.tab)
        await here.do("draw_mode_start", text="review")
        open_ = await here.client.call("analyze", action="annotations", name="review")
        await here.tab.navigate(f"{pages}drawn.html?left")
        left = (await here.client.call("analyze", action="annotations", name="review", wait=True))["pages"]
        long = await here.fail("draw_mode_start", text="x" * 101)

    assert ["darker", "in euros?"] == [one["text"] for one in reply["annotations"]]
    assert ["drawn.html?named", "remarked.html"] == [page["page_url"].rsplit("/", 1)[1] for page in reply["pages"]]
    assert 2 == len({page["screenshot_path"] for page in reply["pages"]})
    assert (1, [None, 1]) == (len(images), [page.get("image") for page in reply["pages"]])  # the other was shown before
    assert ["in euros?"] == [one["text"] for one in last["annotations"]]
    assert reply["annotations"] == without["annotations"]
    assert "On /drawn.html" in cards
    assert "On /remarked.html" not in cards
    assert 1 == cards.count("Show what annotation 1 is about")  # of the page that is there
    assert 'analyze(action:"annotations", wait:true, name:"review")' == open_["resume"]
    assert ("page_navigated", True) == (left[-1]["warning"], "no picture" in left[-1]["screenshot_failed"])
    assert ("invalid_params", "text") == (long["code"], long["details"]["parameter"])
    assert ("invalid_params", "name") == (refused["code"], refused["details"]["parameter"])


async def of_both_pages(client: Assistant) -> Reply | None:
    reply = await client.call("analyze", action="annotations", name="review", wait=True)
    return reply if len(reply.get("pages", [])) == 2 else None


async def draw_by_hand(chrome: Browser, number: int) -> None:
    """Begin Draw Mode as its shortcut does."""
    worker = await chrome.service_worker()
    await worker.evaluate(f"chrome.commands.onCommand.dispatch('draw-mode', {{ id: {number} }}); 0")
    await worker.detach()
