"""Events: what nobody asked for, and whoever registered for its topic hears."""

import pytest

from gasoline_broker.actor.wire import Delivery, Envelope, Kind, Label
from gasoline_broker.hub.routing import Send
from gasoline_broker.hub.state import Limits
from unit.hub import REMOTE, Hub, given, itinerary, seen

PAGE, CLEANED = b"the page said", b"cleaned"
TOPIC = "page.navigated"


@pytest.fixture
def hub() -> Hub:
    """Give a hub with a front that hears the topic, and all that an event of the bridge's needs."""
    made = Hub(Limits(events=3))
    made.register("front", "front", capacity=0, topics=(TOPIC,))
    made.register("bridge", "bridge", capacity=0)
    made.register("redaction", "redaction")
    return made


def heard(sends: list[Send]) -> list[tuple[str, bytes, int]]:
    """Give who heard what, and how many they were told they had missed."""
    return [
        (send.peer.decode(), b"".join(send.frames), send.envelope.missed)
        for send in sends
        if send.envelope.kind is Kind.EVENT
    ]


def way(hub: Hub, **more: object) -> list[Send]:
    """Let the bridge send an event by way of redaction."""
    return hub.tell("bridge", TOPIC, "redaction", number=b"e", body=PAGE, **more)


# Without a way to go


@pytest.mark.requirement("hub-011")
def test_an_event_goes_to_everybody_who_registered_for_its_topic(hub: Hub) -> None:
    hub.register("cli", "cli", capacity=0, topics=("other", TOPIC))
    hub.register("deaf", "cli", capacity=0)
    hub.register("other", "cli", capacity=0, topics=("other",))

    assert [("front", b"x", 0), ("cli", b"x", 0)] == heard(hub.tell("deaf", TOPIC, body=b"x"))


def test_an_event_keeps_its_topic_and_its_trace(hub: Hub) -> None:
    hub.register("cli", "cli", capacity=0)

    (sent,) = hub.tell("cli", TOPIC, trace="t")

    assert Envelope(Kind.EVENT, topic=TOPIC, trace="t") == sent.envelope


def test_an_event_that_nobody_hears_goes_nowhere(hub: Hub) -> None:
    assert [] == hub.tell("front", "nobody's")


def test_who_publishes_what_it_hears_hears_it_too(hub: Hub) -> None:
    assert [("front", b"x", 0)] == heard(hub.tell("front", TOPIC, body=b"x"))


def test_who_has_left_hears_nothing_more(hub: Hub) -> None:
    hub.say("front", Kind.GOODBYE)

    assert [] == hub.tell("redaction", TOPIC)
    assert {} == hub.routing._readers


@pytest.mark.parametrize("services", [(), ("redaction",)], ids=["no way", "a way"])
def test_an_event_without_a_topic_is_counted_and_dropped(hub: Hub, services: tuple[str, ...]) -> None:
    assert [] == hub.tell("front", "", *services, number=b"e")
    assert (1, {}) == (hub.routing.counts["events_refused"], hub.routing.tasks)


# What a page said


@pytest.mark.parametrize("claim", Label)
def test_a_raw_event_reaches_no_front(hub: Hub, claim: Label) -> None:
    sent = hub.tell("bridge", TOPIC, body=PAGE, label=claim)

    assert ([], 1) == (sent, hub.routing.counts["raw_refused"])


def test_a_raw_event_reaches_who_may_take_it(hub: Hub) -> None:
    hub.register("listener", "redaction", capacity=0, topics=(TOPIC,))

    (sent,) = hub.tell("bridge", TOPIC, body=PAGE)

    assert (b"listener", Label.RAW) == (sent.peer, sent.envelope.label)


def test_an_event_that_goes_by_redaction_reaches_the_front(hub: Hub) -> None:
    (asked,) = way(hub, trace="t")
    (sent,) = hub.answer("redaction", b"e", CLEANED)

    assert (b"redaction", Kind.ASK, Label.RAW, [PAGE]) == (
        asked.peer,
        asked.envelope.kind,
        asked.envelope.label,
        list(asked.frames),
    )
    assert (b"front", Envelope(Kind.EVENT, topic=TOPIC, trace="t"), [CLEANED]) == (
        sent.peer,
        sent.envelope,
        list(sent.frames),
    )


def test_an_event_whose_way_ends_with_a_page_in_it_reaches_no_front(hub: Hub) -> None:
    hub.register("b", "bridge")
    hub.tell("front", TOPIC, "bridge", number=b"e")

    sent = hub.answer("b", b"e", PAGE)

    assert ([], 1, {}) == (sent, hub.routing.counts["raw_refused"], hub.routing.tasks)


def test_an_event_is_not_given_to_a_stop_that_may_not_see_it(hub: Hub) -> None:
    hub.register("d", "diff")

    sent = hub.tell("bridge", TOPIC, "diff", number=b"e", body=PAGE)

    assert ([], 1, 1) == (sent, hub.routing.counts["raw_refused"], hub.routing.counts["events_failed"])


