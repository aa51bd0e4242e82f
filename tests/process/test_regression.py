"""Baselines between real processes: several use one file, and what was acknowledged survives their deaths."""

import asyncio
import contextlib
import os
import sqlite3
from typing import Any

import pytest

from gasoline_broker.actor.wire import Delivery, pack, stop
from gasoline_broker.errors import Failed
from gasoline_workers.regression.messages import (
    BaselineCompared,
    BaselineFound,
    BaselineMade,
    BaselinesListed,
    CheckLoads,
    CompareBaseline,
    FindBaseline,
    ListBaselines,
    LoadsChecked,
    MakeBaseline,
)
from process.processes import HERE, Processes, Started
from unit.regression.pages import QUIET, SAME_LOOK, URL, flaw, judged, loads

WORKER = str(HERE.parents[1] / "bridge" / "gasoline_bridge" / "cli" / "entry.py")
BASELINES = 24


async def worker(processes: Processes) -> Started:
    started = await processes.start(WORKER, "worker", "regression")
    await processes.registered(started.pid)
    return started


async def ask(processes: Processes, message: Any, *findings: Any) -> Any:
    """Ask with what the audit worker answered before."""
    asked = stop("regression", message, Delivery.STORE)
    return await processes.asking.ask(asked, ttl_s=30, body=pack(judged(*findings)))


@pytest.mark.requirement("regression-002")
async def test_several_processes_keep_baselines_in_one_file_while_each_is_killed(processes: Processes) -> None:
    stores = list(await asyncio.gather(*(worker(processes) for _ in range(3))))
    made: list[BaselineMade] = []

    async def making(part: int) -> None:
        for number in range(part, BASELINES, 4):
            answer = await ask(processes, MakeBaseline(f"page {number}", loads([*QUIET])))
            made.append(answer.read(BaselineMade))

    async def killing() -> None:
        for number in range(3):
            await asyncio.sleep(0.03)  # at any moment of a write, which no event shows
            await stores[number].end()
            stores[number] = await worker(processes)

    await asyncio.gather(killing(), *map(making, range(4)))
    listed = (await ask(processes, ListBaselines())).read(BaselinesListed)

    assert {f"page {number}" for number in range(BASELINES)} == {one.name for one in listed.baselines}
    assert BASELINES == len(listed.baselines) == len(made)
    assert not any(one.replaced for one in made)


@pytest.mark.requirement("regression-001", "regression-005", "regression-014", "regression-016")
async def test_a_baseline_is_found_by_its_page_and_compared_with_what_came_since(processes: Processes) -> None:
    await worker(processes)
    slow = loads([value + 400 for value in QUIET], url=f"{URL}?slow")
    kept = (await ask(processes, MakeBaseline("", loads([*QUIET])), flaw("missing_csp"))).read(BaselineMade)
    found = (await ask(processes, FindBaseline("", URL))).read(BaselineFound)
    more = (await ask(processes, CheckLoads("", slow))).read(LoadsChecked)
    compared = (await ask(processes, CompareBaseline("", slow, SAME_LOOK), flaw("missing_csp"))).read(BaselineCompared)
    with pytest.raises(Failed) as unknown:
        await ask(processes, CompareBaseline("", loads([*QUIET], url="http://shop.test/other"), SAME_LOOK))
    file = processes.settings.data_dir / "baselines.sqlite"
    with contextlib.closing(sqlite3.connect(file)) as rows:
        rows.execute("DELETE FROM answered")  # a change, after which the process looks at the file again
        rows.commit()
        rows.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    os.truncate(file, 5_000)  # as a copy that was cut short
    with pytest.raises(Failed) as damaged:
        await ask(processes, MakeBaseline("", loads([*QUIET])))
    after = (await ask(processes, ListBaselines())).read(BaselinesListed)

    assert "shop.test/cart" == kept.baseline.name == found.baseline.name
    assert ("regression_detected", "LCP regressed by 400 ms", 5) == (compared.verdict, compared.summary, more.more)
    assert "not_found" == unknown.value.failure.code
    assert "'shop.test/cart'" in unknown.value.failure.text
    assert "store_failed" == damaged.value.failure.code
    assert "set aside" in damaged.value.failure.text
    assert [] == after.baselines
    assert list(processes.settings.data_dir.glob("baselines.sqlite.broken-*"))
