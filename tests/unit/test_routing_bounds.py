"""The bounds of the hub, each tried by a peer from outside."""

import pytest

from gasoline_broker.actor.wire import Delivery, Envelope, Kind, pack
from gasoline_broker.hub.limits import Limits
from gasoline_broker.messages import HeldStop, Register
from unit.hub import REMOTE, Hub, failure_of, failures, given, itinerary, seen

A, B, C = b"a", b"b", b"c"
FAR = f"{REMOTE}far"
COMMAND = Delivery.COMMAND


@pytest.fixture
def hub() -> Hub:
    made = Hub(Limits(services=4, asked_bytes=100))
    made.register("asker", "front", capacity=0)
    return made


@pytest.mark.parametrize(
    "envelope",
    [
        Envelope(Kind.ASK, A, itinerary("diff"), ttl_ms=2**64 - 1),
        Envelope(Kind.ASK, A * 33, itinerary("diff"), ttl_ms=1_000),
        Envelope(Kind.ASK, A, itinerary("diff"), ttl_ms=1_000, session="s" * 257),
        Envelope(Kind.ASK, A, itinerary("diff"), ttl_ms=1_000, trace="t" * 257),
        Envelope(Kind.ASK, A, itinerary("d" * 257), ttl_ms=1_000),
        Envelope(Kind.ASK, A, itinerary("r", "s", "t", "u"), ttl_ms=1_000),
    ],
    ids=["584 million years", "a long id", "a long session", "a long trace", "a long service", "too many services"],
)
def test_an_ask_beyond_the_limits_is_refused(hub: Hub, envelope: Envelope) -> None:
    (refused,) = hub.receive("asker", envelope, b"")

    assert "invalid_params" == failure_of(refused).code
    assert {} == hub.routing.state.tasks


@pytest.mark.parametrize(
    ("envelope", "admitted"),
    [
        (Envelope(Kind.ASK, A, itinerary("diff"), ttl_ms=86_400_000), True),
        (Envelope(Kind.ASK, A, itinerary("diff"), ttl_ms=86_400_001), False),
        (Envelope(Kind.ASK, A, itinerary("diff"), ttl_ms=1), True),
        (Envelope(Kind.ASK, A * 32, itinerary("diff"), ttl_ms=1_000), True),
        (Envelope(Kind.ASK, A, itinerary("diff"), ttl_ms=1_000, session="s" * 200, trace="t" * 56), True),
        (Envelope(Kind.ASK, A, itinerary("diff"), ttl_ms=1_000, session="s" * 200, trace="t" * 57), False),
        (Envelope(Kind.ASK, A, itinerary("d" * 256), ttl_ms=1_000), True),
        (Envelope(Kind.ASK, A, itinerary(*["diff"] * 8), ttl_ms=1_000), True),
        (Envelope(Kind.ASK, A, itinerary("r", "s", "t"), ttl_ms=1_000), True),
    ],
)
def test_an_ask_just_within_the_limits_is_admitted(hub: Hub, envelope: Envelope, *, admitted: bool) -> None:
    hub.receive("asker", envelope, b"")

    assert admitted is (envelope.id in hub.routing.state.tasks)


def test_open_asks_may_have_as_many_bytes_as_the_limit_and_no_more(hub: Hub) -> None:
    hub.ask("asker", A, "diff", body=bytes(60))

    assert [] == hub.ask("asker", B, "diff", body=bytes(40))
    assert [(C, "overloaded")] == failures(hub.ask("asker", C, "diff", body=bytes(1)))


def test_asks_that_are_too_large_together_are_refused_until_one_has_ended(hub: Hub) -> None:
    hub.register("w", "diff", capacity=9)
    hub.ask("asker", A, "diff", body=bytes(60))

    (refused,) = hub.ask("asker", B, "diff", body=bytes(60))
    hub.answer("w", A)

    assert "overloaded" == failure_of(refused).code
    assert [("w", C)] == given(hub.ask("asker", C, "diff", body=bytes(60)))


