"""When the supervisor restarts a process, when it ends the system, and when it kills a process that hangs."""

import pytest

from gasoline_broker.errors import CannotStart
from gasoline_broker.supervisor.restart_policy import (
    DEATHS_MAX,
    HANG_CHECK_S,
    LIVED_S,
    PAUSE_MAX_S,
    PAUSE_S,
    REGISTERED_CHECK_S,
    SILENT_S,
    UNLINKED_S,
    UNREGISTERED_S,
    WITHIN_S,
    HangWatch,
    RegistrationWatch,
    RestartBudget,
)


@pytest.mark.requirement("hub-045")
def test_the_pause_doubles_while_it_keeps_dying_up_to_a_most() -> None:
    budget = RestartBudget()

    pauses = [budget.pause_s(now, lived_s=0.1) for now in range(0, 70, 10)]

    assert [PAUSE_S * factor for factor in (1, 2, 4, 8, 16, 32)] == pauses[:6]
    assert PAUSE_MAX_S == pauses[6]


def test_a_process_that_lived_long_is_started_again_at_once() -> None:
    budget = RestartBudget()
    budget.pause_s(0.0, lived_s=0.1)
    budget.pause_s(1.0, lived_s=0.1)

    assert 0.0 == budget.pause_s(100.0, lived_s=LIVED_S)


def test_after_a_long_life_the_pause_begins_again() -> None:
    budget = RestartBudget()
    for now in (0.0, 1.0, 2.0):
        budget.pause_s(now, lived_s=0.1)
    budget.pause_s(100.0, lived_s=LIVED_S)

    assert PAUSE_S == budget.pause_s(101.0, lived_s=0.1)


def test_too_many_deaths_in_too_short_a_time_are_the_end() -> None:
    budget = RestartBudget()
    for death in range(DEATHS_MAX):
        budget.pause_s(float(death), lived_s=0.1)

    with pytest.raises(CannotStart, match=f"{DEATHS_MAX + 1} times within"):
        budget.pause_s(WITHIN_S - 0.1, lived_s=0.1)


def test_as_many_deaths_over_a_longer_time_are_not() -> None:
    budget = RestartBudget()
    for death in range(DEATHS_MAX):
        budget.pause_s(float(death), lived_s=0.1)

    assert PAUSE_MAX_S == budget.pause_s(WITHIN_S, lived_s=0.1)


def test_the_limit_lets_the_pauses_grow_to_their_most_first() -> None:
    grown = [min(PAUSE_S * 2**death, PAUSE_MAX_S) for death in range(DEATHS_MAX)]

    assert sum(grown) < WITHIN_S


def silence_ends_at(watch: HangWatch, *, linked: bool, begun: float = 0.0, last: float = 0.0, up_to: int = 30) -> float:
    """Check a broker whose last message was at `last`; return when it is to be killed."""
    looks = (look * HANG_CHECK_S for look in range(1, up_to))
    return next(now for now in looks if watch.is_hung(now, now - last if linked else None, begun))


def test_a_silent_broker_is_killed_after_five_seconds() -> None:
    assert SILENT_S == silence_ends_at(HangWatch(0.0), linked=True)


def test_a_broker_that_takes_no_link_gets_longer() -> None:
    assert UNLINKED_S == silence_ends_at(HangWatch(0.0), linked=False)


def test_a_broker_that_was_just_started_again_has_its_whole_time() -> None:
    assert 7.0 + UNLINKED_S == silence_ends_at(HangWatch(0.0), linked=False, begun=7.0)


def test_a_broken_link_counts_from_the_last_message() -> None:
    watch = HangWatch(0.0)
    for now in range(1, 9):
        assert not watch.is_hung(now, 0.5, begun=0.0)

    assert not watch.is_hung(9.0, None, begun=0.0)
    assert not watch.is_hung(10.0, None, begun=0.0)


def test_after_a_suspension_no_silence_counts_until_the_watch_was_awake_long_enough() -> None:
    watch = HangWatch(0.0)

    assert not watch.is_hung(100.0, 100.0, begun=0.0)
    assert not watch.is_hung(104.0 - HANG_CHECK_S, 104.0 - HANG_CHECK_S, begun=0.0), "late again, by three looks"
    looks = [103.0 + look * HANG_CHECK_S for look in range(1, 6)]
    assert [False, False, False, False, True] == [watch.is_hung(now, now, begun=0.0) for now in looks]


@pytest.mark.parametrize("late_s", [0.1, 0.9])
def test_a_look_that_is_a_little_late_forgives_nothing(late_s: float) -> None:
    watch = HangWatch(0.0)

    looks = [(HANG_CHECK_S + late_s) * look for look in range(1, 8)]

    assert any(watch.is_hung(now, now, begun=0.0) for now in looks if now < SILENT_S + 2 * HANG_CHECK_S)


def test_a_process_that_the_broker_does_not_know_for_half_a_minute_is_killed() -> None:
    watch, late = RegistrationWatch(0.0), []
    for look in range(1, 20):
        late += [(look * REGISTERED_CHECK_S, pid) for pid in watch.expired(look * REGISTERED_CHECK_S, {1, 2}, {1})]

    assert (REGISTERED_CHECK_S + UNREGISTERED_S, 2) == late[0]
    assert {2} == {pid for _, pid in late}


@pytest.mark.parametrize("known", [set[int](), {1, 2}], ids=["no broker", "it came"])
def test_no_process_is_killed_while_there_is_no_broker_or_after_it_registered(known: set[int]) -> None:
    watch = RegistrationWatch(0.0)
    for look in range(1, 15):
        watch.expired(look * REGISTERED_CHECK_S, {1, 2}, {1})
    watch.expired(15 * REGISTERED_CHECK_S, {1, 2}, known)

    assert [] == watch.expired(16 * REGISTERED_CHECK_S, {1, 2}, {1})


def test_a_watch_that_was_late_itself_kills_no_process() -> None:
    watch = RegistrationWatch(0.0)
    watch.expired(2.0, {1}, {7})

    assert [] == watch.expired(60.0, {1}, {7})
