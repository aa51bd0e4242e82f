"""Keeps baselines in a SQLite file, one a name; several processes may use it.

Rules of this file:
- A baseline is stored compressed, with the checksum that zlib adds: one that was damaged is no baseline.
- What a message does is remembered with it: given again, it does nothing and has the same answer.
- A damaged file is set aside, and an empty one begun.
- The pictures that a baseline or its last compare needs are in a table of their own: a damaged baseline has them too.
- The history of a baseline goes on when it is replaced, and ends when it is deleted.
"""

import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NoReturn, TypeVar

import msgspec

from gasoline_broker.actor.client import Answer, Step
from gasoline_broker.actor.shared_store import SharedStore
from gasoline_broker.errors import fail
from gasoline_workers.regression import approval, history
from gasoline_workers.regression.kept import Kept, LastCompared, shown
from gasoline_workers.regression.messages import (
    Baseline,
    BaselineApproved,
    BaselineCompared,
    BaselineDeleted,
    BaselineMade,
    BaselineRead,
    BaselinesImported,
    HistoryEntry,
    HistoryRead,
)

SCHEMA = """
    CREATE TABLE IF NOT EXISTS baselines (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, content BLOB NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS compared (name TEXT NOT NULL PRIMARY KEY, content BLOB NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS held (name TEXT NOT NULL, picture TEXT NOT NULL, PRIMARY KEY (name, picture)) STRICT;
    CREATE TABLE IF NOT EXISTS history (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, at REAL NOT NULL, content BLOB NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS history_of_one ON history (name, seq)
"""
REPLACE = "INSERT OR REPLACE INTO baselines (name, content) VALUES (?, ?)"
KEEP_COMPARED = "INSERT OR REPLACE INTO compared (name, content) VALUES (?, ?)"
FORGET_COMPARED = "DELETE FROM compared WHERE name = ?"
CONTENT = "SELECT content FROM baselines WHERE name = ?"
COMPARED = "SELECT content FROM compared WHERE name = ?"
HISTORY = "INSERT INTO history (name, at, content) VALUES (?, ?, ?)"
FORGET_OLD = "DELETE FROM history WHERE at < ?"
FORGET_MANY = """DELETE FROM history WHERE name = :name AND seq <= (
    SELECT seq FROM history WHERE name = :name ORDER BY seq DESC LIMIT 1 OFFSET :kept)"""
FORGET_FIRST = "DELETE FROM history WHERE seq <= (SELECT seq FROM history ORDER BY seq DESC LIMIT 1 OFFSET ?)"
MAKE = 'Make it: analyze(action:"regression", scope:"baseline").'
NAMES = 20  # that exist, in an error

