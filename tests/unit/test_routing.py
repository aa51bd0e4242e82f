"""Where every message goes: each rule of routing.py, on a clock of its own."""

import msgspec
import pytest

from gasoline_broker.actor.wire import Delivery, Envelope, Kind, Label, Priority, Stop, pack, stop
from gasoline_broker.hub.completion import EXPIRIES_KEPT
from gasoline_broker.hub.limits import Limits
from gasoline_broker.messages import HeldStop, ReadStatus, StatusRead
from unit.hub import Hub, failure_of, itinerary, labels, seen

A, B, C, D = b"a", b"b", b"c", b"d"


@pytest.fixture
def hub() -> Hub:
    """Return a hub with an asker."""
    made = Hub()
    made.register("asker", "front", capacity=0)
    return made


# The way of an ask


@pytest.mark.requirement("structure-008")
@pytest.mark.requirement("hub-001")
def test_an_ask_goes_to_its_service_and_the_answer_back_to_the_asker(hub: Hub) -> None:
    hub.register("w", "diff")

    (given,) = hub.ask("asker", A, "diff", body=b"in", session="s", trace="t")
    (answered,) = hub.answer("w", A, b"out", b"blob")

    assert ("w", Kind.ASK, A, "s", "t") == (
        given.peer.decode(),
        given.envelope.kind,
        given.envelope.id,
        given.envelope.session,
        given.envelope.trace,
    )
    assert [b"in"] == list(given.frames)
    assert (b"asker", Envelope(Kind.ANSWER, A, trace="t")) == (answered.peer, answered.envelope)
    assert [b"out", b"blob"] == list(answered.frames)


@pytest.mark.requirement("hub-002")
def test_what_one_stop_answers_goes_to_the_next(hub: Hub) -> None:
    hub.register("d", "diff")
    hub.register("j", "journal")
    hub.ask("asker", A, "diff", "journal", body=b"in")

    (given,) = hub.answer("d", A, b"between", b"blob")

    assert (b"j", 1, [b"between", b"blob"]) == (given.peer, given.envelope.position, list(given.frames))
    assert itinerary("diff", "journal") == given.envelope.itinerary


def test_a_service_may_be_in_an_itinerary_twice(hub: Hub) -> None:
    hub.register("d", "diff")
    hub.ask("asker", A, "diff", "diff")

    (again,) = hub.answer("d", A, b"once", position=0)
    (answered,) = hub.answer("d", A, b"twice", position=1)

    assert (b"d", 1) == (again.peer, again.envelope.position)
    assert [b"twice"] == list(answered.frames)


def test_an_answer_for_another_position_is_late_and_does_not_count_as_this_ones(hub: Hub) -> None:
    hub.register("d", "diff")
    hub.ask("asker", A, "diff", "diff")

    assert [] == hub.answer("d", A, b"of an earlier life", position=1) + hub.answer("d", A, b"the same", position=1)
    assert 2 == hub.routing.state.counts["late"]
    assert [("d", Kind.ASK, A)] == seen(hub.answer("d", A, b"once", position=0))


@pytest.mark.requirement("hub-008")
def test_each_hop_receives_the_time_that_remains(hub: Hub) -> None:
    hub.register("d", "diff")
    hub.register("j", "journal")
    (first,) = hub.ask("asker", A, "diff", "journal", ttl_s=10)
    hub.now += 4

    (second,) = hub.answer("d", A)

    assert (10_000, 6_000) == (first.envelope.ttl_ms, second.envelope.ttl_ms)


def test_a_failure_goes_back_to_the_asker_and_skips_the_stops_that_are_left(hub: Hub) -> None:
    hub.register("d", "diff")
    hub.register("j", "journal")
    hub.ask("asker", A, "diff", "journal")

    (answered,) = hub.fail("d", A, "no baseline")

    assert ("asker", "no baseline") == (answered.peer.decode(), failure_of(answered).text)


