"""Eight hundred runs of the simulator: no seed breaks a promise, and a seed is a run."""

import functools
import os
import subprocess
import sys

import pytest

from sim.run import CHUNK, play

SEEDS = 800
"""Of the faults put into the hub by hand, runs found half, the last by seed 667; `make sim` plays more."""

played = functools.cache(play)


@pytest.mark.parametrize("first", range(0, SEEDS, CHUNK))
@pytest.mark.requirement("hub-024")
def test_no_run_breaks_a_promise(first: int) -> None:
    outcomes, broken = played(first, CHUNK)

    assert [] == broken
    assert outcomes["answered"] > CHUNK


@pytest.mark.requirement("hub-025")
def test_a_seed_plays_the_same_run_again_in_another_process() -> None:
    code = "from sim.scenario import Run; print([Run(seed).play().ledger for seed in range(30)])"
    environ = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    outputs = [
        subprocess.run(
            [sys.executable, "-c", code], env=environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]

    assert outputs[0] == outputs[1]
    assert len(outputs[0]) > 100_000


def test_runs_meet_every_kind_of_end() -> None:
    met = {end for first in range(0, 4 * CHUNK, CHUNK) for end in played(first, CHUNK)[0]}

    ends = {"answered", "broken", "deadline_exceeded", "outcome_unknown", "overloaded", "redaction_unavailable"}
    assert ends <= met
