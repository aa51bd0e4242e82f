"""How applications look that we did not write: the same again is the same, and a planted change is named alone."""

import asyncio
import re
from typing import Any, NamedTuple

import pytest

from apps.applications import APPLICATIONS
from apps.django.state import LOGGED_IN, log_in
from apps.install import install
from apps.place import Place, place
from apps.run import served
from apps.tasks import Ground
from browser.user import number_of

Reply = dict[str, Any]


class Plant(NamedTuple):
    """What is changed in the page, and all that is to be named, by patterns."""

    act: str
    expected: list[str]


class Looked(NamedTuple):
    """A page of an application: when it is there, and what is planted in it."""

    path: str
    ready: str
    plants: list[Plant]


ROW = "document.querySelector('#result_list tbody tr:nth-child(4)')"
PAGES = {
    "django": Looked(
        "admin/shop/item/?q=Item+00",
        LOGGED_IN,
        [
            Plant(f"{ROW}.querySelector('a').textContent = 'A longer name'", [r"a: text .* -> \"A longer name\"$"]),
            Plant("document.querySelector('#header').style.background = '#b91c1c'", [r"^#header: background"]),
        ],
    ),
    "mkdocs": Looked(
        "",
        "document.querySelector('.md-search-result__meta')?.textContent.includes('Type to start')",
        [
            Plant("document.querySelector('article h1').textContent = 'Planted'", [r"text .* -> \"Planted\"$"]),
            Plant("document.querySelector('article p').remove()", [r"^removed .*>p ", r"^moved 2 elements"]),
        ],
    ),
    "leaflet": Looked(
        "index.html",
        "document.readyState === 'complete' && map.getZoom() === 8",
        [Plant("document.querySelector('.leaflet-marker-icon').remove()", [r"^removed .*img 25×41"])],
    ),
}


async def regression(desk: Place, number: int, scope: str) -> Reply:
    asked = {"action": "regression", "scope": scope, "tab_id": number, "name": "looks", "wait_s": 50, "budget": 20_000}
    reply: Reply = await desk.client.call("analyze", **asked, **({} if scope == "visual" else {"runs": 1}))
    assert "pending" != reply["status"]
    return reply


async def looks(desk: Place, name: str) -> list[tuple[str, list[str], list[str]]]:
    """Give what is wrong: of each look what it was of, what was to be named, and what was."""
    of = PAGES[name]
    async with served(APPLICATIONS[name]) as (address, folder, log), desk.tab() as tab:
        if name == "django":
            await log_in(Ground(address, folder, log, desk.downloads, tab))

        async def shown() -> None:
            await tab.navigate(address + of.path)
            await tab.until(f"Boolean({of.ready})")

        await shown()
        await desk.leave(tab)
        number = await number_of(desk.client, tab)
        await regression(desk, number, "baseline")
        found: list[tuple[str, list[str], Reply]] = [("the same", [], await regression(desk, number, "visual"))]
        found.append(("loaded again", [], (await regression(desk, number, "compare"))["comparison"]))
        for plant in of.plants:
            await tab.evaluate(f"(() => {{ {plant.act}; }})()")
            found.append((plant.act, plant.expected, await regression(desk, number, "visual")))
            await shown()
            await desk.client.call("interact", action="wait_for", state="quiet", tab_id=number)
    named = [(what, expected, reply["picture"]) for what, expected, reply in found]
    return [
        (what, expected, picture.get("changes", [])) for what, expected, picture in named if wrong(picture, expected)
    ]


def wrong(picture: Reply, expected: list[str]) -> bool:
    changes = picture.get("changes", [])
    is_named = len(changes) == len(expected) and all(map(re.search, expected, changes))
    return not is_named or ("identical" == picture["verdict"]) != (not expected)


@pytest.mark.requirement("visual-014")
async def test_a_page_that_is_the_same_looks_the_same_and_what_is_planted_is_named(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    for name in PAGES:
        await asyncio.to_thread(install, name)
    async with place(tmp_path_factory.mktemp("saved")) as desk:
        faults = {name: await looks(desk, name) for name in PAGES}

    assert [] == [fault for found in faults.values() for fault in found]
