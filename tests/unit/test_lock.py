"""The lock: one process holds it, and others learn its pid."""

import fcntl
import os
import stat
import threading
from pathlib import Path

import pytest

from gasoline_broker.errors import AlreadyRunning
from gasoline_broker.lock import Holder, Lock, held, holder


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.lock"


def test_the_first_holds_it_and_the_second_learns_the_holder(path: Path) -> None:
    Lock(path, "The broker").take()

    with pytest.raises(AlreadyRunning, match=rf"The broker is already running \(process {os.getpid()}\)") as told:
        Lock(path, "The broker").take()

    assert os.getpid() == told.value.pid
    assert os.getpid() == holder(path)


def test_after_its_release_it_is_free_for_the_next_process(path: Path) -> None:
    first = Lock(path, "The broker")
    first.take()
    first.release()

    assert 0 == holder(path)
    Lock(path, "The broker").take()
    assert os.getpid() == holder(path)


def test_the_pid_that_a_killed_process_has_left_does_not_count(path: Path) -> None:
    path.write_text("12345\n")

    assert 0 == holder(path)


def test_a_longer_pid_that_was_left_does_not_show_through(path: Path) -> None:
    path.write_text("999999999999\n")

    Lock(path, "The broker").take()

    assert f"{os.getpid()}\n" == path.read_text()


def test_without_a_file_it_is_free(path: Path) -> None:
    assert 0 == holder(path)


def test_releasing_what_is_not_held_does_nothing(path: Path) -> None:
    Lock(path, "The broker").release()

    assert not path.exists()


def test_a_process_that_only_looks_is_not_taken_for_the_holder(path: Path) -> None:
    path.write_text("12345\n")
    with path.open() as looking:
        fcntl.flock(looking, fcntl.LOCK_SH)

        assert 0 == holder(path)


def test_taking_it_waits_out_a_process_that_only_looks(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gasoline_broker.lock.LOOK_S", 10.0)  # a busy machine is late with the timer
    looking = path.open("w")
    fcntl.flock(looking, fcntl.LOCK_SH)
    left = threading.Timer(0.01, looking.close)
    left.start()

    Lock(path, "The broker").take()

    left.join()
    assert os.getpid() == holder(path)


def test_the_file_is_the_users_alone(path: Path) -> None:
    before = os.umask(0)
    try:
        Lock(path, "The broker").take()
    finally:
        os.umask(before)

    assert 0o600 == stat.S_IMODE(path.stat().st_mode)


def test_who_finds_it_held_learns_the_notes_too(path: Path) -> None:
    Lock(path, "The broker", "/a folder", "/another").take()

    assert Holder(os.getpid(), ("/a folder", "/another")) == held(path)


@pytest.mark.requirement("faults-014")
def test_one_whose_file_was_deleted_is_taken_again_and_found(path: Path) -> None:
    lock = Lock(path, "The broker")
    lock.take()
    before = lock.is_lost
    path.unlink()
    after = lock.is_lost

    lock.take_again()

    assert (False, True, False) == (before, after, lock.is_lost)
    assert os.getpid() == holder(path)


def test_one_whose_place_another_has_taken_is_not_taken_from_it(path: Path) -> None:
    lock = Lock(path, "The broker")
    lock.take()
    path.unlink()
    other = Lock(path, "The broker")
    other.take()

    with pytest.raises(AlreadyRunning):
        lock.take_again()

    assert (True, False) == (lock.is_lost, other.is_lost)
