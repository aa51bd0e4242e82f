"""Events go to the journal in order, once or again, and count as stored only when they are."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest

from gasoline_bridge.chrome.intake import ATTEMPTS, FAILING_S, GROUP_BYTES, SLOW, Intake
from gasoline_bridge.chrome.link import Chunk
from gasoline_broker.errors import Failed, Failure
from gasoline_workers.journal.messages import ChunkBody, StoreEvents

BOUND_S = 5.0


def chunk(number: int, text: str = "", kind: str = "console") -> Chunk:
    return Chunk(f"{number:032x}", 1, 0, "00000000", "http://x/", [{"type": kind, "args": [text]}])


class Journal:
    """A journal that fails with each of the codes that it was made with."""

    def __init__(self, *codes: str, poison: str = "") -> None:
        self.codes = list(codes)
        self.poison = poison
        self.asks: list[list[str]] = []
        self.bodies: list[list[ChunkBody]] = []
        self.let_go = asyncio.Event()
        self.let_go.set()

    async def store(self, message: StoreEvents, body: bytes) -> int:
        self.asks.append([head.id[-2:] for head in message.chunks])
        await self.let_go.wait()
        if self.poison and any(head.id.endswith(self.poison) for head in message.chunks):
            raise Failed(Failure("internal_error", "It broke."))
        if self.codes:
            raise Failed(Failure(self.codes.pop(0), "Not now."))
        self.bodies.append(msgspec.msgpack.decode(body, type=list[ChunkBody]))
        return len(self.bodies)


async def while_running(intake: Intake, do: Callable[[], Awaitable[None]]) -> None:
    running = asyncio.create_task(intake.run())
    try:
        async with asyncio.timeout(BOUND_S):
            await do()
    finally:
        running.cancel()


async def test_chunks_that_wait_go_together_and_in_order() -> None:
    journal = Journal()
    intake = Intake(journal.store)
    taken = [intake.take(chunk(number)) for number in range(3)]

    async def do() -> None:
        assert [True, True, True] == await asyncio.gather(*taken)

    await while_running(intake, do)
    assert [["00", "01", "02"]] == journal.asks
    assert ["http://x/"] * 3 == [body.page for body in journal.bodies[0]]


async def test_an_ask_is_no_larger_than_redaction_can_do_in_short() -> None:
    journal = Journal()
    intake = Intake(journal.store)
    taken = [intake.take(chunk(number, "x" * (GROUP_BYTES // 3))) for number in range(4)]

    async def do() -> None:
        await asyncio.gather(*taken)

    await while_running(intake, do)
    assert [["00", "01"], ["02", "03"]] == journal.asks


@pytest.mark.parametrize("code", ["worker_unavailable", "redaction_unavailable", "overloaded", "store_failed"])
async def test_what_could_not_be_stored_for_want_of_a_process_is_tried_until_it_is(code: str) -> None:
    journal = Journal(code, code)
    intake = Intake(journal.store)
    taken = intake.take(chunk(1))

    async def do() -> None:
        assert await taken is True

    await while_running(intake, do)
    assert [["01"]] * 3 == journal.asks


async def test_a_chunk_that_breaks_a_process_is_abandoned_alone() -> None:
    journal = Journal(poison="01")
    intake = Intake(journal.store)
    taken = [intake.take(chunk(number)) for number in range(3)]

    async def do() -> None:
        assert [True, False, True] == await asyncio.gather(*taken)

    await while_running(intake, do)
    assert 1 == intake.refused
    assert ATTEMPTS == sum("01" in ask for ask in journal.asks)


async def test_to_be_settled_is_to_be_stored() -> None:
    journal = Journal()
    journal.let_go.clear()
    intake = Intake(journal.store)
    _ = intake.take(chunk(1))

    async def do() -> None:
        settled = asyncio.create_task(intake.settled(BOUND_S))
        await asyncio.sleep(0)
        assert not settled.done()
        journal.let_go.set()
        await settled
        assert 1 == len(journal.bodies)

    await while_running(intake, do)


@pytest.mark.parametrize("first", ["posted", "captured"])
async def test_to_forget_ends_what_waits_and_waits_for_what_is_under_way(first: str) -> None:
    journal = Journal()
    journal.let_go.clear()
    intake = Intake(journal.store)
    ways = {"posted": intake.take_posted, "captured": intake.take}
    order = sorted(ways, key=lambda way: way != first)
    taken = {way: ways[way](chunk(number)) for number, way in enumerate(order)}

    async def do() -> None:
        await asyncio.sleep(0)  # the captured one is under way
        forgetting = asyncio.create_task(intake.forget(BOUND_S))
        await asyncio.sleep(0)
        assert {"posted": True, "captured": False} == {way: one.done() for way, one in taken.items()}
        assert not forgetting.done()
        journal.let_go.set()
        await forgetting
        assert [True, True] == [one.result() for one in taken.values()]
        assert await intake.take(chunk(9))
        assert [1, 1] == [len(bodies) for bodies in journal.bodies]

    await while_running(intake, do)


async def test_what_is_forgotten_while_it_is_under_way_is_not_tried_again() -> None:
    journal = Journal("worker_unavailable")
    journal.let_go.clear()
    intake = Intake(journal.store)
    captured = intake.take(chunk(1))

    async def do() -> None:
        await asyncio.sleep(0)
        await intake.forget(0.01)
        journal.let_go.set()
        assert await captured
        assert await intake.take(chunk(2))
        assert [["01"], ["02"]] == journal.asks

    await while_running(intake, do)


async def test_what_a_clear_leaves_is_not_forgotten() -> None:
    journal = Journal("store_failed")
    intake = Intake(journal.store)
    lasting = intake.take(chunk(1, kind="audit"))
    plain = intake.take(chunk(2))

    async def do() -> None:
        await intake.forget(0.01)
        assert plain.done()
        assert await lasting
        assert [["01"], ["01"]] == journal.asks

    await while_running(intake, do)


async def test_what_comes_after_a_result_is_not_waited_for() -> None:
    journal = Journal()
    journal.let_go.clear()
    intake = Intake(journal.store)
    settled = intake.settled(BOUND_S)
    later = intake.take(chunk(1))

    async def do() -> None:
        assert await settled is None
        assert not later.done()
        journal.let_go.set()
        assert await later

    await while_running(intake, do)


async def test_a_wait_for_what_is_not_stored_ends() -> None:
    intake = Intake(Journal().store)
    _ = intake.take(chunk(1))

    async with asyncio.timeout(BOUND_S):
        await intake.settled(0.01)


async def test_without_redaction_a_wait_for_storing_ends_at_once_with_the_reason() -> None:
    journal = Journal("redaction_unavailable")
    intake = Intake(journal.store)
    _ = intake.take(chunk(1))

    async def do() -> None:
        failure = await intake.settled(BOUND_S)
        assert failure is not None
        assert "redaction_unavailable" == failure.code
        assert [] == journal.bodies

    await while_running(intake, do)


async def test_when_redaction_is_back_what_is_stored_is_waited_for_again() -> None:
    journal = Journal("redaction_unavailable")
    intake = Intake(journal.store)

    async def do() -> None:
        assert await intake.take(chunk(1))
        journal.let_go.clear()
        _ = intake.take(chunk(2))
        assert SLOW == await intake.settled(0.05)

    await while_running(intake, do)


@pytest.mark.requirement("faults-011")
async def test_a_journal_that_is_known_to_fail_is_waited_for_a_moment_only() -> None:
    journal = Journal(*["store_failed"] * 1_000)
    intake = Intake(journal.store)
    _ = intake.take(chunk(1))

    async def do() -> None:
        first, second = await intake.settled(BOUND_S), None
        begun = time.monotonic()
        for number in range(100):
            _ = intake.take(chunk(2 + number))
            second = await intake.settled(BOUND_S)
        assert ("store_failed", "store_failed") == (getattr(first, "code", ""), getattr(second, "code", ""))
        assert time.monotonic() - begun < 100 * FAILING_S / 3, "it is waited for once, not by each result"

    await while_running(intake, do)


async def test_what_fails_for_an_instant_is_waited_for() -> None:
    journal = Journal("store_failed")
    intake = Intake(journal.store)
    _ = intake.take(chunk(1))

    async def do() -> None:
        assert await intake.settled(BOUND_S) is None
        assert 1 == len(journal.bodies)

    await while_running(intake, do)


async def test_while_nothing_is_stored_the_oldest_is_forgotten_and_the_link_goes_on() -> None:
    journal = Journal("store_failed", "store_failed")
    intake = Intake(journal.store)

    async def do() -> None:
        first = intake.take(chunk(0, "x" * (1 << 20)))
        await intake.settled(BOUND_S / 100)
        journal.let_go.clear()
        last = [intake.take(chunk(number, "x" * (1 << 20))) for number in range(1, 12)][-1]
        await intake.room()
        journal.let_go.set()
        assert (False, True) == (await first, await last)

    await while_running(intake, do)
    assert 0 < intake.refused < 8


async def test_a_chunk_that_the_extension_sends_again_is_held_once() -> None:
    journal = Journal("store_failed", "store_failed")
    intake = Intake(journal.store)
    taken = [intake.take(chunk(1)), intake.take(chunk(2)), intake.take(chunk(1))]

    async def do() -> None:
        assert [True, True, True] == await asyncio.gather(*taken)

    await while_running(intake, do)
    assert [["01", "02"]] * 3 == journal.asks


async def test_there_is_room_again_when_what_is_held_was_stored() -> None:
    journal = Journal()
    intake = Intake(journal.store)
    for number in range(9):
        _ = intake.take(chunk(number, "x" * (1 << 20)))

    async def do() -> None:
        await intake.room()

    await while_running(intake, do)
    assert journal.bodies


async def test_what_is_no_event_is_counted_and_left_out() -> None:
    journal = Journal()
    intake = Intake(journal.store)
    events: list[Any] = [None, {"type": "console"}, {}, [], {"type": 3}, {"type": "of_a_newer_extension"}]
    taken = intake.take(msgspec.structs.replace(chunk(1), events=events))

    async def do() -> None:
        assert await taken is True

    await while_running(intake, do)
    assert [{"type": "console"}, {"type": "of_a_newer_extension"}] == journal.bodies[0][0].events
    assert 4 == intake.malformed


async def test_a_poster_that_has_gone_stops_nothing() -> None:
    journal = Journal()
    intake = Intake(journal.store)
    intake.take(chunk(1)).cancel()
    second = intake.take(chunk(2))

    async def do() -> None:
        assert await second is True

    await while_running(intake, do)
