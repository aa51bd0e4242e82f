"""Pictures between real processes: by which ways one may go, and what the store keeps when its processes are killed."""

import asyncio
import contextlib
import random
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gasoline_bridge.devtools import until
from gasoline_broker.actor.client import Answer, Link, Step, register
from gasoline_broker.actor.wire import Delivery, Kind, Stop, pack, stop
from gasoline_broker.errors import Failed, Failure
from gasoline_workers.redaction.messages import PassPicture, RedactAnswer
from gasoline_workers.screenshots.messages import (
    OF_BASELINES,
    ComparePage,
    ListScreenshots,
    PageCompared,
    PinScreenshot,
    ReadScreenshot,
    ScreenshotRead,
    ScreenshotsListed,
    ScreenshotStored,
    StoreScreenshot,
    Verified,
    VerifyScreenshots,
)
from process.processes import HERE, Processes, Started
from process.small_disk import small_disk
from system import gasoline
from unit.screenshots.png_bytes import noise, png, stating

WORKER = str(HERE.parents[1] / "bridge" / "gasoline_bridge" / "cli" / "entry.py")
PICTURES, KILLS, SEED = 60, 6, 7
MASKED = {"type": "ScreenshotTaken", "url": "http://localhost/", "title": "T", "kind": "viewport", "masked": 2}
UNSTATED = {name: value for name, value in MASKED.items() if name != "masked"}
TAKE = stop("bridge", ReadScreenshot(""))  # the bridge of these tests answers anything with what it is to answer
REDACT, PASS = stop("redaction", RedactAnswer()), stop("redaction", PassPicture())
STORE = stop("screenshots", StoreScreenshot(), Delivery.STORE)
UNCLEAN = "redaction_unavailable"


class Bridge:
    """Answers with a picture as the bridge does; `body`, `blobs`: what it answers next."""

    def __init__(self) -> None:
        self.body: Any = MASKED
        self.blobs: tuple[bytes, ...] = (png(),)

    async def work(self, _step: Step) -> tuple[Kind, Answer]:
        return Kind.ANSWER, Answer(pack(self.body), self.blobs)


async def worker(processes: Processes, name: str, inside: tuple[str, ...] = ()) -> Started:
    started = await processes.start(WORKER, "worker", name, inside=inside)
    if not inside:
        await processes.registered(started.pid)
    return started


@pytest.fixture
async def bridge(processes: Processes) -> AsyncIterator[Bridge]:
    """Start redaction, and answer as a bridge."""
    await worker(processes, "redaction")
    made = Bridge()
    async with Link(processes.settings, register("bridge", 8), made.work) as link:
        await link.registered()
        yield made


async def put(processes: Processes, form: str = "none") -> ScreenshotStored:
    asked = stop("screenshots", StoreScreenshot(form), Delivery.STORE)  # type: ignore[arg-type]  # one of its forms
    stored: ScreenshotStored = (await processes.ask(TAKE, PASS, asked)).read(ScreenshotStored)
    return stored


async def failure(processes: Processes, *way: Stop) -> Failure:
    with pytest.raises(Failed) as refused:
        await processes.ask(*way)
    return refused.value.failure


WAYS: dict[str, tuple[tuple[Stop, ...], Any, tuple[bytes, ...]]] = {
    "straight to the caller": ((TAKE,), MASKED, (png(),)),
    "straight to the store": ((TAKE, STORE), MASKED, (png(),)),
    "to the store, then to redaction": ((TAKE, STORE, PASS), MASKED, (png(),)),
    "to another worker": ((TAKE, stop("journal", ReadScreenshot(""))), MASKED, (png(),)),
    "through redaction and the bridge again": ((TAKE, PASS, TAKE), MASKED, (png(),)),
    "not masked": ((TAKE, PASS, STORE), UNSTATED, (png(),)),
    "masked by words": ((TAKE, PASS, STORE), MASKED | {"masked": "yes"}, (png(),)),
    "masked by true": ((TAKE, PASS, STORE), MASKED | {"masked": True}, (png(),)),
    "masked less than never": ((TAKE, PASS, STORE), MASKED | {"masked": -1}, (png(),)),
    "no statement at all": ((TAKE, PASS, STORE), ["masked", 1], (png(),)),
    "a second picture behind the first": ((TAKE, PASS, STORE), MASKED, (png(), png("blue"))),
}


@pytest.mark.requirement("pictures-017")
async def test_a_picture_that_redaction_did_not_pass_reaches_nobody(processes: Processes, bridge: Bridge) -> None:
    await worker(processes, "screenshots")

    codes = {}
    for name, (way, bridge.body, bridge.blobs) in WAYS.items():
        codes[name] = (await failure(processes, *way)).code
    bridge.body, bridge.blobs = MASKED, (png(),)
    plain = await processes.ask(TAKE, REDACT)
    unstored = await failure(processes, TAKE, REDACT, STORE)
    listed = (await processes.ask(stop("screenshots", ListScreenshots()))).read(ScreenshotsListed)
    passed = await processes.ask(TAKE, PASS, STORE)

    assert dict.fromkeys(WAYS, UNCLEAN) == codes
    assert () == tuple(plain.blobs)
    assert ("screenshot_failed", 0) == (unstored.code, listed.count)
    assert [png()] == list(map(bytes, passed.blobs))


