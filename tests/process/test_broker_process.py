"""The broker as a process: its files, a second broker, and malformed messages."""

import asyncio
import random
import stat
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import zmq

from gasoline_broker.actor.client import Link, register
from gasoline_broker.actor.status import read_status
from gasoline_broker.actor.wire import (
    ENVELOPE_BYTES_MAX,
    FRAMES_MAX,
    MALFORMED,
    MESSAGE_BYTES_MAX,
    Envelope,
    Ids,
    Kind,
    pack,
    read_envelope,
    stop,
)
from gasoline_broker.errors import CANNOT_START
from gasoline_broker.hub.events import Received
from gasoline_broker.hub.routing import Routing
from gasoline_broker.lock import holder
from gasoline_broker.messages import Register
from process.echo import CarryBlobs, Said, Say
from process.faults.raw import Heard, Raw
from process.processes import BOUND_S, Processes, until, within

IDENTITY = b"flood"
SEED = 7
ANSWERS = [b"%d" % number for number in range(8)]
BOUND_MS = int(BOUND_S * 1000)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def test_its_folder_and_socket_are_the_users_alone_under_any_umask(no_processes: Processes) -> None:
    folder = no_processes.settings.runtime_dir
    folder.chmod(0o777)

    await no_processes.broker(umask=0)
    await no_processes.link(Link(no_processes.settings, register("front")))

    assert {folder.name: 0o700, "broker.sock": 0o600, "broker.lock": 0o600} == {
        path.name: mode(path) for path in (folder, *folder.iterdir())
    }


@pytest.mark.requirement("hub-023")
async def test_a_second_broker_names_the_first_which_keeps_serving(processes: Processes) -> None:
    echo = await processes.echo()
    first = holder(processes.settings.runtime_dir / "broker.lock")

    second = await processes.broker()

    assert CANNOT_START == await second.exit_code()
    assert f"The broker is already running (process {first})." in second.log
    assert [echo.pid] == (await processes.ask(stop("echo", Say("a")))).read(Said).pids


async def test_a_broker_takes_over_what_a_killed_one_has_left(no_processes: Processes) -> None:
    first = await no_processes.broker()
    await until(no_processes.settings.broker_socket.exists)
    await first.end()
    assert no_processes.settings.broker_socket.exists()

    second = await no_processes.broker()
    await no_processes.link(Link(no_processes.settings, register("front")))

    assert second.pid == (await read_status(no_processes.asking)).pid


async def test_a_socket_that_cannot_be_opened_is_refused_by_name(no_processes: Processes) -> None:
    (no_processes.settings.broker_socket / "folder").mkdir(parents=True)

    broker = await no_processes.broker()

    assert CANNOT_START == await broker.exit_code()
    assert f"{no_processes.settings.broker_socket} cannot be listened on" in broker.log


# What it bears


def messages(chance: random.Random, count: int) -> Iterator[list[bytes]]:
    """Make messages of every kind of wrong."""
    ids = Ids()
    for _ in range(count):
        kind = chance.choice(list(Kind))
        asked = (stop(chance.choice(["diff", "x", ""]), Register("a", 1, 1, "1")),) * chance.randrange(10)
        ask = Envelope(kind, ids.next() * chance.randrange(3), asked, chance.randrange(-2, 9), chance.randrange(-5, 50))
        whole = pack(ask)
        flipped = bytearray(whole)
        flipped[chance.randrange(len(flipped))] ^= 1 << chance.randrange(8)
        yield chance.choice(
            [
                [chance.randbytes(chance.randrange(100))],
                [chance.randbytes(40), chance.randbytes(40)],
                [whole],
                [whole, b""],
                [whole, chance.randbytes(9), chance.randbytes(9)],
                [whole[: chance.randrange(len(whole))], b""],
                [bytes(flipped), b""],
                [b""],
                [whole, *[b""] * chance.randrange(2 * FRAMES_MAX)],
                [b"\x91" * 5_000],
            ]
        )


def counted(sent: list[list[bytes]]) -> Counter[str]:
    """Return what a broker counts of these: its own routing's counts, and the malformed that never get there."""
    routing, malformed = Routing(0.0), 0
    for frames in sent:
        try:
            envelope = read_envelope(frames[0])
        except MALFORMED:
            malformed += 1
            continue
        if len(frames) > FRAMES_MAX:
            malformed += 1
        else:
            routing.handle(0.0, Received(IDENTITY, envelope, frames[1:]))
    return routing.state.counts + Counter(malformed=malformed)


