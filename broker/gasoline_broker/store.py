"""A SQLite file in which what a message does and the message's id are one transaction: given twice, it is done once.

Rules of this file:
- An answer is given after its commit, and a commit is on the disk (WAL, synchronous FULL): what was acknowledged is
  there after a kill -9, and after a power cut.
- A stop that comes again is answered as it was, from the row that was written with its effect. What has a key of its
  own (a chunk of events) is done once whichever stop brings it.
- What cannot be written is not acknowledged: a full disk, a lock that is held for 2 s and a folder that is read-only
  are failures that say so.
"""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from gasoline_broker.client import Answer, Given
from gasoline_broker.errors import CannotStart, Failed, Failure
from gasoline_broker.wire import pack

BUSY_S = 2.0
REMEMBERED = 10_000  # answers, the last ones: an ask is sent again within its deadline, or never
MEMORY = """
    CREATE TABLE IF NOT EXISTS answered (
        seq INTEGER PRIMARY KEY, id BLOB NOT NULL, position INTEGER NOT NULL, answer BLOB NOT NULL,
        UNIQUE (id, position)
    ) STRICT
"""

Done = TypeVar("Done")


class Store:
    """One file, which processes take turns to write; each uses it from one thread at a time.

    `schema`: the statements that make what is missing of the tables, apart by semicolons; `version`: of these tables.
    `remembered`: how many of the last answers and keys are known.
    """

    def __init__(self, path: Path, schema: str, version: int = 1, remembered: int = REMEMBERED) -> None:
        self._path = path
        self._schema = schema
        self._version = version
        self._remembered = remembered

    def open(self) -> None:
        """Open the file, or make it (0600).

        Raises:
            CannotStart: it is no file of ours, cannot be read, or is of a newer version.

        """
        try:
            self._path.touch(mode=0o600)
            self._connection = sqlite3.connect(
                self._path, timeout=BUSY_S, isolation_level=None, check_same_thread=False
            )
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            self._check_version()
            self._connection.executescript(f"{MEMORY};{self._schema};PRAGMA user_version = {self._version}")
        except (OSError, sqlite3.Error) as fault:
            raise CannotStart(f"{self._path} cannot be used: {fault}.") from None

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def once(self, given: Given, do: Callable[[sqlite3.Connection], msgspec.Struct]) -> Answer:
        """Do it and remember its answer, both or nothing; for a stop that was done before, give that answer.

        Raises:
            Failed: `store_failed`: it was not done, and what to do about it.

        """
        key, position = given.envelope.id, given.envelope.position
        with self.transaction() as connection:
            before = self._answer(key, position)
            if before is not None:
                return Answer(before)
            answer = pack(do(connection))
            self._remember([key], position, answer)
        return Answer(answer)

    def each_once(self, keys: Sequence[str], do: Callable[[sqlite3.Connection, list[int]], Done]) -> Done:
        """Do it for the keys that nobody has brought before, given by their places, and remember these with it.

        Raises:
            Failed: `store_failed`: it was not done, and what to do about it.

        """
        with self.transaction() as connection:
            first = {key: place for place, key in reversed(list(enumerate(keys)))}
            new = sorted(place for key, place in first.items() if self._answer(key.encode(), 0) is None)
            done = do(connection, new)
            self._remember([keys[place].encode() for place in new], 0, b"")
        return done

    def vacuum(self) -> None:
        """Leave nothing on the disk of what was deleted.

        Raises:
            Failed: `store_failed`: some of it may still be there.

        """
        try:
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as fault:
            raise Failed(_why(self._path, fault)) from None

    def read(self) -> sqlite3.Connection:
        """Give the connection, to read by."""
        return self._connection

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Do all of it or nothing.

        Raises:
            Failed: `store_failed`: it was not done, and what to do about it.

        """
        connection = self._connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")
        except BaseException as fault:
            with contextlib.suppress(sqlite3.Error):  # a full disk has ended it already
                connection.execute("ROLLBACK")
            if isinstance(fault, sqlite3.OperationalError | sqlite3.DatabaseError):
                raise Failed(_why(self._path, fault)) from None
            raise

    def _check_version(self) -> None:
        (found,) = self._connection.execute("PRAGMA user_version").fetchone()
        if found > self._version:
            text = f"{self._path} was written by a newer Gasoline (version {found} of the file; this one reads"
            raise CannotStart(f"{text} {self._version}): install that one, or move the file away.")

    def _answer(self, key: bytes, position: int) -> bytes | None:
        found = self._connection.execute("SELECT answer FROM answered WHERE id = ? AND position = ?", (key, position))
        row = found.fetchone()
        return None if row is None else bytes(row[0])

    def _remember(self, keys: Sequence[bytes], position: int, answer: bytes) -> None:
        insert = "INSERT INTO answered (id, position, answer) VALUES (?, ?, ?)"
        self._connection.executemany(insert, [(key, position, answer) for key in keys])
        (last,) = self._connection.execute("SELECT max(seq) FROM answered").fetchone()
        self._connection.execute("DELETE FROM answered WHERE seq <= ?", ((last or 0) - self._remembered,))


def _why(path: Path, fault: sqlite3.Error) -> Failure:
    text = f"Nothing was stored: {path.name}: {fault}."
    return Failure("store_failed", text, f"See to the disk of {path.parent} (space, rights), then call again.")
