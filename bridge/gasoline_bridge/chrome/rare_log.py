"""Logs what strangers and pages can cause at will: an event once in 10 s, with how often it was; no text of theirs."""

import logging
import time

import structlog

from gasoline_broker.log import Throttle

EVERY_S = 10.0

logger = structlog.get_logger()


class RareLog:
    """The log of such events, each counted by its name."""

    def __init__(self) -> None:
        self._throttles: dict[str, Throttle] = {}

    def warning(self, event: str, **fields: object) -> None:
        """Log the event, or count it for its next line."""
        throttle = self._throttles.setdefault(event, Throttle(EVERY_S))
        if times := throttle.count(time.monotonic()):
            logger.warning(event, times=times, **fields)


class WithoutWords(logging.Handler):
    """Takes the log of the HTTP library, whose lines and tracebacks repeat what a request held."""

    def __init__(self, log: RareLog) -> None:
        super().__init__()
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Log the kind of the fault alone."""
        fault = record.exc_info[0] if record.exc_info else None
        self._log.warning("request_broke", fault=fault.__name__ if fault else record.levelname)


def take_over(name: str, log: RareLog) -> None:
    """Have the lines of a library's log come here alone."""
    library = logging.getLogger(name)
    library.handlers = [WithoutWords(log)]
    library.propagate = False
    library.setLevel(logging.WARNING)
