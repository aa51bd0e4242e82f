"""Sets up the log of a process: events to stderr, one JSON line each, or in colour on a terminal. Never page text."""

import logging
import sys

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
            structlog.dev.ConsoleRenderer() if human else structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    structlog.contextvars.bind_contextvars(process=process)
