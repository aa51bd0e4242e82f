"""The broker's reports: its status, and the last calls."""

from typing import Any

import msgspec
import pytest

from gasoline_broker.actor.wire import Delivery, Kind
from gasoline_broker.hub.limits import Limits
from gasoline_broker.hub.reports import CALLS_MAX
from gasoline_broker.messages import (
    Call,
    CallsRead,
    DeadLetter,
    Hop,
    PeerStatus,
    ReadCalls,
    ReadStatus,
    Spread,
    StatusRead,
)
from unit.hub import REMOTE, Hub, failure_of, failures

A, B, C = b"a", b"b", b"c"


@pytest.fixture
def hub() -> Hub:
    """Return a hub with an asker, which does not show up as it registers."""
    made = Hub()
    made.register("asker", "front", capacity=0, pid=5)
    return made


def calls(hub: Hub, **asked: Any) -> list[Call]:
    return hub.read("asker", ReadCalls(**asked), CallsRead).calls


def call(hub: Hub, trace: str) -> None:
    """Let a call begin and end."""
    hub.ask("asker", trace.encode(), "diff", trace=trace)
    hub.answer("w", trace.encode())


# Status


def test_a_status_names_each_process() -> None:
    hub = Hub()
    hub.register("w", "diff", capacity=3, pid=7)
    hub.now += 4
    hub.register(REMOTE + "w", "diff", pid=8)
    hub.register("asker", "front", capacity=0, pid=5)
    for number in (A, B):
        hub.ask("asker", number, "diff")
    hub.answer("w", A)
    hub.lose(REMOTE + "w")

    status = hub.read("asker", ReadStatus(), StatusRead)

    assert [
        PeerStatus("diff", 7, capacity=3, running=1, done=1, up_s=4.0, version="1"),
        PeerStatus("diff", 8, capacity=1, running=1, done=0, up_s=0.0, version="1", remote=True, suspect=True),
        PeerStatus("front", 5, capacity=0, running=0, done=0, up_s=0.0, version="1"),
    ] == status.peers


def test_a_status_has_for_each_service_how_long_asks_waited_and_were_worked_on(hub: Hub) -> None:
    hub.register("w", "diff")
    for number in (A, B, C):
        hub.ask("asker", number, "diff")
    hub.now += 2
    hub.answer("w", A)
    hub.now += 1
    hub.fail("w", B)

    status = hub.read("asker", ReadStatus(), StatusRead)

    (diff,) = status.services
    assert [0, 2] == [peer.done for peer in status.peers]
    assert ("diff", 0, 1, 1) == (diff.service, diff.waiting, diff.running, diff.failed)
    assert (3, 5.0) == (diff.waited.count, diff.waited.sum_s)
    assert (2, 3.0) == (diff.worked.count, diff.worked.sum_s)
    assert pytest.approx(2_000, rel=0.05) == diff.worked.p99_ms


def test_a_service_without_a_process_is_listed_while_an_ask_waits_for_it(hub: Hub) -> None:
    hub.ask("asker", A, "audit")
    before = hub.read("asker", ReadStatus(), StatusRead).services
    hub.say("asker", Kind.CANCEL, A)

    after = hub.read("asker", ReadStatus(), StatusRead).services

    assert [("audit", 1, 0, Spread())] == [(one.service, one.waiting, one.running, one.waited) for one in before]
    assert [] == after


