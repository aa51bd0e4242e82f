"""A user's day in JupyterLab: cells and their outputs, keys of its two modes, files, menus; judged by its files."""

import json
import shutil

from apps.jupyterlab.serve import PROJECT
from apps.ours import Ours
from apps.tasks import Day, Ground
from apps.truths import page, saved

LAB, NOTEBOOK, TEXT = "lab?reset", "lab/tree/flour.ipynb?reset", "lab/tree/list.txt?reset"
CELL = ".jp-Notebook .jp-Cell"
MAIN = ".jp-Launcher, .jp-NotebookPanel, .jp-FileEditor"
DRAWN = f"document.querySelector('.jp-DirListing-item')?.checkVisibility() && document.querySelector('{MAIN}') !== null"
IDLE = "document.querySelector('.jp-Notebook-ExecutionIndicator[data-status=idle]') !== null"
KERNEL = "/Python/.test(document.querySelector('[data-jp-item-name=kernelName]')?.innerText)"
READY = f"{DRAWN} && {KERNEL} && document.querySelectorAll('{CELL}').length === 3 && {IDLE}"
OPENED = f"{DRAWN} && document.querySelector('.jp-FileEditor .cm-content') !== null"
DAY = Day(ready=READY)

outputs = page("[...document.querySelectorAll('.jp-OutputArea-output')].map((one) => one.innerText.trim())")
cells = page("[...document.querySelectorAll('.jp-Notebook .jp-Cell .cm-content')].map((one) => one.innerText)")
count = page(f"document.querySelectorAll('{CELL}').length")


async def fresh(ground: Ground) -> None:
    """Put the files back, and remove the others."""
    work = ground.folder / "work"
    for path in list(work.iterdir()):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(PROJECT, work, dirs_exist_ok=True)


def content(ground: Ground, name: str) -> str:
    """Read a file of the user."""
    return (ground.folder / "work" / name).read_text()


async def files(ground: Ground) -> list[str]:
    """Name the files of the user."""
    return sorted(path.name for path in (ground.folder / "work").iterdir() if not path.name.startswith("."))


async def source(ground: Ground) -> str:
    """Read the first cell of the saved notebook."""
    return "".join(json.loads(content(ground, "flour.ipynb"))["cells"][0]["source"])


async def text(ground: Ground) -> str:
    """Read the text file."""
    return content(ground, "list.txt").strip()


@DAY.task(NOTEBOOK, outputs, ["flour 1000"], prepare=fresh)
async def run_a_cell_by_keys(my: Ours) -> list[str]:
    """Press Shift+Enter in the first cell, and read its output."""
    await my.click(f"{CELL} .cm-content", nth=0)
    await my.press("Shift+Enter", f"{CELL} .cm-content", nth=0)
    await my.act("wait_for", ".jp-OutputArea-output")
    return [(await my.read(".jp-OutputArea-output")).strip()]


@DAY.task(NOTEBOOK, outputs, ["flour 1000"], prepare=fresh)
async def run_a_cell_by_keys_where_it_was_clicked(my: Ours) -> list[str]:
    """Click into the first cell, press Shift+Enter, wait for its output, and read it."""
    await my.click(f"{CELL} .cm-content", nth=0)
    await my.press("Shift+Enter")
    await my.act("wait_for", ".jp-OutputArea-output")
    return [(await my.read(".jp-OutputArea-output")).strip()]


@DAY.task(NOTEBOOK, outputs, ["flour 1000"], prepare=fresh)
async def run_a_cell_by_the_button(my: Ours) -> list[str]:
    """Choose the first cell, click the button that runs it, wait for its output, and read it."""
    await my.click(f"{CELL} .cm-content", nth=0)
    await my.click('[data-command="notebook:run-cell-and-select-next"]')
    await my.act("wait_for", ".jp-OutputArea-output")
    return [(await my.read(".jp-OutputArea-output")).strip()]


@DAY.task(NOTEBOOK, outputs, ["flour 1000", "done 42"], prepare=fresh)
async def run_all_by_the_menu(my: Ours) -> list[str]:
    """Run all cells by the menu, wait for the last output, and read them."""
    await my.click("text=Run")
    await my.click("text=Run All Cells")
    await my.wait_text("done 42")
    matches = (await my.call("query_dom", selector=".jp-OutputArea-output")).get("matches", [])
    return [match["text"].strip() for match in matches]


NEW = "flour = 700"


@DAY.task(NOTEBOOK, source, NEW, prepare=fresh)
async def change_a_cell_and_save(my: Ours) -> str:
    """Type a new text into the first cell, and save by a key."""
    await my.type(f"{CELL} .cm-content", NEW, nth=0)
    await my.press("Control+s", f"{CELL} .cm-content", nth=0)
    return NEW


