"""A process's end of the link while it works: one stop once at a time, one command once, and what it remembers."""

from collections.abc import Sequence

import msgspec
import pytest

from gasoline_broker.actor.mailbox import (
    REMEMBERED,
    REMEMBERED_BYTES,
    REMEMBERED_S,
    Abandon,
    Action,
    Cut,
    Mailbox,
    Send,
    Start,
    Worked,
)
from gasoline_broker.actor.wire import CANCELLED, Delivery, Kind, pack
from gasoline_broker.errors import Failure
from gasoline_broker.messages import HeldStop, Register
from unit.box import REGISTRATION, Process
from unit.hub import Hub, failures, given, itinerary, seen

A, B, C = b"a", b"b", b"c"
QUERY, COMMAND, STORE = Delivery.QUERY, Delivery.COMMAND, Delivery.STORE
CANCELLED_BODY = pack(Failure("cancelled", ""))


@pytest.fixture
def process() -> Process:
    """Return a process that its broker knows."""
    return Process().registered()


def give(
    process: Process, number: bytes = A, delivery: Delivery = COMMAND, position: int = 0, ttl_ms: int = 10_000
) -> list[Action]:
    stops = itinerary("diff", "diff", delivery=delivery)
    return process.receive(Kind.ASK, number, b"in", itinerary=stops, position=position, ttl_ms=ttl_ms)


def work(process: Process, number: bytes = A, *frames: bytes, position: int = 0) -> list[Action]:
    return process.handle(Worked((number, position), Kind.ANSWER, frames))


def do(process: Process, number: bytes = A, *frames: bytes, ttl_ms: int = 10_000) -> None:
    """Let it do a command."""
    give(process, number, ttl_ms=ttl_ms)
    work(process, number, *frames)


def started(actions: Sequence[Action]) -> list[tuple[bytes, int]]:
    return [one.step_key for one in actions if isinstance(one, Start)]


def answers(actions: Sequence[Action]) -> list[tuple[Kind, bytes, int, list[bytes]]]:
    kinds = (Kind.ANSWER, Kind.FAILURE)
    return [
        (one.envelope.kind, one.envelope.id, one.envelope.position, list(one.frames))
        for one in actions
        if isinstance(one, Send) and one.envelope.kind in kinds
    ]


def code(actions: Sequence[Action]) -> str:
    """Return the code of the only answer, which is a failure."""
    ((kind, _, _, frames),) = answers(actions)
    assert Kind.FAILURE is kind
    return msgspec.msgpack.decode(frames[0], type=Failure).code


def holds(process: Process) -> tuple[HeldStop, ...]:
    """Let it register again, and return what it holds by its registration."""
    first = process.receive(Kind.RESET)[0]
    process.receive(Kind.REGISTER)
    assert isinstance(first, Send)
    return msgspec.msgpack.decode(first.frames[0], type=Register).holds


# Work


def test_it_works_on_an_ask_until_its_time_is_up(process: Process) -> None:
    (start,) = give(process, ttl_ms=2_000)

    assert isinstance(start, Start)
    assert ((A, 0), (b"in",), process.now + 2) == (start.step_key, start.frames, start.until)
    assert not process.mailbox.idle


def test_what_it_has_worked_on_it_answers_for_that_stop(process: Process) -> None:
    give(process, position=1)

    assert [(Kind.ANSWER, A, 1, [b"out"])] == answers(work(process, A, b"out", position=1))
    assert process.mailbox.idle


@pytest.mark.parametrize("delivery", Delivery)
def test_an_ask_that_comes_again_while_in_work_is_worked_on_once(process: Process, delivery: Delivery) -> None:
    give(process, delivery=delivery)

    assert [] == give(process, delivery=delivery)
    assert [(Kind.ANSWER, A, 0, [b"out"])] == answers(work(process, A, b"out"))


def test_two_stops_of_one_ask_are_two_works(process: Process) -> None:
    assert [(A, 0), (A, 1)] == started(give(process, position=0) + give(process, position=1))


@pytest.mark.parametrize("delivery", [QUERY, STORE])
def test_what_may_be_done_twice_is_done_again_when_it_comes_again(process: Process, delivery: Delivery) -> None:
    give(process, delivery=delivery)
    work(process)

    assert [(A, 0)] == started(give(process, delivery=delivery))


