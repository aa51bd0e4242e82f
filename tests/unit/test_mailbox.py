"""A process's end of the link: what it sends when, and what it remembers, on a clock of its own."""

from collections.abc import Sequence

import msgspec
import pytest

from gasoline_broker.actor.mailbox import (
    GRACE_S,
    REGISTER_S,
    Abandon,
    Action,
    Ask,
    Cut,
    GivenUp,
    Leaving,
    Noted,
    Notified,
    Send,
    Settled,
    Shared,
    Start,
    Worked,
)
from gasoline_broker.actor.wire import ADMITTED_BEFORE, ASKED_BEFORE, Delivery, Envelope, Kind, Priority, pack
from gasoline_broker.errors import Failure
from gasoline_broker.messages import Register
from unit.box import LIFE, REGISTRATION, Process
from unit.hub import itinerary

A, B, C = b"a", b"b", b"c"


@pytest.fixture
def process() -> Process:
    """Return a process that its broker knows."""
    return Process().registered()


def sent(actions: Sequence[Action]) -> list[tuple[Kind, bytes]]:
    return [(one.envelope.kind, one.envelope.id) for one in actions if isinstance(one, Send)]


def registrations(actions: Sequence[Action]) -> list[Register]:
    return [
        msgspec.msgpack.decode(one.frames[0], type=Register)
        for one in actions
        if isinstance(one, Send) and one.envelope.kind is Kind.REGISTER
    ]


def settled(actions: Sequence[Action]) -> list[tuple[bytes, Kind]]:
    return [(one.ask_id, one.kind) for one in actions if isinstance(one, Settled)]


# Registration


def test_nothing_is_sent_before_the_link_stands() -> None:
    process = Process()

    quiet = process.ask(A), process.handle(GivenUp(A)), process.receive(Kind.PING)

    assert ([], [], []) == quiet


def test_as_soon_as_the_link_is_up_it_registers_and_asks_when_it_is_known() -> None:
    process = Process()
    process.ask(A)

    actions = process.link()

    assert [(Kind.REGISTER, b"")] == sent(actions)
    assert [REGISTRATION] == registrations(actions)
    assert [(Kind.ASK, A)] == sent(process.receive(Kind.REGISTER, b"life"))
    assert [] == process.receive(Kind.REGISTER, b"life")


def test_it_is_registered_when_the_broker_confirms() -> None:
    process = Process()
    process.link()
    assert (True, False) == (process.mailbox.linked, process.mailbox.registered)

    process.receive(Kind.REGISTER)

    assert process.mailbox.registered


def test_a_registration_that_is_not_answered_is_sent_again_after_a_second() -> None:
    process = Process()
    process.link()
    assert process.now + REGISTER_S == process.mailbox.due()

    assert [] == process.wait(REGISTER_S - 0.01)
    assert [(Kind.REGISTER, b"")] == sent(process.wait(0.01))
    assert process.now + REGISTER_S == process.mailbox.due()


def test_a_registration_that_was_answered_is_not_sent_again(process: Process) -> None:
    assert [] == process.wait(100)
    assert float("inf") == process.mailbox.due()


def test_a_reset_makes_it_register_again(process: Process) -> None:
    assert [(Kind.REGISTER, b"")] == sent(process.receive(Kind.RESET))


def test_that_it_is_unknown_means_nothing_while_it_is_registering() -> None:
    process = Process()
    process.link()

    assert [] == process.receive(Kind.RESET)


def test_without_a_link_it_is_not_registered_by_a_late_confirmation() -> None:
    process = Process()
    process.link()
    process.handle(Cut())

    process.receive(Kind.REGISTER)

    assert not process.mailbox.registered


def test_on_a_new_link_it_registers_again(process: Process) -> None:
    process.handle(Cut())

    assert ([], [(Kind.REGISTER, b"")]) == (process.ask(A, ttl_s=0), sent(process.link()))


def test_it_answers_the_brokers_ping(process: Process) -> None:
    assert [(Kind.PONG, b"")] == sent(process.receive(Kind.PING))


def test_it_knows_for_how_long_a_linked_broker_was_silent(process: Process) -> None:
    process.now += 5
    silent = process.mailbox.silent_s(process.now)
    process.receive(Kind.PING)
    heard = process.mailbox.silent_s(process.now)
    process.now += 5
    process.handle(Cut())

    cut = process.mailbox.silent_s(process.now)
    process.link()

    assert (5.0, 0.0, 0.0, 0.0) == (silent, heard, cut, process.mailbox.silent_s(process.now))


# Asking


def test_an_ask_is_sent_with_all_its_fields(process: Process) -> None:
    (send,) = process.ask(A, ttl_s=2, session="s", trace="t", priority=Priority.BACKGROUND)

    envelope = Envelope(
        Kind.ASK, A, itinerary("diff"), ttl_ms=2_000, session="s", trace="t", priority=Priority.BACKGROUND
    )
    assert Send(envelope, [b"body"]) == send


