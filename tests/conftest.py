"""Marks every test by the folder that it stands in: unit, process or browser."""

from pathlib import Path

import pytest

TESTS = Path(__file__).parent
MARKED = {"unit", "process", "browser"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        folder = item.path.relative_to(TESTS).parts[0] if item.path.is_relative_to(TESTS) else ""
        if folder in MARKED:
            item.add_marker(folder)
