"""The journal's process: what it acknowledged is there, once and in order, however it ends."""

import asyncio
import contextlib
import itertools
import os
import signal
import sqlite3
from typing import Any

import msgspec
import pytest

from gasoline_broker.actor.client import Link, register
from gasoline_broker.actor.wire import Delivery, pack, stop
from gasoline_broker.errors import Failed
from gasoline_workers.journal.messages import (
    ChunkHead,
    Clear,
    Cleared,
    EventsRead,
    EventsStored,
    ReadBodies,
    ReadLogs,
    StoreEvents,
)
from process.processes import HERE, Processes, Started, within
from process.systems import procfile

WORKER = str(HERE.parents[1] / "bridge" / "gasoline_bridge" / "cli" / "entry.py")
KILLS, KILL_EVERY_S = 6, 0.3
ASKERS, EACH = 4, 3
PAGE = "http://localhost:3000/"


async def started(processes: Processes, system_id: str = "first") -> Started:
    """Start a journal, and wait until it is registered."""
    journal = await processes.start(
        WORKER, "worker", "journal", settings=msgspec.structs.replace(processes.settings, system_id=system_id)
    )
    await processes.registered(journal.pid)
    return journal


def chunk(number: int, *texts: str) -> tuple[ChunkHead, dict[str, Any]]:
    lines = [{"ts": 1_763_742_000_000, "type": "console", "level": "log", "args": [text]} for text in texts]
    return ChunkHead(f"{number:032x}", 12, 0, "5f3a9c01"), {"page": PAGE, "events": lines}


async def store(processes: Processes, *chunks: tuple[ChunkHead, dict[str, Any]]) -> EventsStored:
    """Have chunks stored as the bridge does, again and again with the same ids until it is acknowledged."""
    heads, bodies = tuple(head for head, _body in chunks), pack([body for _head, body in chunks])
    while True:
        try:
            answer = await processes.ask(stop("journal", StoreEvents(heads), Delivery.STORE), ttl_s=2, body=bodies)
        except Failed:
            continue
        stored: EventsStored = answer.read(EventsStored)
        return stored


async def read(processes: Processes, ask: ReadLogs | ReadBodies) -> EventsRead:
    found: EventsRead = (await processes.ask(stop("journal", ask), ttl_s=10)).read(EventsRead)
    return found


async def texts(processes: Processes, since_seq: int = 0) -> list[str]:
    return [item["text"] for item in (await read(processes, ReadLogs(since_seq=since_seq))).items]


def kept(processes: Processes) -> list[tuple[int, str]]:
    """Read what is in the file, as a process that comes later would."""
    connection = sqlite3.connect(processes.settings.data_dir / "journal.sqlite")
    try:
        assert [("ok",)] == connection.execute("PRAGMA integrity_check").fetchall()
        return connection.execute("SELECT seq, text FROM events ORDER BY seq").fetchall()
    finally:
        connection.close()


