"""How long a supervisor waits before it starts a dead process again, when it gives up, and when it kills the broker."""

import pytest

from gasoline_broker.errors import CannotStart
from gasoline_broker.supervisor.restart_policy import (
    ABSENT_S,
    DEATHS,
    LIVED_S,
    LOOK_ABSENT_S,
    LOOK_S,
    PAUSE_MAX_S,
    PAUSE_S,
    SILENT_S,
    UNLINKED_S,
    WITHIN_S,
    Absences,
    Deaths,
    Vigil,
)


@pytest.mark.requirement("hub-045")
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


def silence_ends_at(vigil: Vigil, *, linked: bool, begun: float = 0.0, last: float = 0.0, up_to: int = 30) -> float:
    """Look every LOOK_S at a broker that said its last word at `last`; give when it is to be killed."""
    looks = (look * LOOK_S for look in range(1, up_to))
    return next(now for now in looks if vigil.is_over(now, now - last if linked else None, begun))


def test_a_broker_that_says_nothing_is_killed_after_five_lost_words() -> None:
    assert SILENT_S == silence_ends_at(Vigil(0.0), linked=True)


def test_a_broker_that_takes_no_link_is_given_longer() -> None:
    assert UNLINKED_S == silence_ends_at(Vigil(0.0), linked=False)


def test_a_broker_that_was_just_started_again_has_its_whole_time() -> None:
    assert 7.0 + UNLINKED_S == silence_ends_at(Vigil(0.0), linked=False, begun=7.0)


def test_a_link_that_broke_counts_from_the_last_word() -> None:
    vigil = Vigil(0.0)
    for now in range(1, 9):
        assert not vigil.is_over(now, 0.5, begun=0.0)

    assert not vigil.is_over(9.0, None, begun=0.0)
    assert not vigil.is_over(10.0, None, begun=0.0)


def test_who_slept_blames_nobody_until_it_was_awake_as_long_as_it_takes() -> None:
    vigil = Vigil(0.0)

    assert not vigil.is_over(100.0, 100.0, begun=0.0)
    assert not vigil.is_over(104.0 - LOOK_S, 104.0 - LOOK_S, begun=0.0), "late again, by three looks"
    looks = [103.0 + look * LOOK_S for look in range(1, 6)]
    assert [False, False, False, False, True] == [vigil.is_over(now, now, begun=0.0) for now in looks]


@pytest.mark.parametrize("late_s", [0.1, 0.9])
def test_a_look_that_is_a_little_late_forgives_nothing(late_s: float) -> None:
    vigil = Vigil(0.0)

    looks = [(LOOK_S + late_s) * look for look in range(1, 8)]

    assert any(vigil.is_over(now, now, begun=0.0) for now in looks if now < SILENT_S + 2 * LOOK_S)


def test_who_the_broker_does_not_know_for_half_a_minute_is_absent() -> None:
    absences, late = Absences(0.0), []
    for look in range(1, 20):
        late += [(look * LOOK_ABSENT_S, pid) for pid in absences.over(look * LOOK_ABSENT_S, {1, 2}, {1})]

    assert (LOOK_ABSENT_S + ABSENT_S, 2) == late[0]
    assert {2} == {pid for _, pid in late}


@pytest.mark.parametrize("known", [set[int](), {1, 2}], ids=["no broker", "it came"])
def test_nobody_is_absent_for_long_whose_broker_is_absent_too_or_who_came_meanwhile(known: set[int]) -> None:
    absences = Absences(0.0)
    for look in range(1, 15):
        absences.over(look * LOOK_ABSENT_S, {1, 2}, {1})
    absences.over(15 * LOOK_ABSENT_S, {1, 2}, known)

    assert [] == absences.over(16 * LOOK_ABSENT_S, {1, 2}, {1})


def test_who_was_late_itself_finds_nobody_absent() -> None:
    absences = Absences(0.0)
    absences.over(2.0, {1}, {7})

    assert [] == absences.over(60.0, {1}, {7})
