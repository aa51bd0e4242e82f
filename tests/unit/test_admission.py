"""Which asks are served, and which refused, under overload: fairness.py as routing uses it."""

import pytest

from gasoline_broker.actor.wire import ADMITTED_BEFORE, Delivery, Kind, Priority
from gasoline_broker.hub.limits import Limits
from unit.hub import Hub, failure_of, failures, given, seen

A, B, C, D, E = b"a", b"b", b"c", b"d", b"e"


def hub_of(limits: Limits = Limits(), *askers: str) -> Hub:  # noqa: B008 - an immutable tuple
    hub = Hub(limits)
    for asker in askers or ("asker",):
        hub.register(asker, "front", capacity=0)
    return hub


def worked_one(hub: Hub, service: str, took_s: float) -> None:
    """Let the service's process `w` work on something, so that it is known how long that takes."""
    hub.ask("asker", b"worked", service)
    hub.now += took_s
    hub.answer("w", b"worked")


def order(hub: Hub, asks: int) -> list[bytes]:
    """Let `w` answer each ask, and return the order in which it received them."""
    sent, served = hub.register("w", "diff"), []
    for _ in range(asks):
        ((_, number),) = given(sent)
        served.append(number)
        sent = hub.answer("w", number)
    return served


def taken(hub: Hub, *services: str) -> list[int]:
    return [
        hub.routing.state.services[service].share.taken if service in hub.routing.state.services else 0
        for service in services
    ]


# Turns


def test_sessions_take_turns() -> None:
    hub = hub_of()
    for number, session in ((A, "s"), (B, "s"), (C, "s"), (D, "t"), (E, "u")):
        hub.ask("asker", number, "diff", session=session)

    assert [A, D, E, B, C] == order(hub, 5)


def test_sessions_take_turns_across_askers() -> None:
    hub = hub_of(Limits(), "p", "q")
    for asker, number, session in (("p", A, "s"), ("q", B, "s"), ("q", C, "t")):
        hub.ask(asker, number, "diff", session=session)

    assert [A, C, B] == order(hub, 3)


def test_interactive_asks_go_before_background_ones() -> None:
    hub = hub_of()
    hub.ask("asker", A, "diff", priority=Priority.BACKGROUND)
    hub.ask("asker", B, "diff", priority=Priority.BACKGROUND)
    hub.ask("asker", C, "diff", session="t")

    assert [C, A, B] == order(hub, 3)


def test_each_stop_receives_the_priority() -> None:
    hub = hub_of()
    hub.register("w", "diff")

    (sent,) = hub.ask("asker", A, "diff", priority=Priority.BACKGROUND)

    assert Priority.BACKGROUND is sent.envelope.priority


# Places


def test_a_session_that_floods_a_service_gets_no_other_session_refused() -> None:
    hub = hub_of(Limits(queue=10))

    flood = [hub.ask("asker", bytes([number]), "diff", session="flood") for number in range(20)]
    other = [hub.ask("asker", bytes([number]), "diff", session="other") for number in range(20, 21)]

    assert [[]] * 8 == flood[:8]
    assert ["overloaded"] * 12 == [failure_of(*sent).code for sent in flood[8:]]
    assert [[]] == other


def test_a_session_that_floods_an_asker_gets_no_other_session_refused() -> None:
    hub = hub_of(Limits(window=10))

    flood = [hub.ask("asker", bytes([number]), "diff", session="flood") for number in range(20)]
    other = hub.ask("asker", b"x", "diff", session="other")

    assert [8, []] == [flood.count([]), other]
    assert "10 places are shared by all sessions" in failure_of(*flood[8]).text


@pytest.mark.requirement("hub-020")
def test_each_asker_has_a_window_of_its_own() -> None:
    hub = hub_of(Limits(window=5), "p", "q")
    for number in range(4):
        hub.ask("p", bytes([number]), "diff")
    assert [(A, "overloaded")] == failures(hub.ask("p", A, "diff"))

    assert [] == hub.ask("q", B, "diff")


@pytest.mark.requirement("hub-004")
def test_no_more_asks_wait_than_there_are_places_however_many_sessions_come() -> None:
    hub = hub_of(Limits(queue=10))

    sent = [hub.ask("asker", bytes([number]), "diff", session=str(number)) for number in range(50)]

    assert (10, 10, 40) == (hub.waiting("diff"), sent.count([]), hub.routing.state.counts["overloaded"])


