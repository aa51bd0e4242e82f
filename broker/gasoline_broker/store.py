"""A SQLite file in which what a message does and the message's id are one transaction: given twice, it is done once.

Rules of this file:
- An answer is given after its commit, and a commit is on the disk (WAL, synchronous FULL): what was acknowledged is
  there after a kill -9, and after a power cut.
- A stop that comes again is answered as it was, from the row that was written with its effect.
- What cannot be written is not acknowledged: a full disk, a lock that is held for 2 s and a folder that is read-only
  are failures that say so.
"""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

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


class Store:
    """One file, which processes take turns to write; each uses it from one thread at a time.

    `schema`: the statements that make what is missing of the tables, apart by semicolons.
    """

    def __init__(self, path: Path, schema: str) -> None:
        self._path = path
        self._schema = schema

    def open(self) -> None:
        """Open the file, or make it (0600).

        Raises:
            CannotStart: it is no file of ours, or cannot be read.

        """
        try:
            self._path.touch(mode=0o600)
            self._connection = sqlite3.connect(
                self._path, timeout=BUSY_S, isolation_level=None, check_same_thread=False
            )
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.executescript(f"{MEMORY};{self._schema}")
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
        spot = given.envelope.id, given.envelope.position
        with self._transaction() as connection:
            before = connection.execute("SELECT answer FROM answered WHERE id = ? AND position = ?", spot).fetchone()
            if before is not None:
                return Answer(before[0])
            answer = pack(do(connection))
            row = connection.execute("INSERT INTO answered (id, position, answer) VALUES (?, ?, ?)", (*spot, answer))
            connection.execute("DELETE FROM answered WHERE seq <= ?", ((row.lastrowid or 0) - REMEMBERED,))
        return Answer(answer)

    def read(self) -> sqlite3.Connection:
        """Give the connection, to read by."""
        return self._connection

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
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


def _why(path: Path, fault: sqlite3.Error) -> Failure:
    text = f"Nothing was stored: {path.name}: {fault}."
    return Failure("store_failed", text, f"See to the disk of {path.parent} (space, rights), then call again.")
