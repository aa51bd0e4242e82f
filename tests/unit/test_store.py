"""A store with repeated messages, from any process, and with a file that has lost its end."""

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from gasoline_broker.actor.client import Answer, Step
from gasoline_broker.actor.store import REMEMBERED, Store
from gasoline_broker.actor.wire import Envelope, Kind
from gasoline_broker.errors import CannotStart, Damaged, Failed, fail

SCHEMA = "CREATE TABLE IF NOT EXISTS kept (word TEXT NOT NULL) STRICT"


class Kept(msgspec.Struct, frozen=True, tag=True):
    count: int


def given(number: bytes, position: int = 0) -> Step:
    return Step(Envelope(Kind.ASK, number, position=position), b"", (), 0.0)


def keep(rows: sqlite3.Connection) -> Kept:
    rows.execute("INSERT INTO kept VALUES ('a')")
    return Kept(count(rows))


def count(rows: sqlite3.Connection) -> int:
    (found,) = rows.execute("SELECT count(*) FROM kept").fetchone()
    return int(found)


def opened(path: Path) -> Store:
    store = Store(path, SCHEMA)
    store.open()
    return store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = opened(tmp_path / "store.sqlite")
    yield made
    made.close()


@pytest.mark.requirement("hub-017")
def test_a_stop_that_comes_twice_is_done_once_and_answered_twice(store: Store) -> None:
    first = store.once(given(b"1"), keep)

    assert first == store.once(given(b"1"), keep)
    assert Kept(1) == first.read(Kept)
    assert 1 == count(store.read())


def test_another_process_knows_what_the_first_has_done(store: Store, tmp_path: Path) -> None:
    first = store.once(given(b"1"), keep)
    other = opened(tmp_path / "store.sqlite")

    assert first == other.once(given(b"1"), keep)
    other.close()


def test_another_stop_of_the_same_ask_is_another(store: Store) -> None:
    store.once(given(b"1", 0), keep)
    store.once(given(b"1", 1), keep)

    assert 2 == count(store.read())


def test_what_fails_is_undone_and_may_come_again(store: Store) -> None:
    def keep_and_fail(rows: sqlite3.Connection) -> Kept:
        keep(rows)
        fail("refused", "no")

    with pytest.raises(Failed, match="refused"):
        store.once(given(b"1"), keep_and_fail)

    assert 0 == count(store.read())
    assert Kept(1) == store.once(given(b"1"), keep).read(Kept)


def test_it_remembers_the_last_ten_thousand_answers(store: Store) -> None:
    def nothing(_rows: sqlite3.Connection) -> Kept:
        return Kept(0)

    store.read().execute("PRAGMA synchronous = OFF")
    for number in range(REMEMBERED + 5):
        store.once(given(number.to_bytes(4)), nothing)

    (remembered,) = store.read().execute("SELECT count(*) FROM answered").fetchone()
    assert REMEMBERED == remembered


def test_a_foreign_file_is_refused_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    path.write_bytes(b"something else" * 100)

    with pytest.raises(CannotStart, match=r"store\.sqlite cannot be used: file is not a database"):
        opened(path)


def test_its_file_is_closed_to_others(store: Store, tmp_path: Path) -> None:
    assert Answer(b"") != store.once(given(b"1"), keep)
    assert 0o600 == (tmp_path / "store.sqlite").stat().st_mode & 0o777


def test_what_has_a_key_is_done_once_for_any_number_of_asks(store: Store) -> None:
    done: list[list[int]] = []

    for keys in (["a", "b"], ["b", "c", "c"], ["a"]):
        store.each_once(keys, lambda _rows, new: done.append(new))

    assert [[0, 1], [1], []] == done


def test_keys_that_fail_may_come_again(store: Store) -> None:
    def keep_and_fail(rows: sqlite3.Connection, new: list[int]) -> None:
        keep(rows)
        fail("refused", "no", new=new)

    with pytest.raises(Failed, match="refused"):
        store.each_once(["a"], keep_and_fail)

    assert [0] == store.each_once(["a"], lambda _rows, new: new)
    assert 0 == count(store.read())


def test_a_file_of_a_newer_version_is_refused_at_the_start_and_left_as_it_is(tmp_path: Path) -> None:
    newer = Store(tmp_path / "store.sqlite", SCHEMA, version=2)
    newer.open()
    newer.close()

    with pytest.raises(CannotStart, match=r"store\.sqlite was written by a newer Gasoline \(version 2 of the file"):
        opened(tmp_path / "store.sqlite")