# Its way


def test_nobody_is_answered(hub: Hub) -> None:
    way(hub)

    assert {"front"} == {peer for peer, _, _ in seen(hub.answer("redaction", b"e", CLEANED))}


def fails(hub: Hub) -> list[Send]:
    return hub.fail("redaction", b"e")


def expires(hub: Hub) -> list[Send]:
    return [send for send in hub.wait(10, "front", "bridge", "redaction") if send.peer != b"redaction"]


def dies(hub: Hub) -> list[Send]:
    return hub.lose("redaction") + hub.wait(3, "front", "bridge")


@pytest.mark.parametrize("end", [fails, expires, dies])
def test_an_event_whose_way_fails_is_counted_and_told_to_nobody(hub: Hub, end: object) -> None:
    way(hub)

    sent = end(hub)  # type: ignore[operator] # as the table has it

    assert ([], 1) == (seen(sent), hub.routing.counts["events_failed"])
    assert hub.routing.idle


def test_an_event_that_is_lost_with_its_process_is_given_to_another(hub: Hub) -> None:
    hub.register("another", "redaction")
    way(hub)

    assert [("another", b"e")] == given(hub.lose("redaction"))
    assert [("front", CLEANED, 0)] == heard(hub.answer("another", b"e", CLEANED))


def test_an_event_ends_with_who_told_it(hub: Hub) -> None:
    way(hub)

    assert [("redaction", Kind.CANCEL, b"e")] == seen(hub.lose("bridge"))


def test_an_event_holds_places_as_an_ask_does() -> None:
    hub = Hub(Limits(queue=1))
    hub.register("bridge", "bridge", capacity=0)
    way(hub)

    assert [] == hub.tell("bridge", TOPIC, "redaction", number=b"f", body=PAGE)
    assert 1 == hub.routing.counts["events_refused"]


def test_an_event_that_has_a_way_and_no_id_is_refused(hub: Hub) -> None:
    assert [] == hub.tell("bridge", TOPIC, "redaction", body=PAGE)
    assert 1 == hub.routing.counts["events_refused"]


def test_no_answer_is_kept_for_an_event(hub: Hub) -> None:
    hub.register("b", "bridge")
    stops = itinerary("redaction", delivery=Delivery.STORE)
    hub.receive("bridge", Envelope(Kind.EVENT, b"e", stops, ttl_ms=1000, topic=TOPIC), PAGE)

    hub.answer("redaction", b"e", CLEANED)

    assert {} == hub.routing._replies


# Slow readers


def test_a_reader_that_takes_nothing_misses_what_comes_and_others_do_not(hub: Hub) -> None:
    hub.register("quick", "cli", capacity=0, topics=(TOPIC,))
    for _ in range(3):
        hub.tell("redaction", TOPIC)
    hub.receive("quick", Envelope(Kind.TAKEN, position=3))

    assert [("quick", b"x", 0)] == heard(hub.tell("redaction", TOPIC, body=b"x"))
    assert 1 == hub.routing.counts["events_dropped"]


def test_a_reader_that_missed_some_is_told_how_many_once(hub: Hub) -> None:
    for _ in range(3 + 5):
        hub.tell("redaction", TOPIC)

    hub.receive("front", Envelope(Kind.TAKEN, position=2))

    assert [("front", b"x", 5)] == heard(hub.tell("redaction", TOPIC, body=b"x"))
    assert [("front", b"y", 0)] == heard(hub.tell("redaction", TOPIC, body=b"y"))
    assert [] == hub.tell("redaction", TOPIC)


@pytest.mark.parametrize("claim", [99, -99], ids=["more than it heard", "less than nothing"])
def test_a_reader_that_miscounts_is_neither_sent_more_nor_shut_out(hub: Hub, claim: int) -> None:
    hub.receive("front", Envelope(Kind.TAKEN, position=claim))

    sent = [heard(hub.tell("redaction", TOPIC)) for _ in range(4)]

    assert [("front", b"", 0)] * 3 == [one for each in sent for one in each]


def test_a_reader_whose_link_was_cut_misses_what_comes_and_is_told_so_when_it_is_back(hub: Hub) -> None:
    far = REMOTE + "cli"
    hub.register(far, "cli", capacity=0, topics=("far",))
    hub.lose(far)
    missed = hub.tell("front", "far") + hub.tell("front", "far")
    hub.register(far, "cli", capacity=0, topics=("far",))

    assert ([], [(far, b"x", 2)]) == (missed, heard(hub.tell("front", "far", body=b"x")))


def test_a_reader_that_registers_again_begins_anew(hub: Hub) -> None:
    for _ in range(3):
        hub.tell("redaction", TOPIC)

    hub.register("front", "front", capacity=0, topics=(TOPIC,))

    assert [("front", b"x", 0)] == heard(hub.tell("redaction", TOPIC, body=b"x"))