@pytest.mark.parametrize("kind", [Kind.ANSWER, Kind.FAILURE])
def test_an_ask_is_settled_by_its_answer_once(process: Process, kind: Kind) -> None:
    process.ask(A)

    assert [Settled(A, kind, (b"out", b"blob"))] == process.receive(kind, A, b"out", b"blob")
    assert [] == process.receive(Kind.ANSWER, A, b"again")
    assert process.mailbox.idle


def test_an_answer_to_nothing_is_dropped(process: Process) -> None:
    assert [] == process.receive(Kind.ANSWER, A)


def test_an_asker_that_gives_up_notifies_the_broker_once_and_is_not_answered(process: Process) -> None:
    process.ask(A)

    assert [(Kind.CANCEL, A)] == sent(process.handle(GivenUp(A)))
    assert [] == process.handle(GivenUp(A))
    assert [] == process.receive(Kind.ANSWER, A)


def test_an_ask_that_the_broker_does_not_answer_fails_half_a_second_after_its_time(process: Process) -> None:
    process.ask(A, ttl_s=2)
    assert process.now + 2 + GRACE_S == process.mailbox.due()

    early = process.wait(2 + GRACE_S - 0.01)
    settling = process.wait(0.01)

    assert ([], [(A, Kind.FAILURE)], [(Kind.CANCEL, A)]) == (early, settled(settling), sent(settling))
    assert [] == process.receive(Kind.ANSWER, A)


def test_without_a_broker_it_fails_too() -> None:
    process = Process()
    process.ask(A, ttl_s=2)

    assert [(A, Kind.FAILURE)] == settled(process.wait(2 + GRACE_S))


@pytest.mark.requirement("faults-015")
def test_an_act_that_the_broker_does_not_answer_may_have_been_done_if_it_was_sent(process: Process) -> None:
    unsent = Process()
    for one in (process, unsent):
        one.handle(Ask(A, itinerary("bridge", delivery=Delivery.COMMAND), one.now + 2, [b""]))

    codes = [code_of(one.wait(2 + GRACE_S)) for one in (process, unsent)]

    assert ["outcome_unknown", "worker_unavailable"] == codes


def code_of(actions: Sequence[Action]) -> str:
    (frames,) = [one.frames for one in actions if isinstance(one, Settled)]
    return str(msgspec.msgpack.decode(frames[0])["code"])


def test_the_next_that_is_due_is_the_first_that_is_open(process: Process) -> None:
    begun = process.now
    for number, ttl_s in ((A, 3), (B, 1), (C, 2)):
        process.ask(number, ttl_s)
    process.receive(Kind.ANSWER, B)

    assert begun + 2 + GRACE_S == process.mailbox.due()


# Asking again


def asked_again(actions: Sequence[Action]) -> list[tuple[bytes, int, int]]:
    """Return which asks were sent, whether as having been sent before, and the time that they had left."""
    return [
        (one.envelope.id, one.envelope.attempt, one.envelope.ttl_ms)
        for one in actions
        if isinstance(one, Send) and one.envelope.kind is Kind.ASK
    ]


def test_what_is_unanswered_is_asked_again_on_each_new_link(process: Process) -> None:
    process.ask(A)
    process.ask(B)
    process.receive(Kind.ANSWER, B)
    process.handle(Cut())
    process.now += 4

    assert [(A, 1, 6_000)] == asked_again(process.meet(b"another life"))


def test_to_the_same_broker_it_is_no_second_time(process: Process) -> None:
    process.ask(A)
    process.handle(Cut())

    assert [(A, 0, 10_000)] == asked_again(process.meet(LIFE))
    process.handle(Cut())
    assert [(A, 1, 10_000)] == asked_again(process.meet(b"another life"))
    process.handle(Cut())
    assert [(A, 1, 10_000)] == asked_again(process.meet(b"another life"))


def test_what_never_left_is_asked_for_the_first_time() -> None:
    process = Process()
    process.ask(A)

    first = process.meet(LIFE)
    process.handle(Cut())

    assert [(A, 0, 10_000)] == asked_again(first)
    assert [(A, 1, 10_000)] == asked_again(process.meet(b"another life"))


def test_what_has_no_time_left_is_not_asked_again(process: Process) -> None:
    process.ask(A, ttl_s=2)
    process.now += 2

    assert [] == asked_again(process.receive(Kind.RESET))


def test_what_a_broker_that_leaves_did_not_take_is_asked_of_the_next_for_the_first_time(process: Process) -> None:
    process.ask(A)
    process.ask(B)

    process.receive(Kind.GOODBYE, A)
    process.handle(Cut())

    assert [(A, 0, 10_000), (B, 1, 10_000)] == asked_again(process.meet(b"another life"))
    assert not process.mailbox.dismissed


def test_what_a_broker_that_leaves_hands_back_was_admitted_and_never_begun(process: Process) -> None:
    process.ask(A)
    process.receive(Kind.GOODBYE, A, attempt=ADMITTED_BEFORE)
    process.receive(Kind.GOODBYE, A)  # asked again over a link that was cut
    process.handle(Cut())

    assert [(A, ADMITTED_BEFORE, 10_000)] == asked_again(process.meet(b"another life"))

    process.handle(Cut())
    assert [(A, ASKED_BEFORE, 10_000)] == asked_again(process.meet(b"a third one"))


