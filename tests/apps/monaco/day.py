"""A user's day in Monaco: typing, keys, its menus and its search, and what was saved."""

from typing import Any

from apps.ours import Ours
from apps.tasks import Day, Ground
from apps.truths import page

COLOURED = "document.querySelectorAll('.monaco-editor .view-line span span')[1]?.textContent.includes('flour')"
DAY = Day(ready=f"{COLOURED} && window.editor !== undefined")  # before, each line is one word
EDITOR = ".monaco-editor"
PAGE = "index.html"
NEW = "const salt = 10;"

value = page("editor.getValue()")
first = page("editor.getModel().getLineContent(1)")


async def forget(ground: Ground) -> None:
    """Remove what was saved."""
    (ground.folder / "saved").unlink(missing_ok=True)


async def saved(ground: Ground) -> Any:
    """Read what was saved, as far as the tasks need it: how many lines, and the first."""
    file = ground.folder / "saved"
    if not file.exists():
        return "not saved"
    lines = file.read_text().splitlines()
    return [len(lines), lines[0] if lines else ""]


@DAY.task(PAGE, saved, [1, NEW], prepare=forget)
async def replace_everything_and_save(my: Ours) -> Any:
    """Put a new text in place of the old one, save by the button."""
    await my.type(EDITOR, NEW)
    await my.click("text=Save")
    return [1, NEW] if "Saved" in await my.read("#status") else "not saved"


@DAY.task(PAGE, value, NEW)
async def replace_everything_by_the_textbox(my: Ours) -> str:
    """Type into the text box that the list names."""
    rows = (await my.act("list_interactive")).get("elements", [])
    ref = next((row["ref"] for row in rows if row.get("role") == "textbox"), "")
    await my.type(f"ref={ref}", NEW)
    return NEW


@DAY.task(PAGE, value, "")
async def delete_everything_by_keys(my: Ours) -> str:
    """Click into the editor, select everything, delete it."""
    await my.click(".view-lines")
    await my.press("Control+a")
    await my.press("Delete")
    return ""


@DAY.task(PAGE, first, "// new")
async def write_a_line_at_the_top_by_keys(my: Ours) -> str:
    """Go to the top by a key, type a comment and Enter."""
    await my.click(".view-lines")
    await my.press("Control+Home")
    for letter in ("/", "/", "Space", "n", "e", "w", "Enter"):
        await my.press(letter)
    return "// new"


@DAY.task(PAGE, saved, [200, "const flour = 500;"], prepare=forget)
async def save_by_a_key(my: Ours) -> Any:
    """Press Control+s in the editor."""
    await my.press("Control+s", EDITOR)
    return [200, "const flour = 500;"]


@DAY.task(PAGE, saved, [200, "const flour = 500;"], prepare=forget)
async def save_by_the_button(my: Ours) -> Any:
    """Save by the button, and read what the page reports."""
    await my.click("text=Save")
    return [200, "const flour = 500;"] if "Saved 200 lines" in await my.read("#status") else "not saved"


FOUND = "document.querySelector('.find-widget.visible .matchesCount')?.innerText.split(' of ')[1] ?? 'no search'"


@DAY.task(PAGE, page(FOUND), "2")
async def count_what_a_search_finds(my: Ours) -> str:
    """Open the search by a key, type a word, read the number of places."""
    await my.press("Control+f", EDITOR)
    await my.type("placeholder=Find", "flour")
    await my.press("Enter", "placeholder=Find")
    return (await my.read(".find-widget .matchesCount")).strip().split(" of ")[-1]


@DAY.task(PAGE, page("editor.getPosition().lineNumber"), 120)
async def go_to_a_line(my: Ours) -> int:
    """Open the box by a key, type the number, press Enter."""
    await my.press("Control+g", EDITOR)
    await my.type(".quick-input-widget input", ":120")
    await my.press("Enter", ".quick-input-widget input")
    return 120


@DAY.task(PAGE, first, "// const flour = 500;")
async def comment_a_line_by_the_palette(my: Ours) -> str:
    """Open the list of commands, type a name, choose it."""
    await my.press("F1", EDITOR)
    await my.type(".quick-input-widget input", ">Add Line Comment")
    await my.click("text=Add Line Comment")
    return "// const flour = 500;"


@DAY.task(PAGE, page("document.querySelector('.shadow-root-host') !== null"), wanted=True)
async def open_the_menu(my: Ours) -> bool:
    """Right click into the editor."""
    await my.right_click(".view-lines")
    return True


@DAY.task(PAGE, page("editor.getModel().getValueInRange(editor.getSelection())"), "flour")
async def select_a_word(my: Ours) -> str:
    """Double click a word."""
    await my.double_click(".view-line span span", nth=1)
    return "flour"


@DAY.task(PAGE, page("editor.getModel().getLanguageId()"), "json")
async def choose_a_language(my: Ours) -> str:
    """Choose a language in the list above the editor."""
    await my.act("select", "label=Language", value="json")
    return "json"


@DAY.task(PAGE, page("editor.getScrollTop() > 0"), wanted=True)
async def scroll_by_the_wheel(my: Ours) -> bool:
    """Turn the wheel over the editor."""
    await my.wheel(EDITOR, 400)
    return True


@DAY.task(PAGE, page("[...Array(6)].map((_, line) => editor.getModel().getLineContent(line + 1))"))
async def read_the_first_lines(my: Ours) -> list[str]:
    """Read what the editor shows."""
    text = (await my.read(".view-lines")).replace("\xa0", " ")
    return text.splitlines()[:6]


@DAY.task(PAGE, page("[editor.getModel().getVersionId() > 1, editor.getModel().getLineCount()]"), [True, 200])
async def take_a_change_back(my: Ours) -> list[Any]:
    """Delete everything, then undo it by a key."""
    await my.click(".view-lines")
    await my.press("Control+a")
    await my.press("Delete")
    await my.press("Control+z")
    return [True, 200]
