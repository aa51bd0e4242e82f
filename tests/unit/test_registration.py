"""What one life of the broker leaves to the next, and to askers after a cut link: replies, claims, draining."""

import pytest

from gasoline_broker.actor.wire import ADMITTED_BEFORE, CANCELLED, Delivery, Envelope, Kind, pack
from gasoline_broker.hub.limits import Limits
from gasoline_broker.messages import HeldStop, Register
from unit.hub import REMOTE, Hub, failure_of, failures, given, seen

A, B, C = b"a", b"b", b"c"
COMMAND = Delivery.COMMAND
FAR = REMOTE + "asker"


@pytest.fixture
def hub() -> Hub:
    """Return a hub with an asker, at the very start of its life."""
    made = Hub()
    made.register("asker", "front", capacity=0)
    return made


# Replies


@pytest.mark.parametrize(
    ("asker", "delivery", "kept"),
    [
        ("asker", Delivery.COMMAND, True),
        ("asker", Delivery.STORE, True),
        ("asker", Delivery.QUERY, False),
        (FAR, Delivery.QUERY, True),
    ],
    ids=["a command's", "a store's", "not a query's, it can be asked anew", "a query's, if that is far"],
)
def test_an_answer_is_kept_for_an_asker_whose_link_was_cut(asker: str, delivery: Delivery, *, kept: bool) -> None:
    hub = Hub()
    hub.register(asker, "front", capacity=0)
    hub.register("w", "diff")
    hub.ask(asker, A, "diff", delivery=delivery, trace="t")
    first = hub.answer("w", A, b"out", b"blob")
    hub.register(asker, "front", capacity=0)

    again = hub.ask(asker, A, "diff", delivery=delivery, attempt=1)

    assert kept == (first == again)
    assert [Kind.ANSWER if kept else Kind.ASK] == [send.envelope.kind for send in again]


