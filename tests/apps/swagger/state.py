"""Reads what the server of the notes has done, and names the parts of Swagger UI's page."""

import json
from collections.abc import Callable
from typing import Any, Final

from apps.ours import Ours
from apps.tasks import Ground, Truth

READY: Final = "document.querySelector('.opblock') !== null"
OPEN: Final = "document.querySelector('.try-out__btn') !== null"
EXECUTE: Final = 'role=button[name="Execute"]'
STATUS: Final = ".live-responses-table tbody .response-col_status"
BODY: Final = ".live-responses-table tbody .highlight-code"


def done(change: Callable[[dict[str, Any]], Any]) -> Truth:
    """Make a truth of the server's state."""

    async def truth(ground: Ground) -> Any:
        return change(json.loads((ground.folder / "state.json").read_text()))

    return truth


async def try_out(my: Ours) -> None:
    """Begin with the operation that is open."""
    await my.click('role=button[name="Try it out"]')


async def answer(my: Ours) -> str:
    """Execute, and read the status of the answer."""
    await my.click(EXECUTE)
    return (await my.read(STATUS)).split()[0]
