"""Measures the screenshot store: pictures a second with 1 and 4 processes, 100 kills meanwhile, verifying.

`PYTHONPATH=demo:tests .venv/bin/python tests/bench/screenshots.py`: what was acknowledged and is lost, and files that
are damaged, are to be 0.
"""

import asyncio
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from gasoline_broker.actor.client import Link, register
from gasoline_broker.actor.wire import Delivery, pack, stop
from gasoline_broker.settings import Settings
from gasoline_workers.screenshots.messages import (
    ListScreenshots,
    Picture,
    ScreenshotsListed,
    ScreenshotStored,
    StoreScreenshot,
    Verified,
    VerifyScreenshots,
)
from process.processes import HERE, Processes, Started
from unit.screenshots.png_bytes import noise

WORKER = str(HERE.parents[1] / "bridge" / "gasoline_bridge" / "cli" / "entry.py")
PUTS, KILLS, ASKERS, SEED = 200, 100, 8, 7
EDGE_PX = 250  # 190 KB, as the viewport of a page has
TTL_S = 60.0
STORE = stop("screenshots", StoreScreenshot("none"), Delivery.STORE)
ABOUT = pack(Picture("http://localhost/", "T", "viewport", 0))


async def worker(processes: Processes) -> Started:
    """Start a process of the store, and wait until it is registered."""
    started = await processes.start(WORKER, "worker", "screenshots")
    await processes.registered(started.pid)
    return started


async def put(link: Link, picture: bytes) -> str:
    """Have a picture stored, and give its id."""
    answer = await link.ask(STORE, ttl_s=TTL_S, body=ABOUT, blobs=(picture,))
    stored: ScreenshotStored = answer.read(ScreenshotStored)
    return stored.screenshot.id


async def row(count: int, kills: int) -> None:
    """Store pictures by so many processes, kill them meanwhile, and print what came of it."""
    home = Path(tempfile.mkdtemp(prefix="gb-"))
    settings = Settings(data_dir=home / "data", runtime_dir=home / "run")
    settings.data_dir.mkdir()
    settings.runtime_dir.mkdir(mode=0o700)
    processes = Processes(settings)
    try:
        await processes.broker()
        link = await processes.link(Link(settings, register("front")))
        stores = [await worker(processes) for _ in range(count)]
        pictures = iter([noise(EDGE_PX, EDGE_PX, seed) for seed in range(PUTS)])
        killing = asyncio.create_task(_kill(processes, stores, kills))
        kept: list[str] = []
        begun = time.monotonic()
        await asyncio.gather(*(_store(link, pictures, kept, killing) for _ in range(ASKERS)))
        took_s = time.monotonic() - begun
        await killing
        await _report(link, f"{count} processes, {kills} kills", kept, took_s)
    finally:
        await processes.close()
        shutil.rmtree(home)


async def _store(link: Link, pictures: Iterator[bytes], kept: list[str], killing: "asyncio.Task[None]") -> None:
    again = noise(EDGE_PX, EDGE_PX, PUTS)
    while (picture := next(pictures, None)) is not None or not killing.done():
        kept.append(await put(link, picture or again))


async def _kill(processes: Processes, stores: list[Started], kills: int) -> None:
    chance = random.Random(SEED)  # noqa: S311 - no secret
    for number in range(kills):
        await asyncio.sleep(chance.uniform(0.0, 0.1))
        await stores[number % len(stores)].end()
        stores[number % len(stores)] = await worker(processes)


async def _report(link: Link, name: str, kept: list[str], took_s: float) -> None:
    begun = time.monotonic()
    after, checked, damaged = 0, 0, 0
    while True:
        part: Verified = (await link.ask(stop("screenshots", VerifyScreenshots(after, 200)), ttl_s=TTL_S)).read(
            Verified
        )
        checked, damaged, after = checked + part.checked, damaged + len(part.damaged), part.next
        if not after:
            break
    verified_s = time.monotonic() - begun
    listed: ScreenshotsListed = (await link.ask(stop("screenshots", ListScreenshots(100_000)), ttl_s=TTL_S)).read(
        ScreenshotsListed
    )
    lost = len({*kept} - {one.id for one in listed.screenshots})
    print(f"{name}: {len(kept)} stored, {len(kept) / took_s:.0f} a second; lost {lost}, damaged {damaged};", end=" ")
    print(f"{checked} verified, {checked / verified_s:.0f} a second")


async def main() -> None:
    """Print a line for each row."""
    for count, kills in ((1, 0), (4, 0), (4, KILLS)):
        await row(count, kills)


if __name__ == "__main__":
    asyncio.run(main())
