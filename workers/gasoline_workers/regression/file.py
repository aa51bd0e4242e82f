"""Keeps baselines in a SQLite file, one a name; several processes may use it.

Rules of this file:
- A baseline is stored compressed, with the checksum that zlib adds: one that was damaged is no baseline.
- What a message does is remembered with it: given again, it does nothing and has the same answer.
- A damaged file is set aside, and an empty one begun.
"""

import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import msgspec

from gasoline_broker.actor.client import Answer, Step
from gasoline_broker.actor.shared_store import SharedStore
from gasoline_broker.errors import fail
from gasoline_workers.regression.kept import Kept, shown
from gasoline_workers.regression.messages import (
    Baseline,
    BaselineDeleted,
    BaselineMade,
)

SCHEMA = """
    CREATE TABLE IF NOT EXISTS baselines (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, content BLOB NOT NULL
    ) STRICT
"""
REPLACE = "INSERT OR REPLACE INTO baselines (name, content) VALUES (?, ?)"
CONTENT = "SELECT content FROM baselines WHERE name = ?"
MAKE = 'Make it: analyze(action:"regression", scope:"baseline").'
NAMES = 20  # that exist, in an error


class Baselines:
    """The file of all baselines."""

    def __init__(self, folder: Path) -> None:
        self._store = SharedStore(folder / "baselines.sqlite", SCHEMA, "The baselines cannot be used just now")

    def ready(self) -> None:
        """Open the file, unless it is open.

        Raises:
            Failed: `store_failed`: it cannot be used now.

        """
        self._store.ready()

    def renew(self) -> None:
        """Set a damaged file aside, and begin an empty one."""
        self._store.renew()

    def close(self) -> None:
        """Close the file."""
        self._store.close()

    def put(self, step: Step, kept: Kept, warnings: list[str]) -> Answer:
        """Keep a baseline in the place of one of the same name.

        Raises:
            Failed: `store_failed`.

        """
        content = zlib.compress(msgspec.msgpack.encode(kept))

        def write(rows: sqlite3.Connection) -> BaselineMade:
            former = rows.execute(CONTENT, (kept.name,)).fetchone()
            rows.execute(REPLACE, (kept.name, content))
            return BaselineMade(
                status="partial" if warnings else "success",
                action="regression",
                scope="baseline",
                baseline=shown(kept),
                replaced=former is not None,
                warnings=warnings,
                dropped=tuple(one for one in _pictures(former) if one not in kept.pictures.ids),  # asked again
            )

        return self._store.rows.once(step, write)

    def find(self, name: str) -> Kept:
        """Return a baseline.

        Raises:
            Failed: `not_found`, with the names that there are; `store_failed`: it was damaged.

        """
        with self._store.rows.reading() as rows:
            found = rows.execute(CONTENT, (name,)).fetchone()
        if found is None:
            self._fail_unknown(name)
        if (kept := _read(found[0])) is None:
            recovery = "Make it again by the same name; analyze(regression, delete) removes it."
            fail("store_failed", f"The baseline {name!r} was damaged on the disk.", recovery, name=name)
        return kept

    def list(self) -> list[Baseline]:
        """Return the baselines, the newest first; of a damaged one only its name."""
        with self._store.rows.reading() as rows:
            found = rows.execute("SELECT name, content FROM baselines ORDER BY seq DESC").fetchall()
        return [_shown(name, content) for name, content in found]

    def delete(self, step: Step, name: str) -> Answer:
        """Forget a baseline.

        Raises:
            Failed: `not_found`, with the names that there are; `store_failed`.

        """

        def remove(rows: sqlite3.Connection) -> BaselineDeleted:
            former = rows.execute(CONTENT, (name,)).fetchone()
            if not rows.execute("DELETE FROM baselines WHERE name = ?", (name,)).rowcount:
                self._fail_unknown(name)
            return BaselineDeleted(success=True, name=name, dropped=_pictures(former))

        return self._store.rows.once(step, remove)

    def _fail_unknown(self, name: str) -> NoReturn:
        names = list(self._names())
        there = f"There are: {', '.join(map(repr, names))}." if names else "There is none yet."
        fail("not_found", f"There is no baseline {name!r}. {there}", MAKE, parameter="name", value=name, names=names)

    def _names(self) -> Iterator[str]:
        with self._store.rows.reading() as rows:
            yield from (
                name for (name,) in rows.execute("SELECT name FROM baselines ORDER BY seq DESC LIMIT ?", (NAMES,))
            )


def _pictures(former: tuple[bytes] | None) -> tuple[str, ...]:
    """Return the pictures of a baseline that goes."""
    kept = _read(former[0]) if former else None
    return kept.pictures.ids if kept else ()


def _read(content: bytes) -> Kept | None:
    try:
        return msgspec.msgpack.decode(zlib.decompress(content), type=Kept)
    except (zlib.error, msgspec.MsgspecError):
        return None


def _shown(name: str, content: bytes) -> Baseline:
    kept = _read(content)
    return shown(kept) if kept is not None else Baseline(name, "", "", 0, "", (0, 0), 0, "", damaged=True)