def test_a_place_is_held_at_every_stop_to_come() -> None:
    hub = hub_of()
    hub.register("w", "diff")
    hub.ask("asker", A, "diff", "journal", "audit")
    before = taken(hub, "diff", "journal", "audit")

    hub.answer("w", A)

    assert [1, 1, 1] == before
    assert [0, 1, 1] == taken(hub, "diff", "journal", "audit")


def test_an_ask_is_refused_before_it_begins_where_a_later_stop_has_no_place() -> None:
    hub = hub_of(Limits(queue=2))
    hub.register("w", "diff", capacity=9)
    hub.ask("asker", A, "journal", session="s")
    hub.ask("asker", B, "journal", session="t")

    refused = hub.ask("asker", C, "diff", "journal", session="u")

    assert [(C, "overloaded")] == failures(refused)
    assert [0, 2] == taken(hub, "diff", "journal")


def test_an_ask_needs_a_place_for_each_of_its_stops_at_one_service() -> None:
    hub = hub_of(Limits(queue=1))

    assert [(A, "overloaded")] == failures(hub.ask("asker", A, "diff", "diff"))
    assert [] == hub.ask("asker", B, "diff")
    (refused,) = hub.ask("asker", C, "diff")
    assert failure_of(refused).text.startswith("1 asks wait for diff already")


def test_an_asker_that_reads_no_answer_is_refused_beyond_the_limit() -> None:
    hub = hub_of(Limits(unread_bytes=1 << 20))
    hub.register("w", "diff", capacity=9)
    hub.ask("asker", A, "diff")
    hub.answer("w", A, bytes(1 << 20))
    assert [("w", B)] == given(hub.ask("asker", B, "diff"))
    hub.answer("w", B, bytes(1))

    (refused,) = hub.ask("asker", C, "diff")

    assert ("overloaded", "1 MB of answers to this process are unread.") == (
        failure_of(refused).code,
        failure_of(refused).text,
    )


def test_what_was_begun_is_never_refused() -> None:
    hub = hub_of(Limits(queue=2))
    hub.register("w", "diff", capacity=9)
    hub.ask("asker", A, "diff", "journal", session="s")
    hub.ask("asker", B, "diff", "journal", session="t")
    assert [(C, "overloaded")] == failures(hub.ask("asker", C, "journal", session="u"))

    sent = hub.answer("w", A) + hub.answer("w", B)

    assert ([], 2) == (sent, hub.waiting("journal"))


