"""Measures how many pages are compared a second by 1, 2 and 4 workers of a kind, on this machine and behind TCP.

Each page is compared as `gasoline check` has it done: its picture by a screenshots worker, then its loads, elements and
findings by a regression worker. Loading is not in it. The workers behind TCP are in a network namespace of their own,
with the keys that `gasoline keys` makes; they use the same folder, as a store does.
"""

import asyncio
import contextlib
import io
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click
import msgspec
from PIL import Image, ImageDraw

sys.path.insert(0, str(Path(__file__).parents[1]))

from gasoline_broker.actor.client import Link, register
from gasoline_broker.actor.wire import Delivery, pack, stop
from gasoline_broker.settings import Settings
from gasoline_workers.regression.messages import BaselineCompared, CompareBaseline, MakeBaseline, PictureCompared
from gasoline_workers.screenshots.messages import (
    ComparePage,
    PageCompared,
    ScreenshotStored,
    StoreScreenshot,
)
from process.machines import Machines
from process.namespaces import ADDRESSES, FAR, HUB, Hosts
from process.processes import HERE, Processes
from unit.regression.pages import QUIET, flaw, issue, judged, loads

WORKER = str(HERE.parents[1] / "bridge" / "gasoline_bridge" / "cli" / "entry.py")
SERVICES = ("screenshots", "regression")
AT_A_TIME = 16
TTL_S = 300.0
WIDTH, HEIGHT = 1440, 900
ELEMENTS = 40  # that break a rule, on each page
SLOWER_MS = 400
ADDRESS = f"tcp://{ADDRESSES[HUB][0]}:7891"


class Workers(NamedTuple):
    """How many workers of each kind run here, and how many behind TCP."""

    here: int
    far: int = 0


ROWS = (Workers(1), Workers(2), Workers(4), Workers(2, 2))


@contextlib.asynccontextmanager
async def system(workers: Workers) -> AsyncIterator[Link]:
    """Run a broker and these workers, and give a link."""
    home = Path(tempfile.mkdtemp(prefix="gb-"))
    settings = Settings(data_dir=home / "data", runtime_dir=home / "run")
    settings.data_dir.mkdir()
    settings.runtime_dir.mkdir(mode=0o700)
    processes = Processes(settings)
    async with contextlib.AsyncExitStack() as stack:
        stack.callback(shutil.rmtree, home)
        stack.push_async_callback(processes.close)
        if workers.far:
            await _begin_far(processes, await stack.enter_async_context(Hosts()), workers.far)
        else:
            await processes.broker()
            await processes.link(Link(processes.settings, register("front")))
        for service in SERVICES * workers.here:
            started = await processes.start(WORKER, "worker", service)
            await processes.registered(started.pid)
        yield processes.asking


async def _begin_far(processes: Processes, hosts: Hosts, count: int) -> None:
    machines = Machines(processes, ADDRESS, hosts.inside(HUB))
    await machines.serve()
    for service in SERVICES * count:
        there = msgspec.structs.replace(machines.other(), baselines_dir=str(processes.settings.data_dir))
        started = await processes.start(WORKER, "worker", service, settings=there, inside=hosts.inside(FAR))
        await processes.registered(started.pid)


def picture(number: int, *, changed: bool) -> bytes:
    """Draw a page with text, and with a button of another color."""
    image = Image.new("RGB", (WIDTH, HEIGHT), "white")
    draw = ImageDraw.Draw(image)
    for line in range(40):
        draw.text((40, 20 * line), f"Page {number}, line {line}: what a page may state here. " * 3, fill="black")
    draw.rectangle((40, 830, 240, 870), fill="navy" if changed else "teal")
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def about(number: int) -> bytes:
    """Describe a picture."""
    return pack(
        {"url": f"http://shop.test/{number}", "title": "Shop", "kind": "full_page", "masked": 0, "elements": {}}
    )


def found(number: int) -> bytes:
    """Give what the audit worker judged in a page."""
    places = [f"#list>li:nth-of-type({place})" for place in range(ELEMENTS)]
    return pack(judged(issue("color-contrast", *places), issue("label", f"#name{number}"), flaw("missing_csp")))


async def make(link: Link, number: int) -> str:
    """Make the baseline of a page, and give its picture's id."""
    store = stop("screenshots", StoreScreenshot("none"), Delivery.STORE)
    png = picture(number, changed=False)
    answer = await link.ask(store, ttl_s=TTL_S, body=about(number), blobs=(png,))
    await link.ask(
        stop("regression", MakeBaseline(f"page {number}", loads([*QUIET])), Delivery.STORE),
        ttl_s=TTL_S,
        body=found(number),
    )
    stored: ScreenshotStored = answer.read(ScreenshotStored)
    return stored.screenshot.id


async def compare(link: Link, number: int, before: str, png: bytes) -> tuple[str, str]:
    """Compare a page that is slower and looks different; give both verdicts."""
    ask = stop("screenshots", ComparePage(before), Delivery.STORE)
    look: PageCompared = (await link.ask(ask, ttl_s=TTL_S, body=about(number), blobs=(png,))).read(PageCompared)
    seen = PictureCompared(verdict=look.verdict, changes=look.changes, seen_px=look.seen_px)
    slower = loads([value + SLOWER_MS for value in QUIET])
    judge = stop("regression", CompareBaseline(f"page {number}", slower, seen), Delivery.STORE)
    answer: BaselineCompared = (await link.ask(judge, ttl_s=TTL_S, body=found(number))).read(BaselineCompared)
    return answer.verdict, look.verdict


async def measured(workers: Workers, pages: int) -> float:
    """Compare all pages, and give the seconds that it took."""
    turns = asyncio.Semaphore(AT_A_TIME)
    async with system(workers) as link:
        before = [await make(link, number) for number in range(pages)]
        pictures = [picture(number, changed=True) for number in range(pages)]

        async def one(number: int) -> tuple[str, str]:
            async with turns:
                return await compare(link, number, before[number], pictures[number])

        begun = time.perf_counter()
        verdicts = await asyncio.gather(*map(one, range(pages)))
        took_s = time.perf_counter() - begun
    if wrong := [one for one in verdicts if one != ("regression_detected", "changed")]:
        raise AssertionError(f"{len(wrong)} of {pages} pages were judged otherwise: {wrong[:3]}")
    return took_s


def table(rows: Sequence[tuple[Workers, float]], pages: int) -> list[str]:
    """Line up the figures, as ratios to the first row too."""
    lines = [f"{'workers of a kind':<24}{'seconds':>9}{'pages/s':>9}{'ratio':>7}"]
    for workers, took_s in rows:
        name = f"{workers.here} here" + (f", {workers.far} behind TCP" if workers.far else "")
        lines.append(f"{name:<24}{took_s:>9.2f}{pages / took_s:>9.1f}{rows[0][1] / took_s:>7.2f}")
    return lines


@click.command()
@click.option("--pages", default=200, show_default=True)
def main(pages: int) -> None:
    """Print the table."""
    rows = [(workers, asyncio.run(measured(workers, pages))) for workers in ROWS]
    print("\n".join(table(rows, pages)))


if __name__ == "__main__":
    main()
