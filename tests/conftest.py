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
        item.add_marker(pytest.mark.xdist_group(_group(folder, *inner)))


def _group(folder: str, *inner: str) -> str:
    """Name what runs in one process: each has one browser at a time, and who is ready first takes the short files."""
    if folder in {"browser", "process"}:
        return "extension" if inner[0] == "extension" else "system"
    return "/".join((folder, *inner))