def test_a_query_that_comes_again_while_abandoned_is_begun_again_and_answered_once(process: Process) -> None:
    give(process, delivery=QUERY)
    process.receive(Kind.CANCEL, A)
    assert [] == give(process, delivery=QUERY)

    again = work(process, A)

    assert ([(A, 0)], []) == (started(again), answers(again))
    assert [(Kind.ANSWER, A, 0, [b"out"])] == answers(work(process, A, b"out"))


def test_a_query_that_comes_again_and_is_cancelled_again_is_over(process: Process) -> None:
    give(process, delivery=QUERY)
    process.receive(Kind.CANCEL, A)
    give(process, delivery=QUERY)
    process.receive(Kind.CANCEL, A)

    assert [] == started(work(process, A))
    assert process.mailbox.idle


@pytest.mark.parametrize("kind", [Kind.ANSWER, Kind.FAILURE])
def test_a_command_that_comes_again_is_answered_from_memory(process: Process, kind: Kind) -> None:
    give(process)
    process.handle(Worked((A, 0), kind, [b"out", b"blob"]))

    again = give(process)

    assert ([], [(kind, A, 0, [b"out", b"blob"])]) == (started(again), answers(again))


def test_another_stop_of_a_command_that_was_done_is_done(process: Process) -> None:
    do(process)

    assert [(A, 1)] == started(give(process, position=1))


# When the link is cut


def test_work_continues_when_the_link_is_cut_and_a_command_is_answered_when_it_comes_again(process: Process) -> None:
    give(process)
    process.handle(Cut())
    unheard = work(process, A, b"out")
    process.registered()

    again = give(process)

    assert ([], [(Kind.ANSWER, A, 0, [b"out"])]) == (unheard, answers(again))


def test_a_registration_lists_what_it_works_on_and_remembers(process: Process) -> None:
    do(process, A)
    give(process, B, QUERY)
    give(process, C, position=1)

    assert (HeldStop(B, 0, left_ms=10_000), HeldStop(C, 1, left_ms=10_000), HeldStop(A, 0, done=True)) == holds(process)


def test_a_query_that_was_answered_is_not_held(process: Process) -> None:
    give(process, delivery=QUERY)
    work(process)

    assert () == holds(process)


# Cancelling


def test_what_is_cancelled_is_abandoned_at_all_its_stops(process: Process) -> None:
    give(process, position=0)
    give(process, position=1)
    give(process, B)

    assert [Abandon((A, 0)), Abandon((A, 1))] == process.receive(Kind.CANCEL, A)


def test_what_was_abandoned_is_answered_when_it_has_ended(process: Process) -> None:
    give(process, delivery=QUERY)
    process.receive(Kind.CANCEL, A)

    ended = process.handle(Worked((A, 0), Kind.FAILURE, [CANCELLED_BODY]))

    assert [(Kind.FAILURE, A, 0, [CANCELLED_BODY])] == answers(ended)
    assert [CANCELLED] == [one.envelope.attempt for one in ended if isinstance(one, Send)]


@pytest.mark.parametrize("kind", [Kind.ANSWER, Kind.FAILURE])
def test_an_abandoned_command_has_an_unknown_outcome(process: Process, kind: Kind) -> None:
    give(process)
    process.receive(Kind.CANCEL, A)

    ended = process.handle(Worked((A, 0), kind, [b"anything"]))
    again = give(process)

    assert ("outcome_unknown", [], "outcome_unknown") == (code(ended), started(again), code(again))


def test_that_a_command_was_abandoned_is_no_matter_of_the_next(process: Process) -> None:
    give(process, delivery=QUERY)
    process.receive(Kind.CANCEL, A)
    work(process)
    do(process, A, b"out")

    assert [(Kind.ANSWER, A, 0, [b"out"])] == answers(give(process))


def test_a_cancellation_of_what_it_does_not_work_on_is_answered_too(process: Process) -> None:
    assert "cancelled" == code(process.receive(Kind.CANCEL, A))


