"""A plugin of pytest for mutants: a law that a mutant breaks is broken, whatever its smallest example.

What functions remember is forgotten before each test, or a test would run less than it tests. Short tests run first:
most mutants are dead before a long one begins.
"""

import functools
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings

PACKAGES = ("gasoline_broker", "gasoline_workers", "gasoline_bridge")
TIMES = Path("mutmut-stats.json")  # of the run on the code itself


def pytest_configure() -> None:
    settings.register_profile(
        "mutants", settings.get_profile("repeatable"), phases=[Phase.explicit, Phase.generate], max_examples=25
    )
    settings.load_profile("mutants")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    times = json.loads(TIMES.read_text())["duration_by_test"] if TIMES.exists() else {}
    items.sort(key=lambda item: times.get(item.nodeid, 0.0))


@pytest.fixture(autouse=True)
def _forget() -> None:
    for function in _remembering():
        function.cache_clear()


def _remembering() -> Iterator[Any]:
    for name, module in tuple(sys.modules.items()):
        if name.partition(".")[0] in PACKAGES:
            yield from (one for one in vars(module).values() if isinstance(one, functools._lru_cache_wrapper))
