"""Tasks that read: searches, filters, a long list, a page that takes 1.5 s."""

import re

from apps.django.state import LOGGED_IN, log_in, table
from apps.ours import Ours
from apps.tasks import Day
from apps.truths import page

DAY = Day(ready=LOGGED_IN)
LIST = "admin/shop/item/"

found_by_search = table("SELECT count(*) FROM shop_item WHERE name LIKE '%01%'", lambda found: f"{found[0][0]} results")
count_text = page("document.querySelector('#changelist-search .quiet')?.innerText.split(' (')[0] ?? ''")


@DAY.task(LIST, found_by_search, prepare=log_in)
async def search_and_count(my: Ours) -> str:
    """Search, and read how many there are."""
    await my.type("#searchbar", "01")
    await my.click('role=button[name="Search"]')
    return (await my.read("#changelist-search .quiet")).split(" (")[0]


@DAY.task(LIST, count_text, "13 results", prepare=log_in)
async def search_by_enter(my: Ours) -> str:
    """Search with the Enter key."""
    await my.type("#searchbar", "15")
    await my.press("Enter", "#searchbar")
    return (await my.read("#changelist-search .quiet")).split(" (")[0]


drinks = table("SELECT count(*) FROM shop_item WHERE kind = 'drink'", lambda found: f"{found[0][0]} items")


@DAY.task(LIST, drinks, prepare=log_in)
async def filter_by_kind(my: Ours) -> str:
    """Choose a filter at the side, and read how many there are."""
    await my.click('role=link[name="Drink"]')
    return (await my.read(".paginator")).strip().splitlines()[-1].strip()


names = table(
    "SELECT name FROM shop_item WHERE name LIKE 'Item ___' ORDER BY id", lambda found: [name for (name,) in found]
)


@DAY.task(LIST, names, prepare=log_in)
async def read_a_list_of_240_rows(my: Ours) -> list[str]:
    """Read a long list to its end."""
    return re.findall(r"Item \d{3}", await my.read("#result_list"))


heading = page("document.querySelector('h1')?.innerText")


@DAY.task("admin/shop/", heading, "Report of the year", prepare=log_in)
async def follow_a_link_to_a_slow_page(my: Ours) -> str:
    """Follow a link to a page that takes 1.5 s, and read its heading."""
    await my.click("text=Report of the year")
    return await my.read("h1")


@DAY.task("admin/shop/", heading, "Report of the year", prepare=log_in)
async def name_what_comes_after_a_slow_link(my: Ours) -> str:
    """Follow a link to a page that takes 1.5 s, and ask what page is open."""
    await my.click("text=Report of the year")
    headings = (await my.call("get_page_info")).get("headings", [])
    return str(headings[0]).removeprefix("h1 ") if headings else ""
