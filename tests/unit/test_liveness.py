"""What becomes of asks when links are cut and processes die: suspects, lost peers, those that do not leave off."""

import msgspec
import pytest

from gasoline_broker.actor.wire import Delivery, Envelope, Kind
from gasoline_broker.hub.events import Send
from gasoline_broker.messages import HeldStop, PeerLost, ReadStatus, StatusRead
from unit.hub import REMOTE, Hub, failures, given, seen

A, B, C = b"a", b"b", b"c"
FAR, FARTHER = REMOTE + "far", REMOTE + "farther"
COMMAND = Delivery.COMMAND


@pytest.fixture
def hub() -> Hub:
    """Return a hub with an asker, and a process on another machine that is assigned the first ask."""
    made = Hub()
    made.register("asker", "front", capacity=0)
    made.register(FAR, "diff", pid=7)
    return made


def losses(sends: list[Send]) -> list[PeerLost]:
    return [
        msgspec.msgpack.decode(send.frames[0], type=PeerLost) for send in sends if send.envelope.kind is Kind.PEER_LOST
    ]


# Suspects


@pytest.mark.parametrize("delivery", [Delivery.QUERY, Delivery.STORE])
def test_what_may_be_done_twice_goes_elsewhere_at_once_when_a_link_is_cut(hub: Hub, delivery: Delivery) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff", delivery=delivery)

    (sent,) = hub.lose(FAR)

    assert [("w", A)] == given([sent])
    assert 1 == sent.envelope.attempt
    assert [("asker", Kind.ANSWER, A)] == seen(hub.answer("w", A))


def test_a_cut_link_is_no_death(hub: Hub) -> None:
    hub.register("supervisor", "supervisor", capacity=0, peer_events=True)

    sent = hub.lose(FAR)

    assert ([], 1, 0) == (losses(sent), hub.routing.state.counts["suspects"], hub.routing.state.counts["lost_peers"])
    assert FAR.encode() in hub.routing.state.peers


def test_on_this_machine_a_cut_link_is_a_death(hub: Hub) -> None:
    hub.register("w", "diff")

    hub.lose("w")

    assert (0, 1) == (hub.routing.state.counts["suspects"], hub.routing.state.counts["lost_peers"])


def test_a_suspect_gets_nothing(hub: Hub) -> None:
    hub.lose(FAR)

    assert [] == hub.ask("asker", A, "diff")
    assert 1 == hub.waiting("diff")


def test_a_stop_goes_elsewhere_for_a_cut_link_three_times_and_then_waits(hub: Hub) -> None:
    names = [FAR, *(f"{REMOTE}{number}" for number in range(4))]
    for name in names[1:]:
        hub.register(name, "diff")
    hub.ask("asker", A, "diff")

    went = [given(hub.lose(name)) for name in names[:-1]]

    assert [*([(name, A)] for name in names[1:4]), []] == went


def test_each_stop_goes_elsewhere_for_a_cut_link_three_times(hub: Hub) -> None:
    names = [f"{REMOTE}{number}" for number in range(5)]
    for name in names:
        hub.register(name, "journal")
    hub.ask("asker", A, "diff", "journal")
    hub.answer(FAR, A)

    went = [given(hub.lose(name)) for name in names[:-1]]

    assert [*([(name, A)] for name in names[1:4]), []] == went


