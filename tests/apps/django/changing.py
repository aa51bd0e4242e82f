"""Tasks that change records: every kind of field, a refusal by the server, inlines, a popup window, deletion."""

import json
from typing import Any

from apps.django.item import FIELDS
from apps.django.state import LOGGED_IN, log_in, rows, table
from apps.files import file
from apps.ours import Ours, Reply
from apps.tasks import Day, Ground
from apps.truths import page

DAY = Day(ready=LOGGED_IN)
ADD = "admin/shop/item/add/"
SAVE = 'role=button[name="Save"]'
TEA = {
    "name": "Green tea",
    "description": "Two lines\nof text",
    "amount": 12,
    "price": 4.5,
    "available": 1,
    "kind": "drink",
    "added": "2026-03-01",
    "opens": "09:30:00",
    "supplier": "River Dairy",
    "labels": ["local", "organic"],
    "manual": "manuals/manual.txt",
    "link": "https://example.org/tea",
    "details": {"leaf": "whole"},
}
COLUMNS = "name, description, amount, price, available, kind, added, opens, manual, link, details, supplier_id, id"


async def tea(ground: Ground) -> Any:
    """Read the record of the tea from the database."""
    found = rows(ground, f"SELECT {COLUMNS} FROM shop_item WHERE code = 'tea'")  # noqa: S608 - the columns are ours
    if not found:
        return "not saved"
    record = dict(zip(COLUMNS.split(", "), found[0], strict=True))
    supplier = rows(ground, "SELECT name FROM shop_supplier WHERE id = ?", record.pop("supplier_id"))
    record["supplier"] = supplier[0][0] if supplier else None
    record["labels"] = labels(ground, record.pop("id"))
    lines = record["description"].replace("\r\n", "\n")  # a form sends its lines so
    return record | {"details": json.loads(record["details"]), "description": lines}


def labels(ground: Ground, item: int) -> list[str]:
    """Read the labels of an item."""
    query = (
        "SELECT name FROM shop_label JOIN shop_item_labels ON label_id = shop_label.id WHERE item_id = ? ORDER BY name"
    )
    return [name for (name,) in rows(ground, query, item)]


async def outcome(my: Ours, reply: Reply) -> str:
    """Conclude from the title whether the server has taken a form."""
    return "saved" if (await my.title(reply)).startswith("Select ") else "not saved"


@DAY.task(ADD, tea, TEA, prepare=log_in)
async def add_an_item_with_every_field(my: Ours) -> Any:
    """Add a record with every kind of field."""
    with file("manual.txt", b"Pour hot water.\n") as manual:
        await my.act("fill_form", fields=FIELDS)
        await my.act("select", "#id_labels_from", values=["organic", "local"])
        await my.click("#id_labels_add")
        await my.click('[aria-labelledby="select2-id_supplier-container"]')
        await my.type(".select2-search__field", "River")
        await my.click("text=River Dairy")
        await my.act("upload", "#id_manual", files=[manual])
        reply = await my.click(SAVE)
        return TEA if await outcome(my, reply) == "saved" else "not saved"


@DAY.task(ADD, page("document.title"), "Error: Add item | Django site admin", prepare=log_in)
async def see_that_the_server_refuses_a_form(my: Ours) -> str:
    """Find out that a code is taken already."""
    fields = [
        {"selector": "label=Name:", "value": "Coffee"},
        {"selector": "label=Code:", "value": "item-003"},
        {"selector": "label=Price:", "value": "3"},
        {"selector": "#id_kind", "value": "Drink"},
    ]
    return await my.title(await my.act("fill_form", fields=fields, submit=True))


async def errors(ground: Ground) -> list[str]:
    """Name the fields that the page marks as invalid."""
    found: list[str] = await ground.tab.evaluate(
        "[...document.querySelectorAll('.form-row.errors .errorlist')].map((list) => list.innerText.trim())"
    )
    return found


@DAY.task(ADD, errors, ["Item with this Code already exists.", "This field is required."], prepare=log_in)
async def read_which_fields_the_server_refuses(my: Ours) -> list[str]:
    """Read what the server finds wrong with a form."""
    await my.act("set_attribute", "#item_form", attribute="novalidate", value="")
    fields = [{"selector": "#id_name", "value": "Coffee"}, {"selector": "#id_code", "value": "item-004"}]
    await my.act("fill_form", fields=fields)
    await my.act("select", "#id_kind", value="Tool")
    await my.click(SAVE)
    matches = (await my.call("query_dom", selector=".form-row.errors .errorlist")).get("matches", [])
    return [match["text"] for match in matches]


