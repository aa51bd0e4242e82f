"""A job that only reads waits for a browser that was there when it began."""

from typing import Any

import pytest

from gasoline_bridge.front.jobs import BACK_S, once_back
from gasoline_broker.errors import Failed, Failure

AWAY = Failure("extension_disconnected", "No Chrome is connected.")


class Work:
    """Fails so often, then answers; each attempt takes so long (s)."""

    def __init__(self, *failures: Failure, took_s: float = 1.0) -> None:
        self._failures = [*failures]
        self._took_s = took_s
        self.at = 0.0

    def now(self) -> float:
        return self.at

    async def do(self) -> dict[str, Any]:
        self.at += self._took_s
        if self._failures:
            raise Failed(self._failures.pop(0))
        return {"status": "success"}


@pytest.mark.requirement("analyze-009")
async def test_it_is_done_once_the_browser_is_back() -> None:
    work = Work(AWAY, AWAY)

    assert {"status": "success"} == await once_back(work.do, work.now, pause_s=0)
    assert 3 == work.at


async def test_a_browser_that_stays_away_and_any_other_failure_end_it() -> None:
    gone, other = Work(*[AWAY] * 100), Work(Failure("analysis_timeout", "Too slow."))

    with pytest.raises(Failed, match="extension_disconnected"):
        await once_back(gone.do, gone.now, pause_s=0)
    with pytest.raises(Failed, match="analysis_timeout"):
        await once_back(other.do, other.now, pause_s=0)

    assert (BACK_S, 1) == (gone.at, other.at)