T = TypeVar("T")


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

        def write(rows: sqlite3.Connection) -> BaselineMade:
            former, dropped = _replace(rows, kept)
            return BaselineMade(
                status="partial" if warnings else "success",
                action="regression",
                scope="baseline",
                baseline=shown(kept),
                replaced=former,
                warnings=warnings,
                dropped=dropped,
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
        if (kept := _read(found[0], Kept)) is None:
            recovery = "Make it again by the same name; analyze(regression, delete) removes it."
            fail("store_failed", f"The baseline {name!r} was damaged on the disk.", recovery, name=name)
        return kept

    def put_compared(self, step: Step, last: LastCompared) -> Answer:
        """Keep what was compared with a baseline, in the place of what was before, and add it to the history.

        Raises:
            Failed: `store_failed`.

        """
        answer, name = last.answer, last.answer.baseline.name
        content = _packed(last)

        def write(rows: sqlite3.Connection) -> BaselineCompared:
            former = rows.execute(CONTENT, (name,)).fetchone()
            rows.execute(KEEP_COMPARED, (name, content))
            if last.state is not None:
                _note(rows, name, history.compared(answer, last.state, last.at))
            return msgspec.structs.replace(answer, dropped=_hold(rows, name, (*_pictures(former), *last.pictures.ids)))

        return self._store.rows.once(step, write)

    def approve(self, step: Step, name: str, at: str) -> Answer:
        """Make what the last compare judged as changed the baseline; asked again, answer as before.

        Raises:
            Failed: `not_found`: there is no such baseline, or no compare to approve; `store_failed`.

        """
        kept = self.find(name)

        def write(rows: sqlite3.Connection) -> BaselineApproved:
            found = rows.execute(COMPARED, (name,)).fetchone()
            last = _read(found[0], LastCompared) if found else None
            if last is None or last.state is None:
                text = f"There is no compare with the baseline {name!r} to approve."
                fail("not_found", text, "`gasoline check URL` makes one.", name=name)
            if last.approved:
                return msgspec.structs.replace(last.approved, is_repeated=True)
            approved, answer = approval.approve(kept, last, last.state)
            if not answer.parts:
                return answer
            rows.execute("UPDATE baselines SET content = ? WHERE name = ?", (_packed(approved), name))
            rows.execute(KEEP_COMPARED, (name, _packed(msgspec.structs.replace(last, approved=answer))))
            _note(rows, name, history.approved(answer, at))
            return msgspec.structs.replace(answer, dropped=_hold(rows, name, approved.pictures.ids))

        return self._store.rows.once(step, write)

    def put_all(self, step: Step, baselines: Sequence[Kept]) -> Answer:
        """Keep baselines in the places of those of the same names, all or none.

        Raises:
            Failed: `store_failed`.

        """

        def write(rows: sqlite3.Connection) -> BaselinesImported:
            dropped = [one for kept in baselines for one in _replace(rows, kept)[1]]
            return BaselinesImported([kept.name for kept in baselines], tuple(dropped))

        return self._store.rows.once(step, write)

    def history(self, name: str) -> HistoryRead:
        """Return what became of a baseline.

        Raises:
            Failed: `not_found`, with the names that there are; `store_failed`: it was damaged.

        """
        kept = self.find(name)
        with self._store.rows.reading() as rows:
            found = rows.execute("SELECT content FROM history WHERE name = ? ORDER BY seq", (name,)).fetchall()
        read = [_read(content, HistoryEntry) for (content,) in found]
        return HistoryRead(name, kept.state.loads.url, [one for one in read if one is not None])

    def read(self, name: str) -> BaselineRead:
        """Return a baseline with its loads, and what was last compared with it.

        Raises:
            Failed: `not_found`, with the names that there are; `store_failed`: it was damaged.

        """
        kept = self.find(name)
        with self._store.rows.reading() as rows:
            found = rows.execute(COMPARED, (name,)).fetchone()
        last = _read(found[0], LastCompared) if found else None
        loads = kept.state.loads.metrics
        return BaselineRead(shown(kept), loads, last.answer, last.metrics) if last else BaselineRead(shown(kept), loads)

    def list(self) -> list[Baseline]:
        """Return the baselines, the newest first; of a damaged one only its name."""
        with self._store.rows.reading() as rows:
            found = rows.execute("SELECT name, content FROM baselines ORDER BY seq DESC").fetchall()
        return [_shown(name, content) for name, content in found]

    def held(self) -> frozenset[str]:
        """Return the pictures that a baseline or its last compare needs."""
        with self._store.rows.reading() as rows:
            noted = {one for (one,) in rows.execute("SELECT picture FROM held")}
            found = rows.execute("SELECT content FROM baselines").fetchall()
        return frozenset(noted.union(*map(_pictures, found)))

    def delete(self, step: Step, name: str) -> Answer:
        """Forget a baseline.

        Raises:
            Failed: `not_found`, with the names that there are; `store_failed`.

        """

        def remove(rows: sqlite3.Connection) -> BaselineDeleted:
            former = rows.execute(CONTENT, (name,)).fetchone()
            if not rows.execute("DELETE FROM baselines WHERE name = ?", (name,)).rowcount:
                self._fail_unknown(name)
            rows.execute(FORGET_COMPARED, (name,))
            rows.execute("DELETE FROM history WHERE name = ?", (name,))
            return BaselineDeleted(success=True, name=name, dropped=_hold(rows, name, (), _pictures(former)))

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


def _replace(rows: sqlite3.Connection, kept: Kept) -> tuple[bool, tuple[str, ...]]:
    """Keep a baseline. Return whether there was one of its name, and the pictures that nothing needs any more."""
    former = rows.execute(CONTENT, (kept.name,)).fetchone()
    rows.execute(REPLACE, (kept.name, _packed(kept)))
    rows.execute(FORGET_COMPARED, (kept.name,))
    _note(rows, kept.name, history.made(kept))
    return former is not None, _hold(rows, kept.name, kept.pictures.ids, _pictures(former))


def _note(rows: sqlite3.Connection, name: str, entry: HistoryEntry) -> None:
    """Add an entry to the history, and forget what is too old or too much."""
    now = time.time()
    rows.execute(HISTORY, (name, now, _packed(entry)))
    rows.execute(FORGET_OLD, (now - history.AGE_S,))
    rows.execute(FORGET_MANY, {"name": name, "kept": history.PER_BASELINE})
    rows.execute(FORGET_FIRST, (history.ALL,))


def _hold(rows: sqlite3.Connection, name: str, pictures: Sequence[str], earlier: Iterable[str] = ()) -> tuple[str, ...]:
    """Note which pictures a name needs. Return those that it needed, and no longer does.

    `earlier`: of a baseline that an earlier version kept, which noted none.
    """
    held = [one for (one,) in rows.execute("SELECT picture FROM held WHERE name = ? ORDER BY rowid", (name,))]
    rows.execute("DELETE FROM held WHERE name = ?", (name,))
    rows.executemany("INSERT OR IGNORE INTO held VALUES (?, ?)", [(name, one) for one in pictures])
    return tuple(one for one in dict.fromkeys([*held, *earlier]) if one not in pictures)


def _packed(one: msgspec.Struct) -> bytes:
    return zlib.compress(msgspec.msgpack.encode(one))


def _pictures(former: tuple[bytes] | None) -> tuple[str, ...]:
    """Return the pictures of a baseline, none if it is damaged."""
    kept = _read(former[0], Kept) if former else None
    return kept.pictures.ids if kept else ()


def _read(content: bytes, kind: type[T]) -> T | None:
    try:
        return msgspec.msgpack.decode(zlib.decompress(content), type=kind)
    except (zlib.error, msgspec.MsgspecError):
        return None


def _shown(name: str, content: bytes) -> Baseline:
    kept = _read(content, Kept)
    return shown(kept) if kept is not None else Baseline(name, "", "", 0, "", (0, 0), 0, "", damaged=True)
