"""A store for the fault tests: keeps numbers, each once, in a file; started as `python store_app.py`."""

import sqlite3
import sys
from pathlib import Path

import msgspec

from gasoline_broker.actor.actor import Actor, run
from gasoline_broker.actor.client import Answer, Step
from gasoline_broker.actor.store import Store
from gasoline_broker.settings import Settings

SCHEMA = "CREATE TABLE IF NOT EXISTS kept (number INTEGER NOT NULL, padding BLOB NOT NULL) STRICT"


class Keep(msgspec.Struct, frozen=True, tag=True):
    """Ask: keep this number, and so many bytes with it. Answered by Kept."""

    number: int
    padding_bytes: int = 100


class Kept(msgspec.Struct, frozen=True, tag=True):
    """Answer: it is on the disk."""

    number: int


class StoreApp(Actor[Keep]):
    """Keeps numbers."""

    service = "store_app"
    accepts = Keep
    computes = True

    async def started(self) -> None:
        """Open the file."""
        self.store = Store(path(self.settings), SCHEMA)
        self.store.open()
        if len(sys.argv) > 1:
            self.store.read().execute(f"PRAGMA max_page_count = {int(sys.argv[1])}")

    async def stopping(self) -> None:
        """Close the file."""
        self.store.close()

    async def receive(self, message: Keep, step: Step) -> Answer:
        """Keep one number, once."""

        def keep(rows: sqlite3.Connection) -> Kept:
            rows.execute("INSERT INTO kept VALUES (?, ?)", (message.number, bytes(message.padding_bytes)))
            return Kept(message.number)

        return self.store.once(step, keep)


def path(settings: Settings) -> Path:
    return settings.data_dir / "store_app.sqlite"


def kept(file: Path) -> list[int]:
    """Read all that is kept, as another process that comes later would."""
    connection = sqlite3.connect(file)
    try:
        assert [("ok",)] == connection.execute("PRAGMA integrity_check").fetchall()
        return [number for (number,) in connection.execute("SELECT number FROM kept ORDER BY number")]
    finally:
        connection.close()


if __name__ == "__main__":
    run(StoreApp, Settings.from_environ())
