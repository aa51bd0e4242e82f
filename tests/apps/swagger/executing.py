"""Tasks of trying operations out: bodies, parameters, forms with a file, answers that are late or are errors."""

from typing import Any

from apps.files import file
from apps.ours import Ours
from apps.swagger.state import BODY, EXECUTE, OPEN, answer, done, try_out
from apps.tasks import Day
from apps.truths import as_, both, logged, page

DAY = Day(ready=OPEN)
CAPTION = '[data-property-name="caption"] input'
status = page(
    "document.querySelector('.live-responses-table tbody .response-col_status')?.innerText.split(/\\s/)[0] ?? ''"
)
body = page("document.querySelector('.live-responses-table tbody .highlight-code')?.innerText.trim() ?? ''")


@DAY.task(
    "docs#/notes/create_note", done(lambda state: list(state["notes"].values())[2:]), [{"text": "Sweep", "stars": 4}]
)
async def create_a_note(my: Ours) -> list[dict[str, Any]]:
    """Write a body, execute, and read whether it was taken."""
    await try_out(my)
    await my.type("textarea.body-param__text", '{"text": "Sweep", "stars": 4}')
    return [{"text": "Sweep", "stars": 4}] if await answer(my) == "201" else []


@DAY.task("docs#/notes/read_note", body)
async def read_a_note(my: Ours) -> str:
    """Fill a parameter in the path, execute, and read the answer's body."""
    await try_out(my)
    await my.type('[placeholder="number"]', "2")
    await my.click(EXECUTE)
    return (await my.read(BODY)).strip()


@DAY.task("docs#/notes/read_note", status, "404")
async def see_that_a_note_is_not_there(my: Ours) -> str:
    """Execute, and read the status."""
    await try_out(my)
    await my.type('[placeholder="number"]', "99")
    return await answer(my)


@DAY.task("docs#/notes/delete_note", done(lambda state: "1" in state["notes"]), wanted=False)
async def delete_a_note(my: Ours) -> bool:
    """Delete, and read whether it was done."""
    await try_out(my)
    await my.type('[placeholder="number"]', "1")
    return await answer(my) != "204"


@DAY.task(
    "docs#/notes/create_note",
    both(status, logged('"POST /notes HTTP/1.1" 422', "refused", "not sent")),
    ["422", "refused"],
)
async def see_that_a_note_is_not_valid(my: Ours) -> list[str]:
    """Send a body of the wrong shape."""
    await try_out(my)
    await my.type("textarea.body-param__text", '{"text": "Sweep", "stars": "many"}')
    return [await answer(my), "refused"]


@DAY.task("docs#/notes/list_notes", done(lambda state: state["ordered"][-1:]), [["oldest", True]])
async def choose_parameters_in_lists(my: Ours) -> list[list[Any]]:
    """Choose an order and a truth value, and execute."""
    await try_out(my)
    await my.act("select", '[data-param-name="order"] select', value="oldest")
    await my.act("select", '[data-param-name="starred"] select', value="true")
    return [["oldest", True]] if await answer(my) == "200" else []


photos = done(lambda state: state["photos"][-1:])


async def _send(my: Ours, name: str, caption: str, *, caption_last: bool) -> list[list[Any]]:
    with file(name, b"photo") as photo:
        await try_out(my)
        if not caption_last:
            await my.type(CAPTION, caption)
        await my.act("upload", 'input[type="file"]', files=[photo])
        if caption_last:
            await my.type(CAPTION, caption)
        return [[caption, name, 5]] if await answer(my) == "200" else []


@DAY.task("docs#/photos/add_photo", photos, [["Harbour", "harbour.png", 5]])
async def send_a_photo_with_its_caption(my: Ours) -> list[list[Any]]:
    """Type a caption, choose a file, execute: the page takes the caption over when its field is left."""
    return await _send(my, "harbour.png", "Harbour", caption_last=False)


@DAY.task("docs#/photos/add_photo", photos, [["Mill", "mill.png", 5]])
async def send_a_photo_and_type_its_caption_last(my: Ours) -> list[list[Any]]:
    """Choose a file, type a caption, and execute at once."""
    return await _send(my, "mill.png", "Mill", caption_last=True)


last = as_(body, lambda text: text.rpartition("\n")[2].strip())


@DAY.task("docs#/rest/slow", last, '"waited 2 s"')
async def read_an_answer_that_takes_2_s(my: Ours) -> str:
    """Execute, wait for the answer, and read it."""
    await try_out(my)
    await my.type('[placeholder="seconds"]', "2")
    await my.click(EXECUTE)
    await my.wait_text("waited 2 s")
    return (await my.read(BODY)).rpartition("\n")[2].strip()  # below the button "Download"


@DAY.task("docs#/rest/slow", done(lambda state: min(state["running"], 1)), 1)
async def see_a_request_that_has_not_ended(my: Ours) -> int:
    """Execute, and look for the request while it runs."""
    await try_out(my)
    await my.type('[placeholder="seconds"]', "20")
    await my.click(EXECUTE)
    reply = await my.call("observe", what="network_waterfall", url_filter="/slow?")
    return len([row for row in reply.get("requests", []) if row.get("status") is None])


@DAY.task("docs#/rest/slow", done(lambda state: min(state["running"], 1)), 1)
async def see_it_in_the_reply_to_the_click(my: Ours) -> int:
    """Execute with the explanation of the time, and look for the request that runs."""
    await try_out(my)
    await my.type('[placeholder="seconds"]', "20")
    reply = await my.click(EXECUTE, analyze=True)
    return len([row for row in reply.get("network", []) if "/slow" in row["url"] and "status" not in row])


@DAY.task("docs#/rest/broken", status, "500")
async def read_a_failure_of_the_server(my: Ours) -> str:
    """Execute, and read the status in the page."""
    await try_out(my)
    return await answer(my)


@DAY.task("docs#/rest/broken", logged('"GET /broken HTTP/1.1" 500', 500, 0), 500)
async def find_a_failed_request(my: Ours) -> int:
    """Execute, and find the failure among the requests."""
    await try_out(my)
    await my.click(EXECUTE)
    rows = (await my.call("observe", what="network_waterfall", status_min=400)).get("requests", [])
    return next((row["status"] for row in rows if "/broken" in row["url"]), 0)
