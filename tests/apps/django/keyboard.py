"""Tasks of the keyboard, and of the page's own widgets: no focus and blur come to a window behind another."""

from apps.django.state import LOGGED_IN, log_in
from apps.ours import Ours
from apps.tasks import Day
from apps.truths import page

DAY = Day(ready=LOGGED_IN)
ADD = "admin/shop/item/add/"
SEVENTH = "admin/shop/item/7/change/"


@DAY.task(ADD, page("document.activeElement.id"), "id_code", prepare=log_in)
async def go_to_the_next_field_by_tab(my: Ours) -> str:
    """Press Tab in the first field."""
    await my.act("focus", "#id_name")
    await my.press("Tab")
    return "id_code"


@DAY.task(ADD, page("[id_name.value, id_code.value]"), ["", "typed"], prepare=log_in)
async def type_where_tab_has_gone(my: Ours) -> list[str]:
    """Press Tab, then type letter by letter."""
    await my.act("focus", "#id_name")
    await my.press("Tab")
    for letter in "typed":
        await my.press(letter)
    return ["", "typed"]


@DAY.task(SEVENTH, page("id_name.value"), "", prepare=log_in)
async def empty_a_field_by_keys(my: Ours) -> str:
    """Select everything in a field and delete it."""
    await my.act("focus", "#id_name")
    await my.press("Control+a")
    await my.press("Delete")
    return ""


@DAY.task(SEVENTH, page("id_kind.value"), "drink", prepare=log_in)
async def choose_an_option_by_arrows(my: Ours) -> str:
    """Go to the next option of a list by the arrow key: from food to drink."""
    await my.press("ArrowDown", "#id_kind")
    return "drink"


TOMORROW = "new Date(Date.now() + 864e5).toLocaleDateString('sv')"


@DAY.task(ADD, page(f"id_added.value === {TOMORROW} ? 'tomorrow' : id_added.value"), "tomorrow", prepare=log_in)
async def choose_tomorrow_in_the_calendar(my: Ours) -> str:
    """Open the calendar beside a date, and choose tomorrow."""
    await my.click("#calendarlink0")
    await my.click("text=Tomorrow")
    return "tomorrow"


PREPOPULATED = "[...document.querySelectorAll('#id_labels_from option')].map((option) => option.text)"


@DAY.task(ADD, page(PREPOPULATED), ["frozen"], prepare=log_in)
async def filter_the_labels_by_typing(my: Ours) -> list[str]:
    """Type into the filter above the labels, which listens to keys."""
    await my.type("#id_labels_input", "froz")
    return ["frozen"]