@pytest.mark.parametrize(
    "registration",
    [
        Register("diff", 1, 1, "1", holds=(HeldStop(A, 0),) * 10_001),
        Register("d" * 257, 1, 1, "1"),
    ],
    ids=["too many stops held", "a long name"],
)
def test_a_registration_beyond_the_limits_is_dropped(hub: Hub, registration: Register) -> None:
    assert [] == hub.receive("w", Envelope(Kind.REGISTER), pack(registration))
    assert 1 == hub.routing.state.counts["malformed"]


def test_a_service_without_a_process_is_forgotten_in_the_end(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff")
    hub.answer("w", A)
    hub.lose("w")

    hub.wait(590, "asker")
    assert "diff" in hub.routing.state.services
    hub.wait(20, "asker")

    assert "diff" not in hub.routing.state.services


def test_a_command_whose_answer_was_too_large_to_keep_is_in_doubt_and_not_done_again() -> None:
    hub = Hub(Limits(reply_bytes=10))
    hub.register("asker", "front", capacity=0)
    hub.register("v", "diff")
    hub.register("w", "diff")
    hub.ask("asker", A, "diff", delivery=COMMAND)
    hub.answer("v", A, bytes(11))
    hub.now += 2

    assert [(A, "outcome_unknown")] == failures(hub.ask("asker", A, "diff", delivery=COMMAND))


def test_a_command_whose_answer_was_forgotten_for_newer_ones_is_in_doubt_too() -> None:
    hub = Hub(Limits(replies=1))
    hub.register("asker", "front", capacity=0)
    hub.register("w", "diff")
    for number in (A, B):
        hub.ask("asker", number, "diff", delivery=COMMAND)
        hub.answer("w", number, b"out")
    hub.now += 2

    assert [(A, "outcome_unknown")] == failures(hub.ask("asker", A, "diff", delivery=COMMAND))


def test_a_peer_that_is_back_cancels_what_another_has_finished_meanwhile(hub: Hub) -> None:
    hub.register(FAR, "diff")
    hub.ask("asker", A, "diff")
    hub.register("v", "diff")
    hub.lose(FAR)
    hub.answer("v", A)

    back = hub.register(FAR, "diff", holds=(HeldStop(A, 0),))

    assert [(FAR, Kind.REGISTER, b""), (FAR, Kind.CANCEL, A)] == seen(back)
    hub.wait(5.1, "asker", "v", FAR)
    assert 1 == hub.routing.state.counts["stuck_peers"]


def test_a_peer_that_registers_at_a_closing_broker_receives_closing(hub: Hub) -> None:
    hub.drain()
    hub.closed("asker")

    assert [("w", Kind.REGISTER, b""), ("w", Kind.CLOSING, b"")] == seen(hub.register("w", "diff"))
    assert not hub.routing.idle
    hub.closed("w")
    assert hub.routing.idle


def test_what_a_broker_that_leaves_may_have_had_done_is_in_doubt(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff", delivery=COMMAND)
    hub.lose("asker")
    hub.fail("w", A)
    hub.register("asker", "front", capacity=0)
    hub.now += 2
    hub.drain()

    assert [(A, "outcome_unknown")] == failures(hub.ask("asker", A, "diff", delivery=COMMAND))


def test_a_service_that_remembers_and_comes_after_the_ask_gets_it_if_unclaimed(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff", delivery=COMMAND, attempt=1)
    hub.lose("w")
    hub.register("x", "diff", remembers=True)

    assert [("x", A)] == given(hub.wait(1.1, "asker", "x"))


def test_the_first_ping_answers_for_what_was_sent_before_it_alone() -> None:
    hub = Hub(Limits(unread_bytes=100))
    hub.register("asker", "front", capacity=0)
    hub.register("w", "diff", capacity=9)
    for number in (A, B):
        hub.ask("asker", number, "diff")
        hub.answer("w", number, bytes(60))

    hub.say("asker", Kind.PONG)

    assert 60 == hub.routing.state.peers[b"asker"].unread_bytes
