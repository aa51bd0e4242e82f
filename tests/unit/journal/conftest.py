"""Gives each test a journal of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from unit.journal.diary import Diary


@pytest.fixture
def diary(tmp_path: Path) -> Iterator[Diary]:
    made = Diary(tmp_path)
    yield made
    made.file.close()
