"""A user's hour on kits: tables, pickers, what is dragged, editors, web components, React, Vue and Ionic."""

from typing import Any

from apps.ours import Ours
from apps.tasks import Day
from apps.truths import page

LOADED = "document.readyState === 'complete'"
DAY = Day(ready=LOADED)

TABLES, PICKERS, MOVING, TEXTS = "tables.html", "pickers.html", "moving.html", "texts.html"
SHOELACE, ANTD, ELEMENT, IONIC = "shoelace.html", "antd.html", "element.html", "ionic.html"

GRID = f"{LOADED} && built && document.querySelector('[row-index=\"2\"] [col-id=price]') !== null"
DEFINED = f"{LOADED} && document.querySelectorAll(':not(:defined)').length === 0"
MOUNTED = f"{LOADED} && document.querySelector('#root button') !== null"
HYDRATED = f"{LOADED} && document.querySelector('ion-input.hydrated input, #name input') !== null"


@DAY.task(TABLES, page("priceOf(0)"), 0, ready=GRID)
async def sort_a_grid(my: Ours) -> int:
    """Click the head of a column."""
    await my.click("text=Price")
    return 0


@DAY.task(TABLES, page("priceOf(1)"), 55, ready=GRID)
async def edit_a_cell_of_a_grid(my: Ours) -> int:
    """Click a cell twice, type, press Enter."""
    await my.double_click('[row-index="1"] [col-id=price]')
    await my.type('[row-index="1"] [col-id=price] input', "55")
    await my.press("Enter", '[row-index="1"] [col-id=price] input')
    return 55


@DAY.task(TABLES, page("priceOf(1)"), 7, ready=GRID)
async def edit_a_cell_of_a_grid_by_keys(my: Ours) -> int:
    """Click a cell, press a digit, which opens its field, and Enter."""
    await my.click('[row-index="1"] [col-id=price]')
    await my.press("7")
    await my.press("Enter")
    return 7


@DAY.task(TABLES, page("stock.getDisplayedRowCount()"), 1, ready=GRID)
async def filter_a_grid(my: Ours) -> int:
    """Type into the filter of a column."""
    await my.type('[aria-label="Make Filter Input"]', "Make777")
    return 1


@DAY.task(TABLES, page("stock.getDisplayedRowAtIndex(0).data.make"), "Make997", ready=GRID)
async def read_the_first_row_of_a_sorted_grid(my: Ours) -> str:
    """Filter it, sort it, read it: a row is in the document where it came, not where it is drawn."""
    await my.type('[aria-label="Make Filter Input"]', "Make99")
    await my.act("wait_for", '#stock:not(:has([row-index="11"]))')
    await my.click("text=Price")
    return (await my.read("#stock :has(> [row-index])")).split()[0]


@DAY.task(TABLES, page("stock.getSelectedNodes().length"), 1, ready=GRID)
async def choose_a_row_of_a_grid(my: Ours) -> int:
    """Tick a row."""
    await my.click('[row-index="2"] .ag-checkbox-input', nth=0)
    return 1


@DAY.task(TABLES, page("people.getData()[1].name"), "Zed", ready=GRID)
async def edit_a_cell_of_a_table(my: Ours) -> str:
    """Click a cell and type: the table takes what is typed."""
    cell = ".tabulator-row:nth-child(2) [tabulator-field=name]"
    await my.click(cell)
    await my.type(f"{cell} input", "Zed")
    return "Zed"


@DAY.task(TABLES, page("people.getData('active').length"), 3, ready=GRID)
async def filter_a_table(my: Ours) -> int:
    """Type into the field in the head of a column."""
    await my.type(".tabulator-header-filter input", "37")
    return 3


@DAY.task(TABLES, page("people.getData()[2].present"), wanted=True, ready=GRID)
async def tick_a_cell(my: Ours) -> bool:
    """Click a cell that is a tick, which opens its box, and tick that."""
    cell = ".tabulator-row:nth-child(3) [tabulator-field=present]"
    await my.click(cell)
    await my.act("check", f"{cell} input")
    return True


@DAY.task(PICKERS, page("document.querySelector('#day').value"), "2026-04-02")
async def choose_a_day_of_next_month(my: Ours) -> str:
    """Open a calendar, turn its page, click a day."""
    await my.click("#day")
    await my.click(".flatpickr-calendar.open .flatpickr-next-month")
    await my.click('.flatpickr-calendar.open .flatpickr-day[aria-label="April 2, 2026"]')
    return "2026-04-02"