def test_an_answer_of_a_process_that_was_not_asked_is_late(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.register("x", "diff")
    hub.ask("asker", A, "diff")

    assert [] == hub.answer("x", A, b"forged")
    assert [] == hub.answer("asker", A, b"forged")
    assert 2 == hub.routing.state.counts["late"]
    assert [("asker", Kind.ANSWER, A)] == seen(hub.answer("w", A, b"out"))


def test_a_second_answer_goes_nowhere(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff")
    hub.answer("w", A, b"out")

    assert [] == hub.answer("w", A, b"out")
    assert 1 == hub.routing.state.counts["late"]


# Asks that are no asks


@pytest.mark.parametrize(
    "envelope",
    [
        Envelope(Kind.ASK, A, (), ttl_ms=1000),
        Envelope(Kind.ASK, A, itinerary(*["diff"] * 9), ttl_ms=1000),
        Envelope(Kind.ASK, A, itinerary("diff"), ttl_ms=0),
        Envelope(Kind.ASK, A, itinerary("diff"), ttl_ms=-1),
        Envelope(Kind.ASK, b"", itinerary("diff"), ttl_ms=1000),
    ],
    ids=["no stop", "nine stops", "no time", "less than no time", "no id"],
)
def test_an_ask_out_of_bounds_is_refused_at_once(hub: Hub, envelope: Envelope) -> None:
    (refused,) = hub.receive("asker", envelope, b"")

    assert "invalid_params" == failure_of(refused).code
    assert "1 to 8 stops" in failure_of(refused).text
    assert {} == hub.routing.state.tasks
    assert 1 == hub.routing.state.counts["malformed"]


def test_an_id_that_another_asks_with_is_refused_and_the_first_is_answered(hub: Hub) -> None:
    hub.register("thief", "cli", capacity=0)
    hub.register("w", "diff")
    hub.ask("asker", A, "diff")

    (refused,) = hub.ask("thief", A, "diff")

    assert ("thief", "invalid_params") == (refused.peer.decode(), failure_of(refused).code)
    assert [("asker", Kind.ANSWER, A)] == seen(hub.answer("w", A))


def test_a_process_that_has_not_registered_receives_a_reset(hub: Hub) -> None:
    sent = hub.ask("stranger", A, "diff") + hub.say("stranger", Kind.PONG)

    assert [("stranger", Kind.RESET, b"")] * 2 == seen(sent)
    assert 2 == hub.routing.state.counts["unregistered"]


@pytest.mark.parametrize("kind", [Kind.PING, Kind.RESET])
def test_what_only_the_broker_sends_is_counted_and_dropped(hub: Hub, kind: Kind) -> None:
    assert [] == hub.say("asker", kind) + hub.say("asker", kind)
    assert 2 == hub.routing.state.counts["misplaced"]


@pytest.mark.parametrize(
    "frames", [(), (b"",), (b"\xc1",), (pack({"type": "Register"}),), (b"\x81\xa1x" + b"\x91" * 99_999,)]
)
def test_a_registration_that_cannot_be_read_is_counted_and_dropped(hub: Hub, frames: tuple[bytes, ...]) -> None:
    assert [] == hub.receive("stranger", Envelope(Kind.REGISTER), *frames)
    assert 1 == hub.routing.state.counts["malformed"]
    assert [b"asker"] == list(hub.routing.state.peers)


# Assignment


def test_a_registration_is_confirmed_before_anything_is_sent(hub: Hub) -> None:
    hub.ask("asker", A, "diff")

    assert [("w", Kind.REGISTER, b""), ("w", Kind.ASK, A)] == seen(hub.register("w", "diff"))


@pytest.mark.requirement("hub-006")
def test_a_worker_gets_no_more_than_it_can_hold_and_the_next_one_when_it_answers(hub: Hub) -> None:
    hub.register("w", "diff", capacity=2)

    given = [seen(hub.ask("asker", number, "diff")) for number in (A, B, C)]

    assert [[("w", Kind.ASK, A)], [("w", Kind.ASK, B)], []] == given
    assert [("asker", Kind.ANSWER, A), ("w", Kind.ASK, C)] == seen(hub.answer("w", A))


def test_asks_that_wait_are_sent_in_their_order(hub: Hub) -> None:
    for number in (A, B, C):
        hub.ask("asker", number, "diff")

    assert [A, B, C] == [number for _, kind, number in seen(hub.register("w", "diff", capacity=3)) if kind is Kind.ASK]


def test_the_least_busy_worker_gets_the_next(hub: Hub) -> None:
    hub.register("v", "diff", capacity=3)
    hub.register("w", "diff", capacity=3)

    given = [seen(hub.ask("asker", number, "diff"))[0][0] for number in (A, B, C, D)]

    assert ["v", "w", "v", "w"] == given


@pytest.mark.parametrize("capacity", [0, -1])
def test_a_process_that_only_asks_gets_nothing(hub: Hub, capacity: int) -> None:
    hub.register("w", "diff", capacity)

    assert [] == hub.ask("asker", A, "diff")


def test_a_full_queue_answers_overloaded_at_once_and_once() -> None:
    hub = Hub(Limits(queue=2))
    hub.register("asker", "front", capacity=0)
    hub.ask("asker", A, "diff")
    hub.ask("asker", B, "diff")

    (refused,) = hub.ask("asker", C, "diff")

    assert ("overloaded", C) == (failure_of(refused).code, refused.envelope.id)
    assert 1 == hub.routing.state.counts["overloaded"]


def test_an_ask_that_was_begun_is_not_refused_by_a_full_queue() -> None:
    hub = Hub(Limits(queue=2))
    hub.register("asker", "front", capacity=0)
    hub.register("w", "diff")
    hub.ask("asker", A, "diff")
    hub.ask("asker", B, "diff")

    assert [] == hub.lose("w")
    assert "overloaded" == failure_of(hub.ask("asker", C, "diff")[0]).code
    assert [A, B] == [number for _, kind, number in seen(hub.register("x", "diff", capacity=2)) if kind is Kind.ASK]


def test_a_peer_with_too_many_open_asks_is_refused_the_next_until_one_is_answered() -> None:
    hub = Hub(Limits(window=2))
    hub.register("asker", "front", capacity=0)
    hub.register("w", "diff", capacity=9)
    hub.ask("asker", A, "diff")
    hub.ask("asker", B, "diff")

    (refused,) = hub.ask("asker", C, "diff")
    hub.answer("w", A)

    assert "overloaded" == failure_of(refused).code
    assert [("w", Kind.ASK, D)] == seen(hub.ask("asker", D, "diff"))


# Deadlines


def test_an_ask_in_work_fails_at_its_deadline_and_is_cancelled_at_its_worker(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff", ttl_s=2)

    assert [] == seen(hub.wait(1.99, "w", "asker"))
    failed, cancelled = (send for send in hub.wait(0.02, "w", "asker") if send.envelope.kind is not Kind.PING)

    assert ("asker", A, "deadline_exceeded") == (failed.peer.decode(), failed.envelope.id, failure_of(failed).code)
    assert ("w", Kind.CANCEL, A) == (cancelled.peer.decode(), cancelled.envelope.kind, cancelled.envelope.id)


def test_the_worker_of_an_expired_ask_is_assigned_nothing_until_it_confirms(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff", ttl_s=1)
    hub.wait(1, "w", "asker")

    assert [] == hub.ask("asker", B, "diff")
    assert [("w", Kind.ASK, B)] == seen(hub.fail("w", A))


def test_an_ask_that_waits_fails_at_its_deadline(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff")
    hub.ask("asker", B, "diff", ttl_s=1)

    (failed,) = (send for send in hub.wait(1, "w", "asker") if send.envelope.kind is not Kind.PING)

    assert (B, "deadline_exceeded") == (failed.envelope.id, failure_of(failed).code)
    assert 0 == hub.waiting("diff")


def test_the_deadlines_of_asks_that_were_answered_are_forgotten(hub: Hub) -> None:
    hub.register("w", "diff")
    for number in range(10 * EXPIRIES_KEPT):
        hub.ask("asker", number.to_bytes(4), "diff", ttl_s=3600)
        hub.answer("w", number.to_bytes(4))

    assert len(hub.routing.state.expiries) <= EXPIRIES_KEPT + 1


@pytest.mark.parametrize(("service", "code"), [("redaction", "redaction_unavailable"), ("diff", "worker_unavailable")])
def test_without_a_process_of_its_service_an_ask_fails_soon_and_by_name(hub: Hub, service: str, code: str) -> None:
    hub.wait(10, "asker")
    hub.register("w", service)
    hub.lose("w")
    assert [] == hub.ask("asker", A, service)

    assert [] == seen(hub.wait(5.9, "asker"))
    (failed,) = (send for send in hub.wait(0.2, "asker") if send.envelope.kind is not Kind.PING)

    assert code == failure_of(failed).code


@pytest.mark.parametrize(("service", "code"), [("redaction", "redaction_unavailable"), ("diff", "worker_unavailable")])
def test_a_service_that_is_long_away_is_waited_for_a_second_by_each_ask(hub: Hub, service: str, code: str) -> None:
    hub.wait(10, "asker")

    assert [] == hub.ask("asker", A, service)
    assert [] == seen(hub.wait(0.9, "asker"))
    (failed,) = (send for send in hub.wait(0.2, "asker") if send.envelope.kind is not Kind.PING)

    assert code == failure_of(failed).code
    hub.ask("asker", B, service)
    assert "w" in {send.peer.decode() for send in hub.register("w", service)}


def test_an_ask_without_a_process_wakes_the_broker_when_it_has_waited_long_enough() -> None:
    hub = Hub(Limits(ping_every_s=60))
    hub.register("asker", "front", capacity=0)
    hub.wait(10)

    hub.ask("asker", A, "diff")

    assert Limits().absent_ask_s == hub.routing.due() - hub.now


def test_while_the_broker_is_young_a_missing_service_may_still_come(hub: Hub) -> None:
    hub.ask("asker", A, "diff")
    hub.wait(5.9, "asker")

    assert ("w", Kind.ASK, A) in seen(hub.register("w", "diff"))


def test_an_ask_that_expires_while_its_service_is_missing_names_the_service(hub: Hub) -> None:
    hub.ask("asker", A, "redaction", ttl_s=1)

    (failed,) = (send for send in hub.wait(1, "asker") if send.envelope.kind is not Kind.PING)

    assert "redaction_unavailable" == failure_of(failed).code


# Cancelling


@pytest.mark.requirement("hub-010")
def test_a_cancelled_ask_in_work_is_cancelled_at_its_worker_and_not_answered(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff")

    assert [("w", Kind.CANCEL, A)] == seen(hub.say("asker", Kind.CANCEL, A))
    assert [] == hub.answer("w", A)
    assert {} == hub.routing.state.tasks


def test_a_cancelled_ask_that_waits_leaves_its_queue(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff")
    hub.ask("asker", B, "diff")

    assert [] == hub.say("asker", Kind.CANCEL, B)
    assert 0 == hub.waiting("diff")
    assert [("asker", Kind.ANSWER, A)] == seen(hub.answer("w", A))


def test_asks_that_were_cancelled_do_not_fill_the_queue() -> None:
    hub = Hub(Limits(queue=2))
    hub.register("asker", "front", capacity=0)
    for number in (A, B, C):
        hub.ask("asker", number, "diff")
        hub.say("asker", Kind.CANCEL, number)

    assert [] == hub.ask("asker", D, "diff")


def test_each_ask_that_its_asker_cancels_is_counted(hub: Hub) -> None:
    for number in (A, B):
        hub.ask("asker", number, "diff")
        hub.say("asker", Kind.CANCEL, number)

    assert 2 == hub.routing.state.counts["cancelled"]


def test_no_peer_cancels_the_ask_of_another(hub: Hub) -> None:
    hub.register("other", "cli", capacity=0)
    hub.register("w", "diff")
    hub.ask("asker", A, "diff")

    assert [] == hub.say("other", Kind.CANCEL, A)
    assert [("asker", Kind.ANSWER, A)] == seen(hub.answer("w", A))


# Peers that die


@pytest.mark.parametrize("delivery", [Delivery.QUERY, Delivery.STORE])
@pytest.mark.requirement("hub-014")
def test_a_query_or_a_store_of_a_dead_worker_goes_to_another_three_times_in_all(hub: Hub, delivery: Delivery) -> None:
    for peer in "uvwx":
        hub.register(peer, "diff")
    (first,) = hub.ask("asker", A, "diff", delivery=delivery, body=b"in")

    (second,) = hub.lose("u")
    (third,) = hub.lose("v")
    (failed,) = hub.lose("w")

    assert [(b"u", 1), (b"v", 2), (b"w", 3)] == [(one.peer, one.envelope.attempt) for one in (first, second, third)]
    assert [b"in"] == list(third.frames)
    assert "worker_unavailable" == failure_of(failed).code


@pytest.mark.requirement("hub-016")
def test_a_command_of_a_dead_worker_is_not_done_again(hub: Hub) -> None:
    hub.register("v", "diff")
    hub.register("w", "diff")
    hub.ask("asker", A, "diff", delivery=Delivery.COMMAND)

    (failed,) = hub.lose("v")

    assert ("outcome_unknown", True) == (failure_of(failed).code, "diff" in failure_of(failed).text)


@pytest.mark.parametrize(("delivery", "lives"), [(Delivery.COMMAND, "u"), (Delivery.QUERY, "uvw")])
def test_the_record_of_a_call_that_died_has_the_time_of_its_end(hub: Hub, delivery: Delivery, lives: str) -> None:
    for peer in lives:
        hub.register(peer, "diff")
    hub.ask("asker", A, "diff", delivery=delivery, trace="0" * 32)
    hub.now += 2

    for peer in lives:
        hub.lose(peer)

    (ended,) = hub.routing.state.calls
    assert 2 == ended.ended_at - ended.began_at


def test_each_ask_that_dies_with_its_last_worker_is_counted(hub: Hub) -> None:
    for number in (A, B):
        hub.ask("asker", number, "diff")
        for peer in "uvw":
            hub.register(peer, "diff")
            hub.lose(peer)

    assert 2 == hub.routing.state.counts["dead_letters"]


def test_redaction_that_keeps_dying_is_redaction_that_is_unavailable(hub: Hub) -> None:
    for peer in "uvw":
        hub.register(peer, "redaction")
    hub.ask("asker", A, "redaction")

    hub.lose("u")
    hub.lose("v")
    (failed,) = hub.lose("w")

    assert "redaction_unavailable" == failure_of(failed).code


def test_an_ask_that_is_sent_again_goes_before_those_that_wait(hub: Hub) -> None:
    hub.register("v", "diff")
    hub.ask("asker", A, "diff")
    hub.ask("asker", B, "diff")

    hub.lose("v")

    assert [("w", Kind.REGISTER, b""), ("w", Kind.ASK, A)] == seen(hub.register("w", "diff"))


def test_every_stop_has_its_own_attempts(hub: Hub) -> None:
    hub.register("d", "diff")
    hub.register("j", "journal")
    hub.ask("asker", A, "diff", "journal")
    hub.lose("d")
    hub.register("e", "diff")

    (given,) = hub.answer("e", A)

    assert (b"j", 1) == (given.peer, given.envelope.attempt)


def test_the_asks_of_a_lost_asker_are_cancelled_wherever_they_are(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff")
    hub.ask("asker", B, "diff")

    assert [("w", Kind.CANCEL, A)] == seen(hub.lose("asker"))
    assert ({}, 0) == (hub.routing.state.tasks, hub.waiting("diff"))


def test_an_ask_of_a_lost_asker_that_comes_again_waits_until_its_worker_has_cancelled(hub: Hub) -> None:
    hub.register("w", "diff", capacity=2)
    hub.ask("asker", A, "diff")
    hub.lose("asker")
    hub.register("asker", "front", capacity=0)

    assert [] == hub.ask("asker", A, "diff")
    assert [("w", Kind.ASK, A)] == seen(hub.fail("w", A, "cancelled"))
    assert [("asker", Kind.ANSWER, A)] == seen(hub.answer("w", A))


def test_what_is_first_in_a_queue_does_not_wait_behind_an_ask_that_is_still_being_cancelled(hub: Hub) -> None:
    hub.register("w", "diff", capacity=2)
    hub.ask("asker", A, "diff")
    hub.lose("asker")
    hub.register("asker", "front", capacity=0)
    hub.ask("asker", A, "diff", priority=Priority.BACKGROUND)

    assert [("w", Kind.ASK, B)] == seen(hub.ask("asker", B, "diff"))
    assert [("asker", Kind.ANSWER, B)] == seen(hub.answer("w", B))


def test_an_ask_that_waits_twice_over_is_sent_once(hub: Hub) -> None:
    hub.ask("asker", A, "diff")
    hub.lose("asker")
    hub.register("asker", "front", capacity=0)
    hub.ask("asker", A, "diff")

    given = hub.register("v", "diff") + hub.register("w", "diff")

    assert [("v", Kind.ASK, A)] == [one for one in seen(given) if one[1] is Kind.ASK]


def test_losing_an_unknown_peer_does_nothing(hub: Hub) -> None:
    assert [] == hub.lose("nobody")
    assert 0 == hub.routing.state.counts["lost_peers"]


# Peers that come back on a new link


def test_an_asker_that_registers_again_keeps_its_asks(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff")

    assert [("asker", Kind.REGISTER, b"")] == seen(hub.register("asker", "front", capacity=0))
    assert [] == hub.ask("asker", A, "diff")
    assert [("asker", Kind.ANSWER, A)] == seen(hub.answer("w", A))
    assert [] == hub.answer("w", A)


def test_a_worker_that_registers_again_gets_again_what_it_held(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff")

    assert [("w", Kind.REGISTER, b""), ("w", Kind.ASK, A)] == seen(hub.register("w", "diff"))
    assert [("asker", Kind.ANSWER, A)] == seen(hub.answer("w", A))


def test_a_command_whose_worker_registers_again_is_sent_to_that_very_process(hub: Hub) -> None:
    hub.register("w", "bridge")
    hub.register("x", "bridge")
    hub.ask("asker", A, "bridge", "redaction", delivery=Delivery.COMMAND)

    again = hub.register("w", "bridge", holds=(HeldStop(A, 0),))

    assert [("w", Kind.REGISTER, b""), ("w", Kind.ASK, A)] == seen(again)


def test_a_process_that_registers_again_as_something_else_is_another(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff", delivery=Delivery.COMMAND)

    failed, confirmed = hub.register("w", "audit")

    assert ("outcome_unknown", Kind.REGISTER) == (failure_of(failed).code, confirmed.envelope.kind)


# Leaving


def test_goodbye_is_confirmed_and_ends_assignments_but_not_answers(hub: Hub) -> None:
    hub.register("w", "diff", capacity=2)
    hub.ask("asker", A, "diff")

    assert [("w", Kind.GOODBYE, b"")] == seen(hub.say("w", Kind.GOODBYE))
    assert [] == hub.ask("asker", B, "diff")
    assert [("asker", Kind.ANSWER, A)] == seen(hub.answer("w", A))
    assert b"w" not in hub.routing.state.peers
    assert 0 == hub.routing.state.counts["lost_peers"]


def test_a_process_that_leaves_with_open_asks_is_forgotten_when_they_are_answered(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff")
    hub.say("asker", Kind.GOODBYE)
    assert b"asker" in hub.routing.state.peers

    assert [("asker", Kind.ANSWER, A)] == seen(hub.answer("w", A))
    assert b"asker" not in hub.routing.state.peers


def test_a_worker_that_dies_while_it_leaves_costs_no_ask(hub: Hub) -> None:
    hub.register("v", "diff")
    hub.register("w", "diff")
    hub.ask("asker", A, "diff")
    hub.say("v", Kind.GOODBYE)

    assert [("w", Kind.ASK, A)] == seen(hub.lose("v"))


# Hearts


def test_a_silent_process_is_asked_and_then_taken_for_dead(hub: Hub) -> None:
    hub.register("v", "diff")
    hub.register("w", "diff")
    hub.ask("asker", A, "diff")

    sent = hub.wait(4.1, "asker", "w")

    assert 3 <= [send.peer for send in sent if send.envelope.kind is Kind.PING].count(b"v") <= 4
    assert [("w", Kind.ASK, A)] == seen(sent)
    assert 1 == hub.routing.state.counts["silent_peers"]


def test_a_process_that_talks_is_not_asked(hub: Hub) -> None:
    for _ in range(20):
        hub.now += 0.5
        hub.say("asker", Kind.PONG)

        assert [] == hub.tick()


def test_a_broker_that_was_suspended_takes_no_peer_for_dead(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.tick()

    hub.tick(after_s=60)

    assert {b"asker", b"w"} == hub.routing.state.peers.keys()


def test_a_death_after_the_brokers_suspension_is_noticed_as_soon_as_ever(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.tick()
    hub.now += 3600
    hub.say("w", Kind.PONG)
    hub.tick()

    hub.wait(4.1, "asker")

    assert {b"asker"} == hub.routing.state.peers.keys()


def test_a_tick_leaves_nothing_due(hub: Hub) -> None:
    hub.ask("asker", A, "diff", ttl_s=2.5)
    for _ in range(40):
        hub.now += 0.1
        hub.tick()

        assert hub.routing.due() > hub.now


# The broker itself


def test_it_answers_with_its_status(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff")
    hub.ask("asker", B, "diff")
    hub.now += 2

    (answered,) = hub.receive("asker", Envelope(Kind.ASK, C, (stop("broker", ReadStatus()),), ttl_ms=1000), b"")

    status = msgspec.msgpack.decode(answered.frames[0], type=StatusRead)
    assert (Kind.ANSWER, C, b"asker") == (answered.envelope.kind, answered.envelope.id, answered.peer)
    assert [("front", 0, 0, 2.0), ("diff", 1, 1, 2.0)] == [
        (peer.service, peer.capacity, peer.running, peer.up_s) for peer in status.peers
    ]
    assert [("diff", 1, 1)] == [(one.service, one.waiting, one.running) for one in status.services]
    assert (2, 2.0) == (status.in_flight, status.up_s)


@pytest.mark.parametrize("message", [b"\xc0", pack({"type": "Shutdown"}), b"\xa1\xff", b"\x81\xa1x" + b"\x91" * 99_999])
def test_it_refuses_what_it_does_not_understand(hub: Hub, message: bytes) -> None:
    stops = (Stop("broker", msgspec.Raw(message)),)

    (refused,) = hub.receive("asker", Envelope(Kind.ASK, A, stops, ttl_ms=1000), b"")

    assert "invalid_params" == failure_of(refused).code


def test_the_label_that_a_stop_gets_is_the_brokers(hub: Hub) -> None:
    hub.register("b", "bridge")
    hub.register("r", "redaction")
    first = hub.ask("asker", A, "bridge", "redaction", label=Label.RAW)

    second = hub.receive("b", Envelope(Kind.ANSWER, A, label=Label.CLEAN), b"page")

    assert ([Label.CLEAN], [Label.RAW]) == (labels(first), labels(second))


# Another machine's process


def test_a_service_whose_last_process_was_cut_off_is_waited_for_longer(hub: Hub) -> None:
    limits = Limits()
    hub.register("\x01w", "diff")
    hub.lose("\x01w")
    hub.wait(limits.suspect_s, "asker")
    hub.ask("asker", A, "diff", ttl_s=100)

    assert [] == [send for send in hub.wait(limits.absent_remote_s - 1, "asker") if send.envelope.id == A]
    (failed,) = [send for send in hub.wait(2, "asker") if send.envelope.id == A]
    assert "worker_unavailable" == failure_of(failed).code


def test_a_service_whose_last_process_on_another_machine_took_its_leave_is_not(hub: Hub) -> None:
    limits = Limits()
    hub.register("\x01w", "diff")
    hub.say("\x01w", Kind.GOODBYE)
    hub.ask("asker", A, "diff", ttl_s=100)

    (failed,) = [send for send in hub.wait(limits.absent_s + 1, "asker") if send.envelope.id == A]
    assert "worker_unavailable" == failure_of(failed).code
