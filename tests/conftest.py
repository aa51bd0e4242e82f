"""Marks every test by the folder that it stands in, and makes property tests repeatable: a run says the same twice."""

from pathlib import Path

import pytest
from hypothesis import settings

TESTS = Path(__file__).parent
MARKED = {"unit", "process", "browser"}

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        folder, *inner = item.path.relative_to(TESTS).parts if item.path.is_relative_to(TESTS) else ("",)
        if folder in MARKED:
            item.add_marker(folder)
        one = folder in {"sim", "unit"} or (folder == "browser" and inner[0] == "extension")  # about half of the time
        item.add_marker(pytest.mark.xdist_group("one" if one else "other"))
