"""An actor for tests, started as `python echo.py SERVICE [CAPACITY]`: echoes its message, or misbehaves as asked."""

import asyncio
import contextlib
import os
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

from gasoline_broker.actor.actor import Actor, run
from gasoline_broker.actor.client import Answer, Step
from gasoline_broker.actor.wire import MESSAGE_BYTES_MAX
from gasoline_broker.errors import CANNOT_START, AlreadyRunning, CannotStart, fail
from gasoline_broker.settings import Settings
from process.interpreter import seize


class Say(msgspec.Struct, frozen=True, tag=True):
    """Ask: append `text` to the answer of the stop before. Answered by Said."""

    text: str


class Said(msgspec.Struct, frozen=True, tag=True):
    """Answer: the texts, and the processes that answered."""

    text: str
    pids: list[int]
    attempts: list[int]


class Meet(msgspec.Struct, frozen=True, tag=True):
    """Ask: come to the gate, and answer (as Say does) when the gate opens."""

    gate: str


class Note(msgspec.Struct, frozen=True, tag=True):
    """Ask: append `number` to this file, and answer with it (as Say does)."""

    log: str
    number: int


class CarryBlobs(msgspec.Struct, frozen=True, tag=True):
    """Ask: answer with the blobs that you received, and one more of this many bytes."""

    size_bytes: int


class SayTooMuch(msgspec.Struct, frozen=True, tag=True):
    """Ask: answer with more than a message may have."""


class Refuse(msgspec.Struct, frozen=True, tag=True):
    """Ask: answer with a Failure in these words."""

    text: str


class Break(msgspec.Struct, frozen=True, tag=True):
    """Ask: raise an exception with these words in it, of this kind."""

    text: str
    kind: str


class Hang(msgspec.Struct, frozen=True, tag=True):
    """Ask: come to the gate, then keep the loop for ever."""

    gate: str


class Seize(msgspec.Struct, frozen=True, tag=True):
    """Ask: come to the gate, then hold the interpreter for ever: no thread of it, and no signal, gets a turn."""

    gate: str


Request = Say | Meet | Note | CarryBlobs | SayTooMuch | Refuse | Break | Hang | Seize


class Echo(Actor[Request]):
    """Does what a message asks."""

    service = "echo"
    accepts = Request

    async def receive(self, message: Request, step: Step) -> Said | Answer:  # noqa: PLR0911 - one for each message
        """Do one thing."""
        match message:
            case Say(text):
                return _said(text, step)
            case Meet(gate):
                await _meet(gate, step)
                return _said("met", step)
            case Note(log, number):
                _note(log, number)
                return _said(str(number), step)
            case CarryBlobs(size_bytes):
                return Answer(b"", [*step.blobs, bytes(size_bytes)])
            case SayTooMuch():
                return Answer(bytes(MESSAGE_BYTES_MAX + 1))
            case Refuse() | Break():
                return _broken(message)
            case Hang(gate):
                await _meet(gate, step)
                return _hung()
            case Seize(gate):
                await _meet(gate, step)
                seize()
                return _hung()


def _said(text: str, step: Step) -> Said:
    before = msgspec.msgpack.decode(step.body, type=Said) if step.body else Said("", [], [])
    attempts = [*before.attempts, step.envelope.attempt]
    return Said(before.text + text, [*before.pids, os.getpid()], attempts)


async def _meet(gate: str, step: Step) -> None:
    reader, writer = await asyncio.open_unix_connection(gate)
    try:
        writer.write(f"{os.getpid()} {step.envelope.attempt}\n".encode())
        await reader.readline()
    except asyncio.CancelledError:
        writer.write(b"cancelled\n")
        raise
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


def _note(log: str, number: int) -> None:
    file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(file, f"{number}\n".encode())  # whole, with several processes appending
    os.close(file)


def _broken(message: Refuse | Break) -> Answer:
    if isinstance(message, Refuse):
        fail("refused", message.text)
    text, kind = message.text, message.kind
    if kind == "validation":
        msgspec.convert({"type": text}, Request)
    if kind == "unsendable":
        fail("refused", "no", thing=object())
    if kind == "unpackable":
        wrong: Any = "no bytes"
        return Answer(b"", [wrong])
    raise RuntimeError(text)


def _hung() -> Answer:
    while True:
        time.sleep(1)


def main(service: str, capacity: str = "1") -> None:
    """Be the actor."""
    made = type("Named", (Echo,), {"service": service, "capacity": int(capacity)})
    run(made, Settings.from_environ())


if __name__ == "__main__":
    if sys.argv[1] == "cannot-start":
        with Path(sys.argv[2]).open("a") as starts:
            starts.write("started\n")
        sys.exit(CANNOT_START)
    try:
        main(*sys.argv[1:])
    except (CannotStart, AlreadyRunning) as fault:
        sys.stderr.write(f"{fault}\n")
        sys.exit(CANNOT_START)