amount = table("SELECT amount FROM shop_item WHERE code = 'item-007'", lambda found: found[0][0])


@DAY.task("admin/shop/item/", amount, 77, prepare=log_in)
async def change_an_amount(my: Ours) -> Any:
    """Open a record from the list, change a number, save."""
    await my.click("text=Item 007")
    await my.type("label=Amount:", "77")
    return 77 if await outcome(my, await my.click(SAVE)) == "saved" else "not saved"


sizes = table(
    "SELECT shop_size.name, grams FROM shop_size JOIN shop_item ON item_id = shop_item.id WHERE code = 'item-008'"
)


@DAY.task("admin/shop/item/9/change/", sizes, [("small", 250), ("large", 900)], prepare=log_in)
async def add_rows_of_an_inline(my: Ours) -> Any:
    """Add two sizes below an item."""
    await my.click("text=Add another Size")
    fields = [
        {"selector": f"#id_size_set-{row}-{name}", "value": value}
        for row, values in enumerate([("small", "250"), ("large", "900")])
        for name, value in zip(("name", "grams"), values, strict=True)
    ]
    reply = await my.act("fill_form", fields=fields, submit=True)
    return [("small", 250), ("large", 900)] if await outcome(my, reply) == "saved" else "not saved"


async def chosen_labels(ground: Ground) -> list[str]:
    """Read the labels of the item that the task is about."""
    return labels(ground, 11)


@DAY.task("admin/shop/item/11/change/", chosen_labels, ["frozen"], prepare=log_in)
async def choose_labels_and_take_one_back(my: Ours) -> list[str]:
    """Move two labels into the right list by double clicks, and one back."""
    await my.double_click('#id_labels_from option[value="4"]')
    await my.act("select", "#id_labels_from", value="new")
    await my.click("#id_labels_add")
    await my.act("select", "#id_labels_to", value="new")
    await my.click("#id_labels_remove")
    return ["frozen"] if await outcome(my, await my.click(SAVE)) == "saved" else []


supplier = table(
    "SELECT shop_supplier.name FROM shop_item JOIN shop_supplier ON supplier_id = shop_supplier.id"
    " WHERE code = 'item-011'",
    lambda found: found[0][0] if found else None,
)


@DAY.task("admin/shop/item/12/change/", supplier, "Hill Bakery", prepare=log_in)
async def add_a_supplier_in_a_popup_window(my: Ours) -> str | None:
    """Add a supplier in the window that the plus sign opens, then save the item."""
    reply = await my.click("#add_id_supplier")
    if "blocked" in reply:
        reply = await my.click("#add_id_supplier", trusted=True)
    popup = reply["opened_tab"]
    await my.type("#id_name", "Hill Bakery", tab_id=popup)
    await my.click(SAVE, tab_id=popup)
    return "Hill Bakery" if await outcome(my, await my.click(SAVE)) == "saved" else None


rest = table("SELECT count(*) FROM shop_item WHERE code IN ('item-020', 'item-021')", lambda found: found[0][0])


@DAY.task("admin/shop/item/", rest, 0, prepare=log_in)
async def delete_two_items(my: Ours) -> int:
    """Tick two rows, choose the action, confirm."""
    for row in (21, 22):
        await my.act("check", f'input.action-select[value="{row}"]')
    await my.act("select", "label=Action:", value="Delete selected items")
    await my.click('role=button[name="Go"]')
    await my.click('role=button[name="Yes, I’m sure"]')  # noqa: RUF001 - as the page writes it
    return 0


@DAY.task(
    ADD, table("SELECT count(*) FROM shop_item WHERE code = 'milk'", lambda found: found[0][0]), 1, prepare=log_in
)
async def save_and_add_another_by_the_list(my: Ours) -> int:
    """Find a button by the list of what can be acted on."""
    fields = [
        {"selector": "label=Name:", "value": "Milk"},
        {"selector": "label=Code:", "value": "milk"},
        {"selector": "label=Price:", "value": "1"},
        {"selector": "#id_kind", "value": "Drink"},
    ]
    await my.act("fill_form", fields=fields)
    await my.click(await my.ref("button", "Save and add another"))
    text = await my.read("#content")
    return int("was added successfully" in text or "Add item" in text)
