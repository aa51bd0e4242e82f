"""The log of a system in the background is set aside when it is large, and three old ones are kept."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from gasoline_broker.supervisor.log_file import KEPT, LogFile


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "gasoline.log"


@pytest.fixture
def fd(path: Path) -> Iterator[int]:
    opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    yield opened
    os.close(opened)


@pytest.mark.requirement("faults-018")
def test_a_large_one_is_set_aside_and_what_follows_is_in_a_new_one(path: Path, fd: int) -> None:
    log = LogFile(path, fd, most_bytes=10)
    for number in range(KEPT + 3):
        os.write(fd, f"{number}".encode() * 11)
        log.rotate()
    os.write(fd, b"new")

    assert ["gasoline.log", *(f"gasoline.log.{number}" for number in range(1, KEPT + 1))] == sorted(
        file.name for file in path.parent.iterdir()
    )
    assert b"new" == path.read_bytes()
    assert [b"5", b"4", b"3"] == [path.with_name(f"{path.name}.{number}").read_bytes()[:1] for number in (1, 2, 3)]
    assert 0o600 == path.stat().st_mode & 0o777


def test_a_small_one_stays(path: Path, fd: int) -> None:
    os.write(fd, b"0123456789")

    LogFile(path, fd, most_bytes=10).rotate()

    assert [path] == [*path.parent.iterdir()]


def test_one_that_was_deleted_is_begun_again(path: Path, fd: int) -> None:
    log = LogFile(path, fd)
    path.unlink()

    log.rotate()
    os.write(fd, b"new")

    assert b"new" == path.read_bytes()


def test_what_is_written_elsewhere_is_left_alone(path: Path, fd: int, tmp_path: Path) -> None:
    os.write(fd, b"0123456789+")
    other = LogFile(tmp_path / "other.log", fd, most_bytes=10)

    other.rotate()

    assert [path] == [*path.parent.iterdir()]