def test_a_status_counts_what_is_on_its_way_and_what_went_wrong(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff")
    hub.ask("asker", B, "diff")
    hub.ask("asker", C)
    hub.now += 3
    hub.answer("w", b"unknown")

    status = hub.read("asker", ReadStatus(), StatusRead)

    assert (2, 3.0, {"malformed": 1, "late": 1}) == (status.in_flight, status.up_s, status.counts)


def test_reading_a_status_is_no_call(hub: Hub) -> None:
    hub.read("asker", ReadStatus(), StatusRead)

    assert (0, []) == (hub.read("asker", ReadStatus(), StatusRead).in_flight, calls(hub))


# Dead letters


def test_an_ask_that_was_abandoned_after_its_last_attempt_can_be_looked_at() -> None:
    hub = Hub()
    hub.register("asker", "front", capacity=0)
    for pid in (11, 12, 13):
        hub.register(str(pid), "diff", pid=pid)
    hub.register("b", "audit")
    hub.ask("asker", A, "audit", "diff", "journal", trace="t")
    hub.answer("b", A)

    sent = [hub.lose("11"), hub.lose("12"), hub.lose("13")]
    hub.now += 5

    assert [(A, "worker_unavailable")] == failures(sent[2])
    assert "died 3 times" in failure_of(sent[2][0]).text
    status = hub.read("asker", ReadStatus(), StatusRead)
    letter = DeadLetter("t", "diff", ("audit", "diff", "journal"), (11, 12, 13), 5.0)
    assert ([letter], 1) == (status.dead_letters, status.counts["dead_letters"])


def test_no_more_dead_letters_are_kept_than_are_bounded() -> None:
    hub = Hub()
    hub.register("asker", "front", capacity=0)
    for number in range(110):
        for name in "uvw":
            hub.register(name, "diff")
        hub.ask("asker", number.to_bytes(2), "diff", trace=str(number))
        for name in "uvw":
            hub.lose(name)

    assert [str(number) for number in range(10, 110)] == [letter.trace for letter in hub.routing.state.dead_letters]


# Calls


def test_a_call_has_its_way_with_all_times(hub: Hub) -> None:
    hub.register("w", "diff", pid=7)
    hub.ask("asker", B, "diff")
    hub.ask("asker", A, "diff", "journal", trace="t", session="s")
    hub.now += 0.5
    hub.answer("w", B)
    hub.now += 0.25
    hub.answer("w", A)
    hub.register("j", "journal", pid=8)
    hub.now += 0.125
    hub.answer("j", A, position=1)
    hub.now += 60

    assert [
        Call(
            trace="t",
            session="s",
            asker="front",
            age_s=60.0,
            took_ms=875.0,
            outcome="answered",
            hops=[
                Hop("diff", 7, 1, at_ms=0.0, waited_ms=500.0, worked_ms=250.0, outcome="answered"),
                Hop("journal", 8, 1, at_ms=750.0, waited_ms=0.0, worked_ms=125.0, outcome="answered"),
            ],
        )
    ] == calls(hub)


def test_calls_are_listed_newest_first(hub: Hub) -> None:
    hub.register("w", "diff")
    for trace in ("one", "two", "three"):
        call(hub, trace)

    assert ["three", "two", "one"] == [one.trace for one in calls(hub)]


@pytest.mark.parametrize(
    ("beginning", "expected"), [("", ["b1", "a2", "a1"]), ("a", ["a2", "a1"]), ("a2", ["a2"]), ("2", [])]
)
def test_calls_are_found_by_how_their_trace_begins(hub: Hub, beginning: str, expected: list[str]) -> None:
    hub.register("w", "diff")
    for trace in ("a1", "a2", "b1"):
        call(hub, trace)

    assert expected == [one.trace for one in calls(hub, trace=beginning)]


@pytest.mark.parametrize(("limit", "expected"), [(2, 2), (0, 0), (-1, 0), (9_999, CALLS_MAX)])
def test_no_more_calls_are_listed_than_were_asked_for(hub: Hub, limit: int, expected: int) -> None:
    hub.register("w", "diff")
    for number in range(CALLS_MAX + 1):
        call(hub, str(number))

    assert expected == len(calls(hub, limit=limit))


def test_the_oldest_calls_are_forgotten() -> None:
    hub = Hub(Limits(calls=2))
    hub.register("asker", "front", capacity=0)
    hub.register("w", "diff")
    for trace in ("one", "two", "three"):
        call(hub, trace)

    assert ["three", "two"] == [one.trace for one in calls(hub)]


def test_a_call_without_a_trace_is_not_remembered(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff")
    hub.answer("w", A)

    assert [] == calls(hub)


def test_a_call_that_has_not_ended_is_not_listed(hub: Hub) -> None:
    hub.ask("asker", A, "diff", trace="t")

    assert [] == calls(hub)


def fails(hub: Hub) -> None:
    hub.fail("w", A)


def dies(hub: Hub) -> None:
    hub.lose("w")


def waits(hub: Hub) -> None:
    hub.wait(10, "asker", "w")


def cancels(hub: Hub) -> None:
    hub.say("asker", Kind.CANCEL, A)


@pytest.mark.parametrize(
    ("end", "outcome", "hop"),
    [
        (fails, "failed", "failed"),
        (dies, "outcome_unknown", "lost"),
        (waits, "deadline_exceeded", "late"),
        (cancels, "cancelled", "cancelled"),
    ],
)
def test_a_call_that_failed_has_how_and_where(hub: Hub, end: object, outcome: str, hop: str) -> None:
    hub.register("w", "diff", pid=7)
    hub.ask("asker", A, "diff", trace="t", delivery=Delivery.COMMAND)

    end(hub)  # type: ignore[operator] # as the table has it

    (call_made,) = calls(hub)
    hops = [(one.service, one.pid, one.outcome) for one in call_made.hops]
    assert (outcome, [("diff", 7, hop)]) == (call_made.outcome, hops)


def test_a_call_has_each_attempt(hub: Hub) -> None:
    hub.register(REMOTE + "u", "diff", pid=6)
    hub.register("v", "diff", pid=7)
    hub.register("w", "diff", pid=8)
    hub.ask("asker", A, "diff", trace="t")
    hub.lose(REMOTE + "u")
    hub.lose("v")
    hub.answer("w", A)

    (call_made,) = calls(hub)

    assert [(6, 1, "cut"), (7, 1, "lost"), (8, 2, "answered")] == [
        (one.pid, one.attempt, one.outcome) for one in call_made.hops
    ]


def test_the_longest_list_fits_one_message(hub: Hub) -> None:
    hub.register("w", "diff")
    for number in range(CALLS_MAX):
        call(hub, str(number))

    assert len(msgspec.msgpack.encode(CallsRead(calls(hub, limit=CALLS_MAX)))) < 1 << 20
