"""Merges the logs of all processes, line by line, so that two lines never mix."""

import asyncio
import contextlib
import os
import sys
from collections.abc import Collection
from typing import Self

import msgspec

from gasoline_broker import log
from gasoline_broker.actor.wire import MALFORMED

LAST_LINES_S = 1.0  # how long the last lines of a stopped process may still come


class LogMux:
    """One pipe for each name, which all processes that ever have that name write to.

    `groups`: the names whose lines already have the names of the actors that wrote them.
    """

    def __init__(self, groups: Collection[str] = ()) -> None:
        self._groups = groups
        self._writing: dict[str, int] = {}
        self._unread: dict[str, int] = {}
        self._reading: list[asyncio.Task[None]] | None = None

    def pipe(self, name: str) -> int:
        """Return the stderr for the process of this name."""
        if name not in self._writing:
            self._unread[name], self._writing[name] = os.pipe()
            self._read()
        return self._writing[name]

    def _read(self) -> None:
        """Begin to forward what is written to each pipe, as soon as there is a loop for it."""
        if self._reading is None:
            return
        for name, reading in self._unread.items():
            self._reading.append(asyncio.create_task(_forward(name, reading, is_group=name in self._groups)))
        self._unread = {}

    async def __aenter__(self) -> Self:
        """Forward what is there already."""
        self._reading = []
        self._read()
        return self

    async def __aexit__(self, *_exit: object) -> None:
        """Forward the last lines."""
        for writing in self._writing.values():
            os.close(writing)
        if self._reading:
            _, open_still = await asyncio.wait(self._reading, timeout=LAST_LINES_S)  # held by what a child left behind
            for task in open_still:
                task.cancel()


async def _forward(name: str, reading: int, *, is_group: bool) -> None:
    lines = asyncio.StreamReader()
    pipe = os.fdopen(reading, "rb")
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), pipe)
    out = log.Calm(sys.stderr)
    show = coloured if sys.stderr.isatty() else plain
    try:
        while True:
            with contextlib.suppress(ValueError):  # a line longer than the stream's limit: dropped
                if not (line := await lines.readline()):
                    return
                out.write(show(actor_of(name, line) if is_group else name, line))
                out.flush()
    finally:
        transport.close()


def actor_of(name: str, line: bytes) -> str:
    """Return the name that a line of a group has already, else the group's."""
    try:
        return str(msgspec.json.decode(line, type=dict).get("process", name))
    except MALFORMED:
        return name


def plain(name: str, line: bytes) -> str:
    """Return a line as JSON with the process's name."""
    try:
        event = msgspec.json.decode(line, type=dict) | {"process": name}
    except MALFORMED:
        event = {"process": name, "event": "output", "text": line.decode(errors="replace").rstrip()}
    return f"{msgspec.json.encode(event).decode()}\n"


def coloured(name: str, line: bytes) -> str:
    """Return a line for a person; what is not an event of this log, as it is."""
    try:
        return f"{log.coloured(name, msgspec.json.decode(line))}\n"
    except (*MALFORMED, KeyError, TypeError, AttributeError):
        return f"{name:>12} {line.decode(errors='replace')}"
