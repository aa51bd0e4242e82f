"""Measures outlines of real applications: their bytes, beside those of other answers, and how many names are Chrome's.

`as objects` is what the same outline takes as JSON objects; `list` is `list_interactive`, which has controls alone;
`tree` is Chrome's own accessibility tree, role and name of each node alone. Counts and bytes hold on any machine.
"""

import asyncio
import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from apps.applications import APPLICATIONS
from apps.place import Place, place
from apps.run import Application, served
from apps.tasks import Ground
from browser.chrome_tree import CONTROL, chrome_controls, compare
from gasoline_bridge.devtools import Tab

BUDGET = 40_000
LARGE = {"django": "read_a_list_of_240_rows"}
HEAD = ("", "lines", "outline", "4,096", "as objects", "list", "tree", "controls", "equal")


async def main() -> None:
    """Print a row for each application."""
    print(("{:<12}" + "{:>11}" * (len(HEAD) - 1)).format(*HEAD))
    with tempfile.TemporaryDirectory() as saved:
        async with place(Path(saved)) as desk:
            for application in APPLICATIONS.values():
                await row(desk, application)


async def row(desk: Place, application: Application) -> None:
    """Print the row of an application, at the beginning of a task of its day."""
    tasks = application.day.tasks
    task = tasks[LARGE.get(application.name, next(iter(tasks)))]
    async with served(application) as (address, folder, log), desk.tab() as tab:
        if task.prepare:
            await task.prepare(Ground(address, folder, log, desk.downloads, tab))
        await tab.navigate(address + task.page)
        await tab.until(f"Boolean({task.ready})")
        tools = desk.tools()
        whole = await tools.call("observe", what="outline", budget=BUDGET)
        short = await tools.call("observe", what="outline")
        listed = await tools.act("list_interactive", budget=BUDGET)
        compared = compare(whole["lines"], await chrome_controls(tab))
        controls = compared.equal + len(compared.differing)
        sizes = (size(whole), size(short), size(objects(whole)), size(listed), await tree_bytes(tab))
        share = f"{100 * compared.equal / controls:.1f} %" if controls else "-"
        print(
            ("{:<12}" + "{:>11,}" * 7 + "{:>11}").format(application.name, len(whole["lines"]), *sizes, controls, share)
        )
        if compared.differing and "--differences" in sys.argv:
            print("   ", compared.differing, "\n    missing:", compared.missing)


def objects(outline: dict[str, Any]) -> dict[str, Any]:
    """Give an outline as objects: of each line its depth and what is in it."""
    mark = outline["ref"].removeprefix("ref=").removesuffix("N")
    items = []
    for line in outline["lines"]:
        depth = len(line) - len(line.lstrip(" "))
        items += [
            {"depth": depth, **described(part, mark)}
            for part in re.split(r"(\[\d+ .*?(?<!\\)\])", line)
            if part.strip()
        ]
    return outline | {"lines": items}


def described(part: str, mark: str) -> dict[str, Any]:
    """Give what is worked with as an object, and any other piece as its text."""
    if not (found := CONTROL.fullmatch(part)):
        return {"text": part.strip()}
    head, _, said = found[1].partition(": ")
    role, *states = head.split()
    name, _, value = said.partition(" = ")
    number = part[1:].split(maxsplit=1)[0]
    return {
        "ref": mark + number,
        "role": role,
        **({"name": name} if name else {}),
        **({"value": value} if value else {}),
        **dict.fromkeys(states, True),
    }


async def tree_bytes(tab: Tab) -> int:
    """Give the bytes of role and name of every node of Chrome's tree."""
    nodes = (await tab.send("Accessibility.getFullAXTree"))["nodes"]
    named = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"]]
    return size([{"role": role, "name": name} for role, name in named])


def size(answer: object) -> int:
    """Give the bytes of an answer as it is sent."""
    return len(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode())


if __name__ == "__main__":
    asyncio.run(main())
