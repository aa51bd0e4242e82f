"""A hunt repeats its steps, measures after each time once the page is warm, and stops at a step that fails."""

from typing import Any

import pytest

from gasoline_bridge.front import arguments, batches, leak_hunt
from gasoline_bridge.front.analyses import HUNT_S
from gasoline_bridge.front.leak_hunt import ACT_OVER_S, WARM_UP, Clock
from gasoline_bridge.front.replies import Reply
from gasoline_bridge.front.tools import Interact
from gasoline_broker.errors import Failed, fail

FLOW = [{"action": "click", "selector": "#open"}, {"action": "click", "selector": "#close"}]


class Flow:
    """A page that counts what is done in it; each step takes a second of its clock."""

    def __init__(self, fails_at: int = -1) -> None:
        self.done: list[str] = []
        self.fails_at = fails_at
        self.slept_s = 0.0

    def now(self) -> float:
        return len(self.done) + self.slept_s

    async def sleep(self, seconds: float) -> None:
        self.slept_s += seconds

    async def do(self, step: Interact, _left_s: float) -> Reply:
        if len(self.done) == self.fails_at:
            fail("element_not_found", "Nothing matches.", "Look first.", selector=step.selector)
        self.done.append(str(step.selector))
        return {"success": True}

    async def measure(self) -> Any:
        number = len(self.done)
        return {"page": {"url": f"http://shop.test/{number}"}, "evidence": {"memory": {"current": {"heap": number}}}}

    async def hunt(self, iterations: int) -> leak_hunt.Hunt:
        checked = arguments.read("analyze", {"action": "memory", "scope": "leak", "steps": FLOW, "tab_id": 3})
        return await leak_hunt.run(
            batches.read(checked), iterations, self.do, self.measure, Clock(self.now, self.sleep)
        )


@pytest.mark.requirement("leaks-001")
async def test_the_steps_are_repeated_and_measured_once_the_page_is_warm() -> None:
    flow = Flow()
    hunt = await flow.hunt(6)

    assert ["#open", "#close"] * (WARM_UP + 6) == flow.done
    assert [{"heap": 2 * (WARM_UP + number)} for number in range(1, 7)] == hunt.evidence()["evidence"]["leak"][
        "samples"
    ]
    assert pytest.approx(2_000) == hunt.evidence()["evidence"]["leak"]["iteration_ms"]
    assert pytest.approx(6 * ACT_OVER_S) == flow.slept_s
    assert ([], {"url": "http://shop.test/28"}) == (hunt.evidence()["warnings"], hunt.evidence()["page"])


@pytest.mark.requirement("leaks-003")
async def test_a_step_that_fails_ends_the_hunt_and_is_named() -> None:
    flow = Flow(fails_at=5)
    with pytest.raises(Failed) as caught:
        await flow.hunt(6)

    details = caught.value.failure.details
    assert ("element_not_found", 3, 1) == (caught.value.failure.code, details["iteration"], details["failed_at"])


@pytest.mark.requirement("leaks-003")
@pytest.mark.parametrize(
    ("given", "parameter"),
    [
        ({}, "steps"),
        ({"steps": []}, "steps"),
        ({"steps": FLOW, "iterations": 5}, "iterations"),
        ({"steps": FLOW, "iterations": 51}, "iterations"),
        ({"steps": FLOW, "selector": "p"}, "selector"),
    ],
)
def test_what_a_hunt_needs_is_named(given: dict[str, Any], parameter: str) -> None:
    with pytest.raises(Failed) as caught:
        arguments.read("analyze", {"action": "memory", "scope": "leak"} | given)

    failure = caught.value.failure
    assert ("invalid_params", parameter) == (failure.code, failure.details["parameter"])


@pytest.mark.requirement("leaks-005")
async def test_when_its_time_is_over_enough_measures_are_judged_and_too_few_refused() -> None:
    hunt = await Flow().hunt(200)

    assert ["timeout"] == hunt.evidence()["warnings"]
    assert len(hunt.samples) == int((HUNT_S - 2 * WARM_UP) / (2 + ACT_OVER_S))

    slow = Flow()
    slow.now = lambda: 10.0 * len(slow.done)  # type: ignore[method-assign] # this page takes ten seconds a step
    with pytest.raises(Failed) as caught:
        await slow.hunt(10)
    assert "analysis_timeout" == caught.value.failure.code
