"""How far a call is, as its client hears it."""

import pytest

from gasoline_bridge.front.progress import Progress


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_call_of_one_step_counts_its_seconds_and_knows_no_total(clock: Clock) -> None:
    progress = Progress("interact", clock)
    clock.now += 2.25

    assert (2.25, None, "interact, 2 s") == progress.read()


@pytest.mark.requirement("faults-022")
def test_a_batch_counts_its_steps_and_each_report_is_greater_than_the_last(clock: Clock) -> None:
    progress = Progress("interact", clock)
    reports = []
    for number in range(3):
        progress.begin_step(number, 3, "click")
        for _ in range(40):
            clock.now += 1.0
            reports.append(progress.read())

    values = [value for value, _, _ in reports]
    assert values == sorted(set(values))
    assert (3, "click, step 3 of 3") == reports[-1][1:]
    assert 2 < values[-1] < 3
