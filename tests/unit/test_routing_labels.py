"""No page data leaks: every route over every kind of service is tried, and followed by taint.

The taint does not look at labels. The bridge's answers hold PAGE; redaction removes it; every other service repeats its
input. So a message that holds PAGE is page data, under any label.
"""

import itertools

import pytest

from gasoline_broker.actor.wire import Envelope, Kind, Label
from gasoline_broker.hub import labels
from gasoline_broker.hub.events import Send
from gasoline_broker.messages import HeldStop
from unit.hub import REMOTE, Hub, failure_of, given, seen

PAGE, CLEANED = b"the page said", b"cleaned"
SERVICES = (*labels.FLOWS, "diff", "front")  # every row, and two services without one
ROUTES = [route for stops in (1, 2, 3) for route in itertools.product(SERVICES, repeat=stops)]
DEATHS = [(route, at) for route in ROUTES for at in range(len(route))]
MAY_SEE_PAGES = {"redaction"}
A = b"a"
every_asker = pytest.mark.parametrize("asker", SERVICES)
every_claim = pytest.mark.parametrize("claim", Label, ids=lambda label: f"senders claim {label.name}")


def output(service: str, body: bytes) -> bytes:
    return {"bridge": PAGE, "redaction": body.replace(PAGE, CLEANED)}.get(service, body)


def hub_of_all(*, far: bool = False) -> Hub:
    """Return a hub with one process of each service that has its name, and one that only asks (`far`: elsewhere)."""
    hub = Hub()
    for service in SERVICES:
        hub.register(service, service)
        hub.register(f"{REMOTE * far}{service}, asking", service, capacity=0)
    return hub


def second(hub: Hub, service: str) -> None:
    hub.register(f"{service}, another", service)


def service_of(peer: bytes) -> str:
    return peer.decode().removeprefix(REMOTE).split(",")[0]


def travel(hub: Hub, sent: list[Send], kinds: tuple[Kind, ...], claim: Label = Label.CLEAN) -> list[Send]:
    """Let each service answer its input, with messages of `kinds`, and return all that was sent."""
    everything = list(sent)
    while sent and sent[0].envelope.kind is Kind.ASK:
        sent = reply(hub, sent[0], kinds, claim)
        everything += sent
    return everything


def reply(hub: Hub, asked: Send, kinds: tuple[Kind, ...], claim: Label = Label.CLEAN) -> list[Send]:
    position = asked.envelope.position
    body = output(service_of(asked.peer), b"".join(asked.frames))
    envelope = Envelope(kinds[position], asked.envelope.id, position=position, label=claim)
    return hub.receive(asked.peer.decode(), envelope, body, body)


def leaks(sends: list[Send]) -> list[Send]:
    """Return the messages that leak page data: to an asker, or to a service that may not see it."""
    return [
        send
        for send in sends
        if PAGE in b"".join(send.frames)
        and not (
            send.envelope.kind is Kind.ASK
            and service_of(send.peer) in MAY_SEE_PAGES
            and send.envelope.label is Label.RAW
        )
    ]


def body_of(asker: str) -> bytes:
    return PAGE if asker == "bridge" else b""


def end_of(asker: str, route: tuple[str, ...]) -> str:
    """Follow page data by hand: is it `refused` at a stop, or is the last answer `raw` or `clean`?"""
    raw = asker == "bridge"
    for service in route:
        if raw and service not in MAY_SEE_PAGES:
            return "refused"
        raw = service == "bridge"
    return "raw" if raw else "clean"


@every_claim
@every_asker
def test_no_route_leaks_page_data(asker: str, claim: Label) -> None:
    hub, tried = hub_of_all(), 0
    for route in ROUTES:
        for kinds in itertools.product((Kind.ANSWER, Kind.FAILURE), repeat=len(route)):
            ask_id = tried.to_bytes(2)

            sent = travel(hub, hub.ask(asker, ask_id, *route, body=body_of(asker), label=claim), kinds, claim)

            assert [] == leaks(sent), (route, kinds)
            assert [asker] == [to for to, kind, _ in seen(sent) if kind in (Kind.ANSWER, Kind.FAILURE)], (route, kinds)
            assert {} == hub.routing.state.tasks
            tried += 1
    assert 5 * 2 + 25 * 4 + 125 * 8 == tried


@every_claim
@every_asker
@pytest.mark.requirement("hub-003")
def test_every_forbidden_route_is_refused_by_name_and_every_other_is_gone(asker: str, claim: Label) -> None:
    hub = hub_of_all()
    for number, route in enumerate(ROUTES):
        kinds, before = (Kind.ANSWER,) * len(route), hub.routing.state.counts["raw_refused"]
        asked = hub.ask(asker, number.to_bytes(2), *route, body=body_of(asker), label=claim)

        last = travel(hub, asked, kinds, claim)[-1]

        refused = last.envelope.kind is Kind.FAILURE and failure_of(last).code == "redaction_unavailable"
        assert (end_of(asker, route) != "clean") == refused, route
        assert refused == hub.routing.state.counts["raw_refused"] - before, route