def test_a_failure_is_kept_too(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff", delivery=COMMAND)
    first = hub.lose("w")

    assert [(A, "outcome_unknown")] == failures(first)
    assert first == hub.ask("asker", A, "diff", delivery=COMMAND, attempt=1)


def test_an_answer_is_sent_again_to_its_asker_alone(hub: Hub) -> None:
    hub.register("thief", "front", capacity=0)
    hub.register("w", "diff")
    hub.ask("asker", A, "diff", delivery=COMMAND)
    hub.answer("w", A, b"out")

    sent = hub.ask("thief", A, "diff")

    assert [("w", A)] == given(sent)


@pytest.mark.parametrize(
    ("limits", "kept"),
    [
        (Limits(replies=2), [B, C]),
        (Limits(replies_bytes=20), [B, C]),
        (Limits(reply_bytes=9), []),
        (Limits(), [A, B, C]),
    ],
    ids=["so many", "so many bytes", "none that is large", "as they came"],
)
def test_no_more_answers_are_kept_than_are_bounded_the_newest(limits: Limits, kept: list[bytes]) -> None:
    hub = Hub(limits)
    hub.register("asker", "front", capacity=0)
    hub.register("w", "diff")

    for number in (A, B, C):
        hub.ask("asker", number, "diff", delivery=COMMAND)
        hub.answer("w", number, b"ten bytes.")

    assert kept == list(hub.routing.state.replies.kept)
    assert 10 * len(kept) == hub.routing.state.replies.size_bytes


# Claims: the broker was started again


def test_what_was_sent_before_goes_to_its_holder(hub: Hub) -> None:
    hub.register("v", "diff")
    hub.register("w", "diff", holds=(HeldStop(A, 0),))

    assert [("w", A)] == given(hub.ask("asker", A, "diff", attempt=1))
    assert [("asker", Kind.ANSWER, A)] == seen(hub.answer("w", A))


def test_what_was_not_sent_before_goes_to_any_process(hub: Hub) -> None:
    hub.register("v", "diff")
    hub.register("w", "diff", holds=(HeldStop(A, 0),))

    assert [("v", A)] == given(hub.ask("asker", A, "diff"))


def test_a_command_that_was_done_before_goes_to_the_process_that_remembers_its_answer(hub: Hub) -> None:
    hub.register("v", "diff")
    hub.register("w", "diff", holds=(HeldStop(A, 0, done=True),))

    assert [("w", A)] == given(hub.ask("asker", A, "diff", delivery=COMMAND, attempt=1))


def test_what_a_process_holds_from_before_takes_its_place_until_it_cancels(hub: Hub) -> None:
    hub.register("w", "diff", holds=(HeldStop(A, 0), HeldStop(C, 0, done=True)))

    assert [] == hub.ask("asker", B, "diff")
    assert [("w", B)] == given(hub.answer("w", A))


def test_what_a_process_holds_from_before_is_not_cancelled(hub: Hub) -> None:
    assert [("w", Kind.REGISTER, b"")] == seen(hub.register("w", "diff", holds=(HeldStop(A, 0, left_ms=3_000),)))
    assert [("w", Kind.REGISTER, b"")] == seen(hub.register("w", "diff", holds=(HeldStop(A, 0, left_ms=2_000),)))


def test_what_a_process_holds_from_before_beyond_its_time_makes_it_stuck(hub: Hub) -> None:
    hub.register("w", "diff", holds=(HeldStop(A, 0, left_ms=3_000),))

    hub.wait(7.9, "w", "asker")
    assert b"w" in hub.routing.state.peers
    hub.wait(1.2, "w", "asker")

    assert b"w" not in hub.routing.state.peers
    assert 1 == hub.routing.state.counts["stuck_peers"]


def test_a_worker_that_holds_another_stop_of_it_does_not_hold_this_one(hub: Hub) -> None:
    hub.register("w", "diff", holds=(HeldStop(A, 1, done=True),))
    hub.register("v", "diff")

    assert [] == hub.ask("asker", A, "diff", "diff", delivery=COMMAND, attempt=1)
    assert [(A, "outcome_unknown")] == failures(hub.wait(1, "asker", "v", "w"))


def test_a_worker_that_comes_with_another_stop_of_it_does_not_get_this_one(hub: Hub) -> None:
    hub.ask("asker", A, "diff", "diff", attempt=1)

    assert [] == given(hub.register("w", "diff", holds=(HeldStop(A, 1),)))


def test_a_later_stop_goes_to_its_holder_too(hub: Hub) -> None:
    hub.register("d", "diff")
    hub.register("i", "journal")
    hub.register("j", "journal", holds=(HeldStop(A, 1),))
    hub.ask("asker", A, "diff", "journal", attempt=1)

    assert [("j", A)] == given(hub.answer("d", A))


def test_a_query_that_was_sent_before_and_is_unclaimed_is_assigned_again(hub: Hub) -> None:
    hub.register("w", "diff")

    assert [("w", A)] == given(hub.ask("asker", A, "diff", attempt=1))


def test_a_query_that_waits_is_claimed_by_the_process_that_registers_with_it(hub: Hub) -> None:
    hub.register("v", "diff")
    hub.ask("asker", B, "diff")
    hub.ask("asker", A, "diff", attempt=1)

    came = hub.register("w", "diff", holds=(HeldStop(A, 0),))

    assert ([("w", A)], 0) == (given(came), hub.waiting("diff"))


def test_a_command_that_is_unclaimed_a_second_after_the_start_is_of_unknown_outcome(hub: Hub) -> None:
    hub.register("w", "diff")

    waits = hub.ask("asker", A, "diff", delivery=COMMAND, attempt=1) + hub.wait(0.99, "asker", "w")
    failed = hub.wait(0.01, "asker", "w")

    assert ([], [(A, "outcome_unknown")]) == (seen(waits), failures(failed))
    assert hub.routing.idle


def test_a_command_that_is_claimed_within_the_second_continues(hub: Hub) -> None:
    hub.ask("asker", A, "diff", delivery=COMMAND, attempt=1)
    hub.wait(0.9, "asker")

    came = hub.register("w", "diff", holds=(HeldStop(A, 0),))

    assert [("w", A)] == given(came)
    assert [] == seen(hub.wait(1, "asker", "w"))
    assert [("asker", Kind.ANSWER, A)] == seen(hub.answer("w", A))


def test_after_that_second_an_unclaimed_command_is_of_unknown_outcome_at_once(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.wait(1, "asker", "w")

    (failed,) = hub.ask("asker", A, "diff", delivery=COMMAND, attempt=1, trace="t")

    (ended,) = hub.routing.state.calls
    assert ("outcome_unknown", hub.now) == (failure_of(failed).code, ended.ended_at)
    assert "The diff process" in failure_of(failed).text


@pytest.mark.requirement("hub-016")
def test_a_service_that_remembers_gets_a_command_again(hub: Hub) -> None:
    hub.register("b", "bridge", remembers=True)

    assert [("b", A)] == given(hub.ask("asker", A, "bridge", "redaction", delivery=COMMAND, attempt=1))


def test_a_command_that_was_never_sent_before_waits_for_no_claim(hub: Hub) -> None:
    hub.register("w", "diff")

    assert [("w", A)] == given(hub.ask("asker", A, "diff", delivery=COMMAND))


def test_a_command_is_not_done_by_another_when_its_claimant_dies(hub: Hub) -> None:
    hub.register("w", "diff", holds=(HeldStop(A, 0),))
    hub.register("v", "diff")
    hub.ask("asker", A, "diff", delivery=COMMAND, attempt=1)

    assert [(A, "outcome_unknown")] == failures(hub.lose("w", A))


def test_a_command_waits_for_a_suspect_that_holds_it(hub: Hub) -> None:
    hub.register(REMOTE + "w", "diff", holds=(HeldStop(A, 0),))
    hub.register("v", "diff")
    hub.wait(1.5, "asker", "v", REMOTE + "w")
    hub.lose(REMOTE + "w")

    waits = hub.ask("asker", A, "diff", delivery=COMMAND, attempt=1)
    back = hub.register(REMOTE + "w", "diff", holds=(HeldStop(A, 0),))

    assert ([], [(REMOTE + "w", A)]) == (waits, given(back))


def test_an_unclaimed_ask_can_be_cancelled(hub: Hub) -> None:
    hub.ask("asker", A, "diff", delivery=COMMAND, attempt=1)

    assert [] == hub.say("asker", Kind.CANCEL, A)
    assert [] == seen(hub.wait(1, "asker"))
    assert [] == given(hub.register("w", "diff", holds=(HeldStop(A, 0),)))


# Draining


@pytest.mark.requirement("hub-012")
def test_a_broker_that_leaves_finishes_what_it_knows(hub: Hub) -> None:
    hub.register("d", "diff")
    hub.register("j", "journal")
    hub.ask("asker", A, "diff", "journal")
    assert [("asker", Kind.CLOSING, b""), ("d", Kind.CLOSING, b""), ("j", Kind.CLOSING, b"")] == seen(hub.drain())
    hub.closed("asker", "d", "j")
    assert not hub.routing.idle

    went = hub.answer("d", A)
    answered = hub.answer("j", A, position=1)

    assert ([("j", A)], [("asker", Kind.ANSWER, A)]) == (given(went), seen(answered))
    assert hub.routing.idle


def test_a_closing_broker_takes_no_new_ask_and_names_it(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.drain()

    assert [("asker", Kind.GOODBYE, A)] == seen(hub.ask("asker", A, "diff"))


@pytest.mark.requirement("hub-012")
def test_a_broker_that_leaves_hands_back_what_was_never_begun(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff", delivery=COMMAND)
    hub.ask("asker", B, "diff", delivery=COMMAND, trace="t")
    hub.ask("asker", C, "diff", delivery=COMMAND, attempt=1)  # an earlier broker may have had it begun

    handed_back = [(send.peer, send.envelope) for send in hub.drain() if send.envelope.kind is Kind.GOODBYE]

    assert [(b"asker", Envelope(Kind.GOODBYE, B, attempt=ADMITTED_BEFORE))] == handed_back
    assert [("handed_back", hub.now)] == [(one.outcome, one.ended_at) for one in hub.routing.state.calls]

    assert [] == hub.ask("asker", C, "diff", delivery=COMMAND, attempt=1)
    assert [("asker", Kind.ANSWER, A)] == seen(hub.answer("w", A))
    assert [] == given(hub.wait(0.1, "asker", "w"))


def test_a_closing_broker_waits_until_every_peer_has_confirmed_or_is_gone(hub: Hub) -> None:
    for peer in "uvw":
        hub.register(peer, "diff")
    hub.drain()
    hub.closed("asker", "u")
    hub.say("v", Kind.GOODBYE)
    assert not hub.routing.idle

    hub.lose("w")

    assert hub.routing.idle


def test_a_broker_that_leaves_still_knows_what_it_was_asked_before(hub: Hub) -> None:
    hub.register("w", "diff", capacity=2)
    for number in (A, B):
        hub.ask("asker", number, "diff", delivery=COMMAND)
    hub.answer("w", B)
    hub.drain()

    on_its_way = hub.ask("asker", A, "diff", delivery=COMMAND, attempt=1)
    answered = hub.ask("asker", B, "diff", delivery=COMMAND, attempt=1)

    assert ([], [("asker", Kind.ANSWER, B)]) == (on_its_way, seen(answered))


# Words that cross


def test_a_query_that_comes_again_while_its_holder_cancels_it_goes_to_another(hub: Hub) -> None:
    hub.register("w", "diff", capacity=2, holds=(HeldStop(A, 0),))
    hub.register("v", "diff")
    hub.ask("asker", A, "diff", attempt=1)
    hub.say("asker", Kind.CANCEL, A)

    assert [("v", A)] == given(hub.ask("asker", A, "diff", attempt=1))


def test_a_command_that_comes_again_while_its_holder_cancels_it_is_of_unknown_outcome(hub: Hub) -> None:
    hub.register("w", "diff", capacity=2, holds=(HeldStop(A, 0),))
    hub.register("v", "diff")
    hub.ask("asker", A, "diff", attempt=1)
    hub.say("asker", Kind.CANCEL, A)

    sent = hub.ask("asker", A, "diff", delivery=COMMAND, attempt=1, trace="t")

    assert ([(A, "outcome_unknown")], []) == (failures(sent), given(sent))
    assert "diff" in failure_of(sent[0]).text
    assert hub.now == hub.routing.state.calls[-1].ended_at


def test_a_confirmed_cancellation_does_not_answer_an_ask_that_came_again(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff", trace="t")
    hub.ask("asker", B, "diff")
    hub.now += 2

    again = hub.receive("w", Envelope(Kind.FAILURE, A, attempt=CANCELLED), b"cancelled")

    assert [("w", A)] == given(again)
    assert [("asker", Kind.ANSWER, A), ("w", Kind.ASK, B)] == seen(hub.answer("w", A))
    ended = [(one.outcome, one.ended_at) for one in hub.routing.state.calls[0].attempts]
    assert [("cancelled", hub.now), ("answered", hub.now)] == ended


def test_a_registration_that_is_sent_twice_changes_nothing(hub: Hub) -> None:
    registration = pack(Register("diff", 1, pid=1, version="1"))
    hub.receive("w", Envelope(Kind.REGISTER, position=1), registration)
    hub.ask("asker", A, "diff", ttl_s=1)
    hub.wait(1, "w", "asker")

    again = hub.receive("w", Envelope(Kind.REGISTER, position=1), registration)

    assert [("w", Kind.REGISTER, b"")] == seen(again)
    assert [] == hub.ask("asker", B, "diff")
