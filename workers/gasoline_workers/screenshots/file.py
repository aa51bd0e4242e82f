"""Keeps pictures as files named by their hash, and a SQLite row for each; several processes may use one folder.

Rules of this file:
- The order of a put: temporary file, fsync, rename, fsync of the folder, row, commit, answer. After a kill at any
  moment each row has its whole file; what may be left is a temporary file, or a file without a row.
- Rename and row are inside one write transaction, and so is the removal of a file: what one process removes, no other
  has just taken for its own.
- An id is only ever compared with those of the rows; a path is made of a row's hash, never of an id.
- A damaged index is set aside and an empty one begun; the files stay until somebody prunes.
"""

import contextlib
import hashlib
import os
import re
import secrets
import time
import zlib
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import msgspec

from gasoline_broker.actor.shared_store import SharedStore
from gasoline_broker.actor.store import file_failure
from gasoline_broker.errors import Failed, fail
from gasoline_broker.settings import private_dir
from gasoline_workers.screenshots import png, retention
from gasoline_workers.screenshots.messages import Damage, Picture, Screenshot, ScreenshotsListed, Verified

FILE_MODE = 0o600
TEMPORARY = ".tmp-"
ABANDONED_S = 60.0  # a temporary file that is older belongs to a process that was killed
ID = re.compile(r"[0-9a-f]{16}")
SCHEMA = """
    CREATE TABLE IF NOT EXISTS screenshots (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, sha256 TEXT NOT NULL, pixels TEXT NOT NULL,
        at REAL NOT NULL, size_bytes INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,
        scale REAL NOT NULL, url TEXT NOT NULL, title TEXT NOT NULL, kind TEXT NOT NULL, tab INTEGER NOT NULL,
        masked INTEGER NOT NULL, reduced INTEGER NOT NULL, truncated INTEGER NOT NULL, elements BLOB NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS screenshots_by_file ON screenshots (sha256, size_bytes);
    CREATE TABLE IF NOT EXISTS pins (id TEXT NOT NULL, holder TEXT NOT NULL, UNIQUE (id, holder)) STRICT
"""
COLUMNS = "id, sha256, pixels, at, size_bytes, width, height, scale, url, title, kind, tab, masked, reduced, truncated"
INSERT = f"INSERT INTO screenshots ({COLUMNS}, elements) VALUES ({'?, ' * 15}?)"  # noqa: S608 - only our own column names
DRAWN_S = 86_400  # a day: no journal keeps the annotations that a picture shows for longer
PINNED = "EXISTS (SELECT 1 FROM pins WHERE pins.id = screenshots.id)"
DRAWN = f"kind IN ('annotated', 'unannotated') AND at > strftime('%s', 'now') - {DRAWN_S}"
ROW = f"SELECT seq, {COLUMNS}, {PINNED} FROM screenshots"  # noqa: S608 - the same
ALL = f"SELECT seq, sha256, size_bytes, at, {PINNED}, {DRAWN} FROM screenshots"  # noqa: S608 - the same
TOTAL = "SELECT ifnull(sum(size), 0) FROM (SELECT max(size_bytes) AS size FROM screenshots GROUP BY sha256)"
OLDEST = "SELECT ifnull(min(at), 1e18) FROM (SELECT at FROM screenshots ORDER BY seq LIMIT 1)"

HELD_BEFORE = "SELECT pins.id FROM pins JOIN screenshots USING (id) WHERE holder = ? AND at < ?"
ARRIVING_S = 86_400.0  # a day: a picture is pinned before its holder has noted it

UNWRITTEN = "Nothing was stored"


