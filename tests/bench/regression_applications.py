"""Compares pages of applications that we did not write: again and again as they are, then with a change of each kind.

What is planted comes with each load, by a script of the browser: a look, a fault of accessibility, a slower start.
"""

import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

sys.path.insert(0, str(Path(__file__).parents[1]))

from apps.applications import APPLICATIONS
from apps.django.state import LOGGED_IN, log_in
from apps.jupyterlab.day import NOTEBOOK, READY
from apps.place import Place, place
from apps.run import served
from apps.tasks import Ground
from browser.user import number_of
from gasoline_bridge.devtools import Tab


class Page(NamedTuple):
    """A page of an application: when it is there, and an element of it."""

    path: str
    ready: str
    element: str


PAGES: Final = {
    "django": Page("admin/shop/item/?q=Item+00", LOGGED_IN, "#header"),
    "swagger": Page("docs", "document.querySelectorAll('.opblock').length > 2", ".info"),
    "leaflet": Page("index.html", "document.readyState === 'complete' && map.getZoom() === 8", ".leaflet-control-zoom"),
    "jupyterlab": Page(NOTEBOOK, READY, "#jp-top-panel"),
}
PLANTED: Final = {
    "look": (
        "addEventListener('DOMContentLoaded', () => document.head.append(Object.assign(document.createElement('style'),"
        " {textContent: 'ELEMENT, ELEMENT * { background: #b91c1c !important; }'})));"
    ),
    "accessibility": (
        "addEventListener('DOMContentLoaded', () => document.body.insertAdjacentHTML('beforeend',"
        " '<img id=planted width=9 height=9 src=\"data:image/gif;base64,R0lGODlhAQABAAAAACw=\">'));"
    ),
    "performance": "{ const until = performance.now() + 700; while (performance.now() < until); }",
}

Reply = dict[str, Any]


async def regression(at: Place, number: int, name: str, scope: str, runs: int) -> Reply:
    """Make a baseline or compare with it."""
    asked = {"action": "regression", "scope": scope, "tab_id": number, "name": name, "runs": runs}
    reply: Reply = await at.client.call("analyze", **asked, wait_s=50, budget=40_000)
    while reply["status"] == "pending":
        job = reply["correlation_id"]
        reply = await at.client.call("observe", what="analyze_result", correlation_id=job, wait_s=50, budget=40_000)
    return reply


@asynccontextmanager
async def planted(tab: Tab, script: str) -> AsyncIterator[None]:
    """Have a script run in each page of a tab before the page's own."""
    await tab.send("Page.enable")
    added = await tab.send("Page.addScriptToEvaluateOnNewDocument", source=script)
    yield
    await tab.send("Page.removeScriptToEvaluateOnNewDocument", identifier=added["identifier"])


def is_found(kind: str, reply: Reply) -> bool:
    """Tell whether a compare names what was planted."""
    comparison = reply["comparison"]
    if kind == "look":
        return any("#b91c1c" in one for one in comparison["picture"].get("changes", ()))
    if kind == "accessibility":
        new = comparison["accessibility"].get("new_issues", ())
        return any("#planted" in element for one in new for element in one["elements"])
    return bool("regression_detected" == comparison["performance"]["verdict"])


async def measured(at: Place, name: str, reruns: int, runs: int) -> None:
    """Print the verdicts of an application."""
    page = PAGES[name]
    async with served(APPLICATIONS[name]) as (address, folder, log), at.tab() as tab:
        if name == "django":
            await log_in(Ground(address, folder, log, at.downloads, tab))
        await tab.navigate(address + page.path)
        await tab.until(f"Boolean({page.ready})")
        number = await number_of(at.client, tab)
        await regression(at, number, name, "baseline", runs)
        same = [await regression(at, number, name, "compare", runs) for _ in range(reruns)]
        print(f"{name}: {dict(Counter(one['verdict'] for one in same))}", end="")
        print(f", looks {dict(Counter(one['comparison']['picture']['verdict'] for one in same))}", flush=True)
        for one in same:
            if one["verdict"] != "no_change" or "changes" in one["comparison"]["picture"]:
                print("  ", one["summary"], one["comparison"]["picture"].get("changes", ""), one.get("warnings", ""))
        for kind, script in PLANTED.items():
            async with planted(tab, script.replace("ELEMENT", page.element)):
                reply = await regression(at, number, name, "compare", runs)
            print(f"  {kind}: {'found' if is_found(kind, reply) else 'MISSED'}; {reply['summary']}", flush=True)


async def run(names: list[str], reruns: int, runs: int) -> None:
    """Print the verdicts of each application."""
    with tempfile.TemporaryDirectory(prefix="gs-saved-") as downloads:
        async with place(Path(downloads)) as at:
            for name in names:
                await measured(at, name, reruns, runs)


@click.command()
@click.option("--app", "names", default=",".join(PAGES), show_default=True, help="Applications, with commas between.")
@click.option("--reruns", default=5, show_default=True, help="How often each is compared as it is.")
@click.option("--runs", default=5, show_default=True, help="Loads of each.")
def main(names: str, reruns: int, runs: int) -> None:
    """Compare pages of applications."""
    asyncio.run(run(names.split(","), reruns, runs))


if __name__ == "__main__":
    main()
