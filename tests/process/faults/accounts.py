"""The assertions that every fault test shares."""

import logging

from gasoline_broker.actor.wire import Delivery
from process.faults.load import Result

STALL_MS = 8_000.0
"""The longest wait that is no fault: a lost ask ends with its deadline, after 20 s; a busy machine has taken 2.5 s.

`make bench` and docs/benchmarks.md have the figures of a quiet machine.
"""

logger = logging.getLogger("faults")


def assert_all_accounted(result: Result) -> None:
    """Assert that nothing is lost, done twice, answered without being done, or settled after its time."""
    logger.info("all      %s", result)
    logger.info("queries  %s", result.of(Delivery.QUERY))
    logger.info("commands %s", result.of(Delivery.COMMAND))
    assert result.sent > 0
    assert 0 == result.unaccounted
    assert 0 == result.doubled
    assert 0 == result.undone
    assert 0 == result.hung


def assert_none_stalled(result: Result) -> None:
    """Assert that no ask waited for its deadline."""
    assert result.max_ms <= STALL_MS


def unknown(result: Result) -> int:
    """Assert that no query failed, and commands only with an unknown outcome; count those."""
    assert {} == result.of(Delivery.QUERY).failed
    failed = result.of(Delivery.COMMAND).failed
    assert {"outcome_unknown"} >= set(failed)
    return sum(failed.values())
