"""The journal's file: stores chunks, each once, begins views, deletes what is old, clears."""

import contextlib
import sqlite3
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import msgspec
import structlog

from gasoline_broker.actor.client import Answer, Step
from gasoline_broker.actor.store import Store
from gasoline_broker.errors import CannotStart, Damaged, fail
from gasoline_broker.settings import private_dir
from gasoline_workers.journal import events, jobs, tables
from gasoline_workers.journal.connections import addressed
from gasoline_workers.journal.events import Place, Row
from gasoline_workers.journal.limits import BUSY_S, CACHE_KB, CHUNKS, KEPT_S, OWN, STATE, TIDY_EVERY_S
from gasoline_workers.journal.messages import ChunkHead, Cleared, EventsStored, Item
from gasoline_workers.journal.pairs import pair
from gasoline_workers.journal.queries import holds
from gasoline_workers.journal.scopes import known
from gasoline_workers.journal.unanswered import seen, settle

logger = structlog.get_logger()


class File:
    """One file. `now` is s since the epoch throughout."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._store = Store(path, tables.SCHEMA, tables.VERSION, CHUNKS, disposable=True, busy_s=BUSY_S)
        self._opened = False
        self._tidied = 0.0
        self._last = 0  # position that this process has given or found: a damaged file cannot be asked for it

    def ready(self, system_id: str, now: float) -> None:
        """See that there is an open file: open it if it could not be before, begin another if it was deleted.

        Raises:
            Failed: `store_failed`: it cannot be used now.
            CannotStart: it is of a newer version.

        """
        if not self._opened:
            self.open(system_id, now)
        elif self.is_lost:
            logger.warning("file_deleted")
            self.renew(system_id, now)

    @property
    def is_lost(self) -> bool:
        """Whether the open file was deleted under us: what is written to it is gone when it is closed."""
        return self._opened and self._store.is_lost

    def open(self, system_id: str, now: float) -> None:
        """Open or make the file; begin a new view unless it is that system's already ("": always).

        A damaged one is moved aside: it is a day's data, and no system should stay down for them.

        Raises:
            Failed: `store_failed`: it cannot be used now.
            CannotStart: it is of a newer version.

        """
        try:
            private_dir(self._path.parent)
        except CannotStart as fault:
            fail("store_failed", str(fault))
        if self._store.try_open():
            self._begin_after_damage(system_id, now, "null")
            return
        try:
            if self._last > self.end:  # the former file could not be replaced when it was lost
                self._begin_after_damage(system_id, now, "null")
                return
            self._begin(system_id)
            self.tidy(now)
        except Damaged:
            self._replace(system_id, now, "null")

    def renew(self, system_id: str, now: float) -> None:
        """Move the file aside because it is damaged or deleted, and begin an empty one.

        Raises:
            Failed: `store_failed`: nor can another be made.

        """
        state = "null"
        with contextlib.suppress(sqlite3.Error, msgspec.MsgspecError, ValueError):
            state = msgspec.json.encode(self.state).decode()  # which tab is tracked is the human's word
        self._replace(system_id, now, state)

    def _replace(self, system_id: str, now: float, state: str) -> None:
        self._opened = False
        self._store.replace()
        self._begin_after_damage(system_id, now, state)

    def _begin_after_damage(self, system_id: str, now: float, state: str) -> None:
        with self._store.transaction() as rows:
            # Beyond any position of the lost file, and readers get the loss reported. The clock alone would do, were it
            # never set back between two damages.
            tables.skip(rows, max(int(now * 1_000_000), self._last + 1))
        self._begin(system_id)
        with self._store.transaction() as rows:
            tables.set_fact(rows, "state", state)

    def _begin(self, system_id: str) -> None:
        with self.reading() as rows:
            rows.execute(f"PRAGMA cache_size = -{CACHE_KB}")
            rows.create_function("holds", 2, holds, deterministic=True)
        with self._store.transaction() as rows:
            if not system_id or tables.fact(rows, "system_id") != system_id:
                tables.set_fact(rows, "system_id", system_id)
                tables.set_fact(rows, "begin", str(tables.end(rows)))
                tables.set_fact(rows, "state", "null")  # its tabs were those of another browser's life
                rows.execute("DELETE FROM silenced")
            self._last = tables.end(rows)
        self._opened = True

    def close(self) -> None:
        """Close the file, if it is open."""
        if self._opened:
            self._store.close()

    @property
    def rows(self) -> sqlite3.Connection:
        """The connection, for reading."""
        return self._store.read()

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """Return the connection, for reading, and translate its faults.

        Raises:
            Failed: `store_failed`: it cannot be read now.
            Damaged: the file is.

        """
        return self._store.reading()

    def writing(self) -> AbstractContextManager[sqlite3.Connection]:
        """Return the connection, for one transaction: all of it or nothing.

        Raises:
            Failed: `store_failed`: nothing was written.
            Damaged: the file is.

        """
        return self._store.transaction()

    @property
    def end(self) -> int:
        """The last position in use."""
        return tables.end(self.rows)

    @property
    def begin(self) -> int:
        """The position after which the current view begins."""
        return int(tables.fact(self.rows, "begin", "0"))

    @property
    def state(self) -> Item | None:
        """What the human has set, by the last report of the extension in this view; None: no report yet."""
        return known(msgspec.json.decode(tables.fact(self.rows, "state", "null")))

    def store(self, heads: Sequence[ChunkHead], bodies: Any, now: float) -> EventsStored:  # noqa: ANN401 - whatever came
        """Keep the chunks that are not known, all of them in one commit.

        Raises:
            Failed: `invalid_params`, there is not a body for each chunk; `store_failed`.
            Damaged: the file is.

        """
        if not isinstance(bodies, list) or len(bodies) != len(heads):
            fail("invalid_params", "Each chunk of events needs its body.")
        self.tidy(now)

        def keep(rows: sqlite3.Connection, new: list[int]) -> EventsStored:
            found = [row for at in new for row in self._chunk(rows, heads[at], bodies[at], now)]
            kept = [*addressed(rows, found, self.begin)]
            last = tables.append(rows, kept)
            pair(rows, kept, last - len(kept))
            settle(rows, kept, last - len(kept))
            more = seen(rows, kept)
            last = tables.append(rows, more)
            tables.trim(rows, {row.ring for row in (*kept, *more)}, self.begin)
            return EventsStored(last, len(kept), len(heads) - len(new))

        stored = self._store.each_once([head.id for head in heads], keep)
        self._last = stored.seq
        return stored

    def _chunk(self, rows: sqlite3.Connection, head: ChunkHead, body: Any, now: float) -> list[Row]:  # noqa: ANN401 - the same
        fields = body if isinstance(body, dict) else {}
        page, listed = fields.get("page"), fields.get("events")
        place = Place(
            events.whole(head.tab) or 0, events.whole(head.frame) or 0, head.load, page if isinstance(page, str) else ""
        )
        kept, unknown = [], 0
        for event in listed if isinstance(listed, list) else []:
            if isinstance(event, dict) and event.get("type") == STATE:
                if place.tab == 0 and known(event):  # a page's own events have its tab
                    tables.set_fact(rows, "state", events.encode(event).decode())
            elif place.tab and isinstance(event, dict) and event.get("type") in OWN:
                logger.warning("event_forged", type=event["type"])
            elif row := events.row(event, place, now):
                kept.append(row)
            else:
                unknown += 1
        if unknown:
            logger.warning("events_unknown", count=unknown)  # not the kind: it may be page text
        return kept

    def tidy(self, now: float) -> None:
        """Forget what is a day older than both the clock and the newest event; looked at once a minute.

        A clock that jumps ahead deletes nothing by itself: not before events come at the new time.

        Raises:
            Failed: `store_failed`.
            Damaged: the file is.

        """
        if abs(now - self._tidied) < TIDY_EVERY_S:
            return
        newest = "SELECT stored FROM events ORDER BY seq DESC LIMIT 1"
        oldest = "SELECT seq FROM events WHERE stored >= ? ORDER BY seq LIMIT 1"
        with self._store.transaction() as rows:
            last = rows.execute(newest).fetchone()
            young = rows.execute(oldest, (min(now, *last or (now,)) - KEPT_S,)).fetchone()
            forgotten = tables.forget(rows, young[0]) if young else 0
        if forgotten:
            self._store.shrink()
        self._tidied = now

    def clear(self, step: Step) -> Answer:
        """Forget every event, and leave nothing of them on the disk. A repeated step is done once.

        Raises:
            Failed: `store_failed`.
            Damaged: the file is.

        """

        def forget(rows: sqlite3.Connection) -> Cleared:
            last = tables.end(rows)
            rows.execute("DELETE FROM silenced")
            jobs.forget(rows)
            return Cleared(tables.forget(rows, last + 1), last)

        answer = self._store.once(step, forget)
        self._store.vacuum()
        return answer
