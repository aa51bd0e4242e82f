"""Passes on what the processes log, line by line, so that lines of two never mix; it changes no word."""

import asyncio
import contextlib
import os
import sys
from typing import Self

import msgspec

from gasoline_broker import log
from gasoline_broker.actor.wire import MALFORMED

LAST_WORDS_S = 1.0  # how long what a stopped process has written may still come


class Relay:
    """One pipe for each name, which all processes that ever have that name write to."""

    def __init__(self) -> None:
        self._writing: dict[str, int] = {}
        self._reading: list[asyncio.Task[None]] = []

    def pipe(self, name: str) -> int:
        """Give what the process of this name has as its stderr."""
        if name not in self._writing:
            reading, self._writing[name] = os.pipe()
            self._reading.append(asyncio.create_task(_relay(name, reading)))
        return self._writing[name]

    async def __aenter__(self) -> Self:
        """Nothing is open yet."""
        return self

    async def __aexit__(self, *_exit: object) -> None:
        """Pass on the last words."""
        for writing in self._writing.values():
            os.close(writing)
        if self._reading:
            _, open_still = await asyncio.wait(self._reading, timeout=LAST_WORDS_S)  # held by what a child left behind
            for relay in open_still:
                relay.cancel()


async def _relay(name: str, reading: int) -> None:
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
                out.write(show(name, line))
                out.flush()
    finally:
        transport.close()


def plain(name: str, line: bytes) -> str:
    """Give a line as one of JSON, which says whose it is."""
    try:
        event = msgspec.json.decode(line, type=dict) | {"process": name}
    except MALFORMED:
        event = {"process": name, "event": "said", "text": line.decode(errors="replace").rstrip()}
    return f"{msgspec.json.encode(event).decode()}\n"


def coloured(name: str, line: bytes) -> str:
    """Give a line as words for a person; what is no event of ours as it is."""
    try:
        return f"{log.coloured(name, msgspec.json.decode(line))}\n"
    except (*MALFORMED, KeyError, TypeError, AttributeError):
        return f"{name:>12} {line.decode(errors='replace')}"
