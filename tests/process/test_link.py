"""A process's end of the link, against a bare socket in the broker's place that sends what a broker seldom does."""

import asyncio
from collections.abc import AsyncIterator

import msgspec
import pytest
import zmq
import zmq.asyncio

from gasoline_broker.actor.client import Answer, Link, Step, register
from gasoline_broker.actor.mailbox import CANCELLED_ANSWER, NOWHERE
from gasoline_broker.actor.wire import CANCELLED, Envelope, Kind, Stop, pack, read_envelope, stop
from gasoline_broker.errors import Failed, Failure
from gasoline_broker.messages import HeldStop, Register
from gasoline_broker.settings import Settings
from process.echo import Say
from process.processes import Processes, within

SAY = stop("echo", Say("a"))


class Broker:
    """A socket in the broker's place; it knows one peer, the last that sent something."""

    def __init__(self, settings: Settings) -> None:
        self._address = settings.broker_address
        self._context = zmq.asyncio.Context()
        self.peer = b""

    def open(self) -> None:
        self._socket = self._context.socket(zmq.ROUTER)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.bind(self._address)

    def close(self) -> None:
        self._socket.close()

    def end(self) -> None:
        self._socket.close()
        self._context.term()

    async def heard(self) -> tuple[Envelope, list[bytes]]:
        async with within():
            self.peer, head, *frames = await self._socket.recv_multipart()
        return read_envelope(head), frames

    async def kinds(self, count: int) -> list[Kind]:
        return [(await self.heard())[0].kind for _ in range(count)]

    async def say(self, envelope: Envelope, *frames: bytes) -> None:
        await self.say_bytes(pack(envelope), *frames)

    async def say_bytes(self, *frames: bytes) -> None:
        await self._socket.send_multipart([self.peer, *frames])

    async def silent(self) -> None:
        """Ask for a sign of life: what the peer sent before has been received if this is the next."""
        await self.say(Envelope(Kind.PING))
        assert [Kind.PONG] == await self.kinds(1)


@pytest.fixture
async def broker(no_processes: Processes) -> AsyncIterator[Broker]:
    broker = Broker(no_processes.settings)
    broker.open()
    yield broker
    broker.end()


async def work(step: Step) -> tuple[Kind, Answer]:
    """Answer with the input, or wait for ever when it is empty."""
    await (asyncio.sleep(0) if step.body else asyncio.Event().wait())
    return Kind.ANSWER, Answer(step.body)


@pytest.fixture
async def link(no_processes: Processes, broker: Broker) -> AsyncIterator[Link]:
    """Return a link that the broker knows."""
    async with Link(no_processes.settings, register("echo", capacity=1), work) as link:
        assert [Kind.REGISTER] == await broker.kinds(1)
        await broker.say(Envelope(Kind.REGISTER))
        async with within():
            await link.registered()
        yield link


def given(number: bytes, position: int = 0, stops: tuple[Stop, ...] = (SAY, SAY)) -> Envelope:
    return Envelope(Kind.ASK, number, stops, position, ttl_ms=60_000)


@pytest.mark.requirement("hub-019")
async def test_it_registers_before_it_asks_and_is_registered_when_confirmed(
    no_processes: Processes, broker: Broker
) -> None:
    async with Link(no_processes.settings, register("echo")) as link:
        asking = asyncio.create_task(link.ask(SAY, ttl_s=60))

        assert [Kind.REGISTER] == await broker.kinds(1)
        await broker.silent()
        assert not link.connected
        await broker.say(Envelope(Kind.REGISTER, b"life"))
        assert [Kind.ASK] == await broker.kinds(1)
        assert link.connected
        asking.cancel()


async def test_an_ask_that_it_has_abandoned_is_answered_as_cancelled(link: Link, broker: Broker) -> None:
    await broker.say(given(b"1"), b"")
    await broker.say(Envelope(Kind.CANCEL, b"1"))

    answered, frames = await broker.heard()

    assert (Envelope(Kind.FAILURE, b"1", attempt=CANCELLED), CANCELLED_ANSWER[1]) == (answered, frames)
    assert link.connected


async def test_an_ask_that_it_does_not_hold_is_answered_as_cancelled_too(link: Link, broker: Broker) -> None:
    await broker.say(Envelope(Kind.CANCEL, b"1"))

    answered, _ = await broker.heard()

    assert Envelope(Kind.FAILURE, b"1", position=NOWHERE) == answered
    assert link.connected


async def test_an_ask_that_is_given_twice_is_worked_on_once(link: Link, broker: Broker) -> None:
    await broker.say(given(b"1"), b"")
    await broker.say(given(b"1"), b"body")
    await broker.silent()
    await broker.say(Envelope(Kind.CANCEL, b"1"))

    assert [Kind.FAILURE] == await broker.kinds(1)
    await broker.silent()
    assert link.connected