def flood(address: str, sent: list[list[bytes]]) -> None:
    """Send all this from a bare socket, and read what comes back."""
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.setsockopt(zmq.IDENTITY, IDENTITY)
        socket.setsockopt(zmq.LINGER, BOUND_MS)
        socket.setsockopt(zmq.SNDTIMEO, BOUND_MS)
        socket.connect(address)
        for frames in sent:
            socket.send_multipart(frames)
            while socket.poll(0):
                socket.recv_multipart()


async def test_ten_thousand_malformed_messages_are_counted_and_every_process_stays_up(no_processes: Processes) -> None:
    processes = no_processes
    broker = await processes.broker()
    await processes.link(Link(processes.settings, register("front")))
    echo = await processes.echo()
    sent = list(messages(random.Random(SEED), 10_000))  # noqa: S311 - the same every time
    expected = counted(sent)

    async with within():
        await asyncio.to_thread(flood, processes.settings.broker_address, sent)
    words = ("malformed", "unregistered")
    status = await processes.status(
        lambda status: sum(status.counts.get(word, 0) for word in words) == sum(expected[word] for word in words)
    )

    assert {word: expected[word] for word in words} == {word: status.counts[word] for word in words}
    assert expected["malformed"] > 4_000
    assert expected["unregistered"] > 1_000
    assert [echo.pid] == (await processes.ask(stop("echo", Say("a")))).read(Said).pids
    assert broker.running


@pytest.mark.parametrize(
    "frames",
    [
        [bytes(MESSAGE_BYTES_MAX + 1)],
        [pack(Envelope(Kind.PONG)), bytes(MESSAGE_BYTES_MAX + 1)],
        [pack(Envelope(Kind.PONG, b"x" * ENVELOPE_BYTES_MAX))],
    ],
    ids=["a huge envelope", "a huge body", "a large envelope"],
)
async def test_a_message_that_is_too_large_harms_its_sender_alone(processes: Processes, frames: list[bytes]) -> None:
    echo = await processes.echo()

    await asyncio.to_thread(huge, processes.settings.broker_address, frames)

    assert [echo.pid] == (await processes.ask(stop("echo", Say("a")))).read(Said).pids
    assert 2 == len((await processes.status()).peers)


def huge(address: str, frames: list[bytes]) -> None:
    """Send one message, and wait until the broker has cut the link, or answers what is sent after it."""
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.setsockopt(zmq.LINGER, 0)
        with socket.get_monitor_socket(zmq.EVENT_DISCONNECTED) as cut:
            socket.connect(address)
            socket.send_multipart(frames)
            socket.send(pack(Envelope(Kind.PONG)))
            poller = zmq.Poller()
            poller.register(cut, zmq.POLLIN)
            poller.register(socket, zmq.POLLIN)
            assert poller.poll(BOUND_MS)
            socket.disable_monitor()


@pytest.mark.requirement("hub-012")
async def test_the_last_answers_of_a_broker_reach_an_asker_that_is_slow_to_read(processes: Processes) -> None:
    echo, heard = await processes.echo(), list[Heard]()
    itinerary = (stop("echo", CarryBlobs(1 << 20)),)  # more than the kernel holds between us

    async with Raw(processes.settings, heard.append) as slow:
        await slow.register()
        slow.ignore()
        for ask_id in ANSWERS:
            assert slow.say(Envelope(Kind.ASK, ask_id, itinerary, ttl_ms=60_000), b"")
        await processes.status(
            lambda status: (echo.pid, len(ANSWERS)) in {(peer.pid, peer.done) for peer in status.peers}
        )
        processes.started[0].terminate()
        while processes.settings.broker_socket.exists():
            slow.say(Envelope(Kind.CLOSING))  # as if it had read the broker's
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.5)  # the dose
        slow.listen()
        await until(lambda: {*ANSWERS} <= {one.envelope.id for one in heard if one.envelope.kind is Kind.ANSWER})


@pytest.mark.requirement("hub-021")
async def test_a_peer_that_reads_nothing_is_given_up_and_costs_the_others_nothing(processes: Processes) -> None:
    echo = await processes.echo()

    await asyncio.to_thread(deaf, processes.settings.broker_address)

    status = await processes.status(lambda status: status.counts.get("slow_peers"))
    assert status.counts["slow_peers"] >= 1
    assert [echo.pid] == (await processes.ask(stop("echo", Say("a")))).read(Said).pids


def deaf(address: str) -> None:
    """Ask for far more answers than the socket between us holds, and read none of them."""
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.setsockopt(zmq.RCVHWM, 1)
        socket.setsockopt(zmq.LINGER, BOUND_MS)
        socket.setsockopt(zmq.SNDTIMEO, BOUND_MS)
        socket.connect(address)
        socket.send_multipart([pack(Envelope(Kind.REGISTER)), pack(register("front"))])
        for _ in range(30_000):
            socket.send(pack(Envelope(Kind.ASK, b"x" * 64)))  # no stops: refused in words