class Screenshots:
    """The folder of pictures. `quota_bytes`, `age_s`: what may stay; each is used from one thread at a time."""

    def __init__(self, folder: Path, quota_bytes: int, age_s: float) -> None:
        self._folder = folder
        self._quota_bytes = quota_bytes
        self._age_s = age_s
        self._index = SharedStore(folder / "index.sqlite", SCHEMA, "The screenshot store cannot be used just now")
        self._rows = self._index.rows

    def ready(self) -> None:
        """Open the index, unless it is open.

        Raises:
            Failed: `store_failed`: the folder cannot be used now.

        """
        if self._index.ready():
            self._sweep()

    def close(self) -> None:
        """Close the index."""
        self._index.close()

    def renew(self) -> None:
        """Set a damaged index aside, and begin an empty one."""
        self._index.renew()

    def put(self, picture_id: str, data: bytes, about: Picture, pixels: str, now: float) -> Screenshot:
        """Keep a picture, checked before; one of this id that is kept already stays as it is.

        `pixels`: the hash of what it shows, "" if that follows by `note_pixels`.

        Raises:
            Failed: `store_failed`: it is not kept.

        """
        if (known := self._known(picture_id)) is not None:
            return known
        self.prune(now, coming_bytes=len(data))
        size = png.check(data)
        sha256 = hashlib.sha256(data).hexdigest()
        elements = zlib.compress(msgspec.msgpack.encode(about.elements), 1)
        values = (picture_id, sha256, pixels, now, len(data), size.width, size.height, about.scale, about.url)
        more = (about.title, about.kind, about.tab, about.masked, about.reduced, about.truncated, elements)
        with self._index.translated(UNWRITTEN):
            temporary = self._written(sha256, data)
            try:
                with self._rows.transaction() as rows:
                    if rows.execute("SELECT 1 FROM screenshots WHERE id = ?", (picture_id,)).fetchone() is None:
                        temporary.rename(self._path(sha256))
                        _sync(self._path(sha256).parent)
                        rows.execute(INSERT, (*values, *more))
            finally:
                temporary.unlink(missing_ok=True)
        return self.row(picture_id)

    def note_pixels(self, picture_id: str, pixels: str) -> None:
        """Keep the hash of what a picture shows, if it is still kept."""
        with self._rows.transaction() as rows:
            rows.execute("UPDATE screenshots SET pixels = ? WHERE id = ?", (pixels, picture_id))

    def row(self, picture_id: str) -> Screenshot:
        """Return what is known of a picture.

        Raises:
            Failed: `not_found`.

        """
        if (found := self._known(picture_id)) is None:
            shown = picture_id[:40]
            fail("not_found", f"There is no screenshot {shown!r}.", 'observe(what:"screenshots") lists them.')
        return found

    def elements(self, picture_id: str) -> dict[str, Any]:
        """Return what was visible in a picture."""
        with self._rows.reading() as rows:
            (packed,) = rows.execute("SELECT elements FROM screenshots WHERE id = ?", (picture_id,)).fetchone()
        found: dict[str, Any] = msgspec.msgpack.decode(zlib.decompress(packed))
        return found

    def read(self, one: Screenshot) -> bytes:
        """Return the bytes of a picture, as they were stored.

        Raises:
            Failed: `not_found`: its file is gone; `store_failed`: it was changed, or cannot be read.

        """
        try:
            data = _read(self._path(one.sha256))
        except FileNotFoundError:
            fail("not_found", f"The file of screenshot {one.id} is gone.", "Take it again.", path=one.path)
        except OSError as fault:
            raise Failed(file_failure(Path(one.path), "The picture cannot be read", fault)) from None
        if hashlib.sha256(data).hexdigest() != one.sha256:
            text = f"The file of screenshot {one.id} was changed after it was stored."
            fail("store_failed", text, "Take it again; `gasoline screenshots verify` lists all.", path=one.path)
        return data

    def list(self, limit: int, before: int, url_filter: str) -> ScreenshotsListed:
        """Return the newest pictures before a position, 0: the newest of all."""
        where = "WHERE (? = 0 OR seq < ?) AND instr(url, ?) > 0"
        with self._rows.reading() as rows:
            found = rows.execute(f"{ROW} {where} ORDER BY seq DESC LIMIT ?", (before, before, url_filter, limit + 1))
            listed = found.fetchall()
            (count,) = rows.execute("SELECT count(*) FROM screenshots").fetchone()
            (total,) = rows.execute(TOTAL).fetchone()
        rest = listed[limit - 1][0] if len(listed) > limit else 0
        return ScreenshotsListed([self._shown(row) for row in listed[:limit]], count, total, rest)

    def delete(self, ids: Sequence[str]) -> tuple[int, int]:
        """Forget these pictures. Return how many there were, and the bytes that are free by that."""
        with self._rows.reading() as rows:
            marks = ", ".join("?" * len(ids))
            found = rows.execute(f"SELECT seq FROM screenshots WHERE id IN ({marks})", tuple(ids))  # noqa: S608 - only marks
            places = [seq for (seq,) in found]
        return self._remove(places)

    def prune(self, now: float, quota_bytes: int = 0, age_s: float = 0.0, *, coming_bytes: int = 0) -> tuple[int, int]:
        """Remove what is too old, then the oldest until the quota holds, with room for a picture that comes.

        Raises:
            Failed: `store_failed`: what is pinned alone leaves no room for it.

        """
        quota, before = (quota_bytes or self._quota_bytes) - coming_bytes, now - (age_s or self._age_s)
        total, oldest = self._extent()
        if total <= quota and oldest >= before:
            return 0, 0
        with self._rows.reading() as rows:
            kept = [retention.Kept._make(row) for row in rows.execute(f"{ALL} ORDER BY seq")]
        count, freed = self._remove(retention.to_remove(kept, quota, before))
        if coming_bytes and self._extent()[0] > quota:
            mb = self._quota_bytes >> 20
            text = f"The screenshot store is full: its {mb} MB hold only pictures that are in use."
            fail("store_failed", text, "Ask the user: raise GASOLINE_SCREENSHOTS_MB, or `gasoline baseline delete`.")
        return count, freed

    def _extent(self) -> tuple[int, float]:
        """Return the bytes of all files, and when the first picture was taken."""
        with self._rows.reading() as rows:
            (total,), (oldest,) = rows.execute(TOTAL).fetchone(), rows.execute(OLDEST).fetchone()
        return int(total), float(oldest)

    def pin(self, picture_id: str, holder: str, *, keep: bool) -> int:
        """Note who needs a picture, or no longer does. Return how many need it."""
        self.row(picture_id)
        change = "INSERT OR IGNORE INTO pins VALUES (?, ?)" if keep else "DELETE FROM pins WHERE id = ? AND holder = ?"
        with self._rows.transaction() as rows:
            rows.execute(change, (picture_id, holder))
            (count,) = rows.execute("SELECT count(*) FROM pins WHERE id = ?", (picture_id,)).fetchone()
        return int(count)

    def verify(self, after: int, limit: int) -> Verified:
        """Compare the files of some pictures with their hashes."""
        with self._rows.reading() as rows:
            found = rows.execute(f"{ROW} WHERE seq > ? ORDER BY seq LIMIT ?", (after, limit)).fetchall()
        shown = [self._shown(row) for row in found]
        damaged = [damage for one in shown if (damage := self._damage(one)) is not None]
        return Verified(len(shown), damaged, found[-1][0] if len(found) == limit else 0)

    def sweep_orphans(self) -> tuple[int, int]:
        """Remove the files that no row names. Return how many, and their bytes."""
        count = freed = 0
        for path in self._folder.glob("??/*.png"):
            size = self._unlinked(path.stem)
            count, freed = count + bool(size), freed + size
        return count, freed

    def _known(self, picture_id: str) -> Screenshot | None:
        if not ID.fullmatch(picture_id):
            return None
        with self._rows.reading() as rows:
            found = rows.execute(f"{ROW} WHERE id = ?", (picture_id,)).fetchone()
        return None if found is None else self._shown(found)

    def _shown(self, row: tuple[Any, ...]) -> Screenshot:
        names = [*COLUMNS.split(", "), "pinned"]
        values = dict(zip(names, row[1:], strict=True)) | {"path": str(self._path(row[2]))}
        return msgspec.convert(values, Screenshot, strict=False)

    def release(self, holder: str, needed: Collection[str], now: float) -> int:
        """Take away the pins of a holder from what it does not need, unless the picture is new. Return how many."""
        with self._rows.transaction() as rows:
            held = rows.execute(HELD_BEFORE, (holder, now - ARRIVING_S)).fetchall()
            gone = [(one, holder) for (one,) in held if one not in needed]
            rows.executemany("DELETE FROM pins WHERE id = ? AND holder = ?", gone)
        return len(gone)

    def _remove(self, places: Sequence[int]) -> tuple[int, int]:
        """Remove rows, and then the files that no other row names. A kill in between leaves files, never rows alone."""
        if not places:
            return 0, 0
        marks = ", ".join("?" * len(places))
        with self._rows.transaction() as rows:
            found = rows.execute(f"SELECT id, sha256 FROM screenshots WHERE seq IN ({marks})", tuple(places)).fetchall()  # noqa: S608 - only marks
            rows.executemany("DELETE FROM pins WHERE id = ?", [(one,) for one, _ in found])
            rows.execute(f"DELETE FROM screenshots WHERE seq IN ({marks})", tuple(places))  # noqa: S608 - only marks
        return len(found), sum(self._unlinked(sha256) for sha256 in {sha256 for _, sha256 in found})

    def _unlinked(self, sha256: str) -> int:
        """Remove a file that no row names. Return its bytes, 0 where it stays."""
        with self._index.translated("The file could not be removed"), self._rows.transaction() as rows:
            if rows.execute("SELECT 1 FROM screenshots WHERE sha256 = ?", (sha256,)).fetchone() is not None:
                return 0
            path = self._path(sha256)
            try:
                size = path.stat().st_size
            except FileNotFoundError:
                return 0
            path.unlink()
            return size

    def _damage(self, one: Screenshot) -> Damage | None:
        try:
            data = _read(self._path(one.sha256))
        except FileNotFoundError:
            return Damage(one.id, one.path, "missing")
        except OSError:
            return Damage(one.id, one.path, "unreadable")
        return None if hashlib.sha256(data).hexdigest() == one.sha256 else Damage(one.id, one.path, "changed")

    def _path(self, sha256: str) -> Path:
        return self._folder / sha256[:2] / f"{sha256}.png"

    def _written(self, sha256: str, data: bytes) -> Path:
        """Write a temporary file beside the place of the picture, and have it on the disk."""
        parent = self._path(sha256).parent
        if not parent.is_dir():
            private_dir(parent)
            _sync(self._folder)
        temporary = parent / f"{TEMPORARY}{secrets.token_hex(8)}"
        try:
            fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
            with os.fdopen(fd, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(fd)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        return temporary

    def _sweep(self) -> None:
        """Remove the temporary files of processes that were killed."""
        for path in self._folder.glob(f"??/{TEMPORARY}*"):
            with contextlib.suppress(OSError):  # another process has swept it
                if time.time() - path.stat().st_mtime > ABANDONED_S:
                    path.unlink()


def _read(path: Path) -> bytes:
    """Read a file of the folder, and none that a link leads to."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
        return file.read()


def _sync(folder: Path) -> None:
    """Have a folder's entries on the disk."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
