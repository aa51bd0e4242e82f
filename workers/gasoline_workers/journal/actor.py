"""The journal's process; file writes, reading reads."""

import time

import msgspec
import structlog

from gasoline_broker.actor.actor import Actor
from gasoline_broker.actor.client import Answer, Step
from gasoline_broker.errors import Damaged, fail
from gasoline_broker.settings import private_dir
from gasoline_workers.journal import audit, effects
from gasoline_workers.journal.file import File
from gasoline_workers.journal.messages import Clear, ReadAudit, ReadEffect, Request, StoreEvents
from gasoline_workers.journal.reading import read

logger = structlog.get_logger()


class Journal(Actor[Request]):
    """Keeps what happened in the browser, in order."""

    service = "journal"
    accepts = Request
    computes = True

    async def started(self) -> None:
        """Open the file."""
        self.file = File(private_dir(self.settings.data_dir) / "journal.sqlite")
        self.file.open(self.settings.system_id, time.time())

    async def stopping(self) -> None:
        """Close the file."""
        self.file.close()

    async def receive(self, message: Request, step: Step) -> msgspec.Struct | Answer:
        """Store, clear or read."""
        now = time.time()
        try:
            return self._answer(message, step, now)
        except Damaged as fault:
            logger.warning("file_damaged", fault=str(fault))
            self.file.renew(self.settings.system_id, now)
            text = "The journal's file was damaged: it is set aside, and an empty one begun."
            fail("store_failed", text, "Call again.")

    def _answer(self, message: Request, step: Step, now: float) -> msgspec.Struct | Answer:
        match message:
            case StoreEvents(chunks):
                return self.file.store(chunks, msgspec.msgpack.decode(step.body), now)
            case Clear():
                return self.file.clear(step)
            case ReadAudit(limit):
                with self.file.reading() as rows:
                    return audit.read(rows, limit)
            case ReadEffect(wanted):
                with self.file.reading() as rows:
                    return effects.read(rows, wanted, self.file.state, now)
            case _:
                with self.file.reading() as rows:
                    return read(rows, message, self.file.state, self.file.begin, self.file.end, now)