@DAY.task(PICKERS, page("[day.selectedDates[0]?.getMonth(), document.querySelector('#day').value]"), [4, "2026-05-05"])
async def type_a_day(my: Ours) -> list[Any]:
    """Type a date, press Enter."""
    await my.type("#day", "2026-05-05")
    await my.press("Enter", "#day")
    return [4, "2026-05-05"]


@DAY.task(PICKERS, page("fruits.getValue()"), ["b"])
async def choose_of_a_drawn_list(my: Ours) -> list[str]:
    """Open a list that the kit draws, click a choice."""
    await my.click(".ts-control")
    await my.click(".option[data-value=b]")
    return ["b"]


@DAY.task(PICKERS, page("fruits.getValue()"), ["c"])
async def search_in_a_drawn_list(my: Ours) -> list[str]:
    """Type a part of a choice, press Enter."""
    await my.type(".ts-control input", "cher")
    await my.press("Enter", ".ts-control input")
    return ["c"]


@DAY.task(PICKERS, page("grain.getValue(true)"), "o")
async def search_in_a_list_that_opens(my: Ours) -> str:
    """Open a list, type into its search, press Enter."""
    await my.click(".choices")
    await my.type(".choices__input[type=search]", "oat")
    await my.press("Enter", ".choices__input[type=search]")
    return "o"


@DAY.task(PICKERS, page("document.querySelector('#root').value"), "p")
async def choose_of_a_list_by_jquery(my: Ours) -> str:
    """Open a list of select2, click its second choice."""
    await my.click(".select2-selection")
    await my.click(".select2-results__option:nth-child(2)")
    return "p"


@DAY.task(PICKERS, page("[fruits.getValue(), grain.getValue(true), roots.val()]"), [["a", "c"], "o", "p"])
async def choose_in_three_kits_at_once(my: Ours) -> list[Any]:
    """Fill a form of lists that are drawn in the place of select fields."""
    fields: list[dict[str, Any]] = [
        {"selector": "#fruits", "values": ["Apple", "Cherry"]},
        {"selector": "#grain", "value": "Oats"},
        {"selector": "#root", "value": "p"},
    ]
    await my.act("fill_form", fields=fields)
    return [["a", "c"], "o", "p"]


@DAY.task(MOVING, page("range.get()[0]"), "21.00")
async def move_a_handle_by_a_key(my: Ours) -> str:
    """Press ArrowRight on the handle of a slider."""
    await my.press("ArrowRight", ".noUi-handle-lower")
    return "21.00"


@DAY.task(MOVING, page("Math.abs(parseFloat(range.get()[0]) - 45) < 3"), wanted=True)
async def drag_a_handle(my: Ours) -> bool:
    """Drag the handle of a slider."""
    await my.drag_by(".noUi-handle-lower", 100, 0)
    return True


@DAY.task(
    MOVING, page("[...document.querySelector('#list').children].map(({ id }) => id).indexOf('i0') >= 2"), wanted=True
)
async def sort_a_list_by_dragging(my: Ours) -> bool:
    """Drag an entry onto another one."""
    await my.act("drag", "#i0", to="#i3")
    return True


@DAY.task(MOVING, page("slides.activeIndex"), 1)
async def swipe(my: Ours) -> int:
    """Drag a slide to the left."""
    await my.drag_by(".swiper", -300, 0)
    return 1


@DAY.task(MOVING, page("tree.get_selected()"), ["alpha"])
async def tick_a_branch(my: Ours) -> list[str]:
    """Open a branch of a tree, click an entry."""
    await my.click("#trunk > .jstree-ocl")
    await my.click("text=Alpha")
    return ["alpha"]


@DAY.task(MOVING, page("tree.is_open('trunk')"), wanted=True)
async def open_a_branch_by_a_key(my: Ours) -> bool:
    """Press ArrowRight on an entry of a tree."""
    await my.press("ArrowRight", "#trunk_anchor")
    return True


@DAY.task(TEXTS, page("letter.getText().trim()"), "Hello more")
async def add_to_a_text(my: Ours) -> str:
    """Type behind what is there."""
    await my.type(".ql-editor", " more", clear=False)
    return "Hello more"


@DAY.task(TEXTS, page("letter.getContents().ops[0].attributes?.bold ?? false"), wanted=True)
async def make_a_text_bold(my: Ours) -> bool:
    """Select everything by a key, click B."""
    await my.press("Control+a", ".ql-editor")
    await my.click(".ql-bold")
    return True


@DAY.task(TEXTS, page("notes.value()"), "# New")
async def write_markdown(my: Ours) -> str:
    """Type in place of what is there."""
    await my.type(".CodeMirror", "# New")
    return "# New"


