"""Two thousand runs of the simulator: no seed breaks a promise, and a seed is a run."""

import pytest

from sim.run import CHUNK, play
from sim.scenario import Run

SEEDS = 2_000


@pytest.mark.parametrize("first", range(0, SEEDS, CHUNK))
@pytest.mark.requirement("hub-024")
def test_no_run_breaks_a_promise(first: int) -> None:
    outcomes, broken = play(first, CHUNK)

    assert [] == broken
    assert outcomes["answered"] > CHUNK


@pytest.mark.requirement("hub-025")
def test_a_seed_plays_the_same_run_again() -> None:
    assert Run(7).play().ledger.asked == Run(7).play().ledger.asked


def test_runs_meet_every_kind_of_end() -> None:
    outcomes, _ = play(0, 4 * CHUNK)

    ends = {"answered", "broken", "deadline_exceeded", "outcome_unknown", "overloaded", "redaction_unavailable"}
    assert ends <= outcomes.keys()
