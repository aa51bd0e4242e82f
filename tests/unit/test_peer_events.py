"""Peer events: the broker reports each lost process to every process that registered for it."""

import msgspec
import pytest

from gasoline_broker.actor.wire import Envelope, Kind, Label
from gasoline_broker.hub.events import Send
from gasoline_broker.messages import PeerLost
from unit.hub import REMOTE, Hub

FAR = REMOTE + "watcher"


@pytest.fixture
def hub() -> Hub:
    """Return a hub with a supervisor that receives peer events, and three processes that can be lost."""
    made = Hub()
    made.register("supervisor", "supervisor", capacity=0, peer_events=True)
    for pid, peer in enumerate(("v", "w", "x"), 1):
        made.register(peer, "diff", pid=pid)
    return made


def reports(sends: list[Send]) -> list[tuple[str, PeerLost]]:
    """Return which peer received which report."""
    return [
        (send.peer.decode(), msgspec.msgpack.decode(send.frames[0], type=PeerLost))
        for send in sends
        if send.envelope.kind is Kind.PEER_LOST
    ]


def test_a_lost_process_is_reported_to_every_process_that_registered_for_it(hub: Hub) -> None:
    hub.register("cli", "cli", capacity=0, peer_events=True)
    lost = PeerLost("diff", 1, "gone", remote=False)

    assert [("supervisor", lost), ("cli", lost)] == reports(hub.lose("v"))


def test_a_report_has_no_label_but_clean_and_no_address(hub: Hub) -> None:
    (sent,) = hub.lose("v")

    assert Envelope(Kind.PEER_LOST, label=Label.CLEAN) == sent.envelope


def test_a_process_that_signed_off_is_not_reported(hub: Hub) -> None:
    hub.say("v", Kind.GOODBYE)

    assert [] == reports(hub.lose("v"))


@pytest.mark.parametrize(
    "leaves", [lambda hub: hub.say("supervisor", Kind.GOODBYE), lambda hub: hub.lose("supervisor")]
)
def test_a_listener_that_left_receives_nothing_more(hub: Hub, leaves: object) -> None:
    leaves(hub)  # type: ignore[operator] # as the table has it

    assert [] == reports(hub.lose("v"))
    assert [] == hub.routing.state.listeners


def test_a_listener_that_registers_again_receives_each_report_once(hub: Hub) -> None:
    hub.register("supervisor", "supervisor", capacity=0, peer_events=True)

    assert ["supervisor"] == [peer for peer, _ in reports(hub.lose("v"))]


def test_a_listener_whose_link_was_cut_misses_what_is_lost_until_it_is_back(hub: Hub) -> None:
    hub.register(FAR, "cli", capacity=0, peer_events=True)
    hub.lose(FAR)
    missed = reports(hub.lose("v"))
    hub.register(FAR, "cli", capacity=0, peer_events=True)
    received = reports(hub.lose("w"))

    assert (["supervisor"], ["supervisor", FAR]) == ([to for to, _ in missed], [to for to, _ in received])


@pytest.mark.parametrize("peer", ["v", FAR])
def test_no_process_reports_a_loss_in_the_brokers_name(hub: Hub, peer: str) -> None:
    hub.register(FAR, "diff")

    assert [] == hub.receive(peer, Envelope(Kind.PEER_LOST), b"anything")
    assert 1 == hub.routing.state.counts["misplaced"]