@DAY.task(TEXTS, page("$('#report').summernote('code').replace(/<[^>]+>/g, '')"), "New")
async def write_a_report(my: Ours) -> str:
    """Type in place of what is there."""
    await my.type(".note-editable", "New")
    return "New"


@DAY.task(SHOELACE, page("fruit.value"), "b", ready=DEFINED)
async def choose_in_a_component(my: Ours) -> str:
    """Open a list, click a choice."""
    await my.click("#fruit")
    await my.click("text=Banana")
    return "b"


@DAY.task(SHOELACE, page("fruit.value"), "b", ready=DEFINED)
async def select_in_a_component(my: Ours) -> str:
    """Select a choice by its text."""
    return "b" if (await my.act("select", "label=Fruit", value="Banana"))["value"] == "Banana" else ""


@DAY.task(SHOELACE, page("volume.value"), 11, ready=DEFINED)
async def move_a_component_by_a_key(my: Ours) -> int:
    """Press ArrowRight on a slider."""
    await my.press("ArrowRight", "#volume")
    return 11


@DAY.task(SHOELACE, page("[agree.checked, power.checked, size.value]"), [True, True, "2"], ready=DEFINED)
async def tick_components(my: Ours) -> list[Any]:
    """Tick a box, turn a switch, choose a size."""
    await my.act("check", "#agree")
    await my.click("#power")
    await my.click("text=Two")
    return [True, True, "2"]


@DAY.task(SHOELACE, page("document.querySelector('#box').open"), wanted=False, ready=DEFINED)
async def shut_a_component_by_escape(my: Ours) -> bool:
    """Open a box, press Escape."""
    await my.click("#open")
    await my.press("Escape")
    return False


@DAY.task(
    SHOELACE,
    page("['#name', '#notes'].map((one) => document.querySelector(one).value)"),
    ["Bob", "new"],
    ready=DEFINED,
)
async def fill_components(my: Ours) -> list[str]:
    """Fill a form of components by their labels."""
    fields = {"label=Name": "Bob", "label=Notes": "new"}
    await my.act("fill_form", fields=[{"selector": name, "value": text} for name, text in fields.items()])
    return ["Bob", "new"]


@DAY.task(ANTD, page("chosen.fruit"), "b", ready=MOUNTED)
async def choose_in_react(my: Ours) -> str:
    """Open a list, click a choice."""
    await my.click("#fruit")
    await my.click("text=Banana")
    return "b"


@DAY.task(ANTD, page("chosen.fruit"), "b", ready=MOUNTED)
async def select_in_react(my: Ours) -> str:
    """Select a choice by its text."""
    return "b" if (await my.act("select", "#fruit", value="Banana"))["value"] == "Banana" else ""


@DAY.task(ANTD, page("chosen.fruit"), "c", ready=MOUNTED)
async def search_in_react(my: Ours) -> str:
    """Type a part of a choice, press Enter."""
    await my.type("#fruit", "cher")
    await my.press("Enter", "#fruit")
    return "c"


@DAY.task(ANTD, page("chosen.day"), "2026-05-06", ready=MOUNTED)
async def type_a_day_in_react(my: Ours) -> str:
    """Type a date, press Enter."""
    await my.type("#day", "2026-05-06")
    await my.press("Enter", "#day")
    return "2026-05-06"


@DAY.task(ANTD, page("[chosen.amount, chosen.power, chosen.volume, chosen.way]"), [42, True, 21, 2], ready=MOUNTED)
async def set_controls_in_react(my: Ours) -> list[Any]:
    """Type a number, turn a switch, move a slider by a key, choose a way."""
    await my.type("#amount", "42")
    await my.click("#power")
    await my.press("ArrowRight", ".ant-slider-handle")
    await my.click("text=Second way")
    return [42, True, 21, 2]


@DAY.task(ANTD, page("chosen.place"), ["z", "h"], ready=MOUNTED)
async def choose_a_place_in_react(my: Ours) -> list[str]:
    """Open a list of lists, choose in both."""
    await my.click("#place")
    await my.click("text=Zhejiang")
    await my.click("text=Hangzhou")
    return ["z", "h"]


@DAY.task(ANTD, page("chosen.menu"), "x", ready=MOUNTED)
async def choose_of_a_menu_in_react(my: Ours) -> str:
    """Point at a menu, click its entry."""
    await my.act("hover", "#menu")
    await my.click("text=Export")
    return "x"


@DAY.task(ANTD, page("chosen.deleted"), wanted=True, ready=MOUNTED)
async def confirm_in_react(my: Ours) -> bool:
    """Delete, and confirm that."""
    await my.click("#delete")
    await my.click("text=OK")
    return True