def test_that_answer_is_not_taken_for_the_one_of_an_ask_that_came_again_meanwhile(process: Process) -> None:
    hub = Hub()
    hub.register("asker", "front", capacity=0)
    hub.register("w", "diff")
    hub.ask("asker", A, "diff")
    hub.lose("asker")
    hub.answer("w", A)
    hub.register("asker", "front", capacity=0)
    assert [("w", A)] == given(hub.ask("asker", A, "diff", attempt=1))

    (cancelled,) = (one for one in process.receive(Kind.CANCEL, A) if isinstance(one, Send))

    assert [] == hub.receive("w", cancelled.envelope, *cancelled.frames)
    assert [("asker", Kind.ANSWER, A)] == seen(hub.answer("w", A))


def test_that_answer_gives_back_the_place_of_an_ask_that_is_over(process: Process) -> None:
    hub = Hub()
    hub.register("asker", "front", capacity=0)
    hub.register("w", "diff")
    hub.ask("asker", A, "diff", ttl_s=1)
    assert [(A, "deadline_exceeded")] == failures(hub.wait(1, "asker", "w"))
    (cancelled,) = (one for one in process.receive(Kind.CANCEL, A) if isinstance(one, Send))

    hub.receive("w", cancelled.envelope, *cancelled.frames)

    assert [("w", B)] == given(hub.ask("asker", B, "diff"))


# Memory


def memory(mailbox: Mailbox) -> tuple[int, int]:
    """Return how many commands it remembers, and how many bytes it counts and there really are."""
    assert mailbox._done_bytes == sum(len(frame) for done in mailbox._done.values() for frame in kept(done.frames))
    return len(mailbox._done), mailbox._done_bytes


def kept(frames: Sequence[bytes]) -> Sequence[bytes]:
    """Leave out the one answer of all that were forgotten."""
    return [] if frames and b"outcome_unknown" in frames[0] else frames


def test_answers_past_their_time_are_forgotten_when_it_registers(process: Process) -> None:
    do(process, A, b"out", ttl_ms=2_000)
    process.now += 2 + REMEMBERED_S - 0.01
    before = holds(process)
    process.now += 0.01

    assert ((HeldStop(A, 0, done=True),), ()) == (before, holds(process))
    assert (0, 0) == memory(process.mailbox)


def test_of_many_large_answers_the_oldest_are_forgotten_but_not_that_they_were_given(process: Process) -> None:
    large = bytes(REMEMBERED_BYTES // 4)
    for number in (b"1", b"2", b"3", b"4", b"5"):
        do(process, number, large)

    again = [give(process, number) for number in (b"1", b"2", b"3", b"4", b"5")]

    assert [[]] * 5 == [started(one) for one in again]
    assert ["outcome_unknown"] * 3 == [code(one) for one in again[:3]]
    assert [[(Kind.ANSWER, number, 0, [large])] for number in (b"4", b"5")] == [answers(one) for one in again[3:]]
    assert (5, 2 * len(large)) == memory(process.mailbox)


def test_it_remembers_no_more_bytes_than_are_bounded(process: Process) -> None:
    large = bytes(REMEMBERED_BYTES // 10)
    for number in range(40):
        do(process, bytes([number]), large)

        assert memory(process.mailbox)[1] <= REMEMBERED_BYTES


def test_it_remembers_no_more_commands_than_are_bounded(process: Process) -> None:
    for number in range(REMEMBERED + 3):
        do(process, number.to_bytes(2), b"out")

    assert (REMEMBERED, 3 * REMEMBERED) == memory(process.mailbox)
    assert [((0).to_bytes(2), 0)] == started(give(process, (0).to_bytes(2)))
    assert [] == started(give(process, (3).to_bytes(2)))


def test_before_it_forgets_a_command_for_its_number_it_forgets_those_that_are_over(process: Process) -> None:
    do(process, b"early", ttl_ms=120_000)
    for number in range(REMEMBERED - 1):
        do(process, number.to_bytes(2), ttl_ms=1)
    process.now += REMEMBERED_S + 1

    do(process, b"new")

    assert [] == started(give(process, b"early") + give(process, b"new"))
    assert 2 == memory(process.mailbox)[0]


def test_a_process_that_only_asks_registers_with_nothing() -> None:
    process = Process(msgspec.structs.replace(REGISTRATION, capacity=0)).registered()
    give(process)

    assert () == holds(process)