async def test_a_journal_that_is_killed_in_a_stream_keeps_what_it_acknowledged_once(
    processes: Processes,
) -> None:
    acknowledged: list[str] = []
    numbers = itertools.count()
    journal = await started(processes)
    ended = asyncio.Event()

    async def stream() -> None:
        while not ended.is_set() and len(acknowledged) < 900:  # a ring holds 1,000
            number = next(numbers)
            told = [f"{number}.{at}" for at in range(EACH)]
            await store(processes, chunk(number, *told))
            acknowledged.extend(told)
            await asyncio.sleep(0.01)

    async with asyncio.TaskGroup() as group:
        for _ in range(ASKERS):
            group.create_task(stream())
        for _ in range(KILLS):
            await asyncio.sleep(KILL_EVERY_S)
            journal.kill()
            await journal.exit_code()
            journal = await started(processes)
        ended.set()

    journal.terminate()
    await journal.exit_code()
    rows = kept(processes)
    assert sorted(acknowledged) == sorted(text for _seq, text in rows)
    assert len(rows) > 100
    by_chunk = [[text.split(".")[1] for _seq, text in rows[at : at + EACH]] for at in range(0, len(rows), EACH)]
    assert [["0", "1", "2"]] * (len(rows) // EACH) == by_chunk, "a chunk is stored whole, in its order"


async def test_an_ask_that_brings_known_chunks_again_stores_the_new_ones(processes: Processes) -> None:
    await started(processes)
    await store(processes, chunk(1, "a"))

    assert EventsStored(3, 2, 1) == await store(processes, chunk(1, "a"), chunk(2, "b", "c"))
    assert ["c", "b", "a"] == await texts(processes)


async def test_the_view_is_that_of_the_system_and_outlives_the_process(processes: Processes) -> None:
    first = await started(processes)
    await store(processes, chunk(1, "a", "b"))
    first.kill()
    await first.exit_code()
    second = await started(processes)
    same = await texts(processes)
    second.terminate()
    await second.exit_code()
    await started(processes, "second")

    assert ["b", "a"] == same
    assert [] == await texts(processes)
    assert ["b"] == await texts(processes, since_seq=1)


async def test_after_a_clear_nothing_of_it_is_on_the_disk(processes: Processes) -> None:
    await started(processes)
    await store(processes, chunk(1, *(f"planted {number}" for number in range(500))))

    cleared: Cleared = (await processes.ask(stop("journal", Clear(), Delivery.STORE), ttl_s=10)).read(Cleared)

    assert Cleared(500, 500) == cleared
    assert not [path for path in processes.settings.data_dir.glob("journal*") if b"planted" in path.read_bytes()]
    assert EventsStored(501, 1, 0) == await store(processes, chunk(2, "new"))


async def test_an_invalid_json_path_is_reported_to_the_asker(processes: Processes) -> None:
    await started(processes)

    with pytest.raises(Failed) as told:
        await read(processes, ReadBodies(body_path="nonsense"))

    assert "invalid_params" == told.value.failure.code


async def test_a_damaged_file_is_set_aside_and_the_journal_serves_an_empty_one(processes: Processes) -> None:
    first = await started(processes)
    await store(processes, chunk(1, "a"))
    first.terminate()
    await first.exit_code()
    (processes.settings.data_dir / "journal.sqlite").write_bytes(b"\xa5" * 50_000)

    await started(processes)

    assert 1 == (await store(processes, chunk(2, "b"))).stored
    assert ["b"] == await texts(processes)
    assert [
        path for path in processes.settings.data_dir.glob("journal.sqlite.broken-*") if path.stat().st_size == 50_000
    ]


async def test_a_file_that_is_damaged_in_use_is_set_aside_and_the_next_ask_is_answered(processes: Processes) -> None:
    await started(processes)
    await store(processes, chunk(1, *(f"{number} {'x' * 500}" for number in range(900))))
    path = processes.settings.data_dir / "journal.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    with path.open("r+b") as file:
        file.seek(100)
        file.write(b"\xa5" * (path.stat().st_size - 100))
    with sqlite3.connect(path) as connection, contextlib.suppress(sqlite3.Error):
        connection.execute("SELECT * FROM events")
    connection.close()

    told = await store(processes, chunk(2, *(f"{number} {'y' * 500}" for number in range(900))))

    assert 900 == told.stored
    assert 50 == len(await texts(processes))
    assert [*processes.settings.data_dir.glob("journal.sqlite.broken-*")]


@pytest.mark.parametrize("share", [0.0, 0.5, 0.99], ids=["all", "half", "its end"])
async def test_a_killed_journal_whose_log_was_cut_short_loses_its_end_alone(processes: Processes, share: float) -> None:
    first = await started(processes)
    log = processes.settings.data_dir / "journal.sqlite-wal"
    for number in range(20):
        await store(processes, chunk(number, f"{number}"))
    first.kill()
    await first.exit_code()
    os.truncate(log, int(log.stat().st_size * share))

    await started(processes)
    left = [int(text) for text in reversed(await texts(processes))]
    await store(processes, chunk(20, "new"))

    assert [*range(len(left))] == left
    assert [*map(str, reversed(left))] == (await texts(processes))[1:]
    assert "new" == (await texts(processes))[0]
    assert (share > 0) == bool(left)


async def test_a_log_that_is_cut_short_under_a_journal_is_set_aside_for_the_next_ask(
    processes: Processes,
) -> None:
    await started(processes)
    await store(processes, chunk(1, *(f"{number} {'x' * 500}" for number in range(900))))
    path = processes.settings.data_dir / "journal.sqlite"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("INSERT INTO facts (name, value) VALUES ('other', '')")  # or the journal reads from its memory
        os.truncate(path.with_name("journal.sqlite-wal"), 50)

        async with within():  # a journal that does not see the damage would refuse for ever
            told = await store(processes, chunk(2, "new"))

    assert 1 == told.stored
    assert told.seq > 900
    assert ["new"] == await texts(processes)
    assert [*processes.settings.data_dir.glob("journal.sqlite.broken-*")]


async def test_a_supervised_journal_that_dies_goes_on_with_its_view(no_processes: Processes) -> None:
    await no_processes.up(procfile(no_processes, journal="gasoline worker journal"))
    await no_processes.link(Link(no_processes.settings, register("front")))
    before = await journal_pid(no_processes)
    await store(no_processes, chunk(1, "a"))

    os.kill(before, signal.SIGKILL)
    assert EventsStored(2, 1, 1) == await store(no_processes, chunk(1, "a"), chunk(2, "b"))

    assert ["b", "a"] == await texts(no_processes)
    assert before != await journal_pid(no_processes)


async def journal_pid(processes: Processes) -> int:
    status = await processes.status(lambda status: [peer for peer in status.peers if peer.service == "journal"])
    return next(peer.pid for peer in status.peers if peer.service == "journal")
