"""Peers that are too slow, or too many asks: the broker stays small, refuses at once, and serves the others."""

import asyncio
import logging
import time

import pytest

from gasoline_broker.actor.wire import Envelope, Ids, Kind, stop
from gasoline_broker.errors import Failed
from gasoline_broker.messages import Register
from gasoline_broker.product import VERSION
from process.faults.accounts import assert_all_accounted, assert_none_stalled
from process.faults.fault_env import FAULT_S, FaultEnv, memory_bytes, pass_by, repeat
from process.faults.load import QUERIES
from process.faults.raw import Raw
from process.faults.worker_app import Work
from process.processes import within

GROWTH_BYTES = 64 << 20  # that one slow peer may cost the broker
ALL_BYTES = 300 << 20

logger = logging.getLogger("faults")


async def growth(env: FaultEnv, before: int) -> int:
    """Return by how much the broker has grown, and log it."""
    grown = memory_bytes(env.broker.child.pid) - before
    logger.info("the broker grew by %.1f MB", grown / 1e6)
    return grown


@pytest.mark.parametrize("blob_bytes", [100_000])
@pytest.mark.requirement("hub-033")
async def test_an_asker_that_reads_nothing_costs_the_broker_little_and_the_others_nothing(
    env: FaultEnv, blob_bytes: int
) -> None:
    ids, before = Ids(), memory_bytes(env.broker.child.pid)
    itinerary = (stop("worker_app", Work(0, 0.0, blob_bytes)),)
    async with await env.load(per_s=200) as load, Raw(env.settings) as deaf:
        await deaf.register()
        deaf.ignore()

        await repeat(
            0.002, lambda: deaf.say(Envelope(Kind.ASK, ids.next(), itinerary, ttl_ms=60_000), b""), FAULT_S / 2
        )
        grown = await growth(env, before)

    assert_all_accounted(load.result)
    assert {} == load.result.failed
    assert_none_stalled(load.result)
    assert grown <= GROWTH_BYTES


@pytest.mark.requirement("hub-033")
async def test_a_worker_that_answers_nothing_costs_the_broker_little_and_the_others_nothing(env: FaultEnv) -> None:
    before, body = memory_bytes(env.broker.child.pid), bytes(200_000)
    async with await env.load(per_s=200) as load, Raw(env.settings) as sloth:
        await sloth.register(Register("sloth", 1_000, 1, VERSION))
        ask = stop("sloth", Work(0))

        asking = [asyncio.create_task(env.processes.ask(ask, ttl_s=FAULT_S / 2, body=body)) for _ in range(200)]
        told = await asyncio.gather(*asking, return_exceptions=True)
        grown = await growth(env, before)

    assert_all_accounted(load.result)
    assert {} == load.result.failed
    assert_none_stalled(load.result)
    codes = {fault.failure.code for fault in told if isinstance(fault, Failed)}
    assert {"deadline_exceeded"} <= codes <= {"deadline_exceeded", "worker_unavailable"}  # a busy test is silent, too
    assert len(told) == sum(isinstance(fault, Failed) for fault in told)
    assert grown <= GROWTH_BYTES
    await env.all_back()


# Too many asks

TOOK_MS, WORKERS = 20.0, 2
CAPACITY_PER_S = WORKERS * 1000 / TOOK_MS
OVERLOAD = 20
TTL_S = 0.5
GOODPUT = 0.25  # 70 % are wanted, and a busy machine has a part of them; without refusals next to none is in time
REFUSED_MS = 400.0  # less than the time of an ask; 10 are wanted, but the asker itself is busy


@pytest.mark.requirement("hub-034")
async def test_twenty_times_too_many_asks_are_refused_at_once_and_the_rest_is_useful(bare: FaultEnv) -> None:
    await bare.serve(workers=WORKERS, capacity=1)
    load = await bare.load(kinds=QUERIES[:1], per_s=OVERLOAD * CAPACITY_PER_S, ttl_s=TTL_S, took_ms=TOOK_MS)

    begun = time.monotonic()
    async with load:
        await pass_by(FAULT_S)
    took_s = time.monotonic() - begun

    assert_all_accounted(load.result)
    goodput = load.result.answered / (CAPACITY_PER_S * took_s)
    refused_ms = load.result.quantile_ms(0.5, "overloaded")
    memory = memory_bytes(bare.broker.child.pid)
    logger.info("goodput %.0f %%, refused within %.1f ms, broker %.1f MB", goodput * 100, refused_ms, memory / 1e6)
    assert {"overloaded", "deadline_exceeded"} >= set(load.result.failed)
    assert load.result.failed["overloaded"] > 0
    assert goodput >= GOODPUT
    assert refused_ms <= REFUSED_MS
    assert memory <= ALL_BYTES
    await bare.all_back()


# A session that asks too much does not starve the others: asks of another session and background ones


@pytest.mark.requirement("hub-005")
async def test_while_one_session_floods_another_is_served_in_its_turn(bare: FaultEnv) -> None:
    await bare.serve(workers=WORKERS, capacity=1)
    link = await bare.link()
    flood = [
        asyncio.create_task(link.ask(stop("worker_app", Work(0, TOOK_MS)), ttl_s=20, session="loud"))
        for _ in range(150)
    ]
    await bare.processes.status(lambda status: sum(peer.running for peer in status.peers) == WORKERS)

    begun = time.monotonic()
    async with within():
        await link.ask(stop("worker_app", Work(0, TOOK_MS)), ttl_s=20, session="quiet")
    took_ms = (time.monotonic() - begun) * 1000
    await asyncio.gather(*flood)
    in_all_ms = (time.monotonic() - begun) * 1000

    logger.info("the quiet session waited %.0f ms behind %.0f ms of the loud one", took_ms, in_all_ms)
    assert took_ms <= in_all_ms / 3