def cut(path: Path, share: float) -> None:
    """Leave the first part of the write-ahead log."""
    log = path.with_name(f"{path.name}-wal")
    os.truncate(log, int(log.stat().st_size * share))


@pytest.fixture(params=[0.0, 0.3, 0.99])
def cut_short(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Store]:
    """Return a store that is open while its log loses a part."""
    path = tmp_path / "store.sqlite"
    store = opened(path)
    with store.transaction() as rows:
        rows.executemany("INSERT INTO kept VALUES (?)", [("x" * 500,)] * 900)
    cut(path, request.param)
    store.read().execute("PRAGMA shrink_memory")  # or it would not look at its file
    yield store
    store.close()


def test_a_log_that_is_cut_short_under_its_reader_is_a_damage(cut_short: Store) -> None:
    with pytest.raises(Damaged, match=r"store\.sqlite: disk I/O error"), cut_short.reading() as rows:
        rows.execute("SELECT sum(length(word)) FROM kept").fetchone()


def test_a_log_that_is_cut_short_under_its_writer_is_a_damage_and_nothing_is_acknowledged(cut_short: Store) -> None:
    with pytest.raises(Damaged, match=r"store\.sqlite: disk I/O error"):
        cut_short.once(given(b"1"), keep)


def test_after_a_log_was_cut_short_an_empty_file_takes_the_place_of_the_damaged_one(cut_short: Store) -> None:
    with pytest.raises(Damaged):
        cut_short.once(given(b"1"), keep)

    cut_short.renew()

    assert Kept(1) == cut_short.once(given(b"1"), keep).read(Kept)


@pytest.mark.usefixtures("cut_short")
@pytest.mark.parametrize("cut_short", [0.0], indirect=True)
def test_a_log_cut_short_while_others_have_the_file_open_is_refused_at_the_start(tmp_path: Path) -> None:
    late = Store(tmp_path / "store.sqlite", SCHEMA)

    with pytest.raises(CannotStart, match=r"store\.sqlite cannot be used: disk I/O error"):
        late.open()


@pytest.mark.usefixtures("cut_short")
@pytest.mark.parametrize("cut_short", [0.0], indirect=True)
def test_it_is_replaced_at_the_start_where_the_file_is_disposable(tmp_path: Path) -> None:
    late = Store(tmp_path / "store.sqlite", SCHEMA, disposable=True)

    assert late.open()
    assert Kept(1) == late.once(given(b"1"), keep).read(Kept)
    late.close()


def with_other_columns(path: Path) -> Path:
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE kept (letter TEXT NOT NULL)")
    other.close()
    return path


@pytest.mark.requirement("faults-012")
def test_a_table_with_unknown_columns_is_refused_at_the_start_or_replaced_where_it_is_disposable(
    tmp_path: Path,
) -> None:
    path = with_other_columns(tmp_path / "store.sqlite")
    with pytest.raises(CannotStart, match="its table kept has unknown columns"):
        opened(path)
    disposable = Store(path, SCHEMA, disposable=True)

    assert disposable.open()
    assert Kept(1) == disposable.once(given(b"1"), keep).read(Kept)
    disposable.close()
    assert 1 == len([*tmp_path.glob("store.sqlite.broken-*")])


@pytest.mark.requirement("faults-013")
def test_a_failure_names_the_file_its_disk_and_the_space_left(store: Store, tmp_path: Path) -> None:
    store.read().execute("PRAGMA max_page_count = 1")

    with pytest.raises(Failed, match=r"Nothing was stored: store\.sqlite: database or disk is full") as raised:
        store.once(given(b"1"), lambda rows: Kept(rows.execute("CREATE TABLE more (a)").rowcount))

    details = raised.value.failure.details
    assert str(tmp_path / "store.sqlite") == details["file"]
    assert Path(details["disk"]).is_mount()
    assert details["free_bytes"] > 0


@pytest.mark.requirement("faults-019")
def test_a_file_that_was_deleted_or_replaced_is_lost(store: Store, tmp_path: Path) -> None:
    path, states = tmp_path / "store.sqlite", [store.is_lost]
    path.unlink()
    states.append(store.is_lost)
    path.touch()
    states.append(store.is_lost)

    assert [False, True, True] == states


def test_a_process_that_goes_on_without_its_file_opens_it_when_it_can(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    path.mkdir()
    store = Store(path, SCHEMA)
    with pytest.raises(Failed, match="store_failed"):
        store.try_open()
    path.rmdir()

    assert not store.try_open()
    assert Kept(1) == store.once(given(b"1"), keep).read(Kept)
    store.close()