@pytest.mark.requirement("pictures-017")
async def test_what_a_page_said_of_a_picture_is_redacted_and_a_failure_passes(
    processes: Processes, bridge: Bridge
) -> None:
    await worker(processes, "screenshots")
    secret = "ghp_" + "a1B2" * 9
    bridge.body = MASKED | {"title": f"token {secret}", "elements": {"columns": ["text"], "rows": [[secret]]}}

    stored = await put(processes)
    read = stop("screenshots", ReadScreenshot(stored.screenshot.id, "none", elements=True))
    found = (await processes.ask(read)).read(ScreenshotRead)

    assert "token ⟦token#1⟧" == found.screenshot.title
    assert secret not in str(found)


@pytest.mark.requirement("pictures-018", "pictures-020")
async def test_no_acknowledged_picture_is_lost_when_the_stores_processes_are_killed(
    processes: Processes, bridge: Bridge
) -> None:
    """Several processes create one folder at a time, and each in turn is killed in the middle of the work."""
    stores = list(await asyncio.gather(*(worker(processes, "screenshots") for _ in range(3))))
    bridge.blobs = (noise(120, 120),)
    chance = random.Random(SEED)  # noqa: S311 - no secret
    acknowledged: list[ScreenshotStored] = []
    refused: list[str] = []

    async def storing() -> None:
        for number in range(PICTURES // 4):
            bridge.blobs = (noise(120, 120, seed=number),)
            try:
                acknowledged.append(await put(processes))
            except Failed as fault:  # three of them died while they worked on it
                refused.append(fault.failure.code)

    async def killing() -> None:
        for number in range(KILLS):
            await asyncio.sleep(chance.uniform(0.01, 0.06))  # at any moment of a put, which no event shows
            await stores[number % 3].end()
            stores[number % 3] = await worker(processes, "screenshots")

    await asyncio.gather(killing(), *(storing() for _ in range(4)))
    verified = (await processes.ask(stop("screenshots", VerifyScreenshots(limit=1_000)))).read(Verified)
    listed = (await processes.ask(stop("screenshots", ListScreenshots(limit=1_000)))).read(ScreenshotsListed)

    kept = {one.screenshot.id for one in acknowledged}
    beside = {one.id for one in listed.screenshots} - kept
    assert len(acknowledged) == len(kept) == len(kept & {one.id for one in listed.screenshots})
    assert PICTURES == len(acknowledged) + len(refused)
    assert len(beside) <= len(refused) <= PICTURES // 20
    assert {"worker_unavailable"} >= set(refused)
    assert [] == verified.damaged
    assert len(kept | beside) == verified.checked


@pytest.mark.requirement("pictures-024")
async def test_a_full_disk_and_one_that_is_read_only_are_named_and_harm_nothing(
    processes: Processes, bridge: Bridge
) -> None:
    bridge.blobs = (noise(300, 300),)
    async with small_disk(processes.settings.data_dir, "8m") as disk:
        started = await worker(processes, "screenshots", disk._inside)
        await processes.status(lambda status: [peer for peer in status.peers if peer.service == "screenshots"])
        first = await put(processes)
        bridge.blobs = (noise(300, 300, seed=2),)
        disk.fill()
        full = await failure(processes, TAKE, PASS, STORE)
        whole = await processes.ask(stop("screenshots", ReadScreenshot(first.screenshot.id)))
        disk.free()
        second = await put(processes)
        verified = (await processes.ask(stop("screenshots", VerifyScreenshots()))).read(Verified)
        await started.end()  # its open files would keep the disk from being closed
        disk.make_read_only()
        started = await worker(processes, "screenshots", disk._inside)
        closed = await failure(processes, TAKE, PASS, STORE)
        await started.end()

    assert ["store_failed"] * 2 == [full.code, closed.code]
    assert {"file", "disk", "free_bytes"} == full.details.keys() == closed.details.keys()
    assert noise(300, 300) == bytes(whole.blobs[0])
    assert first.screenshot.id != second.screenshot.id
    assert (2, []) == (verified.checked, verified.damaged)


@pytest.mark.requirement("pictures-023")
async def test_a_picture_with_fewer_pixels_than_it_states_is_removed_once_it_is_hashed(
    processes: Processes, bridge: Bridge
) -> None:
    await worker(processes, "screenshots")
    kept = await put(processes)
    bridge.blobs = (stating(40, 30, bytes(10)),)
    removed = await put(processes)

    async def listed() -> list[str]:
        found = (await processes.ask(stop("screenshots", ListScreenshots()))).read(ScreenshotsListed)
        return [one.id for one in found.screenshots]

    async def is_removed() -> bool:
        return removed.screenshot.id not in await listed()

    await until(is_removed, "the picture to be removed")

    assert [kept.screenshot.id] == await listed()
    assert "not_found" == (await failure(processes, stop("screenshots", ReadScreenshot(removed.screenshot.id)))).code


async def test_a_process_asks_with_a_picture_of_its_own_which_is_bound_as_an_answer_is(processes: Processes) -> None:
    await worker(processes, "screenshots")
    body = pack({"url": "u", "title": "t", "kind": "annotated", "masked": 0})

    answer = await processes.asking.ask(STORE, ttl_s=30, body=body, blobs=(png(),))
    with pytest.raises(Failed) as refused:
        await processes.asking.ask(STORE, ttl_s=30, body=body, blobs=(bytes(30 << 20),))

    assert [png()] == list(map(bytes, answer.blobs))
    assert "annotated" == answer.read(ScreenshotStored).screenshot.kind
    assert "payload_too_large" == refused.value.failure.code


@pytest.mark.requirement("pictures-027", "pictures-026")
async def test_the_command_line_lists_opens_verifies_and_prunes(processes: Processes, bridge: Bridge) -> None:
    await worker(processes, "screenshots")

    async def run(*arguments: str) -> tuple[int, str, str]:
        done = await asyncio.to_thread(gasoline, processes.settings, "screenshots", *arguments)
        return done.returncode, done.stdout, done.stderr

    empty = await run("list")
    kept = []
    for colour in ("red", "blue"):
        bridge.blobs = (png(colour),)
        kept.append((await put(processes)).screenshot)
    listed = await run("list")
    as_json = msgspec.json.decode((await run("list", "--json", "--limit", "1"))[1])
    opened = await run("open", "--print", kept[0].id)
    unknown = await run("open", "../../etc/passwd")
    whole = await run("verify")
    await asyncio.to_thread(Path(kept[0].path).write_bytes, png("lime"))
    changed = await run("verify")
    refused = await run("prune", "--days", "0")
    pruned = await run("prune", "--days", "0.000001")
    after = await run("list")

    assert (0, "There are no screenshots yet.\n") == empty[:2]
    assert ["id", "kind", "page", "size", "px", "kB", "age"] == listed[1].splitlines()[0].split()
    assert [kept[1].id, kept[0].id] == [line.split()[0] for line in listed[1].splitlines()[1:3]]
    assert "2 screenshots, 0.0 MB" == listed[1].splitlines()[-1]
    assert [kept[1].id] == [one["id"] for one in as_json]
    assert (0, f"{kept[0].path}\n") == opened[:2]
    assert (1, "There is no screenshot '../../etc/passwd'.") == (unknown[0], unknown[2][len("gasoline: ") :][:42])
    assert (0, "2 of 2 screenshots are whole.\n", "") == whole
    assert 1 == changed[0]
    assert f"{kept[0].id}  changed  {kept[0].path}" == changed[1].splitlines()[0]
    assert 2 == refused[0]
    assert pruned[1].startswith("2 screenshots deleted, ")
    assert "What is kept for baselines stayed, for they cannot be read: " in pruned[1]  # no such worker runs
    assert empty[1] == after[1]


@pytest.mark.requirement("pictures-021")
async def test_the_pictures_of_baselines_that_were_lost_are_pruned(processes: Processes, bridge: Bridge) -> None:
    await worker(processes, "screenshots")
    await worker(processes, "regression")
    bridge.blobs = (png("red"),)
    kept = (await put(processes)).screenshot
    await processes.asking.ask(stop("screenshots", PinScreenshot(kept.id, OF_BASELINES)), ttl_s=30)
    index = Path(kept.path).parents[1] / "index.sqlite"
    with contextlib.closing(sqlite3.connect(index)) as rows, rows:
        rows.execute("UPDATE screenshots SET at = at - 172800")

    done = await asyncio.to_thread(gasoline, processes.settings, "screenshots", "prune", "--days", "1")

    assert (0, "1 screenshots deleted, 0.0 MB freed.\n") == (done.returncode, done.stdout), done.stderr


@pytest.mark.requirement("visual-010")
async def test_a_store_that_is_full_keeps_the_verdict_on_how_a_page_looks_and_states_why_there_is_no_picture(
    processes: Processes,
) -> None:
    small = msgspec.structs.replace(processes.settings, screenshots_mb=1)
    started = await processes.start(WORKER, "worker", "screenshots", settings=small)
    await processes.registered(started.pid)
    about, before, now = pack(MASKED | {"kind": "full_page"}), noise(560, 560), noise(560, 560, seed=2)
    stored = (await processes.asking.ask(STORE, ttl_s=30, body=about, blobs=(before,))).read(ScreenshotStored)
    await processes.asking.ask(stop("screenshots", PinScreenshot(stored.screenshot.id, "baseline")), ttl_s=30)

    ask = stop("screenshots", ComparePage(stored.screenshot.id), Delivery.STORE)
    compared = (await processes.asking.ask(ask, ttl_s=30, body=about, blobs=(now,))).read(PageCompared)

    assert ("changed", None) == (compared.verdict, compared.screenshot)
    assert "The screenshot store is full: its 1 MB hold only pictures that are in use." in compared.unkept
    assert "gasoline baseline delete" in compared.unkept
