"""No failure of an ask that acts, and was begun, asks to do it again."""

import pytest

from gasoline_broker.actor.wire import Delivery, Envelope, Kind, Stop
from gasoline_broker.error_codes import CODES, recovery_of
from gasoline_broker.errors import Failure
from gasoline_broker.hub.events import Send
from unit.hub import MESSAGE, Hub, failure_of

A = b"A" * 8
STOPS = (
    Stop("bridge", MESSAGE, Delivery.COMMAND),
    Stop("redaction", MESSAGE, Delivery.QUERY),
    Stop("diff", MESSAGE, Delivery.QUERY),
)
REPEATS = ("call again", "try again", "then call")


@pytest.fixture
def hub() -> Hub:
    """Return a hub with an asker that acts; every process is there."""
    hub = Hub()
    hub.register("front", "front", capacity=0)
    for stop in STOPS:
        hub.register(stop.service, stop.service)
    return hub


def act(hub: Hub) -> list[Send]:
    return hub.receive("front", Envelope(Kind.ASK, A, STOPS, ttl_ms=10_000), b"")


def failed(sends: list[Send]) -> Failure:
    (failure,) = [failure_of(send) for send in sends if send.envelope.kind is Kind.FAILURE and send.peer == b"front"]
    return failure


def repeats(failure: Failure) -> bool:
    return any(words in recovery_of(failure).lower() for words in REPEATS)


@pytest.mark.requirement("faults-015")
@pytest.mark.parametrize("alive", [("front", "redaction", "diff", "bridge"), ("front", "redaction", "diff")])
def test_one_that_its_process_does_not_finish_in_time_may_have_been_done(hub: Hub, alive: tuple[str, ...]) -> None:
    act(hub)

    failure = failed(hub.wait(10, *alive))

    assert failure.code in {"deadline_exceeded", "outcome_unknown"}
    assert not repeats(failure)
    assert "look at the page" in recovery_of(failure).lower()


@pytest.mark.requirement("faults-015")
@pytest.mark.parametrize(("stop", "missing"), [(1, "redaction"), (2, "diff")])
def test_one_whose_answer_got_no_further_was_done(hub: Hub, stop: int, missing: str) -> None:
    hub.lose(missing)
    act(hub)
    out = hub.answer("bridge", A, b"done")
    if stop > 1:
        out += hub.answer("redaction", A, b"clean", position=1)

    failure = failed(out + hub.wait(10, "front", "bridge", "redaction", "diff"))

    assert ("yes", True) == (CODES[failure.code].retry, failure.details["done"])
    assert not repeats(failure)
    assert "do not repeat it" in recovery_of(failure)


def test_one_that_was_never_begun_may_be_asked_for_again(hub: Hub) -> None:
    hub.lose("bridge")
    failure = failed([*act(hub), *hub.wait(10, "front", "redaction", "diff")])

    assert "worker_unavailable" == failure.code
    assert "done" not in recovery_of(failure)


def test_one_that_was_answered_with_a_failure_may_have_been_done(hub: Hub) -> None:
    hub.lose("redaction")
    act(hub)

    failure = failed([*hub.fail("bridge", A), *hub.wait(10, "front", "bridge", "diff")])

    assert "done" not in failure.details
    assert "may have been done" in recovery_of(failure)
