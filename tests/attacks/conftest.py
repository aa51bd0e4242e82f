"""One running system for all attacks: none of them may end it, or leave anything to the next one."""

from collections.abc import Iterator

import pytest

import system
from gasoline_broker.settings import Settings


@pytest.fixture(scope="session")
def settings() -> Iterator[Settings]:
    with system.settings() as made, system.running(made) as up:
        yield up
