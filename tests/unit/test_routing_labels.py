"""Nothing a page said reaches whom it must not: every route over every kind of service is tried, and followed by taint.

The taint does not look at labels. The bridge's words hold PAGE; redaction takes it out; every other service repeats
what it was given. So a message that holds PAGE is page data, whatever anybody calls it.
"""

import itertools

import pytest

from gasoline_broker.routing import Send
from gasoline_broker.wire import Envelope, Kind, Label
from unit.hub import Hub, failure_of, seen

PAGE, CLEANED = b"the page said", b"cleaned"
SERVICES = ("bridge", "redaction", "diff", "front")
ROUTES = [route for stops in (1, 2, 3) for route in itertools.product(SERVICES, repeat=stops)]
MAY_SEE_PAGES = {b"redaction"}
A = b"a"


def says(service: str, given: bytes) -> bytes:
    return {"bridge": PAGE, "redaction": given.replace(PAGE, CLEANED)}.get(service, given)


def hub_of_all() -> Hub:
    hub = Hub()
    for service in SERVICES:
        hub.register(service, service)
    return hub


def travel(hub: Hub, sent: list[Send], kinds: tuple[Kind, ...], claim: Label) -> list[Send]:
    """Let each service answer what it is given, in words of `kinds`, and give all that was sent."""
    everything = list(sent)
    while sent and sent[0].envelope.kind is Kind.ASK:
        (given,) = sent
        position = given.envelope.position
        said = says(given.peer.decode(), b"".join(given.frames))
        envelope = Envelope(kinds[position], given.envelope.id, position=position, label=claim)
        sent = hub.receive(given.peer.decode(), envelope, said, said)
        everything += sent
    return everything


def leaks(sends: list[Send]) -> list[Send]:
    """Give what carries page data to whom it must not: to an asker, or to a service that may not see it."""
    return [
        send
        for send in sends
        if PAGE in b"".join(send.frames)
        and not (send.envelope.kind is Kind.ASK and send.peer in MAY_SEE_PAGES and send.envelope.label is Label.RAW)
    ]


@pytest.mark.parametrize("claim", Label, ids=lambda label: f"senders claim {label.name}")
@pytest.mark.parametrize("asker", SERVICES)
def test_no_route_leads_page_data_to_whom_it_must_not(asker: str, claim: Label) -> None:
    body = PAGE if asker == "bridge" else b""
    tried = 0
    for route in ROUTES:
        for kinds in itertools.product((Kind.ANSWER, Kind.FAILURE), repeat=len(route)):
            hub = hub_of_all()

            sent = travel(hub, hub.ask(asker, A, *route, body=body, label=claim), kinds, claim)

            assert [] == leaks(sent), (route, kinds)
            assert [asker] == [to for to, kind, _ in seen(sent) if kind in (Kind.ANSWER, Kind.FAILURE)], (route, kinds)
            assert {} == hub.routing.tasks
            tried += 1
    assert 4 * 2 + 16 * 4 + 64 * 8 == tried


@pytest.mark.parametrize("asker", SERVICES)
def test_what_page_data_leaves_behind_by_dying_is_not_given_to_whom_it_must_not(asker: str) -> None:
    for route in ROUTES:
        hub = hub_of_all()
        hub.register("another bridge", "bridge")
        hub.register("another redaction", "redaction")
        for given in hub.ask(asker, A, *route, body=PAGE if asker == "bridge" else b""):
            sent = hub.lose(given.peer.decode()) if given.envelope.kind is Kind.ASK else []

            assert [] == leaks([send for send in sent if send.peer != b"another redaction"]), route


@pytest.mark.parametrize("service", ["diff", "audit", "journal", "front", "cli", "bridge", "broker", ""])
def test_page_data_is_refused_to_each_kind_of_service_by_name(service: str) -> None:
    hub = hub_of_all()
    hub.register("taker", service)
    hub.ask("front", A, "bridge", service)

    (refused,) = hub.answer("bridge", A, PAGE)

    assert ("front", "redaction_unavailable") == (refused.peer.decode(), failure_of(refused).code)
    assert 1 == hub.routing.counts["raw_refused"]


@pytest.mark.parametrize("asker", ["front", "diff", "redaction", "bridge"])
def test_page_data_is_refused_to_each_kind_of_asker(asker: str) -> None:
    hub = hub_of_all()

    sent = hub.ask(asker, A, "bridge") + hub.answer("bridge", A, PAGE)

    assert [] == leaks(sent)
    assert "redaction_unavailable" == failure_of(sent[-1]).code


def test_what_the_bridge_asks_by_itself_is_page_data() -> None:
    hub = hub_of_all()

    (given,) = hub.ask("bridge", A, "redaction", body=PAGE, label=Label.CLEAN)
    (refused,) = hub.ask("bridge", b"b", "journal", body=PAGE, label=Label.CLEAN)

    assert Label.RAW is given.envelope.label
    assert "redaction_unavailable" == failure_of(refused).code


def test_after_redaction_it_may_go_on() -> None:
    hub = hub_of_all()
    hub.ask("front", A, "bridge", "redaction", "diff")
    hub.answer("bridge", A, PAGE)

    (given,) = hub.answer("redaction", A, CLEANED, position=1)

    assert ("diff", Label.CLEAN) == (given.peer.decode(), given.envelope.label)


def test_a_failure_in_a_pages_words_goes_by_redaction_and_stays_a_failure() -> None:
    hub = hub_of_all()
    hub.ask("front", A, "bridge", "diff", "redaction", "diff")

    (given,) = hub.fail("bridge", A, PAGE.decode())
    (answered,) = hub.answer("redaction", A, CLEANED, position=2)

    assert ("redaction", Label.RAW) == (given.peer.decode(), given.envelope.label)
    assert (b"front", Kind.FAILURE, [CLEANED]) == (answered.peer, answered.envelope.kind, list(answered.frames))


def test_a_failure_in_a_pages_words_that_no_redaction_awaits_is_refused() -> None:
    hub = hub_of_all()
    hub.ask("front", A, "bridge")

    (refused,) = hub.fail("bridge", A, PAGE.decode())

    assert "redaction_unavailable" == failure_of(refused).code


def test_a_page_that_is_given_again_is_as_raw_as_before() -> None:
    hub = hub_of_all()
    hub.register("another", "redaction")
    hub.ask("front", A, "bridge", "redaction")
    hub.answer("bridge", A, PAGE)

    (given,) = hub.lose("redaction")

    assert ("another", Label.RAW) == (given.peer.decode(), given.envelope.label)


def test_who_registers_as_something_else_meanwhile_gains_nothing() -> None:
    hub = hub_of_all()
    hub.ask("bridge", A, "redaction", "bridge", body=PAGE)
    hub.answer("redaction", A, CLEANED)

    sent = hub.register("bridge", "diff") + hub.answer("bridge", A, PAGE, position=1)

    assert [] == leaks(sent)
