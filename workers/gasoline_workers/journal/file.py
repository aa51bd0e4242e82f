"""The journal's file: stores chunks, each once, begins views, forgets what is old, clears; it reads no list."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import structlog

from gasoline_broker.client import Answer, Given
from gasoline_broker.errors import fail
from gasoline_broker.store import Store
from gasoline_workers.journal import events, tables
from gasoline_workers.journal.events import Place, Row
from gasoline_workers.journal.limits import CACHE_KB, CHUNKS, KEPT_S, TIDY_EVERY_S
from gasoline_workers.journal.messages import ChunkHead, Cleared, EventsStored, Item
from gasoline_workers.journal.pairs import pair
from gasoline_workers.journal.queries import holds

logger = structlog.get_logger()


class File:
    """One file. `now` is s since the epoch throughout."""

    def __init__(self, path: Path) -> None:
        self._store = Store(path, tables.SCHEMA, tables.VERSION, CHUNKS)
        self._tidied = 0.0

    def open(self, system_id: str, now: float) -> None:
        """Open or make the file; begin a new view unless it is that system's already ("": always).

        Raises:
            CannotStart: it is no file of ours, cannot be read, or is of a newer version.
            Failed: it cannot be written.

        """
        self._store.open()
        self.rows.execute(f"PRAGMA cache_size = -{CACHE_KB}")
        self.rows.create_function("holds", 2, holds, deterministic=True)
        with self._store.transaction() as rows:
            if not system_id or tables.fact(rows, "system_id") != system_id:
                tables.set_fact(rows, "system_id", system_id)
                tables.set_fact(rows, "begin", str(tables.end(rows)))
                tables.set_fact(rows, "state", "null")  # its tabs were those of another browser's life
        self.tidy(now)

    def close(self) -> None:
        """Close the file."""
        self._store.close()

    @property
    def rows(self) -> sqlite3.Connection:
        """The connection, to read by."""
        return self._store.read()

    @property
    def end(self) -> int:
        """The last position that was ever given."""
        return tables.end(self.rows)

    @property
    def begin(self) -> int:
        """The position after which the current view begins."""
        return int(tables.fact(self.rows, "begin", "0"))

    @property
    def state(self) -> Item | None:
        """What the human has set, as the extension told last in this view."""
        state: Item | None = msgspec.json.decode(tables.fact(self.rows, "state", "null"))
        return state

    def store(self, heads: Sequence[ChunkHead], bodies: Any, now: float) -> EventsStored:  # noqa: ANN401 - whatever came
        """Keep the chunks that are not known, all of them in one commit.

        Raises:
            Failed: `invalid_params`, there is not a body for each chunk; `store_failed`.

        """
        if not isinstance(bodies, list) or len(bodies) != len(heads):
            fail("invalid_params", "Each chunk of events needs its body.")

        def keep(rows: sqlite3.Connection, new: list[int]) -> EventsStored:
            kept = [row for at in new for row in self._chunk(rows, heads[at], bodies[at], now)]
            last = tables.append(rows, kept)
            pair(rows, kept, last - len(kept))
            tables.trim(rows, {row.ring for row in kept}, self.begin)
            return EventsStored(last, len(kept), len(heads) - len(new))

        return self._store.each_once([head.id for head in heads], keep)

    def _chunk(self, rows: sqlite3.Connection, head: ChunkHead, body: Any, now: float) -> list[Row]:  # noqa: ANN401 - the same
        said = body if isinstance(body, dict) else {}
        page, told = said.get("page"), said.get("events")
        place = Place(
            events.whole(head.tab) or 0, events.whole(head.frame) or 0, head.load, page if isinstance(page, str) else ""
        )
        kept = []
        for event in told if isinstance(told, list) else []:
            if isinstance(event, dict) and event.get("type") == "state":
                tables.set_fact(rows, "state", events.encode(event).decode())
            elif row := events.row(event, place, now):
                kept.append(row)
            else:
                logger.warning("event_unknown")
        return kept

    def tidy(self, now: float) -> None:
        """Forget what is older than a day; looked at once a minute.

        Raises:
            Failed: `store_failed`.

        """
        if abs(now - self._tidied) < TIDY_EVERY_S:
            return
        self._tidied = now
        oldest = "SELECT seq FROM events WHERE stored >= ? ORDER BY seq LIMIT 1"
        with self._store.transaction() as rows:
            young = rows.execute(oldest, (now - KEPT_S,)).fetchone()
            rows.execute("DELETE FROM events WHERE seq < ?", (young[0] if young else tables.end(rows) + 1,))

    def clear(self, given: Given) -> Answer:
        """Forget every event, and leave nothing of them on the disk. Given twice, it is done once.

        Raises:
            Failed: `store_failed`.

        """

        def forget(rows: sqlite3.Connection) -> Cleared:
            count = rows.execute("DELETE FROM events WHERE true").rowcount
            rows.execute("DELETE FROM evicted")
            return Cleared(count, tables.end(rows))

        answer = self._store.once(given, forget)
        self._store.vacuum()
        return answer