def test_a_command_waits_for_the_link_to_come_back(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff", delivery=COMMAND)

    sent = hub.lose(FAR) + hub.wait(1.9, "asker", "w")

    assert [] == seen(sent)
    assert hub.routing.state.peers[FAR.encode()] is hub.routing.state.tasks[A].worker


def test_a_command_of_a_service_that_remembers_goes_elsewhere_at_once(hub: Hub) -> None:
    for name in (FARTHER, "w"):
        hub.register(name, "bridge", remembers=True)
    hub.ask("asker", A, "bridge", "redaction", delivery=COMMAND)

    assert [("w", A)] == given(hub.lose(FARTHER))


def test_a_suspect_that_is_back_in_time_gets_again_what_it_held(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff", delivery=COMMAND)
    hub.lose(FAR)
    hub.wait(1.9, "asker", "w")

    back = hub.register(FAR, "diff", pid=7, holds=(HeldStop(A, 0),))

    assert [(FAR, Kind.REGISTER, b""), (FAR, Kind.ASK, A)] == seen(back)
    assert 1 == back[1].envelope.attempt
    assert [] == seen(hub.wait(2, "asker", "w", FAR))
    assert [("asker", Kind.ANSWER, A)] == seen(hub.answer(FAR, A))


def test_a_suspect_may_answer_before_it_is_back(hub: Hub) -> None:
    hub.ask("asker", A, "diff", delivery=COMMAND)
    hub.lose(FAR)

    assert [("asker", Kind.ANSWER, A)] == seen(hub.answer(FAR, A))


def test_a_suspect_that_is_back_gets_what_still_waits_of_what_it_held(hub: Hub) -> None:
    hub.ask("asker", A, "diff")
    hub.lose(FAR)
    waited = hub.waiting("diff")

    back = hub.register(FAR, "diff", pid=7, holds=(HeldStop(A, 0),))

    assert (1, [(FAR, A)], 0) == (waited, given(back), hub.waiting("diff"))
    assert [("asker", Kind.ANSWER, A)] == seen(hub.answer(FAR, A))


def test_what_was_reassigned_keeps_its_place_in_a_peer_that_is_back_until_it_cancels(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff")
    hub.lose(FAR)
    hub.register(FAR, "diff", pid=7, holds=(HeldStop(A, 0),))

    waits = hub.ask("asker", B, "diff")
    late = hub.answer(FAR, A)

    assert ([], [(FAR, Kind.ASK, B)], 1) == (waits, seen(late), hub.routing.state.counts["late"])
    assert ("asker", Kind.ANSWER, A) in seen(hub.answer("w", A))


def test_a_suspect_that_is_not_back_in_time_is_dead(hub: Hub) -> None:
    hub.register("supervisor", "supervisor", capacity=0, peer_events=True)
    hub.ask("asker", A, "diff", delivery=COMMAND)
    hub.lose(FAR)

    sent = hub.wait(2, "asker", "supervisor")

    assert [(A, "outcome_unknown")] == failures(sent)
    assert [PeerLost("diff", 7, "gone", remote=True)] == losses(sent)
    assert FAR.encode() not in hub.routing.state.peers


def test_a_second_cut_does_not_give_a_suspect_more_time(hub: Hub) -> None:
    hub.lose(FAR)
    hub.wait(1.5, "asker")

    hub.lose(FAR)
    hub.wait(0.5, "asker")

    assert FAR.encode() not in hub.routing.state.peers


@pytest.mark.requirement("hub-018")
def test_a_suspect_that_turns_out_dead_has_cost_an_attempt(hub: Hub) -> None:
    hub.register("v", "diff")
    hub.register("w", "diff")
    hub.ask("asker", A, "diff")
    hub.lose(FAR)
    hub.wait(2, "asker", "v", "w")

    (again,) = hub.lose("v")

    assert ([("w", A)], 3) == (given([again]), again.envelope.attempt)


def test_a_suspect_that_turns_out_dead_costs_a_later_stop_nothing(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.register("j", "journal")
    hub.register("k", "journal")
    hub.ask("asker", A, "diff", "journal")
    hub.lose(FAR)
    hub.answer("w", A)
    hub.wait(2, "asker", "w", "j", "k")

    (again,) = hub.lose("j")

    assert ([("k", A)], 2) == (given([again]), again.envelope.attempt)


@pytest.mark.requirement("hub-018")
def test_a_suspect_that_came_back_has_cost_no_attempt(hub: Hub) -> None:
    hub.register("v", "diff")
    hub.register("w", "diff")
    hub.ask("asker", A, "diff")
    hub.lose(FAR)
    hub.register(FAR, "diff", pid=7)
    hub.lose(FAR)
    hub.wait(2, "asker", "v", "w")

    assert 2 == hub.lose("v")[0].envelope.attempt


def test_suspects_that_depend_on_each_other_are_abandoned_together(hub: Hub) -> None:
    hub.register(FARTHER, "front", capacity=0)
    hub.ask(FARTHER, A, "diff", delivery=COMMAND)
    hub.lose(FAR)
    hub.lose(FARTHER)
    hub.say(FARTHER, Kind.GOODBYE)

    hub.wait(2, "asker")

    assert ([b"asker"], {}) == (list(hub.routing.state.peers), hub.routing.state.tasks)


def test_a_remote_peer_that_leaves_is_no_suspect(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff")
    hub.say(FAR, Kind.GOODBYE)

    assert [("w", A)] == given(hub.lose(FAR))
    assert (0, False) == (hub.routing.state.counts["suspects"], FAR.encode() in hub.routing.state.peers)


def test_a_suspension_of_the_broker_does_not_count_for_suspects(hub: Hub) -> None:
    hub.lose(FAR)

    hub.tick(after_s=60)

    assert FAR.encode() in hub.routing.state.peers


def test_a_command_of_a_service_that_remembers_has_three_attempts() -> None:
    hub = Hub()
    hub.register("asker", "front", capacity=0)
    for name in "uvw":
        hub.register(name, "bridge", remembers=True)
    hub.ask("asker", A, "bridge", "redaction", delivery=COMMAND)

    sent = [hub.lose(name) for name in "uvw"]

    assert [[("v", A)], [("w", A)], []] == [given(one) for one in sent]
    assert ([(A, "worker_unavailable")], 1) == (failures(sent[2]), len(hub.routing.state.dead_letters))


# Asks that could not be handed over


@pytest.mark.parametrize("peer", ["v", FARTHER], ids=["on this machine", "on another"])
@pytest.mark.parametrize("delivery", Delivery)
def test_what_could_not_be_handed_over_goes_elsewhere_and_counts_for_nothing(peer: str, delivery: Delivery) -> None:
    hub = Hub()
    hub.register("asker", "front", capacity=0)
    hub.register(peer, "diff")
    hub.register("w", "diff")
    hub.ask("asker", A, "diff", delivery=delivery)

    (again,) = hub.lose(peer, A)

    assert ([("w", A)], 1) == (given([again]), again.envelope.attempt)


def test_what_could_not_be_handed_over_is_not_in_work_there(hub: Hub) -> None:
    hub.ask("asker", A, "diff")

    hub.lose(FAR, A)

    assert [0, 0] == [peer.running for peer in hub.read("asker", ReadStatus(), StatusRead).peers]
    assert 1 == hub.waiting("diff")


def test_what_could_not_be_handed_over_goes_before_those_that_wait() -> None:
    hub = Hub()
    hub.register("asker", "front", capacity=0)
    hub.register("v", "diff")
    hub.ask("asker", A, "diff")
    hub.ask("asker", B, "diff")

    hub.lose("v", A)

    assert [("w", A)] == given(hub.register("w", "diff"))


def test_what_was_handed_over_before_the_ask_that_could_not_be_is_as_lost_as_ever() -> None:
    hub = Hub()
    hub.register("asker", "front", capacity=0)
    hub.register("v", "diff", capacity=2)
    hub.ask("asker", A, "diff", delivery=COMMAND)
    hub.ask("asker", B, "diff", delivery=COMMAND)

    assert [(A, "outcome_unknown")] == failures(hub.lose("v", B))
    assert [("w", B)] == given(hub.register("w", "diff"))


def test_a_command_that_could_not_be_handed_over_once_more_is_not_done_elsewhere(hub: Hub) -> None:
    hub.register("w", "diff")
    hub.ask("asker", A, "diff", delivery=COMMAND)
    hub.register(FAR, "diff", pid=7, holds=(HeldStop(A, 0),))

    assert [] == hub.lose(FAR) + hub.lose(FAR, A)
    assert [(A, "outcome_unknown")] == failures(hub.wait(2, "asker", "w"))


def test_what_another_could_not_be_handed_then_counts_for_nothing_still(hub: Hub) -> None:
    hub.register("v", "diff")
    hub.register("w", "diff")
    hub.ask("asker", A, "diff")
    hub.register(FAR, "diff", pid=7, holds=(HeldStop(A, 0),))
    hub.say(FAR, Kind.GOODBYE)
    hub.lose(FAR)

    (again,) = hub.lose("v", A)

    assert ([("w", A)], 2) == (given([again]), again.envelope.attempt)


def test_on_this_machine_too_it_is_not_done_elsewhere() -> None:
    hub = Hub()
    hub.register("asker", "front", capacity=0)
    hub.register("v", "diff")
    hub.register("w", "diff")
    hub.ask("asker", A, "diff", delivery=COMMAND)
    hub.register("v", "diff", holds=(HeldStop(A, 0),))

    assert [(A, "outcome_unknown")] == failures(hub.lose("v", A))


# Stuck peers


def listening() -> Hub:
    hub = Hub()
    hub.register("asker", "front", capacity=0)
    hub.register("supervisor", "supervisor", capacity=0, peer_events=True)
    hub.register("w", "diff", pid=9)
    return hub


@pytest.mark.parametrize("kind", [Kind.CANCEL, None], ids=["cancelled", "late"])
def test_a_peer_that_does_not_cancel_within_five_seconds_is_stuck(kind: Kind | None) -> None:
    hub = listening()
    hub.ask("asker", A, "diff", ttl_s=1)
    begun = hub.say("asker", kind, A) if kind else hub.wait(1, "asker", "supervisor", "w")
    assert [("w", Kind.CANCEL, A)] == seen(begun)[-1:]

    before = hub.wait(4.9, "asker", "supervisor", "w")
    after = hub.wait(0.1, "asker", "supervisor", "w")

    assert ([], [PeerLost("diff", 9, "stuck", remote=False)]) == (losses(before), losses(after))
    assert b"w" not in hub.routing.state.peers
    assert 1 == hub.routing.state.counts["stuck_peers"]


def test_a_peer_that_cancels_in_time_is_not_stuck() -> None:
    hub = listening()
    hub.ask("asker", A, "diff", ttl_s=1)
    hub.wait(5, "asker", "supervisor", "w")
    hub.fail("w", A, "cancelled")

    assert [] == losses(hub.wait(10, "asker", "supervisor", "w"))
    assert [("w", B)] == given(hub.ask("asker", B, "diff"))


def test_what_else_a_stuck_process_held_goes_to_another() -> None:
    hub = listening()
    hub.register("w", "diff", capacity=2, pid=9)
    hub.ask("asker", A, "diff", ttl_s=1)
    hub.ask("asker", B, "diff", ttl_s=60)
    hub.register("x", "diff")

    sent = hub.wait(6, "asker", "supervisor", "w", "x")

    assert [("x", B)] == given(sent)


def test_a_peer_that_is_back_without_what_was_over_has_cancelled() -> None:
    hub = listening()
    hub.ask("asker", A, "diff")
    hub.say("asker", Kind.CANCEL, A)

    back = hub.register("w", "diff", pid=9)

    assert [("w", Kind.REGISTER, b"")] == seen(back)
    assert [("w", B)] == given(hub.ask("asker", B, "diff"))


def test_a_peer_that_is_back_with_what_was_over_is_asked_to_cancel_once_more() -> None:
    hub = listening()
    hub.ask("asker", A, "diff")
    hub.say("asker", Kind.CANCEL, A)

    back = hub.register("w", "diff", pid=9, holds=(HeldStop(A, 0),))

    assert [("w", Kind.REGISTER, b""), ("w", Kind.CANCEL, A)] == seen(back)
    assert [] == hub.ask("asker", B, "diff")


def test_a_suspension_of_the_broker_leaves_no_peer_stuck() -> None:
    hub = listening()
    hub.ask("asker", A, "diff")
    hub.say("asker", Kind.CANCEL, A)

    hub.tick(after_s=60)

    assert b"w" in hub.routing.state.peers


@pytest.mark.parametrize("why", ["gone", "silent"])
def test_a_process_that_is_abandoned_is_reported(why: str) -> None:
    hub = listening()

    sent = hub.lose("w") if why == "gone" else hub.wait(4.1, "asker", "supervisor")

    assert [PeerLost("diff", 9, why, remote=False)] == losses(sent)
    assert 1 == hub.routing.state.counts["lost_peers" if why == "gone" else "silent_peers"]


def test_a_remote_process_may_be_silent_twice_as_long(hub: Hub) -> None:
    hub.wait(7.9, "asker")
    assert FAR.encode() in hub.routing.state.peers

    hub.wait(0.2, "asker")

    assert FAR.encode() not in hub.routing.state.peers


def test_a_process_that_has_left_is_not_reported() -> None:
    hub = listening()
    hub.ask("asker", A, "diff")

    sent = hub.say("w", Kind.GOODBYE) + hub.lose("w")

    assert [] == losses(sent)


def test_a_message_of_a_lost_peer_is_that_of_a_stranger(hub: Hub) -> None:
    hub.lose(FAR)
    hub.wait(2, "asker")

    assert [(FAR, Kind.RESET, b"")] == seen(hub.receive(FAR, Envelope(Kind.PONG)))
