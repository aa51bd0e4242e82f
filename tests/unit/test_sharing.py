"""Notes: what the processes of one service share, in one order, before anything that comes later."""

import pytest

from gasoline_broker.actor.wire import Envelope, Kind
from gasoline_broker.hub.events import Send
from gasoline_broker.hub.limits import Limits
from unit.hub import REMOTE, Hub

FAR = REMOTE + "r"


@pytest.fixture
def hub() -> Hub:
    made = Hub(Limits(notes=3, notes_bytes=20, note_bytes=12))
    for peer in ("a", "b"):
        made.register(peer, "redaction")
    made.register("journal", "journal")
    made.register("front", "front", capacity=0)
    return made


def share(hub: Hub, peer: str, *frames: bytes) -> list[Send]:
    return hub.receive(peer, Envelope(Kind.NOTE), *frames)


def notes(sends: list[Send]) -> list[tuple[str, bytes]]:
    return [(send.peer.decode(), send.frames[0]) for send in sends if send.envelope.kind is Kind.NOTE]


@pytest.mark.requirement("redact-009")
def test_a_note_goes_to_each_process_of_its_service_its_sender_included_and_to_no_other(hub: Hub) -> None:
    assert [("a", b"1"), ("b", b"1")] == notes(share(hub, "a", b"1"))


@pytest.mark.requirement("redact-009")
def test_a_note_that_was_sent_before_an_answer_is_known_before_what_the_answer_causes(hub: Hub) -> None:
    hub.ask("front", b"ask", "redaction", "journal")
    taken = next(peer for peer in ("a", "b") if hub.routing.state.peers[peer.encode()].running)

    noted, answered = share(hub, taken, b"1"), hub.answer(taken, b"ask", b"clean")

    assert {"a", "b"} == {peer for peer, _ in notes(noted)}
    assert ["journal"] == [send.peer.decode() for send in answered if send.envelope.kind is Kind.ASK]


@pytest.mark.requirement("redact-009")
@pytest.mark.parametrize("peer", ["c", FAR])
def test_a_process_that_registers_later_receives_the_last_notes_before_any_ask(hub: Hub, peer: str) -> None:
    for note in (b"1", b"2", b"3", b"4"):
        share(hub, "a", note)
    for other in ("a", "b"):
        hub.lose(other)
    hub.ask("front", b"ask", "redaction")

    sends = [send for send in hub.register(peer, "redaction") if send.peer == peer.encode()]

    assert [Kind.REGISTER, *[Kind.NOTE] * 3, Kind.ASK] == [send.envelope.kind for send in sends]
    assert [b"2", b"3", b"4"] == [note for _, note in notes(sends)]


@pytest.mark.requirement("redact-009")
def test_the_oldest_notes_go_when_they_are_too_many_bytes(hub: Hub) -> None:
    for note in (b"x" * 10, b"y" * 10, b"z" * 5):
        share(hub, "b", note)

    assert [b"y" * 10, b"z" * 5] == [note for _, note in notes(hub.register("c", "redaction"))]


@pytest.mark.requirement("redact-009")
def test_notes_outlive_the_last_process_of_their_service(hub: Hub) -> None:
    share(hub, "a", b"1")
    for peer in ("a", "b"):
        hub.lose(peer)
    hub.tick(after_s=60)

    assert [("c", b"1")] == notes(hub.register("c", "redaction"))


@pytest.mark.parametrize(
    ("peer", "frames", "count"),
    [
        ("journal", (b"1",), "misplaced"),
        ("front", (b"1",), "misplaced"),
        ("a", (), "malformed"),
        ("a", (b"1", b"2"), "malformed"),
        ("a", (b"x" * 13,), "malformed"),
        ("unknown", (b"1",), "unregistered"),
    ],
)
def test_what_is_no_note_is_counted_and_reaches_none(
    hub: Hub, peer: str, frames: tuple[bytes, ...], count: str
) -> None:
    assert [] == notes(share(hub, peer, *frames))
    assert 1 == hub.routing.state.counts[count]


def test_a_process_that_only_asks_receives_no_note(hub: Hub) -> None:
    hub.register("cli", "redaction", capacity=0)

    assert ["a", "b"] == [peer for peer, _ in notes(share(hub, "a", b"1"))]
    assert [] == notes(share(hub, "cli", b"1"))