async def test_the_stops_of_an_ask_that_come_here_are_kept_apart(link: Link, broker: Broker) -> None:
    await broker.say(given(b"1", position=0), b"")
    await broker.say(given(b"1", position=1), b"body")

    answered, frames = await broker.heard()

    assert (Envelope(Kind.ANSWER, b"1", position=1), [b"body"]) == (answered, frames)
    assert link.connected


async def test_a_broker_that_does_not_know_it_any_more_receives_everything_again(link: Link, broker: Broker) -> None:
    asking = asyncio.create_task(link.ask(SAY, ttl_s=60, body=b"in"))
    asked = await broker.heard()

    await broker.say(Envelope(Kind.RESET))

    assert [Kind.REGISTER] == await broker.kinds(1)
    await broker.say(Envelope(Kind.REGISTER))
    envelope, frames = await broker.heard()
    assert (asked[0].id, asked[0].itinerary, [b"in"]) == (envelope.id, envelope.itinerary, frames)
    await broker.say(Envelope(Kind.ANSWER, envelope.id), b"out")
    async with within():
        assert Answer(b"out", []) == await asking


async def test_until_its_registration_is_confirmed_it_does_not_register_again(
    no_processes: Processes, broker: Broker
) -> None:
    async with Link(no_processes.settings, register("echo")) as link:
        assert [Kind.REGISTER] == await broker.kinds(1)

        for _ in range(3):
            await broker.say(Envelope(Kind.RESET))

        await broker.silent()
        assert not link.connected


async def test_a_new_broker_receives_its_registration_and_its_asks_and_nothing_else(link: Link, broker: Broker) -> None:
    await broker.say(given(b"1"), b"")
    asking = asyncio.create_task(link.ask(SAY, ttl_s=60))
    assert [Kind.ASK] == await broker.kinds(1)

    broker.close()
    async with within():
        while link.connected:  # noqa: ASYNC110 - the socket's own time
            await asyncio.sleep(0.01)
    broker.open()

    registered, frames = await broker.heard()
    (held,) = msgspec.msgpack.decode(frames[0], type=Register).holds
    assert (Kind.REGISTER, HeldStop(b"1", 0, left_ms=held.left_ms)) == (registered.kind, held)
    assert 0 < held.left_ms <= 60_000
    await broker.say(Envelope(Kind.REGISTER, b"the next life"))
    asked, _ = await broker.heard()
    assert (Kind.ASK, 1) == (asked.kind, asked.attempt)
    await broker.silent()
    asking.cancel()


@pytest.mark.parametrize(
    "frames",
    [
        [b""],
        [b"\xc1"],
        [b"\x91" * 100_000],
        [pack(Envelope(Kind.PING, session="ab")).replace(b"ab", b"\xc0\x80")],
        [pack(Envelope(Kind.PONG))],
        [pack(Envelope(Kind.ANSWER, b"nobody asked")), b"out"],
        [pack(Envelope(Kind.FAILURE, b"nobody asked")), b""],
    ],
)
async def test_what_means_nothing_is_passed_over(link: Link, broker: Broker, frames: list[bytes]) -> None:
    await broker.say_bytes(*frames)

    await broker.silent()
    assert link.connected


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xc1",
        pack({"type": "Failure"}),
        pack(Failure("ab", "")).replace(b"ab", b"\xc0\x80"),
        b"\x81\xa1x" + b"\x91" * 100_000,
    ],
)
async def test_a_failure_that_cannot_be_read_is_a_failure(link: Link, broker: Broker, body: bytes) -> None:
    asking = asyncio.create_task(link.ask(SAY, ttl_s=60))
    asked, _ = await broker.heard()

    await broker.say(Envelope(Kind.FAILURE, asked.id), body)

    with pytest.raises(Failed, match="internal_error: A process answered with a failure that could not be decoded"):
        await asking
    await broker.silent()


async def test_leaving_waits_until_the_broker_knows(link: Link, broker: Broker) -> None:
    leaving = asyncio.create_task(link.drain())
    assert [Kind.GOODBYE] == await broker.kinds(1)

    await broker.say(given(b"1"), b"sent before it knew")
    assert [Kind.ANSWER] == await broker.kinds(1)
    assert not leaving.done()
    await broker.say(Envelope(Kind.GOODBYE))

    async with within():
        await leaving


async def test_leaving_does_not_wait_for_a_broker_that_has_died(link: Link, broker: Broker) -> None:
    leaving = asyncio.create_task(link.drain())
    assert [Kind.GOODBYE] == await broker.kinds(1)

    broker.close()

    async with within():
        await leaving