@DAY.task(
    ANTD,
    page("[...document.querySelectorAll('td.count')].map((cell) => cell.textContent).join('')"),
    "123",
    ready=MOUNTED,
)
async def sort_a_table_in_react(my: Ours) -> str:
    """Click the head of a column."""
    await my.click("text=Count")
    return "123"


@DAY.task(ANTD, page("chosen.isOpen"), wanted=False, ready=MOUNTED)
async def shut_a_box_in_react(my: Ours) -> bool:
    """Open a box, shut it by its button."""
    await my.click("text=Open the box")
    await my.click("text=Shut the box")
    return False


@DAY.task(ELEMENT, page("chosen.fruit"), "c", ready=MOUNTED)
async def select_in_vue(my: Ours) -> str:
    """Select a choice by its text."""
    return "c" if (await my.act("select", "label=Fruit", value="Cherry"))["value"] == "Cherry" else ""


@DAY.task(ELEMENT, page("chosen.fruit"), "c", ready=MOUNTED)
async def search_in_vue(my: Ours) -> str:
    """Type a part of a choice, go down to it, press Enter."""
    await my.type("label=Fruit", "che")
    await my.press("ArrowDown", "label=Fruit")
    await my.press("Enter", "label=Fruit")
    return "c"


@DAY.task(ELEMENT, page("chosen.day"), "2026-05-06", ready=MOUNTED)
async def type_a_day_in_vue(my: Ours) -> str:
    """Type a date, press Enter."""
    await my.type("label=Day", "2026-05-06")
    await my.press("Enter", "label=Day")
    return "2026-05-06"


@DAY.task(
    ELEMENT, page("[chosen.power, chosen.volume, [...chosen.ways], chosen.stars]"), [True, 11, ["x"], 4], ready=MOUNTED
)
async def set_controls_in_vue(my: Ours) -> list[Any]:
    """Tick a switch whose box has no size, move a slider by a key, tick a way, give stars."""
    await my.act("check", "#power")
    await my.press("ArrowRight", ".el-slider__button-wrapper")
    await my.act("check", "label=Way X")
    await my.click(".el-rate__item:nth-child(4)")
    return [True, 11, ["x"], 4]


@DAY.task(ELEMENT, page("[...chosen.place]"), ["z", "h"], ready=MOUNTED)
async def choose_a_place_in_vue(my: Ours) -> list[str]:
    """Open a list of lists, choose in both."""
    await my.click(".el-cascader")
    await my.click("text=Zhejiang")
    await my.click("text=Hangzhou")
    return ["z", "h"]


@DAY.task(ELEMENT, page("chosen.isOpen"), wanted=False, ready=MOUNTED)
async def shut_a_box_in_vue(my: Ours) -> bool:
    """Open a box, press Escape."""
    await my.click("text=Open the box")
    await my.press("Escape")
    return False


@DAY.task(
    IONIC,
    page("['#name', '#notes', '#search'].map((one) => document.querySelector(one).value)"),
    ["Ann", "a\nb", "abc"],
    ready=HYDRATED,
)
async def type_in_ionic(my: Ours) -> list[str]:
    """Type into a field, a text of two lines and a search."""
    await my.type("#name", "Ann")
    await my.type("#notes", "a\nb")
    await my.type("#search", "abc")
    return ["Ann", "a\nb", "abc"]


@DAY.task(
    IONIC,
    page("[power.checked, agree.checked, volume.value, part.value, size.value]"),
    [True, True, 11, "y", "2"],
    ready=HYDRATED,
)
async def set_controls_in_ionic(my: Ours) -> list[Any]:
    """Turn a toggle, tick a box, move a slider by a key, choose a part and a size."""
    await my.click("#power")
    await my.act("check", "#agree")
    await my.press("ArrowRight", "#volume")
    await my.click("text=Part Y")
    await my.click("text=Two")
    return [True, True, 11, "y", "2"]


@DAY.task(IONIC, page("document.querySelector('#fruit').value"), "b", ready=HYDRATED)
async def select_in_ionic(my: Ours) -> str:
    """Select a choice by its text."""
    return "b" if (await my.act("select", "#fruit", value="Banana"))["value"] == "Banana" else ""


@DAY.task(IONIC, page("document.querySelector('#fruit').value"), "b", ready=HYDRATED)
async def choose_in_ionic(my: Ours) -> str:
    """Open a list, click a choice."""
    await my.click("#fruit")
    await my.click("text=Banana")
    return "b"