def finish(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.answer("w", A)
    hub.register("j", "journal")
    hub.answer("j", A, position=1)


def fail(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.fail("w", A)


@pytest.mark.parametrize(
    "end",
    [
        finish,
        fail,
        lambda hub: hub.say("asker", Kind.CANCEL, A),
        lambda hub: hub.wait(10, "asker"),
        lambda hub: hub.lose("asker"),
        lambda hub: [hub.register("w", "diff"), hub.say("asker", Kind.CANCEL, A)],
    ],
    ids=["answered", "failed", "cancelled", "expired", "its asker lost", "cancelled in work"],
)
def test_what_has_ended_gives_its_places_back_however_it_ended(end: object) -> None:
    hub = hub_of()
    hub.ask("asker", A, "diff", "journal")
    window = hub.routing.state.peers[b"asker"].window
    assert [1, 1, 1] == [*taken(hub, "diff", "journal"), window.taken]

    end(hub)  # type: ignore[operator] # as the table has it

    assert [0, 0, 0] == [*taken(hub, "diff", "journal"), window.taken]


def test_a_failure_gives_back_the_places_of_the_stops_that_it_skips() -> None:
    hub = hub_of()
    hub.register("b", "bridge")
    hub.ask("asker", A, "bridge", "diff", "redaction", "journal")

    hub.fail("b", A)

    assert [0, 0, 1, 1] == taken(hub, "bridge", "diff", "redaction", "journal")


# Admission


@pytest.mark.requirement("hub-009")
def test_an_ask_that_would_wait_too_long_is_refused_at_once_with_a_time_to_retry() -> None:
    hub = hub_of()
    hub.register("w", "diff")
    worked_one(hub, "diff", took_s=4)
    hub.ask("asker", A, "diff")
    hub.ask("asker", B, "diff")

    (refused,) = hub.ask("asker", C, "diff", ttl_s=5)

    assert [] == hub.ask("asker", D, "diff", ttl_s=5, attempt=ADMITTED_BEFORE)  # a broker before this one has taken it
    failure = failure_of(refused)
    assert ("overloaded", {"retry_after_ms": 8_000}) == (failure.code, failure.details)
    assert "Estimated wait for diff is 8.0 s; the call has 5 s." == failure.text


def test_what_would_be_served_in_four_fifths_of_its_time_is_taken() -> None:
    hub = hub_of()
    hub.register("w", "diff")
    worked_one(hub, "diff", took_s=4)
    hub.ask("asker", A, "diff")
    hub.ask("asker", B, "diff")

    assert [(C, "overloaded")] == failures(hub.ask("asker", C, "diff", ttl_s=9.9))
    assert [] == hub.ask("asker", D, "diff", ttl_s=10)


def test_nothing_is_refused_for_its_time_when_a_process_is_free() -> None:
    hub = hub_of()
    hub.register("w", "diff")
    worked_one(hub, "diff", took_s=100)

    assert [("w", A)] == given(hub.ask("asker", A, "diff", ttl_s=1))


def test_nothing_is_refused_for_its_time_while_no_ask_waits() -> None:
    hub = hub_of()
    hub.register("w", "diff")
    worked_one(hub, "diff", took_s=100)
    hub.ask("asker", A, "diff")

    assert [] == hub.ask("asker", B, "diff", ttl_s=1)


def test_two_processes_serve_in_half_the_time() -> None:
    hub = hub_of()
    hub.register("w", "diff")
    worked_one(hub, "diff", took_s=4)
    hub.register("x", "diff")
    for number in (A, B, C):
        hub.ask("asker", number, "diff")

    assert [(D, "overloaded")] == failures(hub.ask("asker", D, "diff", ttl_s=4.9))
    assert [] == hub.ask("asker", E, "diff", ttl_s=5)


def test_the_waits_at_all_stops_are_added_up() -> None:
    hub = hub_of()
    for name, service in (("w", "diff"), ("j", "journal")):
        hub.register(name, service)
        hub.ask("asker", b"worked", service)
        hub.now += 2
        hub.answer(name, b"worked")
        hub.ask("asker", service.encode(), service)
        hub.ask("asker", service.encode() + b"2", service)

    (refused,) = hub.ask("asker", A, "diff", "journal", ttl_s=9)

    assert {"retry_after_ms": 8_000} == failure_of(refused).details
    assert "Estimated wait for diff and journal is 8.0 s" in failure_of(refused).text


def test_a_newcomer_is_not_refused_for_the_time_that_another_sessions_flood_takes() -> None:
    hub = hub_of()
    hub.register("w", "diff")
    worked_one(hub, "diff", took_s=1)
    for number in range(10):
        hub.ask("asker", bytes([number]), "diff", ttl_s=60, session="flood")

    assert [(A, "overloaded")] == failures(hub.ask("asker", A, "diff", ttl_s=5, session="flood"))
    assert [] == hub.ask("asker", B, "diff", ttl_s=5, session="newcomer")


def test_what_was_sent_before_is_not_refused_for_its_time() -> None:
    hub = hub_of()
    hub.register("w", "diff")
    worked_one(hub, "diff", took_s=4)
    hub.ask("asker", A, "diff")
    hub.ask("asker", B, "diff")

    assert [] == hub.ask("asker", C, "diff", ttl_s=1, attempt=1)


@pytest.mark.parametrize(
    ("delivery", "code"),
    [(Delivery.QUERY, "overloaded"), (Delivery.STORE, "overloaded"), (Delivery.COMMAND, "outcome_unknown")],
)
def test_what_was_sent_before_and_finds_no_place_may_have_been_done_if_it_is_a_command(
    delivery: Delivery, code: str
) -> None:
    hub = hub_of(Limits(queue=1))
    hub.ask("asker", A, "diff", session="s")

    assert [(B, code)] == failures(hub.ask("asker", B, "diff", delivery=delivery, attempt=1))


def test_a_refused_ask_leaves_nothing_behind() -> None:
    hub = hub_of(Limits(queue=1))
    hub.ask("asker", A, "diff")

    hub.ask("asker", B, "diff", "journal")

    assert ([A], [1, 0]) == (list(hub.routing.state.tasks), taken(hub, "diff", "journal"))
    assert {A} == hub.routing.state.peers[b"asker"].asked


def test_a_refused_ask_may_be_asked_again() -> None:
    hub = hub_of(Limits(queue=1))
    hub.ask("asker", A, "diff")
    hub.ask("asker", B, "diff")
    hub.say("asker", Kind.CANCEL, A)

    assert [] == seen(hub.ask("asker", B, "diff"))
    assert [("w", B)] == given(hub.register("w", "diff"))
