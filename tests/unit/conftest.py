"""Closes the database files that a test of one part has opened."""

import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def closed_databases(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close what a test has left open: Python 3.13 warns of each at some later moment, in whatever test that is."""
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def noted(*arguments: Any, **named: Any) -> sqlite3.Connection:
        opened.append(connect(*arguments, **named))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", noted)
    yield
    for one in opened:
        one.close()
