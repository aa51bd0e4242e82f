"""A user's tasks on two real applications, done by what outlines state alone: each element by its number there."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from apps.applications import APPLICATIONS
from apps.django.state import PASSWORD, USER, log_in, log_out
from apps.install import install
from apps.ours import Ours
from apps.place import Place, place
from apps.run import served
from apps.tasks import Ground, Refused


@dataclass
class Reader:
    """An assistant that knows of a page what its outlines have."""

    tools: Ours
    lines: list[str] = field(default_factory=list)
    ref: str = ""
    seq: int = 0

    async def look(self, **arguments: Any) -> str:
        """Outline the page."""
        reply = await self.tools.call("observe", what="outline", **arguments)
        self.lines, self.ref, self.seq = reply["lines"], reply["ref"], reply.get("seq", 0)
        return "\n".join(self.lines)

    def the(self, control: str) -> str:
        """Give the selector of the one control that the last outline writes so, but for its number and states."""
        role, _, name = control.partition(": ")
        shape = re.compile(rf"\[(\d+) {role}(?: [a-z]+)*: {re.escape(name)}(?: = [^\]]*)?\]")
        numbers = {number for line in self.lines for number in shape.findall(line)}
        assert len(numbers) == 1, (control, self.lines)
        return self.ref.replace("N", numbers.pop())

    async def click(self, control: str) -> None:
        """Click a control of the last outline."""
        await self.tools.click(self.the(control))

    async def type(self, control: str, text: str) -> None:
        """Type into a field of the last outline."""
        await self.tools.type(self.the(control), text)


@contextlib.asynccontextmanager
async def reading(desk: Place, name: str, page: str, ready: str, prepare: Any = None) -> AsyncIterator[Reader]:
    async with served(APPLICATIONS[name]) as (address, folder, log), desk.tab() as tab:
        if prepare:
            await prepare(Ground(address, folder, log, desk.downloads, tab))
        await tab.navigate(address + page)
        await tab.until(ready)
        yield Reader(desk.tools())


LOADED = "document.readyState === 'complete'"


async def a_user_logs_in(desk: Place) -> None:
    async with reading(desk, "django", "admin/login/?next=/admin/", LOADED, log_out) as my:
        await my.look()
        await my.type("textbox: Username:", USER)
        await my.type("textbox: Password:", PASSWORD)
        await my.click("button: Log in")

        assert "# Site administration" in await my.look()


async def an_item_is_found_changed_and_saved(desk: Place) -> None:
    async with reading(desk, "django", "admin/shop/item/", LOADED, log_in) as my:
        await my.look()
        await my.type("textbox: Search", "Item 017")
        await my.click("button: Search")
        assert "1 result" in await my.look()
        await my.click("link: Item 017")
        await my.look()
        await my.type("spinbutton: Amount:", "4242")
        changed = await my.look(since_seq=my.seq)
        await my.look()
        await my.click("button: Save")
        saved = await my.look()

    assert ["= 4242"] == re.findall("= 4242", changed)
    assert "was changed successfully" in saved
    assert "4242" in saved


async def what_the_server_refuses_is_read_where_it_is_written(desk: Place) -> None:
    async with reading(desk, "django", "admin/shop/item/add/", LOADED, log_in) as my:
        await my.look()
        await my.click("button: Save and continue editing")
        read = await my.look()

    assert "Please correct the errors below." in read
    assert re.search(r"- This field is required\.\n *\[\d+ textbox required invalid( focused)?: Name:", read), read


OPEN = "document.querySelector('.opblock.is-open .try-out__btn') !== null"


async def an_operation_is_tried_out_and_its_answer_read(desk: Place) -> None:
    async with reading(desk, "swagger", "docs#/notes/read_note", OPEN) as my:
        await my.look()
        await my.click("button: Try it out")
        changed = await my.look(since_seq=my.seq)
        assert "button: Execute" in changed
        await my.type("textbox: number", "2")
        await my.look()
        await my.click("button: Execute")
        answered = await my.look(since_seq=my.seq)

    assert "200" in answered


async def a_part_of_a_long_page_is_read(desk: Place) -> None:
    async with reading(desk, "django", "admin/shop/item/", LOADED, log_in) as my:
        short = await my.look()
        (mark,) = re.findall(r"more in \[(\d+)\]", short)
        part = await my.look(selector=my.ref.replace("N", mark), budget=40_000)

    assert "Item 199" not in short
    assert "Item 199" in part


TASKS: tuple[Callable[[Place], Awaitable[None]], ...] = (
    a_user_logs_in,
    an_item_is_found_changed_and_saved,
    what_the_server_refuses_is_read_where_it_is_written,
    an_operation_is_tried_out_and_its_answer_read,
    a_part_of_a_long_page_is_read,
)


@pytest.fixture(scope="module")
async def failures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Exception]:
    """Do the tasks with one system and one browser; install what is missing."""
    failures: dict[str, Exception] = {}
    for name in ("django", "swagger"):
        await asyncio.to_thread(install, name)
    async with place(tmp_path_factory.mktemp("saved")) as desk:
        for task in TASKS:
            try:
                await task(desk)
            except (AssertionError, Refused) as failure:
                failures[task.__name__] = failure
    return failures


@pytest.mark.requirement("fast-030", "fast-031", "fast-034")
@pytest.mark.parametrize("task", [task.__name__ for task in TASKS])
def test_a_task_is_done_by_outlines_alone(failures: dict[str, Exception], task: str) -> None:
    if failure := failures.get(task):
        raise failure
