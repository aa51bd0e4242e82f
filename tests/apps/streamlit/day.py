"""A user's day with widgets of Streamlit: the page is drawn again by the server after each of them."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from apps.files import file
from apps.ours import Ours
from apps.tasks import Day, Ground
from apps.truths import page, saved

CAPTION, ALERT = "[data-testid=stCaptionContainer]", "[data-testid=stAlert]"
DRAWN = f"document.querySelector('[data-testid=stDataFrame]') && document.querySelector('{CAPTION}')"
DAY = Day(ready=f"{DRAWN} && !document.querySelector('[data-testid=stSkeleton]')")


CHOSEN = "document.querySelector('[data-testid=stTabs] [aria-selected=true]').innerText.trim()"


def state(name: str) -> Callable[[Ground], Awaitable[Any]]:
    """Make a truth of what the page's script was last run with."""

    async def truth(ground: Ground) -> Any:
        return json.loads((ground.folder / "state.json").read_text())[name]

    return truth


@DAY.task("", state("name"), "Dora")
async def type_a_name_and_enter(my: Ours) -> str:
    """Type into a field, and press Enter."""
    await my.type("label=Customer", "Dora")
    await my.press("Enter", "label=Customer")
    return "Dora"


@DAY.task("", state("name"), "Cem")
async def type_a_name_and_go_on(my: Ours) -> str:
    """Type into a field, and click a button: the field counts when it is left."""
    await my.type("label=Customer", "Cem")
    await my.click('role=button[name="Count"]')
    return "Cem"


@DAY.task("", state("notes"), "Two lines")
async def type_notes_and_leave_them(my: Ours) -> str:
    """Type into a text area, and go on by Tab."""
    await my.type("label=Notes", "Two lines")
    await my.press("Tab", "label=Notes")
    return "Two lines"


@DAY.task("", state("sacks"), 11)
async def move_the_slider_by_a_key(my: Ours) -> int:
    """Press ArrowRight on the slider."""
    await my.press("ArrowRight", "label=Sacks")
    return 11


@DAY.task("", state("kind"), "spelt")
async def choose_from_the_list(my: Ours) -> str:
    """Open the list, and choose."""
    await my.click("label=Flour")
    await my.click("text=spelt")
    return "spelt"


@DAY.task("", state("kind"), "rye")
async def choose_from_the_list_by_typing(my: Ours) -> str:
    """Type into the list, and press Enter."""
    await my.type("label=Flour", "rye")
    await my.press("Enter", "label=Flour")
    return "rye"


@DAY.task("", state("extras"), ["yeast"])
async def choose_an_extra(my: Ours) -> list[str]:
    """Open the list of several, and choose one."""
    await my.click("label=Extras")
    await my.click("text=yeast")
    return ["yeast"]


@DAY.task("", state("weight"), 26)
async def step_a_number_up(my: Ours) -> int:
    """Click the plus sign of a number."""
    await my.click('[data-testid="stNumberInputStepUp"]')
    return 26


@DAY.task("", state("express"), wanted=True)
async def tick_a_box(my: Ours) -> bool:
    """Tick a box."""
    await my.act("check", "label=Express")
    return True


@DAY.task("", state("way"), "sent")
async def choose_one_of_two(my: Ours) -> str:
    """Choose the second of two."""
    await my.click("label=sent")
    return "sent"


@DAY.task("", state("upload"), ["recipe.txt", 6])
async def upload_a_file(my: Ours) -> list[Any]:
    """Choose a file."""
    with file("recipe.txt", b"Flour\n") as recipe:
        await my.act("upload", 'input[type="file"]', files=[recipe])
        return ["recipe.txt", 6]


@DAY.task("", saved, ["bill.txt"])
async def save_the_bill(my: Ours) -> list[str]:
    """Download a file, and name it."""
    return my.saved(await my.click("text=Download the bill"))


@DAY.task("", page(f"document.querySelector('{ALERT}')?.innerText.trim() ?? ''"), "The street is missing")
async def see_that_a_form_is_refused(my: Ours) -> str:
    """Send a form without its street, and read what is wrong."""
    await my.click('role=button[name="Send"]')
    return (await my.read(ALERT)).strip()


@DAY.task("", state("street"), "Mill Lane 4")
async def send_a_form(my: Ours) -> str:
    """Fill a form, send it, and read whether it was taken."""
    await my.type("[data-testid=stForm] >> label=Street", "Mill Lane 4")
    await my.click('[data-testid=stForm] >> role=button[name="Send"]')
    return (await my.read(ALERT)).strip().removeprefix("Sent to ")


@DAY.task("", page("document.body.innerText.includes('Ground 10 sacks')"), wanted=True)
async def wait_for_a_slow_answer(my: Ours) -> bool:
    """Start what takes 2 s, wait for its end, and read it."""
    await my.click('role=button[name="Grind"]')
    await my.wait_text("Ground 10 sacks")
    return True


@DAY.task("", page(CHOSEN), "Night shift")
async def choose_a_tab(my: Ours) -> str:
    """Choose the second tab."""
    await my.click('role=tab[name="Night shift"]')
    return "Night shift"


@DAY.task(
    "",
    page(f"document.querySelector('{CAPTION}').innerText.trim()"),
    "Ann orders 10 sacks of rye",
)
async def read_what_comes_of_a_choice(my: Ours) -> str:
    """Choose from the list, and read the sentence at the foot."""
    await my.click("label=Flour")
    await my.click("text=rye")
    return (await my.read(CAPTION)).strip()
