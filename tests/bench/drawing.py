"""Draws around known elements of applications that we did not write, and counts how many Draw Mode names rightly."""

import asyncio
import random
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import click

sys.path.insert(0, str(Path(__file__).parents[1]))

from apps.applications import APPLICATIONS
from apps.place import Place, place
from apps.run import Application, served
from browser.user import number_of
from gasoline_bridge.devtools import Tab
from gasoline_demo import person

EACH: Final = 12
LEAST: Final = 3
SEED: Final = 4
LOAD_S: Final = 20.0
PAGES: Final = {
    "django": ["admin/"],
    "swagger": ["docs", "docs#/notes/create_note"],
    "mkdocs": ["", "grinding/"],
    "streamlit": [""],
}

KNOWN: Final = """
(() => {
  const wanted = 'button, a, input, select, textarea, img, h1, h2, h3, label, td, th, li, p, code';
  const inSight = ({ x, y, width, height }) =>
    x >= 10 && y >= 10 && x + width <= innerWidth - 20 && y + height <= innerHeight - 90 && width >= 16 && height >= 12;
  const found = [...document.querySelectorAll(wanted)].filter((one) => {
    const box = one.getBoundingClientRect();
    if (!inSight(box) || box.width > innerWidth / 2 || box.height > innerHeight / 3) return false;
    const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    const isOnTop = hit && (one === hit || one.contains(hit) || hit.contains(one));
    return isOnTop && one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  });
  globalThis.known = found;
  return found.map((one) => one.getBoundingClientRect()).map(({ x, y, width, height }) => [x, y, width, height]);
})()
"""
"""The elements in sight that a person would draw around, and their boxes."""

AT_REST: Final = f"""
(async () => {{
  for (let last = '', same = 0; ;) {{
    const boxes = {KNOWN.strip()};
    same = JSON.stringify(boxes) === last && boxes.length ? same + 1 : 0;
    if (same === 3) return boxes;
    last = JSON.stringify(boxes);
    await new Promise((done) => setTimeout(done, 400));
  }}
}})()
"""
"""The same, once nothing moves any more: a page that was opened at a place scrolls there."""

BOX: Final = "(({ x, y, width, height }) => [x, y, width, height])(known[%d].getBoundingClientRect())"

NAMED: Final = """
(([number, selector]) => {
  let root = document, at = null;
  for (const step of selector.split(' >>> ')) {
    at = root?.querySelector(step);
    root = at?.shadowRoot ?? at?.contentDocument;
  }
  const wanted = known[number];
  const isSame = known.includes(at) && at.innerText.trim() === wanted.innerText.trim();
  return at === wanted || (isSame && (at.contains(wanted) || wanted.contains(at)));
})(%s)
"""
"""Whether a selector names the element: itself, or, of an item and the link that is all it holds, either."""


async def drawn(at: Place, tab: Tab, chance: random.Random) -> tuple[int, list[str]]:
    """Draw around some elements of a page; give how many, and those that were named wrongly."""
    boxes = await tab.evaluate(AT_REST)
    chosen = chance.sample(range(len(boxes)), min(EACH, len(boxes)))
    number = await number_of(at.client, tab)
    await at.client.call("interact", action="draw_mode_start", tab_id=number)
    for one in chosen:
        x, y, width, height = await tab.evaluate(BOX % one)  # now: a toolbar may have moved what is in it
        await person.draw_around(tab, x, y, width, height, chance.uniform(1, 8))
        await person.write(tab, str(one))
    await person.leave(tab)
    reply: dict[str, Any] = await at.client.call("analyze", action="annotations", wait=True, budget=40_000)
    by_text = {one["text"]: one for one in reply["annotations"]}
    wrong = []
    for one in chosen:
        annotation = by_text.get(str(one), {})
        if not await tab.evaluate(NAMED % [one, annotation.get("selector", "")]):
            wanted = await tab.evaluate(f"known[{one}].outerHTML.slice(0, 80)")
            wrong.append(f"{wanted!r} was named {annotation.get('selector')!r}: {annotation.get('rect')}")
    await person.move(tab, 1, 1)
    for when in ("at once", "after a reload"):
        verified = await at.client.call("analyze", action="annotations", verify=True, budget=40_000)
        others = (one for one in verified["verdicts"] if one["verdict"] != "unchanged")
        wrong += [f"{when}: {by_text[one['text']]['selector']} is {one}" for one in others]
        await at.client.call("interact", action="refresh", tab_id=number)
        await tab.evaluate(AT_REST)
    return len(chosen), wrong


async def run(names: list[str]) -> None:
    """Print a line for each application."""
    chance = random.Random(SEED)  # noqa: S311 - places to draw at, no secret
    with tempfile.TemporaryDirectory(prefix="gs-saved-") as downloads:
        async with place(Path(downloads)) as at:
            for name in names:
                click.echo(await row(at, APPLICATIONS[name], chance))


async def row(at: Place, application: Application, chance: random.Random) -> str:
    """Draw on some pages of an application, and give the result as a line."""
    total, wrong = 0, list[str]()
    async with served(application) as (address, _folder, _log):
        for page in PAGES[application.name]:
            async with at.tab() as tab:
                await tab.navigate(address + page)
                await tab.until(f"({KNOWN}).length >= {LEAST} && document.readyState === 'complete'", LOAD_S)
                count, missed = await drawn(at, tab, chance)
                total, wrong = total + count, wrong + missed
    return "\n".join([f"{application.name:<12} {total - len(wrong)} of {total}", *(f"  {one}" for one in wrong)])


@click.command()
@click.option("--app", "names", default=",".join(PAGES), show_default=True, help="Applications, with commas between.")
def main(names: str) -> None:
    """Draw around a dozen elements of each application."""
    asyncio.run(run(names.split(",")))


if __name__ == "__main__":
    main()