def test_what_an_earlier_broker_may_have_taken_stays_so_though_the_last_one_did_not(process: Process) -> None:
    process.ask(A)
    process.handle(Cut())
    process.meet(b"another life")

    process.receive(Kind.GOODBYE, A)
    process.handle(Cut())

    assert [(A, 1, 10_000)] == asked_again(process.meet(b"a third one"))


def test_closing_is_confirmed_and_ends_asking(process: Process) -> None:
    process.ask(A)

    assert [(Kind.CLOSING, b"")] == sent(process.receive(Kind.CLOSING))
    assert [] == process.ask(B)
    process.handle(Cut())
    assert [(A, 1, 10_000), (B, 0, 10_000)] == asked_again(process.meet(b"another life"))


def test_that_an_ask_was_not_taken_means_nothing_when_it_is_settled(process: Process) -> None:
    process.ask(A)
    process.receive(Kind.ANSWER, A)

    assert [] == process.receive(Kind.GOODBYE, A)
    assert process.mailbox.idle


# Peer events


def test_a_lost_process_that_the_broker_reports_is_passed_on(process: Process) -> None:
    assert [Notified((b"x",))] == process.receive(Kind.PEER_LOST, b"", b"x")


# Notes


@pytest.mark.requirement("redact-009")
def test_a_note_leaves_before_the_answer_that_follows_it_and_comes_back_as_one(process: Process) -> None:
    process.receive(Kind.ASK, A, b"", itinerary=itinerary("diff"), ttl_ms=1000)

    out = process.handle(Shared(b"n")) + process.handle(Worked((A, 0), Kind.ANSWER, [b""]))

    assert [(Kind.NOTE, b""), (Kind.ANSWER, A)] == sent(out)
    assert [Noted((b"n",))] == process.receive(Kind.NOTE, b"", b"n")
    assert LIFE == process.mailbox.life


def test_without_a_link_a_note_goes_nowhere(process: Process) -> None:
    process.handle(Cut())

    assert [] == process.handle(Shared(b"n"))


# Leaving


def test_a_process_that_leaves_signs_off_and_is_dismissed(process: Process) -> None:
    assert [(Kind.GOODBYE, b"")] == sent(process.handle(Leaving()))
    assert not process.mailbox.dismissed

    process.receive(Kind.GOODBYE)

    assert process.mailbox.dismissed


def test_a_process_that_does_not_leave_is_not_dismissed(process: Process) -> None:
    process.receive(Kind.GOODBYE)

    assert not process.mailbox.dismissed


def test_a_process_that_leaves_without_a_link_is_dismissed_at_once() -> None:
    process = Process()

    assert [] == process.handle(Leaving())
    assert process.mailbox.dismissed


def test_a_process_that_leaves_and_loses_its_link_is_dismissed(process: Process) -> None:
    process.handle(Leaving())

    process.handle(Cut())

    assert process.mailbox.dismissed


def test_a_process_that_leaves_signs_off_on_each_new_link_after_its_asks(process: Process) -> None:
    process.ask(A)
    process.handle(Leaving())
    process.handle(Cut())

    assert [(Kind.REGISTER, b""), (Kind.ASK, A), (Kind.GOODBYE, b"")] == sent(process.meet(LIFE))
    assert not process.mailbox.dismissed


def test_a_process_that_leaves_before_it_is_known_signs_off_when_it_is() -> None:
    process = Process()
    process.link()

    assert [] == sent(process.handle(Leaving()))
    assert [(Kind.GOODBYE, b"")] == sent(process.receive(Kind.REGISTER, LIFE))


def test_a_reset_of_a_closing_broker_is_ignored(process: Process) -> None:
    process.receive(Kind.CLOSING)

    assert [] == process.receive(Kind.RESET)


def test_the_words_in_which_it_fails_are_readable(process: Process) -> None:
    process.ask(A, ttl_s=2)

    (failed,) = (one for one in process.wait(2 + GRACE_S) if isinstance(one, Settled))

    assert "worker_unavailable" == msgspec.msgpack.decode(failed.frames[0], type=Failure).code


def test_what_is_none_of_its_business_is_dropped(process: Process) -> None:
    assert [] == process.receive(Kind.PONG)


def test_a_process_that_only_asks_works_on_nothing() -> None:
    process = Process(msgspec.structs.replace(REGISTRATION, capacity=0)).registered()

    actions = process.receive(Kind.ASK, A, itinerary=itinerary("diff"), ttl_ms=1000)

    assert [] == [one for one in actions if isinstance(one, Start | Abandon)]
    assert process.mailbox.idle


def test_frames_of_a_registration_are_read_as_they_were_written() -> None:
    (register,) = Process().link()

    assert Send(Envelope(Kind.REGISTER, position=1), [pack(REGISTRATION)]) == register
