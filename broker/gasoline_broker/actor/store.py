"""A SQLite file that stores the effect and the id of a message in one transaction, so that repeating it is harmless.

Rules of this file:
- An answer is sent after its commit, and a commit is on the disk (WAL, synchronous FULL): what was acknowledged is
  there after a kill -9, and after a power cut.
- A stop that comes again gets the same answer, from the row that was written with its effect. What has a key of its
  own (a chunk of events) is stored once, regardless of the stop that brings it.
- What cannot be written is not acknowledged: a full disk, a lock that another process holds and a folder that is
  read-only are failures that name the file, its disk and the space left there.
- A damaged file ends its process, unless its content is `disposable`: then it is moved aside, and an empty one begun.
  A table with other columns than ours, and a file that was deleted while it is open, count as damage.
"""

import contextlib
import re
import shutil
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

TABLE = re.compile(r"CREATE TABLE IF NOT EXISTS (\w+)")

UNWRITTEN = "Nothing was stored"
UNREAD = "The file cannot be used just now"
UNFINISHED = "Something of what was deleted may still be on the disk"

Done = TypeVar("Done")


class Store:
    """One file, which processes take turns to write; each uses it from one thread at a time.

    `schema`: the statements that make what is missing of the tables, apart by semicolons; `version`: of these tables.
    `remembered`: how many of the last answers and keys are known; `disposable`: whether a damaged file is replaced.
    `busy_s`: how long a lock of another process is waited for.
    """

    def __init__(
        self,
        path: Path,
        schema: str,
        version: int = 1,
        remembered: int = REMEMBERED,
        *,
        disposable: bool = False,
        busy_s: float = BUSY_S,
    ) -> None:
        self._path = path
        self._busy_s = busy_s
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
            return self._open()
        except (OSError, sqlite3.Error, Damaged) as fault:
            raise CannotStart(f"{self._path} cannot be used: {fault}.") from None

    def try_open(self) -> bool:
        """Open the file as `open` does, for a process that goes on without it.

        Raises:
            Failed: `store_failed`: it cannot be used now.
            CannotStart: it is of a newer version.

        """
        try:
            return self._open()
        except (OSError, sqlite3.Error, Damaged) as fault:
            raise Failed(self._failure(UNREAD, fault)) from None

    def replace(self) -> None:
        """Begin an empty file as `renew` does, for a process that goes on without it.

        Raises:
            Failed: `store_failed`: it cannot be begun now.

        """
        try:
            self.renew()
        except (OSError, sqlite3.Error) as fault:
            raise Failed(self._failure(UNREAD, fault)) from None

    def _open(self) -> bool:
        try:
            self._begin()
        except (sqlite3.DatabaseError, Damaged) as fault:
            if not (self._disposable and (isinstance(fault, Damaged) or _is_damage(fault))):
                raise
            self.renew()
            return True
        return False

    @property
    def is_lost(self) -> bool:
        """Whether the open file was deleted, or another one has taken its place."""
        try:
            return self._path.stat().st_ino != self._inode
        except (FileNotFoundError, NotADirectoryError):
            return True
        except OSError:  # of the disk, which the next statement reports
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
            raise Failed(self._failure(what, fault)) from None

    def _failure(self, what: str, fault: Exception) -> Failure:
        return file_failure(self._path, what, fault)

    def _begin(self) -> None:
        self._path.touch(mode=0o600)
        self._inode = self._path.stat().st_ino
        self._connection = sqlite3.connect(
            self._path, timeout=self._busy_s, isolation_level=None, check_same_thread=False
        )
        try:
            self._set_up()
        except BaseException:
            self._connection.close()
            raise

    def _set_up(self) -> None:
        self._connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # of a new file: not after its first page
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
        self._check_version()
        schema = f"{MEMORY};{self._schema}"
        self._check_columns(schema)
        self._connection.executescript(schema)

    def _check_columns(self, schema: str) -> None:
        """Compare the tables that are there with those that the schema makes.

        Raises:
            Damaged: a table has other columns, which the statements for it would not meet.

        """
        ours = sqlite3.connect(":memory:")
        try:
            ours.executescript(schema)
            for table in TABLE.findall(schema):
                if _columns(self._connection, table) not in ([], _columns(ours, table)):
                    raise Damaged(f"its table {table} has unknown columns")
        finally:
            ours.close()

    def _check_version(self) -> None:
        (found,) = self._connection.execute("PRAGMA user_version").fetchone()
        if found > self._version:
            text = f"{self._path} was written by a newer Gasoline (version {found} of the file; this one reads"
            raise CannotStart(f"{text} {self._version}): install that one, or move the file away.")
        if found != self._version:  # a write, which a full disk refuses
            self._connection.execute(f"PRAGMA user_version = {self._version}")

    def _answer(self, key: bytes, position: int) -> bytes | None:
        found = self._connection.execute("SELECT answer FROM answered WHERE id = ? AND position = ?", (key, position))
        row = found.fetchone()
        return None if row is None else bytes(row[0])

    def _remember(self, keys: Sequence[bytes], position: int, answer: bytes) -> None:
        insert = "INSERT INTO answered (id, position, answer) VALUES (?, ?, ?)"
        self._connection.executemany(insert, [(key, position, answer) for key in keys])
        (last,) = self._connection.execute("SELECT max(seq) FROM answered").fetchone()
        self._connection.execute("DELETE FROM answered WHERE seq <= ?", ((last or 0) - self._remembered,))


def file_failure(path: Path, what: str, fault: Exception) -> Failure:
    """State which file fails, on which disk, and how much space that has."""
    recovery = f"Check the disk of {path.parent} (space, rights), then call again."
    reason = fault.strerror if isinstance(fault, OSError) and fault.strerror else str(fault)
    disk, free_bytes = _disk(path)
    text = f"{what}: {path.name}: {reason}."
    return Failure("store_failed", text, recovery, {"file": str(path), "disk": disk, "free_bytes": free_bytes})


def _columns(connection: sqlite3.Connection, table: str) -> list[tuple[str, str]]:
    return connection.execute("SELECT name, type FROM pragma_table_info(?) ORDER BY cid", (table,)).fetchall()


def _disk(path: Path) -> tuple[str, int]:
    """Return where the disk of a file is mounted, and its free space, in bytes: 0 where both are unknown."""
    folder = next((one for one in path.absolute().parents if one.is_dir()), Path("/"))
    mount = next((one for one in (folder, *folder.parents) if one.is_mount()), folder)
    try:
        return str(mount), shutil.disk_usage(folder).free
    except OSError:
        return str(mount), 0


def _is_damage(fault: sqlite3.Error) -> bool:
    code: int = getattr(fault, "sqlite_errorcode", 0)  # some that Python raises itself have none
    return (
        code & 0xFF in DAMAGE or code in CUT_SHORT or "Could not decode to UTF-8" in str(fault)
    )  # an extended code also has the place