@every_asker
def test_no_page_data_leaks_when_a_process_dies(asker: str) -> None:
    for route, at in DEATHS:
        hub, kinds = hub_of_all(), (Kind.ANSWER,) * len(route)
        sent = everything = hub.ask(asker, A, *route, body=body_of(asker))
        while given(sent) and sent[0].envelope.position < at:
            sent = reply(hub, sent[0], kinds)
            everything = everything + sent
        if given(sent) and route[at] != asker:  # an asker that dies is not answered
            second(hub, route[at])
            everything = everything + travel(hub, hub.lose(sent[0].peer.decode()), kinds)

        assert [] == leaks(everything), (route, at)


@every_asker
def test_no_page_data_leaks_when_a_link_is_cut(asker: str) -> None:
    for route, at in DEATHS:
        hub, kinds = hub_of_all(), (Kind.ANSWER,) * len(route)
        far = f"{REMOTE}{route[at]}"
        hub.lose(route[at])
        hub.register(far, route[at], holds=(HeldStop(A, at),))  # it claims that stop
        hub.register("asker", asker, capacity=0)
        sent = everything = hub.ask("asker", A, *route, body=body_of(asker), attempt=1)
        while given(sent) and sent[0].envelope.position < at:
            sent = reply(hub, sent[0], kinds)
            everything = everything + sent
        if given(sent):
            assert far == sent[0].peer.decode()
            second(hub, route[at])
            everything = everything + travel(hub, hub.lose(far), kinds)

        assert [] == leaks(everything), (route, at)


@pytest.mark.parametrize("service", ["diff", "audit", "journal", "front", "cli", "bridge", "broker", ""])
def test_page_data_is_refused_to_each_kind_of_service_by_name(service: str) -> None:
    hub = hub_of_all()
    hub.register("taker", service)
    hub.ask("front", A, "bridge", service)

    (refused,) = hub.answer("bridge", A, PAGE)

    assert ("front", "redaction_unavailable") == (refused.peer.decode(), failure_of(refused).code)
    assert 1 == hub.routing.state.counts["raw_refused"]


@pytest.mark.parametrize("asker", ["front", "diff", "redaction", "bridge"])
def test_page_data_is_refused_to_each_kind_of_asker(asker: str) -> None:
    hub = hub_of_all()

    sent = hub.ask(asker, A, "bridge") + hub.answer("bridge", A, PAGE)
    sent += hub.ask(asker, A, "bridge") + hub.answer("bridge", A, PAGE)

    assert [] == leaks(sent)
    refused, end = failure_of(sent[-1]), "bridge" if asker == "bridge" else "the caller"
    assert ("redaction_unavailable", True) == (refused.code, f" to {end}." in refused.text)
    assert 2 == hub.routing.state.counts["raw_refused"]


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


@pytest.mark.parametrize("between", [(), ("diff",), ("diff", "diff")], ids=len)
def test_a_failure_in_a_pages_words_goes_by_redaction_and_stays_a_failure(between: tuple[str, ...]) -> None:
    hub = hub_of_all()
    hub.ask("front", A, "bridge", *between, "redaction", "diff")

    (given,) = hub.fail("bridge", A, PAGE.decode())
    (answered,) = hub.answer("redaction", A, CLEANED, position=1 + len(between))

    assert ("redaction", Label.RAW) == (given.peer.decode(), given.envelope.label)
    assert (b"front", Kind.FAILURE, [CLEANED]) == (answered.peer, answered.envelope.kind, list(answered.frames))


def test_a_failure_in_a_pages_words_that_no_redaction_awaits_is_refused() -> None:
    hub = hub_of_all()
    hub.ask("front", A, "bridge")

    (refused,) = hub.fail("bridge", A, PAGE.decode())

    assert "redaction_unavailable" == failure_of(refused).code


def test_a_failure_in_a_pages_words_does_not_go_back_to_the_redaction_before_it() -> None:
    hub = hub_of_all()
    hub.ask("front", A, "redaction", "bridge", trace="t")
    hub.answer("redaction", A)

    (refused,) = hub.fail("bridge", A, PAGE.decode(), position=1)

    assert (b"front", "redaction_unavailable") == (refused.peer, failure_of(refused).code)
    assert [hub.now] == [one.ended_at for one in hub.routing.state.calls]


def test_a_page_that_is_sent_again_is_as_raw_as_before() -> None:
    hub = hub_of_all()
    hub.register("another", "redaction")
    hub.ask("front", A, "bridge", "redaction")
    hub.answer("bridge", A, PAGE)

    (given,) = hub.lose("redaction")

    assert ("another", Label.RAW) == (given.peer.decode(), given.envelope.label)


def test_a_process_that_registers_as_something_else_meanwhile_gains_nothing() -> None:
    hub = hub_of_all()
    hub.ask("bridge", A, "redaction", "bridge", body=PAGE)
    hub.answer("redaction", A, CLEANED)

    sent = hub.register("bridge", "diff") + hub.answer("bridge", A, PAGE, position=1)

    assert [] == leaks(sent)
