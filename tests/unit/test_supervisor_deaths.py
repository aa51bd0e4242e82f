"""How long a supervisor waits before it starts a dead process again, and when it gives up."""

import pytest

from gasoline_broker.errors import CannotStart
from gasoline_broker.supervisor import DEATHS, LIVED_S, PAUSE_MAX_S, PAUSE_S, WITHIN_S, Deaths


def test_the_pause_doubles_while_it_keeps_dying_up_to_a_most() -> None:
    deaths = Deaths()

    pauses = [deaths.pause_s(now, lived_s=0.1) for now in range(0, 70, 10)]

    assert [PAUSE_S * factor for factor in (1, 2, 4, 8, 16, 32)] == pauses[:6]
    assert PAUSE_MAX_S == pauses[6]


def test_a_process_that_lived_long_is_started_again_at_once() -> None:
    deaths = Deaths()
    deaths.pause_s(0.0, lived_s=0.1)
    deaths.pause_s(1.0, lived_s=0.1)

    assert 0.0 == deaths.pause_s(100.0, lived_s=LIVED_S)


def test_after_a_long_life_the_pause_begins_anew() -> None:
    deaths = Deaths()
    for now in (0.0, 1.0, 2.0):
        deaths.pause_s(now, lived_s=0.1)
    deaths.pause_s(100.0, lived_s=LIVED_S)

    assert PAUSE_S == deaths.pause_s(101.0, lived_s=0.1)


def test_too_many_deaths_in_too_short_a_time_are_the_end() -> None:
    deaths = Deaths()
    for death in range(DEATHS):
        deaths.pause_s(float(death), lived_s=0.1)

    with pytest.raises(CannotStart, match=f"{DEATHS + 1} times within"):
        deaths.pause_s(WITHIN_S - 0.1, lived_s=0.1)


def test_as_many_deaths_over_a_longer_time_are_not() -> None:
    deaths = Deaths()
    for death in range(DEATHS):
        deaths.pause_s(float(death), lived_s=0.1)

    assert PAUSE_MAX_S == deaths.pause_s(WITHIN_S, lived_s=0.1)


def test_the_limit_lets_the_pauses_grow_to_their_most_first() -> None:
    grown = [min(PAUSE_S * 2**death, PAUSE_MAX_S) for death in range(DEATHS)]

    assert sum(grown) < WITHIN_S
