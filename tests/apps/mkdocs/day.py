"""A user's day in a handbook by mkdocs-material: its search, its keys, pages that come without a load, a long page."""

import re
from typing import Any

from apps.ours import Ours
from apps.tasks import Day
from apps.truths import both, page

DAY = Day(ready="document.readyState === 'complete' && document.querySelector('.md-search__input') !== null")
BOX = ".md-search__input"

path = page("location.pathname")
heading = page("document.querySelector('h1')?.innerText.replace('¶', '').trim()")
hits = page("document.querySelector('.md-search-result__meta')?.innerText.trim()")


@DAY.task("", hits, "2 matching documents")
async def search(my: Ours) -> str:
    """Type a word into the search, and read how many pages have it."""
    await my.click(BOX)
    await my.type(BOX, "millstones")
    return (await my.read(".md-search-result__meta")).strip()


@DAY.task("", hits, "2 matching documents")
async def search_by_the_box_alone(my: Ours) -> str:
    """Type at once into the search, wait for the number, and read it."""
    await my.type(BOX, "millstones")
    await my.wait_text("matching documents")
    return (await my.read(".md-search-result__meta")).strip()


@DAY.task("", heading, "Sieving")
async def go_to_what_was_found(my: Ours) -> str:
    """Search, choose what was found, and read the heading."""
    await my.click(BOX)
    await my.type(BOX, "bolter")
    await my.act("wait_for", ".md-search-result__link")
    await my.click(".md-search-result__link", nth=0)
    return (await my.read("h1")).replace("¶", "").strip()


@DAY.task("", page("document.querySelector('#__search').checked"), wanted=True)
async def open_the_search_by_a_key(my: Ours) -> bool:
    """Press / on the page."""
    await my.press("/", "body")
    return True


OPEN = "document.querySelector('#__search')?.checked"


@DAY.task("?q=bolter", page(OPEN), wanted=False, ready=OPEN)
async def leave_the_search_by_escape(my: Ours) -> bool:
    """Press Escape in the search that is open."""
    await my.press("Escape", BOX)
    return False


@DAY.task("", both(path, page("document.title")), ["/grinding/", "Grinding - Mill handbook"])
async def follow_a_link(my: Ours) -> list[str]:
    """Follow a link, and name the address and the title."""
    reply = await my.click('role=link[name="grinding"]')
    return ["/" + (await my.url(reply)).split("/", 3)[3], await my.title(reply)]


@DAY.task("", heading, "Measures")
async def open_a_part_of_the_handbook(my: Ours) -> str:
    """Choose a tab of the navigation, and read the heading."""
    await my.click('role=link[name="Reference"]')
    return (await my.read("h1")).replace("¶", "").strip()


@DAY.task("grinding/", path, "/sieving/")
async def go_to_the_next_page_by_a_key(my: Ours) -> str:
    """Press n on the page."""
    await my.press("n", "body")
    return "/sieving/"


@DAY.task("grinding/", path, "/sieving/")
async def go_to_the_next_page_by_the_footer(my: Ours) -> str:
    """Choose the next page at the foot."""
    await my.click(".md-footer__link--next")
    return "/" + (await my.url()).split("/", 3)[3]


@DAY.task("", page("document.body.dataset.mdColorScheme"), "slate")
async def switch_to_the_dark_palette(my: Ours) -> str:
    """Switch the palette."""
    await my.click('[title="Switch to dark mode"]')
    return "slate"


TABS = page("[...document.querySelectorAll('.tabbed-block')].map((one) => one.checkVisibility())")


@DAY.task("", TABS, [False, True])
async def choose_a_tab_of_the_text(my: Ours) -> list[bool]:
    """Choose the second tab."""
    await my.click("text=Wind")
    return [False, True]


@DAY.task("", page("document.querySelector('details').open"), wanted=True)
async def open_the_details(my: Ours) -> bool:
    """Open what is folded."""
    await my.click("text=Who writes this")
    return True


COPIED = "document.querySelector('.md-dialog--active')?.innerText ?? ''"


@DAY.task("grinding/", page(COPIED), "Copied to clipboard")
async def copy_the_code(my: Ours) -> str:
    """Copy the code, and read what the page reports."""
    await my.click('role=button[name="Copy to clipboard"]')
    return (await my.read(".md-dialog")).strip()


GAUGES = "[...document.querySelector('article').innerText.matchAll(/G\\d{3}/g)].map(([gauge]) => gauge)"


@DAY.task("measures/", page(GAUGES))
async def read_a_long_page(my: Ours) -> list[str]:
    """Read a long page to its end."""
    return re.findall(r"G\d{3}", await my.read("article"))


@DAY.task("measures/", page("location.hash"), "#measure-90")
async def go_to_a_part_of_a_page(my: Ours) -> Any:
    """Follow a link of the contents, and name the address."""
    reply = await my.click('role=link[name="Measure 90"]')
    return "#" + (await my.url(reply)).partition("#")[2]


@DAY.task("", page("[...document.querySelectorAll('.md-tabs__link')].map((link) => link.innerText.trim())"))
async def name_the_parts_by_the_list(my: Ours) -> list[str]:
    """Name the parts of the handbook by the list of what can be acted on."""
    rows = (await my.act("list_interactive", ".md-tabs")).get("elements", [])
    return [row.get("name", "") for row in rows]
