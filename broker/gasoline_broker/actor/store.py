"""A SQLite file that stores the effect and the id of a message in one transaction, so that repeating it is harmless.

Rules of this file:
- An answer is sent after its commit, and a commit is on the disk (WAL, synchronous FULL): what was acknowledged is
  there after a kill -9, and after a power cut.
- A stop that comes again gets the same answer, from the row that was written with its effect. What has a key of its
  own (a chunk of events) is stored once, regardless of the stop that brings it.
- What cannot be written is not acknowledged: a full disk, a lock that is held for 2 s and a folder that is read-only
  are failures with that text.
- A damaged file ends its process, unless its content is `disposable`: then it is moved aside, and an empty one begun.
"""

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
import structlog

from gasoline_broker.actor.client import Answer, Step
from gasoline_broker.actor.wire import pack
from gasoline_broker.errors import CannotStart, Damaged, Failed, Failure

logger = structlog.get_logger()

BUSY_S = 2.0
LOG_BYTES = 8_000_000  # of the write-ahead log on the disk, after it was copied into the file
DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
CUT_SHORT = {sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS}  # the file, or its log, has lost its end
REMEMBERED = 10_000  # answers, the last ones: an ask is sent again within its deadline, or never
MEMORY = """
    CREATE TABLE IF NOT EXISTS answered (
        seq INTEGER PRIMARY KEY, id BLOB NOT NULL, position INTEGER NOT NULL, answer BLOB NOT NULL,
        UNIQUE (id, position)
    ) STRICT
"""

UNWRITTEN = "Nothing was stored"
UNREAD = "The file cannot be used just now"
UNFINISHED = "Something of what was deleted may still be on the disk"

Done = TypeVar("Done")


class Store:
    """One file, which processes take turns to write; each uses it from one thread at a time.

    `schema`: the statements that make what is missing of the tables, apart by semicolons; `version`: of these tables.
    `remembered`: how many of the last answers and keys are known; `disposable`: whether a damaged file is replaced.
    """

    def __init__(
        self, path: Path, schema: str, version: int = 1, remembered: int = REMEMBERED, *, disposable: bool = False
    ) -> None:
        self._path = path
        self._schema = schema
        self._version = version
        self._remembered = remembered
        self._disposable = disposable

    def open(self) -> bool:
        """Open the file, or create it (0600). Return whether it had to replace a damaged one.

        Raises:
            CannotStart: it is no file of ours, cannot be read, or is of a newer version.

        """
        try:
            try:
                self._begin()
            except sqlite3.DatabaseError as fault:
                if not (self._disposable and _is_damage(fault)):
                    raise
                self.renew()
                return True
        except (OSError, sqlite3.Error) as fault:
            raise CannotStart(f"{self._path} cannot be used: {fault}.") from None
        return False

    def renew(self) -> None:
        """Move the file aside, in place of an earlier one there, and begin an empty one.

        Raises:
            OSError: it cannot be moved.
            sqlite3.Error: nor can another be begun.

        """
        self.close()
        aside = f"{self._path.name}.broken-"
        for earlier in self._path.parent.glob(f"{aside}*"):
            earlier.unlink(missing_ok=True)
        name = f"{aside}{int(time.time())}"
        for end in ("", "-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                self._path.with_name(self._path.name + end).rename(self._path.with_name(name + end))
        logger.warning("file_set_aside", file=self._path.name, to=name)
        self._begin()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def once(self, step: Step, do: Callable[[sqlite3.Connection], msgspec.Struct]) -> Answer:
        """Run `do` and remember its answer, both or nothing; for a stop that ran before, return that answer.

        Raises:
            Failed: `store_failed`: it did not run, and what to do about it.

        """
        key, position = step.envelope.id, step.envelope.position
        with self.transaction() as connection:
            before = self._answer(key, position)
            if before is not None:
                return Answer(before)
            answer = pack(do(connection))
            self._remember([key], position, answer)
        return Answer(answer)

    def each_once(self, keys: Sequence[str], do: Callable[[sqlite3.Connection, list[int]], Done]) -> Done:
        """Run `do` with the places of the keys that are new, and remember these keys with it.

        Raises:
            Failed: `store_failed`: it did not run, and what to do about it.

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
            Damaged: the file is.

        """
        with self._translated(UNFINISHED):
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def shrink(self) -> None:
        """Return the room of what was deleted to the disk.

        Raises:
            Failed: `store_failed`.
            Damaged: the file is.

        """
        with self._translated(UNFINISHED):
            self._connection.executescript("PRAGMA incremental_vacuum")  # `execute` would give back one page

    def read(self) -> sqlite3.Connection:
        """Return the connection, for reading."""
        return self._connection

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Return the connection, for reading, and translate its faults.

        Raises:
            Failed: `store_failed`: it cannot be read now.
            Damaged: the file is.

        """
        with self._translated(UNREAD):
            yield self._connection

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Run a transaction: all of it or nothing.

        Raises:
            Failed: `store_failed`: it did not run, and what to do about it.
            Damaged: the file is.

        """
        connection = self._connection
        with self._translated(UNWRITTEN):
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):  # a full disk has ended it already
                    connection.execute("ROLLBACK")
                raise

    @contextlib.contextmanager
    def _translated(self, what: str) -> Iterator[None]:
        """Translate a fault of SQLite into a Failed that begins with `what`, or a Damaged."""
        try:
            yield
        except sqlite3.DatabaseError as fault:
            if _is_damage(fault):
                raise Damaged(f"{self._path.name}: {fault}") from None
            recovery = f"Check the disk of {self._path.parent} (space, rights), then call again."
            raise Failed(Failure("store_failed", f"{what}: {self._path.name}: {fault}.", recovery)) from None

    def _begin(self) -> None:
        self._path.touch(mode=0o600)
        self._connection = sqlite3.connect(self._path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
        self._connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # of a new file: not after its first page
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
        self._check_version()
        self._connection.executescript(f"{MEMORY};{self._schema};PRAGMA user_version = {self._version}")

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


def _is_damage(fault: sqlite3.Error) -> bool:
    code: int = getattr(fault, "sqlite_errorcode", 0)  # some that Python raises itself have none
    return (
        code & 0xFF in DAMAGE or code in CUT_SHORT or "Could not decode to UTF-8" in str(fault)
    )  # an extended code also has the place
