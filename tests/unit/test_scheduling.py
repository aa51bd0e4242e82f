"""The files of a run go where what they need is started already."""

from pathlib import Path

import pytest

from scheduling import BUSY, LONGEST, ROOT, needs, next_file

TESTS = Path(__file__).parents[1]
FILES = [
    (name, frozenset(needed.split()))
    for name, needed in (("extension", "a"), ("nothing", ""), ("other", "b"), ("again", "b"))
]


@pytest.mark.parametrize(
    ("mine", "theirs", "chosen"),
    [("", "", "extension"), ("b", "a", "other"), ("", "a", "other"), ("", "a b", "nothing"), ("a b", "", "extension")],
)
def test_a_file_goes_where_least_is_started_for_it(mine: str, theirs: str, chosen: str) -> None:
    assert chosen == next_file(FILES, set(mine.split()), [set(theirs.split())])


def test_the_longest_files_come_first() -> None:
    files = [*FILES, *((name, frozenset("c")) for name in reversed(LONGEST))]

    assert LONGEST[0] == next_file(files, {"a"}, [])
    assert all((ROOT / name).is_file() for name in LONGEST)


@pytest.mark.parametrize(
    ("mine", "busy", "idle", "chosen"),
    [
        ("", 0, 3, "busy"),
        ("", 1, 2, "busy"),
        ("", 2, 1, "long"),
        (BUSY, 1, 2, "busy"),
        ("", 1, 1, "long"),
        ("", 0, 0, "long"),
    ],
)
def test_half_of_the_processes_begin_with_what_keeps_the_processor_busy(
    mine: str, busy: int, idle: int, chosen: str
) -> None:
    files = [(LONGEST[0], frozenset("c")), ("extension", frozenset([BUSY]))]
    others = [{BUSY}] * busy + [set[str]()] * idle

    assert {"busy": "extension", "long": LONGEST[0]}[chosen] == next_file(files, set(mine.split()), others)


def test_what_is_left_is_shared_though_it_is_started_again() -> None:
    assert "extension" == next_file(FILES[:1], set(), [{"a"}])


def test_what_a_file_needs_is_read_from_its_tests() -> None:
    assert {"extension"} == needs(TESTS / "browser" / "extension" / "test_listed.py")
    assert {"relay"} <= needs(TESTS / "browser" / "extension" / "test_capture_worker.py")
    assert set() == needs(Path(__file__))
