"""The log of a process: events to stderr, one JSON line each, or in colour on a terminal; never page text."""

import contextlib
import logging
import math
import sys
from collections.abc import Mapping
from typing import Any, TextIO, cast

import structlog

from gasoline_broker.settings import Settings


def configure(settings: Settings, process: str) -> None:
    """Write this process's log to stderr, from `settings.log_level` up, each event with the process's name."""
    human = sys.stderr.isatty()
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            _for_a_person if human else structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", Calm(sys.stderr))),
        cache_logger_on_first_use=True,
    )
    structlog.contextvars.bind_contextvars(process=process)


def configure_command() -> None:
    """Log only what is wrong, to stderr: the standard output of a command is its answer."""
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


class Calm:
    """A stream on which nothing fails: a full disk must cost lines of the log, not the process."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write what can be written."""
        with contextlib.suppress(OSError):
            return self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush what can be flushed."""
        with contextlib.suppress(OSError):
            self._stream.flush()


class Throttle:
    """Bounds how often an event is logged: the first at once, the next ones together after `every_s`."""

    def __init__(self, every_s: float) -> None:
        self._every_s = every_s
        self._next_at = -math.inf
        self._unlogged = 0

    def count(self, now: float) -> int:
        """Count the event once more; return how many are to be logged now, or 0."""
        self._unlogged += 1
        if now < self._next_at:
            return 0
        self._next_at = now + self._every_s
        unlogged, self._unlogged = self._unlogged, 0
        return unlogged


def coloured(process: str, event: Mapping[str, Any]) -> str:
    """Return an event as a line for a person, each process's name in a colour of its own.

    Raises:
        KeyError, TypeError: it is not an event of this log.

    """
    colour = 31 + sum(process.encode()) % 6
    kept = (f"{key}={value}" for key, value in event.items() if key not in _HEAD)
    words = " ".join([str(event["event"]), *kept])
    return f"\x1b[{colour}m{process:>12}\x1b[0m {event['timestamp'][11:19]} {words}"


_HEAD = {"event", "timestamp", "process", "level"}


def _for_a_person(_logger: object, _method: str, event: Mapping[str, Any]) -> str:
    return coloured(event.get("process", ""), event)
