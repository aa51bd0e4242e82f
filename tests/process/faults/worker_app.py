"""An actor for the fault tests: it works, recording each command that it begins, or dies as asked."""

import asyncio
import contextlib
import os
import signal
import sys
import time
from pathlib import Path

import msgspec

from gasoline_broker.actor.actor import Actor, run
from gasoline_broker.actor.client import Answer, Step
from gasoline_broker.actor.wire import pack
from gasoline_broker.settings import Settings
from process.interpreter import seize


class Work(msgspec.Struct, frozen=True, tag=True):
    """Ask: work `took_ms`, and answer with a blob of `blob_bytes`. Answered by Worked.

    `log`: append `number`, which is unique, to this file before the work; empty: don't.
    """

    number: int
    took_ms: float = 1.0
    blob_bytes: int = 0
    log: str = ""


class Worked(msgspec.Struct, frozen=True, tag=True):
    """Answer: the number of the work, and what the stops before had answered."""

    numbers: list[int]
    pid: int
    attempt: int


class Crash(msgspec.Struct, frozen=True, tag=True):
    """Ask: append your pid to this file, then die of a segmentation fault."""

    log: str


class Spin(msgspec.Struct, frozen=True, tag=True):
    """Ask: append your pid to this file, then keep the loop, or its thread, for ever."""

    log: str


class Hog(msgspec.Struct, frozen=True, tag=True):
    """Ask: append your pid to this file, then keep the interpreter's lock for ever, so that no thread runs."""

    log: str


class Cling(msgspec.Struct, frozen=True, tag=True):
    """Ask: append your pid to this file, then wait for ever, also when cancelled."""

    log: str


Request = Work | Crash | Spin | Hog | Cling


class WorkerApp(Actor[Request]):
    """Works, or dies."""

    service = "worker_app"
    accepts = Request

    async def receive(self, message: Request, step: Step) -> msgspec.Struct | Answer:
        """Do one thing."""
        if isinstance(message, Work):
            return await _work(message, step)
        note(message.log, os.getpid())
        match message:
            case Crash():
                os.kill(os.getpid(), signal.SIGSEGV)
            case Spin():
                while True:
                    time.sleep(1)  # noqa: ASYNC251 - nothing else is to run
            case Hog():
                seize()
            case Cling():
                await _cling()
        raise AssertionError("it goes on for ever")


async def _work(work: Work, step: Step) -> Answer:
    if work.log:
        note(work.log, work.number)
    await asyncio.sleep(work.took_ms / 1000)
    before = msgspec.msgpack.decode(step.body, type=Worked).numbers if step.body else []
    worked = Worked([*before, work.number], os.getpid(), step.envelope.attempt)
    blobs = [*step.blobs, bytes(work.blob_bytes)] if work.blob_bytes else step.blobs
    return Answer(pack(worked), blobs)


async def _cling() -> None:
    while True:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()


def note(log: str, number: int) -> None:
    """Append a number to a file, whole, with several processes appending."""
    file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(file, f"{number}\n".encode())
    os.close(file)


def noted(log: Path) -> list[int]:
    """Read what was appended."""
    return [int(line) for line in log.read_text().split()] if log.exists() else []


def main(settings: Settings, service: str, capacity: str, computes: str = "") -> None:
    """Be the actor; `computes`: do the work in a thread of its own."""
    named = {"service": service, "capacity": int(capacity), "computes": bool(computes)}
    run(type("Named", (WorkerApp,), named), settings)


if __name__ == "__main__":
    main(Settings.from_environ(), *sys.argv[1:])
