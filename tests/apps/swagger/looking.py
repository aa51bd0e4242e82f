"""Tasks of finding one's way: routes, a filter, logging in, a file, a server that is down, a page's text."""

from apps.ours import Ours
from apps.swagger.state import EXECUTE, OPEN, READY, done, try_out
from apps.tasks import Day
from apps.truths import as_, page, saved

DAY = Day(ready=READY)


@DAY.task("docs", page("location.hash"), "#/notes/create_note")
async def open_an_operation(my: Ours) -> str:
    """Open an operation, and name its address."""
    reply = await my.click("#operations-notes-create_note .opblock-summary-control")
    return (await my.url(reply)).partition("/docs")[2]


@DAY.task("docs", page("[...document.querySelectorAll('.opblock-tag')].map((tag) => tag.dataset.tag)"), ["photos"])
async def filter_by_tag(my: Ours) -> list[str]:
    """Type into the filter, and read what is left."""
    await my.type(".operation-filter-input", "photos")
    matches = (await my.call("query_dom", selector=".opblock-tag")).get("matches", [])
    return [match["attributes"].get("data-tag", "") for match in matches]


DIALOG = "document.querySelector('.modal-ux')?.innerText ?? ''"
AUTHORIZED = f"(text => /Authorized/.test(text) ? 'authorized' : /Error/.test(text) ? 'refused' : 'asked')({DIALOG})"


async def _authorize(my: Ours, password: str) -> str:
    await my.click('role=button[name="Authorize"]')
    await my.type("label=username:", "ann")
    await my.type("label=password:", password)
    await my.click('role=button[name="Apply given OAuth2 credentials"]')
    text = await my.read(".modal-ux-content")
    return "authorized" if "Authorized" in text else "refused" if "Error" in text else "asked"


@DAY.task("docs", page(AUTHORIZED), "authorized")
async def authorize(my: Ours) -> str:
    """Log in by the dialog."""
    return await _authorize(my, "right password")


@DAY.task("docs", page(AUTHORIZED), "refused")
async def authorize_with_a_wrong_password(my: Ours) -> str:
    """Find out that the password is wrong."""
    return await _authorize(my, "wrong password")


@DAY.task("docs#/rest/me", done(lambda state: state["asked_as"][-1:]), ["ann"], ready=OPEN)
async def ask_as_a_user(my: Ours) -> list[str]:
    """Log in by the dialog, close it, and execute what only a user may."""
    await _authorize(my, "right password")
    await my.click(".modal-ux .btn-done")
    await try_out(my)
    await my.click(EXECUTE)
    return ["ann"]


@DAY.task("docs#/rest/export", saved, ["notes.zip"], ready=OPEN)
async def save_a_file(my: Ours) -> list[str]:
    """Execute, save the file of the answer, and name it."""
    await try_out(my)
    await my.click(EXECUTE)
    return my.saved(await my.click("text=Download file"))


@DAY.task("docs#/rest/broken", page("document.body.innerText.includes('Failed to fetch')"), wanted=True, ready=OPEN)
async def see_that_a_server_does_not_answer(my: Ours) -> bool:
    """Choose a server that does not run, execute, and read what the page shows."""
    await my.act("select", ".servers select", value="http://127.0.0.1:9/ - old")
    await try_out(my)
    await my.click(EXECUTE)
    return "Failed to fetch" in await my.read(".responses-wrapper")


@DAY.task("docs", as_(page("document.querySelectorAll('.opblock').length"), int))
async def count_the_operations(my: Ours) -> int:
    """Read the whole page, and count its operations."""
    words = (await my.read("#swagger-ui")).split()
    return sum(word in {"GET", "POST", "DELETE"} for word in words)


@DAY.task(
    "docs#/notes/read_note", page("document.querySelector('.try-out__btn').innerText.trim()"), "Cancel", ready=OPEN
)
async def begin_by_the_list(my: Ours) -> str:
    """Find a button by the list of what can be acted on."""
    await my.click(await my.ref("button", "Try it out"))
    return "Cancel"