@DAY.task(NOTEBOOK, source, NEW, prepare=fresh)
async def change_a_cell_and_save_by_the_button(my: Ours) -> str:
    """Type a new text into the first cell, and save by the button."""
    await my.type(f"{CELL} .cm-content", NEW, nth=0)
    await my.click('[data-command="docmanager:save"]')
    return NEW


@DAY.task(NOTEBOOK, count, 4, prepare=fresh)
async def add_a_cell_by_keys(my: Ours) -> int:
    """Leave the text of a cell by Escape, press b."""
    await my.click(f"{CELL} .cm-content", nth=0)
    await my.press("Escape", f"{CELL} .cm-content", nth=0)
    await my.press("b")
    return 4


@DAY.task(NOTEBOOK, count, 2, prepare=fresh)
async def delete_a_cell_by_keys(my: Ours) -> int:
    """Choose a cell beside its text, press d twice."""
    await my.click(f"{CELL} >> nth=1 >> .jp-InputPrompt")
    await my.press("d", ".jp-Notebook")
    await my.press("d", ".jp-Notebook")
    return 2


@DAY.task(NOTEBOOK, count, 4, prepare=fresh)
async def add_a_cell_by_the_button(my: Ours) -> int:
    """Click the plus sign above the notebook."""
    await my.click('.jp-NotebookPanel-toolbar >> [data-command="notebook:insert-cell-below"]')
    return 4


TAB = "#jp-main-dock-panel .lm-TabBar-tab.jp-mod-current .lm-TabBar-tabLabel"
FRONT = f"document.querySelector('{TAB}')?.innerText ?? ''"


@DAY.task(LAB, page(FRONT), "list.txt", prepare=fresh, ready=DRAWN)
async def open_a_file_by_a_double_click(my: Ours) -> str:
    """Double click a file in the list."""
    await my.double_click('.jp-DirListing-item[title*="list.txt"]')
    return "list.txt"


@DAY.task(LAB, page(FRONT), "list.txt", prepare=fresh, ready=DRAWN)
async def open_a_file_by_enter(my: Ours) -> str:
    """Choose a file in the list, and press Enter."""
    await my.click('.jp-DirListing-item[title*="list.txt"]')
    await my.press("Enter", ".jp-DirListing-content")
    return "list.txt"


@DAY.task(TEXT, text, "spelt flour", prepare=fresh, ready=OPENED)
async def write_a_text_file(my: Ours) -> str:
    """Put a new text into the editor, and save by a key."""
    await my.type(".jp-FileEditor .cm-content", "spelt flour")
    await my.press("Control+s", ".jp-FileEditor .cm-content")
    return "spelt flour"


@DAY.task(LAB, files, ["Untitled Folder", "flour.ipynb", "list.txt"], prepare=fresh, ready=DRAWN)
async def make_a_folder(my: Ours) -> list[str]:
    """Make a folder by the button, keep its name by Enter."""
    await my.click('[data-command="filebrowser:create-new-directory"]')
    await my.act("wait_for", ".jp-DirListing-editor")
    await my.press("Enter", ".jp-DirListing-editor")
    return ["Untitled Folder", "flour.ipynb", "list.txt"]


@DAY.task(LAB, files, ["flour.ipynb", "order.txt"], prepare=fresh, ready=DRAWN)
async def rename_a_file(my: Ours) -> list[str]:
    """Rename a file by the menu of a right click."""
    await my.right_click('.jp-DirListing-item[title*="list.txt"]')
    await my.click("text=Rename")
    await my.type(".jp-DirListing-editor", "order.txt")
    await my.press("Enter", ".jp-DirListing-editor")
    return ["flour.ipynb", "order.txt"]


@DAY.task(LAB, saved, ["list.txt"], prepare=fresh, ready=DRAWN)
async def save_a_file(my: Ours) -> list[str]:
    """Download a file by the menu of a right click, and name it."""
    await my.right_click('.jp-DirListing-item[title*="list.txt"]')
    return my.saved(await my.click("text=Download"))


@DAY.task(LAB, page("document.body.dataset.jpThemeName"), "JupyterLab Dark", prepare=fresh, ready=DRAWN)
async def choose_a_theme_by_the_menu(my: Ours) -> str:
    """Open a menu within a menu, and choose."""
    await my.click("text=Settings")
    await my.act("hover", "text=Theme")
    await my.click("text=JupyterLab Dark")
    return "JupyterLab Dark"
