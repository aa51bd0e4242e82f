"""Shows a real application, Django's own administration: a client logs in, adds a record, and reads it back.

The application is the one of `make apps`, and is installed as there, at first use.
"""

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from apps.django.item import FIELDS
from apps.django.serve import serve
from apps.install import install
from gasoline_bridge.folders import Folders
from gasoline_broker.settings import Settings
from gasoline_demo.site import free_port
from gasoline_demo.steps import Reply, Step

SAVED = {"Green tea", "tea", "Two lines of text", "12", "4.50", "Drink", "2026-03-01", "09:30:00"}
SAVED |= {"https://example.org/tea"}


@contextlib.asynccontextmanager
async def administration(settings: Settings) -> AsyncIterator[tuple[str, list[Step]]]:
    """Start it with a database of its own and a file that may be uploaded, and give the address and the steps."""
    home = await asyncio.to_thread(install, "django")
    with tempfile.TemporaryDirectory(prefix="gasoline-demo-") as folder:
        port = free_port()
        manual = Path(folder, "manual.txt")
        await asyncio.to_thread(manual.write_text, "Pour hot water.\n")
        Folders(settings).allow([folder])
        async with serve(home, Path(folder), port):
            yield f"http://127.0.0.1:{port}/admin/login/?next=/admin/shop/item/add/", steps(str(manual))


def steps(manual: str) -> list[Step]:
    """Log in, add a record with every kind of field, read it back."""
    login = [
        {"selector": "label=Username:", "value": "ann"},
        {"selector": "label=Password:", "value": "right password"},
    ]
    return [
        _act("Log in to Django's administration", _titled("Add item"), "fill_form", fields=login, submit=True),
        _act("Fill every kind of field", _done, "fill_form", fields=FIELDS),
        _act("Choose two labels", _done, "select", selector="#id_labels_from", values=["organic", "local"]),
        _act("Move them to the right", _done, "click", selector="#id_labels_add"),
        _act("Open a list that searches", _done, "click", selector='[aria-labelledby="select2-id_supplier-container"]'),
        _act("Search in it", _done, "type", selector=".select2-search__field", text="River"),
        _act("Choose what was found", _done, "click", selector="text=River Dairy"),
        _act(
            "Add a file", lambda reply: reply["value"] == "manual.txt", "upload", selector="#id_manual", files=[manual]
        ),
        _act(
            "Save, and read what the page reports",
            lambda reply: "was added successfully" in reply["messages"][0],
            "click",
            selector='role=button[name="Save"]',
        ),
        _act("Open the record", _titled("Green tea"), "click", selector="text=Green tea", nth=1),
        _act(
            "Read what was chosen",
            lambda reply: "River Dairy" in reply["text"],
            "get_text",
            selector="#select2-id_supplier-container",
        ),
        _act("Read it back", _holds(SAVED), "list_interactive", selector="#item_form", budget=20_000),
    ]


def _act(title: str, good: Callable[[Reply], bool], action: str, **arguments: object) -> Step:
    return Step(title, "interact", {"action": action, **arguments}, good)


def _done(reply: Reply) -> bool:
    return bool(reply["success"])


def _titled(beginning: str) -> Callable[[Reply], bool]:
    return lambda reply: str(reply["title"]).startswith(beginning)


def _holds(values: set[str]) -> Callable[[Reply], bool]:
    return lambda reply: values <= {" ".join(str(row.get("value")).split()) for row in reply["elements"]}
