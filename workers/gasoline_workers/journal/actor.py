"""The journal's process; file writes, reading reads.

Rules of this file:
- It is never in the way: it runs with a file that cannot be used, tries it again with each ask, and answers
  `store_failed` until then.
- A read fails while events cannot be stored: a list without them would pass for the whole.
"""

import asyncio
import contextlib
import time
from typing import NamedTuple

import msgspec
import structlog

from gasoline_broker.actor.actor import Actor
from gasoline_broker.actor.client import Answer, Step
from gasoline_broker.errors import Damaged, Failed, Failure, fail
from gasoline_workers.journal import audit, drawings, effects, jobs, recording
from gasoline_workers.journal.file import File
from gasoline_workers.journal.limits import LOOK_EVERY_S, UNSTORED_S
from gasoline_workers.journal.messages import (
    BeginJob,
    Clear,
    EndJob,
    EventsStored,
    Read,
    ReadAudit,
    ReadDrawing,
    ReadEffect,
    ReadJob,
    ReadRecording,
    Request,
    StoreEvents,
)
from gasoline_workers.journal.reading import read

logger = structlog.get_logger()


class Unstored(NamedTuple):
    """Why events were not stored, and until when reads fail with it (monotonic, s)."""

    failure: Failure
    until: float


class Journal(Actor[Request]):
    """Keeps what happened in the browser, in order."""

    service = "journal"
    accepts = Request
    computes = True

    async def started(self) -> None:
        """Open the file, if that is possible now."""
        self.file = File(self.settings.data_dir / "journal.sqlite")
        self._unstored: Unstored | None = None
        try:
            self.file.open(self.settings.system_id, time.time())
        except Failed as fault:
            logger.warning("file_not_opened", reason=fault.failure.text)
        self._looking = asyncio.create_task(self._look_again())

    async def stopping(self) -> None:
        """Close the file."""
        self._looking.cancel()
        await asyncio.wait([self._looking])
        self.file.close()

    async def receive(self, message: Request, step: Step) -> msgspec.Struct | Answer:
        """Store, clear or read."""
        now = time.time()
        try:
            self.file.ready(self.settings.system_id, now)
            return self._answer(message, step, now)
        except Damaged as fault:
            logger.warning("file_damaged", fault=str(fault))
            self.file.renew(self.settings.system_id, now)
            text = "The journal's file was damaged: it is set aside, and an empty one begun."
            fail("store_failed", text, "Call again.")

    def _answer(self, message: Request, step: Step, now: float) -> msgspec.Struct | Answer:
        match message:
            case StoreEvents():
                return self._store(message, msgspec.msgpack.decode(step.body), now)
            case Clear():
                return self.file.clear(step)
            case BeginJob() | EndJob() | ReadJob():
                return self._job(message, step, now)
            case _:
                return self._read_events(message, now)

    def _job(self, message: BeginJob | EndJob | ReadJob, step: Step, now: float) -> msgspec.Struct:
        match message:
            case BeginJob():
                with self.file.writing() as rows:
                    return jobs.begin(rows, message, now)
            case EndJob(job):
                with self.file.writing() as rows:
                    return jobs.end(rows, job, step.body, now)
            case ReadJob(job):
                with self.file.reading() as rows:
                    return jobs.read(rows, job, now)

    def _read_events(
        self, message: Read | ReadAudit | ReadDrawing | ReadEffect | ReadRecording, now: float
    ) -> msgspec.Struct:
        if self._unstored is not None and time.monotonic() < self._unstored.until:
            raise Failed(self._unstored.failure)
        with self.file.reading() as rows:
            match message:
                case ReadAudit(limit):
                    return audit.read(rows, limit)
                case ReadDrawing():
                    return drawings.read(rows, message, now)
                case ReadEffect(wanted):
                    return effects.read(rows, wanted, self.file.state, now)
                case ReadRecording():
                    return recording.read(rows, message, self.file.state, self.file.begin, self.file.end, now)
                case _:
                    return read(rows, message, self.file.state, self.file.begin, self.file.end, now)

    def _store(self, message: StoreEvents, bodies: object, now: float) -> EventsStored:
        try:
            stored = self.file.store(message.chunks, bodies, now)
        except Failed as fault:
            if fault.failure.code == "store_failed":
                self._unstored = Unstored(fault.failure, time.monotonic() + UNSTORED_S)
            raise
        self._unstored = None
        return stored

    async def _look_again(self) -> None:
        """Notice that the file was deleted, also while nothing is asked."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            await self.beside(self._look())

    async def _look(self) -> None:
        if self.file.is_lost:
            with contextlib.suppress(Failed, Damaged):  # the next ask tries again, and states why
                self.file.ready(self.settings.system_id, time.time())
